#include <config.h>

/* The lines of callgrind's output that are "key: value". */
#include "callgrind.h"
#include "error.h"

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

int callgrind_describe_events(struct callgrind *c)
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

int callgrind_warn_cut(struct callgrind *c, const char *what)
{
    builder_header(c->r.builder)->may_be_cut = 1;
    if (c->r.flags & CPROF_STRICT)
        return error_set(c->r.error, CPROF_ERROR_TRUNCATED, "file is cut short: %s", what);
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
int callgrind_end_part(struct callgrind *c)
{
    struct reader *r = &c->r;

    if (c->is_stock && !r->have_events)
        return error_set(r->error, CPROF_ERROR_TRUNCATED,
                         "file is cut short: it has no 'events:' line");
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

int callgrind_header_line(struct callgrind *c)
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
