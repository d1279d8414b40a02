#include <config.h>

/* The tree of stacks. */
#include "error.h"
#include "stacks.h"

#include <stdlib.h>
#include <string.h>

/* A frame of the stack at hand. */
struct level {
    uint32_t context; /* the builder's */
    uint32_t node;
    uint32_t edge; /* CPROF_NONE: no caller, or it was not looked for */
};

/* A call, and how often it is on the stack at hand. */
struct edge {
    struct cprof_call call;
    uint32_t on_stack;
};

/* A walk over the tree, from each node to the ones above it. */
struct walk {
    const struct stacks *s;
    struct builder *b;
    const uint32_t *events;
    uint32_t n_events;            /* of the builder */
    uint32_t n_functions;         /* of the tree: all are less */
    int64_t *sums;                /* of each node and all above it, rows of the tree's width */
    int64_t *row;                 /* as the builder wants it */
    uint32_t *first_child, *next; /* nodes */
    unsigned char *counted;       /* of each node: 1 if its call counts its samples */
    uint32_t *on_stack;           /* how often each function is on the stack at hand */
    uint32_t *first_level;        /* of each function on the stack: where it is the outermost */
    struct set edges;             /* struct edge */
    struct level *levels;
    uint32_t depth;
};

static inline const struct stack_node *walk_node(const struct walk *w, uint32_t node)
{
    return (const struct stack_node *)w->s->nodes.data + node;
}

static inline const struct stack_frame *walk_frame(const struct walk *w, uint32_t node)
{
    return (const struct stack_frame *)w->s->frames.data + walk_node(w, node)->frame;
}

/* Tells if a node stands for a frame: a root without a name does not. */
static inline int walk_is_frame(const struct walk *w, uint32_t node)
{
    return walk_frame(w, node)->function != CPROF_NONE;
}

/* The node that called this one; CPROF_NONE: none, or a root that is no code. */
static inline uint32_t walk_caller(const struct walk *w, uint32_t node)
{
    uint32_t parent = walk_node(w, node)->parent;

    return parent != CPROF_NONE && !walk_frame(w, parent)->root ? parent : CPROF_NONE;
}

/* Puts one row of the tree's into the builder's order. */
static inline const int64_t *walk_row(struct walk *w, const int64_t *rows, uint32_t node)
{
    for (uint32_t i = 0; i < w->s->width; i++)
        w->row[w->events[i]] = rows[(size_t)node * w->s->width + i];
    return w->row;
}

void stacks_release(struct stacks *s)
{
    free(s->nodes.data);
    free(s->frames.data);
    free(s->values.data);
    free(s->totals);
    map_release(&s->node_map);
    map_release(&s->frame_map);
}

static uint32_t out_of_memory(struct stacks *s)
{
    error_memory(s->error);
    return CPROF_NONE;
}

/* A new element with its number in `*index`; NULL with the error filled. */
static void *push(struct stacks *s, struct vector *v, size_t size, uint32_t *index)
{
    void *element;

    if (v->count >= MAP_NONE - 1) {
        error_set(s->error, CPROF_ERROR_RANGE, "more than 2^32-3 different call stacks");
        return NULL;
    }
    *index = (uint32_t)v->count;
    if (!(element = vector_push(v, size)))
        out_of_memory(s);
    return element;
}

static int equal_frame(const void *owner, uint32_t index, const void *key)
{
    const struct stack_frame *a = (const struct stack_frame *)owner + index, *b = key;

    return a->function == b->function && a->file == b->file && a->line == b->line &&
           a->inlined == b->inlined && a->address == b->address;
}

uint32_t stacks_frame(struct stacks *s, const struct stack_frame *frame)
{
    uint64_t mixed = map_mix((uint64_t)frame->function << 1 | frame->inlined, frame->address);
    uint32_t hash = map_hash(map_mix(mixed, (uint64_t)frame->file << 32 | frame->line));
    uint32_t index = map_find(&s->frame_map, hash, equal_frame, s->frames.data, frame);
    struct stack_frame *new;

    if (index != MAP_NONE)
        return index;
    if (!(new = push(s, &s->frames, sizeof *new, &index)))
        return CPROF_NONE;
    *new = *frame;
    return map_add(&s->frame_map, hash, index) ? out_of_memory(s) : index;
}

