#include <config.h>

/*
 * A second thread takes in call paths and their counts: it finds functions and adds up basic
 * blocks, which touches memory all over.
 */
#include "error.h"
#include "raw.h"

#include <stdlib.h>

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
            map_prefetch(&w->function_map, paths[i + AHEAD].hash);
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

void raw_begin_batches(struct raw *w)
{
    for (int i = 0; i <= WORKER_JOBS; i++)
        w->batches[i].reader = w;
    w->batch = w->batches;
}

int raw_batch_path(struct raw *w, const struct raw_path *path)
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
