/*
 * cp_fetched.c - I1 where copies run. A set is a list of its lines' records in no order; a miss
 * replaces the one whose time is earliest.
 */
#include "cp_fetched.h"

#include "cp_hash.h"

enum { MOST_NEAR = 1 << 20, ROOM = 1 << 10 };
static FetchedLine near_lines[MOST_NEAR] __attribute__((aligned(64)));
static UInt n_near;

static Pool far_lines = {.size = sizeof(FetchedLine), .tag = "cp.fetched.1"};
static HashTable table;

Int cp_fetched_clock;
static FetchedLine **ways; /* of one set behind another; NULL: empty */
static UInt n_sets, n_ways;
static Int *order; /* for renumber() */

static UInt hash_line(const void *element)
{
    return cp_hash(((const FetchedLine *)element)->number, 0, 0);
}

static Bool same_line(const void *a, const void *b)
{
    return ((const FetchedLine *)a)->number == ((const FetchedLine *)b)->number;
}

Bool cp_fetched_has_room(void)
{
    return n_near + ROOM < MOST_NEAR;
}

FetchedLine *cp_fetched_line(UWord number)
{
    const FetchedLine key = {.number = number};
    void **entry = cp_hash_find(&table, &key, hash_line, same_line);
    FetchedLine *l = *entry;

    if (!l) {
        *entry = l = n_near < MOST_NEAR ? &near_lines[n_near++] : cp_pool_add(&far_lines);
        *l = (FetchedLine){.is_absent = True, .number = number};
    }
    return l;
}

static FetchedLine **set_of(UWord number)
{
    return &ways[(number & (n_sets - 1)) * n_ways];
}

/* An empty way, else the one that was used least recently. */
static FetchedLine **oldest(FetchedLine **set)
{
    FetchedLine **found = set;

    for (UInt i = 0; i < n_ways; i++) {
        if (!set[i])
            return &set[i];
        if (set[i]->time < (*found)->time)
            found = &set[i];
    }
    return found;
}

Bool cp_fetched_refer(FetchedLine *l)
{
    Bool missed = l->is_absent;

    if (missed) {
        FetchedLine **way = oldest(set_of(l->number));
        if (*way)
            (*way)->is_absent = True;
        *way = l;
        l->is_absent = False;
    }
    l->time = ++cp_fetched_clock;
    return missed;
}

/* Only line 0 is in its set at first; see cp_model_empty(). */
void cp_fetched_empty(void)
{
    for (UInt i = 0; i < n_sets * n_ways; i++) {
        if (ways[i])
            ways[i]->is_absent = True;
        ways[i] = NULL;
    }
    if (ways)
        (void)cp_fetched_refer(cp_fetched_line(0));
}

/* Makes the times of a set small: each becomes the number of ways with an earlier one. */
static void renumber(FetchedLine **set)
{
    UInt n = 0;

    while (n < n_ways && set[n])
        n++;
    for (UInt i = 0; i < n; i++) {
        order[i] = 0;
        for (UInt j = 0; j < n; j++)
            order[i] += set[j]->time < set[i]->time;
    }
    for (UInt i = 0; i < n; i++)
        set[i]->time = order[i];
}

void cp_fetched_pause(Int late)
{
    if (cp_fetched_clock < late)
        return;
    for (UInt set = 0; set < n_sets; set++)
        renumber(set_of(set));
    cp_fetched_clock = (Int)n_ways;
}

void cp_fetched_init(UInt sets, UInt n)
{
    n_sets = sets;
    n_ways = n;
    ways = VG_(calloc)("cp.fetched.2", (SizeT)sets * n, sizeof *ways);
    order = VG_(calloc)("cp.fetched.3", n, sizeof *order);
    cp_fetched_empty();
}
