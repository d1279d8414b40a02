/*
 * fibres.c - fibres made by hand, which switch by a return, or by a jump (-DBY_JUMP); their stacks
 * come from malloc, or lie in main's own frame (-DIN_FRAME).
 */
#include <stdlib.h>

static volatile long sink;
static void *main_sp, *a_sp, *b_sp;

#define SEPARATE __attribute__((noinline, noclone, noipa))

#ifdef BY_JUMP
#define GO_ON "pop %r8; jmp *%r8"
#else
#define GO_ON "ret"
#endif

__attribute__((naked, noinline)) void switch_to(void **save, void *sp)
{
    (void)save;
    (void)sp;
    __asm__("push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
            "mov %rsp, (%rdi); mov %rsi, %rsp\n"
            "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx; " GO_ON);
}

SEPARATE void burn_a(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

SEPARATE void burn_b(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

SEPARATE void inner_a(void)
{
    burn_a(100);
    switch_to(&a_sp, b_sp);
    burn_a(10);
    sink++;
}

SEPARATE void fibre_a(void)
{
    for (int i = 0; i < 10; i++)
        inner_a();
    switch_to(&a_sp, main_sp);
    abort();
}

SEPARATE void fibre_b(void)
{
    for (;;) {
        burn_b(1000);
        switch_to(&b_sp, a_sp);
    }
}

SEPARATE void resume(void)
{
    switch_to(&main_sp, a_sp);
    sink++;
}

SEPARATE void after(void)
{
    burn_a(5000);
    sink++;
}

/* What switch_to takes off a stack: six registers and an address. */
static void *prepare(char *top, void (*function)(void))
{
    void **sp = (void **)(((unsigned long)top & ~15ul) - 8);
    *--sp = (void *)function;
    return sp - 6;
}

int main(void)
{
    enum { SIZE = 65536 };
#ifdef IN_FRAME
    char stack_a[SIZE], stack_b[SIZE];
#else
    char *stack_a = malloc(SIZE), *stack_b = malloc(SIZE);
#endif
    a_sp = prepare(stack_a + SIZE, fibre_a);
    b_sp = prepare(stack_b + SIZE, fibre_b);
    resume();
    after();
    return 0;
}
