#include <config.h>

#include "table/curves.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "cprof_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*--- What a curve says ---*/

int64_t curve_kind_misses(const struct curves *t, const struct curve *c, int kind, size_t size)
{
    const int64_t *falls = c->falls + (size_t)kind * (t->n_sizes + 1);
    int64_t sum = 0;

    for (size_t i = size + 1; i <= t->n_sizes; i++)
        sum += falls[i];
    return sum;
}

int64_t curve_misses(const struct curves *t, const struct curve *c, size_t size)
{
    int64_t sum = 0;

    for (int kind = 0; kind < CPROF_REUSE_KINDS; kind++)
        sum += curve_kind_misses(t, c, kind, size);
    return sum;
}

/* The misses that go at a size. */
static int64_t fall_at(const struct curves *t, const struct curve *c, size_t size)
{
    int64_t sum = 0;

    for (size_t kind = 0; kind < CPROF_REUSE_KINDS; kind++)
        sum += c->falls[kind * (t->n_sizes + 1) + size];
    return sum;
}

size_t curve_working_set(const struct curves *t, const struct curve *c)
{
    int64_t left = (c->all - c->first) / 100;
    size_t size = t->n_sizes - 1;

    if (c->all == c->first)
        return t->n_sizes;
    while (size && (left -= fall_at(t, c, size)) >= 0)
        size--;
    return size;
}

bool curve_is_large(const struct curves *t, const struct curve *c)
{
    return c->all > c->first && c->all - c->first >= (t->program.all - t->program.first) / 100;
}

uint64_t curve_first_level_size(const struct cprof_profile *p)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < p->n_caches; i++)
        if (strcmp(p->caches[i].name, "LL") != 0 && p->caches[i].size > most)
            most = p->caches[i].size;
    return most;
}

size_t curve_sizes_of(const struct curves *t, const struct curve *c, bool all, size_t *sizes)
{
    uint64_t least = curve_first_level_size(t->profile);
    size_t n = 0, working_set = curve_working_set(t, c);
    int64_t last = INT64_MAX;

    for (size_t i = 0; i < t->n_sizes; i++) {
        uint64_t bytes = t->profile->curve_sizes[i];
        int64_t misses = curve_misses(t, c, i);

        if (!all && i != t->simulated_size && i != working_set &&
            (bytes < least || (bytes & (bytes - 1)) || misses >= last))
            continue;
        sizes[n++] = i;
        last = misses;
    }
    return n;
}

char *curve_size_text(uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    uint64_t one = 1024, thousandths;
    size_t unit = 0;
    int digits = 3;

    while (unit + 1 < sizeof units / sizeof *units && bytes / one >= 1024) {
        one *= 1024;
        unit++;
    }
    thousandths = bytes % one * 1000;
    if (bytes < 1024 || thousandths % one)
        return xasprintf("%" PRIu64 " B", bytes);
    for (thousandths /= one; digits && thousandths % 10 == 0; digits--)
        thousandths /= 10;
    return digits ? xasprintf("%" PRIu64 ".%0*" PRIu64 " %s", bytes / one, digits, thousandths,
                              units[unit])
                  : xasprintf("%" PRIu64 " %s", bytes / one, units[unit]);
}

char *curve_name(const struct curves *t, const struct curve *c)
{
    if (c->row)
        return data_row_name(t->profile, c->row);
    return xstrdup(c->function == CPROF_NONE ? "[program]"
                                             : t->profile->functions[c->function].name);
}

/*--- Loading ---*/

/* All that says which function misses are put to. */
struct loader {
    struct curves *to;
    const struct callers *callers;
    uint32_t *numbers;                /* of functions among those that have curves, from 1 */
    uint32_t last[CPROF_REUSE_KINDS]; /* the events of the simulated LL, or CPROF_NONE */
};

/* The function that a place in a context is put to. */
static uint32_t owner(const struct loader *l, const struct cprof_cost *place, uint32_t context)
{
    return callers_spot(l->callers, place, context).function;
}

