/*
 * export.h - the standard files, for the tools that read them. Costs are exact; what the format
 * cannot hold (addresses in cachegrind.out) is left out. Returns 0, or -1 with errno where writing
 * failed.
 */
#ifndef OUT_EXPORT_H
#define OUT_EXPORT_H

#include <stdio.h>
#include "cprof.h"

/* callgrind.out as the callgrind manual's "Callgrind Format Specification" says, one part. */
int export_callgrind(const struct cprof_profile *profile, FILE *out);
/* cachegrind.out as cg_annotate reads it. */
int export_cachegrind(const struct cprof_profile *profile, FILE *out);

/* All of a profile, as doc/named.md says; cprof_load() reads it back as it is. */
int export_named(const struct cprof_profile *profile, FILE *out);

#endif
