/*
 * cp_spread.c - data structure: a hash table of values with their counts, at most half full.
 */
#include "cp_spread.h"

#include "cp_hash.h"

static ULong rounded(ULong value)
{
    UInt bits = 0;

    while (value >> bits >= 1u << SPREAD_BITS)
        bits++;
    return value >> bits << bits;
}

static SpreadValue *place_of(const Spread *s, ULong value)
{
    UInt i = cp_hash(value, 0, 0) & (s->room - 1);

    while (s->values[i].count && s->values[i].value != value)
        i = (i + 1) & (s->room - 1);
    return &s->values[i];
}

static void put(Spread *s, ULong value, ULong count)
{
    SpreadValue *v = place_of(s, value);

    s->n += !v->count;
    v->value = value;
    v->count += count;
}

/* Moves all values, rounded if the spread is, into a new table. */
static void move(Spread *s, UInt room)
{
    SpreadValue *old = s->values;
    UInt n = s->room;

    s->values = VG_(calloc)("cp.spread.1", room, sizeof *s->values);
    s->room = room;
    s->n = 0;
    for (UInt i = 0; i < n; i++)
        if (old[i].count)
            put(s, s->rounded ? rounded(old[i].value) : old[i].value, old[i].count);
    VG_(free)(old);
}

void cp_spread_add(Spread *s, ULong value)
{
    if (!s->n || value < s->least)
        s->least = value;
    if (!s->n || value > s->greatest)
        s->greatest = value;
    if (2 * s->n >= s->room)
        move(s, s->room ? 2 * s->room : 16);
    put(s, s->rounded ? rounded(value) : value, 1);
    if (s->n > SPREAD_VALUES && !s->rounded) {
        s->rounded = True;
        move(s, s->room);
    }
}

void cp_spread_reset(Spread *s)
{
    VG_(free)(s->values);
    *s = (Spread){.n = 0};
}

static Int by_value(const void *a, const void *b)
{
    ULong x = ((const SpreadValue *)a)->value, y = ((const SpreadValue *)b)->value;

    return x < y ? -1 : x > y;
}

SpreadValue *cp_spread_sorted(const Spread *s)
{
    SpreadValue *sorted = VG_(malloc)("cp.spread.2", ((SizeT)s->n + 1) * sizeof *sorted);
    UInt n = 0;

    for (UInt i = 0; i < s->room; i++)
        if (s->values[i].count)
            sorted[n++] = s->values[i];
    VG_(ssort)(sorted, n, sizeof *sorted, by_value);
    return sorted;
}
