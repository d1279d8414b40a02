/*
 * section-leaps.cc - sections that are left by longjmp, siglongjmp out of handlers, and exceptions,
 * out of calls of any depth; and some that are not. Each case has a section of its own.
 */
#include "cprof-sections.h"

#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <pthread.h>
#include <ucontext.h>

#define SEPARATE __attribute__((noinline, noclone, noipa))

enum { TIMES = 10, SIZE = 65536 };
static sigjmp_buf jump;
static volatile long sink;
static char aside[SIZE];
static ucontext_t here, there;

SEPARATE static void work(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

/* Leaves from n calls further in. */
SEPARATE static void leave(int n)
{
    work(1);
    if (!n)
        siglongjmp(jump, 1);
    leave(n - 1);
    sink++;
}

SEPARATE static void give_up(int n)
{
    work(1);
    if (!n)
        throw n;
    give_up(n - 1);
    sink++;
}

SEPARATE static void leaving(int)
{
    work(3);
    siglongjmp(jump, 1);
}

SEPARATE static void returning(int)
{
    work(3);
    sink++;
}

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(number, &action, nullptr);
}

/* Every third call ends well. */
#define CASE(name, end)              \
    SEPARATE static void name(int i) \
    {                                \
        CPROF_BEGIN(#name);          \
        work(5);                     \
        if (i % 3)                   \
            end;                     \
        work(6);                     \
        CPROF_END(#name);            \
    }

CASE(at_once, siglongjmp(jump, 1))
CASE(deep, leave(5))
CASE(thrown, give_up(0))
CASE(thrown_deep, give_up(7))
CASE(from_handler, raise(SIGUSR1))
CASE(from_aside, raise(SIGUSR2))
CASE(handled, raise(SIGHUP))

/* An entry that is left lies within one that is not, and the other way round. */
SEPARATE static void outer(int i)
{
    CPROF_BEGIN("outer");
    if (!sigsetjmp(jump, 1))
        deep(i);
    work(4);
    CPROF_END("outer");
}

/* The function that begins it returns; its caller is left. */
SEPARATE static void begin_carried()
{
    CPROF_BEGIN("carried");
    work(2);
}

SEPARATE static void carry(int i)
{
    begin_carried();
    work(2);
    if (i % 2)
        leave(2);
    CPROF_END("carried");
}

/* It is in the function that is gone back to. */
SEPARATE static void kept(int i)
{
    CPROF_BEGIN("kept");
    if (!sigsetjmp(jump, 1))
        leave(i);
    work(3);
    CPROF_END("kept");
}

SEPARATE static void fibre()
{
    for (;;) {
        work(2);
        swapcontext(&there, &here);
    }
}

SEPARATE static void switched(int)
{
    CPROF_BEGIN("switched");
    work(2);
    CPROF_END("switched");
    swapcontext(&here, &there);
    CPROF_BEGIN("again");
    work(9);
    CPROF_END("again");
}

SEPARATE static void all(void (*function)(int))
{
    for (int i = 0; i < TIMES; i++) {
        try {
            if (!sigsetjmp(jump, 1))
                function(i);
        } catch (int) {
        }
        work(40);
    }
}

SEPARATE static void *in_thread(void *)
{
    all(deep);
    all(thrown);
    return nullptr;
}

int main()
{
    stack_t stack = {};
    pthread_t thread;

    stack.ss_sp = aside;
    stack.ss_size = SIZE;
    sigaltstack(&stack, nullptr);
    handle(SIGUSR1, leaving, 0);
    handle(SIGUSR2, leaving, SA_ONSTACK);
    handle(SIGHUP, returning, SA_ONSTACK);
    getcontext(&there);
    there.uc_stack.ss_sp = malloc(SIZE);
    there.uc_stack.ss_size = SIZE;
    makecontext(&there, fibre, 0);
    for (auto function : {at_once, deep, thrown, thrown_deep, from_handler, from_aside, handled,
                          outer, carry, kept, switched})
        all(function);
    pthread_create(&thread, nullptr, in_thread, nullptr);
    pthread_join(thread, nullptr);
    return 0;
}
