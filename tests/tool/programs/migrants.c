/*
 * migrants.c - a fibre that goes on in another thread than it was left in, from one to the next,
 * twenty times; the threads wait for each other. At each step it returns out of one function and
 * calls another.
 */
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>

enum { STEPS = 20, SIZE = 65536 };

static ucontext_t fibre, resumer;
static volatile long sink;

#define SEPARATE __attribute__((noinline, noclone, noipa))

SEPARATE void burn(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

SEPARATE void step(void)
{
    burn(100);
    swapcontext(&fibre, &resumer);
    burn(100);
}

SEPARATE void run_fibre(void)
{
    for (volatile int i = 0; i < STEPS; i++)
        step();
    swapcontext(&fibre, &resumer);
}

SEPARATE void resume(void)
{
    swapcontext(&resumer, &fibre);
    sink++;
}

static void *go_on(void *unused)
{
    resume();
    return unused;
}

int main(void)
{
    getcontext(&fibre);
    fibre.uc_stack.ss_sp = malloc(SIZE);
    fibre.uc_stack.ss_size = SIZE;
    makecontext(&fibre, run_fibre, 0);
    resume();
    for (int i = 0; i < STEPS; i++) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, go_on, NULL) != 0)
            return 1;
        pthread_join(thread, NULL);
    }
    return 0;
}
