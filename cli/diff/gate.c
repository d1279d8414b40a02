#include <config.h>

#include "diff/gate.h"

#include "base/array.h"
#include "base/clean.h"
#include "base/counts.h"
#include "base/memory.h"
#include "diff/section_pairs.h"
#include "table/heap.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Six digits behind the point: products with counts fit 128 bits then. */
enum { SCALE_MAX = 1000000 };

int gate_fail(struct gate_scan *s, const char *at, const char *format, ...)
{
    va_list arguments;

    s->error->at = (size_t)(at - s->start);
    va_start(arguments, format);
    vsnprintf(s->error->text, sizeof s->error->text, format, arguments);
    va_end(arguments);
    return -1;
}

void gate_skip_blanks(struct gate_scan *s)
{
    while (s->at < s->end && isspace((unsigned char)*s->at))
        s->at++;
}

const char *gate_trim_end(const char *at, const char *end)
{
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    return end;
}

/*--- Numbers ---*/

/* Reads digits with "_" between them. Behind a point, each makes the scale ten times as large. */
static int read_digits(struct gate_scan *s, int64_t *number, int64_t *scale, bool fraction)
{
    const char *start = s->at;

    for (; s->at < s->end && (isdigit((unsigned char)*s->at) || (*s->at == '_' && s->at > start));
         s->at++) {
        if (*s->at == '_')
            continue;
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, *s->at - '0', number) ||
            (fraction && *scale == SCALE_MAX))
            return gate_fail(s, start, "the number has too many digits");
        if (fraction)
            *scale *= 10;
    }
    return s->at == start ? gate_fail(s, start, "expected a number") : 0;
}

/* Reads "k", "M" or "G", and returns the factor. */
static int64_t read_unit(struct gate_scan *s)
{
    static const char units[] = "kMG";
    const char *unit = s->at < s->end && *s->at ? strchr(units, *s->at) : NULL;
    int64_t factor = 1;

    if (!unit)
        return 1;
    s->at++;
    for (const char *p = units; p <= unit; p++)
        factor *= 1000;
    return factor;
}

static int read_number(struct gate_scan *s, struct gate *gate)
{
    const char *start = s->at;
    int64_t factor;

    gate->number = 0;
    gate->scale = 1;
    if (read_digits(s, &gate->number, &gate->scale, false))
        return -1;
    if (s->at < s->end && *s->at == '.') {
        s->at++;
        if (read_digits(s, &gate->number, &gate->scale, true))
            return -1;
    }
    factor = read_unit(s);
    while (factor > 1 && gate->scale > 1) { /* 1.5k */
        factor /= 10;
        gate->scale /= 10;
    }
    if (__builtin_mul_overflow(gate->number, factor, &gate->number))
        return gate_fail(s, start, "the number is too large");
    return 0;
}

/*--- Conditions ---*/

static int read_limit(struct gate_scan *s, struct gate *gate)
{
    const char *start;
    char sign = 0;

    gate_skip_blanks(s);
    start = s->at;
    if (s->at < s->end && (*s->at == '+' || *s->at == '-'))
        sign = *s->at++;
    gate_skip_blanks(s);
    if (read_number(s, gate))
        return -1;
    gate->limit = sign ? GATE_CHANGE : GATE_LEVEL;
    gate_skip_blanks(s);
    if (s->at < s->end && *s->at == '%') {
        s->at++;
        gate->limit = GATE_PERCENT;
        if (!sign)
            return gate_fail(s, start, "a percentage needs a sign: '+2%%' is a growth by 2 %%");
    }
    if (sign == '-')
        gate->number = -gate->number;
    if (gate->limit != GATE_PERCENT && gate->scale != 1)
        return gate_fail(s, start, "expected a whole number, or one in %%");
    gate_skip_blanks(s);
    return s->at < s->end
               ? gate_fail(s, s->at,
                           "expected the end, or 'and', 'or' or ';' and another condition")
               : 0;
}

#define NO_COMPARISON "expected '>', '>=', '<' or '<=' behind the name of a count"

