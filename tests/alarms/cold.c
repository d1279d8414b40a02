/* cold.c - a failure that does not happen, with its text COLD, and a count up to MORE. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

void fail(int code, const char *where);
void count(void);

void count(void)
{
    for (volatile int i = 0; i < MORE; i++)
        ;
}

void fail(int code, const char *where)
{
    assert(where);
    fprintf(stderr, "%s: %d: " COLD "\n", where, code);
    exit(1);
}
