#include <config.h>

#include "raw.h"

#include "cp_format.h"
#include "perf.h"

#include <limits.h>
#include <stdlib.h>

/*--- Fields ---*/

int raw_reserve_behind(struct raw *w, struct vector *v, size_t n, size_t size)
{
    return vector_reserve(v, n, size) ? error_memory(&w->behind) : 0;
}

void *raw_push(struct raw *w, struct vector *v, size_t size)
{
    void *new = vector_push(v, size);

    if (!new)
        error_memory(w->r.error);
    return new;
}

void *raw_push_behind(struct raw *w, struct vector *v, size_t size)
{
    void *new = vector_push(v, size);

    if (!new)
        error_memory(&w->behind);
    return new;
}

int raw_end(struct raw *w, const char *at)
{
    return at == w->r.end ? 0 : framed_bad(&w->r, at, "more fields than the record has");
}

int raw_id_or_none(struct raw *w, const char **at, size_t count, const char *what, uint32_t *id)
{
    if (!framed_none(&w->r, at))
        return framed_id(&w->r, at, count, what, id);
    *id = CPROF_NONE;
    return 0;
}

/* The number of a definition: they count from 0. */
int raw_new_id(struct raw *w, const char **at, size_t count, const char *what)
{
    const char *start = *at;
    uint64_t n;

    if (framed_count(&w->r, at, &n))
        return -1;
    if (n != count || count >= UINT32_MAX)
        return reader_fail(&w->r, CPROF_ERROR_SYNTAX, start, "%s %llu is out of order: %zu is next",
                           what, (unsigned long long)n, count);
    return 0;
}

int raw_counts(struct raw *w, const char *at, const uint32_t *columns, uint32_t n_columns)
{
    uint64_t count;

    memset(w->r.row, 0, w->r.n_events * sizeof *w->r.row);
    if (at == w->r.end)
        return framed_bad(&w->r, at, "count is missing");
    for (uint32_t i = 0; at < w->r.end; i++) {
        if (i == n_columns)
            return reader_fail(&w->r, CPROF_ERROR_SYNTAX, at, "more counts than the %u events",
                               (unsigned)n_columns);
        if (framed_count(&w->r, &at, &count))
            return -1;
        w->r.row[columns[i]] = (int64_t)count;
    }
    return 0;
}

/*--- Header ---*/

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

static int cache_key(struct raw *w, const char *at, const char *name)
{
    struct cprof_cache cache = {.name = name};

    return framed_count(&w->r, &at, &cache.size) || framed_count(&w->r, &at, &cache.ways) ||
                   framed_count(&w->r, &at, &cache.line_size) || raw_end(w, at)
               ? -1
               : builder_cache(w->r.builder, &cache);
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
    static const char *const names[BLOCK_EVENTS] = {"Ir", "Dr", "Dw", "Bc", "Bi", "Rep"};

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
    uint64_t began, ended;

    if (framed_count(&w->r, &at, &began) || framed_count(&w->r, &at, &ended) || raw_end(w, at))
        return -1;
    header->sections_began = (long)began;
    header->sections_ended = (long)ended;
    return 0;
}

/* Reads "FUNCTIONS PATTERN" of an option, as builder_toggle() and builder_alloc_function() add it.
 * Another process of the run has the same options. */
static int option_key(struct raw *w, const char *at, uint32_t *n,
                      int (*add)(struct builder *b, uint32_t index, const char *text,
                                 uint64_t n_functions))
{
    const char *text;
    uint64_t n_functions;

    if (framed_count(&w->r, &at, &n_functions) || !(text = framed_text(&w->r, at, w->r.end)))
        return -1;
    return add(w->r.builder, (*n)++, text, n_functions);
}

static int toggle_key(struct raw *w, const char *at)
{
    return option_key(w, at, &w->n_toggles, builder_toggle);
}

static int alloc_function_key(struct raw *w, const char *at)
{
    return option_key(w, at, &w->n_alloc_functions, builder_alloc_function);
}

/* Stands before "sampled", which warns of it. */
static int cut_key(struct raw *w, const char *at)
{
    return framed_count(&w->r, &at, &w->cut[0]) || framed_count(&w->r, &at, &w->cut[1]) ||
                   framed_count(&w->r, &at, &w->cut[2])
               ? -1
               : raw_end(w, at);
}

