/*
 * raw.h - inside of the reader of raw profiles. raw.c goes through the lines, and has their fields
 * and the "key: value" lines; raw_records.c has the records of the body but those of data, which
 * are in raw_data.c, and of call paths: raw_contexts.c has these, with the counts of basic blocks.
 */
#ifndef PARSER_RAW_H
#define PARSER_RAW_H

#include "arena.h"
#include "blocks.h"
#include "error.h"
#include "framed.h"
#include "map.h"
#include "worker.h"

struct raw_instruction {
    uint64_t address;
    unsigned char counts[BLOCK_EVENTS]; /* per execution of its basic block */
};

/* A basic block has the instructions from `first` up to `first + size`. */
struct raw_block {
    uint32_t object; /* index into `objects` */
    size_t first, size;
};

struct raw_object {
    uint32_t object;   /* in the profile */
    uint32_t function; /* "???" of all of it, CPROF_NONE until it is needed */
};

/* A function that begins at an address of an object. */
struct raw_function {
    uint64_t address;
    uint32_t object, function;
};

/* An "m" record; its counts are a row of `miss_rows`. */
struct raw_miss {
    uint64_t address;
    uint32_t object;
    uint32_t context; /* CPROF_NONE: of the whole program */
};

/* A context as its line has it, with fields that raw_batch_path() fills. */
struct raw_path {
    uint64_t address, site, calls;
    size_t first_run; /* where its runs begin in those of the batch */
    uint32_t parent;  /* its number in the file */
    uint32_t object;  /* of the profile */
    uint32_t hash;    /* of the function, in `functions` */
};

/* Contexts that were read and are not taken in yet. */
struct raw_batch {
    struct raw *reader;
    struct vector paths; /* struct raw_path */
    struct vector runs;  /* as those of struct raw; the first ones may be of the context
                                before */
};

/*
 * Primary data structure. The thread that reads puts call paths and their counts into a batch and
 * hands it over. Another thread takes it in while the next one is filled: half of the work is to
 * wait for memory. So the builder, functions, contexts, sums, runs and first_runs are the other
 * thread's until raw_catch_up().
 */
struct raw {
    struct reader r; /* first: framed_lines() knows no other */
    struct worker worker;
    int has_worker;
    struct raw_batch batches[WORKER_JOBS + 1];
    struct raw_batch *batch;   /* is filled; others are taken in */
    struct cprof_error behind; /* errors of the builder, and of taking batches in */
    struct vector objects, instructions, blocks, misses, miss_rows;
    struct vector sums;         /* int64_t: of each basic block, how often it ran in the program */
    struct vector runs;         /* uint32_t: struct block_run of contexts, with their counts */
    struct vector first_runs;   /* size_t: of each context; its end too once all were read */
    struct vector large;        /* int64_t: see BLOCK_LARGE */
    size_t run;                 /* where the last run begins in those of the batch, */
    uint32_t next_block;        /* and the basic block behind it; CPROF_NONE: there is none */
    struct vector counted_args; /* uint32_t: the builder's index */
    struct vector sections;     /* uint32_t: the builder's index */
    struct vector contexts;     /* uint32_t: the builder's index */
    struct vector data_files;   /* struct raw_data_file */
    struct vector data;         /* uint32_t: the builder's index */
    uint64_t data_sums[CPROF_DATA_EVENTS];     /* of all misses of data */
    struct vector curve_sizes;                 /* uint64_t */
    uint64_t reuse_sums[2][CPROF_REUSE_KINDS]; /* of places, and of data */
    struct set functions;                      /* struct raw_function, of the profile's objects */
    struct set names;                          /* struct raw_function, of `objects` */
    uint32_t spec_events[BLOCK_EVENTS];        /* CPROF_NONE: not counted in this file */
    uint32_t every_event[READER_MAX_EVENTS];   /* the columns of "i" and "e" records */
    uint32_t n_every;
    uint32_t heap_event[READER_MAX_EVENTS]; /* those of the heap's records */
    uint32_t n_heap_peaks;                  /* "heap-peak" lines so far */
    uint64_t heap_peak;                     /* the highest so far, in bytes */
    int is_below_peak; /* this profile's peak is not the highest, and does not count */
    uint32_t n_heap;
    uint32_t n_contexts;                   /* the last one is that of "k" and "m" records */
    uint64_t keys_seen;                    /* a bit for each */
    uint32_t n_toggles, n_alloc_functions; /* lines of these so far */
    int has_data, has_line_use;
    int have_counts; /* a "k" or "m" record was seen */
    int in_body, have_end;
    int may_keep_blocks; /* contexts need no cost records, */
    int keep_blocks;     /* and get none */
    /* Where a file has several profiles: how many stand before this one, in how many lines, and if
     * they have call paths, and miss curves. All else here but the builder is of this one alone. */
    uint32_t n_before;
    unsigned long lines_before;
    int contexts_before, curves_before;
    struct cprof_part part;
    uint64_t cut[3]; /* of CP_KEY_CUT, for the warnings of CP_KEY_SAMPLED */
};

