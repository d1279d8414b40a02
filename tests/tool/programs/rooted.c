/*
 * rooted.c - recursive functions that nothing calls at first: a signal's handler, a fibre's first
 * function, and one right below a section.
 */
#include "cprof-sections.h"

#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

#define SEPARATE __attribute__((noinline, noclone, noipa))

static volatile long sink;
static ucontext_t here, there;

SEPARATE void handler(int number)
{
    sink++;
    if (number > 1)
        handler(number > 5 ? 5 : number - 1);
    sink++;
}

SEPARATE void fibre(int n)
{
    sink++;
    if (n)
        fibre(n - 1);
    sink++;
}

SEPARATE void parse(int n)
{
    CPROF_BEGIN("parse");
    sink++;
    if (n)
        parse(n - 1);
    sink++;
    CPROF_END("parse");
}

SEPARATE void both(int n)
{
    sink++;
    if (n > 0)
        both(n > 4 ? 4 : n - 1);
    sink++;
}

int main(void)
{
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    raise(SIGUSR1);
    getcontext(&there);
    there.uc_stack.ss_sp = malloc(65536);
    there.uc_stack.ss_size = 65536;
    there.uc_link = &here;
    makecontext(&there, (void (*)(void))fibre, 1, 7);
    swapcontext(&here, &there);
    parse(3);
    signal(SIGUSR2, both);
    raise(SIGUSR2);
    both(2);
    return 0;
}
