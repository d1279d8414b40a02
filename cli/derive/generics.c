#include <config.h>

#include "derive/generics.h"

#include "base/counts.h"
#include "base/memory.h"
#include "calls/graph.h"
#include "cprof_internal.h"
#include "derive/copy.h"
#include "names/name_forms.h"
#include "names/rust_name.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct fold {
    const struct cprof_profile *from;
    struct builder *builder;
    enum name_style style;
    char **keys; /* of each function: the key that its instances share; NULL: it is no instance */
    uint32_t *leader;    /* of each function: the first of its instances */
    uint32_t *instances; /* of a leader: the number of its instances */
    uint32_t *functions; /* of each function: the function it becomes */
    bool *incomplete;    /* of a leader: recursion hides some of its cost */
};

/* A C++ name without template arguments, and without what depends on these: the type that is
 * returned, the parameters, and the number of a clone. NULL: no template. */
static char *cpp_generic_name(const char *full)
{
    char *name = name_form(full, NAME_NO_ARGUMENTS), *own = name_form(full, NAME_NO_PARAMETERS);
    bool is_template = strcmp(name, own) != 0;

    free(own);
    name[name_tail(name)] = '\0';
    if (is_template)
        return name;
    free(name);
    return NULL;
}

/* The key that all instances of the function share, or NULL. */
static char *key_of(const struct cprof_function *f)
{
    struct full_name n = full_name_of(f);
    char *key = NULL;

    if (rust_has_hash(n.linkage) || (n.demangled && rust_ends_in_hash(n.linkage))) {
        key = xstrdup(n.text);
    } else if (rust_is_mangled(n.linkage)) {
        char *plain = rust_short_name(n.text);

        key = rust_generic_name(n.text);
        if (!strcmp(key, plain)) {
            free(key);
            key = NULL;
        }
        free(plain);
    } else if (strncmp(n.linkage, "_Z", 2) == 0) {
        key = cpp_generic_name(n.text);
    }
    full_name_free(&n);
    return key;
}

/* Compares functions: instances of one generic function are equal. */
static int compare(const void *a, const void *b, void *context)
{
    const struct fold *fold = context;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const struct cprof_function *x = &fold->from->functions[i], *y = &fold->from->functions[k];
    int order = strcmp(fold->keys[i], fold->keys[k]);

    if (order)
        return order;
    COMPARE(x->object, y->object);
    COMPARE(x->file, y->file);
    COMPARE(x->line, y->line);
    return 0;
}

static int compare_steady(const void *a, const void *b, void *context)
{
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    int order = compare(a, b, context);

    return order ? order : (i > k) - (i < k);
}

static void find_instances(struct fold *fold)
{
    uint32_t n = fold->from->n_functions, n_keys = 0, begin = 0;
    uint32_t *order = xreallocarray(NULL, n, sizeof *order);

    for (uint32_t i = 0; i < n; i++) {
        fold->leader[i] = i;
        fold->instances[i] = 1;
        fold->keys[i] = key_of(&fold->from->functions[i]);
        if (fold->keys[i])
            order[n_keys++] = i;
    }
    if (n_keys)
        qsort_r(order, n_keys, sizeof *order, compare_steady, fold);
    for (uint32_t i = 1; i < n_keys; i++) {
        if (compare(&order[begin], &order[i], fold) != 0) {
            begin = i;
            continue;
        }
        fold->leader[order[i]] = order[begin];
        fold->instances[order[begin]]++;
    }
    free(order);
}

/* Makes the function that stands for a leader and its other instances. */
static uint32_t folded_function(struct fold *fold, uint32_t leader, uint32_t object, uint32_t file)
{
    const struct cprof_function *f = &fold->from->functions[leader];
    const char *linkage = f->mangled ? f->mangled : f->name;
    char *name = rust_is_linkage(linkage) && fold->style == NAME_SHORT
                     ? rust_short_name(fold->keys[leader])
                     : xstrdup(fold->keys[leader]);
    uint32_t function = builder_function(fold->builder, name, NULL, object, file, f->line);

    free(name);
    return function;
}

/* Copies files and objects with their indices, and functions by their leaders. */
static void put_functions(struct fold *fold)
{
    const struct cprof_profile *p = fold->from;

    for (uint32_t i = 0; i < p->n_files; i++)
        (void)builder_file(fold->builder, p->files[i]);
    for (uint32_t i = 0; i < p->n_objects; i++)
        (void)builder_object(fold->builder, p->objects[i].path, p->objects[i].build_id);
    for (uint32_t i = 0; i < p->n_functions; i++) {
        const struct cprof_function *f = &p->functions[i];
        uint32_t leader = fold->leader[i], n = fold->instances[leader];
        struct cprof_function traits = {.inlined = f->inlined, .instances = n};

        fold->functions[i] = leader != i ? fold->functions[leader]
                             : n > 1     ? folded_function(fold, i, f->object, f->file)
                                         : builder_function_at(fold->builder, f->name, f->mangled,
                                                               f->object, f->file, f->line, f->address);
        builder_function_traits(fold->builder, fold->functions[i], n > 1 ? &traits : f);
        builder_function_entered(fold->builder, fold->functions[i], f->entered, f->entered_least);
    }
    for (uint32_t i = 0; i < p->n_line_runs; i++) {
        struct cprof_line_runs runs = p->line_runs[i];

        runs.function = fold->functions[runs.function];
        if (builder_line_runs(fold->builder, &runs) != 0)
            break;
    }
}

