/* deep.c DEPTH [thread] - recurses so deep, on the main stack or on a thread's of 1 GB. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile long sink;

__attribute__((noinline, noclone, noipa)) long dig(long n)
{
    long depth;
    sink++;
    if (n == 0)
        return 0;
    depth = dig(n - 1);
    sink++;
    return depth + 1;
}

static void *in_thread(void *argument)
{
    return (void *)dig((long)argument);
}

int main(int argc, char **argv)
{
    void *depth = (void *)(argc > 1 ? atol(argv[1]) : 0);
    if (argc > 2) {
        pthread_attr_t attributes;
        pthread_t thread;
        pthread_attr_init(&attributes);
        if (pthread_attr_setstacksize(&attributes, (size_t)1 << 30) ||
            pthread_create(&thread, &attributes, in_thread, depth))
            return 1;
        pthread_join(thread, &depth);
    } else {
        depth = in_thread(depth);
    }
    printf("%ld\n", (long)depth);
    return 0;
}
