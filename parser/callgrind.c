#include <config.h>

#include "callgrind.h"

#include "builder_private.h"
#include "error.h"

#include <stdlib.h>

/*--- Header ---*/

/* "0.9.6" and "1" are read; the major number of anything else is too high. */
static int version_line(struct callgrind *c, const char *at)
{
    const char *digits = lex_skip_blanks(at, c->r.end);
    uint64_t major;
    enum lex result;

    at = digits;
    result = lex_decimal(&at, c->r.end, &major);
    if (result == LEX_BAD)
        return reader_fail_number(&c->r, result, at, "version");
    if (result == LEX_RANGE || major > 1)
        return reader_fail(&c->r, CPROF_ERROR_VERSION, digits,
                           "version '%.*s' of the callgrind format is not supported",
                           (int)(c->r.end - digits < 20 ? c->r.end - digits : 20), digits);
    return 0;
}

static int creator_line(struct callgrind *c, const char *at)
{
    const char *text = reader_text(&c->r, at);
    struct cprof_profile *header = builder_header(c->r.builder);

    if (!text)
        return -1;
    if (!header->creator)
        header->creator = text;
    c->is_stock = !strncmp(text, "callgrind-", 10);
    c->needs_totals = !strncmp(text, "callgrind-3.", 12) || !strncmp(text, "cargo-cprof-", 12);
    return 0;
}

static int command_line(struct callgrind *c, const char *at)
{
    const char *text = reader_text(&c->r, at);

    if (text && !builder_header(c->r.builder)->command)
        builder_header(c->r.builder)->command = text;
    return text ? 0 : -1;
}

static int pid_line(struct callgrind *c, const char *at)
{
    if (reader_long(&c->r, at, &c->part.pid))
        return -1;
    if (builder_header(c->r.builder)->pid == -1)
        builder_header(c->r.builder)->pid = c->part.pid;
    return 0;
}

static int part_line(struct callgrind *c, const char *at)
{
    return reader_long(&c->r, at, &c->part.part);
}

static int thread_line(struct callgrind *c, const char *at)
{
    return reader_long(&c->r, at, &c->part.thread);
}

/* Trigger and time range belong to the part, all else to the profile. */
static int description_line(struct callgrind *c, const char *at)
{
    const char **text;

    at = lex_skip_blanks(at, c->r.end);
    if (LEX_STARTS(at, c->r.end, "Trigger:")) {
        text = &c->part.trigger;
        at += 8;
    } else if (LEX_STARTS(at, c->r.end, "Timerange:")) {
        text = &c->part.timerange;
        at += 10;
    } else {
        return reader_description(&c->r, at);
    }
    *text = reader_text(&c->r, at);
    return *text ? 0 : -1;
}

static int positions_line(struct callgrind *c, const char *at)
{
    const char *word;
    size_t size;
    uint32_t n = 0;

    while ((word = lex_word(&at, c->r.end, &size))) {
        int kind = POSITION_OTHER;
        if (n == MAX_POSITIONS)
            return reader_fail(&c->r, CPROF_ERROR_SYNTAX, word, "more than %d positions",
                               MAX_POSITIONS);
        if (size == 5 && !memcmp(word, "instr", size))
            kind = POSITION_INSTR;
        else if (size == 4 && !memcmp(word, "line", size))
            kind = POSITION_LINE;
        for (uint32_t i = 0; i < n; i++)
            if (kind != POSITION_OTHER && c->positions[i] == kind)
                return reader_fail(&c->r, CPROF_ERROR_SYNTAX, word, "position is listed twice");
        c->positions[n++] = kind;
    }
    if (!n)
        return reader_fail(&c->r, CPROF_ERROR_SYNTAX, NULL, "no position is named in 'positions:'");
    c->n_positions = n;
    c->lines_only = n == 1 && c->positions[0] == POSITION_LINE;
    return 0;
}

static int events_line(struct callgrind *c, const char *at)
{
    return reader_events(&c->r, at);
}

/* The text of [at, end) without blanks around it, interned; NULL stands for nothing. -1 on failure.
 */
