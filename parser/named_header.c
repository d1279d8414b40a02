#include <config.h>

#include "named.h"

static int set_text(struct named *w, const char *at, const char **field)
{
    *field = framed_text(&w->r, at, w->r.end);
    return *field ? 0 : -1;
}

static int creator_key(struct named *w, const char *at)
{
    return set_text(w, at, &builder_header(w->r.builder)->creator);
}

static int program_key(struct named *w, const char *at)
{
    return set_text(w, at, &builder_header(w->r.builder)->program);
}

static int command_key(struct named *w, const char *at)
{
    return set_text(w, at, &builder_header(w->r.builder)->command);
}

static int argument_key(struct named *w, const char *at)
{
    const char *text = framed_text(&w->r, at, w->r.end);

    return text ? builder_argument(w->r.builder, text) : -1;
}

static int description_key(struct named *w, const char *at)
{
    const char *text = framed_text(&w->r, at, w->r.end);

    return text ? builder_description(w->r.builder, text) : -1;
}

static int pid_key(struct named *w, const char *at)
{
    return reader_long(&w->r, at, &builder_header(w->r.builder)->pid);
}

static int is(struct named *w, const char *at, const char *word)
{
    size_t size = strlen(word);

    return (size_t)(w->r.end - at) == size && !memcmp(at, word, size);
}

static int format_key(struct named *w, const char *at)
{
    struct cprof_profile *header = builder_header(w->r.builder);

    if (is(w, at, "callgrind"))
        header->format = CPROF_FORMAT_CALLGRIND;
    else if (is(w, at, "cachegrind"))
        header->format = CPROF_FORMAT_CACHEGRIND;
    else if (!is(w, at, "cprof"))
        return framed_bad(&w->r, at, "'format:' is one of callgrind, cachegrind, cprof");
    return 0;
}

static int random_key(struct named *w, const char *at)
{
    static const char *const words[] = {
        [CPROF_RANDOM_NONE] = "no", [CPROF_RANDOM_USED] = "yes", [CPROF_RANDOM_FIXED] = "fixed"};

    for (unsigned i = CPROF_RANDOM_NONE; i <= CPROF_RANDOM_FIXED; i++)
        if (is(w, at, words[i])) {
            builder_header(w->r.builder)->random = (enum cprof_random)i;
            return 0;
        }
    return framed_bad(&w->r, at, "'random:' is one of no, yes, fixed");
}

static int threads_key(struct named *w, const char *at)
{
    long *threads = &builder_header(w->r.builder)->threads;

    if (reader_long(&w->r, at, threads))
        return -1;
    return *threads >= 2 ? 0 : framed_bad(&w->r, at, "'threads:' is 2 or more");
}

static int exit_key(struct named *w, const char *at)
{
    struct cprof_profile *header = builder_header(w->r.builder);
    long code;

    if (is(w, at, "exec")) {
        header->exit = CPROF_EXIT_EXEC;
        return 0;
    }
    if (!LEX_STARTS(at, w->r.end, "code ") || reader_long(&w->r, at + 5, &code) || code < 0 ||
        code > 255)
        return framed_bad(&w->r, at, "'exit:' is 'exec', or 'code' and a number up to 255");
    header->exit = CPROF_EXIT_CODE;
    header->exit_code = (int)code;
    return 0;
}

/* NAME SIZE WAYS LINE TEXT */
static int cache_key(struct named *w, const char *at)
{
    struct cprof_cache cache = {.name = named_word(w, &at)};

    if (!cache.name || named_number(w, &at, &cache.size) || named_number(w, &at, &cache.ways) ||
        named_number(w, &at, &cache.line_size) || named_maybe_word(w, &at, &cache.text))
        return -1;
    return builder_cache(w->r.builder, &cache);
}

static int read_part_number(struct named *w, const char **at, long *number)
{
    const char *start = *at, *end = memchr(start, ' ', (size_t)(w->r.end - start));
    enum lex result = lex_long(start, end ? end : w->r.end, number);

    if (result != LEX_OK)
        return reader_fail_number(&w->r, result, start, "number");
    *at = end ? end + 1 : w->r.end;
    return 0;
}

/* PID THREAD PART TRIGGER TIMERANGE, -1 for numbers that are not known */
static int part_key(struct named *w, const char *at)
{
    struct cprof_part part = {.pid = -1};

    if (read_part_number(w, &at, &part.pid) || read_part_number(w, &at, &part.thread) ||
        read_part_number(w, &at, &part.part))
        return -1;
    if (named_maybe_word(w, &at, &part.trigger) || named_maybe_word(w, &at, &part.timerange))
        return -1;
    return builder_part(w->r.builder, &part);
}

/* BEGAN ENDED */
static int sections_key(struct named *w, const char *at)
{
    struct cprof_profile *header = builder_header(w->r.builder);

    return read_part_number(w, &at, &header->sections_began) ||
                   read_part_number(w, &at, &header->sections_ended)
               ? -1
               : 0;
}

/* NAME LONGNAME FORMULA, of one of `events` */
static int event_key(struct named *w, const char *at)
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

static int summary_key(struct named *w, const char *at)
{
    if (!w->r.have_events)
        return framed_bad(&w->r, NULL, "'summary:' before 'events:'");
    return reader_counts(&w->r, at) ? -1 : builder_summary(w->r.builder, w->r.row);
}

static int events_key(struct named *w, const char *at)
{
    if (w->r.have_events)
        return framed_bad(&w->r, NULL, "a second 'events:'");
    return reader_events(&w->r, at);
}

int named_header_line(struct named *w)
{
    static const struct {
        const char *name;
        int (*read)(struct named *w, const char *at);
    } keys[] = {
        {"format: ", format_key},   {"creator: ", creator_key},   {"program: ", program_key},
        {"command: ", command_key}, {"arg: ", argument_key},      {"desc: ", description_key},
        {"pid: ", pid_key},         {"random: ", random_key},     {"exit: ", exit_key},
        {"cache: ", cache_key},     {"part: ", part_key},         {"events: ", events_key},
        {"event: ", event_key},     {"sections: ", sections_key}, {"summary: ", summary_key},
        {"threads: ", threads_key}};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        size_t size = strlen(keys[i].name);

        if ((size_t)(w->r.end - w->r.line) >= size && !memcmp(w->r.line, keys[i].name, size))
            return keys[i].read(w, w->r.line + size);
    }
    return framed_bad(&w->r, NULL, "unknown key");
}
