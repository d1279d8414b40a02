/*
 * heap.c CASE... - allocations of known number, size and end, for heap.test. Cases are functions of
 * the same name, one after the other; all else that allocates is what their comments say.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/callgrind.h>
#include <valgrind/valgrind.h>

#define CPROF_ENABLE
#include "../../../rust/c/cprof-sections.h"

#define APART __attribute__((noinline, noclone, noipa))

static void *kept[1000];

/*--- plain ---*/

/* A tail call. */
APART void *jumper(size_t n)
{
    return malloc(n);
}

/* 100 blocks of 64 bytes, which do not lie in between each other's lives. */
APART void hundred(void)
{
    for (int i = 0; i < 100; i++)
        kept[i] = jumper(64);
    for (int i = 0; i < 100; i++)
        free(kept[i]);
}

/* 1 block and 10 reallocations, 1000 to 10000 and then 500 bytes: 55500 in all. */
APART void growing(void)
{
    char *p = NULL;

    for (size_t i = 1; i <= 10; i++)
        p = realloc(p, i * 1000);
    p = realloc(p, 500);
    free(p);
}

/* 10 temporary blocks of 32 bytes. */
APART void temporary(void)
{
    for (int i = 0; i < 10; i++) {
        kept[0] = malloc(32);
        free(kept[0]);
    }
}

/* calloc of 25 * 4, which is never freed; 300, 128, 200 and 5000 bytes with alignment, of which the
 * last are never freed; 0 bytes; a call by a pointer; one that fails; free of nothing. */
APART void forms(void)
{
    void *(*volatile pointer)(size_t) = malloc;
    volatile size_t huge = (size_t)1 << 62;

    kept[0] = calloc(25, 4);
    if (posix_memalign(&kept[1], 256, 300))
        abort();
    kept[2] = aligned_alloc(64, 128);
    kept[3] = reallocarray(NULL, 50, 4);
    kept[4] = memalign(4096, 5000);
    kept[5] = malloc(0);
    kept[6] = pointer(77);
    kept[7] = malloc(huge);
    free(kept[1]);
    free(kept[2]);
    free(kept[3]);
    free(kept[5]);
    free(kept[6]);
    free(kept[7]);
}

/* realloc to 0 bytes frees. */
APART void nothing(void)
{
    kept[0] = malloc(10);
    kept[0] = realloc(kept[0], 0);
}

static void plain(void)
{
    hundred();
    growing();
    temporary();
    forms();
    nothing();
}

/*--- peak ---*/

/* 3 blocks of 1000 bytes live at the peak, with 5000 of another path; 2000 of a third came later,
 * and 700 of a fourth were gone. */
APART void at_peak(void)
{
    for (int i = 0; i < 3; i++)
        kept[i] = malloc(1000);
}

APART void gone(void)
{
    kept[9] = malloc(700);
    free(kept[9]);
}

APART void top(void)
{
    kept[3] = malloc(5000);
}

APART void later(void)
{
    kept[4] = malloc(2000);
}

static void peak(void)
{
    gone();
    at_peak();
    top();
    free(kept[3]);
    free(kept[0]);
    later();
    free(kept[4]);
}

/*--- recursion ---*/

APART void even(int n);

/* 5 blocks of 10 bytes in odd(), 5 of 100 in even(), at each level one: both have all that are on
 * their stack. */
APART void odd(int n)
{
    kept[n] = malloc(10);
    if (n > 1)
        even(n - 1);
    __asm__ volatile("");
}

APART void even(int n)
{
    kept[n] = malloc(100);
    if (n > 1)
        odd(n - 1);
    __asm__ volatile("");
}

static void recursion(void)
{
    even(10);
    for (int i = 1; i <= 10; i++)
        free(kept[i]);
}

/*--- threads ---*/

APART void *gives(void *unused)
{
    for (int i = 0; i < 20; i++)
        kept[i] = malloc(50);
    return unused;
}

APART void takes(void)
{
    for (int i = 0; i < 20; i++)
        free(kept[i]);
}

