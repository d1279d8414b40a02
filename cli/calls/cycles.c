#include <config.h>

#include "calls/cycles.h"

#include "base/memory.h"
#include "calls/call_list.h"

#include <stdbool.h>
#include <stdlib.h>

/* A function whose calls are being followed. */
struct visit {
    uint32_t function;
    uint32_t call; /* the next of its calls to look at */
};

/* Tarjan's algorithm. The stack of its recursion is `path`, since chains of calls may be long. */
struct tarjan {
    const struct cprof_profile *profile;
    uint32_t *found; /* the order in which functions were reached, from 1; 0: not yet */
    uint32_t *low;   /* the earliest function that can be reached from it */
    uint32_t *cycle; /* the result; CPROF_NONE: still open */
    uint32_t *open;  /* functions whose cycle is not complete */
    struct visit *path;
    uint32_t n_found, n_open, n_path, n_cycles;
};

static void enter(struct tarjan *s, uint32_t function)
{
    s->found[function] = s->low[function] = ++s->n_found;
    s->open[s->n_open++] = function;
    s->path[s->n_path++] = (struct visit){function, call_list_first(s->profile, function)};
}

/* Makes one cycle of `function` and of all functions found after it. */
static void close_cycle(struct tarjan *s, uint32_t function)
{
    uint32_t member;

    do {
        member = s->open[--s->n_open];
        s->cycle[member] = s->n_cycles;
    } while (member != function);
    s->n_cycles++;
}

static void lower(struct tarjan *s, uint32_t function, uint32_t to)
{
    if (to < s->low[function])
        s->low[function] = to;
}

static void follow(struct tarjan *s, uint32_t start)
{
    const struct cprof_profile *p = s->profile;

    enter(s, start);
    while (s->n_path) {
        struct visit *top = &s->path[s->n_path - 1];
        uint32_t function = top->function;

        if (top->call < p->n_calls && p->calls[top->call].caller == function) {
            uint32_t callee = p->calls[top->call++].callee;

            if (!s->found[callee])
                enter(s, callee);
            else if (s->cycle[callee] == CPROF_NONE)
                lower(s, function, s->found[callee]);
            continue;
        }
        if (s->low[function] == s->found[function])
            close_cycle(s, function);
        s->n_path--;
        if (s->n_path)
            lower(s, s->path[s->n_path - 1].function, s->low[function]);
    }
}

uint32_t *cycles_find(const struct cprof_profile *p)
{
    struct tarjan s = {.profile = p};

    s.found = xcalloc(p->n_functions, sizeof *s.found);
    s.low = xcalloc(p->n_functions, sizeof *s.low);
    s.cycle = xreallocarray(NULL, p->n_functions, sizeof *s.cycle);
    s.open = xcalloc(p->n_functions, sizeof *s.open);
    s.path = xcalloc(p->n_functions, sizeof *s.path);
    for (uint32_t i = 0; i < p->n_functions; i++)
        s.cycle[i] = CPROF_NONE;
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (!s.found[i])
            follow(&s, i);
    free(s.found);
    free(s.low);
    free(s.open);
    free(s.path);
    return s.cycle;
}
