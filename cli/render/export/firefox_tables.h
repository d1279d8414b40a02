/*
 * firefox_tables.h - the tables of a profile of Firefox Profiler that its samples refer to:
 * strings, libraries, sources, functions, frames and stacks, each thing once.
 *
 * A frame is a function at a place of its code. Code that was inlined is a frame of its own, with
 * the address of the function that it was compiled into, and a depth from 1 on.
 */
#ifndef EXPORT_FIREFOX_TABLES_H
#define EXPORT_FIREFOX_TABLES_H

#include "render/export/export.h"
#include "render/export/pool.h"
#include "render/text/labels.h"

/* Numbers, from 0, of things that are used; they have other numbers in the profile. */
struct firefox_numbers {
    uint32_t n;
    uint32_t *numbers; /* by the profile's number; CPROF_NONE: not used */
    uint32_t *items;   /* the profile's number of each */
};

/* Kept in a pool: no padding. */
struct firefox_frame {
    uint64_t address;          /* in the object; 0: not known */
    uint32_t function, object; /* the profile's; the object may be CPROF_NONE */
    uint32_t file, line;       /* CPROF_NONE, 0: not known */
    uint32_t depth;            /* of inlining */
    uint32_t unused;           /* 0 */
};

struct firefox_tables {
    const struct cprof_profile *profile;
    const struct crates *crates;
    FILE *out;
    size_t flags; /* of its JSON (json_value.h) */
    struct labels labels;
    struct pool strings, frames, stacks, locations;
    struct firefox_numbers functions, files, objects;
    uint32_t *subcategories; /* by crate: its number in its category, from 1 */
};

void firefox_tables_load(struct firefox_tables *tables, const struct export *export, FILE *out);
void firefox_tables_free(struct firefox_tables *tables);

/* The stack with this frame on top of the stack `prefix`, which may be CPROF_NONE. */
uint32_t firefox_tables_push(struct firefox_tables *tables, uint32_t prefix,
                             const struct firefox_frame *frame);

/* Writes values of the document, without an end of line. All stacks have to be there. */
void firefox_tables_put_categories(struct firefox_tables *tables);
void firefox_tables_put_libs(struct firefox_tables *tables);
void firefox_tables_put_shared(struct firefox_tables *tables);

#endif
