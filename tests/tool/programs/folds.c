/*
 * folds N - recursion of x86-64 with jumps: functions that jump to one of several others, a
 * function that jumps to a part of itself elsewhere and back, and computed calls, each of which may
 * lead back to an ancestor. Some leave by longjmp().
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define SEPARATE __attribute__((noinline, noclone, noipa))
#define JUMPS    __attribute__((noinline, noclone, noipa, optimize("O2")))

static volatile long sink;
static unsigned long state;
static jmp_buf out;

static unsigned random_below(unsigned n)
{
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(state >> 33) % n;
}

SEPARATE long term(long n);
SEPARATE long factor(long n);

JUMPS long sum(long n)
{
    sink += n;
    return random_below(2) ? term(n) : factor(n);
}

JUMPS long term(long n)
{
    sink++;
    switch (random_below(3)) {
    case 0:
        return factor(n - 1);
    case 1:
        return sum(n - 1);
    }
    return n;
}

/* Jumps to another function where that begins, from a call that led back or did not. */
JUMPS long factor(long n)
{
    long left = 0;

    if (n <= 0)
        return 1;
    if (n == 77 && !random_below(4))
        longjmp(out, 1);
    for (unsigned i = random_below(3); i > 0; i--)
        left += sum(n / 2);
    sink += left;
    return random_below(2) ? term(n - 1) : left;
}

/* The second part of parted() lies in a section of its own, and calls it again. */
long parted(long n);
long other(long n);
__asm__(
    ".text\n\t.type parted,@function\nparted:\tpushq %rbx\n\tsubq $32, %rsp\n\tmovq %rdi, %rbx\n\t"
    "testq $1, %rdi\n\tjne parted_cold\n"
    "1:\tleaq -2(%rbx), %rdi\n\ttestq %rdi, %rdi\n\tjle 2f\n\tcall other\n"
    "2:\taddq $32, %rsp\n\tpopq %rbx\n\tret\n\t.size parted,.-parted\n\t"
    ".section .text.unlikely,\"ax\",@progbits\n\t.type parted_cold,@function\n"
    "parted_cold:\tincq sink(%rip)\n\tleaq -1(%rbx), %rdi\n\tcall parted\n\tjmp 1b\n\t"
    ".size parted_cold,.-parted_cold\n\t.text");

SEPARATE long other(long n)
{
    long (*volatile to[])(long) = {parted, other, factor};

    sink += n;
    return n > 0 ? 1 + to[random_below(3)](n - 3) : 0;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20;

    for (volatile int i = 0; i < n * 50; i++) {
        state = (unsigned long)i;
        if (!setjmp(out)) {
            sum(i % 100);
            parted(i % 23);
            other(i % 17);
        }
    }
    printf("%ld\n", sink);
    return 0;
}
