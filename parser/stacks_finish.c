#include <config.h>

/* Contexts, inclusive counts and calls of sampled stacks. */
#include "error.h"
#include "stacks.h"

#include <stdlib.h>
#include <string.h>

/* The state that the walk comes back to when it leaves a node. */
struct level {
    uint32_t length;   /* of the path */
    uint32_t replaced; /* context that was at this place of the path */
    uint32_t of_function;
    uint32_t edge; /* CPROF_NONE: no caller */
};

/*
 * A walk over the tree, from each node to the ones above it. `path` has the contexts that the stack
 * at hand has led to, `length` of them: fewer than frames, where recursion led back. A function is
 * on it if its last context is: places behind `length` may be old.
 */
struct walk {
    const struct stacks *s;
    struct builder *b;
    const uint32_t *events;
    uint32_t n_events;            /* of the builder */
    int64_t *sums;                /* of each node and all above it, rows of the tree's width */
    int64_t *row;                 /* as the builder wants it */
    uint32_t *first_child, *next; /* nodes */
    uint32_t *path, length;       /* contexts */
    struct vector depths;         /* place in the path of each context: uint32_t */
    uint32_t *contexts;           /* of each function, the last one; CPROF_NONE: none */
    uint32_t *on_stack;           /* how often each function is on the stack at hand */
    struct vector edges, on_edge; /* struct cprof_call; how often each is on the stack at hand */
    struct map edge_map;
    struct level *levels;
    uint32_t depth;
};

static int out_of_memory(struct walk *w)
{
    return error_set(w->s->error, CPROF_ERROR_MEMORY, "out of memory");
}

static const struct stack_node *node_at(const struct walk *w, uint32_t node)
{
    return (const struct stack_node *)w->s->nodes.data + node;
}

static const struct stack_frame *frame_of(const struct walk *w, uint32_t node)
{
    return (const struct stack_frame *)w->s->frames.data + node_at(w, node)->frame;
}

/* Tells if a node stands for a frame: a root without a name does not. */
static int is_frame(const struct walk *w, uint32_t node)
{
    return frame_of(w, node)->function != CPROF_NONE;
}

/* The node that called this one; CPROF_NONE: none, or a root that is no code. */
static uint32_t caller_of(const struct walk *w, uint32_t node)
{
    uint32_t parent = node_at(w, node)->parent;

    return parent != CPROF_NONE && !frame_of(w, parent)->root ? parent : CPROF_NONE;
}

/* Puts one row of the tree's into the builder's order. */
static const int64_t *row_of(struct walk *w, const int64_t *rows, uint32_t node)
{
    for (uint32_t i = 0; i < w->s->width; i++)
        w->row[w->events[i]] = rows[(size_t)node * w->s->width + i];
    return w->row;
}

/* Parents stand before their children. */
static void add_up(struct walk *w)
{
    uint32_t width = w->s->width;

    for (size_t i = w->s->nodes.count; i-- > 0;) {
        uint32_t parent = node_at(w, (uint32_t)i)->parent;

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
        uint32_t parent = node_at(w, i)->parent;

        w->first_child[i] = CPROF_NONE;
        heights[i] = parent == CPROF_NONE ? 1 : heights[parent] + 1;
        if (heights[i] > highest)
            highest = heights[i];
    }
    for (uint32_t i = n; i-- > 0;) {
        uint32_t parent = node_at(w, i)->parent;
        uint32_t *first = &w->first_child[parent == CPROF_NONE ? n : parent];

        w->next[i] = *first;
        *first = i;
    }
    return highest;
}

/* The function's context on the path, or CPROF_NONE. */
static uint32_t find_on_path(const struct walk *w, uint32_t function)
{
    uint32_t context = w->contexts[function], depth;

    if (context == CPROF_NONE)
        return CPROF_NONE;
    depth = ((const uint32_t *)w->depths.data)[context];
    return depth < w->length && w->path[depth] == context ? context : CPROF_NONE;
}

/* Puts a context of the node at the end of the path. */
static int extend_path(struct walk *w, uint32_t node)
{
    const struct stack_frame *f = frame_of(w, node);
    uint32_t caller = caller_of(w, node), context;
    struct cprof_context key = {.parent = w->length ? w->path[w->length - 1] : CPROF_NONE,
                                .function = f->function,
                                .site_file = CPROF_NONE,
                                .inlined = f->inlined != 0};

    if (caller != CPROF_NONE) {
        key.site_file = frame_of(w, caller)->file;
        key.site_line = frame_of(w, caller)->line;
        key.site = f->inlined ? 0 : frame_of(w, caller)->address;
    }
    context = builder_same_context(w->b, &key);
    if (context == CPROF_NONE)
        return -1;
    if (context == w->depths.count) {
        uint32_t *depth = vector_push(&w->depths, sizeof *depth);

        if (!depth)
            return out_of_memory(w);
        *depth = w->length;
    }
    w->contexts[f->function] = context;
    w->path[w->length++] = context;
    return 0;
}

static int equal_edge(const void *owner, uint32_t index, const void *key)
{
    const struct cprof_call *a = (const struct cprof_call *)owner + index, *b = key;

    return a->caller == b->caller && a->callee == b->callee && a->file == b->file &&
           a->line == b->line && a->address == b->address && a->inlined == b->inlined;
}

