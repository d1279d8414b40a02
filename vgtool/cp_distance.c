/*
 * cp_distance.c - data structure #1: the times at which lines were used last, by pages of lines.
 * #2: a bit for each time, set if it is that of some line. The lines that were used since then are
 * the bits behind it; a Fenwick tree over blocks of bits counts them in logarithmic time.
 *
 * Times grow with each use. When they reach the last bit, those that lines still have are numbered
 * anew, without gaps (Bennett and Kruskal). So memory is in proportion to the lines that were ever
 * used: 4 bytes for each line of a page, and 2 to 8 bits for each line that was used.
 */
#include "cp_distance.h"

#include "cp_hash.h"

#define PAGE_LINES  64
#define WORD_TIMES  64
#define BLOCK_WORDS 8 /* a line of the host's caches */
#define BLOCK_TIMES (BLOCK_WORDS * WORD_TIMES)
#define LEAST_TIMES 65536u /* a power of two, as all numbers of times are */

typedef struct {
    UWord number;           /* the number of its first line / PAGE_LINES */
    UInt times[PAGE_LINES]; /* 0: never */
} Page;

static Pool pages = {.size = sizeof(Page), .tag = "cp.distance.1"};
static HashTable page_table;

#define RECENT 4096 /* pages that are found without the table, by the low bits of their numbers */
static struct {
    UWord number;
    Page *page;
} recent[RECENT];

static UInt n_times;
static ULong *bits;     /* n_times of them */
static UInt *tree;      /* from 1: sums over blocks, but for the one of `now` */
static UInt now = 1;    /* the time of the next use */
static UInt first = 1;  /* times before it are forgotten */
static UInt n_bits;     /* that are set in all, */
static UInt n_in_block; /* and in the block of `now` */

/*--- Pages ---*/

static UInt hash_page(const void *element)
{
    return cp_hash(((const Page *)element)->number, 0, 0);
}

static Bool same_page(const void *a, const void *b)
{
    return ((const Page *)a)->number == ((const Page *)b)->number;
}

static Page *find_page(UWord number)
{
    const Page key = {.number = number};
    void **found = cp_hash_find(&page_table, &key, hash_page, same_page);

    if (!*found) {
        Page *page = cp_pool_add(&pages);
        page->number = number;
        *found = page;
    }
    return *found;
}

static UInt *time_of(UWord line)
{
    UWord number = line / PAGE_LINES;
    UInt at = number % RECENT;

    if (UNLIKELY(recent[at].number != number || !recent[at].page)) {
        recent[at].number = number;
        recent[at].page = find_page(number);
    }
    return &recent[at].page->times[line % PAGE_LINES];
}

/*--- Bits ---*/

static void add_to_block(UInt block, UInt n)
{
    for (UInt i = block + 1; i <= n_times / BLOCK_TIMES; i += i & -i)
        tree[i] += n;
}

/* The bits of this block and those before it. It is not that of `now`. */
static UInt count_up_to(UInt block)
{
    UInt n = 0;

    for (UInt i = block + 1; i; i &= i - 1)
        n += tree[i];
    return n;
}

/* The bits behind this time. */
static UInt count_behind(UInt time)
{
    UInt block = time / BLOCK_TIMES, word = time / WORD_TIMES, n;

    n = cp_count_bits(bits[word] >> time % WORD_TIMES >> 1);
    while (++word % BLOCK_WORDS)
        n += cp_count_bits(bits[word]);
    return block == now / BLOCK_TIMES ? n : n + n_bits - count_up_to(block);
}

static void clear(UInt time)
{
    UInt block = time / BLOCK_TIMES;

    bits[time / WORD_TIMES] &= ~(1ULL << time % WORD_TIMES);
    n_bits--;
    if (block == now / BLOCK_TIMES)
        n_in_block--;
    else
        add_to_block(block, -1u);
}

/* Sets the bit of `now`, and goes on to the next time. */
static void set_now(void)
{
    bits[now / WORD_TIMES] |= 1ULL << now % WORD_TIMES;
    n_bits++;
    n_in_block++;
    now++;
    if (now % BLOCK_TIMES)
        return;
    add_to_block(now / BLOCK_TIMES - 1, n_in_block);
    n_in_block = 0;
}

/*--- Numbering anew ---*/

/* Gives lines the times from 1 on, in their order. */
static void renumber_lines(void)
{
    UInt *before = VG_(malloc)("cp.distance.2", n_times / WORD_TIMES * sizeof *before), n = 0;

    for (UInt word = 0; word < n_times / WORD_TIMES; word++) {
        before[word] = n;
        n += cp_count_bits(bits[word]);
    }
    for (UInt i = 0; i < pages.n; i++) {
        Page *page = cp_pool_at(&pages, i);
        for (UInt k = 0; k < PAGE_LINES; k++) {
            UInt time = page->times[k], word = time / WORD_TIMES;
            if (time)
                page->times[k] = before[word] + 1 +
                                 cp_count_bits(bits[word] & ((1ULL << time % WORD_TIMES) - 1));
        }
    }
    VG_(free)(before);
}

/* Takes the times of lines that are forgotten away. */
static void drop_forgotten(void)
{
    for (UInt i = 0; i < pages.n && first > 1; i++) {
        Page *page = cp_pool_at(&pages, i);
        for (UInt k = 0; k < PAGE_LINES; k++)
            if (page->times[k] && page->times[k] < first) {
                clear(page->times[k]);
                page->times[k] = 0;
            }
    }
    first = 1;
}

/* Makes room for so many bits, at most half of which are set: the first ones. */
static void set_first(UInt n)
{
    UInt n_before = n_times;

    tl_assert(n < 1u << 30);
    n_times = n_times ? n_times : LEAST_TIMES;
    while (n > n_times / 2)
        n_times *= 2;
    if (n_times != n_before) {
        bits = VG_(realloc)("cp.distance.3", bits, n_times / 8);
        tree = VG_(realloc)("cp.distance.4", tree, (n_times / BLOCK_TIMES + 1) * sizeof *tree);
    }
    VG_(memset)(bits, 0, n_times / 8);
    VG_(memset)(tree, 0, (n_times / BLOCK_TIMES + 1) * sizeof *tree);
    now = 1;
    n_bits = n_in_block = 0;
    while (now <= n)
        set_now();
}

static void renumber(void)
{
    if (n_times) {
        drop_forgotten();
        renumber_lines();
    }
    set_first(n_bits);
}

UInt cp_distance_use(UWord line)
{
    UInt *time = time_of(line), lines = 0;

    if (UNLIKELY(now >= n_times))
        renumber();
    if (*time == now - 1 && *time >= first)
        return 1;
    if (*time) {
        if (*time >= first)
            lines = count_behind(*time) + 1;
        clear(*time);
    }
    *time = now;
    set_now();
    return lines;
}

void cp_distance_empty(void)
{
    first = now;
}
