#include <config.h>

#include "cp_format.h"
#include "cprof_internal.h"
#include "error.h"
#include "named.h"
#include "perf.h"
#include "stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*--- A raw profile ---*/

struct writer {
    struct sink out;
    const struct cprof_profile *profile;
};

static void put_events(struct sink *out, const char *key, const struct cprof_profile *p)
{
    named_put_key(out, key);
    for (uint32_t i = 0; i < p->n_events; i++)
        named_put_word(out, p->events[i].name);
    sink_end_line(out);
}

static void put_counts_of_samples(struct sink *out, const struct perf_counts *counts)
{
    sink_text(out, CP_KEY_SAMPLED ":");
    named_put_unsigned(out, counts->samples);
    named_put_unsigned(out, counts->lost);
    named_put_unsigned(out, counts->throttled);
    named_put_unsigned(out, counts->without_stack);
    if (counts->without_value)
        named_put_unsigned(out, counts->without_value);
    sink_end_line(out);
}

static void put_cut(struct sink *out, const struct perf_counts *counts)
{
    if (!counts->cut && !counts->completed)
        return;
    sink_text(out, CP_KEY_CUT ":");
    named_put_unsigned(out, counts->cut);
    named_put_unsigned(out, counts->completed);
    named_put_unsigned(out, counts->stack_bytes);
    sink_end_line(out);
}

static void put_process(struct sink *out, const struct samples_source *source)
{
    named_put_key(out, CP_KEY_PID);
    named_put_signed(out, source->pid);
    sink_end_line(out);
    if (source->exit_code >= 0) {
        sink_text(out, CP_KEY_EXIT ": code");
        named_put_signed(out, source->exit_code);
    } else {
        sink_text(out, CP_KEY_EXIT ": unknown");
    }
    sink_end_line(out);
}

static void put_header(struct writer *w, const struct samples_source *source,
                       const struct perf_counts *counts)
{
    struct sink *out = &w->out;

    sink_text(out, CP_RAW_MAGIC);
    named_put_unsigned(out, CP_RAW_VERSION);
    sink_end_line(out);
    if (source->creator)
        named_write_text(out, CP_KEY_CREATOR, source->creator);
    if (!source->is_file)
        put_process(out, source);
    if (source->program)
        named_write_text(out, CP_KEY_PROGRAM, source->program);
    for (const char *const *a = source->arguments; a && *a; a++)
        named_write_text(out, CP_KEY_ARGUMENT, *a);
    for (const char *const *s = source->setup; s && *s; s++)
        named_write_text(out, CP_KEY_SETUP, *s);
    put_cut(out, counts);
    put_counts_of_samples(out, counts);
    put_events(out, CP_KEY_EVENTS, w->profile);
    put_events(out, CP_KEY_COUNTED, w->profile);
}

/* "n", "n ADDRESS": an object, and an address in it. */
static void put_place(struct sink *out, uint32_t object, uint64_t address)
{
    named_put_unsigned(out, object);
    named_put_address(out, address);
}

static void put_function(struct writer *w, uint32_t function)
{
    const struct cprof_function *f = &w->profile->functions[function];

    put_place(&w->out, f->object, f->address);
}

/* The call site in a function: its object and the address there. */
static void put_site(struct writer *w, uint32_t caller, uint64_t address)
{
    uint32_t object = caller == CPROF_NONE ? CPROF_NONE : w->profile->functions[caller].object;

    named_put_index(&w->out, address ? object : CPROF_NONE);
    named_put_address(&w->out, object == CPROF_NONE ? 0 : address);
}

static void put_objects(struct writer *w)
{
    const struct cprof_profile *p = w->profile;

    for (uint32_t i = 0; i < p->n_objects; i++) {
        sink_byte(&w->out, CP_REC_OBJECT);
        named_put_unsigned(&w->out, i);
        named_put_word(&w->out, p->objects[i].build_id);
        named_put_text(&w->out, p->objects[i].path);
        sink_end_line(&w->out);
    }
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (p->functions[i].object != CPROF_NONE && strcmp(p->functions[i].name, "???") != 0) {
            sink_byte(&w->out, CP_REC_NAME);
            put_function(w, i);
            named_put_text(&w->out, p->functions[i].name);
            sink_end_line(&w->out);
        }
}