/* A new element of `size` bytes, not cleared, or NULL with the error set. */
void *raw_push(struct raw *w, struct vector *v, size_t size);
/* Room for `n` elements of `size` bytes behind the last; `data` moves. 0 or -1. */
static inline int raw_reserve(struct raw *w, struct vector *v, size_t n, size_t size)
{
    return vector_reserve(v, n, size) ? error_memory(w->r.error) : 0;
}
/* Room for an element, for the thread that takes batches in: errors go to `behind`. */
void *raw_push_behind(struct raw *w, struct vector *v, size_t size);
int raw_reserve_behind(struct raw *w, struct vector *v, size_t n, size_t size);

/* Notes the name of the function at an address. The first name holds: an instruction of several
 * blocks has several. */
int raw_add_name(struct raw *w, uint32_t object, uint64_t address, const char *name);
/* Adds a number of misses, or the like, to a sum. 0, or -1 with the error set. */
int raw_add_count(struct raw *w, const char **at, uint64_t *n, uint64_t *sum);
/* The number of a definition: they count from 0. */
int raw_new_id(struct raw *w, const char **at, size_t count, const char *what);
/* framed_id(), or '-' for none: CPROF_NONE. */
int raw_id_or_none(struct raw *w, const char **at, size_t count, const char *what, uint32_t *id);
/* OBJECT ADDRESS: a function. SITEOBJECT SITE: a call, "- 0" for a jump. */
int raw_function(struct raw *w, const char **at, uint32_t *function);
int raw_site(struct raw *w, const char **at, uint64_t *site);
/* Counts up to the end of the line, at least one, into `row` of the reader; `columns` has
 * their events. The others are 0. */
int raw_counts(struct raw *w, const char *at, const uint32_t *columns, uint32_t n_columns);
/* Fails where the line goes on. */
int raw_end(struct raw *w, const char *at);

