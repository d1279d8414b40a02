#include <config.h>

/* The lines of a raw profile that have call paths, and the counts of their basic blocks. */
#include "cprof_internal.h"
#include "profile.h"
#include "raw.h"

#include <stdlib.h>

/*--- Counts of basic blocks ---*/

/* Counts are most of a profile of call paths. Those of the program are added up, those of a context
 * are kept as runs (blocks.h). */

/* A run goes on over so many basic blocks that did not run: a new one takes two words. */
enum { GAP_MAX = 2 };

/* The word of a count that does not fit its place; 0 with the error set. */
static uint32_t add_large(struct raw *w, int64_t count)
{
    int64_t *new = NULL;

    if (w->large.count == w->large.room)
        raw_wait(w);
    if (w->large.count < BLOCK_LARGE)
        new = raw_push(w, &w->large, sizeof *new);
    if (!new) {
        error_memory(w->r.error);
        return 0;
    }
    *new = count;
    return (uint32_t)(w->large.count - 1) | BLOCK_LARGE;
}

/* Adds a count to the last run of the context, or to one that begins here. */
static inline int add_to_context(struct raw *w, uint32_t block, int64_t count)
{
    struct vector *runs = &w->batch->runs;
    uint32_t word = count < BLOCK_LARGE ? (uint32_t)count : add_large(w, count), *words;

    if (!word || raw_reserve(w, runs, GAP_MAX + 3, sizeof *words))
        return -1;
    words = (uint32_t *)runs->data + runs->count;
    if (w->next_block == CPROF_NONE || block - w->next_block > GAP_MAX) {
        w->run = runs->count;
        w->next_block = block;
        *words++ = block;
        *words++ = 0;
    }
    for (; w->next_block < block; w->next_block++)
        *words++ = 0;
    *words++ = word;
    w->next_block++;
    runs->count = (size_t)(words - (uint32_t *)runs->data);
    ((uint32_t *)runs->data)[w->run + 1] = (uint32_t)(runs->count - w->run - 2);
    return 0;
}

static int add_to_program(struct raw *w, uint32_t block, int64_t count)
{
    int64_t *sum = (int64_t *)w->sums.data + block;

    return __builtin_add_overflow(*sum, count, sum)
               ? reader_fail(&w->r, CPROF_ERROR_RANGE, NULL,
                             "count of basic block %u exceeds 2^63-1", (unsigned)block)
               : 0;
}

int raw_begin_counts(struct raw *w)
{
    size_t *new = raw_push_behind(w, &w->first_runs, sizeof *new);

    if (!new)
        return -1;
    *new = w->runs.count;
    w->next_block = CPROF_NONE;
    return 0;
}

/* Reads counts up to the end of the line, of `block` and the blocks that follow it. */
static int read_counts(struct raw *w, const char *at, uint32_t block)
{
    while (at < w->r.end) {
        uint64_t count;

        if (block == w->blocks.count)
            return reader_fail(&w->r, CPROF_ERROR_SYNTAX, at, "basic block %u is not defined",
                               (unsigned)block);
        if (framed_count(&w->r, &at, &count) ||
            (w->n_contexts ? count && add_to_context(w, block, (int64_t)count)
                           : add_to_program(w, block, (int64_t)count)))
            return -1;
        block++;
    }
    return 0;
}

int raw_count_record(struct raw *w, const char *at)
{
    uint32_t block;

    if (framed_id(&w->r, &at, w->blocks.count, "basic block", &block))
        return -1;
    if (at == w->r.end)
        return framed_bad(&w->r, at, "number is missing");
    w->have_counts = 1;
    return read_counts(w, at, block);
}

/* Takes counts that go on in the last run, up to the first odd one, or the last of the line.
 * Returns where that begins. */
static inline const char *quick_run(struct raw *w, const char *at, const char *end, uint32_t *block)
{
    struct vector *runs = &w->batch->runs;
    uint32_t *words = runs->data, *first = words + runs->count, *next = first;
    size_t room = runs->room - runs->count, left = w->blocks.count - *block;
    const uint32_t *stop = first + (room < left ? room : left);

    while (next < stop) {
        uint64_t count;
        const char *behind = lex_quick_decimal(at, end, &count);

        if (!behind || behind == end || *behind != ' ' || !count || count >= BLOCK_LARGE)
            break;
        *next++ = (uint32_t)count;
        at = behind + 1;
    }
    runs->count += (size_t)(next - first);
    words[w->run + 1] += (uint32_t)(next - first);
    *block += (uint32_t)(next - first);
    w->next_block = *block;
    return at;
}

