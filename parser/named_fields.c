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

/*--- Writing ---*/

void named_put_unsigned(struct sink *out, uint64_t number)
{
    sink_byte(out, ' ');
    sink_unsigned(out, number);
}

void named_put_signed(struct sink *out, int64_t number)
{
    sink_byte(out, ' ');
    sink_signed(out, number);
}

void named_put_address(struct sink *out, uint64_t address)
{
    sink_byte(out, ' ');
    sink_hex(out, address);
}

static void put_none(struct sink *out)
{
    sink_byte(out, ' ');
    sink_byte(out, NAMED_NONE);
}

void named_put_index(struct sink *out, uint32_t index)
{
    if (index == CPROF_NONE)
        put_none(out);
    else
        named_put_unsigned(out, index);
}

static void put_escape(struct sink *out, unsigned char byte)
{
    const char escape[] = {CP_RAW_ESCAPE, 'x', "0123456789abcdef"[byte >> 4],
                           "0123456789abcdef"[byte & 15]};

    sink_bytes(out, escape, sizeof escape);
}

/* Bytes that stand for themselves are most of any text: they are put piece by piece. */
static void put_bytes(struct sink *out, const char *text, int is_word)
{
    const char *start = text;

    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c >= 0x20 && c != 0x7f && c != CP_RAW_ESCAPE && (c != ' ' || !is_word))
            continue;
        sink_bytes(out, start, (size_t)(text - start));
        put_escape(out, c);
        start = text + 1;
    }
    sink_bytes(out, start, (size_t)(text - start));
}

void named_put_text(struct sink *out, const char *text)
{
    sink_byte(out, ' ');
    put_bytes(out, text, 0);
}

void named_put_word(struct sink *out, const char *text)
{
    if (!text) {
        put_none(out);
        return;
    }
    sink_byte(out, ' ');
    if (text[0] == NAMED_NONE && !text[1])
        put_escape(out, NAMED_NONE);
    else
        put_bytes(out, text, 1);
}

void named_put_counts(struct sink *out, const int64_t *values, uint32_t n)
{
    while (n > 1 && !values[n - 1])
        n--;
    for (uint32_t i = 0; i < n; i++)
        named_put_signed(out, values[i]);
    sink_end_line(out);
}
