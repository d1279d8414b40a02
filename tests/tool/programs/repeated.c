/*
 * repeated - repeated string instructions whose numbers of repetitions are constants, sums of
 * constants, or not known; within lines, over many of them, forwards and backwards, and where
 * source and target are in one set of a cache.
 */
#include <stdio.h>
#include <stdlib.h>

static char from[1 << 16], to[1 << 16];

static void copy(void *target, const void *source, unsigned long n)
{
    __asm__ volatile("rep movsb" : "+D"(target), "+S"(source), "+c"(n) : : "memory");
}

static void fill(void *target, unsigned long n)
{
    __asm__ volatile("rep stosq" : "+D"(target), "+c"(n) : "a"(7ul) : "memory");
}

/* Backwards, in a basic block that does not set the direction. */
static void copy_backwards(char *target, const char *source, unsigned long n, int by_8)
{
    __asm__ volatile("std; test %3, %3; je 1f; rep movsq; jmp 2f; 1: rep movsb; 2: test %3, %3; "
                     "je 3f; nop; 3: cld"
                     : "+D"(target), "+S"(source), "+c"(n)
                     : "r"(by_8)
                     : "memory", "cc");
}

int main(int argc, char **argv)
{
    unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 5;

    for (int k = 0; k < 3; k++) {
        copy(to + k, from + 3 * k, 30000);
        fill(to + 1, 1000);
        copy(to, to + 4096 * 3, 1000);
        copy(to + k, from, n);
        fill(to, n & 1);
        copy_backwards(to + 40000, from + 40000 - k, 30000, 0);
        copy_backwards(to + 40003, from + 40000 + 4096 - k, 3000, 1);
        copy_backwards(to + 4000, from + 4000, n, k & 1);
        __asm__ volatile("mov $24, %%ecx; add $16, %%ecx; shr $3, %%ecx; mov %0, %%rdi; rep stosq"
                         :
                         : "r"(to), "a"(1ul)
                         : "rcx", "rdi", "memory", "cc");
    }
    printf("%d\n", to[17]);
    return 0;
}
