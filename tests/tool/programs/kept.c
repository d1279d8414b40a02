/*
 * kept DEPTH - registers that calls within recursion keep: vectors of 256 bits, general registers,
 * flags, and the direction flag. Prints what is not kept.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* dive() calls middle(), which calls dive() again, or jumps to last(), which does: all of them are
 * hidden by turns. The innermost one sets the flags that the others return. */
__asm__(".text\n"
        ".globl dive\n"
        "dive:\n"
        "    test %edi, %edi\n"
        "    jz 1f\n"
        "    lea -1(%rdi), %edi\n"
        "    test $1, %edi\n"
        "    jz 2f\n"
        "    call middle\n"
        "    ret\n"
        "2:  call *indirect(%rip)\n"
        "    ret\n"
        "1:  mov $0x80000000, %eax\n"
        "    add %eax, %eax\n"
        "    ret\n"
        ".globl middle\n"
        "middle:\n"
        "    test $2, %edi\n"
        "    jz last\n"
        "    call dive\n"
        "    ret\n"
        ".globl last\n"
        "last:\n"
        "    call dive\n"
        "    ret\n"
        ".data\n"
        "indirect: .quad middle\n"
        ".text\n");

struct registers {
    unsigned char vectors[16][32];
    unsigned long general[12]; /* rcx, rdx, rbx, rsi, r8 to r15 */
    unsigned char carry, overflow, zero;
};

#define EACH_VECTOR(DO) \
    DO(0)               \
    DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
#define LOAD(n)  "vmovdqu " #n "*32(%%rax), %%ymm" #n "\n"
#define STORE(n) "vmovdqu %%ymm" #n ", " #n "*32(%%rax)\n"

/* Calls dive(depth) with the registers, and stores what it leaves. `order`: std or cld. */
#define CALL(order)                                                                               \
    __asm__ volatile(EACH_VECTOR(LOAD) "push %%rbp\n"                                             \
                                       "push %%rax\n"                                             \
                                       "mov 512(%%rax), %%rcx\n"                                  \
                                       "mov 520(%%rax), %%rdx\n"                                  \
                                       "mov 528(%%rax), %%rbx\n"                                  \
                                       "mov 536(%%rax), %%rsi\n"                                  \
                                       "mov 544(%%rax), %%r8\n"                                   \
                                       "mov 552(%%rax), %%r9\n"                                   \
                                       "mov 560(%%rax), %%r10\n"                                  \
                                       "mov 568(%%rax), %%r11\n"                                  \
                                       "mov 576(%%rax), %%r12\n"                                  \
                                       "mov 584(%%rax), %%r13\n"                                  \
                                       "mov 592(%%rax), %%r14\n"                                  \
                                       "mov 600(%%rax), %%r15\n" order "\n"                       \
                                       "call dive\n"                                              \
                                       "mov (%%rsp), %%rax\n"                                     \
                                       "setc 608(%%rax)\n"                                        \
                                       "seto 609(%%rax)\n"                                        \
                                       "setz 610(%%rax)\n"                                        \
                                       "mov %%rcx, 512(%%rax)\n"                                  \
                                       "mov %%rdx, 520(%%rax)\n"                                  \
                                       "mov %%rbx, 528(%%rax)\n"                                  \
                                       "mov %%rsi, 536(%%rax)\n"                                  \
                                       "mov %%r8, 544(%%rax)\n"                                   \
                                       "mov %%r9, 552(%%rax)\n"                                   \
                                       "mov %%r10, 560(%%rax)\n"                                  \
                                       "mov %%r11, 568(%%rax)\n"                                  \
                                       "mov %%r12, 576(%%rax)\n"                                  \
                                       "mov %%r13, 584(%%rax)\n"                                  \
                                       "mov %%r14, 592(%%rax)\n"                                  \
                                       "mov %%r15, 600(%%rax)\n"                                  \
                                       "pop %%rax\n"                                              \
                                       "pop %%rbp\n" EACH_VECTOR(STORE) "pushf\n"                 \
                                                                        "pop %%rdi\n"             \
                                                                        "cld\n"                   \
                     : "+D"(flags)                                                                \
                     : "a"(&r)                                                                    \
                     : "rcx", "rdx", "rbx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", \
                       "r15", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",     \
                       "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",        \
                       "xmm14", "xmm15")

static struct registers r, before;

static void check(const char *what, unsigned long flags, unsigned long direction)
{
    printf("%s: vectors %d, registers %d, carry %d, overflow %d, zero %d, direction %d\n", what,
           memcmp(r.vectors, before.vectors, sizeof r.vectors),
           memcmp(r.general, before.general, sizeof r.general), r.carry, r.overflow, r.zero,
           (flags & 0x400) == direction);
}

int main(int argc, char **argv)
{
    int depth = argc > 1 ? atoi(argv[1]) : 1;

    for (unsigned i = 0; i < sizeof r; i++)
        ((unsigned char *)&r)[i] = (unsigned char)(i * 37 + 1);
    before = r;
    for (int i = 0; i < 20; i++) {
        unsigned long flags = (unsigned long)(depth + i);
        if (i % 2)
            CALL("std");
        else
            CALL("cld");
        check(i % 2 ? "backward" : "forward", flags, i % 2 ? 0x400 : 0);
    }
    return 0;
}
