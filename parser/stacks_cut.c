#include <config.h>

#include "stacks_cut.h"

#include "error.h"

#include <stdlib.h>
#include <string.h>

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

static int out_of_memory(struct stacks *s)
{
    return error_set(s->error, CPROF_ERROR_MEMORY, "out of memory");
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
        out_of_memory(s);
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
        return out_of_memory(c->s);
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
