#include <config.h>

/*
 * The "key: value" lines. One row of the table at the end has all of a key: its name, the function
 * that reads its value, and the function that writes its lines (none where the profile has nothing
 * of it); NULL where it is a field of framed.h. Lines are written in the order of the table, and
 * read in any order.
 */
#include "framed.h"
#include "named.h"

void named_put_key(struct sink *out, const char *key)
{
    sink_text(out, key);
    sink_byte(out, ':');
}

void named_write_text(struct sink *out, const char *key, const char *text)
{
    named_put_key(out, key);
    named_put_text(out, text);
    sink_end_line(out);
}

/*--- Keys that are one of some words ---*/

static int is_word(const struct named *w, const char *at, const char *word)
{
    size_t size = strlen(word);

    return (size_t)(w->r.end - at) == size && !memcmp(at, word, size);
}

static int read_format(struct named *w, const char *at)
{
    size_t n;
    const struct input_format *formats = input_formats(&n);

    for (size_t i = 0; i < n; i++)
        if (is_word(w, at, formats[i].word)) {
            builder_header(w->r.builder)->format = formats[i].format;
            return 0;
        }
    return framed_bad(
        &w->r, at,
        "'format:' is none of callgrind, cachegrind, cprof, and the other kinds that are read");
}

static void write_format(struct sink *out, const char *key, const struct cprof_profile *p)
{
    size_t n;
    const struct input_format *formats = input_formats(&n);

    for (size_t i = 0; i < n; i++)
        if (formats[i].format == p->format)
            named_write_text(out, key, formats[i].word);
}

static const char exit_exec[] = "exec", exit_signal[] = "signal", exit_code[] = "code ";

static int read_exit(struct named *w, const char *at)
{
    struct cprof_profile *header = builder_header(w->r.builder);
    long code;

    if (is_word(w, at, exit_exec)) {
        header->exit = CPROF_EXIT_EXEC;
        return 0;
    }
    if (is_word(w, at, exit_signal)) {
        header->exit = CPROF_EXIT_SIGNAL;
        return 0;
    }
    if (!LEX_STARTS(at, w->r.end, exit_code) ||
        reader_long(&w->r, at + sizeof exit_code - 1, &code) || code < 0 || code > 255)
        return framed_bad(&w->r, at,
                          "'exit:' is 'exec', 'signal', or 'code' and a number up to 255");
    header->exit = CPROF_EXIT_CODE;
    header->exit_code = (int)code;
    return 0;
}

static void write_exit(struct sink *out, const char *key, const struct cprof_profile *p)
{
    if (p->exit == CPROF_EXIT_EXEC)
        named_write_text(out, key, exit_exec);
    if (p->exit == CPROF_EXIT_SIGNAL)
        named_write_text(out, key, exit_signal);
    if (p->exit != CPROF_EXIT_CODE || p->exit_code < 0 || p->exit_code > 255)
        return;
    named_put_key(out, key);
    sink_byte(out, ' ');
    sink_text(out, exit_code);
    sink_unsigned(out, (uint64_t)p->exit_code);
    sink_end_line(out);
}

/*--- Keys that are several fields ---*/

/* Begins a line that is written, and the fields of one that is read. */
static struct named_line fields_to(struct sink *out, const char *key)
{
    named_put_key(out, key);
    return (struct named_line){.out = out};
}

static struct named_line fields_from(struct named *w, const char *at)
{
    return (struct named_line){.w = w, .at = at};
}

/* BEGAN ENDED */
static int sections_fields(struct named_line f, long *began, long *ended)
{
    return field_long(&f, began) || field_long(&f, ended) || field_end(&f);
}

static int read_sections(struct named *w, const char *at)
{
    struct cprof_profile *header = builder_header(w->r.builder);

    return sections_fields(fields_from(w, at), &header->sections_began, &header->sections_ended);
}

static void write_sections(struct sink *out, const char *key, const struct cprof_profile *p)
{
    if (p->sections_began >= 0 || p->sections_ended >= 0)
        sections_fields(fields_to(out, key), &(long){p->sections_began},
                        &(long){p->sections_ended});
}

/* The number of an argument. */
static int field_argument(struct named_line *f, uint32_t *number)
{
    const char *start = f->at;

    if (field_short(f, number))
        return -1;
    return *number < 1 || *number > 255
               ? framed_bad(&f->w->r, start, "an argument's number is 1 to 255")
               : 0;
}

/* FUNCTIONS N LOG2 PATTERN */
static int count_arg_fields(struct named_line f, struct cprof_counted_arg *a)
{
    return field_number(&f, &a->n_functions) || field_argument(&f, &a->number) ||
           field_flag(&f, &a->log2) || field_text(&f, &a->pattern) || field_end(&f);
}