/*--- Inclusive costs ---*/

static uint32_t leader_at(const struct fold *fold, uint32_t context)
{
    return fold->leader[fold->from->contexts[context].function];
}

/* Returns true where an instance of the function is on the path from context `i` upwards. */
static bool is_above(const struct fold *fold, uint32_t i, uint32_t leader)
{
    for (; i != CPROF_NONE; i = fold->from->contexts[i].parent)
        if (leader_at(fold, i) == leader)
            return true;
    return false;
}

/* Returns true where context `i` ran the instruction at `address`. */
static bool has_run(const struct cprof_profile *p, uint32_t i, uint64_t address)
{
    const struct cprof_context *c = &p->contexts[i];

    for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
        if (p->context_costs[k].address == address)
            return true;
    return false;
}

/* Marks the functions that a call from context `i` to `callee`, which is above it, takes off the
 * path. */
static void mark_hidden(struct fold *fold, uint32_t i, uint32_t callee)
{
    const struct cprof_profile *p = fold->from;
    uint32_t to = i;

    while (to != CPROF_NONE && (p->contexts[to].function != callee || p->contexts[to].inlined))
        to = p->contexts[to].parent;
    for (; to != CPROF_NONE && i != to; i = p->contexts[i].parent) {
        uint32_t leader = leader_at(fold, i);

        if (fold->instances[leader] > 1 && !fold->incomplete[leader])
            fold->incomplete[leader] = !is_above(fold, to, leader);
    }
}

static void find_incomplete(struct fold *fold)
{
    const struct cprof_profile *p = fold->from;
    uint32_t *cycle = cycles_find(p);

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        uint32_t caller = p->contexts[i].function;

        for (uint32_t c = call_list_first(p->calls, p->n_calls, caller);
             c < p->n_calls && p->calls[c].caller == caller; c++)
            if (!p->calls[c].inlined && cycle[p->calls[c].callee] == cycle[caller] &&
                (!p->calls[c].address || has_run(p, i, p->calls[c].address)))
                mark_hidden(fold, i, p->calls[c].callee);
    }
    free(cycle);
}

/* The costs of the outermost instances on each path: rows per leader. The caller frees them. */
static int64_t *sum_instances(const struct fold *fold)
{
    const struct cprof_profile *p = fold->from;
    const struct paths paths = profile_paths(p);
    int64_t *sums = path_sums(&paths);
    int64_t *result = xcalloc((size_t)p->n_functions * p->n_events, sizeof *result);

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        uint32_t leader = leader_at(fold, i);

        if (fold->instances[leader] > 1 && !is_above(fold, p->contexts[i].parent, leader))
            counts_add(result + (size_t)leader * p->n_events, sums + (size_t)i * p->n_events,
                       p->n_events);
    }
    free(sums);
    return result;
}

/* Writes inclusive costs; none is less than that of an instance. */
static void put_inclusive(struct fold *fold)
{
    const struct cprof_profile *p = fold->from;
    int64_t *sums = sum_instances(fold);

    find_incomplete(fold);
    for (uint32_t i = 0; i < p->n_functions; i++) {
        uint32_t leader = fold->leader[i];
        int64_t *sum = sums + (size_t)leader * p->n_events;
        const int64_t *own = cprof_inclusive_values(p, i);

        for (uint32_t e = 0; e < p->n_events; e++) {
            fold->incomplete[leader] |= fold->instances[leader] > 1 && own[e] > sum[e];
            if (own[e] > sum[e])
                sum[e] = own[e];
        }
    }
    for (uint32_t i = 0; i < p->n_functions; i++) {
        if (fold->leader[i] != i)
            continue;
        if (fold->instances[i] > 1 && fold->incomplete[i])
            builder_function_traits(fold->builder, fold->functions[i],
                                    &(struct cprof_function){.inclusive_least = 1});
        if (builder_inclusive(fold->builder, fold->functions[i], sums + (size_t)i * p->n_events) !=
            0)
            break;
    }
    free(sums);
}

struct cprof_profile *generics_fold(const struct cprof_profile *p, enum name_style style,
                                    struct cprof_error *error)
{
    struct fold fold = {.from = p, .style = style};

    *error = (struct cprof_error){.code = CPROF_OK};
    fold.builder = builder_new(error);
    if (!fold.builder)
        return NULL;
    fold.keys = xcalloc(p->n_functions, sizeof *fold.keys);
    fold.leader = xcalloc(p->n_functions, sizeof *fold.leader);
    fold.instances = xcalloc(p->n_functions, sizeof *fold.instances);
    fold.functions = xcalloc(p->n_functions, sizeof *fold.functions);
    fold.incomplete = xcalloc(p->n_functions, sizeof *fold.incomplete);
    copy_header(fold.builder, p);
    find_instances(&fold);
    put_functions(&fold);
    copy_records(fold.builder, p, fold.functions);
    if (p->inclusive)
        put_inclusive(&fold);
    for (uint32_t i = 0; i < p->n_functions; i++)
        free(fold.keys[i]);
    free(fold.keys);
    free(fold.leader);
    free(fold.instances);
    free(fold.functions);
    free(fold.incomplete);
    return builder_finish(fold.builder);
}
