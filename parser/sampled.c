#include <config.h>

#include "sampled.h"

#include "error.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/*--- Fractions ---*/

/* A number that is this near to so many decimals has them: sums of doubles are not exact. */
#define NEAR 1e-2

static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};

static void drop_zeros(struct fraction *f)
{
    while (f->decimals && f->digits % 10 == 0) {
        f->digits /= 10;
        f->decimals--;
    }
}

int fraction_of_number(double number, struct fraction *f)
{
    double scaled = number * (double)powers[FRACTION_DECIMALS];

    *f = (struct fraction){.decimals = FRACTION_DECIMALS};
    if (!(number >= 0) || !(number < 9.2e18))
        return -1;
    if (scaled >= 9e15) { /* such a double is a whole number, or nearly */
        scaled = number;
        f->decimals = 0;
    }
    f->digits = (uint64_t)(scaled + 0.5);
    f->is_rounded = fabs(scaled - (double)f->digits) > NEAR;
    drop_zeros(f);
    return 0;
}

int fraction_of_text(const char *at, const char *end, struct fraction *f)
{
    unsigned next = 0;

    *f = (struct fraction){0};
    if (lex_decimal(&at, end, &f->digits) != LEX_OK)
        return -1;
    if (at < end && *at++ != '.')
        return -1;
    for (; at < end && lex_is_digit(*at) && f->decimals < FRACTION_DECIMALS; at++, f->decimals++)
        if (__builtin_mul_overflow(f->digits, 10, &f->digits) ||
            __builtin_add_overflow(f->digits, (unsigned)(*at - '0'), &f->digits))
            return -1;
    if (at < end && lex_is_digit(*at))
        next = (unsigned)(*at - '0');
    for (; at < end && lex_is_digit(*at); at++)
        f->is_rounded |= *at != '0';
    f->digits += next >= 5;
    drop_zeros(f);
    return at == end ? 0 : -1;
}

/*--- Stacks and columns ---*/

/* Frames for each byte of a file, and those of a small one. */
enum { FRAMES_OF_BYTE = 32, FRAMES_OF_ANY = 1 << 16 };

int sampled_begin(struct sampled *s, size_t size)
{
    if (size)
        s->most_pushed = size * FRAMES_OF_BYTE + FRAMES_OF_ANY;
    s->stacks.error = s->r.error;
    builder_header(s->r.builder)->sampled = 1;
    return 0;
}

void sampled_free(struct sampled *s)
{
    stacks_release(&s->stacks);
    set_release(&s->threads);
    free(s->columns.data);
    free(s);
}

static uint32_t out_of_memory(struct sampled *s)
{
    error_memory(s->r.error);
    return CPROF_NONE;
}

/* Names are the builder's. */
static int equal_thread(const void *owner, uint32_t index, const void *key)
{
    const struct sampled_thread *a = (const struct sampled_thread *)owner + index, *b = key;

    return a->name == b->name && a->is_first == b->is_first;
}

static uint32_t find_thread(struct sampled *s, const char *name, int is_first)
{
    struct sampled_thread key = {name, is_first, CPROF_NONE}, *thread;
    uint32_t hash = map_hash((uintptr_t)name ^ (uintptr_t)is_first);
    uint32_t found = set_put(&s->threads, hash, equal_thread, &key, sizeof key);

    if (found == MAP_NONE)
        return out_of_memory(s);
    thread = (struct sampled_thread *)s->threads.items.data + found;
    if (thread->root == CPROF_NONE)
        thread->root = stacks_root(&s->stacks);
    return thread->root;
}

uint32_t sampled_thread(struct sampled *s, const char *name)
{
    return find_thread(s, name, 0);
}

uint32_t sampled_first_thread(struct sampled *s, const char *name)
{
    return find_thread(s, name, 1);
}

int sampled_name_threads(struct sampled *s)
{
    const struct sampled_thread *threads = s->threads.items.data;

    for (size_t i = 0; i < s->threads.items.count && s->threads.items.count > 1; i++) {
        char name[300];
        uint32_t function;

        snprintf(name, sizeof name, threads[i].is_first ? "[thread 1: %.256s]" : "[thread: %.256s]",
                 threads[i].name);
        function = builder_function(s->r.builder, name, NULL, CPROF_NONE, CPROF_NONE, 0);
        if (function == CPROF_NONE)
            return -1;
        stacks_name_root(&s->stacks, threads[i].root, function);
    }
    return 0;
}

uint32_t sampled_push(struct sampled *s, uint32_t node, const struct stack_frame *frame)
{
    uint32_t number;

    if (s->most_pushed && ++s->n_pushed > s->most_pushed) {
        error_set(s->r.error, CPROF_ERROR_SYNTAX,
                  "more frames on stacks than a file of this size can have: it is damaged");
        return CPROF_NONE;
    }
    if (frame->function == CPROF_NONE ||
        (frame->inlined && builder_function_traits(s->r.builder, frame->function,
                                                   &(struct cprof_function){.inlined = 1})))
        return CPROF_NONE;
    number = stacks_frame(&s->stacks, frame);
    return number == CPROF_NONE ? CPROF_NONE : stacks_push(&s->stacks, node, number);
}

