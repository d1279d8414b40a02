#include <config.h>

#include "sampled.h"

#include "error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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
    map_release(&s->thread_map);
    free(s->threads.data);
    free(s->columns.data);
    free(s);
}

static uint32_t out_of_memory(struct sampled *s)
{
    error_set(s->r.error, CPROF_ERROR_MEMORY, "out of memory");
    return CPROF_NONE;
}

/* Names are the builder's. */
static int equal_thread(const void *owner, uint32_t index, const void *key)
{
    const struct sampled_thread *a = (const struct sampled_thread *)owner + index, *b = key;

    return a->name == b->name && a->is_first == b->is_first;
}

static uint32_t find_thread(struct sampled *s, const struct sampled_thread *key)
{
    uint32_t hash = map_hash((uintptr_t)key->name ^ (uintptr_t)key->is_first);
    uint32_t found = map_find(&s->thread_map, hash, equal_thread, s->threads.data, key);
    struct sampled_thread *new;

    if (found != MAP_NONE)
        return ((const struct sampled_thread *)s->threads.data)[found].root;
    found = (uint32_t)s->threads.count;
    if (!(new = vector_push(&s->threads, sizeof *new)) || map_add(&s->thread_map, hash, found))
        return out_of_memory(s);
    *new = *key;
    return new->root = stacks_root(&s->stacks);
}

uint32_t sampled_thread(struct sampled *s, const char *name)
{
    return find_thread(s, &(struct sampled_thread){.name = name});
}

uint32_t sampled_first_thread(struct sampled *s, const char *name)
{
    return find_thread(s, &(struct sampled_thread){.name = name, .is_first = 1});
}

int sampled_name_threads(struct sampled *s)
{
    const struct sampled_thread *threads = s->threads.data;

    for (size_t i = 0; i < s->threads.count && s->threads.count > 1; i++) {
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
        (frame->inlined && builder_function_inlined(s->r.builder, frame->function)))
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

int sampled_add_fraction(struct sampled *s, uint32_t node, uint32_t column,
                         const struct fraction *f)
{
    struct sampled_column *columns = s->columns.data;

    return fraction_add(&s->stacks, node, column, &columns[column].scale, f);
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
        name =
            fraction_event(&s->r, &s->stacks, column, &columns[column].scale, columns[column].name);
        events[column] = name ? builder_event(s->r.builder, name) : CPROF_NONE;
        if (events[column] == CPROF_NONE ||
            builder_event_describe(s->r.builder, events[column], columns[column].meaning, NULL))
            return -1;
    }
    return sampled_name_threads(s) ? -1 : stacks_finish(&s->stacks, s->r.builder, events);
}
