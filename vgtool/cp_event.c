/*
 * cp_event.c - data structure #1: the names. #2: a hash table of counts by (node, address, event).
 * #3: one of inclusive counts by (function or edge, event).
 */
#include "cp_event.h"

#include "cp_hash.h"
#include "cp_object.h"

enum { MAX_NAME = 63 };
#define MAX_SUM 0x7fffffffffffffffULL

typedef struct {
    const void *owner;
    UInt event;
    ULong sum, last_walk;
} Inclusive;

static const HChar *names[CP_EVENTS];
static ULong totals[CP_EVENTS];
static UInt n_events;
static Pool counts = {.size = sizeof(EventCount), .tag = "cp.event.1"};
static Pool inclusives = {.size = sizeof(Inclusive), .tag = "cp.event.2"};
static HashTable count_table, inclusive_table;
static ULong walk;

/*--- Names ---*/

static Bool is_letter(HChar c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* True if a line of the profile can list the name. */
static Bool is_name(const HChar *name, SizeT length)
{
    if (!length || length > MAX_NAME || !is_letter(name[0]))
        return False;
    for (SizeT i = 0; i < length; i++)
        if (!is_letter(name[i]) && (name[i] < '0' || name[i] > '9') && name[i] != '_' &&
            name[i] != '-')
            return False;
    return True;
}

/* True if the name is that of an event of the tool's, in any case, counted in this run or not. */
static Bool is_taken(const HChar *name)
{
    for (UInt i = 0; i < CP_COLUMNS; i++)
        if (!VG_(strcasecmp)(cp_column_names[i], name))
            return True;
    return False;
}

Bool cp_event_get(const HChar *name, SizeT length, UInt *event)
{
    HChar copy[MAX_NAME + 1];

    if (!is_name(name, length))
        return False;
    VG_(memcpy)(copy, name, length);
    copy[length] = 0;
    for (*event = 0; *event < n_events; ++*event)
        if (!VG_(strcmp)(names[*event], copy))
            return True;
    if (n_events == CP_EVENTS || is_taken(copy))
        return False;
    /* Readers find events in any case. */
    for (UInt i = 0; i < n_events; i++)
        if (!VG_(strcasecmp)(names[i], copy))
            return False;
    names[n_events++] = VG_(strdup)("cp.event.3", copy);
    return True;
}

UInt cp_event_count(void)
{
    return n_events;
}

const HChar *cp_event_name(UInt event)
{
    return names[event];
}

/*--- Counts ---*/

static UInt hash_count(const void *element)
{
    const EventCount *c = element;

    return cp_hash(c->address, c->node, c->event);
}

static Bool same_count(const void *a, const void *b)
{
    const EventCount *x = a, *y = b;

    return x->address == y->address && x->range == y->range && x->node == y->node &&
           x->event == y->event;
}

Bool cp_event_add(UInt event, Addr address, ULong n)
{
    const EventCount key = {
        .node = cp_now.node->id, .event = event, .range = cp_range_at(address), .address = address};
    void **place;

    if (n > MAX_SUM - totals[event])
        return False;
    place = cp_hash_find(&count_table, &key, hash_count, same_count);
    if (!*place) {
        EventCount *c = cp_pool_add(&counts);
        *c = key;
        *place = c;
    }
    ((EventCount *)*place)->sum += n;
    totals[event] += n;
    walk++;
    return True;
}

static UInt hash_inclusive(const void *element)
{
    const Inclusive *i = element;

    return cp_hash((Addr)i->owner, i->event, 0);
}

static Bool same_inclusive(const void *a, const void *b)
{
    const Inclusive *x = a, *y = b;

    return x->owner == y->owner && x->event == y->event;
}

static Inclusive *inclusive_of(const void *owner, UInt event)
{
    const Inclusive key = {.owner = owner, .event = event};
    void **place = cp_hash_find(&inclusive_table, &key, hash_inclusive, same_inclusive);

    if (!*place) {
        Inclusive *i = cp_pool_add(&inclusives);
        *i = key;
        *place = i;
    }
    return *place;
}

void cp_event_add_inclusive(const void *owner, UInt event, ULong n)
{
    Inclusive *i = inclusive_of(owner, event);

    if (i->last_walk == walk)
        return;
    i->last_walk = walk;
    i->sum += n;
}

ULong cp_event_inclusive(const void *owner, UInt event)
{
    return inclusive_of(owner, event)->sum;
}

static Int by_place(const void *a, const void *b)
{
    const EventCount *x = *(const EventCount *const *)a, *y = *(const EventCount *const *)b;

    return x->node != y->node         ? (x->node < y->node ? -1 : 1)
           : x->address != y->address ? (x->address < y->address ? -1 : 1)
           : x->range != y->range     ? (x->range < y->range ? -1 : 1)
                                      : (x->event < y->event ? -1 : x->event > y->event);
}

const EventCount **cp_event_sorted(UInt *n)
{
    const EventCount **sorted = VG_(malloc)("cp.event.4", ((SizeT)counts.n + 1) * sizeof *sorted);

    for (UInt i = 0; i < counts.n; i++)
        sorted[i] = cp_pool_at(&counts, i);
    VG_(ssort)(sorted, counts.n, sizeof *sorted, by_place);
    *n = counts.n;
    return sorted;
}

void cp_event_reset(void)
{
    for (UInt i = 0; i < counts.n; i++)
        ((EventCount *)cp_pool_at(&counts, i))->sum = 0;
    for (UInt i = 0; i < inclusives.n; i++)
        ((Inclusive *)cp_pool_at(&inclusives, i))->sum = 0;
    VG_(memset)(totals, 0, sizeof totals);
}
