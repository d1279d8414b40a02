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
    h->exit_code = p->exit_code;
    h->random = p->random;
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

void copy_costs(struct builder *b, const struct cprof_profile *p)
{
    uint32_t *files = xreallocarray(NULL, p->n_files, sizeof *files);
    uint32_t *objects = xreallocarray(NULL, p->n_objects, sizeof *objects);
    uint32_t *functions = xreallocarray(NULL, p->n_functions, sizeof *functions);

    for (uint32_t i = 0; i < p->n_files; i++)
        files[i] = builder_file(b, p->files[i]);
    for (uint32_t i = 0; i < p->n_objects; i++)
        objects[i] = builder_object(b, p->objects[i].path, p->objects[i].build_id);
    for (uint32_t i = 0; i < p->n_functions; i++) {
        const struct cprof_function *f = &p->functions[i];

        functions[i] = builder_function(
            b, f->name, f->mangled, f->object == CPROF_NONE ? CPROF_NONE : objects[f->object],
            f->file == CPROF_NONE ? CPROF_NONE : files[f->file], f->line);
    }
    for (uint32_t i = 0; i < p->n_costs; i++) {
        struct cprof_cost cost = p->costs[i];

        cost.function = functions[cost.function];
        cost.file = cost.file == CPROF_NONE ? CPROF_NONE : files[cost.file];
        if (builder_cost(b, &cost, cprof_cost_values(p, i)) != 0)
            break;
    }
    for (uint32_t i = 0; i < p->n_calls; i++) {
        struct cprof_call call = p->calls[i];

        call.caller = functions[call.caller];
        call.callee = functions[call.callee];
        call.file = call.file == CPROF_NONE ? CPROF_NONE : files[call.file];
        if (builder_call(b, &call, cprof_call_values(p, i)) != 0)
            break;
    }
    free(files);
    free(objects);
    free(functions);
}
