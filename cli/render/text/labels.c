#include <config.h>

#include "render/text/labels.h"

#include "base/memory.h"
#include "table/search.h"

#include <stdlib.h>

void labels_load(struct labels *labels, const struct rows *rows, char *(*rule)(const char *text))
{
    const struct cprof_profile *p = rows->profile;

    labels->n = p->n_functions;
    labels->items = xcalloc(p->n_functions, sizeof *labels->items);
    for (size_t i = 0; i < rows->n; i++) {
        char *label = row_label(&rows->items[i], false, NULL);

        labels->items[rows->items[i].function] = rule(label);
        free(label);
    }
    for (uint32_t i = 0; i < labels->n; i++)
        if (!labels->items[i])
            labels->items[i] = rule(p->functions[i].name);
}

void labels_free(struct labels *labels)
{
    for (uint32_t i = 0; i < labels->n; i++)
        free(labels->items[i]);
    free(labels->items);
    *labels = (struct labels){.n = 0};
}
