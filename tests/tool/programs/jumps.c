/* jumps.c - control that leaves its frames: signal handlers, siglongjmp out of them, longjmp
 * through a recursion, other stacks. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

static jmp_buf jump;
static sigjmp_buf signal_jump;
static ucontext_t main_context, fibre;
static char stack[65536];
static volatile long sink;
static void (*volatile nowhere)(void); /* NULL: calling it is a fault */

__attribute__((noinline)) static void burn(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

static void on_signal(int number)
{
    burn(number);
}

static void on_fault(int number)
{
    burn(number);
    siglongjmp(signal_jump, 1);
}

__attribute__((noinline)) static void dig(int depth)
{
    volatile char frame[32] = {0};
    burn(depth);
    if (depth > 0)
        dig(depth - 1);
    else if (depth == 0)
        longjmp(jump, 1);
    frame[0]++;
}

static void resumed(void)
{
    for (;;) {
        burn(50);
        swapcontext(&fibre, &main_context);
    }
}

int main(void)
{
    signal(SIGUSR1, on_signal);
    signal(SIGSEGV, on_fault);
    for (int i = 0; i < 5; i++) {
        raise(SIGUSR1);
        if (!sigsetjmp(signal_jump, 1))
            nowhere();
        if (!setjmp(jump))
            dig(10 + i);
    }
    getcontext(&fibre);
    fibre.uc_stack.ss_sp = stack;
    fibre.uc_stack.ss_size = sizeof stack;
    makecontext(&fibre, resumed, 0);
    for (int i = 0; i < 5; i++) {
        swapcontext(&main_context, &fibre);
        burn(20);
    }
    printf("%ld\n", sink);
    return 0;
}
