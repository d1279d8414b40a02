#include <config.h>

#include "model/copy.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char *text(struct builder *b, const char *s)
{
    return s ? builder_text(b, s, strlen(s)) : NULL;
}

/* The executable by its full path: a profile may name it as the command line did, and have the path
 * among its objects. */
static const char *program_of(const struct cprof_profile *p)
{
    const char *tail = p->program;
    size_t size;

    while (tail && (!strncmp(tail, "./", 2) || !strncmp(tail, "../", 3)))
        tail = strchr(tail, '/') + 1;
    if (!tail || !*tail || tail[0] == '/')
        return p->program;
    size = strlen(tail);
    for (uint32_t i = 0; i < p->n_objects; i++) {
        const char *path = p->objects[i].path;
        size_t length = strlen(path);

        if (path[0] == '/' && length > size && path[length - size - 1] == '/' &&
            !strcmp(path + length - size, tail))
            return path;
    }
    return p->program;
}

static void copy_plain(struct builder *b, const struct cprof_profile *p)
{
    struct cprof_profile *h = builder_header(b);

    h->format = p->format;
    h->source = text(b, p->source);
    h->creator = text(b, p->creator);
    h->command = text(b, p->command);
    h->program = text(b, program_of(p));
    h->pid = p->pid;
    h->exit = p->exit;
    h->random = p->random;
    h->exit_code = p->exit_code;
    h->sections_began = p->sections_began;
    h->sections_ended = p->sections_ended;
}

void copy_header(struct builder *b, const struct cprof_profile *p)
{
    copy_plain(b, p);
    for (uint32_t i = 0; i < p->n_arguments; i++)
        builder_argument(b, p->arguments[i]);
    for (uint32_t i = 0; i < p->n_descriptions; i++)
        builder_description(b, p->descriptions[i]);
    for (uint32_t i = 0; i < p->n_caches; i++)
        builder_cache(b, &p->caches[i]);
    for (uint32_t i = 0; i < p->n_parts; i++)
        builder_part(b, &p->parts[i]);
    for (uint32_t i = 0; i < p->n_events; i++)
        builder_event_describe(b, builder_event(b, p->events[i].name), p->events[i].long_name,
                               p->events[i].formula);
    for (uint32_t i = 0; i < p->n_warnings; i++)
        builder_warn(b, p->warnings[i].line, "%s", p->warnings[i].text);
    if (p->summary)
        builder_summary(b, p->summary);
}

/* A profile's indices in the builder. */
struct copier {
    struct builder *builder;
    const struct cprof_profile *from;
    uint32_t *objects, *files, *functions;
};

static uint32_t map(const uint32_t *indices, uint32_t index)
{
    return index == CPROF_NONE ? CPROF_NONE : indices[index];
}

static struct cprof_cost copy_cost(const struct copier *c, const struct cprof_cost *from)
{
    return (struct cprof_cost){map(c->functions, from->function), map(c->files, from->file),
                               from->line, from->address};
}

void copy_traits(struct builder *b, uint32_t function, const struct cprof_function *from)
{
    if (from->inlined)
        builder_function_inlined(b, function);
    if (from->inclusive_least)
        builder_function_least(b, function);
    if (from->instances)
        builder_function_instances(b, function, from->instances);
    if (from->arguments)
        builder_function_arguments(b, function, from->arguments);
}

static void put_names(struct copier *c)
{
    const struct cprof_profile *p = c->from;

    c->files = xreallocarray(NULL, p->n_files, sizeof *c->files);
    c->objects = xreallocarray(NULL, p->n_objects, sizeof *c->objects);
    c->functions = xreallocarray(NULL, p->n_functions, sizeof *c->functions);
    for (uint32_t i = 0; i < p->n_files; i++)
        c->files[i] = builder_file(c->builder, p->files[i]);
    for (uint32_t i = 0; i < p->n_objects; i++)
        c->objects[i] = builder_object(c->builder, p->objects[i].path, p->objects[i].build_id);
    for (uint32_t i = 0; i < p->n_functions; i++) {
        const struct cprof_function *f = &p->functions[i];

        c->functions[i] =
            builder_function_at(c->builder, f->name, f->mangled, map(c->objects, f->object),
                                map(c->files, f->file), f->line, f->address);
        copy_traits(c->builder, c->functions[i], f);
    }
}

static void free_indices(struct copier *c)
{
    free(c->files);
    free(c->objects);
    free(c->functions);
}

void copy_names(struct builder *b, const struct cprof_profile *p)
{
    struct copier c = {.builder = b, .from = p};

    put_names(&c);
    free_indices(&c);
}

/* Contexts with their costs, which are the profile's too. */
static void copy_contexts(struct copier *c)
{
    const struct cprof_profile *p = c->from;

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        struct cprof_context context = p->contexts[i];

        context.function = map(c->functions, context.function);
        context.site_file = map(c->files, context.site_file);
        if (builder_context(c->builder, &context) != i)
            return;
        for (uint32_t k = 0; k < p->contexts[i].n_costs; k++) {
            uint32_t index = p->contexts[i].first_cost + k;
            struct cprof_cost cost = copy_cost(c, &p->context_costs[index]);

            if (builder_context_cost(c->builder, i, &cost, cprof_context_values(p, index)) != 0)
                return;
        }
    }
}

static void copy_calls(struct copier *c)
{
    const struct cprof_profile *p = c->from;

    for (uint32_t i = 0; i < p->n_calls; i++) {
        struct cprof_call call = p->calls[i];

        call.caller = map(c->functions, call.caller);
        call.callee = map(c->functions, call.callee);
        call.file = map(c->files, call.file);
        if (builder_call(c->builder, &call, cprof_call_values(p, i)) != 0)
            return;
    }
}

void copy_costs(struct builder *b, const struct cprof_profile *p)
{
    struct copier c = {.builder = b, .from = p};

    put_names(&c);
    if (p->n_contexts)
        copy_contexts(&c);
    for (uint32_t i = 0; i < p->n_costs && !p->n_contexts; i++) {
        struct cprof_cost cost = copy_cost(&c, &p->costs[i]);

        if (builder_cost(b, &cost, cprof_cost_values(p, i)) != 0)
            break;
    }
    copy_calls(&c);
    for (uint32_t i = 0; i < p->n_functions && p->inclusive; i++)
        if (builder_inclusive(b, c.functions[i], cprof_inclusive_values(p, i)) != 0)
            break;
    free_indices(&c);
}
