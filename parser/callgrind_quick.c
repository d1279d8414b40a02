#include <config.h>

#include "callgrind.h"

/*
 * Lines are taken from the buffer without looking for their ends first.
 */

/* One position; NULL where it is odd. */
static inline const char *quick_position(const char *at, const char *end, uint64_t base,
                                         uint64_t *value)
{
    uint64_t distance;
    char sign;

    if (at == end)
        return NULL;
    sign = *at;
    if (sign == '*') {
        *value = base;
        return at + 1;
    }
    if (sign != '+' && sign != '-') {
        if (end - at > 2 && at[0] == '0' && at[1] == 'x')
            return lex_prefixed(&at, end, value) == LEX_OK ? at : NULL;
        return lex_quick_decimal(at, end, value);
    }
    at = lex_quick_decimal(at + 1, end, &distance);
    if (!at)
        return NULL;
    *value = sign == '+' ? base + distance : base - distance;
    return sign == '+' ? (*value < base ? NULL : at) : (distance > base ? NULL : at);
}

/* The counts up to the newline, each behind one blank, into the row. Returns what is behind the
 * newline. */
static inline const char *quick_counts(struct reader *r, const char *at, const char *end)
{
    uint32_t i = 0;

    if (r->n_columns != r->n_events)
        memset(r->row, 0, r->n_events * sizeof *r->row);
    for (; at < end && *at != '\n'; i++) {
        uint64_t count;
        if (*at != ' ' || i == r->n_columns || !(at = lex_quick_decimal(at + 1, end, &count)))
            return NULL;
        r->row[r->columns[i]] = (int64_t)count;
    }
    for (; i < r->n_columns; i++)
        r->row[r->columns[i]] = 0;
    return at < end ? at + 1 : NULL;
}

static inline int quick_costs(struct callgrind *c, const char *line, const char *end)
{
    uint64_t values[POSITION_KINDS] = {0};
    const char *at = line;

    if (c->function == CPROF_NONE || c->pending == PENDING_JUMP || !c->r.have_events)
        return 0;
    for (uint32_t i = 0; i < c->n_positions; i++) {
        int kind = c->positions[i];
        if (i && (at == end || *at++ != ' '))
            return 0;
        if (!(at = quick_position(at, end, c->base[kind], &values[kind])))
            return 0;
    }
    if (values[POSITION_LINE] > UINT32_MAX || !(at = quick_counts(&c->r, at, end)))
        return 0;
    c->r.line = line;
    c->r.end = at - 1;
    input_take(c->r.in, at);
    c->in_body = 1;
    return callgrind_book(c, values) ? -1 : 1;
}

/* "calls=COUNT TARGET". */
static inline int quick_calls(struct callgrind *c, const char *line, const char *end)
{
    const char *at;
    uint64_t count;

    if (!LEX_STARTS(line, end, "calls=") || !c->call_function.text)
        return 0;
    at = lex_quick_decimal(line + 6, end, &count);
    if (!at || at == end || *at != ' ')
        return 0;
    while (at < end && *at != '\n')
        at++;
    if (at == end)
        return 0;
    c->r.line = line;
    c->r.end = at;
    input_take(c->r.in, at + 1);
    c->call_count = count;
    c->pending = PENDING_CALL;
    return 1;
}

int callgrind_quick_line(struct callgrind *c)
{
    const char *end, *line = input_rest(c->r.in, &end);

    if (line == end)
        return 0;
    if (*line <= '9')
        return quick_costs(c, line, end);
    if (c->pending != PENDING_NONE)
        return 0;
    if (*line == 'c' && end - line > 1 && line[1] == 'a')
        return quick_calls(c, line, end);
    return callgrind_quick_name(c);
}
