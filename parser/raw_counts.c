#include <config.h>

/*
 * The counts of basic blocks, which are most of a profile of call paths. Those of the program are
 * added up, those of a context are kept as runs (blocks.h).
 */
#include "cp_format.h"
#include "error.h"
#include "raw.h"

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
        error_set(w->r.error, CPROF_ERROR_MEMORY, "out of memory");
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
        int64_t count;

        if (block == w->blocks.count)
            return reader_fail(&w->r, CPROF_ERROR_SYNTAX, at, "basic block %u is not defined",
                               (unsigned)block);
        if (raw_number(w, &at, &count) || (w->n_contexts ? count && add_to_context(w, block, count)
                                                         : add_to_program(w, block, count)))
            return -1;
        block++;
    }
    return 0;
}

int raw_count_record(struct raw *w, const char *at)
{
    uint32_t block;

    if (raw_id(w, &at, w->blocks.count, "basic block", &block))
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
