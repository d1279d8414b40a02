/*
 * disassembly.h - instructions with their costs, and the source lines that they are of.
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
#ifndef TEXT_DISASSEMBLY_H
#define TEXT_DISASSEMBLY_H

#include "annotate/disassembly.h"
#include "render/text/annotation.h"

#include <stdio.h>

/* Writes the instructions. The listing needs no annotation. */
void disassembly_write(const struct disassembly *d, const struct annotation_listing *listing,
                       FILE *out);

#endif
