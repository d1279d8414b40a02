#include <config.h>

#include "scale/scale_gate.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*--- Reading ---*/

static bool take(struct gate_scan *s, const char *word)
{
    size_t size = strlen(word);

    if ((size_t)(s->end - s->at) < size || strncmp(s->at, word, size) != 0)
        return false;
    s->at += size;
    return true;
}

/* The ")" that closes what is open at `at`; names have pairs of their own. NULL: it is missing. */
static const char *closing(const char *at, const char *end)
{
    int depth = 1;

    for (; at < end; at++) {
        depth += (*at == '(') - (*at == ')');
        if (!depth)
            return at;
    }
    return NULL;
}

static int read_scope(struct gate_scan *s, struct slope_gate *gate)
{
    const char *end;
    struct gate_scan inner;

    gate_skip_blanks(s);
    if (!take(s, "("))
        return 0;
    end = closing(s->at, s->end);
    if (!end)
        return gate_fail(s, s->end, "')' is missing");
    inner = (struct gate_scan){s->start, s->at, end, s->error};
    gate_skip_blanks(&inner);
    inner.end = gate_trim_end(inner.at, inner.end);
    gate->inclusive = gate_take_word("incl(", &inner.at, &inner.end);
    if (inner.at >= inner.end)
        return gate_fail(s, inner.at, "expected the name of a function, or a pattern");
    gate->pattern = xstrndup(inner.at, (size_t)(inner.end - inner.at));
    s->at = end + 1;
    return 0;
}

static int read_number(struct gate_scan *s, double *number)
{
    char text[32];
    size_t size = strspn(s->at, "0123456789."), digits = strcspn(s->at, ".");

    if (s->at + size > s->end)
        size = (size_t)(s->end - s->at);
    if (!size || size >= sizeof text || *s->at == '.' ||
        (digits < size && memchr(s->at + digits + 1, '.', size - digits - 1)))
        return gate_fail(s, s->at, "expected a number, as in 'slope(parser::*)>1.1'");
    memcpy(text, s->at, size);
    text[size] = '\0';
    *number = strtod(text, NULL);
    s->at += size;
    gate_skip_blanks(s);
    return s->at < s->end ? gate_fail(s, s->at, "expected the end, or ';' and another condition")
                          : 0;
}

static int read_gate(struct gate_scan *s, struct slope_gate *gate)
{
    bool more;

    gate_skip_blanks(s);
    if (!take(s, "slope"))
        return gate_fail(s, s->at, "expected 'slope', as in 'slope(parser::*)>1.1'");
    if (read_scope(s, gate))
        return -1;
    gate_skip_blanks(s);
    more = take(s, ">");
    if (!more && !take(s, "<"))
        return gate_fail(s, s->at, "expected '>', '>=', '<' or '<='");
    gate->compare =
        take(s, "=") ? (more ? GATE_AT_LEAST : GATE_AT_MOST) : (more ? GATE_MORE : GATE_LESS);
    gate_skip_blanks(s);
    return read_number(s, &gate->limit);
}

static void free_gate(struct slope_gate *gate)
{
    free(gate->text);
    free(gate->pattern);
    free(gate->offenders);
}

/* Any text may be given. Returns 0, or -1 with `error` filled. */
static int parse(struct slope_gates *gates, const char *text, struct gate_error *error)
{
    struct gate_scan s = {.start = text, .at = text, .error = error};

    *error = (struct gate_error){.at = 0};
    do {
        struct slope_gate gate = {.text = NULL};

        s.end = gate_end(s.at);
        gate_skip_blanks(&s);
        if (s.at == s.end && !*s.end && gates->n)
            return 0; /* behind a ";" at the end */
        gate.text = xstrndup(s.at, (size_t)(gate_trim_end(s.at, s.end) - s.at));
        if (read_gate(&s, &gate)) {
            free_gate(&gate);
            return -1;
        }
        APPEND(gates->items, gates->n, gates->room) = gate;
        s.at = s.end + (*s.end == ';');
    } while (*s.end);
    return 0;
}

