#include <config.h>

/* The lines of a raw profile that are "key: value". */
#include "cp_format.h"
#include "header.h"
#include "perf.h"
#include "raw.h"

static int set_text(struct raw *w, const char *at, const char **field)
{
    *field = framed_text(&w->r, at, w->r.end);
    return *field ? 0 : -1;
}

static int pid_key(struct raw *w, const char *at)
{
    if (reader_long(&w->r, at, &w->part.pid))
        return -1;
    if (!w->n_before)
        builder_header(w->r.builder)->pid = w->part.pid;
    return 0;
}

static int argument_key(struct raw *w, const char *at)
{
    const char *text = framed_text(&w->r, at, w->r.end);

    return text ? builder_argument(w->r.builder, text) : -1;
}

static int setup_key(struct raw *w, const char *at)
{
    const char *text = framed_text(&w->r, at, w->r.end);

    return text ? builder_setup(w->r.builder, text) : -1;
}

static int cache_key(struct raw *w, const char *at, const char *name)
{
    struct cprof_cache cache = {.name = name};
    int64_t size, ways, line_size;

    if (raw_number(w, &at, &size) || raw_number(w, &at, &ways) || raw_number(w, &at, &line_size) ||
        raw_end(w, at))
        return -1;
    cache.size = (uint64_t)size;
    cache.ways = (uint64_t)ways;
    cache.line_size = (uint64_t)line_size;
    return builder_cache(w->r.builder, &cache);
}

static int i1_key(struct raw *w, const char *at)
{
    return cache_key(w, at, "I1");
}

static int d1_key(struct raw *w, const char *at)
{
    return cache_key(w, at, "D1");
}

static int ll_key(struct raw *w, const char *at)
{
    return cache_key(w, at, "LL");
}

static int events_key(struct raw *w, const char *at)
{
    static const char *const names[BLOCK_EVENTS] = {"Ir", "Dr", "Dw", "Bc", "Bi"};

    if (reader_events(&w->r, at))
        return -1;
    w->n_every = w->r.n_columns;
    memcpy(w->every_event, w->r.columns, w->n_every * sizeof *w->every_event);
    w->r.n_columns = 0; /* until "counted" says which */
    for (size_t i = 0; i < BLOCK_EVENTS; i++)
        w->spec_events[i] = builder_find_event(w->r.builder, names[i]);
    return 0;
}

static int counted_key(struct raw *w, const char *at)
{
    const char *word;
    size_t size;

    if (!w->r.have_events)
        return framed_bad(&w->r, NULL, "'counted:' before 'events:'");
    while ((word = lex_word(&at, w->r.end, &size))) {
        const char *name = builder_text(w->r.builder, word, size);
        uint32_t event = name ? builder_find_event(w->r.builder, name) : CPROF_NONE;
        if (!name)
            return -1;
        if (event == CPROF_NONE)
            return reader_fail(&w->r, CPROF_ERROR_SYNTAX, word, "event '%.40s' is not in 'events:'",
                               name);
        for (uint32_t i = 0; i < w->r.n_columns; i++)
            if (w->r.columns[i] == event)
                return reader_fail(&w->r, CPROF_ERROR_SYNTAX, word, "event '%.40s' is listed twice",
                                   name);
        w->r.columns[w->r.n_columns++] = event;
    }
    return 0;
}

static int part_key(struct raw *w, const char *at)
{
    return reader_long(&w->r, at, &w->part.part);
}

static int trigger_key(struct raw *w, const char *at)
{
    struct cprof_profile *header = builder_header(w->r.builder);

    /* A part that was written on the way: how the program ended is not known there. */
    if (!w->n_before && header->exit == CPROF_EXIT_SIGNAL)
        header->exit = CPROF_EXIT_UNKNOWN;
    return set_text(w, at, &w->part.trigger);
}

static int sections_key(struct raw *w, const char *at)
{
    struct cprof_profile *header = builder_header(w->r.builder);
    int64_t began, ended;

    if (raw_number(w, &at, &began) || raw_number(w, &at, &ended) || raw_end(w, at))
        return -1;
    header->sections_began = (long)began;
    header->sections_ended = (long)ended;
    return 0;
}

/* Another process of the run has the same options. */
static int toggle_key(struct raw *w, const char *at)
{
    const char *text;
    int64_t n;

    if (raw_number(w, &at, &n) || !(text = framed_text(&w->r, at, w->r.end)))
        return -1;
    return builder_toggle(w->r.builder, w->n_toggles++, text, (uint64_t)n);
}

/* Reads up to `n` numbers at the end of the line, `least` of them at least. 0 or -1. */
static int read_counts(struct raw *w, const char *at, int64_t *numbers, int least, int n)
{
    for (int i = 0; i < n && (i < least || lex_skip_blanks(at, w->r.end) < w->r.end); i++)
        if (raw_number(w, &at, &numbers[i]))
            return -1;
    return raw_end(w, at);
}

/* Stands before "sampled", which warns of it. */
static int cut_key(struct raw *w, const char *at)
{
    return read_counts(w, at, w->cut, 3, 3);
}

