/*
 * annotation.h - source lines with their costs.
 *
 *              Ir      %  Line  src/matrix.rs
 *                                     …
 *                           44              for (sum, &value) in out.iter_mut().zip(other.row(k)) {
 *     272,138,240   95.0    45                  *sum += factor * value;
 *                           46              }
 *       9,208,160    3.2     …  11 lines
 *     281,346,400   98.2        src/matrix.rs in all
 *
 * Every line of costs is in some row: what is not shown is summed up in the rows with an ellipsis
 * and, for files of which no line is shown, in a table at the end; so the rows add up to the sum in
 * the last one.
 */
#ifndef TEXT_ANNOTATION_H
#define TEXT_ANNOTATION_H

#include "annotate/annotation.h"
#include "table/columns.h"
#include "source/source_file.h"

#include <stdbool.h>
#include <stdio.h>

struct annotation_listing {
    const struct annotation *annotation;
    struct source_finder *finder;
    const char *name;          /* of the subject, for the last row; clean */
    const char *const *labels; /* of each function of the profile, clean; NULL without calls */
    const struct annotation_view *view;
    double lowered_from; /* its threshold before annotation_lower_threshold() did; 0: it did not */
    const struct column *const *columns; /* counts and percentages */
    size_t n_columns;
    bool inlined;     /* show what was inlined */
    const char *root; /* see location.h */
    unsigned width;   /* lines are cut to it where it is `fixed` */
    bool fixed, color, utf8;
};

void annotation_write(const struct annotation_listing *listing, FILE *out);

/* The source of a block, or NULL where its file is not known. */
const struct source *annotation_source(const struct annotation *a, uint32_t block,
                                       struct source_finder *finder);

#endif
