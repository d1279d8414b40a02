/*
 * waiting - loops of all kinds, of x86-64, each of which a timer's signal ends. It prints their
 * names.
 */
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
    return 0;
}
