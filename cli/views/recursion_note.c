#include <config.h>

#include "views/recursion_note.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "calls/graph.h"

#include <stdbool.h>
#include <stdlib.h>

/* The functions that are called within themselves, directly or not, for 1 % of the program or more:
 * how many, and the one whose call costs most. */
struct recursive {
    uint32_t n, function;
    int64_t most;
};

static struct recursive find(const struct cprof_profile *p, const struct column *measure)
{
    struct recursive found = {.most = column_value(measure, p->totals) / 100};
    uint32_t *cycles = cycles_find(p);
    bool *known = xcalloc((size_t)p->n_functions + 1, sizeof *known);
    int64_t least = found.most;

    for (uint32_t i = 0; i < p->n_calls; i++) {
        const struct cprof_call *c = &p->calls[i];
        int64_t cost = column_value(measure, cprof_call_values(p, i));

        if (c->inlined || cycles[c->caller] != cycles[c->callee] || cost <= least)
            continue;
        found.n += !known[c->callee];
        known[c->callee] = true;
        if (cost > found.most) {
            found.most = cost;
            found.function = c->callee;
        }
    }
    free(known);
    free(cycles);
    return found;
}

void recursion_note(const struct cprof_profile *p, const struct column *measure)
{
    struct recursive found = {.n = 0};

    if (!p->sampled && p->n_contexts)
        found = find(p, measure);
    if (found.n == 1)
        message_note("recursion is folded where calls are counted: '%s', called within itself, is "
                     "on a path once, and goes on there",
                     p->functions[found.function].name);
    else if (found.n)
        message_note("recursion is folded where calls are counted: %s functions, such as '%s', "
                     "called within themselves, are on a path once, and go on there",
                     TEXT_COUNT(found.n), p->functions[found.function].name);
}
