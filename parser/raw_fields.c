#include <config.h>

#include "raw.h"

#include <stdlib.h>

#include "cp_format.h"
#include "error.h"

int raw_bad(struct raw *w, const char *at, const char *text)
{
    return reader_fail(&w->r, CPROF_ERROR_SYNTAX, at, "%s", text);
}

int raw_end(struct raw *w, const char *at)
{
    return at == w->r.end ? 0 : raw_bad(w, at, "more fields than the record has");
}

/* A hexadecimal address and the blank behind it. */
int raw_address(struct raw *w, const char **at, uint64_t *value)
{
    enum lex result = lex_hex(at, w->r.end, value);

    if (result != LEX_OK || (*at < w->r.end && **at != ' '))
        return reader_fail_number(&w->r, result, *at, "address");
    *at += *at < w->r.end;
    return 0;
}

/* A decimal number up to 2^63-1 and the blank behind it. */
int raw_number(struct raw *w, const char **at, int64_t *value)
{
    const char *start = *at;
    uint64_t n;
    enum lex result = lex_decimal(at, w->r.end, &n);

    if (result == LEX_OK && n > INT64_MAX)
        result = LEX_RANGE;
    if (result != LEX_OK || (*at < w->r.end && **at != ' '))
        return reader_fail_number(&w->r, result, result == LEX_RANGE ? start : *at, "number");
    *value = (int64_t)n;
    *at += *at < w->r.end;
    return 0;
}

/* The number of something that is defined, `count` being defined so far. */
int raw_id(struct raw *w, const char **at, size_t count, const char *what, uint32_t *id)
{
    const char *start = *at;
    int64_t n;

    *id = 0;
    if (raw_number(w, at, &n))
        return -1;
    if ((uint64_t)n >= count)
        return reader_fail(&w->r, CPROF_ERROR_SYNTAX, start, "%s %lld is not defined", what,
                           (long long)n);
    *id = (uint32_t)n;
    return 0;
}

/* The number of a definition: they count from 0. */
int raw_new_id(struct raw *w, const char **at, size_t count, const char *what)
{
    const char *start = *at;
    int64_t n;

    if (raw_number(w, at, &n))
        return -1;
    if ((uint64_t)n != count || count >= UINT32_MAX)
        return reader_fail(&w->r, CPROF_ERROR_SYNTAX, start, "%s %lld is out of order: %zu is next",
                           what, (long long)n, count);
    return 0;
}

int raw_id_or_none(struct raw *w, const char **at, size_t count, const char *what, uint32_t *id)
{
    if (*at == w->r.end || **at != '-')
        return raw_id(w, at, count, what, id);
    *id = CPROF_NONE;
    ++*at;
    if (*at < w->r.end && **at != ' ')
        return raw_bad(w, *at, "'-' is a field of its own");
    *at += *at < w->r.end;
    return 0;
}

int raw_counts(struct raw *w, const char *at, const uint32_t *columns, uint32_t n_columns)
{
    memset(w->r.row, 0, w->r.n_events * sizeof *w->r.row);
    if (at == w->r.end)
        return raw_bad(w, at, "count is missing");
    for (uint32_t i = 0; at < w->r.end; i++) {
        if (i == n_columns)
            return reader_fail(&w->r, CPROF_ERROR_SYNTAX, at, "more counts than the %u events",
                               (unsigned)n_columns);
        if (raw_number(w, &at, &w->r.row[columns[i]]))
            return -1;
    }
    return 0;
}

/* One byte of a text, its escape undone. */
static int read_byte(struct raw *w, const char **at, char *byte)
{
    const char *digits = *at + 2, *end = w->r.end - *at < 4 ? w->r.end : *at + 4;
    uint64_t value;

    if (**at != CP_RAW_ESCAPE) {
        *byte = *(*at)++;
        return *byte ? 0 : raw_bad(w, *at - 1, "text holds a NUL byte");
    }
    if (end - *at != 4 || (*at)[1] != 'x' || lex_hex(&digits, end, &value) != LEX_OK ||
        digits != end || !value)
        return raw_bad(w, *at, "text holds an escape other than '\\xHH'");
    *byte = (char)(unsigned char)value;
    *at = end;
    return 0;
}

/* The text from `at` to the end of the line. NULL on failure. */
const char *raw_text(struct raw *w, const char *at)
{
    size_t size = 0;
    const char *text = NULL;
    char *bytes;

    if (!memchr(at, CP_RAW_ESCAPE, (size_t)(w->r.end - at)))
        return reader_name(&w->r, at);
    bytes = malloc((size_t)(w->r.end - at));
    if (!bytes) {
        error_set(w->r.error, CPROF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    while (at < w->r.end && !read_byte(w, &at, &bytes[size]))
        size++;
    if (at == w->r.end)
        text = builder_text(w->r.builder, bytes, size);
    free(bytes);
    return text;
}
