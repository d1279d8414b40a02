#include <config.h>

/* How often inlined copies of functions and stubs were entered, and how often lines ran: by the
 * counts of their instructions. */
#include "base/memory.h"
#include "base/sort.h"
#include "resolve/resolver.h"

#include <stdlib.h>

/* An inlined copy: how often its first instruction ran, and the one of its own that ran most
 * often. */
struct copy {
    uint64_t entered, most;
};

/* How often one instruction of a line ran. */
struct line_count {
    uint32_t copy; /* a frame; DEBUG_NONE: the function that was compiled for itself */
    struct cprof_line_runs line;
};

static int compare_number(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_lines(const void *a, const void *b)
{
    const struct line_count *x = a, *y = b;
    int order = compare_number(x->line.function, y->line.function);

    if (!order)
        order = compare_number(x->line.file, y->line.file);
    return order ? order : compare_number(x->line.line, y->line.line);
}

static int compare_copies(const void *a, const void *b)
{
    const struct line_count *x = a, *y = b;
    int order = compare_lines(a, b);

    return order ? order : compare_number(x->copy, y->copy);
}

static void raise_to(uint64_t *most, uint64_t count)
{
    if (count > *most)
        *most = count;
}

/* Notes the instruction at `address` in all copies that it is part of. */
static void note_copies(struct copy *copies, const struct debug_info *d, uint32_t innermost,
                        uint64_t address, uint64_t count)
{
    if (innermost != DEBUG_NONE)
        raise_to(&copies[innermost].most, count);
    for (uint32_t f = innermost; f != DEBUG_NONE; f = d->frames[f].parent)
        if (d->frames[f].entry == address)
            copies[f].entered = count;
}

/* Hands the copies to the builder, with those that are in pieces. */
static void put_copies(struct resolver *r, const struct object_names *names,
                       const struct copy *copies)
{
    for (uint32_t f = 0; f < names->n_frames && f < names->debug.n_frames; f++) {
        const struct copy *c = &copies[f];
        uint32_t chain = names->frames[f];

        if (chain != CHAIN_NONE && (c->entered || c->most))
            (void)builder_function_entered(r->builder, r->chains.items[chain].function, c->entered,
                                           c->entered < c->most);
    }
}

/* Hands lines to the builder, which are sorted by copies: of each copy the most, and all of these
 * added up. */
static void put_lines(struct resolver *r, struct line_count *lines, size_t n)
{
    for (size_t i = 0; i < n;) {
        struct cprof_line_runs sum = lines[i].line;
        size_t first = i;

        sum.runs = 0;
        while (i < n && compare_lines(&lines[first], &lines[i]) == 0) {
            uint64_t most = 0;
            uint32_t copy = lines[i].copy;

            for (; i < n && lines[i].copy == copy && compare_lines(&lines[first], &lines[i]) == 0;
                 i++)
                raise_to(&most, lines[i].line.runs);
            sum.runs += most;
        }
        if (builder_line_runs(r->builder, &sum) != 0)
            return;
    }
}

/* The innermost copy that each cost of the object is in; afterwards all copies are known. The
 * caller frees it. */
static uint32_t *frames_of(const struct resolver *r, struct object_names *names, uint32_t object)
{
    const uint32_t *order = r->order + r->starts[object];
    size_t n = r->starts[object + 1] - r->starts[object];
    uint32_t *frames = xreallocarray(NULL, n, sizeof *frames);

    for (size_t i = 0; i < n; i++)
        frames[i] = debug_frame(&names->debug, r->raw->costs[order[i]].address);
    return frames;
}

void resolver_count_stubs(struct resolver *r, const struct object_names *names, uint32_t object)
{
    uint32_t ir = cprof_find_event(r->raw, "Ir");

    if (ir == CPROF_NONE || r->raw->sampled)
        return;
    for (size_t i = r->starts[object]; i < r->starts[object + 1]; i++) {
        struct cprof_cost cost = resolver_cost(r, r->order[i]);
        int64_t count = cprof_cost_values(r->raw, r->order[i])[ir];

        if (count > 0 && object_names_begins_stub(names, cost.address))
            (void)builder_function_entered(r->builder, cost.function, (uint64_t)count, 0);
    }
}

void resolver_count_runs(struct resolver *r, struct object_names *names, uint32_t object)
{
    uint32_t ir = cprof_find_event(r->raw, "Ir"), *frames;
    const uint32_t *order = r->order + r->starts[object];
    size_t n = r->starts[object + 1] - r->starts[object], n_lines = 0;
    struct line_count *lines;
    struct copy *copies;

    if (ir == CPROF_NONE || r->raw->sampled)
        return;
    frames = frames_of(r, names, object);
    lines = xreallocarray(NULL, n, sizeof *lines);
    copies = xcalloc(names->debug.n_frames, sizeof *copies);
    for (size_t i = 0; i < n; i++) {
        struct cprof_cost cost = resolver_cost(r, order[i]);
        int64_t count = cprof_cost_values(r->raw, order[i])[ir];

        if (count <= 0)
            continue;
        note_copies(copies, &names->debug, frames[i], cost.address, (uint64_t)count);
        if (cost.line)
            lines[n_lines++] = (struct line_count){
                frames[i], {cost.function, cost.file, cost.line, (uint64_t)count}};
    }
    put_copies(r, names, copies);
    sort_items(lines, n_lines, sizeof *lines, compare_copies);
    put_lines(r, lines, n_lines);
    free(frames);
    free(lines);
    free(copies);
}
