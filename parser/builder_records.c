#include <config.h>

/* Costs, calls and inclusive costs, each place once; contexts and their costs. */
#include "builder_private.h"
#include "cprof_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int compare_site(uint32_t file_a, uint32_t file_b, uint32_t line_a, uint32_t line_b,
                        uint64_t address_a, uint64_t address_b)
{
    COMPARE(file_a, file_b);
    COMPARE(line_a, line_b);
    return address_a == address_b ? 0 : address_a < address_b ? -1 : 1;
}

/* The order of costs within a function: file, line, address. */
static int builder_compare_costs(const void *key_a, const void *key_b)
{
    const struct cprof_cost *a = key_a, *b = key_b;

    return compare_site(a->file, b->file, a->line, b->line, a->address, b->address);
}

static int call_compare(const void *key_a, const void *key_b)
{
    const struct cprof_call *a = key_a, *b = key_b;

    COMPARE(a->callee, b->callee);
    COMPARE(a->inlined, b->inlined);
    return compare_site(a->file, b->file, a->line, b->line, a->address, b->address);
}

static int call_merge(void *into, const void *from)
{
    struct cprof_call *to = into;
    uint64_t sum = to->count + ((const struct cprof_call *)from)->count;

    if (sum > INT64_MAX)
        return -1;
    to->count = sum;
    return 0;
}

/* A function's index is all of the key. */
static int function_compare(const void *key_a, const void *key_b)
{
    (void)key_a;
    (void)key_b;
    return 0;
}

static const struct table_class cost_class = {
    .key_size = sizeof(struct cprof_cost),
    .n_words = 3,
    .compare = builder_compare_costs,
};
static const struct table_class call_class = {
    .key_size = sizeof(struct cprof_call),
    .n_words = 4, /* all but the count */
    .compare = call_compare,
    .merge = call_merge,
};

/* Inclusive counts: the key is a function's index. */
static const struct table_class inclusive_class = {
    .key_size = sizeof(struct inclusive_key),
    .n_words = 1,
    .compare = function_compare,
};

void builder_start_records(struct builder *b)
{
    b->costs.class = &cost_class;
    b->calls.class = &call_class;
    b->context_costs.class = &builder_context_class;
    b->inclusive.class = b->section_costs.class = &inclusive_class;
}

int builder_widen_records(struct builder *b, uint32_t n_events)
{
    struct sum_table *tables[] = {&b->costs, &b->calls, &b->context_costs, &b->inclusive,
                                  &b->section_costs};

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (builder_report(b, table_widen(tables[i], n_events)))
            return -1;
    if (b->summary) {
        int64_t *wider = realloc(b->summary, n_events * sizeof *wider);
        if (!wider)
            return builder_out_of_memory(b);
        b->summary = wider;
        wider[n_events - 1] = 0;
    }
    return 0;
}

void builder_clear_event(struct builder *b, uint32_t event)
{
    struct sum_table *tables[] = {&b->costs, &b->calls, &b->context_costs, &b->inclusive,
                                  &b->section_costs};

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (uint32_t k = 0; k < tables[i]->count; k++)
            table_row(tables[i], k)[event] = 0;
}

void builder_release_records(struct builder *b)
{
    table_release(&b->costs);
    table_release(&b->calls);
    table_release(&b->context_costs);
    table_release(&b->inclusive);
    table_release(&b->section_costs);
    free(b->order);
    free(b->spare);
    free(b->summary);
}

int builder_report(struct builder *b, enum table_result result)
{
    if (result == TABLE_OK)
        return 0;
    if (result == TABLE_MEMORY)
        return builder_out_of_memory(b);
    return builder_fail(b, CPROF_ERROR_RANGE, "a sum of counts exceeds 2^63-1");
}

void builder_expect(struct builder *b, uint32_t function)
{
    table_expect(&b->costs, function);
    table_expect(&b->calls, function);
}

