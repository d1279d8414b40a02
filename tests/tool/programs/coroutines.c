/* coroutines.c - two coroutines by swapcontext, each resumed by the other; then ordinary work. */
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t main_context, a, b;
static volatile long sink;

#define SEPARATE __attribute__((noinline, noclone, noipa))

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
    swapcontext(&a, &b);
    burn_a(10);
}

SEPARATE void coroutine_a(void)
{
    for (volatile int i = 0; i < 10; i++)
        inner_a();
    swapcontext(&a, &main_context);
}

SEPARATE void coroutine_b(void)
{
    for (volatile int i = 0; i < 10; i++) {
        burn_b(1000);
        swapcontext(&b, &a);
    }
}

SEPARATE void after(void)
{
    burn_a(5000);
    sink++;
}

SEPARATE void resume(void)
{
    swapcontext(&main_context, &a);
    sink++;
}

static void prepare(ucontext_t *context, void (*function)(void))
{
    getcontext(context);
    context->uc_stack.ss_sp = malloc(65536);
    context->uc_stack.ss_size = 65536;
    context->uc_link = &main_context;
    makecontext(context, function, 0);
}

int main(void)
{
    prepare(&a, coroutine_a);
    prepare(&b, coroutine_b);
    resume();
    after();
    return 0;
}
