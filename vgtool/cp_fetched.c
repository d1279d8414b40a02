/*
 * cp_fetched.c - data structure: I1. A set is a list of its lines' records in no order; a miss
 * replaces the one whose time is earliest.
 */
#include "cp_fetched.h"

#include "cp_core.h"
#include "cp_hash.h"

enum { MOST_NEAR = 1 << 20, ROOM = 1 << 10 };
static FetchedLine near_lines[MOST_NEAR] __attribute__((aligned(CP_HUGE_PAGE)));
static UInt n_near;

static Pool far_lines = {.size = sizeof(FetchedLine), .tag = "cp.fetched.1"};

/* A line's record by its number. */
typedef struct {
    UWord number;
    FetchedLine *line;
} Found;
static Pool found = {.size = sizeof(Found), .tag = "cp.fetched.4"};
static HashTable table;

Int cp_fetched_clock;
static UInt n_sets, n_ways;

/* A way of a set. `known` has a time at which its line was used, in the upper half, and the way's
 * number. The line may have been used later: its record is in memory that the host has to fetch, so
 * a miss reads that of one way, mostly. Keys of a set lie one behind another. */
static ULong *known;
static ULong *next; /* the least key of each set */
static FetchedLine **ways;
static FetchedLine nothing; /* in empty ways: its time is 0, and no other line's */

static UInt hash_line(const void *element)
{
    return cp_hash(((const Found *)element)->number, 0, 0);
}

static Bool same_line(const void *a, const void *b)
{
    return ((const Found *)a)->number == ((const Found *)b)->number;
}

Bool cp_fetched_has_room(void)
{
    return n_near + ROOM < MOST_NEAR;
}

static FetchedLine *new_line(UWord number)
{
    FetchedLine *l = n_near < MOST_NEAR ? &near_lines[n_near++] : cp_pool_add(&far_lines);

    *l = (FetchedLine){.is_absent = (UInt)(number & (n_sets - 1)) + 1};
    return l;
}

FetchedLine *cp_fetched_line(UWord number)
{
    const Found key = {.number = number};
    void **entry = cp_hash_find(&table, &key, hash_line, same_line);
    Found *f = *entry;

    if (!f) {
        *entry = f = cp_pool_add(&found);
        *f = (Found){number, new_line(number)};
    }
    return f->line;
}

static ULong key(Int time, UInt way)
{
    return (ULong)(UInt)time << 32 | way;
}

static inline ULong earlier(ULong a, ULong b)
{
    return a < b ? a : b;
}

/* Fetches the line's record into the host's caches. */
static inline void fetch_ahead(FetchedLine *const *set, ULong k)
{
    __builtin_prefetch(set[(UInt)k], 1);
}

/* Finds the least key of a set, by four chains of comparisons, none of which is a branch. That of
 * each chain is soon the least one, and its line is fetched ahead. */
static ULong least(const ULong *keys, FetchedLine *const *set)
{
    ULong a = keys[0], b = a, c = a, d = a;
    UInt i = 0;

    for (; i + 4 <= n_ways; i += 4) {
        a = earlier(a, keys[i]);
        b = earlier(b, keys[i + 1]);
        c = earlier(c, keys[i + 2]);
        d = earlier(d, keys[i + 3]);
    }
    for (; i < n_ways; i++)
        a = earlier(a, keys[i]);
    fetch_ahead(set, a);
    fetch_ahead(set, b);
    fetch_ahead(set, c);
    fetch_ahead(set, d);
    return earlier(earlier(a, b), earlier(c, d));
}

/* Puts the line into the way of the set that was used least recently, which is that of the least
 * key once that has the time of its line's last use. */
static void replace(FetchedLine *l, UInt n)
{
    ULong *keys = known + (SizeT)n * n_ways, k = next[n];
    FetchedLine **set = ways + (SizeT)n * n_ways, *old;

    while ((old = set[(UInt)k])->time != (Int)(k >> 32)) {
        keys[(UInt)k] = key(old->time, (UInt)k);
        k = least(keys, set);
    }
    old->is_absent = n + 1;
    set[(UInt)k] = l;
    keys[(UInt)k] = key(l->time, (UInt)k);
    next[n] = least(keys, set);
}

Bool cp_fetched_refer(FetchedLine *l)
{
    UInt absent = l->is_absent;

    l->time = ++cp_fetched_clock;
    if (absent) {
        l->is_absent = 0;
        replace(l, absent - 1);
    }
    return absent != 0;
}

/* Only line 0 is in its set at first; see cp_model_empty(). */
void cp_fetched_empty(void)
{
    for (UInt i = 0; i < n_sets * n_ways; i++) {
        ways[i]->is_absent = i / n_ways + 1;
        ways[i] = &nothing;
        known[i] = key(0, i % n_ways);
    }
    for (UInt i = 0; i < n_sets; i++)
        next[i] = 0;
    (void)cp_fetched_refer(cp_fetched_line(0));
}

/* Makes the times of a set small: each becomes one more than the number of ways with an earlier
 * one, so that those of empty ways stay the earliest. */
static void renumber(UInt n)
{
    ULong *keys = known + (SizeT)n * n_ways;
    FetchedLine **set = ways + (SizeT)n * n_ways;

    for (UInt i = 0; i < n_ways; i++) {
        Int order = 1;
        for (UInt j = 0; j < n_ways; j++)
            order += set[j]->time < set[i]->time;
        keys[i] = key(set[i] == &nothing ? 0 : order, i);
    }
    for (UInt i = 0; i < n_ways; i++)
        set[i]->time = (Int)(keys[i] >> 32);
    next[n] = least(keys, set);
}

void cp_fetched_pause(Int late)
{
    if (cp_fetched_clock < late)
        return;
    for (UInt i = 0; i < n_sets; i++)
        renumber(i);
    cp_fetched_clock = (Int)n_ways;
}

void cp_fetched_init(UInt sets, UInt n)
{
    n_sets = sets;
    n_ways = n;
    cp_core_huge(near_lines, sizeof near_lines);
    known = VG_(calloc)("cp.fetched.2", (SizeT)sets * n, sizeof *known);
    next = VG_(calloc)("cp.fetched.5", sets, sizeof *next);
    ways = VG_(calloc)("cp.fetched.3", (SizeT)sets * n, sizeof *ways);
    for (UInt i = 0; i < sets * n; i++)
        ways[i] = &nothing;
    cp_fetched_empty();
}
