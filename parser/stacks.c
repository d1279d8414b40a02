#include <config.h>

/* The tree of stacks. */
#include "error.h"
#include "stacks.h"

#include <stdlib.h>
#include <string.h>

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
    error_set(s->error, CPROF_ERROR_MEMORY, "out of memory");
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
