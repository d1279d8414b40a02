#include <config.h>

#include "render/export/tracks.h"

#include "base/array.h"
#include "base/file.h"
#include "derive/sections.h"
#include "names/crates.h"
#include "render/text/text.h"

static bool is_root(const struct cprof_profile *p, uint32_t context)
{
    const struct cprof_context *c = &p->contexts[context];
    const struct cprof_function *f = &p->functions[c->function];

    return c->parent == CPROF_NONE && f->object == CPROF_NONE &&
           (root_is_thread(f) || section_of(p, c->function) != CPROF_NONE);
}

static uint32_t add_track(struct tracks *t, uint32_t function)
{
    APPEND(t->functions, t->n, t->room) = function;
    return t->n - 1;
}

void tracks_load(struct tracks *t, const struct cprof_profile *p)
{
    uint32_t *of_function = new_indices(p->n_functions);

    *t = (struct tracks){.profile = p};
    t->of_context = xreallocarray(NULL, p->n_contexts, sizeof *t->of_context);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        uint32_t function = is_root(p, i) ? c->function : CPROF_NONE;
        uint32_t *track = &of_function[function == CPROF_NONE ? p->n_functions : function];

        if (c->parent == CPROF_NONE && *track == CPROF_NONE)
            *track = add_track(t, function);
        t->of_context[i] = c->parent == CPROF_NONE ? *track : t->of_context[c->parent];
    }
    if (!t->n)
        add_track(t, CPROF_NONE);
    free(of_function);
}

void tracks_free(struct tracks *t)
{
    free(t->functions);
    free(t->of_context);
}

bool tracks_is_root(const struct tracks *t, uint32_t context)
{
    return t->profile->contexts[context].parent == CPROF_NONE &&
           t->functions[t->of_context[context]] != CPROF_NONE;
}

uint32_t tracks_of(const struct tracks *t, uint32_t function)
{
    uint32_t program = 0;

    for (uint32_t i = 0; i < t->n; i++) {
        if (t->functions[i] == function)
            return i;
        if (t->functions[i] == CPROF_NONE)
            program = i;
    }
    return program;
}

char *tracks_program(const struct cprof_profile *p)
{
    return text_utf8(p->program ? path_base(p->program) : "program");
}

char *tracks_name(const struct tracks *t, uint32_t track, char *const *labels)
{
    static const char of_sampler[] = "thread: "; /* which knows no numbers */
    uint32_t function = t->functions[track];
    const char *name, *end;

    if (function == CPROF_NONE)
        return tracks_program(t->profile);
    name = labels[function] + 1;
    end = strrchr(name, ']');
    if (!strncmp(name, of_sampler, sizeof of_sampler - 1))
        name += sizeof of_sampler - 1;
    return end && end > name ? xasprintf("%.*s", (int)(end - name), name) : xstrdup(name);
}
