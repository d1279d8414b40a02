#include <config.h>

/* The lines of a raw profile that say which data misses. */

#include "cp_format.h"
#include "raw.h"

/* A "g" record. */
struct raw_data_file {
    const char *path, *build_id;
};

int raw_data_key(struct raw *w, const char *at)
{
    if (!LEX_STARTS(at, w->r.end, "yes") || at + 3 != w->r.end)
        return framed_bad(&w->r, at, "'data:' is 'yes', or not there");
    builder_header(w->r.builder)->has_data = 1;
    w->has_data = 1;
    return 0;
}

int raw_line_use_key(struct raw *w, const char *at)
{
    if (!LEX_STARTS(at, w->r.end, "yes") || at + 3 != w->r.end)
        return framed_bad(&w->r, at, "'line-use:' is 'yes', or not there");
    builder_header(w->r.builder)->has_line_use = 1;
    w->has_line_use = 1;
    return 0;
}

/* ID BUILDID|- PATH */
int raw_data_file_record(struct raw *w, const char *at)
{
    struct raw_data_file *new, file = {NULL, NULL};

    if (!w->has_data)
        return framed_bad(&w->r, NULL, "data without 'data: yes'");
    if (raw_new_id(w, &at, w->data_files.count, "file of data") ||
        raw_build_id_and_path(w, at, &file.build_id, &file.path) ||
        !(new = raw_push(w, &w->data_files, sizeof *new)))
        return -1;
    *new = file;
    return 0;
}

static int read_file(struct raw *w, const char **at, struct cprof_datum *datum)
{
    const struct raw_data_file *files;
    uint32_t file;

    if (raw_id(w, at, w->data_files.count, "file of data", &file))
        return -1;
    files = w->data_files.data;
    datum->path = files[file].path;
    datum->build_id = files[file].build_id;
    return 0;
}

/* FILE ADDRESS SIZE NAME */
static int read_named(struct raw *w, const char *at, struct cprof_datum *datum)
{
    int64_t size;

    if (read_file(w, &at, datum) || raw_address(w, &at, &datum->address) ||
        raw_number(w, &at, &size))
        return -1;
    if (at == w->r.end)
        return framed_bad(&w->r, at, "name is missing");
    datum->size = (uint64_t)size;
    datum->name = framed_text(&w->r, at, w->r.end);
    return datum->name ? 0 : -1;
}

static int read_blocks(struct raw *w, const char *at, struct cprof_datum *datum)
{
    if (raw_id_or_none(w, &at, w->contexts.count, "context", &datum->context) || raw_end(w, at))
        return -1;
    if (datum->context != CPROF_NONE)
        datum->context = ((const uint32_t *)w->contexts.data)[datum->context];
    return 0;
}

static int read_stack(struct raw *w, const char *at, struct cprof_datum *datum)
{
    uint64_t nothing;

    if (*at != '-')
        return raw_function(w, &at, &datum->function) || raw_end(w, at) ? -1 : 0;
    return raw_site(w, &at, &nothing) || raw_end(w, at) ? -1 : 0;
}

static int read_mapped(struct raw *w, const char *at, struct cprof_datum *datum)
{
    return read_file(w, &at, datum) || raw_end(w, at) ? -1 : 0;
}

static int read_other(struct raw *w, const char *at, struct cprof_datum *datum)
{
    return raw_address(w, &at, &datum->address) || raw_end(w, at) ? -1 : 0;
}

static int read_nothing(struct raw *w, const char *at, struct cprof_datum *datum)
{
    (void)datum;
    return raw_end(w, at);
}

static int is_kind(enum cprof_data_kind kind, const char *word, size_t size)
{
    const char *name = cprof_data_kind_name(kind);

    return strlen(name) == size && !memcmp(name, word, size);
}

/* Without "data:" there is no other datum, and with it there is none of this kind. */
static int read_all(struct raw *w, const char *at, struct cprof_datum *datum)
{
    if (w->has_data)
        return framed_bad(&w->r, NULL, "'all' data, which 'data: yes' tells apart");
    return read_nothing(w, at, datum);
}