/* Takes counts from `at` on, of *block and the blocks that follow it. Returns the newline behind
 * them, or the first count that is odd or not all at hand; NULL with the error set. */
static const char *quick_counts(struct raw *w, const char *at, const char *end, uint32_t *block)
{
    for (;;) {
        uint64_t count;
        const char *behind = lex_quick_decimal(at, end, &count);

        if (!behind || behind == end || (*behind != ' ' && *behind != '\n') ||
            *block == w->blocks.count)
            return at;
        if (count && add_to_context(w, *block, (int64_t)count))
            return NULL;
        ++*block;
        if (*behind == '\n')
            return behind;
        at = behind + 1;
        if (*block == w->next_block)
            at = quick_run(w, at, end, block);
    }
}

/* Reads the rest of the next line, from `offset` on: the bytes at hand may move with it. */
static int read_rest(struct raw *w, size_t offset, uint32_t block)
{
    if (reader_next(&w->r) <= 0 || framed_whole_line(&w->r))
        return -1;
    return read_counts(w, w->r.line + offset, block);
}

int raw_quick_counts(struct raw *w, const char *line, const char *end)
{
    uint64_t first;
    uint32_t block;
    const char *at = lex_quick_field(line + 2, end, &first);

    if (!at || first >= w->blocks.count || !w->n_contexts)
        return 0;
    block = (uint32_t)first;
    at = quick_counts(w, at, end, &block);
    if (!at)
        return -1;
    w->have_counts = 1;
    if (at == end || *at != '\n')
        return read_rest(w, (size_t)(at - line), block) ? -1 : 1;
    input_take(w->r.in, at + 1, 1);
    return 1;
}

/*--- Call paths ---*/

static int equal_function(const void *owner, uint32_t index, const void *key)
{
    const struct raw_function *a = (const struct raw_function *)owner + index, *b = key;

    return a->address == b->address && a->object == b->object;
}

/* The function of that beginning; made if new, with that name. CPROF_NONE: failed. */
static uint32_t function_called(struct raw *w, uint32_t object, uint64_t address, uint32_t hash,
                                const char *name)
{
    struct raw_function key = {address, object, CPROF_NONE}, *found;
    uint32_t index = set_put(&w->functions, hash, equal_function, &key, sizeof key);

    if (index == MAP_NONE) {
        error_memory(&w->behind);
        return CPROF_NONE;
    }
    found = (struct raw_function *)w->functions.items.data + index;
    if (found->function == CPROF_NONE)
        found->function =
            builder_function_at(w->r.builder, name, NULL, object, CPROF_NONE, 0, address);
    return found->function;
}

/* The function "???" that begins at `address` of an object of the profile. The builder would find
 * it too, but slower. CPROF_NONE: failed. */
static uint32_t raw_function_at(struct raw *w, uint32_t object, uint64_t address, uint32_t hash)
{
    return function_called(w, object, address, hash, "???");
}

uint32_t raw_named_function(struct raw *w, uint32_t object, uint64_t address, const char *name)
{
    return function_called(w, object, address, raw_function_hash(object, address), name);
}

/* OBJECT ADDRESS; the object that comes out is the profile's. */
static int read_place(struct raw *w, const char **at, uint32_t *object, uint64_t *address)
{
    if (framed_id(&w->r, at, w->objects.count, "object", object) ||
        framed_address(&w->r, at, address))
        return -1;
    *object = ((const struct raw_object *)w->objects.data)[*object].object;
    return 0;
}

int raw_function(struct raw *w, const char **at, uint32_t *function)
{
    uint32_t object;
    uint64_t address;

    if (read_place(w, at, &object, &address))
        return -1;
    *function = raw_function_at(w, object, address, raw_function_hash(object, address));
    return *function == CPROF_NONE ? -1 : 0;
}

/* The object is the caller's, and not kept. */
int raw_site(struct raw *w, const char **at, uint64_t *site)
{
    uint32_t object;
    const char *start;

    if (raw_id_or_none(w, at, w->objects.count, "object", &object))
        return -1;
    start = *at;
    if (framed_address(&w->r, at, site))
        return -1;
    return object == CPROF_NONE && *site ? framed_bad(&w->r, start, "a site without an object is 0")
                                         : 0;
}

