/* thread_names.c - threads with names: one from itself, one that changes, an odd one that is too
 * long, none. */
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>

volatile long sum;

__attribute__((noinline)) static void burn(long n)
{
    while (n--)
        sum += n;
}

__attribute__((noinline)) static void *work(void *name)
{
    if (name)
        prctl(PR_SET_NAME, name);
    burn(1000);
    return NULL;
}

__attribute__((noinline)) static void *change(void *name)
{
    prctl(PR_SET_NAME, "first");
    burn(100);
    return work(name);
}

int main(void)
{
    static char *const names[] = {"worker-1", "later", "a\\b]\n0123456789abcdef", NULL};

    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, i == 1 ? change : work, names[i]) ||
            pthread_join(thread, NULL))
            return 1;
    }
    return 0;
}