static int trimmed(struct callgrind *c, const char *at, const char *end, const char **text)
{
    at = lex_skip_blanks(at, end);
    while (end > at && lex_is_blank(end[-1]))
        end--;
    *text = NULL;
    if (at == end)
        return 0;
    if (memchr(at, '\0', (size_t)(end - at)))
        return reader_fail(&c->r, CPROF_ERROR_SYNTAX, NULL, "text holds a NUL byte");
    *text = builder_text(c->r.builder, at, (size_t)(end - at));
    return *text ? 0 : -1;
}

/* "event: NAME [= FORMULA] [: LONG NAME]" */
static int event_line(struct callgrind *c, const char *at)
{
    const char *end = c->r.end;
    const char *colon = memchr(at, ':', (size_t)(end - at)), *left = colon ? colon : end;
    const char *equals = memchr(at, '=', (size_t)(left - at));
    struct described d;

    if (trimmed(c, at, equals ? equals : left, &d.name) ||
        trimmed(c, equals ? equals + 1 : left, left, &d.formula) ||
        trimmed(c, colon ? colon + 1 : end, end, &d.long_name))
        return -1;
    if (!d.name)
        return reader_fail(&c->r, CPROF_ERROR_SYNTAX, NULL, "event name is missing");
    for (uint32_t i = 0; i < c->n_described; i++)
        if (c->described[i].name == d.name)
            return 0;
    if (c->n_described == READER_MAX_EVENTS)
        return reader_fail(&c->r, CPROF_ERROR_SYNTAX, NULL, "more than %d events",
                           READER_MAX_EVENTS);
    c->described[c->n_described++] = d;
    return 0;
}

/* Gives the events the texts of their "event:" lines. */
static int callgrind_describe_events(struct callgrind *c)
{
    for (uint32_t i = 0; i < c->n_described; i++) {
        const struct described *d = &c->described[i];
        uint32_t event = builder_find_event(c->r.builder, d->name);
        /* An event that is only derived from others has no column. */
        if (event != CPROF_NONE &&
            builder_event_describe(c->r.builder, event, d->long_name, d->formula))
            return -1;
    }
    return 0;
}

static int sums_line(struct callgrind *c, const char *at, int *have, int64_t *row)
{
    int result;

    if (!c->r.have_events)
        return reader_fail(&c->r, CPROF_ERROR_SYNTAX, NULL, "sums before 'events:'");
    result = reader_sums(&c->r, at, row);
    if (result > 0)
        *have = 1;
    return result < 0 ? -1 : 0;
}

static int totals_line(struct callgrind *c, const char *at)
{
    c->saw_totals = 1;
    return sums_line(c, at, &c->have_totals, c->totals);
}

static int summary_line(struct callgrind *c, const char *at)
{
    c->is_plain_summary = !c->is_stock && !c->in_body;
    return sums_line(c, at, &c->have_summary, c->summary);
}

static int ignored_line(struct callgrind *c, const char *at)
{
    (void)c;
    (void)at;
    return 0;
}

/* Warns that a file lacks `what`: it is cut short, or made by hand, and is read as far as it goes.
 * With CPROF_STRICT this is a failure. 0 or -1. */
static int callgrind_warn_cut(struct callgrind *c, const char *what)
{
    builder_header(c->r.builder)->may_be_cut = 1;
    if (c->r.flags & CPROF_STRICT)
        return error_set(c->r.error, CPROF_ERROR_TRUNCATED, "the file is cut short: %s", what);
    return builder_warn(c->r.builder, 0, "the file may be cut short: %s", what);
}

/* Warns where the end of a part is missing. */
static int look_for_end(struct callgrind *c)
{
    if (c->pending != PENDING_NONE) {
        c->pending = PENDING_NONE;
        if (callgrind_warn_cut(
                c, "its last 'calls=' or 'jump=' has no line of positions and was left out"))
            return -1;
    }
    if (c->needs_totals && !c->saw_totals)
        return callgrind_warn_cut(c, "a 'totals:' line is missing");
    if (c->have_totals && (c->is_stock || c->needs_totals) && !input_line_is_whole(c->r.in) &&
        memcmp(c->totals, c->r.sums, c->r.n_events * sizeof *c->r.sums)) {
        c->have_totals = 0;
        return callgrind_warn_cut(c, "its last line, 'totals:', is not whole");
    }
    return 0;
}