static int read_compare(struct gate_scan *s, struct gate *gate)
{
    bool more;

    gate_skip_blanks(s);
    if (s->at == s->end || (*s->at != '>' && *s->at != '<'))
        return gate_fail(s, s->at, NO_COMPARISON);
    more = *s->at++ == '>';
    gate->compare = more ? GATE_MORE : GATE_LESS;
    if (s->at < s->end && *s->at == '=') {
        gate->compare = more ? GATE_AT_LEAST : GATE_AT_MOST;
        s->at++;
    }
    return 0;
}

static int read_condition(struct gate_scan *s, struct gate *gate)
{
    const char *start;
    size_t size;

    gate_skip_blanks(s);
    start = s->at;
    while (s->at < s->end && *s->at != '<' && *s->at != '>' && !isspace((unsigned char)*s->at))
        s->at++;
    size = (size_t)(s->at - start);
    if (!size)
        return gate_fail(s, start, "expected the name of a count, as in 'ir>+2%%'");
    if (start[size - 1] == '=' && s->at < s->end && !isspace((unsigned char)*s->at))
        return gate_fail(s, s->at - 1, "expected '>=' or '<=', with the '=' last");
    if (memchr(start, '=', size))
        return gate_fail(s, memchr(start, '=', size), NO_COMPARISON);
    if (memchr(start, ':', size))
        return gate_fail(s, start,
                         "expected the name of a count; behind a function stands ': ', as in "
                         "'a::*: ir>+2%%'");
    gate->column = xstrndup(start, size);
    if (read_compare(s, gate))
        return -1;
    return read_limit(s, gate);
}

/*--- Scopes ---*/

/* The ":" that ends the scope, or NULL: the last one that is not part of "::", since a condition
 * has none. */
static const char *find_colon(const char *at, const char *end)
{
    for (const char *p = end; p-- > at;)
        if (*p == ':' && (p == at || p[-1] != ':') && (p + 1 == end || p[1] != ':'))
            return p;
    return NULL;
}

bool gate_take_word(const char *word, const char **at, const char **end)
{
    size_t size = strlen(word);

    if ((size_t)(*end - *at) <= size || strncmp(*at, word, size) != 0 || (*end)[-1] != ')')
        return false;
    *at += size;
    (*end)--;
    return true;
}

/* True for "bench(other": one of those words, and no ")". */
static bool is_open(const char *at, const char *end)
{
    static const char *const words[] = {"incl(", "sum(", "section(", "bench(", "test("};
    size_t size = (size_t)(end - at);

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (size >= strlen(words[i]) && !strncmp(at, words[i], strlen(words[i])))
            return !memchr(at, ')', size);
    return false;
}

static int read_scope(struct gate_scan *s, struct gate *gate)
{
    const char *colon = find_colon(s->at, s->end), *start, *end;

    gate->scope = GATE_TOTAL;
    if (!colon)
        return 0;
    gate_skip_blanks(s);
    start = s->at;
    end = gate_trim_end(start, colon);
    if (is_open(start, end))
        return gate_fail(s, end, "')' is missing");
    gate->scope = gate_take_word("incl(", &start, &end)      ? GATE_INCLUSIVE
                  : gate_take_word("sum(", &start, &end)     ? GATE_SUM
                  : gate_take_word("section(", &start, &end) ? GATE_SECTION
                  : gate_take_word("bench(", &start, &end)   ? GATE_BENCH
                  : gate_take_word("test(", &start, &end)    ? GATE_TEST
                                                             : GATE_EACH;
    while (start < end && isspace((unsigned char)*start))
        start++;
    end = gate_trim_end(start, end);
    if (start >= end)
        return gate_fail(s, start, "expected the name of a function, or a pattern");
    gate->pattern = xstrndup(start, (size_t)(end - start));
    s->at = colon + 1;
    return 0;
}

static void free_gate(struct gate *gate)
{
    free(gate->text);
    free(gate->pattern);
    free(gate->column);
}

/* The gate that has no count. */
#define TIME "time"