static int read_count_arg(struct named *w, const char *at)
{
    struct cprof_counted_arg arg = {.log2 = 0};

    if (count_arg_fields(fields_from(w, at), &arg))
        return -1;
    return framed_define(&w->r, &w->lists[NAMED_COUNTED_ARGS],
                         builder_counted_arg(w->r.builder, &arg));
}

static void write_count_args(struct sink *out, const char *key, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_counted_args; i++) {
        struct cprof_counted_arg arg = p->counted_args[i];

        count_arg_fields(fields_to(out, key), &arg);
    }
}

/* NAME SIZE WAYS LINE TEXT */
static int cache_fields(struct named_line f, struct cprof_cache *c)
{
    return field_word(&f, &c->name) || field_number(&f, &c->size) || field_number(&f, &c->ways) ||
           field_number(&f, &c->line_size) || field_maybe_word(&f, &c->text) || field_end(&f);
}

static int read_cache(struct named *w, const char *at)
{
    struct cprof_cache cache;

    return cache_fields(fields_from(w, at), &cache) ? -1 : builder_cache(w->r.builder, &cache);
}

static void write_caches(struct sink *out, const char *key, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_caches; i++) {
        struct cprof_cache cache = p->caches[i];

        cache_fields(fields_to(out, key), &cache);
    }
}

/* PID THREAD PART TRIGGER TIMERANGE, -1 for numbers that are not known */
static int part_fields(struct named_line f, struct cprof_part *p)
{
    return field_long(&f, &p->pid) || field_long(&f, &p->thread) || field_long(&f, &p->part) ||
           field_maybe_word(&f, &p->trigger) || field_maybe_word(&f, &p->timerange) ||
           field_end(&f);
}

static int read_part(struct named *w, const char *at)
{
    struct cprof_part part = {.pid = -1};

    return part_fields(fields_from(w, at), &part) ? -1 : builder_part(w->r.builder, &part);
}

static void write_parts(struct sink *out, const char *key, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_parts; i++) {
        struct cprof_part part = p->parts[i];

        part_fields(fields_to(out, key), &part);
    }
}

/* SAMPLES LOST */
static int lost_fields(struct named_line f, uint64_t *taken, uint64_t *lost)
{
    return field_number(&f, taken) || field_number(&f, lost) || field_end(&f);
}

static int read_lost(struct named *w, const char *at)
{
    uint64_t taken, lost;

    if (lost_fields(fields_from(w, at), &taken, &lost))
        return -1;
    builder_lost_samples(w->r.builder, taken, lost);
    return 0;
}

static void write_lost(struct sink *out, const char *key, const struct cprof_profile *p)
{
    if (p->lost_samples)
        lost_fields(fields_to(out, key), &(uint64_t){p->n_samples}, &(uint64_t){p->lost_samples});
}

/* BYTES... */
static int read_curve_sizes(struct named *w, const char *at)
{
    if (w->curve_sizes.count)
        return framed_bad(&w->r, NULL, "a second 'curve-sizes:'");
    return framed_curve_sizes(&w->r, at, &w->curve_sizes);
}

static void write_curve_sizes(struct sink *out, const char *key, const struct cprof_profile *p)
{
    struct named_line f;

    if (!p->n_curve_sizes)
        return;
    f = fields_to(out, key);
    for (uint32_t i = 0; i < p->n_curve_sizes; i++)
        field_number(&f, &(uint64_t){p->curve_sizes[i]});
    field_end(&f);
}

/*--- Events ---*/

static int read_events(struct named *w, const char *at)
{
    if (w->r.have_events)
        return framed_bad(&w->r, NULL, "a second 'events:'");
    return reader_events(&w->r, at);
}

/* Names of events are words without escapes, as in the other formats. */
static void write_events(struct sink *out, const char *key, const struct cprof_profile *p)
{
    named_put_key(out, key);
    for (uint32_t i = 0; i < p->n_events; i++) {
        sink_byte(out, ' ');
        sink_text(out, p->events[i].name);
    }
    sink_end_line(out);
}

/* NAME LONGNAME FORMULA, of one of `events` */
static int event_fields(struct named_line f, struct cprof_event *e)
{
    return field_word(&f, &e->name) || field_maybe_word(&f, &e->long_name) ||
           field_maybe_word(&f, &e->formula) || field_end(&f);
}