int builder_cost(struct builder *b, const struct cprof_cost *cost, const int64_t *values)
{
    struct cprof_cost key;

    if (builder_failed(b))
        return -1;
    assert(cost->function < b->functions.count);
    assert(cost->file == CPROF_NONE || cost->file < b->files.count);
    builder_copy_key(&key, cost);
    return builder_report(b, table_add(&b->costs, &key, values));
}

/* Copies a call as a key of a table: its padding is zero. */
static void copy_call(struct cprof_call *to, const struct cprof_call *from)
{
    _Static_assert(sizeof *to == 40 && offsetof(struct cprof_call, count) == 32, "padding");
    memset(to, 0, sizeof *to);
    to->caller = from->caller;
    to->callee = from->callee;
    to->file = from->file;
    to->line = from->line;
    to->address = from->address;
    to->inlined = from->inlined != 0;
    to->count = from->count;
}

int builder_call(struct builder *b, const struct cprof_call *call, const int64_t *values)
{
    struct cprof_call key;

    if (builder_failed(b))
        return -1;
    assert(call->caller < b->functions.count && call->callee < b->functions.count);
    assert(call->file == CPROF_NONE || call->file < b->files.count);
    if (call->count > INT64_MAX)
        return builder_fail(b, CPROF_ERROR_RANGE, "a number of calls exceeds 2^63-1");
    copy_call(&key, call);
    return builder_report(b, table_add(&b->calls, &key, values));
}

int builder_next_call(struct builder *b, const struct cprof_call *call, const int64_t *values)
{
    const struct cprof_call *last =
        b->calls.count ? table_key(&b->calls, b->calls.count - 1) : NULL;
    struct cprof_call key;

    if (builder_failed(b))
        return -1;
    assert(call->caller < b->functions.count && call->callee < b->functions.count);
    assert(call->file == CPROF_NONE || call->file < b->files.count);
    assert(call->count <= INT64_MAX && (!last || last->caller <= call->caller));
    if (last && last->caller != call->caller && builder_end_calls(b))
        return -1;
    b->calls_in_order = 1;
    copy_call(&key, call);
    return builder_report(b, table_append(&b->calls, &key, values));
}

/* Room for the order of `n` records. */
static int make_order(struct builder *b, uint32_t n)
{
    uint32_t *order, *spare;

    if (n <= b->order_room)
        return 0;
    if (n < b->order_room * 2)
        n = b->order_room * 2;
    order = realloc(b->order, n * sizeof *order);
    if (order)
        b->order = order;
    spare = realloc(b->spare, n * sizeof *spare);
    if (spare)
        b->spare = spare;
    if (!order || !spare)
        return builder_out_of_memory(b);
    b->order_room = n;
    return 0;
}

/* Tells if the records from `first` on are in strictly ascending order. */
static int is_sorted(const struct sum_table *t, uint32_t first)
{
    for (uint32_t i = first + 1; i < t->count; i++)
        if (t->class->compare(table_key(t, i - 1), table_key(t, i)) >= 0)
            return 0;
    return 1;
}

/* Copies of the records are put behind the last one in order, and then moved to the front. */
static int builder_sort_run(struct builder *b, struct sum_table *t, uint32_t first)
{
    uint32_t end = t->count, n = end - first;

    if (is_sorted(t, first))
        return 0;
    if (make_order(b, n) || builder_report(b, table_reserve(t, n)))
        return -1;
    for (uint32_t i = 0; i < n; i++)
        b->order[i] = first + i;
    table_sort(t, b->order, n, b->spare);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t from = b->order[i];

        if (i && !t->class->compare(table_key(t, t->count - 1), table_key(t, from))) {
            if (table_add_row(table_row(t, t->count - 1), table_row(t, from), t->width) ||
                (t->class->merge &&
                 t->class->merge(table_key(t, t->count - 1), table_key(t, from))))
                return builder_report(b, TABLE_OVERFLOW);
        } else {
            memcpy(table_key(t, t->count), table_key(t, from), t->class->key_size);
            memcpy(table_row(t, t->count), table_row(t, from), t->width * sizeof *t->values);
            t->count++;
        }
    }
    n = t->count - end;
    memmove(table_key(t, first), table_key(t, end), n * t->class->key_size);
    memmove(table_row(t, first), table_row(t, end), (size_t)n * t->width * sizeof *t->values);
    t->count = first + n;
    return 0;
}

