/* labels.h - the label of each function of a profile: the name of its row, with what tells it from
 * others of that name. */
#ifndef TEXT_LABELS_H
#define TEXT_LABELS_H

#include "table/rows.h"

struct labels {
    uint32_t n;
    char **items; /* by the function's index in the profile */
};

/* Makes the labels of all functions of the rows' profile; `rule` is a function of text.h that makes
 * a text of a name. labels_free() ends them. */
void labels_load(struct labels *labels, const struct rows *rows, char *(*rule)(const char *text));
void labels_free(struct labels *labels);

#endif
