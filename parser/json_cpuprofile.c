#include <config.h>

/*
 * Chrome's and node's .cpuprofile: a tree of nodes, and for each sample the node it hit, with
 * microseconds since the sample before. Older ones, and those of v8-profiler, have the tree as
 * nested objects ("head"), and the time of each sample. Some have neither samples nor times, but
 * how often each node was hit.
 */
#include "error.h"
#include "json_file.h"

#include <stdlib.h>

/* A node, by its id in the file. */
struct js_node {
    json_int_t id;
    size_t parent; /* NOT_KNOWN: none */
    uint32_t node;
    const json_t *value;
};
enum { SAMPLES, TIME };
static const size_t not_known = SIZE_MAX;

struct cpuprofile {
    struct json_file *j;
    struct js_node *nodes; /* in the order of the file */
    size_t n;
    struct map ids;
    size_t *path; /* room for all nodes */
    int is_nested;
    uint64_t owed; /* microseconds that the clock went back, and has not made up for yet */
};

/* A node of a tree of objects. */
struct nested {
    const json_t *value;
    size_t parent;
};

static int equal_id(const void *owner, uint32_t index, const void *key)
{
    return ((const struct js_node *)owner)[index].id == *(const json_int_t *)key;
}

/* The place of the node with this id; not_known: there is none. */
static size_t find_node(const struct cpuprofile *p, const json_t *id)
{
    json_int_t key = json_integer_value(id);
    uint32_t found = json_is_integer(id)
                         ? map_find(&p->ids, map_hash((uint64_t)key), equal_id, p->nodes, &key)
                         : MAP_NONE;

    return found == MAP_NONE ? not_known : found;
}

static int add_node(struct cpuprofile *p, const json_t *value)
{
    const json_t *id = json_object_get(value, "id");

    if (!json_is_integer(id) || find_node(p, id) != not_known)
        return json_file_fail(p->j, "nodes[%zu] has no id of its own", p->n);
    p->nodes[p->n++] = (struct js_node){json_integer_value(id), not_known, CPROF_NONE, value};
    if (map_add(&p->ids, map_hash((uint64_t)json_integer_value(id)), (uint32_t)p->n - 1))
        return error_memory(p->j->s.r.error);
    return 0;
}

/* A node has its children, or its parent. */
static int link_node(struct cpuprofile *p, size_t i)
{
    const json_t *children = json_object_get(p->nodes[i].value, "children");
    const json_t *parent = json_object_get(p->nodes[i].value, "parent");

    if (parent && (p->nodes[i].parent = find_node(p, parent)) == not_known)
        return json_file_fail(p->j, "nodes[%zu] has a parent that is not in the file", i);
    for (size_t k = 0; k < json_array_size(children); k++) {
        size_t child = find_node(p, json_array_get(children, k));

        if (child == not_known ||
            (p->nodes[child].parent != not_known && p->nodes[child].parent != i))
            return json_file_fail(p->j, "nodes[%zu].children[%zu] is no child of it alone", i, k);
        p->nodes[child].parent = i;
    }
    return 0;
}

static int make_room(struct cpuprofile *p, size_t n)
{
    if (n >= MAP_NONE)
        return json_file_fail(p->j, "too many nodes");
    p->nodes = calloc(n + 1, sizeof *p->nodes);
    p->path = calloc(n + 1, sizeof *p->path);
    return p->nodes && p->path ? 0 : error_memory(p->j->s.r.error);
}

static int push_nested(struct cpuprofile *p, struct vector *all, const json_t *value, size_t parent)
{
    struct nested new = {value, parent};

    return vector_add(all, &new, sizeof new) ? error_memory(p->j->s.r.error) : 0;
}

/* Lists the nodes of the tree of objects, parents before their children. */
static int list_nested(struct cpuprofile *p, struct vector *all)
{
    if (push_nested(p, all, json_object_get(p->j->root, "head"), not_known))
        return -1;
    for (size_t i = 0; i < all->count; i++) {
        const json_t *value = ((const struct nested *)all->data)[i].value;
        const json_t *children = json_object_get(value, "children");

        for (size_t k = 0; k < json_array_size(children); k++)
            if (push_nested(p, all, json_array_get(children, k), i))
                return -1;
    }
    return 0;
}

static int read_nested(struct cpuprofile *p)
{
    struct vector all = {0};
    int result = list_nested(p, &all) || make_room(p, all.count) ? -1 : 0;

    for (size_t i = 0; i < all.count && !result; i++) {
        const struct nested *node = (const struct nested *)all.data + i;

        result = add_node(p, node->value);
        if (!result)
            p->nodes[i].parent = node->parent;
    }
    free(all.data);
    return result;
}

static int read_nodes(struct cpuprofile *p)
{
    const json_t *nodes = json_object_get(p->j->root, "nodes");
    size_t n = json_array_size(nodes);

    p->is_nested = !nodes;
    if (p->is_nested)
        return read_nested(p);
    if (make_room(p, n))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (add_node(p, json_array_get(nodes, i)))
            return -1;
    for (size_t i = 0; i < n; i++)
        if (link_node(p, i))
            return -1;
    return 0;
}

