/*
 * builder_private.h - inside of the builder. builder.c has its life cycle and all that has a name,
 * and makes the profile; builder_records.c has costs, calls and contexts; builder_data.c sections,
 * arguments of functions, data that misses with its types, and miss curves.
 */
#ifndef PARSER_BUILDER_PRIVATE_H
#define PARSER_BUILDER_PRIVATE_H

#include "arena.h"
#include "builder.h"
#include "error.h"
#include "map.h"
#include "profile.h"
#include "table.h"

struct text {
    const char *bytes; /* in the arena */
    size_t size;
};

/* The key of inclusive counts. */
struct inclusive_key {
    uint32_t function, zero;
};

/* A section, and what the file says of rounded costs. */
struct section_sums {
    struct cprof_section public;
    uint64_t least, greatest;
};

struct spread_sum {
    struct cprof_spread public;
    uint32_t section;
};

/* Costs that came one behind another for one context: records `first` up to the next run's. */
struct run {
    uint32_t context, first;
};

/*
 * Primary data structures: the profile that builder_finish() hands over, whose header is set in
 * place, and vectors of all that is in it, with maps that find equal elements. Texts are interned
 * first, so that all else is compared by pointers and indices.
 */
struct builder {
    struct cprof_error *error;
    struct profile *profile;
    uint64_t seed;
    struct vector texts, events, objects, files, functions;
    struct vector lists[BUILDER_LISTS]; /* const char * */
    struct vector caches, toggles, alloc_functions, parts, warnings;
    struct map text_map, object_map, file_map, function_map;
    struct vector contexts;
    struct vector context_child; /* of each context that was entered: uint32_t */
    struct map context_map;      /* of the others among these */
    struct sum_table costs, calls, inclusive;
    struct vector line_runs;
    struct vector sections, spreads;
    struct vector counted_args, arg_counts; /* as those of the profile, the latter in no order */
    struct vector data, touches;            /* the latter in no order */
    struct vector types, members;
    struct map data_map, type_map;
    struct vector curve_sizes, reuses; /* the latter in no order */
    struct sum_table section_costs;    /* by the section's index, as inclusive costs */
    struct sum_table context_costs;    /* in the order of `runs`; all but the last run are sorted */
    struct vector runs;
    int runs_apart;          /* not all in the order of contexts, or a context has several */
    int costs_apart;         /* builder_costs_apart() was called */
    int contexts_inlined;    /* builder_contexts_inlined() was called */
    uint32_t *order, *spare; /* to sort a run */
    uint32_t order_room;
    int calls_in_order;  /* calls came by builder_next_call() */
    uint32_t first_call; /* of the last caller, then */
    int64_t *summary;    /* one per event, or NULL */
};

/* Reports a failure. Always -1. */
static inline int builder_fail(struct builder *b, enum cprof_code code, const char *text)
{
    return error_set(b->error, code, "%s", text);
}

static inline int builder_out_of_memory(struct builder *b)
{
    return error_memory(b->error);
}

static inline int builder_failed(const struct builder *b)
{
    return b->error->code != CPROF_OK;
}

/* Copies a cost as a key of a table: its padding is zero. */
static inline void builder_copy_key(struct cprof_cost *to, const struct cprof_cost *from)
{
    _Static_assert(sizeof *to == 24 && offsetof(struct cprof_cost, address) == 16, "padding");
    memset(to, 0, sizeof *to);
    to->function = from->function;
    to->file = from->file;
    to->line = from->line;
    to->address = from->address;
}

/* Ends the calls of the last caller of builder_next_call(). 0 or -1. */
int builder_end_calls(struct builder *b);

/* Reports the result of a table: 0 or -1. */
int builder_report(struct builder *b, enum table_result result);

/* The row of the cost that is expected next, if `cost` is that; NULL: use builder_cost(). */
static inline int64_t *builder_expected_cost(struct builder *b, const struct cprof_cost *cost)
{
    struct sum_table *t = &b->costs;
    const struct cprof_cost *next;

    if (t->next >= t->count)
        return NULL;
    next = (const struct cprof_cost *)t->keys + t->next;
    if (next->line != cost->line || next->function != cost->function || next->file != cost->file ||
        next->address != cost->address)
        return NULL;
    return table_row(t, t->next++);
}

/* The row of the call that is expected next, if `call` is that and not inlined; its calls are
 * counted. NULL: use builder_call(). */
static inline int64_t *builder_expected_call(struct builder *b, const struct cprof_call *call)
{
    struct sum_table *t = &b->calls;
    struct cprof_call *next;

    if (t->next >= t->count)
        return NULL;
    next = (struct cprof_call *)t->keys + t->next;
    if (next->callee != call->callee || next->caller != call->caller || next->line != call->line ||
        next->file != call->file || next->address != call->address || next->inlined ||
        next->count + call->count > INT64_MAX)
        return NULL;
    next->count += call->count;
    return table_row(t, t->next++);
}

/* Adds counts to such a row. */
static inline int builder_add_row(struct builder *b, int64_t *row, const int64_t *values)
{
    return table_add_row(row, values, b->costs.width) ? builder_report(b, TABLE_OVERFLOW) : 0;
}

extern const struct table_class builder_context_class;

/* Makes the text one of the builder's; it may be NULL. 0 or -1. */
int builder_intern(struct builder *b, const char **text);
/* A new element of `size` bytes at the end of `v`, not cleared; NULL with the error set. */
void *builder_push(struct builder *b, struct vector *v, size_t size);
/* Adds a copy of an element at the end. 0, or -1 with the error set. */
int builder_add(struct builder *b, struct vector *v, const void *element, size_t size);
/* Life cycle of the tables, and their columns. */
void builder_start_records(struct builder *b);
int builder_widen_records(struct builder *b, uint32_t n_events);
/* Puts the costs of contexts in the order of contexts, and gives each context its first_cost and
 * n_costs. */
int builder_order_contexts(struct builder *b);
void builder_release_records(struct builder *b);
/* Hands the sections to the profile. 0 or -1. */
int builder_settle_sections(struct builder *b, struct cprof_profile *p);
/* Puts all that misses into sizes of caches that are kept. */
void builder_bound_reuses(struct builder *b);

/* Records in no order, of which equal ones become one when the profile is made. */
struct builder_sums {
    size_t size;
    int (*compare)(const void *a, const void *b);
    /* Adds a record to another one, or to the sum of all, in a record of zeros. -1: a number
     * exceeds 2^63-1. */
    int (*add)(void *to, const void *record);
    const char *excess; /* the message of that */
};
extern const struct builder_sums builder_spreads, builder_arg_counts, builder_touches,
    builder_reuses;
/* Sorts the records, and makes equal ones one. 0 or -1. */
int builder_unite(struct builder *b, struct vector *v, const struct builder_sums *sums);
/* The index of the element of `size` bytes that is equal to `*key`, added if there is none;
 * CPROF_NONE with the error set. */
uint32_t builder_unique(struct builder *b, struct vector *v, struct map *m, uint64_t mixed,
                        map_equal *equal, const void *key, size_t size);
/* The order of costs: function, file, line, address. */
int builder_compare_places(const void *a, const void *b);

#endif