/* The warnings are of each profile in the file. */
static int sampled_key(struct raw *w, const char *at)
{
    struct perf_counts n = {.cut = w->cut[0], .completed = w->cut[1], .stack_bytes = w->cut[2]};

    if (framed_count(&w->r, &at, &n.samples) || framed_count(&w->r, &at, &n.lost) ||
        framed_count(&w->r, &at, &n.throttled) || framed_count(&w->r, &at, &n.without_stack) ||
        (at < w->r.end && framed_count(&w->r, &at, &n.without_value)) || raw_end(w, at))
        return -1;
    builder_header(w->r.builder)->sampled = 1;
    builder_lost_samples(w->r.builder, n.samples, n.lost);
    return perf_warn_of_samples(&w->r, &n);
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

/* Reads a line of the header. The first of several profiles describes the program for all. */
static int raw_header_line(struct raw *w)
{
    enum { REPEATS = 1, OF_PROGRAM = 2 };
    static const struct {
        const char *key;
        int (*read)(struct raw *w, const char *at); /* NULL: it is one of HEADER_FIELDS */
        int flags;
    } keys[] = {
        {CP_KEY_CREATOR, NULL, OF_PROGRAM},
        {CP_KEY_PID, pid_key, 0},
        {CP_KEY_PROGRAM, NULL, OF_PROGRAM},
        {CP_KEY_ARGUMENT, NULL, OF_PROGRAM | REPEATS},
        {CP_KEY_SETUP, NULL, OF_PROGRAM | REPEATS},
        {CP_KEY_CACHE_I1, i1_key, OF_PROGRAM},
        {CP_KEY_CACHE_D1, d1_key, OF_PROGRAM},
        {CP_KEY_CACHE_LL, ll_key, OF_PROGRAM},
        {CP_KEY_EVENTS, events_key, 0},
        {CP_KEY_COUNTED, counted_key, 0},
        {CP_KEY_RANDOM, NULL, 0},
        {CP_KEY_SUBJECT, NULL, OF_PROGRAM},
        {CP_KEY_THREADS, NULL, 0},
        {CP_KEY_SCHEDULE, NULL, 0},
        {CP_KEY_DECISIONS, NULL, 0},
        {CP_KEY_CLOCK, NULL, 0},
        {CP_KEY_REP, NULL, 0},
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
        {CP_KEY_ALLOC_FUNCTION, alloc_function_key, REPEATS},
        {CP_KEY_SECTION_CACHES, NULL, 0},
        {CP_KEY_EXIT, exit_key, OF_PROGRAM},
        {CP_KEY_LEFT, left_key, 0},
    };
    _Static_assert(sizeof keys / sizeof *keys <= 64, "keys_seen has a bit for each");
    const char *colon = memchr(w->r.line, ':', (size_t)(w->r.end - w->r.line)), *value;
    size_t size = colon ? (size_t)(colon - w->r.line) : 0;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strlen(keys[i].key) != size || memcmp(w->r.line, keys[i].key, size))
            continue;
        if (!(keys[i].flags & REPEATS) && w->keys_seen & UINT64_C(1) << i)
            return framed_bad(&w->r, NULL, "key of the header is given twice");
        w->keys_seen |= UINT64_C(1) << i;
        if (w->n_before && keys[i].flags & OF_PROGRAM)
            return 0;
        value = colon + 1;
        value += value < w->r.end && *value == ' ';
        return keys[i].read ? keys[i].read(w, value)
                            : header_read(&w->r, header_field(keys[i].key), value);
    }
    return framed_bad(&w->r, NULL, "unknown line in the header");
}

/*--- The reader ---*/

static const struct framed raw_kind = {CP_RAW_MAGIC, CP_RAW_VERSION, "the raw format"};

static int end_record(struct raw *w)
{
    w->have_end = 1;
    return framed_last_line(&w->r, input_line_number(w->r.in) - 1 - w->lines_before);
}

/* Contexts need no cost records where the caller knows of basic blocks and the file is one profile
 * without names that tell instructions apart. */
static int can_keep_blocks(const struct raw *w)
{
    return w->may_keep_blocks && w->n_contexts && !w->n_before && !w->names.items.count;
}

/* Hands all that was read to the builder. `more`: another profile follows in the file. */
static int finish_one(struct raw *w, int more)
{
    int contexts = w->n_contexts > 0, curves = w->curve_sizes.count > 0;

    if (raw_catch_up(w) || reader_need_events(&w->r) || raw_check_data(w) || raw_check_curves(w))
        return -1;
    if (w->n_before && w->have_counts && contexts != w->contexts_before)
        return framed_bad(&w->r, NULL, "profiles with and without call paths in one file");
    w->contexts_before = contexts;
    if (w->n_before && w->have_counts && curves != w->curves_before)
        return framed_bad(&w->r, NULL, "profiles with and without miss curves in one file");
    w->curves_before = curves;
    if ((more || w->n_before || w->part.part >= 0 || w->part.trigger || w->part.left) &&
        builder_part(w->r.builder, &w->part))
        return -1;
    w->keep_blocks = !more && can_keep_blocks(w);
    return raw_expand(w, !w->keep_blocks);
}

