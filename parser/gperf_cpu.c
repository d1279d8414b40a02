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

/* A number of samples, and where their addresses begin. */
struct record {
    uint64_t samples, n;
    struct words stack;
};

/* Takes a record. 0 where there is none, or it is cut. */
static int take_record(struct words *w, struct record *r)
{
    if (!take_word(w, &r->samples) || !take_word(w, &r->n) ||
        r->n > (uint64_t)(w->end - w->at) / w->size)
        return 0;
    r->stack = *w;
    w->at += r->n * w->size;
    return 1;
}

/* The last record is 0, 1, 0. */
static int is_last(const struct record *r)
{
    struct words w = r->stack;
    uint64_t address;

    return !r->samples && r->n == 1 && take_word(&w, &address) && !address;
}

/* Puts a record's addresses on the stack at hand. */
static int take_stack(struct gperf *g, const struct record *r)
{
    struct words w = r->stack;
    uint64_t address;

    g->stack.count = 0;
    if (r->n > SAMPLED_MAX_FRAMES)
        return error_set(g->s.r.error, CPROF_ERROR_SYNTAX, "a stack of more than %d frames",
                         SAMPLED_MAX_FRAMES);
    for (uint64_t i = 0; i < r->n && take_word(&w, &address); i++)
        if (gperf_add_address(g, address))
            return -1;
    return 0;
}

/*--- Frames of the handler ---*/

/* The second address of the record, without those of handlers that are known. 0: there is none. */
static uint64_t second_address(const struct gperf *g, const struct record *r)
{
    struct words w = r->stack;
    uint64_t address = 0;
    size_t known = 0;

    if (r->n < 2 || !take_word(&w, &address))
        return 0;
    while (take_word(&w, &address) && (uint64_t)(w.at - r->stack.at) <= r->n * w.size) {
        if (known == sizeof g->handlers / sizeof *g->handlers || address != g->handlers[known])
            return address;
        known++;
    }
    return 0;
}

/* The address that more than half of the stacks have second, if any has; `n`: stacks. */
static uint64_t most_frequent(const struct gperf *g, struct words w, uint64_t *n)
{
    uint64_t address = 0, votes = 0;
    struct record r;

    for (*n = 0; take_record(&w, &r) && !is_last(&r); ++*n) {
        uint64_t second = second_address(g, &r);

        if (!votes)
            address = second;
        votes = second == address ? votes + 1 : votes - 1;
    }
    return address;
}

static uint64_t count_second(const struct gperf *g, struct words w, uint64_t address)
{
    uint64_t n = 0;
    struct record r;

    while (take_record(&w, &r) && !is_last(&r))
        n += second_address(g, &r) == address;
    return n;
}

/*
 * Where stacks are unwound, the frame that the handler returns to may stand between what was
 * interrupted and its caller, in all of them but those of one frame. pprof takes what nearly all
 * have second for it, wherever it is; here it has to be in the C library, too.
 */
static void find_handlers(struct gperf *g, struct words w)
{
    for (size_t i = 0; i < sizeof g->handlers / sizeof *g->handlers; i++) {
        uint64_t n, address = most_frequent(g, w, &n);

        if (!address || count_second(g, w, address) < n - n / 32 ||
            !gperf_is_of_signals(g, address))
            return;
        g->handlers[i] = address;
    }
}

/* Takes an address off the stack at hand. */
static void drop(struct gperf *g, size_t i)
{
    uint64_t *stack = g->stack.data;

    memmove(stack + i, stack + i + 1, (g->stack.count - i - 1) * sizeof *stack);
    g->stack.count--;
}

static void drop_handlers(struct gperf *g)
{
    const uint64_t *stack = g->stack.data;

    for (size_t i = 0; i < sizeof g->handlers / sizeof *g->handlers; i++)
        if (g->handlers[i] && g->stack.count > 1 && stack[1] == g->handlers[i])
            drop(g, 1);
}

/* The innermost address may stand there twice: from the signal, and as the first return. */
static void drop_double(struct gperf *g)
{
    const uint64_t *stack = g->stack.data;

    if (g->stack.count > 1 && stack[0] == stack[1])
        drop(g, 0);
}

static int put_record(struct gperf *g, uint64_t samples, uint64_t period)
{
    uint32_t node;

    drop_handlers(g);
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
    if (g->mappings.count && !g->ends_whole) {
        builder_header(g->s.r.builder)->may_be_cut = 1;
        return reader_warn(&g->s.r, "the list of mapped files does not end: the file may be cut "
                                    "short, and code be in no object");
    }
    return g->mappings.count ? 0
                             : reader_warn(&g->s.r, "the list of mapped files is missing: code is "
                                                    "in no object");
}

/* Finds the end of the records. NULL: it is missing. */
static const char *find_trailer(struct words w)
{
    struct record r;

    while (take_record(&w, &r))
        if (is_last(&r))
            return w.at;
    return NULL;
}

int gperf_read_cpu(struct gperf *g, const char *bytes, size_t size)
{
    struct words w = find_words(bytes, size);
    const char *trailer;
    struct record r;
    uint64_t period;

    if (!take_header(&w, &period))
        return error_set(g->s.r.error, CPROF_ERROR_TRUNCATED, "file is cut short: in its header");
    if (period > UINT32_MAX)
        return error_set(g->s.r.error, CPROF_ERROR_SYNTAX,
                         "more than an hour between samples: not a profile of gperftools");
    trailer = find_trailer(w);
    if (trailer && gperf_read_maps(g, trailer, w.end))
        return -1;
    g->ends_whole = trailer && trailer < w.end && w.end[-1] == '\n';
    if (sampled_column(&g->s, "Samples", "", NULL) == CPROF_NONE ||
        sampled_column(&g->s, "cpu", "", "nanoseconds of processor time, by samples") == CPROF_NONE)
        return -1;
    find_handlers(g, w);
    while (take_record(&w, &r) && !is_last(&r))
        if (take_stack(g, &r) || put_record(g, r.samples, period * 1000))
            return -1;
    return warn_of_end(g, trailer != NULL) ? -1 : sampled_finish(&g->s, 0);
}