static uint32_t add_node(struct stacks *s, uint32_t parent, uint32_t frame)
{
    uint32_t index;
    struct stack_node *new = push(s, &s->nodes, sizeof *new, &index);

    if (!new)
        return CPROF_NONE;
    *new = (struct stack_node){parent, frame, CPROF_NONE};
    if (vector_reserve(&s->values, s->width, sizeof(int64_t)))
        return out_of_memory(s);
    if (s->width)
        memset((int64_t *)s->values.data + s->values.count, 0, s->width * sizeof(int64_t));
    s->values.count += s->width;
    return index;
}

uint32_t stacks_root(struct stacks *s)
{
    uint32_t index;
    struct stack_frame *new = push(s, &s->frames, sizeof *new, &index);

    if (!new)
        return CPROF_NONE;
    *new = (struct stack_frame){.function = CPROF_NONE, .file = CPROF_NONE, .root = 1};
    return add_node(s, CPROF_NONE, index);
}

void stacks_name_root(struct stacks *s, uint32_t node, uint32_t function)
{
    const struct stack_node *root = (const struct stack_node *)s->nodes.data + node;

    ((struct stack_frame *)s->frames.data)[root->frame].function = function;
}

static int equal_node(const void *owner, uint32_t index, const void *key)
{
    const struct stack_node *a = (const struct stack_node *)owner + index, *b = key;

    return a->parent == b->parent && a->frame == b->frame;
}

/* The place of the first child of a stack that has none; NULL: it has one, or is the empty one. */
static uint32_t *first_child(struct stacks *s, uint32_t parent)
{
    struct stack_node *node =
        parent == CPROF_NONE ? NULL : (struct stack_node *)s->nodes.data + parent;

    return node && node->child == CPROF_NONE ? &node->child : NULL;
}

/* Most stacks have one frame on top of them at most: a map of those would be many times larger than
 * the processor's caches. */
uint32_t stacks_push(struct stacks *s, uint32_t parent, uint32_t frame)
{
    struct stack_node key = {parent, frame, CPROF_NONE};
    uint32_t hash, index;

    if (first_child(s, parent)) {
        index = add_node(s, parent, frame);
        if (index != CPROF_NONE)
            *first_child(s, parent) = index; /* nodes may have moved */
        return index;
    }
    if (parent != CPROF_NONE) {
        const struct stack_node *nodes = s->nodes.data;

        index = nodes[parent].child;
        if (nodes[index].frame == frame)
            return index;
    }
    hash = map_hash((uint64_t)parent << 32 | frame);
    index = map_find(&s->node_map, hash, equal_node, s->nodes.data, &key);
    if (index != MAP_NONE)
        return index;
    index = add_node(s, parent, frame);
    return index != CPROF_NONE && map_add(&s->node_map, hash, index) ? out_of_memory(s) : index;
}

uint32_t stacks_column(struct stacks *s)
{
    size_t n = s->nodes.count, width = s->width + (size_t)1;
    int64_t *values = calloc(n * width + 1, sizeof *values);
    int64_t *totals = calloc(width, sizeof *totals);

    if (!values || !totals) {
        free(values);
        free(totals);
        return out_of_memory(s);
    }
    for (size_t i = 0; i < n && s->width; i++)
        memcpy(values + i * width, (int64_t *)s->values.data + i * s->width,
               s->width * sizeof *values);
    if (s->width)
        memcpy(totals, s->totals, s->width * sizeof *totals);
    free(s->values.data);
    free(s->totals);
    s->values = (struct vector){values, n * width, n * width + 1};
    s->totals = totals;
    return s->width++;
}