/* The arrays that are of one profile of a file with several. */
#define VECTORS(w)                                                                            \
    {                                                                                         \
        &(w)->objects, &(w)->instructions, &(w)->blocks, &(w)->names.items, &(w)->sums,       \
            &(w)->runs, &(w)->first_runs, &(w)->large, &(w)->misses, &(w)->miss_rows,         \
            &(w)->contexts, &(w)->sections, &(w)->counted_args, &(w)->data_files, &(w)->data, \
            &(w)->curve_sizes                                                                 \
    }

static void start_one(struct raw *w)
{
    struct vector *const vectors[] = VECTORS(w);

    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        vectors[i]->count = 0;
    memset(w->data_sums, 0, sizeof w->data_sums);
    memset(w->reuse_sums, 0, sizeof w->reuse_sums);
    map_release(&w->names.map);
    w->n_contexts = w->keys_seen = w->n_toggles = w->n_alloc_functions = w->n_heap = 0;
    w->is_below_peak = 0;
    w->has_data = w->has_line_use = w->have_counts = w->in_body = w->have_end = w->r.have_events =
        0;
    w->part = (struct cprof_part){.pid = -1, .thread = -1, .part = -1};
    memset(w->cut, 0, sizeof w->cut);
}

/* The first line of another profile: of the next process, or part, of the same run. */
static int next_one(struct raw *w)
{
    if (finish_one(w, 1))
        return -1;
    start_one(w);
    w->n_before++;
    w->lines_before = input_line_number(w->r.in) - 1;
    return framed_first_line(&w->r, &raw_kind);
}

#define ROW(letter, read) [letter] = read,
static int (*const records[UCHAR_MAX + 1])(struct raw *w, const char *at) = {RAW_RECORDS(ROW)};
#undef ROW

static int any_line(struct raw *w)
{
    const char *line = w->r.line;

    if (w->have_end)
        return LEX_STARTS(line, w->r.end, CP_RAW_MAGIC " ")
                   ? next_one(w)
                   : framed_bad(&w->r, NULL, "lines after 'end'");
    if (LEX_STARTS(line, w->r.end, CP_RAW_END " "))
        return end_record(w);
    if (w->r.end - line < 2 || line[1] != ' ')
        return w->in_body ? framed_bad(&w->r, NULL, "unknown record") : raw_header_line(w);
    if (!w->r.have_events)
        return framed_bad(&w->r, NULL, "records before 'events:'");
    w->in_body = 1;
    if (*line != CP_REC_COUNT && *line != CP_REC_MISSES && *line != CP_REC_HEAP &&
        *line != CP_REC_CONTEXT && raw_catch_up(w))
        return -1;
    if (!records[(unsigned char)*line])
        return framed_bad(&w->r, NULL, "unknown record");
    return records[(unsigned char)*line](w, line + 2);
}

/* Takes lines of basic blocks and call paths up to the first odd one: they are most of the file.
 * 0 or -1. */
static int quick_lines(struct raw *w)
{
    int taken = 1;

    while (taken > 0) {
        const char *end, *line = input_rest(w->r.in, &end);

        if (end - line < 2 || line[1] != ' ')
            return 0;
        taken = *line == CP_REC_COUNT     ? raw_quick_counts(w, line, end)
                : *line == CP_REC_CONTEXT ? raw_quick_context(w, line, end)
                : *line == CP_REC_BLOCK   ? raw_quick_block(w, line, end)
                                          : 0;
    }
    return taken;
}

static int lines(struct reader *r)
{
    struct raw *w = (struct raw *)r;

    return any_line(w) || (w->in_body && !w->have_end && quick_lines(w)) ? -1 : 0;
}

/* The reader and the builder report apart while both may be at work. */
static int read_all(struct reader *r)
{
    struct raw *w = (struct raw *)r;
    int result;

    w->behind = *r->error;
    raw_begin_batches(w);
    builder_report_to(r->builder, &w->behind);
    start_one(w);
    result = framed_lines(r, &raw_kind, lines, &w->have_end) ? -1 : finish_one(w, 0);
    raw_wait(w);
    builder_report_to(r->builder, r->error);
    if (result && r->error->code == CPROF_OK)
        *r->error = w->behind;
    return result;
}

static void release(struct raw *w)
{
    struct vector *const vectors[] = VECTORS(w);

    raw_release_batches(w);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        free(vectors[i]->data);
    set_release(&w->functions);
    map_release(&w->names.map);
    free(w);
}

struct cprof_profile *raw_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    struct raw *w = reader_new(sizeof *w, error);
    struct cprof_profile *profile;

    if (!w)
        return NULL;
    w->may_keep_blocks = (flags & READER_BLOCKS) != 0;
    profile = reader_run(&w->r, in, flags, error, CPROF_FORMAT_RAW, read_all);
    if (profile && w->keep_blocks && raw_keep_blocks(w, profile)) {
        cprof_free(profile);
        profile = NULL;
    }
    release(w);
    return profile;
}
