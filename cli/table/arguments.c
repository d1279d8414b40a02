#include <config.h>

#include "table/arguments.h"

#include "base/memory.h"
#include "base/sort.h"
#include "calls/recursion.h"

#include <stdlib.h>

/* The nearest function above context `i` that is code, and no root or section; else the root. */
static uint32_t caller_of(const struct cprof_profile *p, uint32_t i)
{
    uint32_t above = p->contexts[i].parent, function = CPROF_NONE;

    for (; above != CPROF_NONE; above = p->contexts[above].parent) {
        function = p->contexts[above].function;
        if (p->functions[function].object != CPROF_NONE)
            break;
    }
    return function;
}

static uint32_t own_above(const struct cprof_profile *p, uint32_t i, const bool *own)
{
    uint32_t above = p->contexts[i].parent;

    while (own && above != CPROF_NONE && !own[p->contexts[above].function])
        above = p->contexts[above].parent;
    return !own || above == CPROF_NONE ? CPROF_NONE : p->contexts[above].function;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return a == b ? 0 : a < b ? -1 : 1;
}

/* The order of groups: rows of the same functions. */
static int by_functions(const struct argument_row *x, const struct argument_row *y)
{
    int order = compare_numbers(x->function, y->function);

    if (!order)
        order = compare_numbers(x->caller, y->caller);
    return order ? order : compare_numbers(x->own, y->own);
}

static int by_key(const void *a, const void *b)
{
    const struct argument_row *x = a, *y = b;
    int order = by_functions(x, y);

    if (!order)
        order = compare_numbers(x->other, y->other);
    return order ? order : compare_numbers(x->value, y->value);
}

/* Within a group the values of most calls come first, classes by value, and the rest last. */
static int shown_order(const struct argument_row *x, const struct argument_row *y, bool classes)
{
    int order = compare_numbers(y->group_calls, x->group_calls);

    if (!order)
        order = by_functions(x, y);
    if (!order)
        order = compare_numbers(x->other, y->other);
    if (!order && !classes)
        order = compare_numbers(y->calls, x->calls);
    return order ? order : compare_numbers(x->value, y->value);
}

static int by_calls(const void *a, const void *b)
{
    return shown_order(a, b, false);
}

static int by_class(const void *a, const void *b)
{
    return shown_order(a, b, true);
}

/* Makes equal rows one. */
static void unite(struct argument_table *t)
{
    size_t kept = 0;

    sort_items(t->rows, t->n, sizeof *t->rows, by_key);
    for (size_t i = 0; i < t->n; i++) {
        if (kept && !by_key(&t->rows[kept - 1], &t->rows[i]))
            t->rows[kept - 1].calls += t->rows[i].calls;
        else
            t->rows[kept++] = t->rows[i];
    }
    t->n = kept;
}

/* Rows of a group stand together. */
static void add_groups(struct argument_table *t)
{
    size_t end;

    for (size_t i = 0; i < t->n; i = end) {
        uint64_t calls = 0;

        for (end = i; end < t->n && !by_functions(&t->rows[i], &t->rows[end]); end++)
            calls += t->rows[end].calls;
        for (size_t k = i; k < end; k++)
            t->rows[k].group_calls = calls;
        t->calls += calls;
        t->several |= t->rows[i].function != t->rows[0].function;
        t->own |= t->rows[i].own != CPROF_NONE && t->rows[i].own != t->rows[i].caller;
    }
}

struct search {
    const struct cprof_profile *profile;
    struct argument_table *table;
};

static size_t note_recursion(const struct recursive_call *call, void *context)
{
    const struct search *s = context;
    uint32_t function = s->profile->contexts[call->to].function;

    for (size_t i = 0; i < s->table->n && !s->table->recursive; i++)
        s->table->recursive = s->table->rows[i].function == function;
    return 1;
}

void argument_table_load(struct argument_table *t, const struct cprof_profile *p, uint32_t index,
                         const bool *own)
{
    *t = (struct argument_table){.arg = &p->counted_args[index]};
    t->rows = xcalloc(p->n_arg_counts + (size_t)1, sizeof *t->rows);
    for (uint32_t i = 0; i < p->n_arg_counts; i++) {
        const struct cprof_arg_count *c = &p->arg_counts[i];

        if (c->arg == index)
            t->rows[t->n++] = (struct argument_row){.function = p->contexts[c->context].function,
                                                    .caller = caller_of(p, c->context),
                                                    .own = own_above(p, c->context, own),
                                                    .other = c->other,
                                                    .value = c->value,
                                                    .calls = c->calls};
    }
    unite(t);
    add_groups(t);
    if (!recursion_is_unknown(p))
        recursion_each(p, note_recursion, &(struct search){p, t});
    sort_items(t->rows, t->n, sizeof *t->rows, t->arg->log2 ? by_class : by_calls);
}

void argument_table_free(struct argument_table *t)
{
    free(t->rows);
    t->rows = NULL;
    t->n = 0;
}

uint64_t argument_last(const struct argument_table *t, const struct argument_row *row)
{
    return t->arg->log2 && row->value ? row->value - 1 + row->value : row->value;
}
