#include <config.h>

#include "paths/flame_kinds.h"

#include "base/counts.h"
#include "base/memory.h"

#include <stdlib.h>

static unsigned char kind_of(const struct crates *crates, uint32_t function)
{
    return (unsigned char)(origin_of(crates_owner(crates, function)) * ORIGIN_SHADES +
                           origin_shade(crates_of(crates, function)));
}

void flame_kinds_load(struct flame_kinds *kinds, const struct cprof_profile *p,
                      const struct crates *crates, const struct column *measure)
{
    *kinds = (struct flame_kinds){.of_function = xreallocarray(NULL, p->n_functions, 1)};
    for (uint32_t i = 0; i < p->n_functions; i++) {
        bool code = crates->of_function[i] != crates->of_object[p->n_objects];

        kinds->of_function[i] = code ? kind_of(crates, i) : FLAME_KIND_NONE;
    }
    /* A function with a cost is code, though nothing tells of which object. */
    for (uint32_t i = 0; i < p->n_costs; i++) {
        uint32_t f = p->costs[i].function;
        int64_t value = column_value(measure, cprof_cost_values(p, i));

        if (value && kinds->of_function[f] == FLAME_KIND_NONE)
            kinds->of_function[f] = kind_of(crates, f);
        count_add(&kinds->self[kinds->of_function[f] == FLAME_KIND_NONE
                                   ? ORIGIN_SYSTEM
                                   : kinds->of_function[f] / ORIGIN_SHADES],
                  value);
    }
}

void flame_kinds_free(struct flame_kinds *kinds)
{
    free(kinds->of_function);
    *kinds = (struct flame_kinds){.of_function = NULL};
}
