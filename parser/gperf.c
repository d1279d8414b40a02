#include <config.h>

/*
 * The files of gperftools, of processor and heap, and jemalloc's of the heap: where code
 * was in memory, and samples.
 */
#include "error.h"
#include "sampled.h"

#include <math.h>
#include <stdlib.h>

struct gperf {
    struct sampled s;
    struct vector mappings; /* struct gperf_mapping, by start once they are sorted */
    struct set places;      /* struct gperf_place */
    struct vector stack;    /* uint64_t: addresses of the sample at hand, the innermost first */
    int ends_whole;         /* the list of mapped files does */
    uint64_t handlers[2];   /* addresses that the handler left behind the first; 0: none */
};

/* Columns of the heap, in the order of a line. */
enum { GPERF_LIVE_BLOCKS, GPERF_LIVE_BYTES, GPERF_ALL_BLOCKS, GPERF_ALL_BYTES, GPERF_HEAP_COLUMNS };

/*--- Mappings ---*/

struct gperf_mapping {
    uint64_t start, limit, offset;
    uint32_t object;
    const char *path; /* the builder's, or a constant */
    int is_of_signals;
};

/* An address that was sampled, as a frame. */
struct gperf_place {
    uint64_t at;
    struct stack_frame frame;
};

/* "00400000-00452000 r-xp 00001000 08:02 173521 /usr/bin/a", or shorter "00400000-00452000:
 * /usr/bin/a". Returns 0 where it is no such line. */
static int split_line(const char *at, const char *end, struct gperf_mapping *m, const char **path)
{
    size_t size;

    at = lex_skip_blanks(at, end);
    if (lex_hex(&at, end, &m->start) != LEX_OK || at == end || *at++ != '-' ||
        lex_hex(&at, end, &m->limit) != LEX_OK || m->limit <= m->start)
        return 0;
    m->offset = 0;
    if (at < end && *at == ':') {
        *path = lex_skip_blanks(at + 1, end);
        return 1;
    }
    if (!lex_word(&at, end, &size))
        return 0;
    at = lex_skip_blanks(at, end);
    if (lex_hex(&at, end, &m->offset) != LEX_OK)
        return 0;
    lex_word(&at, end, &size);
    lex_word(&at, end, &size);
    *path = lex_skip_blanks(at, end);
    return 1;
}

/* The C library, where it is libpthread, or the kernel's page. */
static int is_of_signals(const char *path)
{
    static const char *const names[] = {"libc.so", "libc-", "libpthread", "[vdso]"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(name, names[i], strlen(names[i])))
            return 1;
    return 0;
}

static int add_line(struct gperf *g, const char *at, const char *end)
{
    struct gperf_mapping m;
    const char *path, *text = "[anonymous]";

    if (!split_line(at, end, &m, &path))
        return 0;
    if (path < end && memchr(path, '\0', (size_t)(end - path)))
        return error_set(g->s.r.error, CPROF_ERROR_SYNTAX,
                         "the list of mapped files has a NUL byte");
    if (path < end && !(text = builder_text(g->s.r.builder, path, (size_t)(end - path))))
        return -1;
    m.path = text;
    m.is_of_signals = is_of_signals(text);
    m.object = builder_object(g->s.r.builder, text, NULL);
    if (m.object == CPROF_NONE)
        return -1;
    if (!g->mappings.count && *text == '/')
        builder_header(g->s.r.builder)->program = text;
    return vector_add(&g->mappings, &m, sizeof m) ? error_memory(g->s.r.error) : 0;
}

static int by_start(const void *a, const void *b)
{
    uint64_t x = ((const struct gperf_mapping *)a)->start,
             y = ((const struct gperf_mapping *)b)->start;

    return x < y ? -1 : x > y;
}

/* Reads lines of /proc/self/maps; others are left out. 0 or -1. */
static int gperf_read_maps(struct gperf *g, const char *at, const char *end)
{
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;

        if (add_line(g, at, stop))
            return -1;
        at = newline ? newline + 1 : end;
    }
    if (g->mappings.count)
        qsort(g->mappings.data, g->mappings.count, sizeof(struct gperf_mapping), by_start);
    return 0;
}