int raw_context_ids(struct raw *w, const char **at, uint32_t *parent)
{
    if (!w->n_contexts && w->have_counts)
        return framed_bad(&w->r, NULL, "a context after counts that stand under none");
    return raw_new_id(w, at, w->n_contexts, "context") ||
                   raw_id_or_none(w, at, w->n_contexts, "context", parent)
               ? -1
               : 0;
}

int raw_add_context(struct raw *w, uint32_t parent, struct cprof_context *context)
{
    uint32_t *index = raw_push_behind(w, &w->contexts, sizeof *index);

    if (!index)
        return -1;
    context->parent =
        parent == CPROF_NONE ? CPROF_NONE : ((const uint32_t *)w->contexts.data)[parent];
    context->site_file = CPROF_NONE;
    *index = w->n_before ? builder_same_context(w->r.builder, context)
                         : builder_context(w->r.builder, context);
    return *index == CPROF_NONE ? -1 : 0;
}

/* Adds a path; the counts that follow are its. 0 or -1. */
static int raw_batch_path(struct raw *w, const struct raw_path *path);

int raw_quick_context(struct raw *w, const char *line, const char *end)
{
    const struct raw_object *objects = w->objects.data;
    struct raw_path path;
    uint64_t id, parent, object, site_object;
    const char *at = lex_quick_field(line + 2, end, &id);

    if (!at || id != w->n_contexts || !(at = lex_quick_field(at, end, &parent)) || parent >= id ||
        !(at = lex_quick_field(at, end, &object)) || object >= w->objects.count ||
        !(at = lex_quick_hex_field(at, end, &path.address)) ||
        !(at = lex_quick_field(at, end, &site_object)) || site_object >= w->objects.count ||
        !(at = lex_quick_hex_field(at, end, &path.site)) ||
        !(at = lex_quick_decimal(at, end, &path.calls)) || at == end || *at != '\n')
        return 0;
    input_take(w->r.in, at + 1, 1);
    path.parent = (uint32_t)parent;
    path.object = objects[object].object;
    return raw_batch_path(w, &path) ? -1 : 1;
}

int raw_context_record(struct raw *w, const char *at)
{
    struct raw_path path;

    return raw_context_ids(w, &at, &path.parent) ||
                   read_place(w, &at, &path.object, &path.address) ||
                   raw_site(w, &at, &path.site) || framed_count(&w->r, &at, &path.calls) ||
                   raw_end(w, at)
               ? -1
               : raw_batch_path(w, &path);
}

int raw_root_record(struct raw *w, const char *at)
{
    struct cprof_context context = {.calls = 0};
    uint32_t parent;
    const char *name;

    if (raw_context_ids(w, &at, &parent))
        return -1;
    if (at == w->r.end)
        return framed_bad(&w->r, at, "name is missing");
    if (!(name = framed_text(&w->r, at, w->r.end)))
        return -1;
    context.function = builder_function(w->r.builder, name, NULL, CPROF_NONE, CPROF_NONE, 0);
    if (context.function == CPROF_NONE || raw_add_context(w, parent, &context))
        return -1;
    w->n_contexts++;
    return raw_begin_counts(w);
}

int raw_inclusive_record(struct raw *w, const char *at)
{
    uint32_t function;

    if (raw_function(w, &at, &function) || raw_counts(w, at, w->every_event, w->n_every))
        return -1;
    return builder_inclusive(w->r.builder, function, w->r.row);
}

int raw_edge_record(struct raw *w, const char *at)
{
    struct cprof_call call = {.file = CPROF_NONE};

    if (raw_function(w, &at, &call.caller) || raw_function(w, &at, &call.callee) ||
        raw_site(w, &at, &call.address) || framed_count(&w->r, &at, &call.count) ||
        raw_counts(w, at, w->every_event, w->n_every))
        return -1;
    return builder_call(w->r.builder, &call, w->r.row);
}

/*--- The second thread ---*/

/*
 * A second thread takes in call paths and their counts: it finds functions and adds up basic
 * blocks, which touches memory all over.
 */

/* Paths of a batch: enough to be worth handing over, and few enough to stay in the processor's
 * caches. */
enum { BATCH_PATHS = 2048 };

/* Runs and paths are about memory all over, so it is fetched for one that comes so much later. */
enum { AHEAD = 16 };

