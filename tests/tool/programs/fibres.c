/*
 * fibres.c - fibres made by hand, which switch by a return, or by a jump (-DBY_JUMP); their stacks
 * come from malloc, or from mmap (-DMAPPED), or lie in main's own frame (-DIN_FRAME).
 */
#include <stdlib.h>
#include <sys/mman.h>

static volatile long sink;
static void *main_sp, *a_sp, *b_sp, *c_sp;

#define SEPARATE __attribute__((noinline, noclone, noipa))

#ifdef __aarch64__
#ifdef BY_JUMP
#define GO_ON "br x30"
#else
#define GO_ON "ret"
#endif

void switch_to(void **save, void *sp);
__asm__(".globl switch_to\n.type switch_to, @function\nswitch_to:\n"
        "stp x29, x30, [sp, #-96]!; stp x19, x20, [sp, #16]; stp x21, x22, [sp, #32]\n"
        "stp x23, x24, [sp, #48]; stp x25, x26, [sp, #64]; stp x27, x28, [sp, #80]\n"
        "mov x9, sp; str x9, [x0]; mov sp, x1\n"
        "ldp x19, x20, [sp, #16]; ldp x21, x22, [sp, #32]; ldp x23, x24, [sp, #48]\n"
        "ldp x25, x26, [sp, #64]; ldp x27, x28, [sp, #80]; ldp x29, x30, [sp], #96\n" GO_ON
        "\n.size switch_to, . - switch_to\n");
#else
#ifdef BY_JUMP
#define GO_ON "pop %r8; jmp *%r8"
#else
#define GO_ON "ret"
#endif

__attribute__((naked, noinline)) void switch_to(void **save, void *sp)
{
    __asm__("push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
            "mov %rsp, (%rdi); mov %rsi, %rsp\n"
            "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx; " GO_ON);
}
#endif

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

SEPARATE void burn_c(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

/* A generator: goes back to who asked after each burn. */
SEPARATE void fibre_c(void)
{
    for (;;) {
        burn_c(100);
        switch_to(&c_sp, main_sp);
    }
}

SEPARATE void ask(int depth)
{
    if (depth)
        ask(depth - 1);
    else
        switch_to(&main_sp, c_sp);
    sink++;
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

/* The words that switch_to takes off a stack: registers and an address. */
static void *prepare(char *top, void (*function)(void))
{
#ifdef __aarch64__
    void **sp = (void **)((unsigned long)top & ~15ul) - 12;
    sp[1] = (void *)function;
    return sp;
#else
    void **sp = (void **)(((unsigned long)top & ~15ul) - 8);
    *--sp = (void *)function;
    return sp - 6;
#endif
}

#ifndef SIZE
#define SIZE 65536
#endif

#ifdef MAPPED
static char *mapped(void)
{
    return mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
#endif

int main(void)
{
#ifdef IN_FRAME
    char stack_a[SIZE], stack_b[SIZE], stack_c[SIZE];
#elif defined MAPPED
    char *stack_a = mapped(), *stack_b = mapped(), *stack_c = mapped();
#else
    char *stack_a = malloc(SIZE), *stack_b = malloc(SIZE), *stack_c = malloc(SIZE);
#endif
    a_sp = prepare(stack_a + SIZE, fibre_a);
    b_sp = prepare(stack_b + SIZE, fibre_b);
    c_sp = prepare(stack_c + SIZE, fibre_c);
    resume();
    after();
    for (int i = 0; i < 6; i++)
        ask(i);
    return 0;
}
