#include <config.h>

/* Stacks whose functions are called as their addresses, made those of a raw profile. */
#include "cprof_internal.h"
#include "stacks.h"

#include <stdlib.h>
#include <string.h>

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