int builder_end_calls(struct builder *b)
{
    if (b->calls_in_order && builder_sort_run(b, &b->calls, b->first_call))
        return -1;
    b->first_call = b->calls.count;
    return 0;
}

int builder_inclusive(struct builder *b, uint32_t function, const int64_t *values)
{
    struct inclusive_key key = {function, 0};

    if (builder_failed(b))
        return -1;
    assert(function < b->functions.count);
    return builder_report(b, table_add(&b->inclusive, &key, values));
}

int builder_summary(struct builder *b, const int64_t *values)
{
    uint32_t count = (uint32_t)b->events.count;

    if (builder_failed(b))
        return -1;
    if (!b->summary) {
        b->summary = calloc((size_t)count + 1, sizeof *b->summary);
        if (!b->summary)
            return builder_out_of_memory(b);
    }
    return table_add_row(b->summary, values, count) ? builder_report(b, TABLE_OVERFLOW) : 0;
}

int builder_line_runs(struct builder *b, const struct cprof_line_runs *runs)
{
    return builder_add(b, &b->line_runs, runs, sizeof *runs);
}

/*--- Runs of lines ---*/

/* Runs of records that were appended to a table: each is sorted while it is in the processor's
 * caches. */

/*--- Callees ---*/

/* Calls to functions whose object the file leaves out: to the one of that name that is known. */

/* Functions that have costs or calls, by name and file. */
struct known {
    const struct cprof_function *functions;
    unsigned char *states; /* of each function */
    struct map map;
};
enum { UNKNOWN, KNOWN, NOT_UNIQUE };

static int equal_place(const void *owner, uint32_t index, const void *key)
{
    const struct cprof_function *a = (const struct cprof_function *)owner + index, *b = key;

    return a->name == b->name && a->file == b->file;
}

static uint32_t hash_place(const struct cprof_function *f)
{
    return map_hash(map_mix(map_mix(0, (uintptr_t)f->name), f->file));
}

static uint32_t find_known(const struct known *k, const struct cprof_function *f)
{
    return map_find(&k->map, hash_place(f), equal_place, k->functions, f);
}

/* 0, or -1 when out of memory. */
static int make_known(struct known *k, uint32_t function)
{
    uint32_t before;

    if (k->states[function] != UNKNOWN)
        return 0;
    k->states[function] = KNOWN;
    before = find_known(k, &k->functions[function]);
    if (before == MAP_NONE)
        return map_add(&k->map, hash_place(&k->functions[function]), function);
    k->states[before] = NOT_UNIQUE;
    return 0;
}

static int make_all_known(struct known *k, const struct builder *b)
{
    for (uint32_t i = 0; i < b->costs.count; i++)
        if (make_known(k, ((const struct cprof_cost *)b->costs.keys)[i].function))
            return -1;
    for (uint32_t i = 0; i < b->calls.count; i++)
        if (make_known(k, ((const struct cprof_call *)b->calls.keys)[i].caller))
            return -1;
    return 0;
}

int builder_unite_callees(struct builder *b)
{
    struct known k = {.functions = b->functions.data};
    struct cprof_call *calls = (struct cprof_call *)b->calls.keys;
    int failed;

    if (builder_failed(b))
        return -1;
    k.states = calloc((size_t)b->functions.count + 1, sizeof *k.states);
    failed = !k.states || make_all_known(&k, b);
    for (uint32_t i = 0; !failed && i < b->calls.count; i++) {
        uint32_t found;

        if (k.states[calls[i].callee] != UNKNOWN)
            continue;
        found = find_known(&k, &k.functions[calls[i].callee]);
        if (found != MAP_NONE && k.states[found] == KNOWN)
            calls[i].callee = found;
    }
    free(k.states);
    map_release(&k.map);
    return failed ? builder_out_of_memory(b) : 0;
}

