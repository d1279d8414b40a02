#include <config.h>

/*
 * Heap profiles of gperftools, text: a line for each stack that allocates, with blocks and bytes
 * that live, and of all that were allocated; below them /proc/self/maps. What the allocator has
 * sampled ("heap_v2/PERIOD") is scaled to what was probably there.
 */
#include "error.h"
#include "gperf.h"

#include <math.h>

#define MAGIC "heap profile:"

int gperf_is_heap(const char *bytes, size_t size)
{
    return LEX_STARTS(bytes, bytes + size, MAGIC);
}

static int take(const char **at, const char *end, char c)
{
    *at = lex_skip_blanks(*at, end);
    if (*at == end || **at != c)
        return 0;
    ++*at;
    return 1;
}

static int take_number(const char **at, const char *end, uint64_t *value)
{
    *at = lex_skip_blanks(*at, end);
    return lex_decimal(at, end, value) == LEX_OK;
}

int gperf_take_counts(const char **at, const char *end, uint64_t *counts)
{
    return take_number(at, end, &counts[GPERF_LIVE_BLOCKS]) && take(at, end, ':') &&
           take_number(at, end, &counts[GPERF_LIVE_BYTES]) && take(at, end, '[') &&
           take_number(at, end, &counts[GPERF_ALL_BLOCKS]) && take(at, end, ':') &&
           take_number(at, end, &counts[GPERF_ALL_BYTES]) && take(at, end, ']');
}

/* "  1: 1024 [ 2: 2048] @" */
static int take_counts(const char **at, const char *end, uint64_t *counts)
{
    return gperf_take_counts(at, end, counts) && take(at, end, '@');
}

/* Tells if the word that ends here, before its '/', ends with "_v2". */
static int is_version_2(const char *word, const char *slash)
{
    return slash - word > 3 && !memcmp(slash - 3, "_v2", 3);
}

/* Reads "heapprofile", "heap_v2/524288", or "heap/1048576", of which one half counts, behind the
 * '@' of the first line. */
static int read_kind(struct gperf *g, const char *at, uint64_t *period)
{
    struct reader *r = &g->s.r;
    size_t size = 0;
    const char *word = lex_word(&at, r->end, &size), *slash;

    *period = 0;
    if (!word || (size == 11 && !memcmp(word, "heapprofile", 11)))
        return 0;
    slash = memchr(word, '/', size);
    if (slash && slash - word >= 4 && !memcmp(word, "heap", 4)) {
        const char *digits = slash + 1;

        if (lex_decimal(&digits, word + size, period) == LEX_OK && *period > 1) {
            *period /= is_version_2(word, slash) ? 1 : 2;
            return 0;
        }
    }
    return reader_fail(r, CPROF_ERROR_VERSION, word,
                       "a heap profile of this kind is not supported, only 'heapprofile', "
                       "'heap_v2/PERIOD', 'heapz_v2/PERIOD' and 'heap/PERIOD'");
}

int gperf_scale(struct gperf *g, uint64_t *blocks, uint64_t *bytes, uint64_t period)
{
    double factor, scaled;

    if (!period || !*blocks || !*bytes)
        return 0;
    factor = 1 / -expm1(-((double)*bytes / (double)*blocks) / (double)period);
    scaled = (double)*bytes * factor;
    if (!(scaled < 9e18) || !((double)*blocks * factor < 9e18))
        return reader_fail(&g->s.r, CPROF_ERROR_RANGE, NULL, "a count exceeds 2^63-1");
    *bytes = (uint64_t)scaled;
    *blocks = (uint64_t)((double)*blocks * factor);
    return 0;
}

int gperf_read_stack(struct gperf *g, const char *at)
{
    struct reader *r = &g->s.r;
    uint64_t address;

    g->stack.count = 0;
    for (;;) {
        at = lex_skip_blanks(at, r->end);
        if (at == r->end)
            return 1;
        if (!LEX_STARTS(at, r->end, "0x"))
            return 0;
        at += 2;
        if (lex_hex(&at, r->end, &address) != LEX_OK || g->stack.count >= SAMPLED_MAX_FRAMES)
            return 0;
        if (gperf_add_address(g, address))
            return -1;
    }
}

