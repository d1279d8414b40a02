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
 * Every line with costs is in a row: rows with an ellipsis sum up hidden lines, and a table at the
 * end has the files without shown lines. So the rows add up to the sum in the last one.
 */
#ifndef TEXT_ANNOTATION_H
#define TEXT_ANNOTATION_H

#include "annotate/annotation.h"
#include "annotate/disassembly.h"
#include "render/text/table_text.h"
#include "source/source_file.h"
#include "table/columns.h"

#include <stdbool.h>
#include <stdio.h>

struct annotation_listing {
    const struct annotation *annotation;
    struct source_finder *finder;
    const char *name; /* the subject's, for the last row; clean */
    const char *const
        *labels; /* by the function's index in the profile, clean; NULL without calls */
    const struct annotation_view *view;
    double lowered_from;        /* the threshold before annotation_lower_threshold() changed it; 0:
                                   unchanged */
    struct column_list columns; /* counts and percentages */
    bool runs;                  /* a column says how often lines ran, where that is known */
    bool inlined;               /* show inlined functions */
    const char *root;           /* see location.h */
    struct text_screen screen;  /* lines are cut to its width where that is fixed */
};

void annotation_write(const struct annotation_listing *listing, FILE *out);

/* The source of a block, or NULL where the profile does not know its file. */
const struct source *annotation_source(const struct annotation *a, uint32_t block,
                                       struct source_finder *finder);

/*--- Instructions ---*/

/*
 * Instructions with their costs, and the source lines that they are of.
 *
 *             Ir     %  Address  nnet
 *                                  src/matrix.rs:45          for (sum, &value) in ...
 *      9,208,160   3.2     8a40  cmp    rcx,rsi
 *                                  core/src/iter/adapters/zip.rs:306
 *      9,208,160   3.2     8a43  je     8a90
 *                            …
 *
 * A line of source stands before its first instruction, wherever the line changes, with the name of
 * the function where that is not the subject. Instructions that did not run have no counts. Rows
 * that are left out are summed up as in annotation.h; the sums in the end tell the subject's own
 * cost from that of other functions whose instructions lie among its own.
 */

/* Writes the instructions. The listing needs no annotation. */
void disassembly_write(const struct disassembly *d, const struct annotation_listing *listing,
                       FILE *out);

#endif
