/*
 * cp_tag.c - numbers too large for a tag, and the tags they got.
 */
#include "cp_tag.h"

/* A hash table, half empty at least. Number 0 is never in it. */
static struct {
    ULong number;
    UInt tag;
} * wild;
static UInt n_wild, max_wild;

static UInt wild_slot(ULong number)
{
    UInt i = (UInt)(number * 0x9E3779B97F4A7C15ULL >> 32);

    for (i &= max_wild - 1; wild[i].number && wild[i].number != number;)
        i = (i + 1) & (max_wild - 1);
    return i;
}

static void grow_wild(void)
{
    __typeof__(wild) old = wild;
    UInt n_old = max_wild;

    max_wild = n_old ? 2 * n_old : 256;
    wild = VG_(calloc)("cp.tag.1", max_wild, sizeof *wild);
    for (UInt i = 0; i < n_old; i++)
        if (old[i].number)
            wild[wild_slot(old[i].number)] = old[i];
    VG_(free)(old);
}

UInt cp_tag_wild(ULong number)
{
    UInt i;

    if (2 * n_wild >= max_wild)
        grow_wild();
    i = wild_slot(number);
    if (!wild[i].number) {
        wild[i].number = number;
        wild[i].tag = WILD_TAG + n_wild++;
    }
    return wild[i].tag;
}
