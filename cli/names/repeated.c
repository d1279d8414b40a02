#include <config.h>

#include "names/repeated.h"

#include "base/memory.h"
#include "cprof_internal.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct search {
    const struct repeated *how;
    const void *owner;
};

/* Notes, for each slot of a table that is eight times as large, whether no text, one or more lead
 * there. Few share theirs by chance. The result has true wherever another text is equal, and now
 * and then where none is; the caller frees it. */
static bool *may_repeat(const struct search *s, size_t n)
{
    enum { ONE = 1, MORE = 2 };
    uint32_t *hashes = xreallocarray(NULL, n, sizeof *hashes);
    bool *repeats = xreallocarray(NULL, n, sizeof *repeats);
    unsigned char *slots;
    size_t mask = 1023;

    while (mask / 8 < n && mask < UINT32_MAX)
        mask = 2 * mask + 1;
    slots = xcalloc(mask + 1, 1);
    for (size_t i = 0; i < n; i++) {
        const char *item_text = s->how->text(s->owner, i);
        unsigned char *slot;

        hashes[i] = map_hash_bytes(item_text, strlen(item_text), 0);
        slot = &slots[hashes[i] & mask];
        *slot = *slot ? MORE : ONE;
    }
    for (size_t i = 0; i < n; i++)
        repeats[i] = slots[hashes[i] & mask] == MORE;
    free(slots);
    free(hashes);
    return repeats;
}

static int compare(const void *a, const void *b, void *search)
{
    const struct search *s = search;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = s->how->compare(s->owner, x, y);

    if (!order && s->how->order)
        order = s->how->order(s->owner, x, y);
    return order ? order : (x > y) - (x < y);
}

/* The numbers of all that may look like another; the caller frees them. */
static size_t *find(const struct search *s, size_t n, size_t *n_found)
{
    bool *repeats = s->how->text ? may_repeat(s, n) : NULL;
    size_t *items = xreallocarray(NULL, n, sizeof *items);

    *n_found = 0;
    for (size_t i = 0; i < n; i++)
        if (!repeats || repeats[i])
            items[(*n_found)++] = i;
    free(repeats);
    return items;
}

void repeated_each(const struct repeated *how, void *owner, size_t n)
{
    struct search s = {how, owner};
    size_t n_found, begin = 0, *items = find(&s, n, &n_found);

    if (n_found)
        qsort_r(items, n_found, sizeof *items, compare, &s);
    for (size_t i = 1; i <= n_found; i++) {
        /* Compared before the looks of the group change. */
        if (i < n_found && how->compare(owner, items[begin], items[i]) == 0)
            continue;
        if (i - begin > 1)
            how->use(owner, items + begin, i - begin);
        begin = i;
    }
    free(items);
}