int stacks_add(struct stacks *s, uint32_t node, uint32_t column, uint64_t value)
{
    int64_t *own = (int64_t *)s->values.data + (size_t)node * s->width + column;

    if (value > (uint64_t)(INT64_MAX - s->totals[column]))
        return error_set(s->error, CPROF_ERROR_RANGE, "the sum of all costs exceeds 2^63-1");
    s->totals[column] += (int64_t)value;
    *own += (int64_t)value;
    return 0;
}

int stacks_multiply(struct stacks *s, uint32_t column, uint64_t factor)
{
    int64_t *values = s->values.data;

    if (__builtin_mul_overflow(s->totals[column], factor, &s->totals[column]))
        return error_set(s->error, CPROF_ERROR_RANGE, "the sum of all costs exceeds 2^63-1");
    for (size_t i = 0; i < s->nodes.count; i++)
        values[i * s->width + column] *= (int64_t)factor;
    return 0;
}

/*--- Cut stacks ---*/

/* The caller of a function, as far as all stacks agree on it. */
enum { NO_CALLER = CPROF_NONE, SEVERAL_CALLERS = CPROF_NONE - 1 };

/* The tree as it was read, and what is known of its functions and nodes. */
struct completing {
    struct stacks *s;
    struct stacks_cut *cut;
    struct stacks old;
    uint32_t n_functions;
    uint32_t *callers;     /* of each function: a frame, or one of the above */
    unsigned char *begins; /* of each function: 1 where whole stacks begin with it */
    uint32_t *nodes;       /* new numbers of old nodes */
    uint32_t *chain;       /* callers of a function, the nearest one first */
};

void stacks_cut_release(struct stacks_cut *cut)
{
    free(cut->samples.data);
}

static int make_marker(struct stacks *s, struct stacks_cut *cut, struct builder *b)
{
    struct stack_frame frame = {.file = CPROF_NONE, .root = 1};

    if (cut->marker != CPROF_NONE)
        return 0;
    frame.function = builder_function(b, CPROF_STACK_CUT, NULL, CPROF_NONE, CPROF_NONE, 0);
    if (frame.function != CPROF_NONE)
        cut->marker = stacks_frame(s, &frame);
    return cut->marker == CPROF_NONE ? -1 : 0;
}

uint32_t stacks_cut_begin(struct stacks *s, struct stacks_cut *cut, struct builder *b,
                          uint32_t root, uint32_t frame)
{
    size_t missing = frame < cut->samples.count ? 0 : frame + (size_t)1 - cut->samples.count;

    if (make_marker(s, cut, b))
        return CPROF_NONE;
    if (vector_reserve(&cut->samples, missing, sizeof(uint64_t))) {
        error_memory(s->error);
        return CPROF_NONE;
    }
    memset((uint64_t *)cut->samples.data + cut->samples.count, 0, missing * sizeof(uint64_t));
    cut->samples.count += missing;
    ((uint64_t *)cut->samples.data)[frame]++;
    return stacks_push(s, root, cut->marker);
}

/*--- What is known ---*/

static const struct stack_node *node_of(const struct stacks *s, uint32_t node)
{
    return (const struct stack_node *)s->nodes.data + node;
}

static const struct stack_frame *frame_at(const struct stacks *s, uint32_t frame)
{
    return (const struct stack_frame *)s->frames.data + frame;
}

/* Notes that the frame `caller` calls a function. One function that calls it from several places is
 * one caller, and the place is not known. */
static int note_caller(struct completing *c, uint32_t function, uint32_t caller)
{
    uint32_t *known = &c->callers[function];
    struct stack_frame place;

    if (frame_at(c->s, caller)->function == function || *known == caller ||
        *known == SEVERAL_CALLERS)
        return 0;
    if (*known == NO_CALLER) {
        *known = caller;
        return 0;
    }
    place = (struct stack_frame){.function = frame_at(c->s, caller)->function, .file = CPROF_NONE};
    if (frame_at(c->s, *known)->function != place.function) {
        *known = SEVERAL_CALLERS;
        return 0;
    }
    *known = stacks_frame(c->s, &place);
    return *known == CPROF_NONE ? -1 : 0;
}

