/*
 * chains.c - statically linked: libc's own chains of conditions (_IO_setb is one) beside ours.
 * Valgrind's recovery of "a && b" makes stock cachegrind count instructions that do not execute.
 */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) int own_chain(int a, int b, int c)
{
    return (a > 3 && b > 5 && (c & 7) != 0) || (a == 0 && c != b);
}

__attribute__((noinline)) int own_loop(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += own_chain(i % 5, i % 9, i);
    return sum;
}

int main(void)
{
    char buffers[8][64];
    int sum = 0;
    for (int i = 0; i < 40; i++) {
        FILE *file = fopen("/dev/null", i & 1 ? "w" : "r");
        if (!file)
            return 1;
        setvbuf(file, buffers[i & 7], _IOFBF, sizeof buffers[0]);
        fputs("some text that is longer than a buffer of sixty-four bytes, so that it is written\n",
              file);
        fclose(file);
        sum += own_loop(i);
    }
    return sum < 0;
}
