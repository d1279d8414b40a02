/*
 * clears - clears memory by rep stos within a section that begins three times, and outside of it.
 */
#include "cprof-sections.h"

#include <stdio.h>

static char memory[4096];

static __attribute__((noinline)) void clear(unsigned long n)
{
    char *at = memory;
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(1) : "memory");
}

int main(void)
{
    clear(100);
    for (unsigned long n = 6; n < 9; n++) {
        CPROF_BEGIN("clears");
        clear(n);
        CPROF_END("clears");
        clear(1000);
    }
    printf("%d\n", memory[5]);
    return 0;
}