/* The number of the call; made if new. CPROF_NONE: out of memory. */
static uint32_t edge_number(struct walk *w, const struct cprof_call *call)
{
    uint64_t mixed = map_mix((uint64_t)call->caller << 32 | call->callee, call->address);
    uint32_t hash =
        map_hash(map_mix(map_mix(mixed, (uint64_t)call->file << 32 | call->line), call->inlined));
    uint32_t found = map_find(&w->edge_map, hash, equal_edge, w->edges.data, call), *on_edge;
    struct cprof_call *new;

    if (found != MAP_NONE)
        return found;
    new = vector_push(&w->edges, sizeof *new);
    on_edge = vector_push(&w->on_edge, sizeof *on_edge);
    if (!new || !on_edge || map_add(&w->edge_map, hash, (uint32_t)w->edges.count - 1)) {
        out_of_memory(w);
        return CPROF_NONE;
    }
    *new = *call;
    *on_edge = 0;
    return (uint32_t)w->edges.count - 1;
}

/* Counts the samples of a call, where it is on the stack for the first time. */
static int enter_edge(struct walk *w, uint32_t caller, uint32_t node, uint32_t *edge)
{
    const struct stack_frame *from = frame_of(w, caller), *to = frame_of(w, node);
    struct cprof_call call = {.caller = from->function,
                              .callee = to->function,
                              .file = from->file,
                              .line = from->line,
                              .address = to->inlined ? 0 : from->address,
                              .inlined = to->inlined != 0};

    *edge = edge_number(w, &call);
    if (*edge == CPROF_NONE)
        return -1;
    return ((uint32_t *)w->on_edge.data)[*edge]++
               ? 0
               : builder_call(w->b, &call, row_of(w, w->sums, node));
}

static int has_own_samples(const struct walk *w, uint32_t node)
{
    const int64_t *own = (const int64_t *)w->s->values.data + (size_t)node * w->s->width;

    for (uint32_t i = 0; i < w->s->width; i++)
        if (own[i])
            return 1;
    return 0;
}

static int put_own_samples(struct walk *w, uint32_t node)
{
    const struct stack_frame *f = frame_of(w, node);
    struct cprof_cost cost = {f->function, f->file, f->line, f->address};

    return has_own_samples(w, node) ? builder_context_cost(w->b, w->path[w->length - 1], &cost,
                                                           row_of(w, w->s->values.data, node))
                                    : 0;
}

static int enter_frame(struct walk *w, uint32_t node)
{
    uint32_t function = frame_of(w, node)->function, caller = caller_of(w, node);
    uint32_t context = find_on_path(w, function);
    struct level *level = &w->levels[w->depth++];

    *level = (struct level){w->length, w->path[w->length], w->contexts[function], CPROF_NONE};
    if (context != CPROF_NONE)
        w->length = ((const uint32_t *)w->depths.data)[context] + 1;
    else if (extend_path(w, node))
        return -1;
    if (w->on_stack[function]++ == 0 && !frame_of(w, node)->root &&
        builder_inclusive(w->b, function, row_of(w, w->sums, node)))
        return -1;
    if (caller != CPROF_NONE && enter_edge(w, caller, node, &level->edge))
        return -1;
    return put_own_samples(w, node);
}

static void leave_frame(struct walk *w, uint32_t node)
{
    const struct level *level = &w->levels[--w->depth];
    uint32_t function = frame_of(w, node)->function;

    w->length = level->length;
    w->path[w->length] = level->replaced;
    w->contexts[function] = level->of_function;
    w->on_stack[function]--;
    if (level->edge != CPROF_NONE)
        ((uint32_t *)w->on_edge.data)[level->edge]--;
}

/* The node behind `node` in the walk, which leaves those that are done. */
static uint32_t next_node(struct walk *w, uint32_t node)
{
    if (w->first_child[node] != CPROF_NONE)
        return w->first_child[node];
    for (; node != CPROF_NONE; node = node_at(w, node)->parent) {
        if (is_frame(w, node))
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
        if (is_frame(w, node) && enter_frame(w, node))
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
    size_t n = w->s->nodes.count, n_functions = count_functions(w->s);
    uint32_t *heights = calloc(n + 1, sizeof *heights), highest;

    w->sums = calloc(n * w->s->width + 1, sizeof *w->sums);
    w->row = calloc(w->n_events + (size_t)1, sizeof *w->row);
    w->first_child = calloc(n + 1, sizeof *w->first_child);
    w->next = calloc(n + 1, sizeof *w->next);
    w->contexts = calloc(n_functions + 1, sizeof *w->contexts);
    w->on_stack = calloc(n_functions + 1, sizeof *w->on_stack);
    if (!heights || !w->sums || !w->row || !w->first_child || !w->next || !w->contexts ||
        !w->on_stack) {
        free(heights);
        return out_of_memory(w);
    }
    if (n)
        memcpy(w->sums, w->s->values.data, n * w->s->width * sizeof *w->sums);
    add_up(w);
    for (size_t i = 0; i < n_functions; i++)
        w->contexts[i] = CPROF_NONE;
    highest = link_children(w, heights);
    free(heights);
    w->path = calloc(highest + (size_t)1, sizeof *w->path);
    w->levels = calloc(highest + (size_t)1, sizeof *w->levels);
    return w->path && w->levels ? 0 : out_of_memory(w);
}

int stacks_finish(const struct stacks *s, struct builder *b, const uint32_t *events)
{
    struct walk w = {.s = s, .b = b, .events = events, .n_events = count_events(s, events)};
    int result = prepare(&w) || walk_all(&w) ? -1 : 0;

    free(w.sums);
    free(w.row);
    free(w.first_child);
    free(w.next);
    free(w.path);
    free(w.depths.data);
    free(w.contexts);
    free(w.on_stack);
    free(w.edges.data);
    free(w.on_edge.data);
    map_release(&w.edge_map);
    free(w.levels);
    return result;
}
