/*
 * targets - indirect calls whose target follows from the instructions before: within a basic block,
 * in the one before, around a loop, and further back than VEX looks.
 */
#include <stdio.h>

static volatile unsigned long calls;

__attribute__((used, noinline)) static void count(void)
{
    calls++;
}

#define TIMES_10(x) x x x x x x x x x x
#define CLOBBERED   "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc"
/* The stack stays aligned, and below the red zone. */
#define CALLING(code)                                                            \
    __asm__ volatile("mov %%rsp, %%r12; sub $256, %%rsp; and $-16, %%rsp; " code \
                     "mov %%r12, %%rsp"                                          \
                     :                                                           \
                     : "r"(n)                                                    \
                     : "rbx", "r12", "r13", CLOBBERED)

static void near_one(long n)
{
    CALLING("lea count(%%rip), %%rbx; mov %0, %%r13; call *%%rbx; ");
}

static void in_block_before(long n)
{
    CALLING("lea count(%%rip), %%rbx; test %0, %0; js 1f; nop; call *%%rbx; 1: ");
}

static void around_loop(long n)
{
    CALLING("lea count(%%rip), %%rbx; mov %0, %%r13; 1: call *%%rbx; sub $1, %%r13; jns 1b; ");
}

static void behind_loop(long n)
{
    CALLING("lea count(%%rip), %%rbx; mov %0, %%r13; 1: sub $1, %%r13; jns 1b; call *%%rbx; ");
}

static void far(long n)
{
    CALLING("mov %0, %%r13; lea count(%%rip), %%rbx; " TIMES_10(
        "add $1, %%r13; xor $5, %%r13; lea 1(%%r13), %%rcx; add %%rcx, %%r13; mov %%r13, %%rdx; "
        "add $1, %%r13; ") "call *%%rbx; ");
}

static void farther(long n)
{
    CALLING(TIMES_10("add $1, %%rcx; xor $5, %%rcx; lea 1(%%rcx), %%rdx; add %%rdx, %%rcx; nop; ") "mov %0, %%r13; lea count(%%rip), %%rbx; " TIMES_10(
        "add $1, %%r13; nop; ") "call *%%rbx; ");
}

int main(int argc, char **argv)
{
    (void)argv;
    for (long n = 0; n < 20; n++) {
        near_one(n);
        in_block_before(n & 3);
        around_loop(n + argc);
        behind_loop(n);
        far(n);
        farther(n);
    }
    printf("%lu\n", calls);
    return 0;
}
