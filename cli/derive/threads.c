#include <config.h>

#include "derive/threads.h"

#include "base/memory.h"
#include "derive/part.h"

#include <stdlib.h>

struct cprof_profile *thread_profile(const struct cprof_profile *p, uint32_t root,
                                     struct cprof_error *error)
{
    bool *chosen = xcalloc(p->n_contexts, sizeof *chosen);
    struct cprof_profile *thread;

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        uint32_t parent = p->contexts[i].parent;

        chosen[i] = i == root || (parent != CPROF_NONE && chosen[parent]);
    }
    thread = part_profile(p, chosen, error);
    free(chosen);
    return thread;
}