/* ID KIND ... */
int raw_datum_record(struct raw *w, const char *at)
{
    static int (*const readers[CPROF_DATA_KINDS])(struct raw *, const char *,
                                                  struct cprof_datum *) = {
        [CPROF_DATA_BLOCKS] = read_blocks,     [CPROF_DATA_VARIABLE] = read_named,
        [CPROF_DATA_SECTION] = read_named,     [CPROF_DATA_STACK] = read_stack,
        [CPROF_DATA_FILE] = read_mapped,       [CPROF_DATA_ANONYMOUS] = read_other,
        [CPROF_DATA_ALLOCATOR] = read_nothing, [CPROF_DATA_FREE] = read_nothing,
        [CPROF_DATA_UNKNOWN] = read_nothing,   [CPROF_DATA_ALL] = read_all,
    };
    struct cprof_datum datum = {.context = CPROF_NONE, .function = CPROF_NONE, .type = CPROF_NONE};
    const char *word;
    uint32_t *new;
    size_t size;
    int kind = 0;

    if (!w->has_data && !w->has_line_use)
        return framed_bad(&w->r, NULL, "data without 'data: yes'");
    if (raw_new_id(w, &at, w->data.count, "datum"))
        return -1;
    word = lex_word(&at, w->r.end, &size);
    while (word && kind < CPROF_DATA_KINDS && !is_kind((enum cprof_data_kind)kind, word, size))
        kind++;
    if (!word || kind == CPROF_DATA_KINDS)
        return framed_bad(&w->r, word ? word : at, "kind of data that is not known");
    at += at < w->r.end;
    datum.kind = (enum cprof_data_kind)kind;
    if (!w->has_data && datum.kind != CPROF_DATA_ALL)
        return framed_bad(&w->r, word, "data without 'data: yes'");
    if (readers[kind](w, at, &datum) || !(new = raw_push(w, &w->data, sizeof *new)))
        return -1;
    *new = builder_datum(w->r.builder, &datum);
    return *new == CPROF_NONE ? -1 : 0;
}

/* LINES USED. A miss fetches one line, or two. */
static int read_lines(struct raw *w, const char *at, struct cprof_touch *touch)
{
    const char *start = at;
    uint64_t misses = touch->misses[CPROF_D1MR] + touch->misses[CPROF_D1MW];
    int64_t lines, used;

    if (raw_number(w, &at, &lines))
        return -1;
    if ((uint64_t)lines < misses || (uint64_t)(lines / 2 + lines % 2) > misses)
        return framed_bad(&w->r, start, "lines that D1 fetched are not one or two for each miss");
    start = at;
    if (raw_number(w, &at, &used) || raw_end(w, at))
        return -1;
    if (used < lines || used / CPROF_LINE_SIZE + (used % CPROF_LINE_SIZE != 0) > lines)
        return framed_bad(&w->r, start, "bytes used are not 1 to 64 for each line");
    touch->lines = (uint64_t)lines;
    touch->used = (uint64_t)used;
    return 0;
}

/* Adds a number of misses, of which there may be none at the end of the line. */
static int read_misses(struct raw *w, const char *at, struct cprof_touch *touch)
{
    for (int i = 0; i < CPROF_DATA_EVENTS && (!i || at < w->r.end); i++) {
        const char *start = at;
        int64_t n;

        if (raw_number(w, &at, &n))
            return -1;
        touch->misses[i] = (uint64_t)n;
        if ((w->data_sums[i] += (uint64_t)n) > INT64_MAX)
            return reader_fail(&w->r, CPROF_ERROR_RANGE, start, "a sum of numbers exceeds 2^63-1");
    }
    return w->has_line_use ? read_lines(w, at, touch) : raw_end(w, at);
}

/* An access of nothing cannot miss. */
static int read_size(struct raw *w, const char **at, uint64_t *size)
{
    const char *start = *at;

    if (raw_word(w, at, size))
        return -1;
    return *size ? 0 : framed_bad(&w->r, start, "an access of 0 bytes");
}

/* DATUM CONTEXT|- OBJECT ADDRESS LEAST STRIDE SIZE N... */
int raw_touch_record(struct raw *w, const char *at)
{
    struct cprof_touch touch = {.place = {.file = CPROF_NONE}};
    uint32_t object;

    if (raw_id(w, &at, w->data.count, "datum", &touch.datum) ||
        raw_id_or_none(w, &at, w->contexts.count, "context", &touch.context) ||
        raw_id(w, &at, w->objects.count, "object", &object) ||
        raw_address(w, &at, &touch.place.address) || raw_word(w, &at, &touch.least) ||
        raw_word(w, &at, &touch.stride) || read_size(w, &at, &touch.size) ||
        read_misses(w, at, &touch))
        return -1;
    touch.datum = ((const uint32_t *)w->data.data)[touch.datum];
    if (touch.context != CPROF_NONE)
        touch.context = ((const uint32_t *)w->contexts.data)[touch.context];
    touch.place.function = raw_place_function(w, object, touch.place.address);
    if (touch.place.function == CPROF_NONE)
        return -1;
    return builder_touch(w->r.builder, &touch);
}

int raw_check_data(struct raw *w)
{
    static const char *const names[CPROF_DATA_EVENTS] = {"D1mr", "DLmr", "D1mw", "DLmw"};
    const int64_t *rows = w->miss_rows.data;

    for (int i = 0; i < CPROF_DATA_EVENTS && (w->has_data || w->has_line_use); i++) {
        uint32_t event = builder_find_event(w->r.builder, names[i]);
        uint64_t sum = 0;

        for (size_t k = 0; k < w->misses.count && event != CPROF_NONE; k++)
            sum += (uint64_t)rows[k * w->r.n_events + event];
        if (sum != w->data_sums[i])
            return framed_bad(&w->r, NULL, "the misses of all data are not those of the program");
    }
    return 0;
}

/*--- Miss curves ---*/

