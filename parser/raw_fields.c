#include <config.h>

/* The fields of a raw profile's lines: addresses, numbers, indices. */
#include "error.h"
#include "raw.h"

int raw_out_of_memory(struct cprof_error *error)
{
    return error_set(error, CPROF_ERROR_MEMORY, "out of memory");
}

int raw_reserve_behind(struct raw *w, struct vector *v, size_t n, size_t size)
{
    return vector_reserve(v, n, size) ? raw_out_of_memory(&w->behind) : 0;
}

void *raw_push(struct raw *w, struct vector *v, size_t size)
{
    void *new = vector_push(v, size);

    if (!new)
        raw_out_of_memory(w->r.error);
    return new;
}

void *raw_push_behind(struct raw *w, struct vector *v, size_t size)
{
    void *new = vector_push(v, size);

    if (!new)
        raw_out_of_memory(&w->behind);
    return new;
}

int raw_end(struct raw *w, const char *at)
{
    return at == w->r.end ? 0 : framed_bad(&w->r, at, "more fields than the record has");
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

int raw_word(struct raw *w, const char **at, uint64_t *value)
{
    const char *start = *at;
    enum lex result = lex_decimal(at, w->r.end, value);

    if (result != LEX_OK || (*at < w->r.end && **at != ' '))
        return reader_fail_number(&w->r, result, result == LEX_RANGE ? start : *at, "number");
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
        return framed_bad(&w->r, *at, "'-' is a field of its own");
    *at += *at < w->r.end;
    return 0;
}

int raw_counts(struct raw *w, const char *at, const uint32_t *columns, uint32_t n_columns)
{
    memset(w->r.row, 0, w->r.n_events * sizeof *w->r.row);
    if (at == w->r.end)
        return framed_bad(&w->r, at, "count is missing");
    for (uint32_t i = 0; at < w->r.end; i++) {
        if (i == n_columns)
            return reader_fail(&w->r, CPROF_ERROR_SYNTAX, at, "more counts than the %u events",
                               (unsigned)n_columns);
        if (raw_number(w, &at, &w->r.row[columns[i]]))
            return -1;
    }
    return 0;
}
