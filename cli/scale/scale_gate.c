#include <config.h>

#include "scale/scale_gate.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*--- Reading ---*/

struct scan {
    const char *start, *at, *end;
    struct gate_error *error;
};

static int fail(struct scan *s, const char *at, const char *text)
{
    s->error->at = (size_t)(at - s->start);
    snprintf(s->error->text, sizeof s->error->text, "%s", text);
    return -1;
}

static void skip_blanks(struct scan *s)
{
    while (s->at < s->end && isspace((unsigned char)*s->at))
        s->at++;
}

static bool take(struct scan *s, const char *word)
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

static int read_scope(struct scan *s, struct slope_gate *gate)
{
    const char *end;
    struct scan inner;

    skip_blanks(s);
    if (!take(s, "("))
        return 0;
    end = closing(s->at, s->end);
    if (!end)
        return fail(s, s->end, "')' is missing");
    inner = (struct scan){s->start, s->at, end, s->error};
    skip_blanks(&inner);
    while (inner.end > inner.at && isspace((unsigned char)inner.end[-1]))
        inner.end--;
    if (inner.end > inner.at && inner.end[-1] == ')' && take(&inner, "incl(")) {
        gate->inclusive = true;
        inner.end--;
    }
    if (inner.at >= inner.end)
        return fail(s, inner.at, "expected the name of a function, or a pattern");
    gate->pattern = xstrndup(inner.at, (size_t)(inner.end - inner.at));
    s->at = end + 1;
    return 0;
}

static int read_number(struct scan *s, double *number)
{
    char text[32];
    size_t size = strspn(s->at, "0123456789."), digits = strcspn(s->at, ".");

    if (s->at + size > s->end)
        size = (size_t)(s->end - s->at);
    if (!size || size >= sizeof text || *s->at == '.' ||
        (digits < size && memchr(s->at + digits + 1, '.', size - digits - 1)))
        return fail(s, s->at, "expected a number, as in 'slope(parser::*)>1.1'");
    memcpy(text, s->at, size);
    text[size] = '\0';
    *number = strtod(text, NULL);
    s->at += size;
    skip_blanks(s);
    return s->at < s->end ? fail(s, s->at, "expected the end, or ';' and another condition") : 0;
}

static int read_gate(struct scan *s, struct slope_gate *gate)
{
    bool more;

    skip_blanks(s);
    if (!take(s, "slope"))
        return fail(s, s->at, "expected 'slope', as in 'slope(parser::*)>1.1'");
    if (read_scope(s, gate))
        return -1;
    skip_blanks(s);
    more = take(s, ">");
    if (!more && !take(s, "<"))
        return fail(s, s->at, "expected '>', '>=', '<' or '<='");
    gate->compare =
        take(s, "=") ? (more ? GATE_AT_LEAST : GATE_AT_MOST) : (more ? GATE_MORE : GATE_LESS);
    skip_blanks(s);
    return read_number(s, &gate->limit);
}

static void free_gate(struct slope_gate *gate)
{
    free(gate->text);
    free(gate->pattern);
}

static const char *trim_end(const char *at, const char *end)
{
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    return end;
}

int slope_gate_parse(struct slope_gates *gates, const char *text, struct gate_error *error)
{
    struct scan s = {.start = text, .at = text, .error = error};

    *error = (struct gate_error){.at = 0};
    do {
        struct slope_gate gate = {.text = NULL};

        s.end = gate_end(s.at);
        skip_blanks(&s);
        if (s.at == s.end && !*s.end && gates->n)
            return 0; /* behind a ";" at the end */
        gate.text = xstrndup(s.at, (size_t)(trim_end(s.at, s.end) - s.at));
        if (read_gate(&s, &gate)) {
            free_gate(&gate);
            return -1;
        }
        GROW(gates->items, gates->n, gates->room);
        gates->items[gates->n++] = gate;
        s.at = s.end + (*s.end == ';');
    } while (*s.end);
    return 0;
}

int slope_gates_read(struct slope_gates *gates, const struct string_list *texts)
{
    struct gate_error error;

    for (size_t i = 0; i < texts->n; i++)
        if (slope_gate_parse(gates, texts->items[i], &error))
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

/*--- Holding ---*/

struct holding {
    const struct slope_gate *gate;
    const struct series *series;
    size_t n_matching, n_failing;
};

enum { SAID_MOST = 10 };

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

static void hold(struct holding *h, const char *name, const struct growth *fit)
{
    char *growth;

    if (!fails(h->gate, fit->slope))
        return;
    h->n_failing++;
    if (h->n_failing > SAID_MOST)
        return;
    growth = growth_text(fit);
    message_error("'%s' holds: %s grows as %s, with a slope of %.2f from n = %s to %s",
                  h->gate->text, name, growth, fit->slope, TEXT_COUNT(h->series->sizes.items[0]),
                  TEXT_COUNT(h->series->sizes.items[h->series->sizes.n - 1]));
    free(growth);
}

/* Functions that cost next to nothing are matched, too, but their slopes say nothing. */
static void hold_each(struct holding *h, const struct series *s)
{
    const struct column *column = s->measure;

    h->series = s;
    if (h->gate->inclusive && !column_is_inclusive(column))
        column = columns_inclusive(&s->columns, column);
    for (size_t i = 0; i < s->n && column; i++) {
        const struct series_item *item = &s->items[i];
        struct growth fit = item->fit;

        if (!gate_matches(h->gate->pattern, item->name))
            continue;
        h->n_matching++;
        if (item->is_small && !h->gate->inclusive)
            continue;
        if (column != s->measure)
            series_grow(s, item, column, &fit);
        hold(h, item->name, &fit);
    }
}

static int hold_gate(const struct slope_gate *gate, const struct series *own,
                     const struct series *functions)
{
    struct holding h = {.gate = gate, .series = functions};

    if (!gate->pattern)
        hold(&h, "the program", &functions->total_fit);
    else if (!gate->inclusive)
        hold_each(&h, own);
    if (gate->pattern && !h.n_matching)
        hold_each(&h, functions);
    if (gate->pattern && !h.n_matching)
        return message_error("'%s' can never hold: no function matches '%s'; '-n 0 --json' has "
                             "the names of all",
                             gate->text, gate->pattern);
    if (h.n_failing > SAID_MOST)
        message_error("'%s' holds for %s more functions, which are not listed", gate->text,
                      TEXT_COUNT(h.n_failing - SAID_MOST));
    return h.n_failing ? STATUS_GATE : 0;
}

int slope_gates_hold(const struct slope_gates *gates, const struct series *own,
                     const struct series *functions)
{
    int status = 0;

    output_flush();
    for (size_t i = 0; i < gates->n; i++) {
        int held = hold_gate(&gates->items[i], own, functions);

        if (held && status != STATUS_ERROR)
            status = held;
    }
    return status;
}