int raw_curve_sizes_key(struct raw *w, const char *at)
{
    uint64_t last = 0;

    do {
        const char *start = at;
        uint64_t *new;
        int64_t size;

        if (raw_number(w, &at, &size) || !(new = raw_push(w, &w->curve_sizes, sizeof *new)))
            return -1;
        *new = (uint64_t)size;
        if (*new <= last)
            return framed_bad(&w->r, start, "sizes of caches do not grow");
        last = *new;
    } while (at < w->r.end);
    return builder_curve_sizes(w->r.builder, w->curve_sizes.data, w->curve_sizes.count);
}

/* i|r|w, and the blank behind it. */
static int read_kind(struct raw *w, const char **at, uint32_t *kind)
{
    static const char letters[CPROF_REUSE_KINDS] = {CP_SPEC_IR, CP_SPEC_DR, CP_SPEC_DW};
    const char *found = *at < w->r.end ? memchr(letters, **at, sizeof letters) : NULL;

    if (!found || w->r.end - *at < 2 || (*at)[1] != ' ')
        return framed_bad(&w->r, *at, "a kind of access is 'i', 'r' or 'w'");
    *kind = (uint32_t)(found - letters);
    *at += 2;
    return 0;
}

/* {STEP N}..., of which there is one at least. */
static int read_steps(struct raw *w, const char *at, struct cprof_reuse *reuse)
{
    const uint64_t *sizes = w->curve_sizes.data;
    uint64_t *sum = &w->reuse_sums[reuse->datum != CPROF_NONE][reuse->kind];

    do {
        uint32_t step;
        const char *start;
        int64_t n;

        if (raw_id(w, &at, w->curve_sizes.count + 1, "size", &step))
            return -1;
        start = at;
        if (raw_number(w, &at, &n))
            return -1;
        if ((*sum += (uint64_t)n) > INT64_MAX)
            return reader_fail(&w->r, CPROF_ERROR_RANGE, start, "a sum of numbers exceeds 2^63-1");
        reuse->size = step ? sizes[step - 1] : 0;
        reuse->misses = (uint64_t)n;
        if (builder_reuse(w->r.builder, reuse))
            return -1;
    } while (at < w->r.end);
    return 0;
}

/* CONTEXT|- OBJECT ADDRESS KIND {STEP N}... */
int raw_curve_record(struct raw *w, const char *at)
{
    struct cprof_reuse reuse = {.datum = CPROF_NONE, .place = {.file = CPROF_NONE}};
    uint32_t object;

    if (!w->curve_sizes.count)
        return framed_bad(&w->r, NULL, "a miss curve without 'curve-sizes:'");
    if (raw_id_or_none(w, &at, w->contexts.count, "context", &reuse.context) ||
        raw_id(w, &at, w->objects.count, "object", &object) ||
        raw_address(w, &at, &reuse.place.address) || read_kind(w, &at, &reuse.kind))
        return -1;
    if (reuse.context != CPROF_NONE)
        reuse.context = ((const uint32_t *)w->contexts.data)[reuse.context];
    reuse.place.function = raw_place_function(w, object, reuse.place.address);
    return reuse.place.function == CPROF_NONE ? -1 : read_steps(w, at, &reuse);
}

/* DATUM KIND {STEP N}... */
int raw_data_curve_record(struct raw *w, const char *at)
{
    struct cprof_reuse reuse = {.context = CPROF_NONE,
                                .place = {.function = CPROF_NONE, .file = CPROF_NONE}};

    if (!w->curve_sizes.count)
        return framed_bad(&w->r, NULL, "a miss curve without 'curve-sizes:'");
    if (raw_id(w, &at, w->data.count, "datum", &reuse.datum) || read_kind(w, &at, &reuse.kind))
        return -1;
    reuse.datum = ((const uint32_t *)w->data.data)[reuse.datum];
    return read_steps(w, at, &reuse);
}

/* The program's misses of the first level of one kind. */
static uint64_t misses_of(const struct raw *w, int kind)
{
    static const char *const names[CPROF_REUSE_KINDS] = {"I1mr", "D1mr", "D1mw"};
    const int64_t *rows = w->miss_rows.data;
    uint32_t event = builder_find_event(w->r.builder, names[kind]);
    uint64_t sum = 0;

    for (size_t k = 0; k < w->misses.count && event != CPROF_NONE; k++)
        sum += (uint64_t)rows[k * w->r.n_events + event];
    return sum;
}

int raw_check_curves(struct raw *w)
{
    for (int kind = 0; kind < CPROF_REUSE_KINDS && w->curve_sizes.count; kind++) {
        if (w->reuse_sums[0][kind] != misses_of(w, kind))
            return framed_bad(&w->r, NULL, "the misses of all curves are not those of the program");
        if (w->has_data && kind != CPROF_REUSE_FETCH &&
            w->reuse_sums[1][kind] != w->reuse_sums[0][kind])
            return framed_bad(&w->r, NULL,
                              "the misses of all data's curves are not those of the program");
    }
    return 0;
}
