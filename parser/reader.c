#include <config.h>

#include "reader.h"

#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void *reader_new(size_t size, struct cprof_error *error)
{
    void *new = calloc(1, size);

    if (!new)
        error_memory(error);
    return new;
}

struct cprof_profile *reader_run(struct reader *r, struct input *in, unsigned flags,
                                 struct cprof_error *error, enum cprof_format format,
                                 int (*read_all)(struct reader *r))
{
    r->in = in;
    r->flags = flags;
    r->error = error;
    r->builder = builder_new(error);
    if (!r->builder)
        return NULL;
    builder_header(r->builder)->format = format;
    if (!read_all(r))
        return builder_finish(r->builder);
    builder_free(r->builder);
    return NULL;
}

int reader_need_events(struct reader *r)
{
    return r->have_events ? 0
                          : error_set(r->error, CPROF_ERROR_SYNTAX,
                                      "no events: the 'events:' line is missing");
}

/* A last line without a newline is wrong because its rest is missing. */
static int fail_at(struct reader *r, enum cprof_code code, const char *at, const char *text)
{
    if (code == CPROF_ERROR_SYNTAX && !input_line_is_whole(r->in))
        return error_at(r->error, CPROF_ERROR_TRUNCATED, input_line_number(r->in), 0, r->line,
                        (size_t)(r->end - r->line),
                        "the file is cut short: its last line is not whole (%.150s)", text);
    return error_at(r->error, code, input_line_number(r->in), at ? (unsigned)(at - r->line) + 1 : 0,
                    r->line, (size_t)(r->end - r->line), "%s", text);
}

int reader_fail(struct reader *r, enum cprof_code code, const char *at, const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fail_at(r, code, at, text);
}

int reader_fail_number(struct reader *r, enum lex result, const char *at, const char *what)
{
    size_t size;
    const char *from = at, *word = lex_word(&from, r->end, &size);

    if (result == LEX_RANGE)
        return reader_fail(r, CPROF_ERROR_RANGE, at, "%s '%.*s' exceeds the range of numbers", what,
                           (int)(size < 40 ? size : 40), word);
    if (!word)
        return reader_fail(r, CPROF_ERROR_SYNTAX, at, "%s is missing", what);
    return reader_fail(r, CPROF_ERROR_SYNTAX, at, "%s expected at '%.*s'", what,
                       (int)(size < 40 ? size : 40), word);
}

int reader_fail_surplus(struct reader *r, const char *at)
{
    return reader_fail(r, CPROF_ERROR_SYNTAX, at, "more counts than the %u events",
                       (unsigned)r->n_columns);
}

int reader_warn(struct reader *r, const char *format, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (r->flags & CPROF_STRICT)
        return fail_at(r, CPROF_ERROR_SYNTAX, NULL, text);
    return builder_warn(r->builder, input_line_number(r->in), "%s", text);
}

const char *reader_text(struct reader *r, const char *at)
{
    return reader_name(r, lex_skip_blanks(at, r->end));
}

const char *reader_name(struct reader *r, const char *at)
{
    return reader_bytes(r, at, r->end);
}

const char *reader_bytes(struct reader *r, const char *at, const char *end)
{
    size_t size = (size_t)(end - at);

    if (memchr(at, '\0', size)) {
        reader_fail(r, CPROF_ERROR_SYNTAX, NULL, "text holds a NUL byte");
        return NULL;
    }
    return builder_text(r->builder, at, size);
}

int reader_long(struct reader *r, const char *at, long *value)
{
    enum lex result = lex_long(at, r->end, value);

    return result == LEX_OK ? 0 : reader_fail_number(r, result, at, "number");
}