/*--- Contexts and their costs ---*/

int builder_compare_places(const void *key_a, const void *key_b)
{
    const struct cprof_cost *a = key_a, *b = key_b;

    COMPARE(a->function, b->function);
    return builder_compare_costs(a, b);
}

const struct table_class builder_context_class = {
    .key_size = sizeof(struct cprof_cost),
    .n_words = 3,
    .compare = builder_compare_places,
};

uint32_t builder_context(struct builder *b, const struct cprof_context *context)
{
    struct cprof_context *new;

    if (builder_failed(b))
        return CPROF_NONE;
    assert(context->parent == CPROF_NONE || context->parent < b->contexts.count);
    assert(context->function < b->functions.count);
    assert(context->site_file == CPROF_NONE || context->site_file < b->files.count);
    if (context->calls > INT64_MAX) {
        builder_fail(b, CPROF_ERROR_RANGE, "a number of calls exceeds 2^63-1");
        return CPROF_NONE;
    }
    new = builder_push(b, &b->contexts, sizeof *new);
    if (!new)
        return CPROF_NONE;
    *new = *context;
    new->first_cost = new->n_costs = 0;
    return (uint32_t)b->contexts.count - 1;
}

static int equal_context(const void *owner, uint32_t index, const void *key)
{
    const struct cprof_context *a = (const struct cprof_context *)owner + index, *b = key;

    return a->parent == b->parent && a->function == b->function && a->site == b->site &&
           a->site_file == b->site_file && a->site_line == b->site_line && a->inlined == b->inlined;
}

static uint32_t hash_context(const struct cprof_context *c)
{
    uint64_t mixed = map_mix(map_mix(c->inlined, (uint64_t)c->parent << 32 | c->function), c->site);

    return map_hash(map_mix(mixed, (uint64_t)c->site_file << 32 | c->site_line));
}

/* The first child of a context, or MAP_NONE. */
static uint32_t child_of(const struct builder *b, uint32_t context)
{
    return context == CPROF_NONE ? MAP_NONE : ((const uint32_t *)b->context_child.data)[context];
}

/*
 * The context that is equal to this one, or MAP_NONE. Most contexts have one child at most, so the
 * first child of each is at hand, and only the others are in the map, which would be many times
 * larger than the processor's caches else.
 */
static uint32_t find_context(const struct builder *b, const struct cprof_context *context,
                             uint32_t *hash)
{
    uint32_t child = child_of(b, context->parent);

    if (context->parent != CPROF_NONE &&
        (child == MAP_NONE || equal_context(b->contexts.data, child, context)))
        return child;
    *hash = hash_context(context);
    return map_find(&b->context_map, *hash, equal_context, b->contexts.data, context);
}

/* Enters a context that find_context() did not find, as a first child or into the map. */
static int enter_context(struct builder *b, uint32_t index, uint32_t hash)
{
    const struct cprof_context *c = (const struct cprof_context *)b->contexts.data + index;

    if (builder_add(b, &b->context_child, &(uint32_t){MAP_NONE}, sizeof(uint32_t)))
        return -1;
    if (c->parent == CPROF_NONE || child_of(b, c->parent) != MAP_NONE)
        return map_add(&b->context_map, hash, index) ? builder_out_of_memory(b) : 0;
    ((uint32_t *)b->context_child.data)[c->parent] = index;
    return 0;
}

/* Enters all contexts, the first of equal ones: only builder_same_context() needs it. */
static int enter_contexts(struct builder *b)
{
    const struct cprof_context *contexts = b->contexts.data;

    while (b->context_child.count < b->contexts.count) {
        uint32_t hash = 0, i = (uint32_t)b->context_child.count, none = MAP_NONE;

        if (find_context(b, &contexts[i], &hash) == MAP_NONE
                ? enter_context(b, i, hash)
                : builder_add(b, &b->context_child, &none, sizeof none))
            return -1;
    }
    return 0;
}