/* The warnings are of each profile in the file. */
static int sampled_key(struct raw *w, const char *at)
{
    int64_t n[5] = {0};
    struct perf_counts counts;

    if (read_counts(w, at, n, 4, 5))
        return -1;
    counts = (struct perf_counts){.samples = (uint64_t)n[0],
                                  .lost = (uint64_t)n[1],
                                  .throttled = (uint64_t)n[2],
                                  .without_stack = (uint64_t)n[3],
                                  .without_value = (uint64_t)n[4],
                                  .cut = (uint64_t)w->cut[0],
                                  .completed = (uint64_t)w->cut[1],
                                  .stack_bytes = (uint64_t)w->cut[2]};
    builder_header(w->r.builder)->sampled = 1;
    builder_lost_samples(w->r.builder, counts.samples, counts.lost);
    return perf_warn_of_samples(&w->r, &counts);
}

static int exit_key(struct raw *w, const char *at)
{
    struct cprof_profile *header = builder_header(w->r.builder);
    size_t size = (size_t)(w->r.end - at);
    long code;

    if (size == 7 && !memcmp(at, "unknown", size)) {
        if (!w->part.trigger)
            header->exit = CPROF_EXIT_SIGNAL;
        return 0;
    }
    if (size == 4 && !memcmp(at, "exec", size)) {
        header->exit = CPROF_EXIT_EXEC;
        return 0;
    }
    if (!LEX_STARTS(at, w->r.end, "code "))
        return framed_bad(&w->r, at, "'exit:' is neither 'code N', 'exec' nor 'unknown'");
    if (reader_long(&w->r, at + 5, &code))
        return -1;
    if (code < -255 || code > 255)
        return reader_fail(&w->r, CPROF_ERROR_RANGE, at, "exit code %ld is out of range", code);
    header->exit = CPROF_EXIT_CODE;
    header->exit_code = (int)code;
    return 0;
}

static int left_key(struct raw *w, const char *at)
{
    return set_text(w, at, &w->part.left);
}

int raw_header_line(struct raw *w)
{
    enum { REPEATS = 1, OF_PROGRAM = 2 };
    static const struct {
        const char *key;
        int (*read)(struct raw *w, const char *at); /* NULL: it is one of header.h */
        int flags;
    } keys[] = {
        {CP_KEY_CREATOR, NULL, OF_PROGRAM},
        {CP_KEY_PID, pid_key, 0},
        {CP_KEY_PROGRAM, NULL, OF_PROGRAM},
        {CP_KEY_ARGUMENT, argument_key, OF_PROGRAM | REPEATS},
        {CP_KEY_SETUP, setup_key, OF_PROGRAM | REPEATS},
        {CP_KEY_CACHE_I1, i1_key, OF_PROGRAM},
        {CP_KEY_CACHE_D1, d1_key, OF_PROGRAM},
        {CP_KEY_CACHE_LL, ll_key, OF_PROGRAM},
        {CP_KEY_EVENTS, events_key, 0},
        {CP_KEY_COUNTED, counted_key, 0},
        {CP_KEY_RANDOM, NULL, 0},
        {CP_KEY_SUBJECT, NULL, OF_PROGRAM},
        {CP_KEY_THREADS, NULL, 0},
        {CP_KEY_CUT, cut_key, 0},
        {CP_KEY_SAMPLED, sampled_key, 0},
        {CP_KEY_PART, part_key, 0},
        {CP_KEY_TRIGGER, trigger_key, 0},
        {CP_KEY_SECTIONS, sections_key, OF_PROGRAM},
        {CP_KEY_TOGGLE, toggle_key, REPEATS},
        {CP_KEY_COUNT_ARG, raw_count_arg_key, REPEATS},
        {CP_KEY_HEAP_EVENTS, raw_heap_events_key, 0},
        {CP_KEY_HEAP, raw_heap_key, 0},
        {CP_KEY_HEAP_PEAK, raw_heap_peak_key, 0},
        {CP_KEY_DATA, raw_data_key, 0},
        {CP_KEY_LINE_USE, raw_line_use_key, 0},
        {CP_KEY_CURVE_SIZES, raw_curve_sizes_key, 0},
        {CP_KEY_ALLOC_FUNCTION, raw_alloc_function_key, REPEATS},
        {CP_KEY_SECTION_CACHES, NULL, 0},
        {CP_KEY_EXIT, exit_key, OF_PROGRAM},
        {CP_KEY_LEFT, left_key, 0},
    };
    const char *colon = memchr(w->r.line, ':', (size_t)(w->r.end - w->r.line)), *value;
    size_t size = colon ? (size_t)(colon - w->r.line) : 0;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strlen(keys[i].key) != size || memcmp(w->r.line, keys[i].key, size))
            continue;
        if (!(keys[i].flags & REPEATS) && w->keys_seen & 1u << i)
            return framed_bad(&w->r, NULL, "key of the header is given twice");
        w->keys_seen |= 1u << i;
        if (w->n_before && keys[i].flags & OF_PROGRAM)
            return 0;
        value = colon + 1;
        value += value < w->r.end && *value == ' ';
        return keys[i].read ? keys[i].read(w, value)
                            : header_read(&w->r, header_field(keys[i].key), value);
    }
    return framed_bad(&w->r, NULL, "unknown line in the header");
}
