#include <config.h>

/*
 * The "key: value" lines. One row of the table at the end has all of a key: its name, the function
 * that reads its value, and the function that writes its lines (none where the profile has nothing
 * of it); NULL where it is a field of framed.h. Lines are written in the order of the table, and
 * read in any order.
 */
#include "framed.h"
#include "named.h"

static void put_key(struct sink *out, const char *key)
{
    sink_text(out, key);
    sink_byte(out, ':');
}

/*--- Keys that are one text ---*/

static int read_text(struct named *w, const char *at, const char **text)
{
    *text = framed_text(&w->r, at, w->r.end);
    return *text ? 0 : -1;
}

static void write_text(struct sink *out, const char *key, const char *text)
{
    if (!text)
        return;
    put_key(out, key);
    named_put_text(out, text);
    sink_end_line(out);
}

static int read_argument(struct named *w, const char *at)
{
    const char *text;

    return read_text(w, at, &text) ? -1 : builder_argument(w->r.builder, text);
}

static void write_arguments(struct sink *out, const char *key, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_arguments; i++)
        write_text(out, key, p->arguments[i]);
}

static int read_setup(struct named *w, const char *at)
{
    const char *text;

    return read_text(w, at, &text) ? -1 : builder_setup(w->r.builder, text);
}

static void write_setup(struct sink *out, const char *key, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_setup; i++)
        write_text(out, key, p->setup[i]);
}

static int read_description(struct named *w, const char *at)
{
    const char *text;

    return read_text(w, at, &text) ? -1 : builder_description(w->r.builder, text);
}

static void write_descriptions(struct sink *out, const char *key, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_descriptions; i++)
        write_text(out, key, p->descriptions[i]);
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
            write_text(out, key, formats[i].word);
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
        write_text(out, key, exit_exec);
    if (p->exit == CPROF_EXIT_SIGNAL)
        write_text(out, key, exit_signal);
    if (p->exit != CPROF_EXIT_CODE || p->exit_code < 0 || p->exit_code > 255)
        return;
    put_key(out, key);
    sink_byte(out, ' ');
    sink_text(out, exit_code);
    sink_unsigned(out, (uint64_t)p->exit_code);
    sink_end_line(out);
}

/*--- Keys that are numbers ---*/

/* BEGAN ENDED */
static int read_sections(struct named *w, const char *at)
{
    struct cprof_profile *header = builder_header(w->r.builder);

    return named_long(w, &at, &header->sections_began) ||
                   named_long(w, &at, &header->sections_ended)
               ? -1
               : 0;
}

static void write_sections(struct sink *out, const char *key, const struct cprof_profile *p)
{
    if (p->sections_began < 0 && p->sections_ended < 0)
        return;
    put_key(out, key);
    named_put_signed(out, p->sections_began);
    named_put_signed(out, p->sections_ended);
    sink_end_line(out);
}

/* FUNCTIONS N LOG2 PATTERN */
static int read_count_arg(struct named *w, const char *at)
{
    struct cprof_counted_arg arg = {.log2 = 0};
    uint64_t number, log2;
    const char *start;

    if (named_number(w, &at, &arg.n_functions))
        return -1;
    start = at;
    if (named_number(w, &at, &number) || named_number(w, &at, &log2))
        return -1;
    if (number < 1 || number > 255)
        return framed_bad(&w->r, start, "an argument's number is 1 to 255");
    if (!(arg.pattern = framed_text(&w->r, at, w->r.end)))
        return -1;
    arg.number = (uint32_t)number;
    arg.log2 = log2 != 0;
    return named_add_index(w, &w->counted_args, builder_counted_arg(w->r.builder, &arg));
}

static void write_count_args(struct sink *out, const char *key, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_counted_args; i++) {
        const struct cprof_counted_arg *a = &p->counted_args[i];

        put_key(out, key);
        named_put_unsigned(out, a->n_functions);
        named_put_unsigned(out, a->number);
        named_put_unsigned(out, a->log2);
        named_put_text(out, a->pattern);
        sink_end_line(out);
    }
}

/*--- Caches and parts ---*/

/* NAME SIZE WAYS LINE TEXT */
static int read_cache(struct named *w, const char *at)
{
    struct cprof_cache cache = {.name = named_word(w, &at)};

    if (!cache.name || named_number(w, &at, &cache.size) || named_number(w, &at, &cache.ways) ||
        named_number(w, &at, &cache.line_size) || named_maybe_word(w, &at, &cache.text))
        return -1;
    return builder_cache(w->r.builder, &cache);
}

