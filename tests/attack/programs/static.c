/* static.c - a program for a C library that is linked into it: sorting, text, allocation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    enum { N = 5000 };
    int *values = malloc(N * sizeof *values);
    char text[100];

    for (int i = 0; i < N; i++)
        values[i] = i * 7919 % 5003;
    qsort(values, N, sizeof *values, compare);
    snprintf(text, sizeof text, "%d %s %f", values[3], "text", 3.5);
    puts(text);
    free(values);
    return strlen(text) == 0;
}
