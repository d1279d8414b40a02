/*
 * builder.h - puts a profile together, for every reader and for all that makes one profile of
 * others, by naming, merging or folding.
 *
 * Life cycle: builder_new, any number of additions in any order, then builder_finish (which hands
 * the profile over and frees the builder) or builder_free. Strings are copied and interned. Equal
 * objects, files and functions get one index, equal cost and call records are added up: memory is
 * in proportion to distinct records, not to additions.
 *
 * Additions return an index (CPROF_NONE: failure), or 0 and -1. After a failure (out of memory, a
 * sum beyond 2^63-1) `error` is filled and every later call fails quickly, so a reader may check
 * once per line.
 */
#ifndef PARSER_BUILDER_H
#define PARSER_BUILDER_H

#include "cprof.h"

struct builder;

/* A builder that reports into `error` (kept, not copied), or NULL with `error` filled. */
struct builder *builder_new(struct cprof_error *error);
void builder_free(struct builder *b);
/* Reports into `error` from now on, which must hold the report so far. */
void builder_report_to(struct builder *b, struct cprof_error *error);

/* An interned copy of the `size` bytes at `text`: equal texts give equal pointers. NULL on failure.
 */
const char *builder_text(struct builder *b, const char *text, size_t size);

/* The profile under construction, for its plain header fields (format, creator, command, program,
 * pid, exit...); strings by builder_text(). */
struct cprof_profile *builder_header(struct builder *b);
/* Copies the fields of HEADER_FIELDS (framed.h). */
void builder_copy_header(struct builder *b, const struct cprof_profile *p);
/* Adds to the header's numbers of samples, up to INT64_MAX. */
void builder_lost_samples(struct builder *b, uint64_t taken, uint64_t lost);
/* Adds a text to a list of the header. */
enum builder_list { BUILDER_ARGUMENTS, BUILDER_SETUP, BUILDER_DESCRIPTIONS, BUILDER_LISTS };
int builder_add_text(struct builder *b, enum builder_list list, const char *text);
int builder_cache(struct builder *b, const struct cprof_cache *cache);
/* Adds a toggle where `index` is the number of toggles so far. Else the toggle at `index` gets the
 * greater of the two numbers if it has the same pattern, and stays as it is if not. */
int builder_toggle(struct builder *b, uint32_t index, const char *pattern, uint64_t n_functions);
/* Adds an option that names an allocation function, as builder_toggle() does a toggle. */
int builder_alloc_function(struct builder *b, uint32_t index, const char *text,
                           uint64_t n_functions);
/* The index of the counted argument that equals `arg` but for n_functions, whose greater number
 * holds; made if new. */
uint32_t builder_counted_arg(struct builder *b, const struct cprof_counted_arg *arg);
/* Adds calls to those of the same argument, context and value. The context is the builder's. */
int builder_arg_count(struct builder *b, const struct cprof_arg_count *count);
/* The index of the type that equals `type`, with its `members`, which first_member does not matter
 * for; made if new. */
uint32_t builder_type(struct builder *b, const struct cprof_type *type,
                      const struct cprof_member *members);
/* The index of the datum that equals `datum`; made if new. Its context, its function and its type
 * are the builder's. */
uint32_t builder_datum(struct builder *b, const struct cprof_datum *datum);
/* Adds misses to those of the same datum, context and place. */
int builder_touch(struct builder *b, const struct cprof_touch *touch);
/* The greatest common divisor of two strides; 0 divides nothing: of 0 and n it is n. */
uint64_t builder_divisor(uint64_t a, uint64_t b);
/*
 * Adds the sizes of miss curves, growing and not 0, before any part of these curves. Of the sizes
 * of several profiles those are kept that each of them knows, as it knows all beyond its last one.
 */
int builder_curve_sizes(struct builder *b, const uint64_t *sizes, size_t n);
/* Adds misses to those of the same datum, context, place, kind and size. */
int builder_reuse(struct builder *b, const struct cprof_reuse *reuse);
int builder_part(struct builder *b, const struct cprof_part *part);

/* The index of the event called `name`, made if new. An event may be added after costs: records
 * that were there count 0 of it. */
uint32_t builder_event(struct builder *b, const char *name);
/* The index of the event called exactly `name`, or CPROF_NONE. */
uint32_t builder_find_event(const struct builder *b, const char *name);
const char *builder_event_name(const struct builder *b, uint32_t event);
/* Gives an event its long name and formula; either may be NULL. */
int builder_event_describe(struct builder *b, uint32_t event, const char *long_name,
                           const char *formula);

