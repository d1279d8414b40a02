/*
 * cp_fetched.c - data structure: I1. A set is a list of its lines' records in no order; a miss
 * replaces the one whose time is earliest.
 *
 * Copies call it while vectors are the program's: it is compiled without any.
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
enum { USUAL_WAYS = 8 }; /* so many have code of their own */

/* The lines of a set lie one behind another. */
static FetchedLine **ways;
static FetchedLine nothing; /* in empty ways: its time is 0, and no other line's */
static Int *orders;         /* one for each way of a set, for renumber() */

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

/*
 * Finds the way that was used least recently, by no branch: which one it is cannot be predicted,
 * and all records are read at once. To look only at records that may be the earliest, by what was
 * known of them, waits for one after the other, and for each misprediction.
 */
static inline __attribute__((always_inline)) UInt oldest(FetchedLine *const *set, UInt n)
{
    ULong least = (ULong)(UInt)set[0]->time << 32;

#pragma GCC unroll 8
    for (UInt i = 1; i < n; i++) {
        ULong time = (ULong)(UInt)set[i]->time << 32 | i;
        least = time < least ? time : least;
    }
    return (UInt)least;
}

/* Puts the line into the way of the set that was used least recently. */
static void replace(FetchedLine *l, UInt n)
{
    FetchedLine **set = ways + (SizeT)n * n_ways;
    FetchedLine **way =
        set + (n_ways == USUAL_WAYS ? oldest(set, USUAL_WAYS) : oldest(set, n_ways));

    (*way)->is_absent = n + 1;
    *way = l;
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
    }
    (void)cp_fetched_refer(cp_fetched_line(0));
}

/* Makes the times of a set small: each becomes one more than the number of ways with an earlier
 * one, so that those of empty ways stay the earliest. */
static void renumber(UInt n)
{
    FetchedLine **set = ways + (SizeT)n * n_ways;

    for (UInt i = 0; i < n_ways; i++) {
        orders[i] = set[i] != &nothing;
        for (UInt j = 0; orders[i] && j < n_ways; j++)
            orders[i] += set[j]->time < set[i]->time;
    }
    for (UInt i = 0; i < n_ways; i++)
        set[i]->time = orders[i];
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
    orders = VG_(calloc)("cp.fetched.2", n, sizeof *orders);
    ways = VG_(calloc)("cp.fetched.3", (SizeT)sets * n, sizeof *ways);
    for (UInt i = 0; i < sets * n; i++)
        ways[i] = &nothing;
    cp_fetched_empty();
}
