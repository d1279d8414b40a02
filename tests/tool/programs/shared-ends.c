/*
 * shared-ends.c ROUNDS - functions that go on in one piece of code, as those do that copy memory in
 * the C library. Without symbols the piece belongs to whichever function before it is known: it
 * changes its owner while it is in use, when a later one is called for the first time.
 */
#include <stdlib.h>

long first_before(long), early(long), second_before(long), shared(long), late(long);

/* shared() is the end of all others: of three that stand before it, of one that is behind it, and
 * called itself, last. */
__asm__(".text\n"
        ".globl first_before, early, second_before, shared, late\n"
        ".p2align 4\nfirst_before: lea 1(%rdi), %rax\n"
        "test $1, %dil\njz shared\nret\n"
        ".p2align 4\nearly: lea 2(%rdi), %rax\n"
        "test $1, %dil\njnz shared\nadd $3, %rax\njmp shared\n"
        ".p2align 4\nsecond_before: lea 3(%rdi), %rax\n"
        "cmp $10, %rdi\njb shared\nadd %rdi, %rax\nret\n"
        ".p2align 4\nshared: add $7, %rax\n"
        "test $2, %dil\njz 1f\ninc %rax\n1: ret\n"
        ".p2align 4\nlate: lea 4(%rdi), %rax\ncmp $5, %rdi\njb shared\nret\n");

static long (*volatile by_pointer)(long);

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 1, sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += first_before(i);
    by_pointer = second_before;
    for (long i = 0; i < rounds; i++)
        sum += by_pointer(i) + first_before(i);
    for (long i = 0; i < rounds; i++)
        sum += early(i) + second_before(i) + late(i);
    for (long i = 0; i < rounds; i++)
        sum += shared(i) + first_before(i) + early(i) + second_before(i);
    by_pointer = shared;
    for (long i = 0; i < rounds; i++)
        sum += by_pointer(i) + late(i);
    return sum == 0;
}
