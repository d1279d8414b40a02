/* longjmps.c - five times out of a recursion six deep, to its caller, who goes on. */
#include <setjmp.h>

static jmp_buf jump;
static volatile long sink;

#define SEPARATE __attribute__((noinline, noclone, noipa))

SEPARATE void burn(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

SEPARATE void deep(int depth)
{
    burn(10);
    if (depth == 0)
        longjmp(jump, 1);
    deep(depth - 1);
    burn(1);
}

SEPARATE void handle(void)
{
    burn(1000);
    sink++;
}

SEPARATE int drive(void)
{
    for (volatile int i = 0; i < 5; i++)
        if (!setjmp(jump))
            deep(5);
        else
            handle();
    return 0;
}

SEPARATE void after(void)
{
    burn(7);
    sink++;
}

int main(void)
{
    drive();
    after();
    return 0;
}
