/* billions.c - loops of x86-64 with more rounds than 32 bits have numbers. */
#include <stdio.h>

#define SEPARATE __attribute__((noinline, noclone, noipa))

/* 3 instructions a round. */
SEPARATE unsigned long tight(unsigned long n)
{
    unsigned long sum = 0;

    __asm__ volatile("1: add $3, %0\n\tsub $1, %1\n\tjnz 1b" : "+r"(sum), "+r"(n));
    return sum;
}

/* 5 and 6 by turns. */
SEPARATE unsigned long branching(unsigned long n)
{
    unsigned long sum = 0;

    __asm__ volatile("1: add $3, %0\n\ttest $1, %1\n\tjz 2f\n\tadd $1, %0\n"
                     "2:\tsub $1, %1\n\tjnz 1b"
                     : "+r"(sum), "+r"(n));
    return sum;
}

int main(void)
{
    printf("%lu %lu\n", tight(5000000000), branching(4600000000));
    return 0;
}