uint32_t sampled_push_none(struct sampled *s, uint32_t node)
{
    uint32_t object = builder_object(s->r.builder, "???", NULL);
    struct stack_frame frame = {.file = CPROF_NONE};

    if (object == CPROF_NONE)
        return CPROF_NONE;
    frame.function = builder_function(s->r.builder, "[no stack]", NULL, object, CPROF_NONE, 0);
    return sampled_push(s, node, &frame);
}

uint32_t sampled_unnamed(struct sampled *s, uint32_t object, uint64_t address)
{
    char name[24];

    snprintf(name, sizeof name, "0x%" PRIx64, address);
    return builder_function(s->r.builder, name, NULL, object, CPROF_NONE, 0);
}

struct sampled_unit sampled_unit(const char *name)
{
    static const char time[] = "nanoseconds, by samples";
    static const struct {
        const char *name;
        struct sampled_unit unit;
    } units[] = {{"nanoseconds", {1, time, 1}},     {"ns", {1, time, 1}},
                 {"microseconds", {1000, time, 1}}, {"us", {1000, time, 1}},
                 {"\xc2\xb5s", {1000, time, 1}},    {"milliseconds", {1000000, time, 1}},
                 {"ms", {1000000, time, 1}},        {"seconds", {1000000000, time, 1}},
                 {"s", {1000000000, time, 1}},      {"bytes", {1, "bytes, by samples", 0}}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(units[i].name, name))
            return units[i].unit;
    return (struct sampled_unit){1, NULL, 0};
}

/* Names of events are words. */
static const char *event_name(struct sampled *s, const char *name, const char *unit)
{
    char word[128];
    size_t n = 0;

    snprintf(word, sizeof word, "%s%s%s", name, unit ? "_" : "", unit ? unit : "");
    for (; word[n]; n++)
        if ((unsigned char)word[n] <= ' ' || word[n] == '\x7f')
            word[n] = '_';
    if (!n || !strcmp(word, "samples") || !strcmp(word, "sample"))
        return "Samples";
    return builder_text(s->r.builder, word, n);
}

static int is_column(const struct sampled *s, const char *name)
{
    const struct sampled_column *columns = s->columns.data;

    for (size_t i = 0; i < s->columns.count; i++)
        if (!strcmp(columns[i].name, name))
            return 1;
    return 0;
}

uint32_t sampled_column(struct sampled *s, const char *name, const char *unit, const char *meaning)
{
    const char *event = event_name(s, name, NULL);
    struct sampled_column *new;

    if (event && is_column(s, event))
        event = event_name(s, name, unit);
    if (!event)
        return CPROF_NONE;
    if (is_column(s, event)) {
        error_set(s->r.error, CPROF_ERROR_SYNTAX, "two kinds of counts are called '%.60s'", event);
        return CPROF_NONE;
    }
    if (s->columns.count >= READER_MAX_EVENTS) {
        error_set(s->r.error, CPROF_ERROR_SYNTAX, "more than %d events", READER_MAX_EVENTS);
        return CPROF_NONE;
    }
    if (!(new = vector_push(&s->columns, sizeof *new)))
        return out_of_memory(s);
    *new = (struct sampled_column){.name = event, .meaning = meaning};
    return stacks_column(&s->stacks);
}

int sampled_add(struct sampled *s, uint32_t node, uint32_t column, uint64_t value, uint64_t factor)
{
    if (__builtin_mul_overflow(value, factor, &value))
        value = UINT64_MAX; /* which no sum has room for */
    return sampled_add_fraction(s, node, column, &(struct fraction){.digits = value});
}

/* The column is multiplied where it has too few decimals. */
int sampled_add_fraction(struct sampled *s, uint32_t node, uint32_t column,
                         const struct fraction *f)
{
    struct sampled_column *c = (struct sampled_column *)s->columns.data + column;
    uint64_t digits = f->digits;

    c->is_rounded |= f->is_rounded;
    if (f->decimals > c->decimals) {
        if (stacks_multiply(&s->stacks, column, powers[f->decimals - c->decimals]))
            return -1;
        c->decimals = f->decimals;
    }
    if (__builtin_mul_overflow(digits, powers[c->decimals - f->decimals], &digits))
        digits = UINT64_MAX; /* which no sum has room for */
    return stacks_add(&s->stacks, node, column, digits);
}

/* The builder's name of a column's event: with its scale behind it ("Samples/100") where it has
 * one, of which there is a warning then. NULL: failed. */