int builder_context_calls(struct builder *b, uint32_t context, uint64_t calls)
{
    struct cprof_context *found = (struct cprof_context *)b->contexts.data + context;

    if (builder_failed(b))
        return -1;
    if (calls > INT64_MAX || found->calls + calls > INT64_MAX)
        return builder_fail(b, CPROF_ERROR_RANGE, "a number of calls exceeds 2^63-1");
    found->calls += calls;
    return 0;
}

uint32_t builder_same_context(struct builder *b, const struct cprof_context *context)
{
    uint32_t index, hash = 0;

    if (builder_failed(b) || enter_contexts(b))
        return CPROF_NONE;
    index = find_context(b, context, &hash);
    if (index == MAP_NONE) {
        index = builder_context(b, context);
        return index == CPROF_NONE || enter_context(b, index, hash) ? CPROF_NONE : index;
    }
    return builder_context_calls(b, index, context->calls) ? CPROF_NONE : index;
}

/* Costs of contexts */

/*
 * Costs come context by context, and are put one behind another: a run for each context. Within a
 * run they come in any order and may be equal, so a run is sorted and added up when it ends, while
 * it is in the processor's caches. The runs of one context become one in the end.
 */

/* Ends the last run. */
static int end_run(struct builder *b)
{
    const struct run *runs = b->runs.data;

    return b->runs.count ? builder_sort_run(b, &b->context_costs, runs[b->runs.count - 1].first)
                         : 0;
}

static int start_run(struct builder *b, uint32_t context)
{
    struct run *new;

    if (end_run(b) || !(new = builder_push(b, &b->runs, sizeof *new)))
        return -1;
    if (b->runs.count > 1 && new[-1].context > context)
        b->runs_apart = 1;
    *new = (struct run){context, b->context_costs.count};
    return 0;
}

int builder_context_cost(struct builder *b, uint32_t context, const struct cprof_cost *cost,
                         const int64_t *values)
{
    const struct run *runs = b->runs.data;
    struct cprof_cost key;

    if (builder_failed(b))
        return -1;
    assert(context < b->contexts.count);
    assert(cost->function < b->functions.count);
    assert(cost->file == CPROF_NONE || cost->file < b->files.count);
    if ((!b->runs.count || runs[b->runs.count - 1].context != context) && start_run(b, context))
        return -1;
    builder_copy_key(&key, cost);
    return builder_report(b, table_append(&b->context_costs, &key, values));
}

void builder_costs_apart(struct builder *b)
{
    b->costs_apart = 1;
}

void builder_contexts_inlined(struct builder *b)
{
    b->costs_apart = b->contexts_inlined = 1;
}

/* The order of runs by context, stable; NULL with the error set. */
static uint32_t *order_runs(struct builder *b)
{
    const struct run *runs = b->runs.data;
    uint32_t *order = malloc((b->runs.count + (size_t)1) * sizeof *order);
    uint32_t *starts = calloc(b->contexts.count + (size_t)1, sizeof *starts);

    if (order && starts) {
        for (uint32_t i = 0; i < b->runs.count; i++)
            starts[runs[i].context + 1]++;
        for (uint32_t i = 0; i < b->contexts.count; i++)
            starts[i + 1] += starts[i];
        for (uint32_t i = 0; i < b->runs.count; i++)
            order[starts[runs[i].context]++] = i;
    } else {
        builder_out_of_memory(b);
        free(order);
        order = NULL;
    }
    free(starts);
    return order;
}

/* Copies the records of one run to the end of `to`. */
static int copy_run(struct builder *b, struct sum_table *to, uint32_t run)
{
    const struct run *runs = b->runs.data;
    const struct sum_table *from = &b->context_costs;
    uint32_t end = run + 1 < b->runs.count ? runs[run + 1].first : from->count;

    for (uint32_t i = runs[run].first; i < end; i++)
        if (builder_report(b, table_append(to, table_key(from, i), table_row(from, i))))
            return -1;
    return 0;
}

