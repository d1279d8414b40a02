#include <config.h>

/* Contexts and inclusive counts of sampled stacks. */
#include "stacks_walk.h"

#include <stdlib.h>
#include <string.h>

/* Parents stand before their children. */
static void add_up(struct walk *w)
{
    uint32_t width = w->s->width;

    for (size_t i = w->s->nodes.count; i-- > 0;) {
        uint32_t parent = walk_node(w, (uint32_t)i)->parent;

        for (uint32_t k = 0; parent != CPROF_NONE && k < width; k++)
            w->sums[(size_t)parent * width + k] += w->sums[i * width + k];
    }
}

/* Lists children in the order of their numbers; the list of roots stands behind all nodes. Returns
 * the greatest number of frames of a stack. */
static uint32_t link_children(struct walk *w, uint32_t *heights)
{
    uint32_t n = (uint32_t)w->s->nodes.count, highest = 0;

    w->first_child[n] = CPROF_NONE;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t parent = walk_node(w, i)->parent;

        w->first_child[i] = CPROF_NONE;
        heights[i] = parent == CPROF_NONE ? 1 : heights[parent] + 1;
        if (heights[i] > highest)
            highest = heights[i];
    }
    for (uint32_t i = n; i-- > 0;) {
        uint32_t parent = walk_node(w, i)->parent;
        uint32_t *first = &w->first_child[parent == CPROF_NONE ? n : parent];

        w->next[i] = *first;
        *first = i;
    }
    return highest;
}

/* The context of the node, on top of that of the last level; CPROF_NONE: failed. */
static uint32_t context_of(struct walk *w, uint32_t node)
{
    const struct stack_frame *f = walk_frame(w, node);
    uint32_t caller = walk_caller(w, node);
    struct cprof_context key = {.parent = w->depth ? w->levels[w->depth - 1].context : CPROF_NONE,
                                .function = f->function,
                                .site_file = CPROF_NONE,
                                .inlined = f->inlined != 0};

    if (caller != CPROF_NONE) {
        key.site_file = walk_frame(w, caller)->file;
        key.site_line = walk_frame(w, caller)->line;
        key.site = f->inlined ? 0 : walk_frame(w, caller)->address;
    }
    return builder_same_context(w->b, &key);
}

static int has_own_samples(const struct walk *w, uint32_t node)
{
    const int64_t *own = (const int64_t *)w->s->values.data + (size_t)node * w->s->width;

    for (uint32_t i = 0; i < w->s->width; i++)
        if (own[i])
            return 1;
    return 0;
}

static int put_own_samples(struct walk *w, uint32_t node, uint32_t context)
{
    const struct stack_frame *f = walk_frame(w, node);
    struct cprof_cost cost = {f->function, f->file, f->line, f->address};

    return has_own_samples(w, node)
               ? builder_context_cost(w->b, context, &cost, walk_row(w, w->s->values.data, node))
               : 0;
}

static int enter_frame(struct walk *w, uint32_t node)
{
    uint32_t function = walk_frame(w, node)->function, caller = walk_caller(w, node);
    uint32_t context = context_of(w, node);
    struct level *level = &w->levels[w->depth];

    if (context == CPROF_NONE)
        return -1;
    *level = (struct level){context, node, CPROF_NONE};
    w->depth++;
    if (w->on_stack[function]++ == 0) {
        w->first_level[function] = w->depth - 1;
        if (!walk_frame(w, node)->root &&
            builder_inclusive(w->b, function, walk_row(w, w->sums, node)))
            return -1;
    }
    if (caller != CPROF_NONE && walk_enter_call(w, caller, level))
        return -1;
    return put_own_samples(w, node, context);
}

static void leave_frame(struct walk *w, uint32_t node)
{
    const struct level *level = &w->levels[--w->depth];
    uint32_t function = walk_frame(w, node)->function;

    w->on_stack[function]--;
    walk_leave_call(w, level);
}

/* The node behind `node` in the walk, which leaves those that are done. */
static uint32_t next_node(struct walk *w, uint32_t node)
{
    if (w->first_child[node] != CPROF_NONE)
        return w->first_child[node];
    for (; node != CPROF_NONE; node = walk_node(w, node)->parent) {
        if (walk_is_frame(w, node))
            leave_frame(w, node);
        if (w->next[node] != CPROF_NONE)
            return w->next[node];
    }
    return CPROF_NONE;
}

static int walk_all(struct walk *w)
{
    uint32_t node = w->first_child[w->s->nodes.count];

    for (; node != CPROF_NONE; node = next_node(w, node))
        if (walk_is_frame(w, node) && enter_frame(w, node))
            return -1;
    return 0;
}

static uint32_t count_functions(const struct stacks *s)
{
    const struct stack_frame *frames = s->frames.data;
    uint32_t n = 0;

    for (size_t i = 0; i < s->frames.count; i++)
        if (frames[i].function != CPROF_NONE && frames[i].function >= n)
            n = frames[i].function + 1;
    return n;
}

static uint32_t count_events(const struct stacks *s, const uint32_t *events)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->width; i++)
        if (events[i] >= n)
            n = events[i] + 1;
    return n;
}

static int prepare(struct walk *w)
{
    size_t n = w->s->nodes.count, n_functions = w->n_functions;
    uint32_t *heights = calloc(n + 1, sizeof *heights), highest;

    w->sums = calloc(n * w->s->width + 1, sizeof *w->sums);
    w->row = calloc(w->n_events + (size_t)1, sizeof *w->row);
    w->first_child = calloc(n + 1, sizeof *w->first_child);
    w->next = calloc(n + 1, sizeof *w->next);
    w->counted = calloc(n + 1, 1);
    w->on_stack = calloc(n_functions + 1, sizeof *w->on_stack);
    w->first_level = calloc(n_functions + 1, sizeof *w->first_level);
    if (!heights || !w->sums || !w->row || !w->first_child || !w->next || !w->counted ||
        !w->on_stack || !w->first_level) {
        free(heights);
        return walk_out_of_memory(w);
    }
    if (n)
        memcpy(w->sums, w->s->values.data, n * w->s->width * sizeof *w->sums);
    add_up(w);
    highest = link_children(w, heights);
    free(heights);
    w->levels = calloc(highest + (size_t)1, sizeof *w->levels);
    return w->levels ? 0 : walk_out_of_memory(w);
}

int stacks_finish(const struct stacks *s, struct builder *b, const uint32_t *events)
{
    struct walk w = {.s = s,
                     .b = b,
                     .events = events,
                     .n_events = count_events(s, events),
                     .n_functions = count_functions(s)};
    int result = prepare(&w) || walk_all(&w) || walk_put_calls(&w) ? -1 : 0;

    free(w.sums);
    free(w.row);
    free(w.first_child);
    free(w.next);
    free(w.counted);
    free(w.on_stack);
    free(w.first_level);
    free(w.edges.data);
    free(w.on_edge.data);
    map_release(&w.edge_map);
    free(w.levels);
    return result;
}
