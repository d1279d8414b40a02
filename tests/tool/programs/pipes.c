/*
 * pipes.c - threads that hand over by pipes: one runs while all others sleep in read(). The pauses
 * let each settle in its system call before the next one goes on, so that the order of events is
 * the same in every run.
 */
#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 3 };

static int up[2], down[THREADS][2];

__attribute__((noinline)) static long spin(long n)
{
    static long cells[1 << 14];
    volatile long sum = 0;
    for (long i = 0; i < n; i++) {
        sum += i;
        cells[i * 7919 & 0x3fff] += sum;
    }
    return sum;
}

static void settle(void)
{
    struct timespec pause = {0, 30000000};
    nanosleep(&pause, NULL);
}

static void *worker(void *argument)
{
    long number = (long)argument;
    char token;
    while (read(down[number][0], &token, 1) == 1) {
        spin(20000 * (number + 1));
        settle();
        if (write(up[1], &token, 1) != 1)
            break;
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    char token = 1;
    if (pipe(up))
        return 1;
    for (long i = 0; i < THREADS; i++) {
        if (pipe(down[i]) || pthread_create(&thread, NULL, worker, (void *)i))
            return 1;
        settle();
    }
    for (int round = 0; round < ROUNDS; round++)
        for (long i = 0; i < THREADS; i++) {
            if (write(down[i][1], &token, 1) != 1 || read(up[0], &token, 1) != 1)
                return 1;
            settle();
        }
    spin(1000);
    _exit(0);
}
