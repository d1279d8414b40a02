/*
 * thunks.c - for compilation with -mfunction-return=thunk, -mindirect-branch=thunk, or both: calls
 * and returns by thunks, in handlers and in what they interrupt, and chains of functions that
 * return to each other. Each has its own leaf.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

#define SEPARATE __attribute__((noinline, noclone, noipa))

enum { TIMES = 5, SIZE = 65536 };
static sigjmp_buf jump;
static volatile long sink;
static char aside[SIZE];

SEPARATE void work(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

SEPARATE void pointed_to(long n)
{
    work(n);
    sink++;
}
static void (*volatile pointer)(long) = pointed_to;

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(number, &action, NULL);
}

SEPARATE void returning(int number)
{
    work(3);
    pointer(number);
    sink++;
}

SEPARATE void interrupted(void)
{
    raise(SIGUSR1);
    work(60);
    pointer(2);
}

SEPARATE void leaving(int number)
{
    work(2);
    siglongjmp(jump, 1);
}

SEPARATE void left_for(void)
{
    if (!sigsetjmp(jump, 1))
        *(volatile int *)8 = 1;
    work(70);
    pointer(3);
}

SEPARATE void inner(int number)
{
    work(2);
    sink++;
}

SEPARATE void outer(int number)
{
    raise(SIGUSR1);
    work(9);
    sink++;
}

SEPARATE void interrupted_twice(void)
{
    raise(SIGUSR2);
    work(50);
    sink++;
}

SEPARATE long recursive(long n)
{
    work(1);
    return n ? recursive(n - 1) + n : 0;
}

SEPARATE void above(int flags)
{
    handle(SIGUSR1, returning, flags);
    handle(SIGSEGV, leaving, flags);
    for (int i = 0; i < TIMES; i++) {
        interrupted();
        left_for();
        sink += recursive(4);
    }
    handle(SIGUSR1, inner, flags);
    handle(SIGUSR2, outer, flags);
    for (int i = 0; i < TIMES; i++)
        interrupted_twice();
}

/* chain() returns to link_1, which returns to link_2, which returns to it; or, as a handler, to
 * link_1, which ends the signal. by_retpoline() calls its argument so that the processor does not
 * guess. */
void chain(void);
void deep_chain(void);
void chaining(int number);
void by_retpoline(void (*function)(void));
/* Handlers that return by jumps. */
void jumping(int number);
void jumping_later(int number);
__asm__(".text\n"
        ".type link_1,@function\nlink_1: nop\nret\n.size link_1,.-link_1\n"
        ".type link_2,@function\nlink_2: nop\nnop\nret\n.size link_2,.-link_2\n"
        ".globl chain\n.type chain,@function\nchain: lea 1f(%rip),%rax\npush %rax\n"
        "lea link_2(%rip),%rax\npush %rax\nlea link_1(%rip),%rax\npush %rax\nret\n"
        "1: nop\nret\n.size chain,.-chain\n"
        ".globl deep_chain\n.type deep_chain,@function\ndeep_chain: sub $504,%rsp\ncall chain\n"
        "lea 1f(%rip),%rax\npush %rax\nlea link_2(%rip),%rax\npush %rax\nret\n"
        "1: add $504,%rsp\nret\n.size deep_chain,.-deep_chain\n"
        ".globl chaining\n.type chaining,@function\nchaining: lea link_1(%rip),%rax\npush %rax\n"
        "lea link_2(%rip),%rax\npush %rax\nret\n.size chaining,.-chaining\n"
        ".globl jumping\n.type jumping,@function\njumping: nop\npop %rcx\njmp *%rcx\n"
        ".size jumping,.-jumping\n"
        ".globl jumping_later\n.type jumping_later,@function\njumping_later: sub $8,%rsp\n"
        "call leaf\nadd $16,%rsp\njmp *-8(%rsp)\n.size jumping_later,.-jumping_later\n"
        ".globl by_retpoline\n.type by_retpoline,@function\nby_retpoline: sub $8,%rsp\n"
        "call retpoline\nadd $8,%rsp\nret\n.size by_retpoline,.-by_retpoline\n"
        ".type retpoline,@function\nretpoline: call 2f\n1: pause\nlfence\njmp 1b\n"
        "2: mov %rdi,(%rsp)\nret\n.size retpoline,.-retpoline\n");

SEPARATE void leaf(void)
{
    work(4);
    sink++;
}

SEPARATE void interrupted_by_chain(void)
{
    raise(SIGHUP);
    work(40);
    sink++;
}

SEPARATE void interrupted_by_jump(void)
{
    raise(SIGALRM);
    work(30);
    raise(SIGTERM);
    work(30);
    sink++;
}

SEPARATE void link(int flags)
{
    handle(SIGHUP, chaining, flags);
    handle(SIGALRM, jumping, flags);
    handle(SIGTERM, jumping_later, flags);
    for (int i = 0; i < TIMES; i++) {
        by_retpoline(leaf);
        chain();
        by_retpoline(chain);
        deep_chain();
        interrupted_by_chain();
        interrupted_by_jump();
    }
}

int main(void)
{
    sigaltstack(&(stack_t){.ss_sp = aside, .ss_size = SIZE}, NULL);
    above(0);
    above(SA_ONSTACK);
    link(0);
    link(SA_ONSTACK);
    return 0;
}