static bool is_time(const char *at, const char *end)
{
    end = gate_trim_end(at, end);
    return (size_t)(end - at) == strlen(TIME) && !strncasecmp(at, TIME, strlen(TIME));
}

/* Reads one gate, which is all of the text. */
static int read_gate(struct gates *gates, struct gate_scan *s, bool joined)
{
    struct gate gate = {.joined = joined};

    gate_skip_blanks(s);
    if (is_time(s->at, s->end)) {
        gate.scope = GATE_TIME;
        gate.column = xstrdup(TIME);
    } else if (read_scope(s, &gate) || read_condition(s, &gate)) {
        free_gate(&gate);
        return -1;
    }
    APPEND(gates->items, gates->n, gates->room) = gate;
    return 0;
}

/*--- Gates that are joined ---*/

/* True where a limit ends at `end`: "ir>+2 %". */
static bool ends_in_limit(const char *at, const char *end)
{
    static const char *const parts[] = {"%", "kMG", "0123456789_.", "+-", "="};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        end = gate_trim_end(at, end);
        while (end > at && strchr(parts[i], end[-1]))
            end--;
    }
    end = gate_trim_end(at, end);
    return end > at && (end[-1] == '>' || end[-1] == '<');
}

static bool is_word(const char *at, const char *end, const char *word)
{
    size_t size = strlen(word);

    return (size_t)(end - at) >= size && !strncmp(at, word, size) &&
           (at + size == end || isspace((unsigned char)at[size]));
}

/* The "and" or "or" behind the gate at `at`, or `end`. */
static const char *find_word(const char *at, const char *end)
{
    for (const char *p = at; p < end; p++)
        if (p > at && isspace((unsigned char)p[-1]) &&
            (is_word(p, end, "and") || is_word(p, end, "or")) &&
            (ends_in_limit(at, p) || is_time(at, p)))
            return p;
    return end;
}

/* Gives gates from `first` on the text that they were read from. */
static void set_texts(struct gates *gates, size_t first, const char *start, const char *end)
{
    for (size_t i = first; i < gates->n; i++)
        gates->items[i].text = xstrndup(start, (size_t)(gate_trim_end(start, end) - start));
}

/* Reads gates up to a ";". */
static int read_gates(struct gates *gates, struct gate_scan *s)
{
    const char *end = s->end, *start = s->at;
    size_t first = gates->n;
    bool joined = false;

    for (;;) {
        s->end = find_word(s->at, end);
        if (read_gate(gates, s, joined))
            return -1;
        joined = s->end < end && *s->end == 'a';
        if (!joined)
            set_texts(gates, first, start, s->end);
        if (s->end == end)
            return 0;
        s->at = s->end + strlen(joined ? "and" : "or");
        s->end = end;
        gate_skip_blanks(s);
        if (!joined) {
            start = s->at;
            first = gates->n;
        }
    }
}

const char *gate_end(const char *at)
{
    int depth = 0;

    for (; *at; at++) {
        if (*at == ';' && depth == 0)
            break;
        depth += (*at == '[') - (*at == ']' && depth > 0);
    }
    return at;
}

int gate_parse(struct gates *gates, const char *text, struct gate_error *error)
{
    struct gate_scan s = {.start = text, .at = text, .error = error};
    size_t before = gates->n;

    *error = (struct gate_error){.at = 0};
    for (;;) {
        s.end = gate_end(s.at);
        gate_skip_blanks(&s);
        if (s.at == s.end && !*s.end && gates->n > before)
            return 0; /* behind a ";" at the end */
        if (read_gates(gates, &s)) {
            while (gates->n > before)
                free_gate(&gates->items[--gates->n]);
            return -1;
        }
        if (!*s.end)
            return 0;
        s.at = s.end + 1;
    }
}

void gates_free(struct gates *gates)
{
    for (size_t i = 0; i < gates->n; i++)
        free_gate(&gates->items[i]);
    free(gates->items);
    *gates = (struct gates){.n = 0};
}