/* 20 blocks of one thread, which another one frees; pthread_create() has a calloc() of its own. */
static void threads(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, gives, NULL) || pthread_join(thread, NULL))
        abort();
    takes();
}

/*--- forked ---*/

/* 2 blocks of 300 bytes. A child frees one and allocates 40 bytes, or makes one larger. */
APART void inherited(void)
{
    kept[0] = malloc(300);
    kept[1] = malloc(300);
}

APART void child(void)
{
    free(kept[0]);
    kept[2] = malloc(40);
}

APART void mover(void)
{
    kept[1] = realloc(kept[1], 500);
}

static void in_child(void (*work)(void))
{
    int status;

    inherited();
    if (!fork()) {
        work();
        _exit(0);
    }
    wait(&status);
}

static void forked(void)
{
    in_child(child);
}

static void moved(void)
{
    in_child(mover);
}

/*--- parts ---*/

/* 4 blocks of 16 bytes in the first part, 3 of 32 in the second, in which 2 of the first are freed.
 */
APART void first_part(void)
{
    for (int i = 0; i < 4; i++)
        kept[i] = malloc(16);
}

APART void second_part(void)
{
    for (int i = 4; i < 7; i++)
        kept[i] = malloc(32);
    free(kept[0]);
    free(kept[1]);
}

static void parts(void)
{
    first_part();
    CALLGRIND_DUMP_STATS;
    second_part();
}

/*--- switched ---*/

/* 6 blocks of 100 bytes, of which 4 come while collecting is on; 2 of these are freed then. */
APART void one_block(int i)
{
    kept[i] = malloc(100);
}

static void switched(void)
{
    one_block(0);
    CALLGRIND_TOGGLE_COLLECT;
    one_block(1);
    free(kept[0]);
    CALLGRIND_TOGGLE_COLLECT;
    one_block(2);
    one_block(3);
    one_block(4);
    free(kept[1]);
    free(kept[2]);
    CALLGRIND_TOGGLE_COLLECT;
    one_block(5);
    CALLGRIND_TOGGLE_COLLECT;
    free(kept[3]);
}

/*--- pools ---*/

/* A chunk of 4096 bytes, whose blocks are told by requests: 10 of 24 bytes, of which 4 are freed,
 * one gets 48 and, at last, 5 go with the pool. */
APART void told(void)
{
    char *chunk = malloc(4096);

    VALGRIND_CREATE_MEMPOOL(chunk, 0, 0);
    for (int i = 0; i < 10; i++)
        VALGRIND_MEMPOOL_ALLOC(chunk, chunk + 48 * i, 24);
    for (int i = 0; i < 4; i++)
        VALGRIND_MEMPOOL_FREE(chunk, chunk + 48 * i);
    VALGRIND_MEMPOOL_CHANGE(chunk, chunk + 192, chunk + 192, 48);
    VALGRIND_MEMPOOL_FREE(chunk, chunk + 192);
    VALGRIND_DESTROY_MEMPOOL(chunk);
    VALGRIND_MALLOCLIKE_BLOCK(chunk + 1000, 60, 0, 0);
    VALGRIND_RESIZEINPLACE_BLOCK(chunk + 1000, 60, 80, 0);
    VALGRIND_FREELIKE_BLOCK(chunk + 1000, 0);
    free(chunk);
}

static char arena[65536];
static size_t arena_used;

/* Functions that the command line names: get takes the size second, put the block first. */
APART void *pool_get(const char *pool, size_t n)
{
    void *block = arena + arena_used;

    (void)pool;
    arena_used += (n + 15) & ~(size_t)15;
    return block;
}

APART void *pool_resize(size_t n, void *old)
{
    void *block = pool_get("", n);

    memcpy(block, old, 8);
    return block;
}

APART void pool_put(void *block)
{
    memset(block, 0, 1);
}

