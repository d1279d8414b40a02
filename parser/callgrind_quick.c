#include <config.h>

/* The usual lines of callgrind's output, read in one go. */
#include "builder_private.h"
#include "callgrind.h"

/*
 * The usual lines are taken from the buffer without a search for their ends, and their counts are
 * added to the records that are expected, without a call.
 */

/* For functions that both kinds of cost lines use: gcc would call them, for a tenth of the time. */
#define INLINE static inline __attribute__((always_inline))

/* A line is looked at only where so many bytes are at hand. */
#define LINE_ROOM 32

INLINE int book_self(struct callgrind *c, const uint64_t *at)
{
    struct cprof_cost cost = {
        .function = c->function,
        .file = c->file,
        .line = (uint32_t)at[POSITION_LINE],
        .address = at[POSITION_INSTR],
    };
    int64_t *row = builder_expected_cost(c->r.builder, &cost);

    /* Names of a call that never came: Callgrind leaves out the numbers of calls without cost. */
    callgrind_forget_call(c);
    memcpy(c->base, at, sizeof c->base);
    return row ? builder_add_row(c->r.builder, row, c->r.row)
               : builder_cost(c->r.builder, &cost, c->r.row);
}

INLINE int book_call(struct callgrind *c, const uint64_t *at)
{
    struct cprof_call call = {
        .caller = c->function,
        .callee = callgrind_callee(c),
        .file = c->file,
        .line = (uint32_t)at[POSITION_LINE],
        .address = at[POSITION_INSTR],
        .count = c->call_count,
    };
    int64_t *row;

    if (call.callee == CPROF_NONE)
        return -1;
    if (!c->is_stock)
        memcpy(c->base, at, sizeof c->base);
    c->pending = PENDING_NONE;
    row = builder_expected_call(c->r.builder, &call);
    return row ? builder_add_row(c->r.builder, row, c->r.row)
               : builder_call(c->r.builder, &call, c->r.row);
}

INLINE int book(struct callgrind *c, const uint64_t *at)
{
    return c->pending == PENDING_CALL ? book_call(c, at) : book_self(c, at);
}

int callgrind_book(struct callgrind *c, const uint64_t *at)
{
    return book(c, at);
}

/* Digits of a distance: Callgrind mostly writes one or two. */
INLINE const char *quick_distance(const char *at, const char *end, uint64_t *value)
{
    unsigned tens, ones;

    if (end - at < 3)
        return NULL;
    tens = (unsigned char)(at[0] - '0');
    ones = (unsigned char)(at[1] - '0');
    if (tens > 9 || (ones <= 9 && lex_is_digit(at[2])))
        return lex_quick_decimal(at, end, value);
    *value = ones > 9 ? tens : tens * 10 + ones;
    return ones > 9 ? at + 1 : at + 2;
}

/* One position; NULL where it is odd. */
INLINE const char *quick_position(const char *at, const char *end, uint64_t base, uint64_t *value)
{
    uint64_t distance = 0;

    if (end - at < 3)
        return NULL;
    switch (*at) {
    case '*':
        *value = base;
        return at + 1;
    case '+':
        at = quick_distance(at + 1, end, &distance);
        *value = base + distance;
        return at && *value >= base ? at : NULL;
    case '-':
        at = quick_distance(at + 1, end, &distance);
        *value = base - distance;
        return at && distance <= base ? at : NULL;
    default:
        if (at[0] == '0' && at[1] == 'x')
            return lex_prefixed(&at, end, value) == LEX_OK ? at : NULL;
        return lex_quick_decimal(at, end, value);
    }
}

/* Reads the counts up to the newline, each behind one blank, into the row. Returns the byte behind
 * the newline; NULL where they are odd. */
INLINE const char *quick_counts(struct reader *r, const char *at, const char *end)
{
    uint32_t n = r->n_columns, i;

    if (n != r->n_events)
        memset(r->row, 0, r->n_events * sizeof *r->row);
    for (i = 0; *at != '\n'; i++) {
        uint64_t count;
        if (*at != ' ' || i == n || !(at = lex_quick_decimal(at + 1, end, &count)))
            return NULL;
        r->row[r->columns[i]] = (int64_t)count;
    }
    for (; i < n; i++)
        r->row[r->columns[i]] = 0;
    return at + 1;
}

/* Books the counts at `at`, which stand behind the positions `values`. */
INLINE const char *quick_row(struct callgrind *c, const uint64_t *values, const char *at,
                             const char *end)
{
    if (values[POSITION_LINE] > UINT32_MAX || !(at = quick_counts(&c->r, at, end)))
        return NULL;
    if (c->pending != PENDING_CALL && reader_try_row(&c->r))
        return NULL;
    c->in_body = 1;
    c->is_fresh = 0;
    return book(c, values) ? NULL : at;
}

/* One position for each column, and the counts. */
static const char *quick_columns(struct callgrind *c, const char *at, const char *end)
{
    uint64_t values[POSITION_KINDS] = {0};

    for (uint32_t i = 0; i < c->n_positions; i++) {
        int kind = c->positions[i];
        if (i && *at++ != ' ')
            return NULL;
        at = quick_position(at, end, c->base[kind], &values[kind]);
        if (!at || at == end)
            return NULL;
    }
    return quick_row(c, values, at, end);
}

static inline const char *quick_costs(struct callgrind *c, const char *at, const char *end)
{
    uint64_t values[POSITION_KINDS] = {0};

    if (c->function == CPROF_NONE || c->pending == PENDING_JUMP || !c->r.have_events)
        return NULL;
    if (!c->lines_only)
        return quick_columns(c, at, end);
    at = quick_position(at, end, c->base[POSITION_LINE], &values[POSITION_LINE]);
    return at ? quick_row(c, values, at, end) : NULL;
}

/* "calls=COUNT TARGET". */
static inline const char *quick_calls(struct callgrind *c, const char *line, const char *end)
{
    const char *at;
    uint64_t count, target;

    if (memcmp(line, "calls=", 6) != 0 || c->call[SPACE_FUNCTION].alias == NAME_ABSENT)
        return NULL;
    at = lex_quick_decimal(line + 6, end, &count);
    if (!at || *at != ' ')
        return NULL;
    while (*at == ' ')
        if (!(at = quick_position(at + 1, end, INT64_MAX, &target)) || at == end)
            return NULL;
    if (*at != '\n')
        return NULL;
    c->call_count = count;
    c->pending = PENDING_CALL;
    return at + 1;
}

/* Returns the byte behind the line; NULL where it is odd. */
static inline const char *quick_line(struct callgrind *c, const char *line, const char *end)
{
    if (*line <= '9')
        return quick_costs(c, line, end);
    if (c->pending != PENDING_NONE)
        return NULL;
    if (line[0] == 'c' && line[1] == 'a')
        return quick_calls(c, line, end);
    return callgrind_quick_name(c, line, end);
}

int callgrind_quick_lines(struct callgrind *c)
{
    const char *end, *line = input_rest(c->r.in, &end), *next;
    unsigned long n = 0;

    for (; end - line >= LINE_ROOM && (next = quick_line(c, line, end)); line = next)
        n++;
    input_take(c->r.in, line, n);
    return c->r.error->code == CPROF_OK ? 0 : -1;
}