static int learn(struct completing *c)
{
    for (uint32_t i = 0; i < c->old.nodes.count; i++) {
        const struct stack_node *node = node_of(&c->old, i);
        const struct stack_frame *frame = frame_at(c->s, node->frame);
        uint32_t parent =
            node->parent == CPROF_NONE ? CPROF_NONE : node_of(&c->old, node->parent)->frame;

        if (frame->root || parent == c->cut->marker)
            continue;
        if (parent == CPROF_NONE || frame_at(c->s, parent)->root)
            c->begins[frame->function] = 1;
        else if (note_caller(c, frame->function, parent))
            return -1;
    }
    return 0;
}

/* Fills the chain of the only callers from a function on, up to one that stacks begin with. Returns
 * its length; 0: not all of them are known. */
static uint32_t follow(struct completing *c, uint32_t function)
{
    uint32_t length = 0;

    while (!c->begins[function]) {
        uint32_t caller = c->callers[function];

        if (caller == NO_CALLER || caller == SEVERAL_CALLERS || length == c->n_functions)
            return 0;
        c->chain[length++] = caller;
        function = frame_at(c->s, caller)->function;
    }
    return length;
}

/*--- The new tree ---*/

/* The node that a cut stack's outermost frame goes on: its callers, or that they are not known. */
static uint32_t place_cut(struct completing *c, uint32_t root, uint32_t frame)
{
    uint64_t *samples = (uint64_t *)c->cut->samples.data + frame;
    uint32_t function = frame_at(c->s, frame)->function;
    uint32_t length = follow(c, function);

    *(length || c->begins[function] ? &c->cut->completed : &c->cut->left) += *samples;
    *samples = 0; /* they count once, though several threads have such stacks */
    if (!length && !c->begins[function])
        return stacks_push(c->s, root, c->cut->marker);
    while (length-- > 0 && root != CPROF_NONE)
        root = stacks_push(c->s, root, c->chain[length]);
    return root;
}

static void add_values(struct completing *c, uint32_t old, uint32_t new)
{
    for (uint32_t i = 0; i < c->s->width; i++)
        ((int64_t *)c->s->values.data)[(size_t) new * c->s->width + i] +=
            ((const int64_t *)c->old.values.data)[(size_t)old * c->s->width + i];
}

/* Nodes of the marker get none of their own before something is known to stand below them. */
static int rebuild(struct completing *c)
{
    for (uint32_t i = 0; i < c->old.nodes.count; i++) {
        const struct stack_node *node = node_of(&c->old, i);
        uint32_t parent = node->parent, base = parent == CPROF_NONE ? parent : c->nodes[parent];

        if (node->frame == c->cut->marker) {
            c->nodes[i] = base;
            continue;
        }
        if (parent != CPROF_NONE && node_of(&c->old, parent)->frame == c->cut->marker)
            base = place_cut(c, base, node->frame);
        if (parent != CPROF_NONE && base == CPROF_NONE)
            return -1;
        c->nodes[i] = stacks_push(c->s, base, node->frame);
        if (c->nodes[i] == CPROF_NONE)
            return -1;
        add_values(c, i, c->nodes[i]);
    }
    return 0;
}

static int prepare(struct completing *c)
{
    for (size_t i = 0; i < c->s->frames.count; i++) {
        uint32_t function = frame_at(c->s, (uint32_t)i)->function;

        if (function != CPROF_NONE && function >= c->n_functions)
            c->n_functions = function + 1;
    }
    c->callers = malloc((c->n_functions + (size_t)1) * sizeof *c->callers);
    c->begins = calloc(c->n_functions + (size_t)1, 1);
    c->chain = malloc((c->n_functions + (size_t)1) * sizeof *c->chain);
    c->nodes = malloc((c->old.nodes.count + 1) * sizeof *c->nodes);
    if (!c->callers || !c->begins || !c->chain || !c->nodes)
        return error_memory((c->s)->error);
    for (uint32_t i = 0; i < c->n_functions; i++)
        c->callers[i] = NO_CALLER;
    return 0;
}

