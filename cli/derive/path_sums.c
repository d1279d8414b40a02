#include <config.h>

#include "derive/path_sums.h"

#include "base/counts.h"
#include "base/memory.h"

int64_t *path_sums(const struct cprof_profile *p)
{
    int64_t *sums = xcalloc((size_t)p->n_contexts * p->n_events, sizeof *sums);

    for (uint32_t i = p->n_contexts; i-- > 0;) {
        const struct cprof_context *c = &p->contexts[i];
        int64_t *sum = sums + (size_t)i * p->n_events;

        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
            counts_add(sum, cprof_context_values(p, k), p->n_events);
        if (c->parent != CPROF_NONE)
            counts_add(sums + (size_t)c->parent * p->n_events, sum, p->n_events);
    }
    return sums;
}