static void find_functions(struct loader *l)
{
    const struct cprof_profile *p = l->to->profile;

    for (uint32_t i = 0; i < p->n_reuses; i++) {
        uint32_t f = owner(l, &p->reuses[i].place, p->reuses[i].context);

        if (!l->numbers[f])
            l->numbers[f] = (uint32_t)++l->to->n;
    }
}

static bool is_smaller(const void *item, const void *key)
{
    return *(const uint64_t *)item < *(const uint64_t *)key;
}

static size_t size_index(const struct curves *t, uint64_t size)
{
    const uint64_t *sizes = t->profile->curve_sizes;
    size_t i = lower_bound(sizes, t->n_sizes, sizeof *sizes, is_smaller, &size);

    return i < t->n_sizes && sizes[i] == size ? i : t->n_sizes;
}

/* Where its misses fall. */
static size_t fall_index(const struct curves *t, const struct cprof_reuse *r)
{
    return r->kind * (t->n_sizes + 1) + (r->size ? size_index(t, r->size) : t->n_sizes);
}

static void add_reuses(struct loader *l)
{
    struct curves *t = l->to;
    const struct cprof_profile *p = t->profile;

    for (uint32_t i = 0; i < p->n_reuses; i++) {
        const struct cprof_reuse *r = &p->reuses[i];
        size_t at = fall_index(t, r);
        struct curve *c = &t->functions[l->numbers[owner(l, &r->place, r->context)] - 1];

        c->falls[at] += (int64_t)r->misses;
        t->program.falls[at] += (int64_t)r->misses;
    }
}

static int64_t last_misses(const struct loader *l, const int64_t *values)
{
    int64_t sum = 0;

    for (int kind = 0; kind < CPROF_REUSE_KINDS; kind++)
        if (l->last[kind] != CPROF_NONE)
            count_add(&sum, values[l->last[kind]]);
    return sum;
}

static void add_simulated_to(struct loader *l, uint32_t function, int64_t misses)
{
    if (l->numbers[function])
        count_add(&l->to->functions[l->numbers[function] - 1].simulated, misses);
}

static void add_simulated(struct loader *l)
{
    const struct cprof_profile *p = l->to->profile;

    for (uint32_t i = 0; i < p->n_contexts; i++)
        for (uint32_t k = 0; k < p->contexts[i].n_costs; k++) {
            uint32_t at = p->contexts[i].first_cost + k;

            add_simulated_to(l, owner(l, &p->context_costs[at], i),
                             last_misses(l, cprof_context_values(p, at)));
        }
    for (uint32_t i = 0; i < p->n_costs && !p->n_contexts; i++)
        add_simulated_to(l, p->costs[i].function, last_misses(l, cprof_cost_values(p, i)));
    l->to->program.simulated = last_misses(l, p->totals);
}

/* True where the profile's misses of the first level are those of its curves. */
static bool has_all_misses(const struct curves *t)
{
    static const char *const names[] = {"I1mr", "D1mr", "D1mw"};
    int64_t sum = 0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t event = cprof_find_event(t->profile, names[i]);

        if (event != CPROF_NONE)
            count_add(&sum, t->profile->totals[event]);
    }
    return sum == t->program.all;
}

static void add_up(const struct curves *t, struct curve *c)
{
    for (size_t i = 0; i < CPROF_REUSE_KINDS * (t->n_sizes + 1); i++)
        c->all += c->falls[i];
    c->first = curve_misses(t, c, t->n_sizes - 1);
}

/*--- Data ---*/

static void make_data(struct curves *t)
{
    size_t width = CPROF_REUSE_KINDS * (t->n_sizes + 1);

    t->n_data = t->rows.n;
    t->data = xcalloc(t->n_data + 1, sizeof *t->data);
    t->data_falls = xcalloc((t->n_data + 1) * width, sizeof *t->data_falls);
    for (size_t i = 0; i < t->n_data; i++)
        t->data[i] = (struct curve){
            .function = CPROF_NONE, .row = &t->rows.rows[i], .falls = t->data_falls + i * width};
}