/* The mapping that an address is in, or NULL. */
static const struct gperf_mapping *find_mapping(const struct gperf *g, uint64_t address)
{
    const struct gperf_mapping *m = g->mappings.data;
    size_t low = 0, high = g->mappings.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (m[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < m[low - 1].limit ? &m[low - 1] : NULL;
}

/* Tells if the address is in the C library or the kernel's page, from where handlers return. */
static int gperf_is_of_signals(const struct gperf *g, uint64_t address)
{
    const struct gperf_mapping *m = find_mapping(g, address);

    return m && m->is_of_signals;
}

/* Tells if the address is in a file whose name begins so. */
static int gperf_is_in(const struct gperf *g, uint64_t address, const char *name)
{
    const struct gperf_mapping *m = find_mapping(g, address);
    const char *slash = m ? strrchr(m->path, '/') : NULL;

    return slash && !strncmp(slash + 1, name, strlen(name));
}

static int equal_place(const void *owner, uint32_t index, const void *key)
{
    return ((const struct gperf_place *)owner)[index].at == *(const uint64_t *)key;
}

/* The frame of code at this address, in the file that is mapped there. NULL with the error filled.
 */
static const struct stack_frame *frame_at(struct gperf *g, uint64_t at)
{
    struct gperf_place key = {at, {.function = CPROF_NONE, .file = CPROF_NONE}}, *place;
    uint32_t found = set_put(&g->places, map_hash(at), equal_place, &key, sizeof key), object;
    const struct gperf_mapping *m;

    if (found == MAP_NONE) {
        error_memory(g->s.r.error);
        return NULL;
    }
    place = (struct gperf_place *)g->places.items.data + found;
    if (place->frame.function != CPROF_NONE)
        return &place->frame;
    m = find_mapping(g, at);
    place->frame.address = m ? at - m->start + m->offset : at;
    object = m ? m->object : builder_object(g->s.r.builder, "???", NULL);
    if (object != CPROF_NONE)
        place->frame.function = sampled_unnamed(&g->s, object, place->frame.address);
    return place->frame.function == CPROF_NONE ? NULL : &place->frame;
}

/* Adds an address to the stack at hand. 0 or -1. */
static int gperf_add_address(struct gperf *g, uint64_t address)
{
    return vector_add(&g->stack, &address, sizeof address) ? error_memory(g->s.r.error) : 0;
}

/* The node of the stack at hand, whose addresses but for the first `exact` are of returns. */
static uint32_t gperf_push_stack(struct gperf *g, size_t exact)
{
    const uint64_t *stack = g->stack.data;
    uint32_t node = CPROF_NONE;

    if (!g->stack.count)
        return sampled_push_none(&g->s, node);
    for (size_t i = g->stack.count; i-- > 0;) {
        /* A call is before the place that it returns to, which may be in another function. */
        const struct stack_frame *frame = frame_at(g, stack[i] - (i >= exact));

        node = frame ? sampled_push(&g->s, node, frame) : CPROF_NONE;
        if (node == CPROF_NONE)
            return node;
    }
    return node;
}

/*--- Processor profiles ---*/

/*
 * Processor profiles of gperftools: words of the machine. The header is 0, the number of words
 * behind that, a version, and microseconds between samples. A record is a number of samples, the
 * number of addresses of their stack, and these, the innermost first. The last record is 0, 1, 0;
 * behind it stands the text of /proc/self/maps.
 */

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

/* Tell by the first bytes. */
static int gperf_is_cpu(const char *bytes, size_t size)
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

/* Fill columns from the file, all of which is at hand. 0 or -1. */
static int gperf_read_cpu(struct gperf *g, const char *bytes, size_t size)
{
    struct words w = find_words(bytes, size);
    const char *trailer;
    struct record r;
    uint64_t period;

    if (!take_header(&w, &period))
        return error_set(g->s.r.error, CPROF_ERROR_TRUNCATED,
                         "the file is cut short: in its header");
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

/*--- Heap profiles ---*/

/*
 * Heap profiles of gperftools, text: a line for each stack that allocates, with blocks and bytes
 * that live, and of all that were allocated; below them /proc/self/maps. What the allocator has
 * sampled ("heap_v2/PERIOD") is scaled to what was probably there.
 */

#define MAGIC "heap profile:"

static int gperf_is_heap(const char *bytes, size_t size)
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

/* Takes "1: 1024 [2: 2048]". Returns 0 where that is not there. */
static int gperf_take_counts(const char **at, const char *end, uint64_t *counts)
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
                       "the heap profile is of a kind that is not supported, only 'heapprofile', "
                       "'heap_v2/PERIOD', 'heapz_v2/PERIOD' and 'heap/PERIOD'");
}

/* An allocator samples a block of `size` bytes with the probability 1 - exp(-size / period); 0: it
 * has all. Fractions are cut off, as pprof does it. 0 or -1. */
static int gperf_scale(struct gperf *g, uint64_t *blocks, uint64_t *bytes, uint64_t period)
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

/* Reads addresses up to the end of the line at hand: 1; 0: something else is there; -1. */
static int gperf_read_stack(struct gperf *g, const char *at)
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

/* Makes the first `n` columns. 0 or -1. */
static int gperf_add_heap_columns(struct gperf *g, uint32_t n)
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

/* A heap profile: its first lines, and what is added up of the others. */
struct heap {
    struct gperf *g;
    uint64_t period;    /* 0: nothing was sampled */
    uint32_t n_columns; /* those that were counted; 0: the totals were not read yet */
    int has_stack;      /* jemalloc's: its counts follow */
    uint64_t totals[GPERF_HEAP_COLUMNS], sums[GPERF_HEAP_COLUMNS];
};

/* Adds counts, which are scaled, to the stack at hand. 0 or -1. */
static int add_allocations(struct heap *h, uint64_t *counts)
{
    struct gperf *g = h->g;
    uint32_t node;

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

static int read_record(struct heap *h)
{
    struct reader *r = &h->g->s.r;
    const char *at = r->line;
    uint64_t counts[GPERF_HEAP_COLUMNS];
    int whole;

    if (lex_skip_blanks(at, r->end) == r->end)
        return 0;
    if (!take_counts(&at, r->end, counts))
        return reader_warn(r, "a line that is no allocation is left out");
    if (!input_line_is_whole(r->in))
        return 0; /* its last address may be cut; the sums tell */
    if ((whole = gperf_read_stack(h->g, at)) < 0)
        return -1;
    return whole ? add_allocations(h, counts)
                 : reader_warn(r, "a line whose stack cannot be read is left out");
}

/* The line that says that mapped files follow; NULL: there is none. */
static const char *gperf_find_maps(const char *bytes, size_t size)
{
    static const char *const lines[] = {"\nMAPPED_LIBRARIES:", "\n--- Memory map: ---"};

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *at = memmem(bytes, size, lines[i], strlen(lines[i]));

        if (at)
            return at + 1;
    }
    return NULL;
}

/* Reads the lines up to the mapped files. 0 or -1. */
static int read_lines(struct heap *h, const char *maps, int (*line)(struct heap *h))
{
    struct reader *r = &h->g->s.r;
    int more;

    while ((more = reader_next(r)) > 0 && r->line != maps)
        if (line(h))
            return -1;
    return more < 0 ? -1 : 0;
}

/* Ends a profile whose sums, if they are others than those of all lines, are told of by `text`. */
static int end_heap(const struct heap *h, const char *maps, const char *text)
{
    struct reader *r = &h->g->s.r;
    int are_others = memcmp(h->totals, h->sums, sizeof h->totals) != 0;

    if (are_others)
        builder_header(r->builder)->may_be_cut = !maps;
    if ((are_others || !maps) &&
        reader_warn(r, "%s",
                    are_others ? text
                               : "the list of mapped files is missing: code is in no object"))
        return -1;
    return sampled_finish(&h->g->s, GPERF_LIVE_BYTES);
}

static int gperf_read_heap(struct gperf *g, const char *bytes, size_t size)
{
    const char *maps = gperf_find_maps(bytes, size), *at;
    struct reader *r = &g->s.r;
    struct heap h = {.g = g, .n_columns = GPERF_HEAP_COLUMNS};

    if (reader_next(r) <= 0)
        return -1;
    at = r->line + sizeof MAGIC - 1;
    if (!take_counts(&at, r->end, h.totals))
        return reader_fail(r, CPROF_ERROR_SYNTAX, at, "counts of blocks and bytes expected");
    return read_kind(g, at, &h.period) || gperf_add_heap_columns(g, h.n_columns) ||
                   (maps && gperf_read_maps(g, maps, bytes + size)) ||
                   read_lines(&h, maps, read_record)
               ? -1
               : end_heap(&h, maps,
                          maps ? "the first line has other sums than the lines below it"
                               : "the file is cut short: lines are missing, and the list of "
                                 "mapped files, so that code is in no object");
}

/*--- Heap profiles of jemalloc ---*/

/*
 * Heap profiles of jemalloc, "heap_v2/PERIOD": for each stack, a line that begins with '@', how
 * many blocks and bytes live, in all threads ("t*") and in each; below them /proc/self/maps. What
 * was allocated in all is 0 where jemalloc did not count it. What it has sampled is scaled to what
 * was probably there.
 */

#define JEMALLOC_MAGIC "heap_v2/"

static int gperf_is_jemalloc(const char *bytes, size_t size)
{
    return LEX_STARTS(bytes, bytes + size, JEMALLOC_MAGIC);
}

/* The first line. A period of 1 has all blocks. */
static int read_period(struct heap *h)
{
    struct reader *r = &h->g->s.r;
    const char *at = r->line + sizeof JEMALLOC_MAGIC - 1;

    if (lex_decimal(&at, r->end, &h->period) != LEX_OK || lex_skip_blanks(at, r->end) != r->end)
        return reader_fail(
            r, CPROF_ERROR_VERSION, r->line,
            "the heap profile is of a kind that is not supported, only 'heap_v2/PERIOD'");
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

static int begin_stack(struct heap *h, const char *at)
{
    int whole = gperf_read_stack(h->g, at);

    h->has_stack = whole > 0;
    if (whole > 0)
        drop_own_frames(h->g);
    return whole < 0    ? -1
           : whole == 0 ? reader_warn(&h->g->s.r, "a line whose stack cannot be read is left out")
                        : 0;
}

/* "t*: 1: 1024 [2: 2048]", of all threads, behind a stack or of all of them */
static int read_counts(struct heap *h, const char *at)
{
    struct reader *r = &h->g->s.r;
    uint64_t counts[GPERF_HEAP_COLUMNS];

    if (!gperf_take_counts(&at, r->end, counts))
        return reader_fail(r, CPROF_ERROR_SYNTAX, at, "counts of blocks and bytes expected");
    if (h->has_stack && h->n_columns) {
        h->has_stack = 0;
        return add_allocations(h, counts);
    }
    if (h->n_columns)
        return reader_warn(r, "counts without a stack are left out");
    memcpy(h->totals, counts, sizeof counts);
    h->n_columns = counts[GPERF_ALL_BLOCKS] ? GPERF_HEAP_COLUMNS : GPERF_ALL_BLOCKS;
    return gperf_add_heap_columns(h->g, h->n_columns);
}

static int read_line(struct heap *h)
{
    struct reader *r = &h->g->s.r;
    const char *at = lex_skip_blanks(r->line, r->end);

    if (at == r->end || !input_line_is_whole(r->in))
        return 0; /* the end of a cut file; its sums tell */
    if (*at == '@')
        return begin_stack(h, at + 1);
    if (LEX_STARTS(at, r->end, "t*:"))
        return read_counts(h, at + 3);
    return *at == 't' ? 0 /* of one thread */
                      : reader_warn(r, "a line that is no allocation is left out");
}

static int gperf_read_jemalloc(struct gperf *g, const char *bytes, size_t size)
{
    const char *maps = gperf_find_maps(bytes, size);
    struct heap h = {.g = g};

    if (reader_next(&g->s.r) <= 0 || read_period(&h) ||
        (maps && gperf_read_maps(g, maps, bytes + size)) || read_lines(&h, maps, read_line))
        return -1;
    if (!h.n_columns)
        return error_set(g->s.r.error, CPROF_ERROR_TRUNCATED,
                         "the file is cut short: counts of all threads are missing");
    return end_heap(&h, maps, "the sums at the beginning are others than those of all stacks");
}

/*--- All of them ---*/

int gperf_is_kind(const char *at, size_t size)
{
    return gperf_is_cpu(at, size) || gperf_is_heap(at, size) || gperf_is_jemalloc(at, size);
}

static int read_all(struct reader *r)
{
    struct gperf *g = (struct gperf *)r;
    size_t size;
    const char *bytes = input_whole(r->in, &size);

    if (!bytes || sampled_begin(&g->s, size))
        return -1;
    if (gperf_is_heap(bytes, size))
        return gperf_read_heap(g, bytes, size);
    if (gperf_is_jemalloc(bytes, size))
        return gperf_read_jemalloc(g, bytes, size);
    return gperf_is_cpu(bytes, size)
               ? gperf_read_cpu(g, bytes, size)
               : error_set(r->error, CPROF_ERROR_FOREIGN, "not a profile of gperftools");
}

struct cprof_profile *gperf_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    struct gperf *g = reader_new(sizeof *g, error);
    struct cprof_profile *profile;

    if (!g)
        return NULL;
    profile = reader_run(&g->s.r, in, flags, error, CPROF_FORMAT_GPERFTOOLS, read_all);
    free(g->mappings.data);
    set_release(&g->places);
    free(g->stack.data);
    sampled_free(&g->s);
    return profile;
}
