#include <config.h>

#include "names/repeated.h"

#include "base/memory.h"
#include "cprof_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Counts, for each slot of a table that is eight times as large, whether no text, one or more lead
 * there: those that share theirs by chance are few. */
bool *alike_find(alike_text *text, const void *owner, size_t n)
{
    enum { ONE = 1, MORE = 2 };
    uint32_t *hashes = xreallocarray(NULL, n, sizeof *hashes);
    bool *alike = xreallocarray(NULL, n, sizeof *alike);
    unsigned char *slots;
    size_t mask = 1023;

    while (mask / 8 < n && mask < UINT32_MAX)
        mask = 2 * mask + 1;
    slots = xcalloc(mask + 1, 1);
    for (size_t i = 0; i < n; i++) {
        const char *its = text(owner, i);
        unsigned char *slot;

        hashes[i] = map_hash_bytes(its, strlen(its), 0);
        slot = &slots[hashes[i] & mask];
        *slot = *slot ? MORE : ONE;
    }
    for (size_t i = 0; i < n; i++)
        alike[i] = slots[hashes[i] & mask] == MORE;
    free(slots);
    free(hashes);
    return alike;
}