/* The first line, and what is added up of the others. */
struct heap {
    struct gperf *g;
    uint64_t period; /* 0: nothing was sampled */
    uint64_t totals[GPERF_HEAP_COLUMNS], sums[GPERF_HEAP_COLUMNS];
};

static int read_record(struct heap *h)
{
    struct gperf *g = h->g;
    struct reader *r = &g->s.r;
    const char *at = r->line;
    uint64_t counts[GPERF_HEAP_COLUMNS];
    uint32_t node;
    int whole;

    if (!take_counts(&at, r->end, counts))
        return reader_warn(r, "a line that is no allocation is left out");
    if (!input_line_is_whole(r->in))
        return 0; /* its last address may be cut; warn_of_end() tells */
    if ((whole = gperf_read_stack(g, at)) < 0)
        return -1;
    if (!whole)
        return reader_warn(r, "a line whose stack cannot be read is left out");
    for (uint32_t i = 0; i < GPERF_HEAP_COLUMNS; i++)
        h->sums[i] += counts[i];
    if (gperf_scale(g, &counts[GPERF_LIVE_BLOCKS], &counts[GPERF_LIVE_BYTES], h->period) ||
        gperf_scale(g, &counts[GPERF_ALL_BLOCKS], &counts[GPERF_ALL_BYTES], h->period) ||
        (node = gperf_push_stack(g, 0)) == CPROF_NONE)
        return -1;
    for (uint32_t i = 0; i < GPERF_HEAP_COLUMNS; i++)
        if (sampled_add(&g->s, node, i, counts[i], 1))
            return -1;
    return 0;
}

const char *gperf_find_maps(const char *bytes, size_t size)
{
    static const char *const lines[] = {"\nMAPPED_LIBRARIES:", "\n--- Memory map: ---"};

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *at = memmem(bytes, size, lines[i], strlen(lines[i]));

        if (at)
            return at + 1;
    }
    return NULL;
}

static int warn_of_end(const struct heap *h, const char *maps)
{
    struct reader *r = &h->g->s.r;

    if (memcmp(h->totals, h->sums, sizeof h->totals) != 0) {
        builder_header(r->builder)->may_be_cut = !maps;
        return reader_warn(r, maps ? "the first line has other sums than the lines below it"
                                   : "the file is cut short: lines are missing, and the list of "
                                     "mapped files, so that code is in no object");
    }
    return maps ? 0 : reader_warn(r, "the list of mapped files is missing: code is in no object");
}

int gperf_add_heap_columns(struct gperf *g, uint32_t n)
{
    static const struct {
        const char *name, *meaning;
    } columns[GPERF_HEAP_COLUMNS] = {[GPERF_LIVE_BLOCKS] = {"inuse_objects", "blocks that live"},
                                     [GPERF_LIVE_BYTES] = {"inuse_space", "bytes that live"},
                                     [GPERF_ALL_BLOCKS] = {"alloc_objects", "blocks allocated"},
                                     [GPERF_ALL_BYTES] = {"alloc_space", "bytes allocated"}};

    for (uint32_t i = 0; i < n; i++)
        if (sampled_column(&g->s, columns[i].name, "", columns[i].meaning) == CPROF_NONE)
            return -1;
    return 0;
}

int gperf_read_heap(struct gperf *g, const char *bytes, size_t size)
{
    const char *maps = gperf_find_maps(bytes, size), *at;
    struct reader *r = &g->s.r;
    struct heap h = {.g = g};
    int more = reader_next(r);

    if (more <= 0)
        return -1;
    at = r->line + sizeof MAGIC - 1;
    if (!take_counts(&at, r->end, h.totals))
        return reader_fail(r, CPROF_ERROR_SYNTAX, at, "counts of blocks and bytes expected");
    if (read_kind(g, at, &h.period) || gperf_add_heap_columns(g, GPERF_HEAP_COLUMNS) ||
        (maps && gperf_read_maps(g, maps, bytes + size)))
        return -1;
    while ((more = reader_next(r)) > 0 && r->line != maps)
        if (lex_skip_blanks(r->line, r->end) != r->end && read_record(&h))
            return -1;
    return more < 0 || warn_of_end(&h, maps) ? -1 : sampled_finish(&g->s, GPERF_LIVE_BYTES);
}
