/*
 * waiting - loops of all kinds, of x86-64, each of which a timer's signal ends. It prints their
 * names. With CPROF_ENABLE they are a section.
 */
#include "cprof-sections.h"

#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

static volatile int done;

static void on_signal(int n)
{
    (void)n;
    done = 1;
}

__attribute__((noinline, noclone, noipa)) static void nothing(void)
{
}

/* The function round jumps forwards to a stub, which leads back to it, until what rdi leads to is
 * set. */
__asm__(".section .init,\"ax\",@progbits\n\tjmp 2f\n\t.type round,@function\n"
        "round:\tcmpl $0, (%rdi)\n\tjne 1f\n\tjmp stub\n1:\tret\n\t.size round,.-round\n2:\n\t"
        ".section .plt.got,\"ax\",@progbits\nstub:\tjmp *slot(%rip)\n\t"
        ".data\n\t.balign 8\nslot:\t.quad round\n\t.text");

/* Ends where `done` is set. rdx: a function that does nothing; below rsp is room. */
#define LOOP(name, code)                                                                          \
    do {                                                                                          \
        const struct itimerval once = {{0, 0}, {0, 3000}};                                        \
        done = 0;                                                                                 \
        setitimer(ITIMER_REAL, &once, NULL);                                                      \
        __asm__ volatile("mov %%rsp, %%rbx\n\tlea -256(%%rsp), %%rsp\n\tand $-16, %%rsp\n\t" code \
                         "\n9:\tmov %%rbx, %%rsp"                                                 \
                         :                                                                        \
                         : "d"(nothing), "D"(&done)                                               \
                         : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "memory", "cc");        \
        puts(name);                                                                               \
    } while (0)
#define UNTIL_DONE "cmpl $0, (%%rdi)\n\tjne 9f\n\t"

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    signal(SIGALRM, on_signal);
    CPROF_BEGIN("loops");
    LOOP("jump back", "1:\t" UNTIL_DONE "jmp 1b");
    LOOP("branch back", "1:\tcmpl $0, (%%rdi)\n\tje 1b");
    LOOP("flags", "1:\tadc $0, %%ecx\n\t" UNTIL_DONE "stc\n\tjmp 1b");
    LOOP("flags, with a call", "1:\tadc $0, %%ecx\n\tcall *%%rdx\n\t" UNTIL_DONE "stc\n\tjmp 1b");
    LOOP("flags, with two calls",
         "1:\tadc $0, %%ecx\n\tcall *%%rdx\n\tcall *%%rdx\n\t" UNTIL_DONE "stc\n\tjmp 1b");
    LOOP("computed jump", "lea 1f(%%rip), %%rax\n1:\t" UNTIL_DONE "jmp *%%rax");
    LOOP("loop", "1:\tmov $2, %%ecx\n2:\tloop 2b\n\t" UNTIL_DONE "jmp 1b");
    LOOP("repeated instruction",
         "mov %%rdi, %%r8\n1:\tlea -128(%%rsp), %%rsi\n\tmov %%rsi, %%rdi\n\t"
         "mov $5, %%ecx\n\trep movsb\n\tmov %%r8, %%rdi\n\t" UNTIL_DONE "jmp 1b");
    LOOP("return to elsewhere", "lea 1f(%%rip), %%rax\n1:\t" UNTIL_DONE "push %%rax\n\tret");
    LOOP("returns to elsewhere, forwards and back",
         "lea 1f(%%rip), %%rax\n\tlea 2f(%%rip), %%rcx\n1:\t" UNTIL_DONE
         "push %%rcx\n\tret\n\tnop\n2:\tpush %%rax\n\tret");
    LOOP("return to elsewhere, with flags",
         "lea 1f(%%rip), %%rax\n1:\tadc $0, %%ecx\n\t" UNTIL_DONE "push %%rax\n\tstc\n\tret");
    LOOP("return that takes more off",
         "lea 1f(%%rip), %%rax\n1:\t" UNTIL_DONE "push %%rax\n\tpush %%rax\n\tret $8");
    LOOP("return behind a call",
         "lea 1f(%%rip), %%rax\n1:\tcall *%%rdx\n\t" UNTIL_DONE "push %%rax\n\tret");
    LOOP("computed calls that never return",
         "lea 1f(%%rip), %%rax\n\tlea 2f(%%rip), %%rcx\n1:\t" UNTIL_DONE
         "call *%%rcx\n\tnop\n2:\tcall *%%rax");
    LOOP("computed calls whose addresses are taken off",
         "lea 1f(%%rip), %%rax\n\tlea 2f(%%rip), %%rcx\n1:\tadd $8, %%rsp\n\t" UNTIL_DONE
         "call *%%rcx\n\tnop\n2:\tadd $8, %%rsp\n\tcall *%%rax");
    LOOP("computed jumps forwards, return back",
         "lea 1f(%%rip), %%rax\n\tlea 2f(%%rip), %%rcx\n1:\t" UNTIL_DONE
         "jmp *%%rcx\n\tnop\n2:\tpush %%rax\n\tret");
    LOOP("jumps forwards, return back",
         "lea 1f(%%rip), %%rax\n1:\t" UNTIL_DONE
         "test %%eax, %%eax\n\tjne 2f\n\tnop\n2:\tjmp 3f\n\tnop\n3:\tpush %%rax\n\tret");
    LOOP("calls, return back",
         "lea 1f(%%rip), %%rax\n1:\t" UNTIL_DONE "call 2f\n2:\tcall 3f\n\tnop\n3:\t"
         "add $16, %%rsp\n\tpush %%rax\n\tret");
    LOOP("stub", "call round");
    LOOP("stub by a register", "lea round(%%rip), %%rax\n\tcall *%%rax");
    CPROF_END("loops");
    return 0;
}
