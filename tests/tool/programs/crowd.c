/* crowd.c THREADS - so many threads at once, each of which works in the same way. */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 400 };

static pthread_barrier_t all_there;

__attribute__((noinline, noclone, noipa)) long spin(long n)
{
    volatile long sum = 0;
    for (long i = 0; i < n; i++)
        sum += i;
    return sum;
}

__attribute__((noinline, noclone, noipa)) void *worker(void *argument)
{
    pthread_barrier_wait(&all_there);
    return (void *)(spin(1000) + (long)argument);
}

int main(int argc, char **argv)
{
    static pthread_t threads[MOST];
    long n = argc > 1 ? atol(argv[1]) : 0;
    if (n < 1 || n > MOST || pthread_barrier_init(&all_there, NULL, (unsigned)n))
        return 1;
    for (long i = 0; i < n; i++)
        if (pthread_create(&threads[i], NULL, worker, (void *)i))
            return 1;
    for (long i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
