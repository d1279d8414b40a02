#include <config.h>

/*
 * Heap profiles of jemalloc, "heap_v2/PERIOD": for each stack, a line that begins with '@', how
 * many blocks and bytes live, in all threads ("t*") and in each; below them /proc/self/maps. What
 * was allocated in all is 0 where jemalloc did not count it. What it has sampled is scaled to what
 * was probably there.
 */
#include "error.h"
#include "gperf.h"

#define MAGIC "heap_v2/"

struct jemalloc {
    struct gperf *g;
    uint64_t period;
    uint32_t n_columns; /* those that were counted; 0: the totals were not read yet */
    int has_stack;      /* its counts follow */
    uint64_t totals[GPERF_HEAP_COLUMNS], sums[GPERF_HEAP_COLUMNS];
};

int gperf_is_jemalloc(const char *bytes, size_t size)
{
    return LEX_STARTS(bytes, bytes + size, MAGIC);
}

/* The first line. A period of 1 has all blocks. */
static int read_period(struct jemalloc *h)
{
    struct reader *r = &h->g->s.r;
    const char *at = r->line + sizeof MAGIC - 1;

    if (lex_decimal(&at, r->end, &h->period) != LEX_OK || lex_skip_blanks(at, r->end) != r->end)
        return reader_fail(r, CPROF_ERROR_VERSION, r->line,
                           "a heap profile of this kind is not supported, only 'heap_v2/PERIOD'");
    if (h->period == 1)
        h->period = 0;
    return 0;
}

/* Frames of jemalloc itself are not of interest: the innermost ones that are in its library. */
static void drop_own_frames(struct gperf *g)
{
    uint64_t *stack = g->stack.data;
    size_t own = 0;

    while (own + 1 < g->stack.count && gperf_is_in(g, stack[own] - 1, "libjemalloc"))
        own++;
    g->stack.count -= own;
    if (own)
        memmove(stack, stack + own, g->stack.count * sizeof *stack);
}

static int begin_stack(struct jemalloc *h, const char *at)
{
    int whole = gperf_read_stack(h->g, at);

    h->has_stack = whole > 0;
    if (whole > 0)
        drop_own_frames(h->g);
    return whole < 0    ? -1
           : whole == 0 ? reader_warn(&h->g->s.r, "a line whose stack cannot be read is left out")
                        : 0;
}

static int add_record(struct jemalloc *h, uint64_t *counts)
{
    struct gperf *g = h->g;
    uint32_t node;

    h->has_stack = 0;
    for (uint32_t i = 0; i < GPERF_HEAP_COLUMNS; i++)
        h->sums[i] += counts[i];
    if (gperf_scale(g, &counts[GPERF_LIVE_BLOCKS], &counts[GPERF_LIVE_BYTES], h->period) ||
        gperf_scale(g, &counts[GPERF_ALL_BLOCKS], &counts[GPERF_ALL_BYTES], h->period) ||
        (node = gperf_push_stack(g, 0)) == CPROF_NONE)
        return -1;
    for (uint32_t i = 0; i < h->n_columns; i++)
        if (sampled_add(&g->s, node, i, counts[i], 1))
            return -1;
    return 0;
}

/* "t*: 1: 1024 [2: 2048]", of all threads, behind a stack or of all of them */
static int read_counts(struct jemalloc *h, const char *at)
{
    struct reader *r = &h->g->s.r;
    uint64_t counts[GPERF_HEAP_COLUMNS];

    if (!gperf_take_counts(&at, r->end, counts))
        return reader_fail(r, CPROF_ERROR_SYNTAX, at, "counts of blocks and bytes expected");
    if (h->has_stack && h->n_columns)
        return add_record(h, counts);
    if (h->n_columns)
        return reader_warn(r, "counts without a stack are left out");
    memcpy(h->totals, counts, sizeof counts);
    h->n_columns = counts[GPERF_ALL_BLOCKS] ? GPERF_HEAP_COLUMNS : GPERF_ALL_BLOCKS;
    return gperf_add_heap_columns(h->g, h->n_columns);
}

static int read_line(struct jemalloc *h)
{
    struct reader *r = &h->g->s.r;
    const char *at = lex_skip_blanks(r->line, r->end);

    if (at == r->end || !input_line_is_whole(r->in))
        return 0; /* the end of a cut file; warn_of_end() tells */
    if (*at == '@')
        return begin_stack(h, at + 1);
    if (LEX_STARTS(at, r->end, "t*:"))
        return read_counts(h, at + 3);
    return *at == 't' ? 0 /* of one thread */
                      : reader_warn(r, "a line that is no allocation is left out");
}

static int warn_of_end(const struct jemalloc *h, const char *maps)
{
    struct reader *r = &h->g->s.r;

    if (!h->n_columns)
        return error_set(r->error, CPROF_ERROR_TRUNCATED,
                         "the file is cut short: counts of all threads are missing");
    if (memcmp(h->totals, h->sums, sizeof h->totals) != 0) {
        builder_header(r->builder)->may_be_cut = !maps;
        return reader_warn(r, "the sums at the beginning are others than those of all stacks");
    }
    return maps ? 0 : reader_warn(r, "the list of mapped files is missing: code is in no object");
}

int gperf_read_jemalloc(struct gperf *g, const char *bytes, size_t size)
{
    const char *maps = gperf_find_maps(bytes, size);
    struct reader *r = &g->s.r;
    struct jemalloc h = {.g = g};
    int more = reader_next(r);

    if (more <= 0 || read_period(&h) || (maps && gperf_read_maps(g, maps, bytes + size)))
        return -1;
    while ((more = reader_next(r)) > 0 && r->line != maps)
        if (read_line(&h))
            return -1;
    return more < 0 || warn_of_end(&h, maps) ? -1 : sampled_finish(&g->s, GPERF_LIVE_BYTES);
}
