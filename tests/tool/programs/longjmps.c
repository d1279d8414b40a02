/*
 * longjmps.c - five times out of a recursion six deep, to its caller, who goes on; and three times
 * out of a function that was jumped to.
 */
#include <setjmp.h>

static jmp_buf jump;
static void *short_jump[5]; /* for the compiler's own longjmp, which calls nothing */
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

SEPARATE void leave(long n)
{
    burn(n);
    __builtin_longjmp(short_jump, 1);
}

/* Ends in a jump to leave. */
SEPARATE void give_up(long n)
{
    sink++;
    leave(n + 1);
}

SEPARATE void handle_late(void)
{
    burn(2000);
    sink++;
}

SEPARATE int drive_jumps(void)
{
    for (volatile int i = 0; i < 3; i++)
        if (!__builtin_setjmp(short_jump))
            give_up(2);
        else
            handle_late();
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
    drive_jumps();
    after();
    return 0;
}
