#include <config.h>

#include "callgrind.h"

#include "error.h"

#include <stdlib.h>

/* Reads "+N" or "-N" as a distance from `base`. Below zero is only possible in lines: *is_clamped
 * is set and it is 0. */
static enum lex relative(const char **at, const char *end, uint64_t base, uint64_t *value,
                         int *is_clamped)
{
    const char *p = *at + 1;
    uint64_t distance;
    enum lex result = lex_number(&p, end, &distance);

    if (result != LEX_OK)
        return result;
    if (**at == '+') {
        if (__builtin_add_overflow(base, distance, value))
            return LEX_RANGE;
    } else {
        *is_clamped |= distance > base;
        *value = distance > base ? 0 : base - distance;
    }
    *at = p;
    return LEX_OK;
}

static enum lex position(const char **at, const char *end, uint64_t base, uint64_t *value,
                         int *is_clamped)
{
    if (*at == end)
        return LEX_BAD;
    switch (**at) {
    case '*':
        *value = base;
        ++*at;
        return LEX_OK;
    case '+':
    case '-':
        return relative(at, end, base, value, is_clamped);
    default:
        return lex_number(at, end, value);
    }
}

/* Reads one position for each column, by kind. Returns where the counts begin, NULL on failure. */
static const char *read_positions(struct callgrind *c, const char *at, uint64_t *values)
{
    const char *end = c->r.end;
    int is_clamped = 0;

    for (uint32_t i = 0; i < c->n_positions; i++) {
        int kind = c->positions[i];
        enum lex result;
        const char *start = at = lex_skip_blanks(at, end);
        result = position(&at, end, c->base[kind], &values[kind], &is_clamped);
        if (result == LEX_OK && kind == POSITION_LINE && values[kind] > UINT32_MAX)
            result = LEX_RANGE;
        if (result != LEX_OK || (at < end && !lex_is_blank(*at))) {
            reader_fail_number(&c->r, result, result == LEX_RANGE ? start : at,
                               kind == POSITION_LINE ? "line number" : "position");
            return NULL;
        }
    }
    if (is_clamped && reader_warn(&c->r, "a relative position leads below zero; it is taken as 0"))
        return NULL;
    return at;
}

/* A line of numbers: self cost, or the cost of the calls= or jump= before it. */
static int cost_line(struct callgrind *c, const char *at)
{
    uint64_t values[POSITION_KINDS] = {0};

    at = read_positions(c, at, values);
    if (!at)
        return -1;
    if (c->pending == PENDING_JUMP) {
        c->pending = PENDING_NONE;
        return 0;
    }
    if (!c->r.have_events)
        return reader_fail(&c->r, CPROF_ERROR_SYNTAX, NULL, "costs before 'events:'");
    /* Callgrind subtracts the counts of before a program reset the counters. */
    c->r.may_wrap = c->pending == PENDING_CALL;
    if (reader_counts(&c->r, at))
        return -1;
    if (c->r.has_negative &&
        reader_warn(&c->r, c->r.has_wrapped ? "a count of calls has wrapped below zero, as the "
                                              "program reset its counters: it is negative, and "
                                              "what callers have with it is too small"
                                            : "a count is negative"))
        return -1;
    c->r.has_negative = c->r.has_wrapped = 0;
    c->in_body = 1;
    c->is_fresh = 0;
    if (c->function == CPROF_NONE && (c->function = callgrind_late_function(c)) == CPROF_NONE)
        return -1;
    if (c->pending != PENDING_CALL && reader_add_row(&c->r))
        return -1;
    return callgrind_book(c, values);
}

/* The target of a call, however many positions: xdebug writes one more than it has columns. */
static int call_target(struct callgrind *c, const char *at)
{
    const char *end = c->r.end;
    int is_clamped = 0;

    while ((at = lex_skip_blanks(at, end)) < end) {
        uint64_t value;

        if (position(&at, end, INT64_MAX, &value, &is_clamped) != LEX_OK ||
            (at < end && !lex_is_blank(*at)))
            return reader_warn(&c->r, "the target of 'calls=' is no position");
    }
    return 0;
}

/* "calls=COUNT TARGET", from the count on: the target is where the callee begins, and is not kept.
 */
