/*
 * gperftools_raw.h - a processor profile of gperftools, made a raw profile, so that its addresses
 * get names.
 */
#ifndef RUN_GPERFTOOLS_RAW_H
#define RUN_GPERFTOOLS_RAW_H

#include "cprof.h"

#include <stdbool.h>
#include <stddef.h>

/* True, with the raw profile in memory that the caller frees, for such a profile that is whole;
 * any other is to be shown as it is. */
bool gperftools_raw(const struct cprof_profile *profile, char **bytes, size_t *size);

#endif
