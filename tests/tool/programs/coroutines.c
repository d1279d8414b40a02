/* coroutines.c - two coroutines by swapcontext, each resumed by the other; then ordinary work.
 * Their stacks come from malloc, or from mmap (-DMAPPED), or lie in main's own frame (-DIN_FRAME).
 */
#include <stdlib.h>
#include <sys/mman.h>
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

enum { SIZE = 65536 };

static void prepare(ucontext_t *context, void (*function)(void), void *stack)
{
    getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = SIZE;
    context->uc_link = &main_context;
    makecontext(context, function, 0);
}

int main(void)
{
#ifdef IN_FRAME
    char stack_a[SIZE], stack_b[SIZE];
#elif defined MAPPED
    char *stack_a =
        mmap(NULL, 2 * SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *stack_b = stack_a + SIZE;
#else
    char *stack_a = malloc(SIZE), *stack_b = malloc(SIZE);
#endif
    prepare(&a, coroutine_a, stack_a);
    prepare(&b, coroutine_b, stack_b);
    resume();
    after();
    return 0;
}
