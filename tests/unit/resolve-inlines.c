/*
 * Tests that a raw profile, argv[1], has the same costs with and without inlined functions: those
 * of each address, of each symbol, and of each context that was called; and whether inclusive costs
 * of inlined functions are possible.
 */
#include <config.h>

#include "cprof.h"
#include "paths/tree.h"
#include "resolve/resolve.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed;

static void expect(int holds, const char *what, long long got, long long want)
{
    if (holds)
        return;
    printf("%s: %lld, not %lld\n", what, got, want);
    failed = 1;
}

static struct cprof_profile *resolve(const struct cprof_profile *raw, bool no_inlines)
{
    struct resolve_settings settings = {.no_inlines = no_inlines, .style = NAME_RAW};
    struct cprof_error error;
    struct cprof_profile *p = resolve_profile(raw, &settings, NULL, &error);

    if (!p) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    return p;
}

/* A cost by what does not change: where it is, and in which of the contexts that were called. */
struct item {
    uint32_t context;
    uint32_t object;
    uint64_t address;
    int64_t count;
};

static int compare(const void *a, const void *b)
{
    const struct item *x = a, *y = b;

    if (x->context != y->context)
        return x->context < y->context ? -1 : 1;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return (x->address > y->address) - (x->address < y->address);
}

/* The costs of all contexts, those of inlined ones with what they were inlined into. Contexts that
 * were called have the same order in both profiles. */
static struct item *collect(const struct cprof_profile *p, uint32_t *n)
{
    struct item *items = calloc(p->n_context_costs + 1, sizeof *items);
    uint32_t *base = calloc(p->n_contexts + 1, sizeof *base), called = 0, kept = 0;

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        base[i] = c->inlined ? base[c->parent] : called++;
        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
            items[kept++] =
                (struct item){base[i], p->functions[p->context_costs[k].function].object,
                              p->context_costs[k].address, cprof_context_values(p, k)[0]};
    }
    qsort(items, kept, sizeof *items, compare);
    *n = 0;
    for (uint32_t i = 0; i < kept; i++) {
        if (*n && compare(&items[*n - 1], &items[i]) == 0)
            items[*n - 1].count += items[i].count;
        else
            items[(*n)++] = items[i];
    }
    free(base);
    return items;
}

static void compare_costs(const struct cprof_profile *with, const struct cprof_profile *without)
{
    uint32_t n, n_without;
    struct item *a = collect(with, &n), *b = collect(without, &n_without);

    expect(n == n_without, "costs", n, n_without);
    for (uint32_t i = 0; i < n && i < n_without; i++)
        if (compare(&a[i], &b[i]) != 0 || a[i].count != b[i].count) {
            printf("address %" PRIx64 ": %lld, not %lld\n", b[i].address, (long long)a[i].count,
                   (long long)b[i].count);
            failed = 1;
            break;
        }
    free(a);
    free(b);
}

/* The cost of each symbol's own code, by way of the contexts: of the nearest one that was called.
 */
static void compare_symbols(const struct cprof_profile *with, const struct cprof_profile *without)
{
    int64_t *a = calloc(without->n_functions + 1, sizeof *a);
    uint32_t k = 0;
    uint32_t *symbol = calloc(with->n_contexts + 1, sizeof *symbol);

    for (uint32_t i = 0; i < with->n_contexts; i++) {
        const struct cprof_context *c = &with->contexts[i];

        symbol[i] = c->inlined ? symbol[c->parent] : without->contexts[k++].function;
        for (uint32_t x = c->first_cost; x < c->first_cost + c->n_costs; x++)
            a[symbol[i]] += cprof_context_values(with, x)[0];
    }
    for (uint32_t i = 0; i < without->n_contexts; i++) {
        const struct cprof_context *c = &without->contexts[i];

        for (uint32_t x = c->first_cost; x < c->first_cost + c->n_costs; x++)
            a[c->function] -= cprof_context_values(without, x)[0];
    }
    for (uint32_t i = 0; i < without->n_functions; i++)
        expect(a[i] == 0, without->functions[i].name, (long long)a[i], 0);
    expect(k == without->n_contexts, "contexts that were called", k, without->n_contexts);
    free(a);
    free(symbol);
}

static int64_t *own_costs(const struct cprof_profile *p)
{
    int64_t *own = calloc(p->n_functions + 1, sizeof *own);

    for (uint32_t i = 0; i < p->n_costs; i++)
        own[p->costs[i].function] += cprof_cost_values(p, i)[0];
    return own;
}

/* A function has its own cost at least, and the program's at most; those that were only called have
 * what they have without. */
static void check_inclusive(const struct cprof_profile *p)
{
    int64_t *own = own_costs(p);

    for (uint32_t i = 0; i < p->n_functions && p->inclusive; i++) {
        int64_t inclusive = cprof_inclusive_values(p, i)[0];

        expect(inclusive >= own[i] && inclusive <= p->totals[0], p->functions[i].name,
               (long long)inclusive, (long long)own[i]);
    }
    free(own);
}

int main(int argc, char **argv)
{
    struct cprof_error error = {.code = CPROF_OK};
    struct cprof_profile *raw = argc > 1 ? cprof_load(argv[1], 0, &error) : NULL;
    struct cprof_profile *with, *without;

    if (!raw) {
        fprintf(stderr, "%s\n", error.text);
        return 2;
    }
    with = resolve(raw, false);
    without = resolve(raw, true);
    expect(with->totals[0] == without->totals[0] && raw->totals[0] == with->totals[0], "totals",
           (long long)with->totals[0], (long long)without->totals[0]);
    expect(with->n_contexts > without->n_contexts, "contexts", with->n_contexts,
           without->n_contexts);
    compare_costs(with, without);
    compare_symbols(with, without);
    check_inclusive(with);
    cprof_free(raw);
    cprof_free(with);
    cprof_free(without);
    return failed;
}
