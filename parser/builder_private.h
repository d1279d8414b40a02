/*
 * builder_private.h - inside of the builder: builder.c has its life and all that is named,
 * builder_records.c what is counted, builder_finish.c makes the profile.
 */
#ifndef PARSER_BUILDER_PRIVATE_H
#define PARSER_BUILDER_PRIVATE_H

#include "builder.h"
#include "error.h"
#include "map.h"
#include "profile.h"
#include "table.h"

/* A growing array of elements of `size` bytes. */
struct vector {
    void *data;
    size_t size;
    uint32_t count, room;
};

struct text {
    const char *bytes; /* in the arena */
    size_t size;
};

/* The key of a context's cost; `cost` is all that is left of it in the profile. */
struct context_cost {
    uint32_t context;
    struct cprof_cost cost;
};

/*
 * Primary data structures: the profile that will be handed over (header fields are set in place),
 * and vectors of everything in it with maps that find equal elements. Texts are interned first, so
 * that all other equality is that of pointers and indices.
 */
struct builder {
    struct cprof_error *error;
    struct profile *profile;
    uint64_t seed;
    struct vector texts, events, objects, files, functions;
    struct vector arguments, descriptions, caches, parts, warnings;
    struct map text_map, object_map, file_map, function_map;
    struct vector contexts;
    struct map context_map; /* of the first `n_mapped` contexts */
    uint32_t n_mapped;
    struct table costs, calls, context_costs, inclusive;
    struct table pending;     /* costs of one context, the last one that was added to */
    uint32_t pending_context; /* the contexts in the keys of `pending` are 0 */
    int64_t *summary;         /* one per event, or NULL */
};

/* Fails with `code`. Always -1. */
static inline int builder_fail(struct builder *b, enum cprof_code code, const char *text)
{
    return error_set(b->error, code, "%s", text);
}

static inline int builder_out_of_memory(struct builder *b)
{
    return builder_fail(b, CPROF_ERROR_MEMORY, "out of memory");
}

static inline int builder_failed(const struct builder *b)
{
    return b->error->code != CPROF_OK;
}

/* A new element at the end of `v`, not cleared; NULL with the error set. */
void *builder_push(struct builder *b, struct vector *v);
/* Sets the error that a table met: 0 or -1. */
int builder_report(struct builder *b, enum table_result result);
/* The tables' classes, event columns and memory. */
void builder_start_records(struct builder *b);
int builder_widen_records(struct builder *b, uint32_t n_events);
/* Takes what is pending to the costs of contexts. */
int builder_settle_pending(struct builder *b);
void builder_release_records(struct builder *b);

#endif