static void put_context(struct writer *w, uint32_t i)
{
    const struct cprof_profile *p = w->profile;
    const struct cprof_context *c = &p->contexts[i];
    int is_root = p->functions[c->function].object == CPROF_NONE;

    sink_byte(&w->out, is_root ? CP_REC_ROOT : CP_REC_CONTEXT);
    named_put_unsigned(&w->out, i);
    named_put_index(&w->out, c->parent);
    if (is_root) {
        named_put_text(&w->out, p->functions[c->function].name);
    } else {
        put_function(w, c->function);
        put_site(w, c->parent == CPROF_NONE ? CPROF_NONE : p->contexts[c->parent].function,
                 c->site);
        named_put_unsigned(&w->out, 0);
    }
    sink_end_line(&w->out);
    for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++) {
        const struct cprof_cost *cost = &p->context_costs[k];

        sink_byte(&w->out, CP_REC_MISSES);
        put_place(&w->out, p->functions[cost->function].object, cost->address);
        named_put_counts(&w->out, cprof_context_values(p, k), p->n_events);
    }
}

static void put_inclusive(struct writer *w)
{
    const struct cprof_profile *p = w->profile;

    for (uint32_t i = 0; i < p->n_functions && p->inclusive; i++)
        if (p->functions[i].object != CPROF_NONE) {
            sink_byte(&w->out, CP_REC_INCLUSIVE);
            put_function(w, i);
            named_put_counts(&w->out, cprof_inclusive_values(p, i), p->n_events);
        }
    for (uint32_t i = 0; i < p->n_calls; i++) {
        const struct cprof_call *call = &p->calls[i];

        sink_byte(&w->out, CP_REC_EDGE);
        put_function(w, call->caller);
        put_function(w, call->callee);
        put_site(w, call->caller, call->address);
        named_put_unsigned(&w->out, 0);
        named_put_counts(&w->out, cprof_call_values(p, i), p->n_events);
    }
}

static int write_raw(struct writer *w, const struct samples_source *source,
                     const struct perf_counts *counts, struct cprof_error *error)
{
    unsigned long lines;

    put_header(w, source, counts);
    put_objects(w);
    for (uint32_t i = 0; i < w->profile->n_contexts; i++)
        put_context(w, i);
    put_inclusive(w);
    lines = w->out.lines;
    sink_text(&w->out, CP_RAW_END);
    named_put_unsigned(&w->out, lines);
    sink_end_line(&w->out);
    if (!sink_finish(&w->out))
        return 0;
    errno = w->out.failed;
    return error_set(error, CPROF_ERROR_SYSTEM, "cannot write the profile: %s",
                     strerror(w->out.failed));
}

static void correct_lost(struct perf_counts *counts, const struct samples_source *source)
{
    uint64_t expected = source->expected ? source->expected(source->probes) : 0;
    uint64_t seen = counts->samples + counts->left_out;

    if (expected > seen)
        counts->lost = expected - seen;
}

int64_t samples_to_raw(const char *path, const struct samples_source *source, cprof_writer *write,
                       void *to, struct cprof_error *error)
{
    struct perf_counts counts = {0};
    struct input *in;
    struct cprof_profile *profile;
    struct writer w = {.out = {.write = write, .to = to}};
    int failed = 0;

    error_init(error, path);
    in = input_open(path, error);
    profile = in ? perf_read_samples(in, source, &counts, error) : NULL;
    input_close(in);
    w.profile = profile;
    correct_lost(&counts, source);
    counts.stack_bytes = source->stack_bytes;
    if (profile && counts.samples)
        failed = write_raw(&w, source, &counts, error);
    cprof_free(profile);
    return !profile || failed ? -1 : (int64_t)counts.samples;
}

/*--- Functions called as their addresses ---*/

struct locator {
    const struct cprof_profile *from;
    const struct samples_source *source;
    struct builder *builder;
    struct stacks stacks;
    uint32_t *nodes; /* of each context */
};

int samples_address(const struct cprof_profile *p, uint32_t function, uint64_t *address)
{
    const struct cprof_function *f = &p->functions[function];
    char *end;

    if (f->object == CPROF_NONE || p->objects[f->object].path[0] != '/' || f->name[0] != '0' ||
        f->name[1] != 'x')
        return 0;
    *address = strtoull(f->name + 2, &end, 16);
    return !*end && end > f->name + 2;
}