bool gate_names_time(const struct gate *gate)
{
    return !strcasecmp(gate->column, TIME);
}

const struct gate *gates_find_time(const struct gates *gates)
{
    for (size_t i = 0; i < gates->n; i++)
        if (gates->items[i].scope == GATE_TIME)
            return &gates->items[i];
    return NULL;
}

/*--- Checks ---*/

/* The text behind its first character. A byte that is not UTF-8 is one character. */
static const char *next_character(const char *text)
{
    size_t size;

    text_decode(text, &size);
    return text + size;
}

bool gate_matches(const char *pattern, const char *name)
{
    const char *star = NULL, *from = NULL;

    while (*name) {
        if (*pattern == '*') {
            star = pattern++; /* the last star decides: the text before it matches */
            from = name;
        } else if (*pattern == '?') {
            pattern++;
            name = next_character(name);
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = from = next_character(from);
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static bool compare(enum gate_compare how, __int128 a, __int128 b)
{
    switch (how) {
    case GATE_MORE:
        return a > b;
    case GATE_AT_LEAST:
        return a >= b;
    case GATE_LESS:
        return a < b;
    case GATE_AT_MOST:
        return a <= b;
    }
    return false;
}

/* A change from 0 is more, or less, than any percentage; no change is 0 %. */
static bool compare_percent(const struct gate *gate, __int128 change, int64_t old_value)
{
    if (old_value)
        return compare(gate->compare, change * 100 * gate->scale,
                       (__int128)gate->number * old_value);
    if (change)
        return compare(gate->compare, change, 0);
    return compare(gate->compare, 0, gate->number);
}

static __int128 magnitude(__int128 number)
{
    return number < 0 ? -number : number;
}

/* Returns true where a count fails the gate. */
static bool offends(const struct gate *gate, int64_t old_value, int64_t new_value,
                    int64_t noise_threshold)
{
    __int128 change = (__int128)new_value - old_value;

    if (gate->limit == GATE_LEVEL)
        return compare(gate->compare, new_value, gate->number);
    if (noise_threshold && magnitude(change) <= magnitude(noise_threshold))
        change = 0;
    if (gate->limit == GATE_CHANGE)
        return compare(gate->compare, change, gate->number);
    return compare_percent(gate, change, old_value);
}

/*--- Orders of threads ---*/

/* The band with half its width on either side. */
static struct gate_count wider(const struct gate_count *count)
{
    struct gate_count wide = *count;
    int64_t width = count_change(count->least, count->most);

    width = width / 2 + width % 2;
    count_add(&wide.least, -width);
    count_add(&wide.most, width);
    return wide;
}

/* True where the gate holds for the two ends of bands that speak most for it, or most against. */
static bool holds_at_ends(const struct gate *gate, const struct gate_count *old_count,
                          const struct gate_count *new_count, bool most_for)
{
    bool more = gate->compare == GATE_MORE || gate->compare == GATE_AT_LEAST;
    bool grown = more == most_for;

    return offends(gate, grown ? old_count->least : old_count->most,
                   grown ? new_count->most : new_count->least, 0);
}

bool gate_has_band(const struct gate_count *old_count, const struct gate_count *new_count)
{
    return old_count->least != old_count->most || new_count->least != new_count->most;
}

struct gate_count gate_count_of(const struct gate_orders *orders)
{
    struct gate_count count = {orders->items[0], orders->items[0], orders->items[0]};

    for (size_t i = 1; i < orders->n; i++) {
        if (orders->items[i] < count.least)
            count.least = orders->items[i];
        if (orders->items[i] > count.most)
            count.most = orders->items[i];
    }
    return count;
}

/* True where all orders changed by one and the same number. */
static bool changed_alike(const struct gate_orders *old, const struct gate_orders *new)
{
    for (size_t i = 1; i < old->n && i < new->n; i++)
        if ((__int128)new->items[i] - old->items[i] != (__int128)new->items[0] - old->items[0])
            return false;
    return old->n == new->n;
}

/* Holds each order of OLD and the same one of NEW against a gate. */
static enum gate_verdict verdict_in_pairs(const struct gate *gate, const struct gate_orders *old,
                                          const struct gate_orders *new, int64_t noise_threshold)
{
    size_t n = 0;

    for (size_t i = 0; i < old->n; i++)
        n += offends(gate, old->items[i], new->items[i], noise_threshold);
    return n == old->n ? GATE_FAILS : n ? GATE_CANNOT_TELL : GATE_PASSES;
}

static enum gate_verdict verdict_on_bands(const struct gate *gate, const struct gate_orders *old,
                                          const struct gate_orders *new)
{
    const struct gate_count band[] = {gate_count_of(old), gate_count_of(new)};
    const struct gate_count wide[] = {wider(&band[DIFF_OLD]), wider(&band[DIFF_NEW])};

    if (!holds_at_ends(gate, &band[DIFF_OLD], &band[DIFF_NEW], true))
        return GATE_PASSES;
    return holds_at_ends(gate, &wide[DIFF_OLD], &wide[DIFF_NEW], false) ? GATE_FAILS
                                                                        : GATE_CANNOT_TELL;
}

enum gate_verdict gate_verdict(const struct gate *gate, const struct gate_counted *count)
{
    const struct gate_orders *old = &count->side[DIFF_OLD], *new = &count->side[DIFF_NEW];

    if (!old->n || !new->n)
        return GATE_PASSES;
    return gate->limit != GATE_LEVEL && changed_alike(old, new)
               ? verdict_in_pairs(gate, old, new, old->n == 1 ? count->noise_threshold : 0)
               : verdict_on_bands(gate, old, new);
}

void gate_counted_free(struct gate_counted *count)
{
    for (int side = 0; side < DIFF_SIDES; side++)
        free(count->side[side].items);
}

struct checker {
    struct gate_result *result;
    const struct pace_source *pace;
    const struct diff *diff;
    const struct columns *columns;
};

static void add_offender(struct gate_offenders *list, const struct gate *gate,
                         const struct column *column, const char *name,
                         const struct gate_count count[DIFF_SIDES])
{
    APPEND(list->items, list->n, list->room) =
        (struct gate_offender){.gate = gate,
                               .name = name ? xstrdup(name) : NULL,
                               .column = column,
                               .count = {count[DIFF_OLD], count[DIFF_NEW]}};
}

static void check(struct checker *c, const struct gate *gate, const struct column *column,
                  const char *name, const struct gate_counted *count)
{
    const struct gate_orders *old = &count->side[DIFF_OLD], *new = &count->side[DIFF_NEW];
    const struct gate_count counts[] = {gate_count_of(old), gate_count_of(new)};
    enum gate_verdict verdict = gate_verdict(gate, count);

    if (verdict != GATE_PASSES)
        add_offender(verdict == GATE_FAILS ? &c->result->failed : &c->result->undecided, gate,
                     column, name, counts);
}

/* The counts of all orders of a side. */
static struct gate_orders orders_of(const struct checker *c, const struct column *column,
                                    const struct diff_row *row, enum diff_side side)
{
    const struct diff_band *band = &row->band[side];
    struct gate_orders orders = {.n = band->n ? band->n : 1};

    orders.items = xcalloc(orders.n, sizeof *orders.items);
    for (size_t i = 0; i < orders.n; i++)
        orders.items[i] =
            column_value(column, band->n ? band->counts + i * c->diff->width : row->counts[side]);
    return orders;
}

/* gate_counted_free() frees it. */
static struct gate_counted count_of(const struct checker *c, const struct column *column,
                                    const struct diff_row *row)
{
    return (struct gate_counted){
        {orders_of(c, column, row, DIFF_OLD), orders_of(c, column, row, DIFF_NEW)},
        row->noise_threshold ? column_value(column, row->noise_threshold) : 0};
}

static void check_row(struct checker *c, const struct gate *gate, const struct column *column,
                      const struct diff_row *row, const char *name)
{
    struct gate_counted count = count_of(c, column, row);

    if (name && !row->in[DIFF_OLD] && gate->limit == GATE_PERCENT)
        c->result->n_new += count.side[DIFF_NEW].items[0] != 0;
    else
        check(c, gate, column, name, &count);
    gate_counted_free(&count);
}

/* The length of a pattern without what tells functions apart that look the same, " #2" or
 * " [h891f88e6]": a row has all of them. */
static size_t size_without_tag(const char *pattern)
{
    const char *space = strrchr(pattern, ' ');
    size_t size = strlen(pattern), digits;

    if (!space || space == pattern)
        return size;
    if (space[1] == '#') {
        digits = strspn(space + 2, "0123456789");
        return digits && !space[2 + digits] ? (size_t)(space - pattern) : size;
    }
    if (strncmp(space + 1, "[h", 2) != 0)
        return size;
    digits = strspn(space + 3, "0123456789abcdef");
    return digits && !strcmp(space + 3 + digits, "]") ? (size_t)(space - pattern) : size;
}

static bool matches_row(const char *pattern, const struct diff_row *row)
{
    if (gate_matches(pattern, row->name))
        return true;
    for (size_t i = 0; i < row->n_aliases; i++)
        if (gate_matches(pattern, row->aliases[i]))
            return true;
    return false;
}

/* All rows of a side have as many orders. */
static void add_count(struct gate_counted *sum, const struct gate_counted *more)
{
    for (int side = 0; side < DIFF_SIDES; side++) {
        struct gate_orders *to = &sum->side[side];

        to->n = more->side[side].n;
        if (!to->items)
            to->items = xcalloc(to->n, sizeof *to->items);
        counts_add(to->items, more->side[side].items, (uint32_t)to->n);
    }
    count_add(&sum->noise_threshold, more->noise_threshold);
}

/* Checks each function that matches, or their sum. Returns the number of these functions. */
static size_t check_functions(struct checker *c, const struct gate *gate,
                              const struct column *column)
{
    struct gate_counted sum = {.noise_threshold = 0};
    char *pattern = xstrndup(gate->pattern, size_without_tag(gate->pattern));
    size_t n = 0;

    for (size_t i = 0; i < c->diff->n; i++) {
        const struct diff_row *row = &c->diff->rows[i];
        struct gate_counted count;

        if (row->empty || !matches_row(pattern, row))
            continue;
        n++;
        if (gate->scope != GATE_SUM) {
            check_row(c, gate, column, row, row->name);
            continue;
        }
        count = count_of(c, column, row);
        add_count(&sum, &count);
        gate_counted_free(&count);
    }
    if (n && gate->scope == GATE_SUM)
        check(c, gate, column, gate->pattern, &sum);
    gate_counted_free(&sum);
    free(pattern);
    return n;
}

/* Checks each section that matches. Returns how many. */
static size_t check_sections(struct checker *c, const struct gate *gate,
                             const struct column *column)
{
    struct section_pairs pairs;
    size_t n = 0;

    section_pairs_load(&pairs, c->diff);
    for (size_t i = 0; i < pairs.n; i++) {
        const struct diff_row row = section_pair_row(&pairs.items[i]);

        if (!gate_matches(gate->pattern, pairs.items[i].name))
            continue;
        check_row(c, gate, column, &row, pairs.items[i].name);
        n++;
    }
    section_pairs_free(&pairs);
    return n;
}

/* True where a gate is about what functions allocate themselves, and none does: the heap's counts
 * are those of the functions that allocate, as malloc. */
static bool is_never_own(const struct checker *c, const struct gate *gate,
                         const struct column *column)
{
    char *pattern;
    bool any = false;

    if ((gate->scope != GATE_EACH && gate->scope != GATE_SUM) || !heap_is_column(column->name))
        return false;
    pattern = xstrndup(gate->pattern, size_without_tag(gate->pattern));
    for (size_t i = 0; i < c->diff->n && !any; i++) {
        const struct diff_row *row = &c->diff->rows[i];
        any = !row->empty && matches_row(pattern, row) &&
              (column_value(column, row->counts[DIFF_OLD]) ||
               column_value(column, row->counts[DIFF_NEW]));
    }
    free(pattern);
    return !any;
}

static int check_gate(struct checker *c, const struct gate *gate)
{
    const struct column *column = columns_find(c->columns, gate->column);

    if (!column || !gate_takes(column))
        return GATE_NO_COLUMN;
    if (gate->scope == GATE_INCLUSIVE) {
        column = columns_inclusive(c->columns, column);
        if (!column)
            return GATE_NO_CALLS;
    }
    if (gate->scope == GATE_SECTION)
        return check_sections(c, gate, column) ? GATE_OK : GATE_NO_SECTION;
    if (gate->scope == GATE_TOTAL)
        check_row(c, gate, column, &c->diff->total, NULL);
    else if (!check_functions(c, gate, column))
        return GATE_NO_FUNCTION;
    return is_never_own(c, gate, column) ? GATE_NO_OWN : GATE_OK;
}

/* Takes out those from the one at `n` on. */
static void drop_offenders(struct gate_offenders *list, size_t n)
{
    while (list->n > n)
        free(list->items[--list->n].name);
}

static struct gate_count microseconds(double seconds)
{
    int64_t value = (int64_t)(1e6 * seconds);

    return (struct gate_count){value, value, value};
}

/* Has both builds timed, if that is not done yet, and adds a new one that is slower. */
static enum pace_answer check_time(struct checker *c, const struct gate *gate)
{
    static const struct column column = {.name = TIME, .header = TIME, .kind = COLUMN_RATIO};
    struct pace *pace = &c->result->pace;

    if (pace->answer == PACE_NOT_ASKED)
        *pace = c->pace->ask(c->pace->data);
    if (pace->answer == PACE_SLOWER) {
        const struct gate_count count[] = {microseconds(pace->old_seconds),
                                           microseconds(pace->new_seconds)};

        add_offender(&c->result->failed, gate, &column, NULL, count);
    }
    return pace->answer;
}

/* Checks gates that are joined, that on time last: they fail where each of them does, and pass
 * where any does. */
static void check_joined(struct checker *c, const struct gate *gates, size_t n)
{
    struct gate_result *r = c->result;
    size_t n_failed = r->failed.n, n_undecided = r->undecided.n;
    const struct gate *time = NULL;
    bool fails = true, passes = false;

    for (size_t i = 0; i < n; i++) {
        size_t failed = r->failed.n, undecided = r->undecided.n;
        int problem;

        if (gates[i].scope == GATE_TIME) {
            time = &gates[i];
            continue;
        }
        problem = check_gate(c, &gates[i]);
        if (problem != GATE_OK && !r->broken) {
            r->broken = &gates[i];
            r->problem = problem;
        }
        fails = fails && r->failed.n > failed;
        passes = passes || (r->failed.n == failed && r->undecided.n == undecided);
    }
    if (time && !passes) {
        enum pace_answer answer = check_time(c, time);

        fails = fails && answer == PACE_SLOWER;
        passes = answer == PACE_FASTER;
    }
    if (!fails)
        drop_offenders(&r->failed, n_failed);
    if (passes)
        drop_offenders(&r->undecided, n_undecided);
}

void gates_check(struct gate_result *result, const struct gates *gates, const struct diff *diff,
                 const struct columns *columns)
{
    struct checker c = {.result = result, .pace = gates->pace, .diff = diff, .columns = columns};

    *result = (struct gate_result){.n_new = 0};
    for (size_t i = 0, n; i < gates->n; i += n) {
        for (n = 1; i + n < gates->n && gates->items[i + n].joined;)
            n++;
        check_joined(&c, &gates->items[i], n);
    }
}

static void free_offenders(struct gate_offenders *list)
{
    drop_offenders(list, 0);
    free(list->items);
}

void gate_result_free(struct gate_result *result)
{
    free_offenders(&result->failed);
    free_offenders(&result->undecided);
    pace_free(&result->pace);
    *result = (struct gate_result){.n_new = 0};
}
