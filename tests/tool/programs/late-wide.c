/*
 * late-wide.c - the first instruction of AVX-512 comes while calls, tail calls, recursion, computed
 * calls, a callback of a library and a signal's handler are on the stack. The registers that it
 * uses are kept across all of them. Prints what the program prints natively.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define OWN __attribute__((noinline))

typedef int Function(int depth);

static uint64_t kept[4];
static int is_late;

/* xmm16 to xmm19 */
OWN static void set(void)
{
    __asm__ volatile("vmovq %0, %%xmm16\n\tvmovq %1, %%xmm17\n\tvmovq %2, %%xmm18\n\t"
                     "vmovq %3, %%xmm19" ::"r"(11ul),
                     "r"(22ul), "r"(33ul), "r"(44ul));
}

OWN static void get(void)
{
    __asm__ volatile("vmovq %%xmm16, %0\n\tvmovq %%xmm17, %1\n\tvmovq %%xmm18, %2\n\t"
                     "vmovq %%xmm19, %3"
                     : "=r"(kept[0]), "=r"(kept[1]), "=r"(kept[2]), "=r"(kept[3]));
}

OWN static int leaf(int n)
{
    return n * 3 + 1;
}

OWN static int odd(int depth);
OWN static int even(int depth);

OWN static int jumped_to(int depth)
{
    if (!depth && is_late)
        raise(SIGUSR1);
    return depth ? odd(depth - 1) + leaf(depth) : leaf(1);
}

OWN static int jumps(int depth)
{
    leaf(depth);
    return jumped_to(depth);
}

static Function *volatile functions[] = {even, jumps};

OWN static int odd(int depth)
{
    return functions[depth % 2](depth / 2) + leaf(depth);
}

OWN static int even(int depth)
{
    return depth ? odd(depth - 1) + even(depth / 2) : jumps(0) + leaf(2);
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    is_late = 1;
    leaf(even(7));
    return (x > y) - (x < y);
}

static void handler(int n)
{
    static int calls;

    if (!calls++)
        set();
    leaf(n);
}

int main(void)
{
    int numbers[] = {3, 5, 6, 1}, sum = 0;

    signal(SIGUSR1, handler);
    for (int i = 0; i < 300; i++)
        sum += leaf(i) + functions[i % 2](i % 8);
    qsort(numbers, 4, sizeof *numbers, compare);
    set();
    for (int i = 0; i < 300; i++)
        sum += leaf(i) + even(i % 8);
    get();
    printf("%d %d %d %d %d\n", sum, (int)kept[0], (int)kept[1], (int)kept[2], (int)kept[3]);
    return 0;
}