/* Pushes the function of a node; that of the tree's root stands for nothing. */
static uint32_t push_node(struct cpuprofile *p, const struct js_node *n, uint32_t below)
{
    const json_t *frame_of = json_object_get(n->value, "callFrame");
    const json_t *call = p->is_nested ? n->value : frame_of;
    const char *name = json_file_text(p->j, json_object_get(call, "functionName"), "(anonymous)");
    const char *url = json_string_value(json_object_get(call, "url"));
    json_int_t line = json_integer_value(json_object_get(call, "lineNumber"));
    struct stack_frame frame = {.file = CPROF_NONE};

    if (!p->is_nested) /* from 0 on, but in a nested node */
        line = line < UINT32_MAX ? line + 1 : 0;
    if (!name)
        return CPROF_NONE;
    if (!strcmp(name, "(root)") && n->parent == not_known)
        return sampled_thread(&p->j->s, name);
    url = url && *url ? url : NULL;
    frame.function = json_file_function(
        p->j, name, url, url && line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0, NULL);
    return sampled_push(&p->j->s, below, &frame);
}

/* Makes the stacks of a node and of those below it that have none yet. */
static uint32_t stack_of(struct cpuprofile *p, size_t i)
{
    size_t depth = 0;
    uint32_t node;

    for (; i != not_known && p->nodes[i].node == CPROF_NONE; i = p->nodes[i].parent) {
        if (depth >= p->n || depth >= SAMPLED_MAX_FRAMES) {
            json_file_fail(p->j, "nodes are their own parents, or too many deep");
            return CPROF_NONE;
        }
        p->path[depth++] = i;
    }
    node = i == not_known ? CPROF_NONE : p->nodes[i].node;
    while (depth-- > 0) {
        struct js_node *n = &p->nodes[p->path[depth]];

        node = n->node = push_node(p, n, node);
        if (node == CPROF_NONE)
            return node;
    }
    return node;
}

/* The time from sample `i` to the next; the last one has none. */
static int time_after(struct cpuprofile *p, size_t i, uint64_t *time)
{
    const char *member = p->is_nested ? "timestamps" : "timeDeltas";
    const json_t *times = json_object_get(p->j->root, member);
    const json_t *delta = json_array_get(times, i + 1), *start = json_array_get(times, i);
    json_int_t next = json_integer_value(delta);
    uint64_t ahead, made_up;

    if (p->is_nested && delta &&
        (!json_is_integer(start) || next < 0 || json_integer_value(start) < 0))
        return json_file_fail(p->j, "timestamps[%zu] or [%zu] is no time", i, i + 1);
    if (p->is_nested && delta)
        next -= json_integer_value(start);
    if ((delta && !json_is_integer(delta)) || next > INT64_MAX / 1000)
        return json_file_fail(p->j, "%s[%zu] is out of range", member, i + 1);
    /* Clocks go back by some microseconds now and then, and that time comes twice. */
    ahead = next > 0 ? (uint64_t)next : 0;
    made_up = ahead < p->owed ? ahead : p->owed;
    p->owed -= made_up;
    if (next < 0 && __builtin_add_overflow(p->owed, 0 - (uint64_t)next, &p->owed))
        p->owed = UINT64_MAX;
    *time = (ahead - made_up) * 1000;
    return 0;
}

static int read_samples(struct cpuprofile *p)
{
    const json_t *samples = json_object_get(p->j->root, "samples");

    for (size_t i = 0; i < json_array_size(samples); i++) {
        size_t at = find_node(p, json_array_get(samples, i));
        uint32_t node;
        uint64_t time = 0;

        if (at == not_known)
            return json_file_fail(p->j, "samples[%zu] is a node that is not in the file", i);
        if ((node = stack_of(p, at)) == CPROF_NONE || time_after(p, i, &time) ||
            sampled_add(&p->j->s, node, SAMPLES, 1, 1) ||
            sampled_add(&p->j->s, node, TIME, time, 1))
            return -1;
    }
    return 0;
}

/* Takes how often each node was hit, where the samples themselves are not in the file. */
static int read_hits(struct cpuprofile *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const json_t *hits = json_object_get(p->nodes[i].value, "hitCount");
        json_int_t n = json_integer_value(hits);
        uint32_t node;

        if ((hits && !json_is_integer(hits)) || n < 0)
            return json_file_fail(p->j, "nodes[%zu].hitCount is no number from 0 to 2^63-1", i);
        if (n && ((node = stack_of(p, i)) == CPROF_NONE ||
                  sampled_add(&p->j->s, node, SAMPLES, (uint64_t)n, 1)))
            return -1;
    }
    return 0;
}

static int add_time_column(struct cpuprofile *p)
{
    return sampled_column(&p->j->s, "time", "", sampled_unit("ns").meaning) == CPROF_NONE;
}

int json_read_cpuprofile(struct json_file *j)
{
    struct cpuprofile p = {.j = j};
    int has_samples = json_array_size(json_object_get(j->root, "samples")) > 0, result;

    if (sampled_column(&j->s, "Samples", "", NULL) == CPROF_NONE ||
        (has_samples && add_time_column(&p)))
        return -1;
    result = read_nodes(&p) || (has_samples ? read_samples(&p) : read_hits(&p)) ||
                     sampled_finish(&j->s, SAMPLES)
                 ? -1
                 : 0;
    free(p.nodes);
    free(p.path);
    map_release(&p.ids);
    return result;
}