/* Adds the counts of runs up. */
static int add_sums(struct raw *w, const struct block_run *run, const struct block_run *end)
{
    const struct blocks s = {.large = w->large.data}; /* the rest is the reader's */
    const struct block_run *ahead = run;
    int64_t *sums = w->sums.data;

    for (int i = 0; i < AHEAD && ahead < end; i++)
        ahead = block_next(ahead);
    for (; run < end; run = block_next(run)) {
        if (ahead < end) {
            __builtin_prefetch(&sums[ahead->first], 1);
            __builtin_prefetch(&sums[ahead->first + ahead->size - 1], 1);
            ahead = block_next(ahead);
        }
        for (uint32_t i = 0; i < run->size; i++) {
            int64_t *sum = &sums[run->first + i];
            if (__builtin_add_overflow(*sum, block_count(&s, run, i), sum))
                return error_set(&w->behind, CPROF_ERROR_RANGE, "a sum of counts exceeds 2^63-1");
        }
    }
    return 0;
}

static int take_runs(struct raw *w, const struct vector *from)
{
    uint32_t *to;

    if (!from->count)
        return 0;
    if (raw_reserve_behind(w, &w->runs, from->count, sizeof *to))
        return -1;
    to = (uint32_t *)w->runs.data + w->runs.count;
    memcpy(to, from->data, from->count * sizeof *to);
    w->runs.count += from->count;
    return add_sums(w, (const struct block_run *)to, (const struct block_run *)(to + from->count));
}

static int take_paths(struct raw *w, const struct raw_path *paths, size_t n)
{
    size_t before = w->runs.count, *first;

    for (size_t i = 0; i < n; i++) {
        const struct raw_path *path = &paths[i];
        struct cprof_context context = {.site = path->site, .calls = path->calls};

        if (i + AHEAD < n)
            map_prefetch(&w->functions.map, paths[i + AHEAD].hash);
        context.function = raw_function_at(w, path->object, path->address, path->hash);
        if (context.function == CPROF_NONE || raw_add_context(w, path->parent, &context) ||
            !(first = raw_push_behind(w, &w->first_runs, sizeof *first)))
            return -1;
        *first = before + path->first_run;
    }
    return 0;
}

static void take(void *data)
{
    struct raw_batch *batch = data;
    struct raw *w = batch->reader;

    if (w->behind.code == CPROF_OK && !take_paths(w, batch->paths.data, batch->paths.count))
        (void)take_runs(w, &batch->runs);
    batch->paths.count = batch->runs.count = 0;
}

static void hand_over(struct raw *w)
{
    if (!w->has_worker)
        worker_begin(&w->worker);
    w->has_worker = 1;
    worker_do(&w->worker, take, w->batch);
    if (++w->batch > w->batches + WORKER_JOBS)
        w->batch = w->batches;
}

static int raw_batch_path(struct raw *w, const struct raw_path *path)
{
    struct raw_path *new;

    if (w->batch->paths.count == BATCH_PATHS)
        hand_over(w);
    if (!(new = raw_push(w, &w->batch->paths, sizeof *new)))
        return -1;
    *new = *path;
    new->hash = raw_function_hash(path->object, path->address);
    new->first_run = w->batch->runs.count;
    w->next_block = CPROF_NONE;
    w->n_contexts++;
    return 0;
}

void raw_begin_batches(struct raw *w)
{
    for (int i = 0; i <= WORKER_JOBS; i++)
        w->batches[i].reader = w;
    w->batch = w->batches;
}

int raw_catch_up(struct raw *w)
{
    if (!w->n_contexts)
        return 0;
    raw_wait(w);
    take(w->batch);
    w->next_block = CPROF_NONE; /* the batch is empty */
    return w->behind.code == CPROF_OK ? 0 : -1;
}

void raw_wait(struct raw *w)
{
    if (w->has_worker)
        worker_wait(&w->worker);
}

void raw_release_batches(struct raw *w)
{
    if (w->has_worker)
        worker_end(&w->worker);
    for (int i = 0; i <= WORKER_JOBS; i++) {
        free(w->batches[i].paths.data);
        free(w->batches[i].runs.data);
    }
}

/*--- Cost records of basic blocks ---*/

/* The index of the cost record of an address that ran: mostly it follows the one before. */
static uint32_t find_cost(const struct cprof_profile *p, uint32_t function, uint64_t address,
                          uint32_t before)
{
    const struct cprof_cost *next = &p->costs[before + 1];

    return before + 1 < p->n_costs && next->function == function && next->address == address
               ? before + 1
               : profile_find_cost(p, function, address);
}