/* Reads the value of a key: an option that counts an argument. */
int raw_count_arg_key(struct raw *w, const char *at);
/* Readers of the records of the body, by their letters; `at` is behind the letter. */
#define RAW_RECORDS(X)                                  \
    X(CP_REC_OBJECT, raw_object_record)                 \
    X(CP_REC_RANGE, raw_range_record)                   \
    X(CP_REC_BLOCK, raw_block_record)                   \
    X(CP_REC_COUNT, raw_count_record)                   \
    X(CP_REC_MISSES, raw_miss_record)                   \
    X(CP_REC_HEAP, raw_heap_record)                     \
    X(CP_REC_HEAP_INCLUSIVE, raw_heap_inclusive_record) \
    X(CP_REC_HEAP_EDGE, raw_heap_edge_record)           \
    X(CP_REC_HEAP_SECTION, raw_heap_section_record)     \
    X(CP_REC_DATA_FILE, raw_data_file_record)           \
    X(CP_REC_DATA, raw_datum_record)                    \
    X(CP_REC_TOUCH, raw_touch_record)                   \
    X(CP_REC_CURVE, raw_curve_record)                   \
    X(CP_REC_DATA_CURVE, raw_data_curve_record)         \
    X(CP_REC_NAME, raw_name_record)                     \
    X(CP_REC_KEPT_NAME, raw_kept_name_record)           \
    X(CP_REC_CONTEXT, raw_context_record)               \
    X(CP_REC_ROOT, raw_root_record)                     \
    X(CP_REC_INCLUSIVE, raw_inclusive_record)           \
    X(CP_REC_EDGE, raw_edge_record)                     \
    X(CP_REC_SECTION, raw_section_record)               \
    X(CP_REC_SECTION_COST, raw_section_cost_record)     \
    X(CP_REC_SPREAD, raw_spread_record)                 \
    X(CP_REC_EXTREMES, raw_extremes_record)             \
    X(CP_REC_ENTERED, raw_entered_record)               \
    X(CP_REC_ARGUMENTS, raw_arguments_record)
#define DECLARE(letter, read) int read(struct raw *w, const char *at);
RAW_RECORDS(DECLARE)
#undef DECLARE

/* Reads counts of a `line` of which only the letter and a blank were looked at, and which may go
 * beyond `end`: without a search for its newline. 1; 0 where it is odd, and nothing was taken; -1.
 */
int raw_quick_counts(struct raw *w, const char *line, const char *end);
int raw_quick_context(struct raw *w, const char *line, const char *end);
int raw_quick_block(struct raw *w, const char *line, const char *end);
/* The function of samples that begins at `address`, which is called so where it is new. */
uint32_t raw_named_function(struct raw *w, uint32_t object, uint64_t address, const char *name);
/* The hash of a function at an address of an object. */
static inline uint32_t raw_function_hash(uint32_t object, uint64_t address)
{
    return map_hash(map_mix(object, address));
}
/* Adds a context under `parent`, a number of the file. 0 or -1. */
int raw_add_context(struct raw *w, uint32_t parent, struct cprof_context *context);

void raw_begin_batches(struct raw *w);
/* Takes in all that was read. 0 or -1. */
int raw_catch_up(struct raw *w);
/* Waits for the other thread: afterwards the reader's own arrays may move. */
void raw_wait(struct raw *w);
void raw_release_batches(struct raw *w);

/* The counts that follow are of one more context. */
int raw_begin_counts(struct raw *w);
/* Each reads the value of a key. */
int raw_heap_events_key(struct raw *w, const char *at);
int raw_heap_key(struct raw *w, const char *at);
int raw_heap_peak_key(struct raw *w, const char *at);
int raw_data_key(struct raw *w, const char *at);
int raw_line_use_key(struct raw *w, const char *at);
int raw_check_data(struct raw *w);
int raw_curve_sizes_key(struct raw *w, const char *at);
int raw_check_curves(struct raw *w);
/* BUILDID|- PATH up to the end of the line. No build id is NULL. */
int raw_build_id_and_path(struct raw *w, const char *at, const char **build_id, const char **path);
/* The function of the costs at an address, or CPROF_NONE. */
uint32_t raw_place_function(struct raw *w, uint32_t object, uint64_t address);
/* ID PARENT: the first fields of all contexts. */
int raw_context_ids(struct raw *w, const char **at, uint32_t *parent);

/* Makes cost records of all basic blocks, counts and misses; without `contexts` only those of the
 * whole program. */
int raw_expand(struct raw *w, int contexts);
/* Hands the counts of contexts to the profile, where contexts have no cost records. */
int raw_keep_blocks(struct raw *w, struct cprof_profile *profile);

#endif
