/*
 * data-turns.c - data whose misses are known, as data.c has, where threads, fibres or parts of a
 * profile take turns. An argument names one.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <valgrind/callgrind.h>

#define APART __attribute__((noinline, noclone, noipa))

/* So large that the C library takes it anew from the system: nothing of it is in a cache. What the
 * library writes in front of a block is in another line. */
enum { LINE = 64, SIZE = 256 << 10 };

static _Alignas(LINE) volatile char table[SIZE];

APART static void touch_first(volatile char *block)
{
    for (int i = 0; i < SIZE; i += LINE)
        block[i] = 1;
}

APART static void touch_second(volatile char *block)
{
    for (int i = 0; i < SIZE; i += LINE)
        block[i] = 2;
}

APART static char *make_first(void)
{
    return aligned_alloc(LINE, SIZE);
}

APART static char *make_second(void)
{
    return aligned_alloc(LINE, SIZE);
}

/*--- threads ---*/

static void *first_thread(void *unused)
{
    touch_first(make_first());
    return unused;
}

static void *second_thread(void *unused)
{
    touch_second(make_second());
    return unused;
}

static void threads(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, first_thread, NULL);
    pthread_create(&second, NULL, second_thread, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}

/*--- fibres ---*/

static ucontext_t main_context, fibre;

/* A table in its frame, which lies in a block. */
APART static void on_fibre(void)
{
    _Alignas(LINE) volatile char local[SIZE];

    touch_first(local);
    swapcontext(&fibre, &main_context);
    touch_second(table);
}

APART static void fibres(void)
{
    char *block = make_second(), *stack = malloc(2 * SIZE);

    getcontext(&fibre);
    fibre.uc_stack.ss_sp = stack;
    fibre.uc_stack.ss_size = 2 * SIZE;
    fibre.uc_link = &main_context;
    makecontext(&fibre, on_fibre, 0);
    swapcontext(&main_context, &fibre);
    touch_second(block);
    swapcontext(&main_context, &fibre);
    free(stack);
}

/*--- parts ---*/

APART static void parts(void)
{
    char *block = make_first();

    touch_first(block);
    CALLGRIND_DUMP_STATS;
    touch_second(table);
    CALLGRIND_DUMP_STATS;
    touch_second(block);
}

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "";

    if (!strcmp(part, "threads"))
        threads();
    else if (!strcmp(part, "fibres"))
        fibres();
    else if (!strcmp(part, "parts"))
        parts();
    return 0;
}