static void make_blocks(struct raw *w, const struct cprof_profile *p, struct block *blocks,
                        struct block_instruction *instructions)
{
    const struct raw_block *from = w->blocks.data;
    const struct raw_instruction *in = w->instructions.data;
    const int64_t *sums = w->sums.data;
    uint32_t cost = 0;
    size_t n = 0;

    for (size_t i = 0; i < w->blocks.count; i++) {
        uint32_t function = ((const struct raw_object *)w->objects.data)[from[i].object].function;

        blocks[i] = (struct block){n, sums[i] ? from[i].size : 0};
        for (size_t k = from[i].first; k < from[i].first + blocks[i].size; k++) {
            cost = find_cost(p, function, in[k].address, cost);
            instructions[n].cost = cost;
            memcpy(instructions[n++].counts, in[k].counts, sizeof in[k].counts);
        }
    }
}

static void make_misses(struct raw *w, const struct cprof_profile *p, struct block_miss *misses)
{
    const struct raw_miss *from = w->misses.data;
    uint32_t cost = 0;

    for (size_t i = 0; i < w->misses.count; i++) {
        uint32_t function = ((const struct raw_object *)w->objects.data)[from[i].object].function;

        cost = find_cost(p, function, from[i].address, cost);
        misses[i] = (struct block_miss){from[i].context, cost};
    }
}

/* The counts of all contexts, after all were read. The arrays are those of `w`. */
static struct blocks raw_blocks(const struct raw *w)
{
    struct blocks s = {.n_blocks = w->blocks.count,
                       .n_misses = w->misses.count,
                       .runs = w->runs.data,
                       .first_runs = w->first_runs.data,
                       .large = w->large.data,
                       .miss_values = w->miss_rows.data};

    memcpy(s.events, w->spec_events, sizeof s.events);
    return s;
}

int raw_keep_blocks(struct raw *w, struct cprof_profile *profile)
{
    struct profile *p = (struct profile *)profile;
    struct blocks *s = arena_alloc(&p->arena, sizeof *s);
    struct block *blocks = malloc((w->blocks.count + 1) * sizeof *blocks);
    struct block_instruction *in = malloc((w->instructions.count + 1) * sizeof *in);
    struct block_miss *misses = malloc((w->misses.count + 1) * sizeof *misses);
    struct blocks kept;
    void *memory[] = {blocks,           in, misses, w->runs.data, w->first_runs.data, w->large.data,
                      w->miss_rows.data};

    _Static_assert(sizeof memory == sizeof p->block_memory, "memory");
    memcpy(p->block_memory, memory, sizeof memory);
    kept = raw_blocks(w);
    w->runs.data = w->first_runs.data = w->large.data = w->miss_rows.data = NULL;
    if (!s || !blocks || !in || !misses)
        return error_memory(w->r.error);
    make_blocks(w, profile, blocks, in);
    make_misses(w, profile, misses);
    kept.blocks = blocks;
    kept.instructions = in;
    kept.misses = misses;
    *s = kept;
    p->blocks = s;
    return 0;
}

const struct blocks *profile_blocks(const struct cprof_profile *profile)
{
    return ((const struct profile *)profile)->blocks;
}

/*--- Expanding ---*/

int raw_add_name(struct raw *w, uint32_t object, uint64_t address, const char *name)
{
    const struct raw_object *o = (const struct raw_object *)w->objects.data + object;
    struct raw_function key = {address, object, CPROF_NONE}, *new;
    uint32_t index =
        set_put(&w->names, raw_function_hash(object, address), equal_function, &key, sizeof key);

    if (index == MAP_NONE)
        return error_memory(w->r.error);
    new = (struct raw_function *)w->names.items.data + index;
    if (new->function != CPROF_NONE)
        return 0;
    /* With samples it is the function itself, and contexts are of it. */
    new->function = builder_header(w->r.builder)->sampled
                        ? raw_named_function(w, o->object, address, name)
                        : builder_function(w->r.builder, name, NULL, o->object, CPROF_NONE, 0);
    return new->function == CPROF_NONE ? -1 : 0;
}