static const char *scaled_name(struct sampled *s, uint32_t column)
{
    const struct sampled_column *c = (const struct sampled_column *)s->columns.data + column;
    uint64_t power = powers[c->decimals], total = (uint64_t)s->stacks.totals[column];
    char event[160];

    if (!c->decimals && !c->is_rounded)
        return c->name;
    if (!c->decimals)
        return reader_warn(&s->r, "counts of '%.100s' are rounded: they have fractions", c->name)
                   ? NULL
                   : c->name;
    if (reader_warn(&s->r,
                    "counts have fractions, and are multiplied: '%.100s/%" PRIu64 "' has %" PRIu64
                    " for %" PRIu64 ".%0*" PRIu64 "%s",
                    c->name, power, total, total / power, (int)c->decimals, total % power,
                    c->is_rounded ? "; decimals beyond the sixth are rounded" : ""))
        return NULL;
    snprintf(event, sizeof event, "%.100s/%" PRIu64, c->name, power);
    return builder_text(s->r.builder, event, strlen(event));
}

int sampled_finish(struct sampled *s, uint32_t first)
{
    const struct sampled_column *columns = s->columns.data;
    uint32_t events[READER_MAX_EVENTS];

    for (uint32_t i = 0; i <= s->columns.count; i++) {
        uint32_t column = i ? i - 1 : first;
        const char *name;

        if (i && column == first)
            continue;
        name = scaled_name(s, column);
        events[column] = name ? builder_event(s->r.builder, name) : CPROF_NONE;
        if (events[column] == CPROF_NONE ||
            builder_event_describe(s->r.builder, events[column], columns[column].meaning, NULL))
            return -1;
    }
    return sampled_name_threads(s) ? -1 : stacks_finish(&s->stacks, s->r.builder, events);
}

/*--- Frames of Valgrind ---*/

/* A text "0x10F2: name (place)" taken apart; parts may be empty. */
struct parts {
    const char *name, *name_end, *place, *place_end;
    uint64_t address;
};

static struct parts split(const char *text, const char *end)
{
    const char *at = text + 2, *open = NULL;
    struct parts parts = {text, end, end, end, 0};

    if (LEX_STARTS(text, end, "0x") && lex_hex(&at, end, &parts.address) == LEX_OK &&
        end - at >= 2 && at[0] == ':' && at[1] == ' ')
        parts.name = at + 2;
    if (end > parts.name && end[-1] == ')')
        for (const char *p = parts.name; p + 1 < end; p++)
            if (p[0] == ' ' && p[1] == '(')
                open = p;
    if (open) {
        parts.name_end = open;
        parts.place = open + 2;
        parts.place_end = end - 1;
    }
    return parts;
}

/* Takes ":12" off the end. Returns 0 where there is none. */
static int take_number(const char *at, const char **end, uint64_t *number)
{
    const char *colon = *end, *digits;

    while (colon > at && lex_is_digit(colon[-1]))
        colon--;
    digits = colon;
    if (colon == *end || colon == at || colon[-1] != ':' ||
        lex_decimal(&digits, *end, number) != LEX_OK)
        return 0;
    *end = colon - 1;
    return *end > at;
}

/* Reads "in /path/of/object", "file:line", or "file:line:column". */
static int read_place(struct builder *b, const struct parts *parts, const char **object,
                      const char **file, uint32_t *line)
{
    const char *at = parts->place, *end = parts->place_end;
    uint64_t last = 0, before;

    *object = *file = NULL;
    *line = 0;
    if (end - at > 3 && !memcmp(at, "in ", 3))
        return (*object = builder_text(b, at + 3, (size_t)(end - at - 3))) ? 0 : -1;
    if (at == end || !take_number(at, &end, &last))
        return 0;
    if (take_number(at, &end, &before))
        last = before;
    *line = last <= UINT32_MAX ? (uint32_t)last : 0;
    return (*file = builder_text(b, at, (size_t)(end - at))) ? 0 : -1;
}

int valgrind_frame_read(struct sampled *s, const char *at, const char *end,
                        struct valgrind_frame *frame)
{
    struct builder *b = s->r.builder;
    struct parts parts = split(at, end);
    const char *name = "???", *path, *file;
    uint32_t object;

    *frame = (struct valgrind_frame){.frame = {.file = CPROF_NONE, .function = CPROF_NONE},
                                     .address = parts.address};
    if (parts.name_end > parts.name &&
        !(name = builder_text(b, parts.name, (size_t)(parts.name_end - parts.name))))
        return -1;
    if (read_place(b, &parts, &path, &file, &frame->frame.line))
        return -1;
    object = builder_object(b, path ? path : "???", NULL);
    if (object == CPROF_NONE || (file && (frame->frame.file = builder_file(b, file)) == CPROF_NONE))
        return -1;
    frame->frame.function = builder_function(b, name, NULL, object, frame->frame.file, 0);
    return frame->frame.function == CPROF_NONE ? -1 : 0;
}

int valgrind_frame_is_inlined(const struct valgrind_frame *inner,
                              const struct valgrind_frame *outer)
{
    return outer->address && inner->address == outer->address &&
           inner->frame.function != outer->frame.function;
}
