/*
 * cp_tag.c - numbers that are too large for a tag, and their tags.
 */
#include "cp_tag.h"

#include "cp_hash.h"

typedef struct {
    ULong number;
    UInt tag;
} Wild;

static Pool wild = {.size = sizeof(Wild), .tag = "cp.tag.1"};
static HashTable table;

static UInt hash_wild(const void *element)
{
    return cp_hash(((const Wild *)element)->number, 0, 0);
}

static Bool same_wild(const void *a, const void *b)
{
    return ((const Wild *)a)->number == ((const Wild *)b)->number;
}

UInt cp_tag_wild(ULong number)
{
    const Wild key = {.number = number, .tag = WILD_TAG + wild.n};
    void **entry = cp_hash_find(&table, &key, hash_wild, same_wild);

    if (!*entry) {
        Wild *w = cp_pool_add(&wild);
        *w = key;
        *entry = w;
    }
    return ((const Wild *)*entry)->tag;
}
