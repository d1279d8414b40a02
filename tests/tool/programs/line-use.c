/*
 * line-use.c - accesses of which the use of lines is known, with a D1 of 32 KiB, 8 ways and lines
 * of 64 bytes. Each part fetches lines of its own, in a function of its name. Arguments name parts,
 * one after the other.
 */
#include "cprof-sections.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#define LINE  64
#define N     4096 /* lines: eight times D1 */
#define SIDE  512
#define APART __attribute__((noinline, noclone))

static double matrix[SIDE][SIDE] __attribute__((aligned(LINE)));
static char bytes[N * 2 * LINE] __attribute__((aligned(LINE)));

typedef struct {
    long hot;
    char cold[56];
} Item;

#define LOAD(type, address) ((void)*(volatile type *)(address))

/* SIDE * SIDE / 8 lines, 64 bytes of each. */
APART static void by_rows(void)
{
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++)
            LOAD(double, &matrix[i][k]);
}

/* SIDE * SIDE lines, 8 bytes of each. */
APART static void by_columns(void)
{
    for (int k = 0; k < SIDE; k++)
        for (int i = 0; i < SIDE; i++)
            LOAD(double, &matrix[i][k]);
}

/* N lines, 8 bytes of each. */
APART static void one_field(void)
{
    const Item *items = (const Item *)bytes;

    for (int i = 0; i < N; i++)
        LOAD(long, &items[i].hot);
}

/* N accesses that miss fetch two lines each, and have 4 bytes of each. */
APART static void straddling(void)
{
    for (int i = 0; i < N; i++)
        LOAD(long, bytes + i * 2 * LINE + LINE - 4);
}

/* N lines, of which `second` uses 4 bytes more. */
APART static void first(const char *line)
{
    LOAD(char, line);
}

/* N lines, behind those, 4 bytes of each. */
APART static void second(const char *line)
{
    LOAD(long, line + LINE - 4);
}

APART static void two(void)
{
    for (int i = 0; i < N; i++) {
        first(bytes + i * 2 * LINE);
        second(bytes + i * 2 * LINE);
    }
}

/* N lines, a byte of each, until it is evicted, and again. */
APART static void twice(void)
{
    for (int times = 0; times < 2; times++)
        for (int i = 0; i < N; i++)
            LOAD(char, bytes + i * LINE + times);
}

/* Numbers of 10 bytes and of 32, at all distances. */
APART static void wide(void)
{
    for (int i = 0; i < N; i++) {
        volatile long double *number = (volatile long double *)(bytes + i * 22);
        *number += 1;
    }
    memmove(bytes + 1, bytes + 40000, 30001);
    memset(bytes + 77, 1, 9999);
}

#ifdef __x86_64__
/* Accesses under a mask, which are made one by one. */
__attribute__((target("avx"))) APART static void masked(void)
{
    for (int i = 0; i < N; i++) {
        float *at = (float *)(bytes + i * 52);
        int mask[8] = {-(i & 1), -(i & 2), -1, -(i & 4), 0, 0, -(i & 8), -(i & 16)};
        __asm__ volatile("vmovdqu %1, %%ymm0\n\t"
                         "vmaskmovps %0, %%ymm0, %%ymm1\n\t"
                         "vmaskmovps %%ymm1, %%ymm0, %0"
                         : "+m"(*(float(*)[8])at)
                         : "m"(mask)
                         : "xmm0", "xmm1");
    }
}
#endif

/* Lines in D1 where a part ends: they are counted then, and not once more. */
APART static void before(void)
{
    for (int i = 0; i < 100; i++)
        bytes[i * LINE] = 1;
}

APART static void after(void)
{
    for (int i = 0; i < 100; i++)
        bytes[i * LINE + 1] = 1;
}

static void parts(void)
{
    before();
    CALLGRIND_DUMP_STATS;
    after();
}

/* Lines leave D1 where the section begins, if that empties it. */
static void section(void)
{
    before();
    CPROF_BEGIN("after");
    after();
    CPROF_END("after");
}

/* A child's counts begin anew, and lines in D1 are nobody's there. */
static void forked(void)
{
    before();
    if (!fork()) {
        after();
        _exit(0);
    }
    wait(NULL);
}

/* Nobody fetches while collecting is off, but others go on using lines. */
static void switched(void)
{
    before();
    CALLGRIND_TOGGLE_COLLECT;
    after();
    for (int i = 200; i < 300; i++)
        bytes[i * LINE] = 1;
    CALLGRIND_TOGGLE_COLLECT;
    for (int i = 200; i < 300; i++)
        bytes[i * LINE + 1] = 1;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"rows", by_rows},  {"columns", by_columns},    {"field", one_field},
                 {"two", two},       {"straddling", straddling}, {"twice", twice},
                 {"wide", wide},     {"parts", parts},           {"section", section},
                 {"forked", forked}, {"switched", switched}};

    for (int k = 1; k < argc; k++) {
        for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
            if (!strcmp(argv[k], cases[i].name))
                cases[i].run();
#ifdef __x86_64__
        if (!strcmp(argv[k], "masked") && __builtin_cpu_supports("avx"))
            masked();
#endif
    }
    return 0;
}
