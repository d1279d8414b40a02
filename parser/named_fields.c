#include <config.h>

#include "named.h"

#include <stdlib.h>

#include "error.h"

int named_bad(struct named *w, const char *at, const char *text)
{
    return reader_fail(&w->r, CPROF_ERROR_SYNTAX, at, "%s", text);
}

static int skip_blank(struct named *w, const char **at)
{
    if (*at < w->r.end && **at != ' ')
        return named_bad(w, *at, "a field ends at a blank");
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

/* A number of calls, which are signed elsewhere. */
int named_calls(struct named *w, const char **at, uint64_t *calls)
{
    const char *start = *at;

    if (named_number(w, at, calls))
        return -1;
    return *calls > INT64_MAX ? reader_fail_number(&w->r, LEX_RANGE, start, "number") : 0;
}

int named_index(struct named *w, const char **at, const struct indices *of, const char *what,
                uint32_t *index)
{
    const char *start = *at;
    uint64_t value;

    if (named_number(w, at, &value))
        return -1;
    if (value >= of->n)
        return reader_fail(&w->r, CPROF_ERROR_SYNTAX, start, "%s %llu is not defined", what,
                           (unsigned long long)value);
    *index = of->items[value];
    return 0;
}

/* The same, or "-" for none. */
int named_maybe(struct named *w, const char **at, const struct indices *of, const char *what,
                uint32_t *index)
{
    if (*at == w->r.end || **at != '-')
        return named_index(w, at, of, what, index);
    *index = CPROF_NONE;
    ++*at;
    return skip_blank(w, at);
}

/* One byte of a text, its escape undone. */
static int read_byte(struct named *w, const char **at, const char *end, char *byte)
{
    const char *digits = *at + 2, *stop = *at + 4;
    uint64_t value;

    if (**at != '\\') {
        *byte = *(*at)++;
        return *byte ? 0 : named_bad(w, *at - 1, "text holds a NUL byte");
    }
    if (end - *at < 4 || (*at)[1] != 'x' || lex_hex(&digits, stop, &value) != LEX_OK ||
        digits != stop || !value)
        return named_bad(w, *at, "text holds an escape other than '\\xHH'");
    *byte = (char)(unsigned char)value;
    *at = stop;
    return 0;
}

/* The text from `at` to `end`. NULL on failure. */
const char *named_text(struct named *w, const char *at, const char *end)
{
    size_t size = 0;
    const char *text = NULL;
    char *bytes = malloc((size_t)(end - at) + 1);

    if (!bytes) {
        error_set(w->r.error, CPROF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    while (at < end && !read_byte(w, &at, end, &bytes[size]))
        size++;
    if (at == end)
        text = builder_text(w->r.builder, bytes, size);
    free(bytes);
    return text;
}

/* A text that is one field: a word. */
const char *named_word(struct named *w, const char **at)
{
    const char *end = memchr(*at, ' ', (size_t)(w->r.end - *at)), *text;

    if (!end)
        end = w->r.end;
    text = named_text(w, *at, end);
    *at = end + (end < w->r.end);
    return text;
}

/* A word, or "-" for none. 0 or -1. */
int named_maybe_word(struct named *w, const char **at, const char **word)
{
    int none = *at < w->r.end && **at == '-' && (*at + 1 == w->r.end || (*at)[1] == ' ');

    *word = named_word(w, at);
    if (!*word)
        return -1;
    if (none)
        *word = NULL;
    return 0;
}

int named_add_index(struct named *w, struct indices *to, uint32_t index)
{
    if (index == CPROF_NONE)
        return -1; /* the builder has said why */
    if (to->n == to->room) {
        size_t room = to->room ? 2 * to->room : 64;
        uint32_t *items =
            room > SIZE_MAX / sizeof *items ? NULL : realloc(to->items, room * sizeof *items);

        if (!items)
            return error_set(w->r.error, CPROF_ERROR_MEMORY, "out of memory");
        to->items = items;
        to->room = room;
    }
    to->items[to->n++] = index;
    return 0;
}
