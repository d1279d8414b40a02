#include <config.h>

#include "names/name_ids.h"

#include "base/array.h"
#include "names/normalise.h"

#include <stdlib.h>
#include <string.h>

static int same_name(const void *owner, uint32_t index, const void *key)
{
    return !strcmp(((const struct name_ids *)owner)->names[index], key);
}

/* Takes over `name`. */
static uint32_t intern(struct name_ids *ids, char *name)
{
    uint32_t hash = map_hash_bytes(name, strlen(name), 0);
    uint32_t found = map_find(&ids->map, hash, same_name, ids, name);

    if (found != MAP_NONE) {
        free(name);
        return found;
    }
    GROW(ids->names, ids->n, ids->room);
    ids->names[ids->n] = name;
    if (map_add(&ids->map, hash, (uint32_t)ids->n) != 0)
        memory_die();
    return (uint32_t)ids->n++;
}

uint32_t *name_ids_of(struct name_ids *ids, const struct cprof_profile *p)
{
    uint32_t *numbers = xreallocarray(NULL, p->n_functions, sizeof *numbers);

    for (uint32_t i = 0; i < p->n_functions; i++)
        numbers[i] = intern(ids, normalise_name(p->functions[i].name, p->functions[i].mangled));
    return numbers;
}

uint32_t *name_ids_first(const uint32_t *numbers, uint32_t n_functions)
{
    uint32_t *first = xreallocarray(NULL, n_functions, sizeof *first), *of_number, n = 0;

    for (uint32_t i = 0; i < n_functions; i++)
        if (numbers[i] >= n)
            n = numbers[i] + 1;
    of_number = xreallocarray(NULL, n, sizeof *of_number);
    memset(of_number, 0xff, n * sizeof *of_number);
    for (uint32_t i = 0; i < n_functions; i++) {
        if (of_number[numbers[i]] == CPROF_NONE)
            of_number[numbers[i]] = i;
        first[i] = of_number[numbers[i]];
    }
    free(of_number);
    return first;
}

void name_ids_free(struct name_ids *ids)
{
    for (size_t i = 0; i < ids->n; i++)
        free(ids->names[i]);
    free(ids->names);
    map_release(&ids->map);
    *ids = (struct name_ids){.n = 0};
}