/* The function of an address: the one named there, or the object's "???". */
uint32_t raw_place_function(struct raw *w, uint32_t object, uint64_t address)
{
    struct raw_object *o = (struct raw_object *)w->objects.data + object;
    struct raw_function key = {address, object, CPROF_NONE};
    uint32_t found = w->names.items.count
                         ? map_find(&w->names.map, raw_function_hash(object, address),
                                    equal_function, w->names.items.data, &key)
                         : MAP_NONE;

    if (found != MAP_NONE)
        return ((const struct raw_function *)w->names.items.data)[found].function;
    if (o->function == CPROF_NONE)
        o->function = builder_function(w->r.builder, "???", NULL, o->object, CPROF_NONE, 0);
    return o->function;
}

/* Adds to the cost of an instruction, in a context or (CPROF_NONE) in the whole program. */
static int book(struct raw *w, uint32_t context, uint32_t object, uint64_t address,
                const int64_t *row)
{
    struct cprof_cost cost = {
        .function = raw_place_function(w, object, address), .file = CPROF_NONE, .address = address};

    if (cost.function == CPROF_NONE)
        return -1;
    return context == CPROF_NONE ? builder_cost(w->r.builder, &cost, row)
                                 : builder_context_cost(w->r.builder, context, &cost, row);
}

/* Books `count` executions of a basic block. */
static int expand_block(struct raw *w, uint32_t context, const struct raw_block *block,
                        int64_t count)
{
    const struct raw_instruction *in = w->instructions.data;

    for (size_t i = block->first; i < block->first + block->size; i++) {
        memset(w->r.row, 0, w->r.n_events * sizeof *w->r.row);
        for (size_t k = 0; k < BLOCK_EVENTS; k++) {
            uint32_t event = w->spec_events[k];
            if (event != CPROF_NONE &&
                __builtin_mul_overflow(count, in[i].counts[k], &w->r.row[event]))
                return error_set(w->r.error, CPROF_ERROR_RANGE,
                                 "a count of a basic block exceeds 2^63-1");
        }
        if (book(w, context, block->object, in[i].address, w->r.row))
            return -1;
    }
    return 0;
}

static int expand_miss(struct raw *w, uint32_t context, size_t i)
{
    const struct raw_miss *miss = (const struct raw_miss *)w->misses.data + i;

    return book(w, context, miss->object, miss->address,
                (const int64_t *)w->miss_rows.data + i * w->r.n_events);
}

/* Books the basic blocks of one context; `index` is the builder's. */
static int expand_runs(struct raw *w, const struct blocks *s, uint32_t context, uint32_t index)
{
    const struct raw_block *blocks = w->blocks.data;
    const struct block_run *run = blocks_first(s, context), *end = blocks_end(s, context);

    for (; run < end; run = block_next(run))
        for (uint32_t i = 0; i < run->size; i++) {
            int64_t count = block_count(s, run, i);
            if (count && expand_block(w, index, &blocks[run->first + i], count))
                return -1;
        }
    return 0;
}

/* Books the counts of all contexts, one after the other: runs and misses are in that order. */
static int expand_contexts(struct raw *w)
{
    struct blocks s = raw_blocks(w);
    const struct raw_miss *misses = w->misses.data;
    const uint32_t *indices = w->contexts.data;
    size_t miss = 0;

    for (uint32_t context = 0; context < w->n_contexts; context++) {
        if (expand_runs(w, &s, context, indices[context]))
            return -1;
        for (; miss < w->misses.count && misses[miss].context == context; miss++)
            if (expand_miss(w, indices[context], miss))
                return -1;
    }
    return 0;
}

/* The program's costs come from the sums of its basic blocks, not from its contexts: the blocks are
 * far fewer. */
int raw_expand(struct raw *w, int contexts)
{
    const struct raw_block *blocks = w->blocks.data;
    const int64_t *sums = w->sums.data;

    if (w->n_contexts) {
        builder_costs_apart(w->r.builder);
        /* `runs` is never NULL, even with no run at all. */
        if (raw_reserve(w, &w->runs, 1, sizeof(uint32_t)) || raw_begin_counts(w) ||
            (contexts && expand_contexts(w)))
            return -1;
    }
    for (size_t i = 0; i < w->blocks.count; i++)
        if (sums[i] && expand_block(w, CPROF_NONE, &blocks[i], sums[i]))
            return -1;
    for (size_t i = 0; i < w->misses.count; i++)
        if (expand_miss(w, CPROF_NONE, i))
            return -1;
    return 0;
}