/* 8 blocks of 20 bytes, of which one becomes 50 and then all but 2 are put back. */
APART void named(void)
{
    for (int i = 0; i < 8; i++)
        kept[i] = pool_get("pool", 20);
    kept[0] = pool_resize(50, kept[0]);
    for (int i = 0; i < 6; i++)
        pool_put(kept[i]);
}

static void pools(void)
{
    told();
    named();
}

/*--- system ---*/

/* mmap of 8 pages, which mremap makes 16; munmap of all. */
APART void mapped(void)
{
    char *p = mmap(NULL, 8 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED || (p = mremap(p, 8 * 4096, 16 * 4096, MREMAP_MAYMOVE)) == MAP_FAILED)
        abort();
    munmap(p, 16 * 4096);
}

static void system_memory(void)
{
    mapped();
}

/*--- sections ---*/

/* 50, 40 and 30 bytes, one within the other; or what n leaves of that. */
APART void nested(int n)
{
    void *block = malloc((size_t)n);

    if (n > 30)
        nested(n - 10);
    free(block);
}

APART void in_section(void)
{
    CPROF_BEGIN("inner");
    nested(50);
    CPROF_END("inner");
}

/* 20 bytes before any section; 120 in "inner"; 7 and 120 in "outer", of which these in "inner",
 * too. */
static void sections(void)
{
    nested(20);
    in_section();
    CPROF_BEGIN("outer");
    kept[0] = malloc(7);
    free(kept[0]);
    in_section();
    CPROF_END("outer");
}

/*--- interleaved ---*/

/* Frees of all sizes, in another order than allocations, in a table of random places. It frees what
 * it finds in the table: of several cases it is the first. */
static void interleaved(void)
{
    unsigned seed = 1;

    for (int i = 0; i < 20000; i++) {
        unsigned at = (seed = seed * 1103515245 + 12345) >> 8 & 511;

        if (kept[at] && seed >> 20 & 1)
            kept[at] = realloc(kept[at], (seed >> 4 & 1023) + 1);
        else if (kept[at]) {
            free(kept[at]);
            kept[at] = NULL;
        } else
            kept[at] = malloc((seed >> 6 & 2047) + 1);
    }
}

/*--- dense ---*/

enum { DENSE = 6000 };
static void *dense_blocks[DENSE];

APART void fill(void)
{
    for (int i = 0; i < DENSE; i++)
        dense_blocks[i] = malloc(24);
}

/* Each second block goes. */
APART void thin(void)
{
    for (int i = 0; i < DENSE; i += 2)
        free(dense_blocks[i]);
}

APART void refill(void)
{
    for (int i = 0; i < DENSE; i += 2)
        dense_blocks[i] = malloc(20);
}

/* Allocates so many blocks that next to each place has one. */
static void dense(void)
{
    fill();
    thin();
    refill();
    for (int i = 0; i < DENSE; i++)
        free(dense_blocks[i]);
}

/*--- far ---*/

#define FAR ((size_t)1 << 24)

/* Blocks that begin at multiples of 16 MB: 5, two of which go; one more; one that moves; two are
 * never freed. */
APART static void far(void)
{
    void *volatile blocks[5];

    for (size_t i = 0; i < 5; i++)
        blocks[i] = aligned_alloc(FAR, 100 + i);
    free(blocks[1]);
    free(blocks[3]);
    blocks[1] = aligned_alloc(FAR, 50);
    blocks[4] = realloc(blocks[4], 200);
    free(blocks[0]);
    free(blocks[1]);
    kept[0] = blocks[2];
    kept[1] = blocks[4];
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"plain", plain},         {"peak", peak},
                 {"recursion", recursion}, {"threads", threads},
                 {"forked", forked},       {"moved", moved},
                 {"parts", parts},         {"switched", switched},
                 {"pools", pools},         {"system", system_memory},
                 {"sections", sections},   {"interleaved", interleaved},
                 {"dense", dense},         {"far", far}};

    int ran = 0;

    for (int k = 1; k < argc; k++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            if (!strcmp(cases[i].name, argv[k])) {
                cases[i].run();
                ran++;
            }
    return ran && ran == argc - 1 ? 0 : 2;
}