int stacks_complete(struct stacks *s, struct stacks_cut *cut)
{
    struct completing c = {.s = s, .cut = cut};
    int failed;

    if (cut->marker == CPROF_NONE)
        return 0;
    c.old = (struct stacks){.nodes = s->nodes, .node_map = s->node_map, .values = s->values};
    s->nodes = s->values = (struct vector){.data = NULL};
    s->node_map = (struct map){0};
    failed = prepare(&c) || learn(&c) || rebuild(&c);
    stacks_release(&c.old);
    free(c.callers);
    free(c.begins);
    free(c.chain);
    free(c.nodes);
    return failed ? -1 : 0;
}

/*--- Calls ---*/

/*--- Which samples count ---*/

static int equal_edge(const void *owner, uint32_t index, const void *key)
{
    const struct cprof_call *a = &((const struct edge *)owner)[index].call;
    const struct cprof_call *b = &((const struct edge *)key)->call;

    return a->caller == b->caller && a->callee == b->callee && a->file == b->file &&
           a->line == b->line && a->address == b->address && a->inlined == b->inlined;
}

/* The number of the call; made if new. CPROF_NONE: out of memory. */
static uint32_t edge_number(struct walk *w, const struct cprof_call *call)
{
    struct edge key = {*call, 0};
    uint64_t mixed = map_mix((uint64_t)call->caller << 32 | call->callee, call->address);
    uint32_t hash =
        map_hash(map_mix(map_mix(mixed, (uint64_t)call->file << 32 | call->line), call->inlined));
    uint32_t found = set_put(&w->edges, hash, equal_edge, &key, sizeof key);

    if (found == MAP_NONE)
        error_memory(w->s->error);
    return found;
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
    *is_first = ((struct edge *)w->edges.items.data)[level->edge].on_stack++ == 0;
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

/* Looks at the call that leads to the node of the last level: its samples count where it is on the
 * stack for the first time. 0 or -1. */
static int walk_enter_call(struct walk *w, uint32_t caller, struct level *level)
{
    struct cprof_call call = call_of(w, caller, level->node);
    int is_first = 1;

    if (w->on_stack[call.callee] > 1 &&
        (enter_outermost(w, call.callee) || enter_edge(w, level, &call, &is_first)))
        return -1;
    w->counted[level->node] = is_first != 0;
    return 0;
}

static void walk_leave_call(struct walk *w, const struct level *level)
{
    if (level->edge != CPROF_NONE)
        ((struct edge *)w->edges.items.data)[level->edge].on_stack--;
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
static int walk_put_calls(struct walk *w)
{
    uint32_t n, *order = order_by_caller(w, &n);
    int result = order ? 0 : error_memory(w->s->error);

    for (uint32_t i = 0; i < n && !result; i++) {
        struct cprof_call call = call_of(w, walk_node(w, order[i])->parent, order[i]);

        result = builder_next_call(w->b, &call, walk_row(w, w->sums, order[i]));
    }
    free(order);
    return result;
}

/*--- Ends ---*/

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

static int finish_prepare(struct walk *w)
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
        return error_memory(w->s->error);
    }
    if (n)
        memcpy(w->sums, w->s->values.data, n * w->s->width * sizeof *w->sums);
    add_up(w);
    highest = link_children(w, heights);
    free(heights);
    w->levels = calloc(highest + (size_t)1, sizeof *w->levels);
    return w->levels ? 0 : error_memory(w->s->error);
}

int stacks_finish(const struct stacks *s, struct builder *b, const uint32_t *events)
{
    struct walk w = {.s = s,
                     .b = b,
                     .events = events,
                     .n_events = count_events(s, events),
                     .n_functions = count_functions(s)};
    int result = finish_prepare(&w) || walk_all(&w) || walk_put_calls(&w) ? -1 : 0;

    free(w.sums);
    free(w.row);
    free(w.first_child);
    free(w.next);
    free(w.counted);
    free(w.on_stack);
    free(w.first_level);
    set_release(&w.edges);
    free(w.levels);
    return result;
}
