/*
 * status - stores MXCSR by each kind of address, after inexact results and with each rounding, and
 * where a handler has to give the memory first. Prints what was stored, and registers that must be
 * as they were.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { ROUNDINGS = 4, SIZE = 4096 };

static unsigned stored[16];
static volatile double third = 3;

static void set_rounding(unsigned rounding)
{
    unsigned value = 0x1f80 | rounding << 13;

    __asm__ volatile("ldmxcsr %0" : : "m"(value));
}

/* Each register that may be an address is one once. */
static void store_everywhere(void)
{
    unsigned *at = stored;
    uintptr_t two = 2;

    __asm__ volatile("stmxcsr (%0)" : : "a"(at) : "memory");
    __asm__ volatile("stmxcsr 4(%0, %1, 2)" : : "c"(at), "a"(two) : "memory");
    __asm__ volatile("stmxcsr 4(%0, %1, 4)" : : "d"(at), "c"(two) : "memory");
    __asm__ volatile("mov %0, %%r8; mov %1, %%r9; stmxcsr 8(%%r8, %%r9, 4)"
                     :
                     : "r"(at), "r"(two)
                     : "r8", "r9", "memory");
    __asm__ volatile("stmxcsr stored+16(%%rip)" : : : "memory");
    __asm__ volatile("vstmxcsr 24(%0)" : : "a"(at) : "memory");
    __asm__ volatile("mov %0, %%r12; mov %1, %%r13; vstmxcsr 24(%%r12, %%r13, 4)"
                     :
                     : "r"(at), "r"(two)
                     : "r12", "r13", "memory");
    __asm__ volatile("vstmxcsr 36(%0, %1)" : : "r"(at), "r"((uintptr_t)0) : "memory");
}

static void *missing;

static void give(int number)
{
    (void)number;
    if (mprotect(missing, SIZE, PROT_READ | PROT_WRITE) != 0)
        _Exit(1);
}

static void store_to_missing(void)
{
    uintptr_t ax = 11, cx = 12, dx = 13, flags;

    missing = mmap(NULL, SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    signal(SIGSEGV, give);
    __asm__ volatile("cmp $12, %1; stmxcsr (%4); pushf; pop %3"
                     : "+a"(ax), "+c"(cx), "+d"(dx), "=&r"(flags)
                     : "r"(missing)
                     : "memory", "cc");
    printf("%x: %d %d %d, %s\n", *(unsigned *)missing, (int)ax, (int)cx, (int)dx,
           flags & 0x40 ? "equal" : "different");
}

int main(int argc, char **argv)
{
    int times = argc > 1 ? atoi(argv[1]) : 1;
    double sum = 0;

    for (int i = 0; i < times; i++)
        for (unsigned rounding = 0; rounding < ROUNDINGS; rounding++) {
            set_rounding(rounding);
            sum += i / third;
            store_everywhere();
        }
    set_rounding(0);
    for (unsigned i = 0; i < 16; i++)
        printf("%x ", stored[i]);
    printf("%.3f\n", sum);
    store_to_missing();
    return 0;
}