static int calls_line(struct callgrind *c, const char *at)
{
    const char *start = at = lex_skip_blanks(at, c->r.end);
    enum lex result = lex_number(&at, c->r.end, &c->call_count);

    if (result == LEX_OK && c->call_count > INT64_MAX)
        result = LEX_RANGE;
    if (result != LEX_OK || (at < c->r.end && !lex_is_blank(*at)))
        return reader_fail_number(&c->r, result, result == LEX_RANGE ? start : at,
                                  "number of calls");
    if (c->call[SPACE_FUNCTION].alias == NAME_ABSENT)
        return reader_fail(&c->r, CPROF_ERROR_SYNTAX, NULL, "'calls=' without 'cfn=' before it");
    c->pending = PENDING_CALL;
    return call_target(c, at);
}

/* A line that begins with neither a digit nor a known name. */
static int other_line(struct callgrind *c)
{
    const char *line = c->r.line, *end = c->r.end;
    int result;

    if (LEX_STARTS(line, end, "jump=") || LEX_STARTS(line, end, "jcnd=")) {
        c->pending = PENDING_JUMP;
        return 0;
    }
    result = callgrind_header_line(c);
    if (result <= 0)
        return result;
    /* Executions of blocks (--dump-bbs) and levels of recursion (--mangle-names=no): the costs
     * stand in lines of their own all the same. */
    if (LEX_STARTS(line, end, "bb=") || LEX_STARTS(line, end, "ln=") ||
        LEX_STARTS(line, end, "rec="))
        return 0;
    /* Early versions of Callgrind wrote it: calls within recursion. */
    if (LEX_STARTS(line, end, "rcalls="))
        return reader_warn(&c->r, "'rcalls=' is read as 'calls='") ? -1 : calls_line(c, line + 7);
    /* Xdebug's, before each profile that it appends to a file. */
    if (LEX_STARTS(line, end, "==== NEW PROFILING FILE"))
        return 0;
    return reader_warn(&c->r, "unknown line");
}

/* Tells if the line at hand is left out: it has no newline and does not end a whole file, so a
 * number in it may lack digits. */
static int is_cut_line(const struct callgrind *c)
{
    return !input_line_is_whole(c->r.in) && c->needs_totals &&
           !LEX_STARTS(c->r.line, c->r.end, "totals:");
}

static int any_line(struct callgrind *c)
{
    const char *at = lex_skip_blanks(c->r.line, c->r.end);
    int result;

    if (at == c->r.end || *at == '#')
        return 0;
    if (is_cut_line(c))
        return callgrind_warn_cut(c, "its last line is not whole and was left out");
    if (lex_is_digit(*at) || *at == '*' || *at == '+' || *at == '-')
        return cost_line(c, at);
    if (c->pending != PENDING_NONE)
        return reader_fail(&c->r, CPROF_ERROR_SYNTAX, NULL,
                           "a line of positions must follow 'calls=' or 'jump='");
    result = callgrind_name_line(c);
    if (result <= 0)
        return result;
    if (LEX_STARTS(c->r.line, c->r.end, "calls="))
        return calls_line(c, c->r.line + 6);
    return other_line(c);
}

static int read_all(struct reader *r)
{
    struct callgrind *c = (struct callgrind *)r;
    int more;

    do
        more = callgrind_quick_lines(c) ? -1 : reader_next(&c->r);
    while (more > 0 && !any_line(c));
    if (more || callgrind_end_part(c))
        return -1;
    if (reader_need_events(r))
        return -1;
    /* Callgrind leaves out cob= where the object stays; others do not know of it. */
    if (!c->is_stock && !c->has_call_objects && builder_unite_callees(c->r.builder))
        return -1;
    return callgrind_describe_events(c);
}

struct cprof_profile *callgrind_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    struct callgrind *c = reader_new(sizeof *c, error);
    struct cprof_profile *profile;

    if (!c)
        return NULL;
    c->object = c->own_file = c->file = c->function = CPROF_NONE;
    callgrind_forget_call(c);
    c->n_positions = c->lines_only = 1;
    c->positions[0] = POSITION_LINE;
    c->part = (struct cprof_part){.pid = -1, .thread = -1, .part = -1};
    profile = reader_run(&c->r, in, flags, error, CPROF_FORMAT_CALLGRIND, read_all);
    callgrind_release_names(c);
    free(c);
    return profile;
}
