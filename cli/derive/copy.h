/*
 * copy.h - copies from a profile into a builder, and the sum of several profiles.
 *
 * Errors stay in the builder, as its header says.
 */
#ifndef DERIVE_COPY_H
#define DERIVE_COPY_H

#include "cprof.h"
#include "cprof_internal.h"

#include <stdbool.h>
#include <stddef.h>

/* Copies header, events, caches, parts, sections, warnings and summary. A relative `program`
 * becomes the full path of its object. */
void copy_header(struct builder *b, const struct cprof_profile *p);
/* Does the same without sections and the summary. */
void copy_about(struct builder *b, const struct cprof_profile *p);
/* Copies the sections that are wanted (NULL: all). The builder has the profile's events. */
void copy_sections(struct builder *b, const struct cprof_profile *p, const bool *wanted);
/* Copies what was counted of arguments. `contexts` has the builder's context for each of the
 * profile's (CPROF_NONE: it is left out); NULL: they are the same. */
void copy_arguments(struct builder *b, const struct cprof_profile *p, const uint32_t *contexts);
/* How data is copied: with miss curves; with all that is in contexts which are left out. */
enum { COPY_CURVES = 1, COPY_ALL_CONTEXTS = 2 };
/* Copies data that misses were put to. Each array has the builder's index for each of the
 * profile's (CPROF_NONE: it is left out); NULL: they are the same. */
void copy_data(struct builder *b, const struct cprof_profile *p, const uint32_t *contexts,
               const uint32_t *functions, const uint32_t *files, unsigned how);
/* Copies objects, files and functions. An empty builder gives them the same indices. */
void copy_names(struct builder *b, const struct cprof_profile *p);
/* Copies objects, functions, costs, contexts and calls, and what was counted of arguments. */
void copy_costs(struct builder *b, const struct cprof_profile *p);
/* Copies costs, contexts, calls and data of a profile whose objects and files have the same indices
 * in the builder; `functions` has the builder's of each function. */
void copy_records(struct builder *b, const struct cprof_profile *p, const uint32_t *functions);
/* Adds the costs of context `i` to one of the builder's; with a `function` (CPROF_NONE: each its
 * own) as costs of that, at no place. False: the builder has failed. */
bool copy_context_costs(struct builder *b, uint32_t context, const struct cprof_profile *p,
                        uint32_t i, uint32_t function);
/* Copies objects, functions, costs, calls and inclusive costs, of a profile whose contexts have
 * records of their own: after builder_costs_apart(). */
void copy_sums(struct builder *b, const struct cprof_profile *p);

/*--- Several profiles ---*/

/*
 * The sum of `n` >= 1 profiles with names. Functions of one object, file and name are one; an event
 * that a profile lacks counts 0 there. Call paths are kept where all profiles have them, and so are
 * inclusive costs that need no call edges. Command, caches, exit and the rule of repeated string
 * instructions are the first profile's; that a signal ended one of the programs holds for the sum.
 * Returns NULL with `error` filled where a sum exceeds 2^63-1.
 */
struct cprof_profile *merge_profiles(struct cprof_profile *const *profiles, size_t n,
                                     struct cprof_error *error);

#endif