static void load_data(struct curves *t, const struct callers *callers)
{
    const struct cprof_profile *p = t->profile;
    uint32_t *row_of_datum;

    if (!p->n_data_reuses)
        return;
    t->rows.profile = p;
    row_of_datum = data_table_rows(&t->rows, callers);
    make_data(t);
    for (uint32_t i = 0; i < p->n_data_reuses; i++) {
        const struct cprof_reuse *r = &p->data_reuses[i];

        t->data[row_of_datum[r->datum]].falls[fall_index(t, r)] += (int64_t)r->misses;
    }
    for (uint32_t i = 0; i < p->n_touches; i++) {
        const struct cprof_touch *touch = &p->touches[i];

        t->data[row_of_datum[touch->datum]].simulated +=
            (int64_t)(touch->misses[CPROF_DLMR] + touch->misses[CPROF_DLMW]);
    }
    free(row_of_datum);
}

/*--- The whole ---*/

static int by_fall(const void *a, const void *b)
{
    const struct curve *x = a, *y = b;
    int64_t of_x = x->all - x->first, of_y = y->all - y->first;

    COMPARE(of_y, of_x);
    COMPARE(y->first, x->first);
    COMPARE(x->function, y->function);
    return x->row < y->row ? -1 : x->row > y->row;
}

static void make_functions(struct loader *l)
{
    struct curves *t = l->to;
    size_t width = CPROF_REUSE_KINDS * (t->n_sizes + 1);

    t->functions = xcalloc(t->n + 1, sizeof *t->functions);
    t->falls = xcalloc((t->n + 1) * width, sizeof *t->falls);
    t->program = (struct curve){.function = CPROF_NONE, .falls = t->falls + t->n * width};
    for (uint32_t f = 0; f < t->profile->n_functions; f++)
        if (l->numbers[f])
            t->functions[l->numbers[f] - 1] =
                (struct curve){.function = f, .falls = t->falls + (l->numbers[f] - 1) * width};
}

void curves_load(struct curves *t, const struct callers *callers)
{
    const struct cprof_profile *p = callers->profile;
    static const char *const last[CPROF_REUSE_KINDS] = {"ILmr", "DLmr", "DLmw"};
    struct loader l = {.to = t, .callers = callers};

    *t = (struct curves){.profile = p, .n_sizes = p->n_curve_sizes};
    l.numbers = xcalloc(p->n_functions + (size_t)1, sizeof *l.numbers);
    for (int kind = 0; kind < CPROF_REUSE_KINDS; kind++)
        l.last[kind] = cprof_find_event(p, last[kind]);
    find_functions(&l);
    make_functions(&l);
    add_reuses(&l);
    add_simulated(&l);
    add_up(t, &t->program);
    for (size_t i = 0; i < t->n; i++)
        add_up(t, &t->functions[i]);
    if (t->n)
        sort_items(t->functions, t->n, sizeof *t->functions, by_fall);
    load_data(t, callers);
    for (size_t i = 0; i < t->n_data; i++)
        add_up(t, &t->data[i]);
    if (t->n_data)
        sort_items(t->data, t->n_data, sizeof *t->data, by_fall);
    t->has_simulated = has_all_misses(t);
    t->simulated_size = t->n_sizes;
    for (uint32_t i = 0; i < p->n_caches && t->has_simulated; i++)
        if (!strcmp(p->caches[i].name, "LL")) {
            t->simulated_cache = &p->caches[i];
            t->simulated_size = size_index(t, p->caches[i].size);
        }
    free(l.numbers);
}

static bool is_left(const void *item, const void *filter)
{
    const struct curve *c = item;

    return c->row ? data_row_matches(c->row, filter) : name_filter_finds(filter, c->function);
}

void curves_filter(struct curves *t, const regex_t *filter)
{
    const struct name_filter f = {t->profile, filter};

    t->n = array_partition(t->functions, t->n, sizeof *t->functions, is_left, &f);
    if (t->n_data)
        t->n_data = array_partition(t->data, t->n_data, sizeof *t->data, is_left, &f);
}

void curves_free(struct curves *t)
{
    free(t->functions);
    free(t->falls);
    free(t->data);
    free(t->data_falls);
    data_table_free(&t->rows);
}
