#include <config.h>

/* Costs, calls and inclusive costs, each place once. */

#include "builder_private.h"

#include <assert.h>
#include <stdlib.h>

static int compare_site(uint32_t file_a, uint32_t file_b, uint32_t line_a, uint32_t line_b,
                        uint64_t address_a, uint64_t address_b)
{
    if (file_a != file_b)
        return file_a < file_b ? -1 : 1;
    if (line_a != line_b)
        return line_a < line_b ? -1 : 1;
    return address_a == address_b ? 0 : address_a < address_b ? -1 : 1;
}

int builder_compare_costs(const void *key_a, const void *key_b)
{
    const struct cprof_cost *a = key_a, *b = key_b;

    return compare_site(a->file, b->file, a->line, b->line, a->address, b->address);
}

static int call_compare(const void *key_a, const void *key_b)
{
    const struct cprof_call *a = key_a, *b = key_b;

    if (a->callee != b->callee)
        return a->callee < b->callee ? -1 : 1;
    if (a->inlined != b->inlined)
        return a->inlined < b->inlined ? -1 : 1;
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
    free(b->sections.data);
    free(b->spreads.data);
    free(b->counted_args.data);
    free(b->arg_counts.data);
    free(b->line_runs.data);
    free(b->data.data);
    free(b->touches.data);
    free(b->types.data);
    free(b->members.data);
    free(b->curve_sizes.data);
    free(b->reuses.data);
    map_release(&b->data_map);
    map_release(&b->type_map);
    free(b->runs.data);
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
    struct cprof_line_runs *new = builder_push(b, &b->line_runs, sizeof *new);

    if (!new)
        return -1;
    *new = *runs;
    return 0;
}

/*--- Runs of lines ---*/

/* Runs of records that were appended to a table: each is sorted while it is in the processor's
 * caches. */

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
int builder_sort_run(struct builder *b, struct sum_table *t, uint32_t first)
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
