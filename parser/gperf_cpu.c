#include <config.h>

/*
 * Processor profiles of gperftools: words of the machine. The header is 0, the number of words
 * behind that, a version, and microseconds between samples. A record is a number of samples, the
 * number of addresses of their stack, and these, the innermost first. The last record is 0, 1, 0;
 * behind it stands the text of /proc/self/maps.
 */
#include "error.h"
#include "gperf.h"

/* Words of 4 or 8 bytes, of a little-endian machine. */
struct words {
    const char *at, *end;
    size_t size;
};

/* Takes a word. 0 where there is none. */
static int take_word(struct words *w, uint64_t *value)
{
    if ((size_t)(w->end - w->at) < w->size)
        return 0;
    *value = 0;
    memcpy(value, w->at, w->size);
    *value = le64toh(*value);
    w->at += w->size;
    return 1;
}

/* The words of a file, or size 0 where it is none: its first word is 0, and its second 3 or more.
 */
static struct words find_words(const char *bytes, size_t size)
{
    for (size_t word = 8; word >= 4; word -= 4) {
        struct words w = {bytes, bytes + size, word};
        uint64_t first, n, version;

        if (take_word(&w, &first) && take_word(&w, &n) && take_word(&w, &version) && !first &&
            n >= 3 && n <= 64 && !version)
            return (struct words){bytes, bytes + size, word};
    }
    return (struct words){0};
}

int gperf_is_cpu(const char *bytes, size_t size)
{
    return find_words(bytes, size).size != 0;
}

/* Reads the header. Returns 0 where it is cut. */
static int take_header(struct words *w, uint64_t *period)
{
    uint64_t word, n;

    if (!take_word(w, &word) || !take_word(w, &n) || !take_word(w, &word) || !take_word(w, period))
        return 0;
    for (uint64_t i = 2; i < n; i++)
        if (!take_word(w, &word))
            return 0;
    return 1;
}

/* Takes a record's addresses. 1; 0 where they are cut; -1. */
static int take_stack(struct gperf *g, struct words *w, uint64_t n)
{
    uint64_t address;

    g->stack.count = 0;
    if (n > (uint64_t)(w->end - w->at) / w->size)
        return 0;
    if (n > SAMPLED_MAX_FRAMES)
        return error_set(g->s.r.error, CPROF_ERROR_SYNTAX, "a stack of more than %d frames",
                         SAMPLED_MAX_FRAMES);
    for (uint64_t i = 0; i < n && take_word(w, &address); i++)
        if (gperf_add_address(g, address))
            return -1;
    return 1;
}

/* The innermost address may stand there twice: from the signal, and as the first return. */
static void drop_double(struct gperf *g)
{
    uint64_t *stack = g->stack.data;

    if (g->stack.count < 2 || stack[0] != stack[1])
        return;
    memmove(stack, stack + 1, (g->stack.count - 1) * sizeof *stack);
    g->stack.count--;
}

static int put_record(struct gperf *g, uint64_t samples, uint64_t period)
{
    uint32_t node;

    drop_double(g);
    node = gperf_push_stack(g, 1);
    return node == CPROF_NONE || sampled_add(&g->s, node, 0, samples, 1) ||
                   sampled_add(&g->s, node, 1, samples, period)
               ? -1
               : 0;
}

static int warn_of_end(struct gperf *g, int has_trailer)
{
    builder_header(g->s.r.builder)->may_be_cut = !has_trailer;
    if (!has_trailer)
        return reader_warn(&g->s.r, "the file is cut short: it has neither its end nor the list of "
                                    "mapped files, so that code is in no object");
    return g->mappings.count ? 0
                             : reader_warn(&g->s.r, "the list of mapped files is missing: code is "
                                                    "in no object");
}

/* Finds the end of the records. NULL: it is missing. */
static const char *find_trailer(struct words w)
{
    uint64_t samples, n, address;

    while (take_word(&w, &samples) && take_word(&w, &n)) {
        struct words last = w;

        if (n > (uint64_t)(w.end - w.at) / w.size)
            return NULL;
        if (!samples && n == 1 && take_word(&last, &address) && !address)
            return last.at;
        w.at += n * w.size;
    }
    return NULL;
}

int gperf_read_cpu(struct gperf *g, const char *bytes, size_t size)
{
    struct words w = find_words(bytes, size);
    uint64_t period, samples, n;
    const char *trailer;
    int whole = 1;

    if (!take_header(&w, &period))
        return error_set(g->s.r.error, CPROF_ERROR_TRUNCATED, "file is cut short: in its header");
    if (period > UINT32_MAX)
        return error_set(g->s.r.error, CPROF_ERROR_SYNTAX,
                         "more than an hour between samples: not a profile of gperftools");
    trailer = find_trailer(w);
    if (trailer && gperf_read_maps(g, trailer, w.end))
        return -1;
    if (sampled_column(&g->s, "Samples", "", NULL) == CPROF_NONE ||
        sampled_column(&g->s, "cpu", "", "nanoseconds of processor time, by samples") == CPROF_NONE)
        return -1;
    while (whole > 0 && w.at != trailer && take_word(&w, &samples) && take_word(&w, &n)) {
        whole = take_stack(g, &w, n);
        if (whole < 0 || (whole > 0 && w.at != trailer && put_record(g, samples, period * 1000)))
            return -1;
    }
    return warn_of_end(g, trailer != NULL) ? -1 : sampled_finish(&g->s, 0);
}