int reader_events(struct reader *r, const char *at)
{
    const char *word;
    size_t size;

    r->n_columns = 0;
    while ((word = lex_word(&at, r->end, &size))) {
        const char *name;
        uint32_t event;
        if (memchr(word, '\0', size))
            return reader_fail(r, CPROF_ERROR_SYNTAX, word, "event name holds a NUL byte");
        if (!(name = builder_text(r->builder, word, size)))
            return -1;
        event = builder_event(r->builder, name);
        if (event == CPROF_NONE)
            return -1;
        if (event >= READER_MAX_EVENTS)
            return reader_fail(r, CPROF_ERROR_SYNTAX, word, "more than %d events",
                               READER_MAX_EVENTS);
        for (uint32_t i = 0; i < r->n_columns; i++)
            if (r->columns[i] == event)
                return reader_fail(r, CPROF_ERROR_SYNTAX, word, "event '%s' is listed twice", name);
        r->columns[r->n_columns++] = event;
        if (event >= r->n_events)
            r->n_events = event + 1;
    }
    if (!r->n_columns)
        return reader_fail(r, CPROF_ERROR_SYNTAX, NULL, "no event is named in 'events:'");
    r->have_events = 1;
    return 0;
}

int reader_sums(struct reader *r, const char *at, int64_t *row)
{
    memset(row, 0, r->n_events * sizeof *row);
    for (uint32_t i = 0;; i++) {
        enum lex result;
        at = lex_skip_blanks(at, r->end);
        if (at == r->end)
            return 1;
        if (i == r->n_columns)
            return reader_fail_surplus(r, at);
        result = lex_count(&at, r->end, &row[r->columns[i]]);
        if (result == LEX_RANGE)
            return reader_warn(r, "the file's own sum is beyond 2^63-1 and is not used");
        if (result != LEX_OK || (at < r->end && !lex_is_blank(*at)))
            return reader_fail_number(r, result, at, "count");
    }
}

int reader_check_sums(struct reader *r, const char *key, const int64_t *row)
{
    uint32_t i = 0;

    while (i < r->n_events && row[i] == r->sums[i])
        i++;
    if (i == r->n_events)
        return 0;
    /* The numbers once: a file may have as many parts as lines, and warnings are told apart by
     * their text. */
    if (r->has_other_sums)
        return reader_warn(r, "'%s' differs from the sum of all costs", key);
    r->has_other_sums = 1;
    return reader_warn(
        r, "'%s' differs from the sum of all costs: it says %lld %.40s, they are %lld", key,
        (long long)row[i], builder_event_name(r->builder, i), (long long)r->sums[i]);
}

/* Reads "32768 B, 64 B, 8-way associative" or "..., direct-mapped"; zeros stay where the text is
 * another. */
static void read_geometry(const char *at, const char *end, struct cprof_cache *cache)
{
    uint64_t size, line_size, ways;

    at = lex_skip_blanks(at, end);
    if (lex_decimal(&at, end, &size) != LEX_OK || !LEX_STARTS(at, end, " B, "))
        return;
    at += 4;
    if (lex_decimal(&at, end, &line_size) != LEX_OK || !LEX_STARTS(at, end, " B, "))
        return;
    at += 4;
    if (LEX_STARTS(at, end, "direct-mapped"))
        ways = 1;
    else if (lex_decimal(&at, end, &ways) != LEX_OK || !LEX_STARTS(at, end, "-way"))
        return;
    cache->size = size;
    cache->line_size = line_size;
    cache->ways = ways;
}

int reader_description(struct reader *r, const char *at)
{
    /* Valgrind before 3.6 called the last level L2. */
    static const struct {
        const char *key, *name;
    } caches[] = {
        {"I1 cache:", "I1"}, {"D1 cache:", "D1"}, {"LL cache:", "LL"}, {"L2 cache:", "LL"}};
    struct cprof_cache cache = {0};
    const char *text = reader_text(r, at);

    if (!text || builder_add_text(r->builder, BUILDER_DESCRIPTIONS, text))
        return -1;
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
        size_t size = strlen(caches[i].key);
        const char *end = text + strlen(text), *value;
        if (strncmp(text, caches[i].key, size))
            continue;
        value = lex_skip_blanks(text + size, end);
        if (value == end)
            return 0; /* callgrind without a cache model */
        cache.name = caches[i].name;
        cache.text = value;
        read_geometry(value, end, &cache);
        return builder_cache(r->builder, &cache);
    }
    return 0;
}
