/*
 * own-malloc.c - a program with a malloc() of its own, for heap.test. Within it, a signal's handler
 * allocates, malloc() is left by longjmp(), and one function of the family calls another.
 * je_calloc() is chosen when the program starts (STT_GNU_IFUNC).
 */
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone, noipa))

static _Alignas(16) char arena[1 << 20];
static size_t used;
static jmp_buf out;
static volatile int in_handler;

APART static void *bump(size_t n)
{
    void *block = arena + used;

    used += (n + 15) & ~(size_t)15;
    return block;
}

/* With 111 bytes it is interrupted, with 222 it is left. */
APART void *malloc(size_t n)
{
    if (n == 111)
        raise(SIGUSR1);
    if (n == 222)
        longjmp(out, 1);
    return bump(n);
}

APART void free(void *block)
{
    (void)block;
}

/* realloc() goes through malloc() and free(), which do not count apart. */
APART void *realloc(void *block, size_t n)
{
    void *new = malloc(n);

    if (block)
        memcpy(new, block, 8);
    free(block);
    return new;
}

static void *calloc_chosen(size_t n, size_t size)
{
    return memset(malloc(n * size), 0, n * size);
}

static void *(*choose(void))(size_t, size_t)
{
    return calloc_chosen;
}

void *je_calloc(size_t n, size_t size) __attribute__((ifunc("choose")));

APART void handler(int signal)
{
    (void)signal;
    in_handler = 1;
    free(malloc(33));
    in_handler = 0;
}

/* malloc: 111, and within it 33; 222 is lost; realloc: 50, and again; je_calloc: 6 * 7; all but the
 * last are freed. */
APART void work(void)
{
    void *volatile block = malloc(111);

    free(block);
    if (!setjmp(out))
        block = malloc(222);
    block = realloc(NULL, 50);
    block = realloc(block, 60);
    free(block);
    block = je_calloc(6, 7);
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler};

    sigaction(SIGUSR1, &action, NULL);
    work();
    return 0;
}
