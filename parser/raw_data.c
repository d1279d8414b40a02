#include <config.h>

/* The lines of a raw profile that say which data misses. */

#include "cp_format.h"
#include "raw.h"

/* A "g" record. */
struct raw_data_file {
    const char *path, *build_id;
};

/* Reads "yes"; 0 where something else is there. */
static int is_yes(const struct raw *w, const char *at)
{
    return LEX_STARTS(at, w->r.end, "yes") && at + 3 == w->r.end;
}

int raw_data_key(struct raw *w, const char *at)
{
    if (!is_yes(w, at))
        return framed_bad(&w->r, at, "'data:' is 'yes', or not there");
    builder_header(w->r.builder)->has_data = w->has_data = 1;
    return 0;
}

int raw_line_use_key(struct raw *w, const char *at)
{
    if (!is_yes(w, at))
        return framed_bad(&w->r, at, "'line-use:' is 'yes', or not there");
    builder_header(w->r.builder)->has_line_use = w->has_line_use = 1;
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

    if (framed_id(&w->r, at, w->data_files.count, "file of data", &file))
        return -1;
    files = w->data_files.data;
    datum->path = files[file].path;
    datum->build_id = files[file].build_id;
    return 0;
}

/* FILE ADDRESS SIZE NAME */
static int read_named(struct raw *w, const char *at, struct cprof_datum *datum)
{
    if (read_file(w, &at, datum) || framed_address(&w->r, &at, &datum->address) ||
        framed_count(&w->r, &at, &datum->size))
        return -1;
    if (at == w->r.end)
        return framed_bad(&w->r, at, "name is missing");
    datum->name = framed_text(&w->r, at, w->r.end);
    return datum->name ? 0 : -1;
}

/* CONTEXT|- */
static int read_context(struct raw *w, const char **at, uint32_t *context)
{
    if (!framed_none(&w->r, at))
        return framed_index(&w->r, at, &w->contexts, "context", context);
    *context = CPROF_NONE;
    return 0;
}

static int read_blocks(struct raw *w, const char *at, struct cprof_datum *datum)
{
    return read_context(w, &at, &datum->context) || raw_end(w, at) ? -1 : 0;
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
    return framed_address(&w->r, &at, &datum->address) || raw_end(w, at) ? -1 : 0;
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
    return readers[kind](w, at, &datum)
               ? -1
               : framed_define(&w->r, &w->data, builder_datum(w->r.builder, &datum));
}

/* LINES USED. A miss fetches one line, or two. */
static int read_lines(struct raw *w, const char *at, struct cprof_touch *touch)
{
    const char *start = at;
    uint64_t misses = touch->misses[CPROF_D1MR] + touch->misses[CPROF_D1MW];
    uint64_t lines, used;

    if (framed_count(&w->r, &at, &lines))
        return -1;
    if (lines < misses || lines / 2 + lines % 2 > misses)
        return framed_bad(&w->r, start, "lines that D1 fetched are not one or two for each miss");
    start = at;
    if (framed_count(&w->r, &at, &used) || raw_end(w, at))
        return -1;
    if (used < lines || used / CPROF_LINE_SIZE + (used % CPROF_LINE_SIZE != 0) > lines)
        return framed_bad(&w->r, start, "bytes used are not 1 to 64 for each line");
    touch->lines = lines;
    touch->used = used;
    return 0;
}

/* Adds a number of misses, of which there may be none at the end of the line. */
static int read_misses(struct raw *w, const char *at, struct cprof_touch *touch)
{
    for (int i = 0; i < CPROF_DATA_EVENTS && (!i || at < w->r.end); i++)
        if (raw_add_count(w, &at, &touch->misses[i], &w->data_sums[i]))
            return -1;
    return w->has_line_use ? read_lines(w, at, touch) : raw_end(w, at);
}

/* An access of nothing cannot miss. */
static int read_size(struct raw *w, const char **at, uint64_t *size)
{
    const char *start = *at;

    if (framed_number(&w->r, at, size))
        return -1;
    return *size ? 0 : framed_bad(&w->r, start, "an access of 0 bytes");
}

/* DATUM CONTEXT|- OBJECT ADDRESS LEAST STRIDE SIZE N... */
int raw_touch_record(struct raw *w, const char *at)
{
    struct cprof_touch touch = {.place = {.file = CPROF_NONE}};
    uint32_t object;

    if (framed_index(&w->r, &at, &w->data, "datum", &touch.datum) ||
        read_context(w, &at, &touch.context) ||
        framed_id(&w->r, &at, w->objects.count, "object", &object) ||
        framed_address(&w->r, &at, &touch.place.address) ||
        framed_number(&w->r, &at, &touch.least) || framed_number(&w->r, &at, &touch.stride) ||
        read_size(w, &at, &touch.size) || read_misses(w, at, &touch))
        return -1;
    touch.place.function = raw_place_function(w, object, touch.place.address);
    if (touch.place.function == CPROF_NONE)
        return -1;
    return builder_touch(w->r.builder, &touch);
}

/* The program's count of an event that is counted instruction by instruction. */
static uint64_t sum_of(const struct raw *w, const char *name)
{
    const int64_t *rows = w->miss_rows.data;
    uint32_t event = builder_find_event(w->r.builder, name);
    uint64_t sum = 0;

    for (size_t k = 0; k < w->misses.count && event != CPROF_NONE; k++)
        sum += (uint64_t)rows[k * w->r.n_events + event];
    return sum;
}

int raw_check_data(struct raw *w)
{
    static const char *const names[CPROF_DATA_EVENTS] = {"D1mr", "DLmr", "D1mw", "DLmw"};

    for (int i = 0; i < CPROF_DATA_EVENTS && (w->has_data || w->has_line_use); i++)
        if (sum_of(w, names[i]) != w->data_sums[i])
            return framed_bad(&w->r, NULL, "the misses of all data are not those of the program");
    return 0;
}

/*--- Miss curves ---*/

int raw_curve_sizes_key(struct raw *w, const char *at)
{
    return framed_curve_sizes(&w->r, at, &w->curve_sizes);
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

        if (framed_id(&w->r, &at, w->curve_sizes.count + 1, "size", &step) ||
            raw_add_count(w, &at, &reuse->misses, sum))
            return -1;
        reuse->size = step ? sizes[step - 1] : 0;
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
    if (read_context(w, &at, &reuse.context) ||
        framed_id(&w->r, &at, w->objects.count, "object", &object) ||
        framed_address(&w->r, &at, &reuse.place.address) || read_kind(w, &at, &reuse.kind))
        return -1;
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
    if (framed_index(&w->r, &at, &w->data, "datum", &reuse.datum) || read_kind(w, &at, &reuse.kind))
        return -1;
    return read_steps(w, at, &reuse);
}

int raw_check_curves(struct raw *w)
{
    static const char *const names[CPROF_REUSE_KINDS] = {"I1mr", "D1mr", "D1mw"};

    for (int kind = 0; kind < CPROF_REUSE_KINDS && w->curve_sizes.count; kind++) {
        if (w->reuse_sums[0][kind] != sum_of(w, names[kind]))
            return framed_bad(&w->r, NULL, "the misses of all curves are not those of the program");
        if (w->has_data && kind != CPROF_REUSE_FETCH &&
            w->reuse_sums[1][kind] != w->reuse_sums[0][kind])
            return framed_bad(&w->r, NULL,
                              "the misses of all data's curves are not those of the program");
    }
    return 0;
}