/* Writes all runs anew, in the order of their contexts, those of one context as one. */
static int join_runs(struct builder *b)
{
    struct run *runs = b->runs.data;
    struct sum_table to = {.class = &builder_context_class, .width = b->context_costs.width};
    struct vector joined = {0};
    uint32_t *order = order_runs(b);
    int result = order ? 0 : -1;

    for (uint32_t i = 0; i < b->runs.count && !result; i++) {
        const struct run *run = &runs[order[i]];
        struct run *last = joined.count ? (struct run *)joined.data + joined.count - 1 : NULL;

        if (!last || last->context != run->context) {
            result = last ? builder_sort_run(b, &to, last->first) : 0;
            last = result ? NULL : builder_push(b, &joined, sizeof *last);
            if (last)
                *last = (struct run){run->context, to.count};
        }
        result = last ? copy_run(b, &to, order[i]) : -1;
    }
    if (!result)
        result = builder_sort_run(b, &to, ((struct run *)joined.data)[joined.count - 1].first);
    free(order);
    free(b->runs.data);
    table_release(&b->context_costs);
    b->runs = joined;
    b->context_costs = to;
    return result;
}

/* Costs of contexts are costs of the profile. */
static int add_up(struct builder *b)
{
    const struct sum_table *t = &b->context_costs;

    for (uint32_t i = 0; i < t->count && !b->costs_apart; i++)
        if (builder_cost(b, table_key(t, i), table_row(t, i)))
            return -1;
    return 0;
}

int builder_order_contexts(struct builder *b)
{
    struct cprof_context *contexts = b->contexts.data;
    const struct run *runs;

    if (builder_failed(b) || end_run(b) || (b->runs_apart && join_runs(b)))
        return -1;
    runs = b->runs.data;
    for (uint32_t i = 0; i < b->runs.count; i++) {
        uint32_t end = i + 1 < b->runs.count ? runs[i + 1].first : b->context_costs.count;

        contexts[runs[i].context].first_cost = runs[i].first;
        contexts[runs[i].context].n_costs = end - runs[i].first;
    }
    return add_up(b);
}

/*--- Arguments ---*/

uint32_t builder_counted_arg(struct builder *b, const struct cprof_counted_arg *arg)
{
    struct cprof_counted_arg *known = b->counted_args.data, new = *arg;

    if (builder_failed(b) || !(new.pattern = builder_text(b, arg->pattern, strlen(arg->pattern))))
        return CPROF_NONE;
    for (uint32_t i = 0; i < b->counted_args.count; i++)
        if (known[i].pattern == new.pattern &&
            known[i].number == new.number &&known[i].log2 == new.log2) {
            if (known[i].n_functions < new.n_functions)
                known[i].n_functions = new.n_functions;
            return i;
        }
    return builder_add(b, &b->counted_args, &new, sizeof new) ? CPROF_NONE
                                                              : (uint32_t)b->counted_args.count - 1;
}

int builder_arg_count(struct builder *b, const struct cprof_arg_count *count)
{
    if (builder_failed(b))
        return -1;
    assert(count->arg < b->counted_args.count && count->context < b->contexts.count);
    if (count->calls > INT64_MAX)
        return builder_fail(b, CPROF_ERROR_RANGE, "a number of calls exceeds 2^63-1");
    return count->calls ? builder_add(b, &b->arg_counts, count, sizeof *count) : 0;
}

static int by_value(const void *a, const void *b)
{
    const struct cprof_arg_count *x = a, *y = b;

    COMPARE(x->arg, y->arg);
    COMPARE(x->context, y->context);
    COMPARE(x->other, y->other);
    COMPARE(x->value, y->value);
    return 0;
}

static int add_calls(void *to, const void *record)
{
    uint64_t *calls = &((struct cprof_arg_count *)to)->calls;

    *calls += ((const struct cprof_arg_count *)record)->calls;
    return *calls > INT64_MAX ? -1 : 0;
}

const struct builder_sums builder_arg_counts = {sizeof(struct cprof_arg_count), by_value, add_calls,
                                                "a number of calls exceeds 2^63-1"};