/* Finds the frame of code at an address of an object. 0 or -1. */
static int locate(struct locator *l, const struct cprof_function *f, uint64_t address,
                  struct stack_frame *frame)
{
    const char *path = l->from->objects[f->object].path;
    struct samples_frame at = {.object = path,
                               .address = address,
                               .symbol = "",
                               .is_relative = l->from->format == CPROF_FORMAT_FIREFOX};
    struct samples_place place = {.object = path};
    uint32_t object;

    l->source->locate(l->source->places, &at, &place);
    object = builder_object(l->builder, place.object, place.build_id);
    if (object == CPROF_NONE)
        return -1;
    frame->function =
        builder_function_at(l->builder, "???", NULL, object, CPROF_NONE, 0, place.function);
    frame->address = place.address;
    return frame->function == CPROF_NONE ? -1 : 0;
}

/* Code that is in no file keeps its name. */
static int keep(struct locator *l, const struct cprof_function *f, struct stack_frame *frame)
{
    uint32_t object = builder_object(l->builder, "[unknown]", NULL);

    frame->function = object == CPROF_NONE ? object
                                           : builder_function(l->builder, f->name, f->mangled,
                                                              object, CPROF_NONE, 0);
    return frame->function == CPROF_NONE ? -1 : 0;
}

static uint32_t root(struct locator *l, const struct cprof_function *f)
{
    uint32_t node = stacks_root(&l->stacks),
             function = builder_function(l->builder, f->name, NULL, CPROF_NONE, CPROF_NONE, 0);

    if (node == CPROF_NONE || function == CPROF_NONE)
        return CPROF_NONE;
    stacks_name_root(&l->stacks, node, function);
    return node;
}

/* The node of context `i`, whose parent has one. */
static uint32_t node_of(struct locator *l, uint32_t i)
{
    const struct cprof_context *c = &l->from->contexts[i];
    const struct cprof_function *f = &l->from->functions[c->function];
    struct stack_frame frame = {.file = CPROF_NONE};
    uint64_t address;
    uint32_t number;

    if (f->object == CPROF_NONE && c->parent == CPROF_NONE)
        return root(l, f);
    if (samples_address(l->from, c->function, &address) ? locate(l, f, address, &frame)
                                                        : keep(l, f, &frame))
        return CPROF_NONE;
    number = stacks_frame(&l->stacks, &frame);
    return number == CPROF_NONE
               ? number
               : stacks_push(&l->stacks, c->parent == CPROF_NONE ? c->parent : l->nodes[c->parent],
                             number);
}

static int add_costs(struct locator *l, uint32_t i)
{
    const struct cprof_context *c = &l->from->contexts[i];

    for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
        for (uint32_t e = 0; e < l->from->n_events; e++)
            if (stacks_add(&l->stacks, l->nodes[i], e,
                           (uint64_t)cprof_context_values(l->from, k)[e]))
                return -1;
    return 0;
}

static int locate_all(struct locator *l, uint32_t *events)
{
    for (uint32_t e = 0; e < l->from->n_events; e++) {
        events[e] = e;
        if (stacks_column(&l->stacks) == CPROF_NONE)
            return -1;
    }
    for (uint32_t i = 0; i < l->from->n_contexts; i++) {
        l->nodes[i] = node_of(l, i);
        if (l->nodes[i] == CPROF_NONE || add_costs(l, i))
            return -1;
    }
    return stacks_finish(&l->stacks, l->builder, events);
}

int samples_locate(const struct cprof_profile *p, const struct samples_source *source,
                   struct builder *b, struct cprof_error *error)
{
    struct locator l = {.from = p, .source = source, .builder = b, .stacks = {.error = error}};
    uint32_t *events = calloc(p->n_events + (size_t)1, sizeof *events);
    int result = -1;

    l.nodes = calloc(p->n_contexts + (size_t)1, sizeof *l.nodes);
    builder_header(b)->format = CPROF_FORMAT_RAW;
    if (events && l.nodes)
        result = locate_all(&l, events);
    stacks_release(&l.stacks);
    free(events);
    free(l.nodes);
    return result;
}