/*
 * The end of a part. The file's own totals should be the sum of its cost lines. So should
 * "summary:" by the manual, but Callgrind counts it in another way and xdebug, which writes it
 * among the costs, adds its own cost.
 */
static int callgrind_end_part(struct callgrind *c)
{
    struct reader *r = &c->r;

    if (c->is_stock && !r->have_events)
        return error_set(r->error, CPROF_ERROR_TRUNCATED,
                         "the file is cut short: it has no 'events:' line");
    if (look_for_end(c))
        return -1;
    if (c->have_totals && reader_check_sums(r, "totals:", c->totals))
        return -1;
    if (c->have_summary && c->is_plain_summary && !c->have_totals &&
        reader_check_sums(r, "summary:", c->summary))
        return -1;
    if ((c->have_totals || c->have_summary) &&
        builder_summary(r->builder, c->have_totals ? c->totals : c->summary))
        return -1;
    return builder_part(r->builder, &c->part);
}

/* Begins another part. It shares with the first: process, command, layout, the numbers of names. */
static int next_part(struct callgrind *c)
{
    if (callgrind_end_part(c))
        return -1;
    c->part = (struct cprof_part){.pid = c->part.pid, .thread = -1, .part = -1};
    c->in_body = c->saw_totals = c->have_totals = c->have_summary = 0;
    c->object = c->own_file = c->file = c->function = CPROF_NONE;
    c->own_name = NULL;
    c->is_fresh = 0;
    callgrind_forget_call(c);
    memset(c->base, 0, sizeof c->base);
    memset(c->r.sums, 0, sizeof c->r.sums);
    return 0;
}

/* A "key: value" line. 1 where it is none; 0; -1. */
static int callgrind_header_line(struct callgrind *c)
{
    static const struct {
        const char *key;
        int (*read)(struct callgrind *c, const char *at);
        enum {
            INSIDE,
            OPENS_PART,
            OPENS_FILE
        } opens; /* a line that comes after costs begins this */
    } kinds[] = {
        {"version:", version_line, OPENS_FILE},  {"creator:", creator_line, OPENS_FILE},
        {"pid:", pid_line, OPENS_PART},          {"cmd:", command_line, OPENS_PART},
        {"part:", part_line, OPENS_PART},        {"thread:", thread_line, OPENS_PART},
        {"desc:", description_line, OPENS_PART}, {"positions:", positions_line, OPENS_PART},
        {"events:", events_line, OPENS_PART},    {"event:", event_line, INSIDE},
        {"summary:", summary_line, INSIDE},      {"totals:", totals_line, INSIDE},
        {"arch:", ignored_line, INSIDE},         {"timeframe (BB):", ignored_line, INSIDE},
    };
    size_t size = (size_t)(c->r.end - c->r.line);

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t key_size = strlen(kinds[i].key);
        if (size < key_size || memcmp(c->r.line, kinds[i].key, key_size))
            continue;
        if (kinds[i].opens != INSIDE && c->in_body) {
            if (next_part(c))
                return -1;
            /* Files put one behind another: each has numbers of its own. */
            if (kinds[i].opens == OPENS_FILE)
                callgrind_release_names(c);
        }
        return kinds[i].read(c, c->r.line + key_size);
    }
    return 1;
}

/*--- Lines that most are ---*/

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

/* Books the row: as self cost, or, behind "calls=", as that of a call. 0 or -1. */
static int callgrind_book(struct callgrind *c, const uint64_t *at)
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

/* Takes lines of numbers, "calls=" and such names from the buffer up to the first odd one: they are
 * most of a file. The odd one is left for functions that can say why it is wrong. 0 or -1. */
static int callgrind_quick_lines(struct callgrind *c)
{
    const char *end, *line = input_rest(c->r.in, &end), *next;
    unsigned long n = 0;

    for (; end - line >= LINE_ROOM && (next = quick_line(c, line, end)); line = next)
        n++;
    input_take(c->r.in, line, n);
    return c->r.error->code == CPROF_OK ? 0 : -1;
}

/*--- The reader ---*/

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
