/* Calls whose arguments are known: arguments.test has the numbers. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone))

static void *volatile sink;
static volatile long sum;

NOINLINE void six(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
    sum += (long)(a + b + c + d + e + f);
}

/* The first instruction is where the loop goes back to, which is no call. */
__asm__(".globl turns\n.type turns, @function\nturns:\n"
#ifdef __aarch64__
        "subs x0, x0, #1\nb.ne turns\nret\n"
#else
        "dec %rdi\njnz turns\nret\n"
#endif
        ".size turns, .-turns\n");
void turns(uint64_t n);

NOINLINE void dive(uint64_t depth)
{
    if (depth)
        dive(depth - 1);
    sum += 1;
}

NOINLINE void low(uint64_t n)
{
    sum += (long)n;
}

/* Jumps to low(): a tail call is a call. */
__asm__(".globl jumper\n.type jumper, @function\njumper:\n"
#ifdef __aarch64__
        "add x0, x0, #100\nb low\n"
#else
        "add $100, %rdi\njmp low\n"
#endif
        ".size jumper, .-jumper\n");
void jumper(uint64_t n);

NOINLINE void first(void)
{
    for (uint64_t i = 0; i < 10; i++)
        low(i % 3);
}

NOINLINE void second(void)
{
    low(1);
    low(UINT64_MAX);
}

NOINLINE void many(void)
{
    for (uint64_t i = 0; i < 5000; i++)
        low(i);
    low(0);
}

static void *thread(void *n)
{
    for (uint64_t i = 0; i < (uint64_t)n; i++)
        low(77);
    return NULL;
}

static void run_threads(void)
{
    pthread_t threads[3];

    for (uint64_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

static char from[100], to[100];

int main(int argc, char **argv)
{
    void (*volatile pointer)(uint64_t) = low;
    volatile size_t size = 73;

    if (argc > 1 && !strcmp(argv[1], "many")) {
        many();
        return 0;
    }
    if (argc > 1) {
        run_threads();
        return 0;
    }
    six(11, 12, 13, 14, 15, 16);
    turns(9);
    dive(4);
    first();
    second();
    jumper(5);
    pointer(1000);
    for (int i = 0; i < 3; i++)
        sink = malloc(1000 + (size_t)i);
    for (int i = 0; i < 4; i++)
        memcpy(to, from, size + (size_t)(i % 2));
    sink = to;
    return 0;
}
