#include <config.h>

#include "diff/own_views.h"

#include "table/own.h"

bool own_common_views(const struct cprof_profile *const p[DIFF_SIDES],
                      struct cprof_profile views[DIFF_SIDES])
{
    bool inlines = p[DIFF_OLD]->n_inlined_contexts && p[DIFF_NEW]->n_inlined_contexts;
    bool paths = p[DIFF_OLD]->n_contexts && p[DIFF_NEW]->n_contexts;

    for (int side = 0; side < DIFF_SIDES; side++) {
        struct cprof_profile *view = &views[side];

        *view = *p[side];
        if (paths)
            continue;
        if (inlines)
            *view = own_view(p[side]);
        else
            view->n_contexts = view->n_context_costs = 0;
    }
    return paths;
}