/* Identity of an object: (path, build_id); build_id may be NULL. */
uint32_t builder_object(struct builder *b, const char *path, const char *build_id);
uint32_t builder_file(struct builder *b, const char *path);
/* Identity of a function: (object, file, name, mangled, address); file, object may be CPROF_NONE,
 * mangled NULL. The `line` of the first call is kept. A function keeps its index to the end. */
uint32_t builder_function_at(struct builder *b, const char *name, const char *mangled,
                             uint32_t object, uint32_t file, uint32_t line, uint64_t address);
/* builder_function_at() with address 0. */
uint32_t builder_function(struct builder *b, const char *name, const char *mangled, uint32_t object,
                          uint32_t file, uint32_t line);

/* Adds what is no part of a function's identity: that it was `inlined`, that its inclusive counts
 * are the least, `instances` but for 0, and `arguments` and `code` where it has none. */
int builder_function_traits(struct builder *b, uint32_t function,
                            const struct cprof_function *traits);
/* Adds to how often a function was entered where it was inlined. */
int builder_function_entered(struct builder *b, uint32_t function, uint64_t count, int least);
/* Says how often a line ran; numbers of one line add up. */
int builder_line_runs(struct builder *b, const struct cprof_line_runs *runs);

/* Hints that costs and calls of this function follow, in the order in which they came before. */
void builder_expect(struct builder *b, uint32_t function);
/* Adds counts, one for each event made so far, to the record that equals `cost`. */
int builder_cost(struct builder *b, const struct cprof_cost *cost, const int64_t *values);
/* Adds `call->count` calls and their inclusive counts to the record that equals `call` in all but
 * its count. */
int builder_call(struct builder *b, const struct cprof_call *call, const int64_t *values);
/* builder_call() for calls that all come by it, in the order of their callers: equal ones are not
 * searched for, but found by sorting the calls of each caller. */
int builder_next_call(struct builder *b, const struct cprof_call *call, const int64_t *values);
/*
 * Adds a context, even if an equal one is there; its parent must be there. It keeps its index to
 * the end. builder_finish() finds first_cost and n_costs. builder_context_cost() adds to the costs
 * of a context, and to those of the profile as builder_cost() does.
 */
uint32_t builder_context(struct builder *b, const struct cprof_context *context);
/* Adds `context->calls` to the context that is equal in all but its calls; without one, adds a
 * context. */
uint32_t builder_same_context(struct builder *b, const struct cprof_context *context);
/* Adds to the calls of a context. */
int builder_context_calls(struct builder *b, uint32_t context, uint64_t calls);
int builder_context_cost(struct builder *b, uint32_t context, const struct cprof_cost *cost,
                         const int64_t *values);
/* Makes builder_context_cost() add to contexts only, for a caller that knows the sums of all
 * contexts and adds them as costs of the profile by builder_cost(). */
void builder_costs_apart(struct builder *b);
/* builder_costs_apart(), of contexts that are no call paths, but what was inlined where: the
 * profile has none, and profile_paths() has them. */
void builder_contexts_inlined(struct builder *b);
/*
 * For files that do not say which objects callees are in: a callee without costs and calls becomes
 * the one function of its name and file that has some, in whatever object. It stays where there is
 * none, or more than one. Nothing may be added afterwards. 0 or -1.
 */
int builder_unite_callees(struct builder *b);
/* Adds to the inclusive counts of a function. A profile has these if this was ever called. */
int builder_inclusive(struct builder *b, uint32_t function, const int64_t *values);
/* The index of the section of this name, made if new. */
uint32_t builder_section(struct builder *b, const char *name);
const char *builder_section_name(const struct builder *b, uint32_t section);
/* Adds the numbers of entries, of `began` up to `crossed`. */
int builder_section_entries(struct builder *b, uint32_t section, const struct cprof_section *from);
int builder_section_cost(struct builder *b, uint32_t section, const int64_t *values);
int builder_section_spread(struct builder *b, uint32_t section, uint64_t cost, uint64_t entries);
/* The least and the greatest cost of an entry, where those of spreads are rounded. */
int builder_section_extremes(struct builder *b, uint32_t section, uint64_t least,
                             uint64_t greatest);
/* Makes all counts of the event so far zero. */
void builder_clear_event(struct builder *b, uint32_t event);
/* Adds counts to the totals that the file itself gives. */
int builder_summary(struct builder *b, const int64_t *values);

/* Adds a warning. Warnings of one text are counted as one, with the line of the first. */
int builder_warn(struct builder *b, unsigned long line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Sorts costs by (function, file, line, address), those of contexts by context first, and calls by
 * (caller, callee, site), computes totals, frees the builder and returns the profile, or NULL with
 * the error filled.
 */
struct cprof_profile *builder_finish(struct builder *b);

#endif