static int read_event(struct named *w, const char *at)
{
    struct cprof_event e;
    uint32_t event;

    if (event_fields(fields_from(w, at), &e))
        return -1;
    event = builder_find_event(w->r.builder, e.name);
    if (event == CPROF_NONE)
        return reader_fail(&w->r, CPROF_ERROR_SYNTAX, at, "event '%.40s' is not in 'events:'",
                           e.name);
    return builder_event_describe(w->r.builder, event, e.long_name, e.formula);
}

static void write_event_texts(struct sink *out, const char *key, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_events; i++) {
        struct cprof_event e = p->events[i];

        if (e.long_name || e.formula)
            event_fields(fields_to(out, key), &e);
    }
}

static int read_summary(struct named *w, const char *at)
{
    if (!w->r.have_events)
        return framed_bad(&w->r, NULL, "'summary:' before 'events:'");
    return reader_counts(&w->r, at) ? -1 : builder_summary(w->r.builder, w->r.row);
}

static void write_summary(struct sink *out, const char *key, const struct cprof_profile *p)
{
    if (!p->summary)
        return;
    named_put_key(out, key);
    named_put_counts(out, p->summary, p->n_events);
}

static int read_line_use(struct named *w, const char *at)
{
    if (!is_word(w, at, "yes"))
        return framed_bad(&w->r, at, "'line-use:' is not 'yes'");
    builder_header(w->r.builder)->has_line_use = 1;
    return 0;
}

static void write_line_use(struct sink *out, const char *key, const struct cprof_profile *p)
{
    if (p->has_line_use)
        named_write_text(out, key, "yes");
}

/* A warning is of the file that the profile was made of, so it has no line here. */
static int read_warning(struct named *w, const char *at)
{
    const char *text = framed_text(&w->r, at, w->r.end);

    if (!text)
        return -1;
    return w->r.flags & CPROF_STRICT ? reader_warn(&w->r, "%s", text)
                                     : builder_warn(w->r.builder, 0, "%s", text);
}

static void write_warnings(struct sink *out, const char *key, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_warnings; i++)
        named_write_text(out, key, p->warnings[i].text);
}

/*--- All keys ---*/

static const struct {
    const char *name;
    int (*read)(struct named *w, const char *at);
    void (*write)(struct sink *out, const char *key, const struct cprof_profile *p);
} keys[] = {
    {"format", read_format, write_format},
    {"creator", NULL, NULL},
    {"program", NULL, NULL},
    {"command", NULL, NULL},
    {"pid", NULL, NULL},
    {"sections", read_sections, write_sections},
    {"section-caches", NULL, NULL},
    {"sampled", NULL, NULL},
    {"lost", read_lost, write_lost},
    {"warning", read_warning, write_warnings},
    {"count-arg", read_count_arg, write_count_args},
    {"line-use", read_line_use, write_line_use},
    {"random", NULL, NULL},
    {"subject", NULL, NULL},
    {"threads", NULL, NULL},
    {"schedule", NULL, NULL},
    {"decisions", NULL, NULL},
    {"clock", NULL, NULL},
    {"rep", NULL, NULL},
    {"exit", read_exit, write_exit},
    {"arg", NULL, NULL},
    {"setup", NULL, NULL},
    {"desc", NULL, NULL},
    {"cache", read_cache, write_caches},
    {"part", read_part, write_parts},
    {"events", read_events, write_events},
    {"event", read_event, write_event_texts},
    {"curve-sizes", read_curve_sizes, write_curve_sizes},
    {"summary", read_summary, write_summary},
};
enum { N_KEYS = sizeof keys / sizeof *keys };

int named_read_key(struct named *w)
{
    const char *line = w->r.line, *end = w->r.end;

    for (size_t i = 0; i < N_KEYS; i++) {
        size_t size = strlen(keys[i].name);

        if ((size_t)(end - line) >= size + 2 && !memcmp(line, keys[i].name, size) &&
            line[size] == ':' && line[size + 1] == ' ')
            return keys[i].read ? keys[i].read(w, line + size + 2)
                                : header_read(&w->r, header_field(keys[i].name), line + size + 2);
    }
    return framed_bad(&w->r, NULL, "unknown key");
}

/* Writes the lines of a field of framed.h. */
static void write_field(struct sink *out, const char *key, const struct cprof_profile *p)
{
    const char *text;
    char room[24];

    for (uint32_t i = 0; (text = header_text(header_field(key), p, i, room)); i++)
        named_write_text(out, key, text);
}

void named_write_keys(struct sink *out, const struct cprof_profile *p)
{
    for (size_t i = 0; i < N_KEYS; i++)
        (keys[i].write ? keys[i].write : write_field)(out, keys[i].name, p);
}
