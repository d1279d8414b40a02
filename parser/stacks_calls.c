#include <config.h>

/* Calls of sampled stacks. */
#include "stacks_walk.h"

#include <stdlib.h>

/*--- Which samples count ---*/

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
        walk_out_of_memory(w);
        return CPROF_NONE;
    }
    *new = *call;
    *on_edge = 0;
    return (uint32_t)w->edges.count - 1;
}

static struct cprof_call call_of(const struct walk *w, uint32_t caller, uint32_t node)
{
    const struct stack_frame *from = walk_frame(w, caller), *to = walk_frame(w, node);

    return (struct cprof_call){.caller = from->function,
                               .callee = to->function,
                               .file = from->file,
                               .line = from->line,
                               .address = to->inlined ? 0 : from->address,
                               .inlined = to->inlined != 0};
}

/* Enters a call of a function that is on the stack already among the edges. */
static int enter_edge(struct walk *w, struct level *level, const struct cprof_call *call,
                      int *is_first)
{
    level->edge = edge_number(w, call);
    if (level->edge == CPROF_NONE)
        return -1;
    *is_first = ((uint32_t *)w->on_edge.data)[level->edge]++ == 0;
    return 0;
}

/* The outermost level of a function that is called again. Its edge may not have been looked for: of
 * a function that is on the stack once, all edges are. */
static int enter_outermost(struct walk *w, uint32_t function)
{
    struct level *level = &w->levels[w->first_level[function]];
    uint32_t caller = walk_caller(w, level->node);
    struct cprof_call call;
    int is_first;

    if (caller == CPROF_NONE || level->edge != CPROF_NONE)
        return 0;
    call = call_of(w, caller, level->node);
    return enter_edge(w, level, &call, &is_first);
}

int walk_enter_call(struct walk *w, uint32_t caller, struct level *level)
{
    struct cprof_call call = call_of(w, caller, level->node);
    int is_first = 1;

    if (w->on_stack[call.callee] > 1 &&
        (enter_outermost(w, call.callee) || enter_edge(w, level, &call, &is_first)))
        return -1;
    w->counted[level->node] = is_first != 0;
    return 0;
}

void walk_leave_call(struct walk *w, const struct level *level)
{
    if (level->edge != CPROF_NONE)
        ((uint32_t *)w->on_edge.data)[level->edge]--;
}

/*--- Counts ---*/

/* The nodes whose calls count, in the order of their callers' functions, by counting; NULL: out of
 * memory. */
static uint32_t *order_by_caller(const struct walk *w, uint32_t *n)
{
    uint32_t *starts = calloc(w->n_functions + (size_t)1, sizeof *starts), *order;
    uint32_t n_nodes = (uint32_t)w->s->nodes.count;

    *n = 0;
    for (uint32_t i = 0; starts && i < n_nodes; i++)
        if (w->counted[i]) {
            starts[walk_frame(w, walk_node(w, i)->parent)->function + 1]++;
            ++*n;
        }
    order = malloc((*n + (size_t)1) * sizeof *order);
    for (uint32_t i = 0; starts && i < w->n_functions; i++)
        starts[i + 1] += starts[i];
    for (uint32_t i = 0; starts && order && i < n_nodes; i++)
        if (w->counted[i])
            order[starts[walk_frame(w, walk_node(w, i)->parent)->function]++] = i;
    if (!starts) {
        free(order);
        order = NULL;
    }
    free(starts);
    return order;
}

/* A hash of all calls would be many times larger than the processor's caches; in this order the
 * builder sorts those of one function at a time. */
int walk_put_calls(struct walk *w)
{
    uint32_t n, *order = order_by_caller(w, &n);
    int result = order ? 0 : walk_out_of_memory(w);

    for (uint32_t i = 0; i < n && !result; i++) {
        struct cprof_call call = call_of(w, walk_node(w, order[i])->parent, order[i]);

        result = builder_next_call(w->b, &call, walk_row(w, w->sums, order[i]));
    }
    free(order);
    return result;
}
