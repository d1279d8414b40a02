/*
 * leaps.c - signals whose handlers leave by siglongjmp, on stacks of any kind, mostly for the very
 * function that was interrupted. Each case has functions of its own: `trying_` is interrupted and
 * goes on with `after_`, `leaping_` is the handler; `above_` calls it all.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define SEPARATE __attribute__((noinline, noclone, noipa))

enum { TIMES = 5, SIZE = 65536 };
static sigjmp_buf jump, outer_jump;
static volatile long sink;
static volatile int depth;
static char aside[SIZE] __attribute__((aligned(16))), other[SIZE] __attribute__((aligned(16)));
static char third[SIZE] __attribute__((aligned(16)));

SEPARATE void work(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

/* Calls `function` with the stack pointer at `top`. */
void call_on(void *top, void (*function)(void));
#ifdef __aarch64__
__asm__(".text\n.globl call_on\n.type call_on,%function\ncall_on: stp x29, x30, [sp, #-16]!\n"
        "mov x29, sp\nmov sp, x0\nblr x1\nmov sp, x29\nldp x29, x30, [sp], #16\nret\n"
        ".size call_on,.-call_on\n");
#else
__asm__(".text\n.globl call_on\n.type call_on,@function\ncall_on: push %rbp\nmov %rsp, %rbp\n"
        "mov %rdi, %rsp\ncall *%rsi\nmov %rbp, %rsp\npop %rbp\nret\n.size call_on,.-call_on\n");
#endif

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(number, &action, NULL);
}

static void use_aside(void *memory)
{
    sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = SIZE}, NULL);
}

static void fault(void)
{
    *(volatile int *)8 = 1;
}

/* The functions of a case. `how` is the handler's way to its siglongjmp. */
#define CASE(name, flags, how)                  \
    SEPARATE void after_##name(void)            \
    {                                           \
        work(50);                               \
        sink++;                                 \
    }                                           \
    SEPARATE void leaping_##name(int number)    \
    {                                           \
        work(7);                                \
        how;                                    \
        sink++;                                 \
    }                                           \
    SEPARATE void trying_##name(void)           \
    {                                           \
        if (sigsetjmp(jump, 1)) {               \
            after_##name();                     \
            return;                             \
        }                                       \
        work(3);                                \
        handle(SIGSEGV, leaping_##name, flags); \
        fault();                                \
    }

#define ABOVE(name, call)               \
    SEPARATE void above_##name(void)    \
    {                                   \
        for (int i = 0; i < TIMES; i++) \
            call;                       \
        sink++;                         \
    }

SEPARATE void leap(void)
{
    work(2);
    siglongjmp(jump, 1);
}

CASE(here, 0, leap())
ABOVE(here, trying_here())
CASE(aside, SA_ONSTACK, leap())
ABOVE(aside, trying_aside())

/* The handler's stack is in the frame of a caller. */
CASE(among, SA_ONSTACK, leap())
SEPARATE void above_among(void)
{
    char memory[SIZE];

    use_aside(memory);
    for (int i = 0; i < TIMES; i++)
        trying_among();
    use_aside(aside);
}

/* The interrupted function runs on memory that the program has put the stack pointer to. */
CASE(pivoted, 0, leap())
ABOVE(pivoted, call_on(other + SIZE, trying_pivoted))
CASE(pivoted_aside, SA_ONSTACK, leap())
ABOVE(pivoted_aside, call_on(other + SIZE, trying_pivoted_aside))
/* The handler goes to the other stack. */
CASE(pivoting, 0, call_on(other + SIZE, leap))
ABOVE(pivoting, trying_pivoting())
CASE(pivoting_aside, SA_ONSTACK, call_on(other + SIZE, leap))
ABOVE(pivoting_aside, trying_pivoting_aside())

/* Handlers within each other, all of which are left at once. */
SEPARATE void go_deeper(void)
{
    if (++depth < 3)
        fault();
    depth = 0;
    leap();
}
CASE(nested, SA_NODEFER, go_deeper())
ABOVE(nested, trying_nested())
CASE(nested_aside, SA_NODEFER | SA_ONSTACK, go_deeper())
ABOVE(nested_aside, trying_nested_aside())

/* A handler within a handler leaves for that one, which returns. */
SEPARATE void after_inner(void)
{
    work(20);
    sink++;
}

SEPARATE void leaping_inner(int number)
{
    work(5);
    siglongjmp(outer_jump, 1);
}

SEPARATE void trying_inner(int number)
{
    if (!sigsetjmp(outer_jump, 1))
        raise(SIGUSR2);
    after_inner();
}

SEPARATE void after_outer(void)
{
    work(9);
    sink++;
}

SEPARATE void trying_outer(void)
{
    raise(SIGUSR1);
    after_outer();
}

SEPARATE void above_outer(int flags)
{
    handle(SIGUSR1, trying_inner, flags);
    handle(SIGUSR2, leaping_inner, flags);
    for (int i = 0; i < TIMES; i++)
        trying_outer();
}

/* Handlers that go on to others by jumps, up to one that leaves. */
SEPARATE void third_handler(int number)
{
    work(4);
    siglongjmp(jump, 1);
}

SEPARATE void second_handler(int number)
{
    work(5);
    third_handler(number);
}

SEPARATE void first_handler(int number)
{
    work(6);
    second_handler(number);
}

SEPARATE void after_chain(void)
{
    work(8);
    sink++;
}

SEPARATE void trying_chain(void)
{
    if (!sigsetjmp(jump, 1))
        fault();
    after_chain();
}

SEPARATE void above_chain(int flags)
{
    handle(SIGSEGV, first_handler, flags);
    for (int i = 0; i < TIMES; i++)
        trying_chain();
}

/* A chain whose last handler returns, and one where two handlers take turns. */
static void (*volatile next_handler)(int);

SEPARATE void even_handler(int number)
{
    work(3);
    if (++depth % 4)
        next_handler(number);
}

SEPARATE void odd_handler(int number)
{
    work(2);
    even_handler(number);
}

SEPARATE void trying_turns(void)
{
    raise(SIGHUP);
    work(6);
}

SEPARATE void above_turns(int flags)
{
    next_handler = odd_handler;
    handle(SIGHUP, odd_handler, flags);
    for (int i = 0; i < TIMES; i++)
        trying_turns();
}

int main(void)
{
    use_aside(aside);
    above_here();
    above_aside();
    above_among();
    above_pivoted();
    above_pivoted_aside();
    above_pivoting();
    above_pivoting_aside();
    above_nested();
    above_nested_aside();
    above_outer(0);
    above_outer(SA_ONSTACK);
    above_chain(0);
    above_chain(SA_ONSTACK);
    above_turns(0);
    above_turns(SA_ONSTACK);
    return third[0];
}