static void write_caches(struct sink *out, const char *key, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_caches; i++) {
        const struct cprof_cache *c = &p->caches[i];

        put_key(out, key);
        named_put_word(out, c->name);
        named_put_unsigned(out, c->size);
        named_put_unsigned(out, c->ways);
        named_put_unsigned(out, c->line_size);
        named_put_word(out, c->text);
        sink_end_line(out);
    }
}

/* PID THREAD PART TRIGGER TIMERANGE, -1 for numbers that are not known */
static int read_part(struct named *w, const char *at)
{
    struct cprof_part part = {.pid = -1};

    if (named_long(w, &at, &part.pid) || named_long(w, &at, &part.thread) ||
        named_long(w, &at, &part.part) || named_maybe_word(w, &at, &part.trigger) ||
        named_maybe_word(w, &at, &part.timerange))
        return -1;
    return builder_part(w->r.builder, &part);
}

static void write_parts(struct sink *out, const char *key, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_parts; i++) {
        const struct cprof_part *part = &p->parts[i];

        put_key(out, key);
        named_put_signed(out, part->pid);
        named_put_signed(out, part->thread);
        named_put_signed(out, part->part);
        named_put_word(out, part->trigger);
        named_put_word(out, part->timerange);
        sink_end_line(out);
    }
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
    put_key(out, key);
    for (uint32_t i = 0; i < p->n_events; i++) {
        sink_byte(out, ' ');
        sink_text(out, p->events[i].name);
    }
    sink_end_line(out);
}

/* NAME LONGNAME FORMULA, of one of `events` */
static int read_event(struct named *w, const char *at)
{
    const char *start = at, *name = named_word(w, &at), *long_name, *formula;
    uint32_t event = name ? builder_find_event(w->r.builder, name) : CPROF_NONE;

    if (!name || named_maybe_word(w, &at, &long_name) || named_maybe_word(w, &at, &formula))
        return -1;
    if (event == CPROF_NONE)
        return reader_fail(&w->r, CPROF_ERROR_SYNTAX, start, "event '%.40s' is not in 'events:'",
                           name);
    return builder_event_describe(w->r.builder, event, long_name, formula);
}

static void write_event_texts(struct sink *out, const char *key, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_events; i++) {
        const struct cprof_event *e = &p->events[i];

        if (!e->long_name && !e->formula)
            continue;
        put_key(out, key);
        named_put_word(out, e->name);
        named_put_word(out, e->long_name);
        named_put_word(out, e->formula);
        sink_end_line(out);
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
    put_key(out, key);
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
        write_text(out, key, "yes");
}

static int read_lost(struct named *w, const char *at)
{
    uint64_t taken, lost;

    if (named_number(w, &at, &taken) || named_number(w, &at, &lost))
        return -1;
    builder_lost_samples(w->r.builder, taken, lost);
    return 0;
}

static void write_lost(struct sink *out, const char *key, const struct cprof_profile *p)
{
    if (!p->lost_samples)
        return;
    put_key(out, key);
    named_put_unsigned(out, p->n_samples);
    named_put_unsigned(out, p->lost_samples);
    sink_end_line(out);
}

/* A warning is of the file that the profile was made of, so it has no line here. */
static int read_warning(struct named *w, const char *at)
{
    const char *text;

    if (read_text(w, at, &text))
        return -1;
    return w->r.flags & CPROF_STRICT ? reader_warn(&w->r, "%s", text)
                                     : builder_warn(w->r.builder, 0, "%s", text);
}

static void write_warnings(struct sink *out, const char *key, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_warnings; i++)
        write_text(out, key, p->warnings[i].text);
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
    {"exit", read_exit, write_exit},
    {"arg", read_argument, write_arguments},
    {"setup", read_setup, write_setup},
    {"desc", read_description, write_descriptions},
    {"cache", read_cache, write_caches},
    {"part", read_part, write_parts},
    {"events", read_events, write_events},
    {"event", read_event, write_event_texts},
    {"curve-sizes", named_curve_sizes, named_write_curve_sizes},
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

void named_write_keys(struct sink *out, const struct cprof_profile *p)
{
    char room[24];

    for (size_t i = 0; i < N_KEYS; i++)
        if (keys[i].write)
            keys[i].write(out, keys[i].name, p);
        else
            write_text(out, keys[i].name, header_text(header_field(keys[i].name), p, room));
}
