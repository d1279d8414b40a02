/* section-error.c - the fourth of ten entries of a section ends by longjmp. */
#include "cprof-sections.h"

#include <setjmp.h>

#define OWN __attribute__((noinline, noclone))

static jmp_buf before;

OWN static void work(int n)
{
    for (volatile int i = 0; i < n; i++)
        ;
}

OWN static void read_item(int n)
{
    CPROF_BEGIN("reading");
    work(10);
    if (n == 3)
        longjmp(before, 1);
    work(10);
    CPROF_END("reading");
}

int main(void)
{
    for (volatile int i = 0; i < 10; i++) {
        if (!setjmp(before))
            read_item(i);
        work(1000);
    }
    return 0;
}
