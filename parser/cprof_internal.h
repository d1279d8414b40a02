/*
 * cprof_internal.h - the library for cargo-cprof itself: all that files of cli/ may use of it
 * beside cprof.h. Nothing here is installed, exported or stable. Every header of this folder but
 * these two is private to the library, where this one does not include it.
 *
 *   builder.h   makes a profile of others: names them, merges them, takes one thread out
 *   map.h       the hash table
 *   blocks.h    how often each context ran which instructions: a small part of its cost records
 *   paths.h     call paths, or what was inlined where
 *   samples.h   samples of perf, made a raw profile
 *   worker.h    a second thread
 */
#ifndef PARSER_CPROF_INTERNAL_H
#define PARSER_CPROF_INTERNAL_H

#include "blocks.h"
#include "builder.h"
#include "cprof.h"
#include "map.h"
#include "paths.h"
#include "samples.h"
#include "worker.h"

/* Returns from a comparison function for qsort() where two values differ. */
#define COMPARE(x, y)                  \
    do {                               \
        if ((x) != (y))                \
            return (x) < (y) ? -1 : 1; \
    } while (0)

/*
 * As cprof_load() and cprof_read(), but where it can be, the contexts of a raw profile get no cost
 * records: profile_blocks() has their costs. Such a profile is not for cprof_write().
 */
struct cprof_profile *profile_load_blocks(const char *path, unsigned flags,
                                          struct cprof_error *error);
struct cprof_profile *profile_read_blocks(const void *data, size_t size, const char *source,
                                          unsigned flags, struct cprof_error *error);

/* Tells if the file, unpacked where it is packed, begins with a text. */
int profile_file_begins(const char *path, const char *text);
/* Gives the bytes of a file, unpacked where it is packed, to `write`. 0; -1 with `error` filled. */
int profile_file_copy(const char *path, cprof_writer *write, void *to, struct cprof_error *error);

/*
 * The index of the cost record of `function` at `address`; where there is none, of the first behind
 * its place. For raw profiles, whose costs have neither files nor lines.
 */
uint32_t profile_find_cost(const struct cprof_profile *raw, uint32_t function, uint64_t address);

/* cprof_find_event() among `n` events. */
uint32_t profile_find_event(const struct cprof_event *events, uint32_t n, const char *name);
/* The text of a header field, NULL where the profile has none; the key is that of a field of texts
 * among HEADER_FIELDS (framed.h). */
const char *profile_header_text(const struct cprof_profile *profile, const char *key);

/* Takes the inclusive costs out of a profile, which must be its caller's alone. */
void profile_drop_inclusive(struct cprof_profile *profile);

/* Changes the name and the linkage name, or NULL, of a function; both are copied where they are not
 * its own. */
typedef void profile_new_name(const void *data, uint32_t function, const char **name,
                              const char **mangled);
/*
 * Gives the functions of a profile other names. It must be its caller's alone, and is gone: the
 * result, NULL with `error` filled when out of memory, stands for it, so nobody sees a profile
 * change. Nothing but the new names takes memory.
 */
struct cprof_profile *profile_rename(struct cprof_profile *profile, profile_new_name *new_name,
                                     const void *data, struct cprof_error *error);

#endif
