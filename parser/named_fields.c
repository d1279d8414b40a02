#include <config.h>

/* The fields of lines with names: numbers, indices, words. */
#include "error.h"
#include "named.h"

static int skip_blank(struct named *w, const char **at)
{
    if (*at < w->r.end && **at != ' ')
        return framed_bad(&w->r, *at, "a field ends at a blank");
    *at += *at < w->r.end;
    return 0;
}

int named_number(struct named *w, const char **at, uint64_t *value)
{
    const char *start = *at;
    enum lex result = lex_decimal(at, w->r.end, value);

    if (result != LEX_OK)
        return reader_fail_number(&w->r, result, start, "number");
    return skip_blank(w, at);
}

int named_long(struct named *w, const char **at, long *value)
{
    const char *start = *at, *end = memchr(start, ' ', (size_t)(w->r.end - start));
    enum lex result = lex_long(start, end ? end : w->r.end, value);

    if (result != LEX_OK)
        return reader_fail_number(&w->r, result, start, "number");
    *at = end ? end + 1 : w->r.end;
    return 0;
}

int named_line_number(struct named *w, const char **at, uint32_t *line)
{
    const char *start = *at;
    uint64_t value;

    if (named_number(w, at, &value))
        return -1;
    if (value > UINT32_MAX)
        return reader_fail_number(&w->r, LEX_RANGE, start, "line number");
    *line = (uint32_t)value;
    return 0;
}

int named_address(struct named *w, const char **at, uint64_t *value)
{
    const char *start = *at;
    enum lex result = lex_hex(at, w->r.end, value);

    return result != LEX_OK ? reader_fail_number(&w->r, result, start, "address")
                            : skip_blank(w, at);
}

int named_calls(struct named *w, const char **at, uint64_t *calls)
{
    const char *start = *at;

    if (named_number(w, at, calls))
        return -1;
    return *calls > INT64_MAX ? reader_fail_number(&w->r, LEX_RANGE, start, "number") : 0;
}

int named_index(struct named *w, const char **at, const struct vector *of, const char *what,
                uint32_t *index)
{
    const char *start = *at;
    uint64_t value;

    if (named_number(w, at, &value))
        return -1;
    if (value >= of->count)
        return reader_fail(&w->r, CPROF_ERROR_SYNTAX, start, "%s %llu is not defined", what,
                           (unsigned long long)value);
    *index = ((const uint32_t *)of->data)[value];
    return 0;
}

int named_maybe(struct named *w, const char **at, const struct vector *of, const char *what,
                uint32_t *index)
{
    if (*at == w->r.end || **at != NAMED_NONE)
        return named_index(w, at, of, what, index);
    *index = CPROF_NONE;
    ++*at;
    return skip_blank(w, at);
}

const char *named_word(struct named *w, const char **at)
{
    const char *end = memchr(*at, ' ', (size_t)(w->r.end - *at)), *text;

    if (!end)
        end = w->r.end;
    text = framed_text(&w->r, *at, end);
    *at = end + (end < w->r.end);
    return text;
}

int named_maybe_word(struct named *w, const char **at, const char **word)
{
    int none = *at < w->r.end && **at == NAMED_NONE && (*at + 1 == w->r.end || (*at)[1] == ' ');

    *word = named_word(w, at);
    if (!*word)
        return -1;
    if (none)
        *word = NULL;
    return 0;
}

int named_add_index(struct named *w, struct vector *to, uint32_t index)
{
    uint32_t *new;

    if (index == CPROF_NONE)
        return -1; /* the builder has reported why */
    new = vector_push(to, sizeof *new);
    if (!new)
        return error_set(w->r.error, CPROF_ERROR_MEMORY, "out of memory");
    *new = index;
    return 0;
}