int slope_gates_read(struct slope_gates *gates, const struct string_list *texts)
{
    struct gate_error error;

    for (size_t i = 0; i < texts->n; i++)
        if (parse(gates, texts->items[i], &error))
            return message_usage("cannot read --fail-if '%s': %s, at character %zu ('%.20s')",
                                 texts->items[i], error.text, error.at + 1,
                                 texts->items[i] + error.at);
    return 0;
}

void slope_gates_free(struct slope_gates *gates)
{
    for (size_t i = 0; i < gates->n; i++)
        free_gate(&gates->items[i]);
    free(gates->items);
    *gates = (struct slope_gates){.n = 0};
}

/*--- Checking ---*/

static bool fails(const struct slope_gate *gate, double slope)
{
    switch (gate->compare) {
    case GATE_MORE:
        return slope > gate->limit;
    case GATE_AT_LEAST:
        return slope >= gate->limit;
    case GATE_LESS:
        return slope < gate->limit;
    default:
        return slope <= gate->limit;
    }
}

static void check(struct slope_gate *gate, const char *name, const struct growth *fit)
{
    if (!fails(gate, fit->slope))
        return;
    APPEND(gate->offenders, gate->n, gate->room) = (struct slope_offender){name, *fit};
}

/* Functions that cost next to nothing are matched, too, but their slopes say nothing. */
static void check_each(struct slope_gate *gate, const struct series *s)
{
    const struct column *column = s->measure;

    if (gate->inclusive && !column_is_inclusive(column))
        column = columns_inclusive(&s->columns, column);
    for (size_t i = 0; i < s->n && column; i++) {
        const struct series_item *item = &s->items[i];
        struct growth fit = item->fit;

        if (!gate_matches(gate->pattern, item->name))
            continue;
        gate->n_matching++;
        if (item->is_small && !gate->inclusive)
            continue;
        if (column != s->measure)
            series_grow(s, item, column, &fit);
        check(gate, item->name, &fit);
    }
}

void slope_gates_check(struct slope_gates *gates, const struct series *own,
                       const struct series *functions)
{
    for (size_t i = 0; i < gates->n; i++) {
        struct slope_gate *gate = &gates->items[i];

        if (!gate->pattern)
            check(gate, NULL, &functions->total_fit);
        else if (!gate->inclusive)
            check_each(gate, own);
        if (gate->pattern && !gate->n_matching)
            check_each(gate, functions);
    }
}

/*--- Saying ---*/

enum { SAID_MOST = 10 };

static void say(const struct slope_gate *gate, const struct slope_offender *offender,
                const struct sizes *sizes)
{
    char *growth = growth_text(&offender->fit);

    message_error("'%s' holds: %s grows as %s, with a slope of %.2f from n = %s to %s", gate->text,
                  offender->name ? offender->name : "the program", growth, offender->fit.slope,
                  TEXT_COUNT(sizes->items[0]), TEXT_COUNT(sizes->items[sizes->n - 1]));
    free(growth);
}

static int say_gate(const struct slope_gate *gate, const struct sizes *sizes)
{
    if (gate->pattern && !gate->n_matching)
        return message_error("'%s' can never hold: no function matches '%s'; '-n 0 --json' has "
                             "the names of all",
                             gate->text, gate->pattern);
    for (size_t i = 0; i < gate->n && i < SAID_MOST; i++)
        say(gate, &gate->offenders[i], sizes);
    if (gate->n > SAID_MOST)
        message_error("'%s' holds for %s more functions, which are not listed", gate->text,
                      TEXT_COUNT(gate->n - SAID_MOST));
    return gate->n ? STATUS_GATE : 0;
}

int slope_gates_say(const struct slope_gates *gates, const struct sizes *sizes)
{
    int status = 0;

    output_flush();
    for (size_t i = 0; i < gates->n; i++) {
        int said = say_gate(&gates->items[i], sizes);

        if (said && status != STATUS_ERROR)
            status = said;
    }
    return status;
}
