/* cold.c - what runs only when something fails. COLD is its text. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

void fail(int code, const char *where);
void fail(int code, const char *where)
{
    assert(where);
    fprintf(stderr, "%s: %d: " COLD "\n", where, code);
    exit(1);
}
