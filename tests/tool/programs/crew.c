/* crew.c - four threads, one after the other, each with work of its own; the first makes one
 * itself. */
#include <pthread.h>
#include <stddef.h>

static volatile long sink;

#define SEPARATE __attribute__((noinline, noclone, noipa))

SEPARATE void spin(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

SEPARATE void *grandchild(void *argument)
{
    spin(50);
    sink++;
    return argument;
}

static void run(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    if (!pthread_create(&thread, NULL, function, argument))
        pthread_join(thread, NULL);
}

SEPARATE void *worker(void *argument)
{
    long number = (long)argument;
    for (long i = 0; i <= number; i++)
        spin(100);
    if (number == 0)
        run(grandchild, NULL);
    return NULL;
}

SEPARATE void *together(void *argument)
{
    for (long i = 0; i < 1000; i++)
        spin((long)argument);
    return NULL;
}

SEPARATE void alone(void)
{
    spin(200);
    sink++;
}

int main(void)
{
    pthread_t threads[3];
    for (long i = 0; i < 4; i++)
        run(worker, (void *)i);
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, together, (void *)(i * 10));
    for (long i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    alone();
    return 0;
}
