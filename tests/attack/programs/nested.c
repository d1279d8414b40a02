/*
 * nested.c - siglongjmp() out of a handler that came while another one ran, past both of them; and
 * out of the inner one into the outer one.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf far, near;
static volatile long sum;
static volatile int to_near;

__attribute__((noinline)) static void work(long n)
{
    for (long i = 0; i < n; i++)
        sum += i;
}

static void inner(int sig)
{
    work(sig);
    siglongjmp(to_near ? near : far, 1);
}

static void outer(int sig)
{
    work(2 * sig);
    if (sigsetjmp(near, 1) == 0)
        raise(SIGUSR2);
    work(3);
}

__attribute__((noinline)) static void below(int depth)
{
    work(depth);
    if (depth)
        below(depth - 1);
    else
        raise(SIGUSR1);
    work(1);
}

int main(void)
{
    signal(SIGUSR1, outer);
    signal(SIGUSR2, inner);
    for (volatile int i = 0; i < 10; i++) {
        to_near = i % 2;
        if (sigsetjmp(far, 1) == 0)
            below(i);
        work(100);
    }
    printf("%ld\n", sum);
    return 0;
}
