/*
 * copy.h - from a profile into a builder. Errors stay in the builder, as its header says.
 */
#ifndef DERIVE_COPY_H
#define DERIVE_COPY_H

#include "cprof_internal.h"

#include <stdbool.h>

/* All that is neither objects, functions nor counts: header, events, caches, parts, warnings,
 * summary. `program` becomes the path of the object it is, where it was relative. */
void copy_header(struct builder *b, const struct cprof_profile *p);
/* The same without the summary. */
void copy_about(struct builder *b, const struct cprof_profile *p);
/* Objects, files and functions; a builder that has none yet gives them the indices they have. */
void copy_names(struct builder *b, const struct cprof_profile *p);
/* What a function's identity does not say: `from` tells it of `function` in the builder. */
void copy_traits(struct builder *b, uint32_t function, const struct cprof_function *from);
/* Objects, functions, costs, contexts and calls, as they are. */
void copy_costs(struct builder *b, const struct cprof_profile *p);

/*
 * Adds objects, functions, costs, calls and, if wanted, contexts and inclusive costs to those of
 * other profiles in the builder: what is equal is added up. All `n_events` events that the builder
 * will have, the profile's among them, must have been made before.
 */
void copy_merge(struct builder *b, const struct cprof_profile *p, uint32_t n_events, bool contexts,
                bool inclusive);

#endif
