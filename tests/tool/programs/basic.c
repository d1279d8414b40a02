/* basic.c - what ordinary C does: calls of every kind, recursion, a library's callback, formatted
 * output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int square(int x)
{
    return x * x;
}

static int negate(int x)
{
    return -x;
}

__attribute__((noinline)) static int apply(int (*function)(int), int x)
{
    return function(x) + 1;
}

/* Ends in a tail call at -O2. */
__attribute__((noinline)) static int relay(int x)
{
    return apply(x & 1 ? square : negate, x);
}

__attribute__((noinline)) static long fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

/* Chains of conditions, which Valgrind may evaluate ahead of the program where it follows branches.
 */
__attribute__((noinline)) static int classify(int a, int b, int c)
{
    if (a > 3 && b > 5 && (c & 7) != 0)
        return 1;
    if (a == 0 || b == 2 || c == 4)
        return 2;
    return a && b && c;
}

int main(int argc, char **argv)
{
    enum { COUNT = 3000 };
    int *numbers = malloc(COUNT * sizeof *numbers), classes = 0;
    char text[64] = "";
    long sum = 0;
    for (int i = 0; i < COUNT; i++) {
        numbers[i] = (i * 7919 + argc) % 5003;
        classes += classify(numbers[i] % 7, i % 11, i);
        sum += relay(i);
    }
    qsort(numbers, COUNT, sizeof *numbers, compare);
    for (int i = 0; i < 100; i++) {
        snprintf(text, sizeof text, "%d %.3f %s", numbers[i], numbers[i] / 7.0, "text");
        sum += (long)strlen(text) + (strchr(text, '7') != NULL);
    }
    printf("%ld %d %ld %s\n", sum, classes, fibonacci(15), argv[0] ? "named" : "nameless");
    free(numbers);
    return 0;
}
