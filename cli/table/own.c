#include <config.h>

#include "table/own.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "calls/graph.h"
#include "calls/recursion.h"
#include "names/object_name.h"
#include "table/search.h"
#include "table/share.h"

#include <stdlib.h>
#include <string.h>

/*--- Lines ---*/

/* A line of own code. */
struct own_line {
    uint32_t function; /* CPROF_NONE: no own code */
    uint32_t file;
    uint32_t line; /* of no own code: enum blame_outside */
};

/* The cost of other crates' functions for a line. */
struct charge {
    uint64_t row, key; /* blame_charge_key() */
};

/* Keys, each with a row of counts. */
struct keyed_counts {
    struct map map;
    uint32_t n;
    size_t key_size, width; /* bytes of a key, counts of a row */
    unsigned char *keys;
    int64_t *counts;
};

struct maker {
    const struct cprof_profile *profile;
    const struct paths *paths;
    const struct crates *crates;
    const bool *own; /* of each function */
    bool *merged;    /* of each context: own code inlined into own code, and charged to that; NULL:
                        none is */
    struct keyed_counts lines, charges;
    struct blame_charge *charged; /* of each of `charges`, what it is of */
    struct purposes purposes;
    unsigned char *purpose;   /* of each context: enum purpose, of code below own code */
    struct own_line *callers; /* of each context: the line that is charged with its cost */
    uint32_t *named;          /* of each context: the function that is named for its cost; NULL: the
                                 one that has it */
};

/*--- Sums ---*/

static int equal_key(const void *owner, uint32_t index, const void *key)
{
    const struct keyed_counts *s = owner;

    return !memcmp(s->keys + index * s->key_size, key, s->key_size);
}

/* The row of a key. It is made where the key is seen for the first time. */
static uint32_t row_of(struct keyed_counts *s, const void *key)
{
    uint32_t hash = map_hash_bytes(key, s->key_size, 0);
    uint32_t row = map_find(&s->map, hash, equal_key, s, key);

    if (row != MAP_NONE)
        return row;
    if ((s->n & (s->n - 1)) == 0) { /* room is the next power of two */
        size_t room = s->n ? 2 * (size_t)s->n : 1;

        s->keys = xreallocarray(s->keys, room, s->key_size);
        s->counts = xreallocarray(s->counts, room * s->width, sizeof *s->counts);
    }
    memcpy(s->keys + s->n * s->key_size, key, s->key_size);
    memset(s->counts + s->n * s->width, 0, s->width * sizeof *s->counts);
    memory_check(map_add(&s->map, hash, s->n));
    return s->n++;
}

static int64_t *counts_of(struct keyed_counts *s, uint32_t row)
{
    return s->counts + row * s->width;
}

/*--- Charging ---*/

static bool is_own(const struct maker *m, uint32_t function)
{
    return m->own[function];
}

/* True where a context is own code that has rows. */
static bool is_own_context(const struct maker *m, uint32_t context)
{
    return is_own(m, m->paths->contexts[context].function) && !(m->merged && m->merged[context]);
}

/* Finds own code that is inlined into other own code, directly or through others' code. */
static void find_merged(struct maker *m)
{
    const struct paths *p = m->paths;
    bool *below = xcalloc((size_t)p->n + 1, sizeof *below); /* own code, in its function */

    m->merged = xcalloc((size_t)p->n + 1, sizeof *m->merged);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct cprof_context *c = &p->contexts[i];

        below[i] = c->inlined && c->parent != CPROF_NONE && below[c->parent];
        m->merged[i] = below[i] && is_own(m, c->function);
        below[i] |= is_own(m, c->function);
    }
    free(below);
}

/* The line that own code spent a cost at. A line in a file of another crate is inlined code that
 * debug information does not tell apart: the function's definition stands for it. */
static struct own_line line_of_cost(const struct maker *m, const struct cprof_cost *cost)
{
    const struct cprof_function *f = &m->profile->functions[cost->function];

    if (cost->file != CPROF_NONE && m->crates->own_file[cost->file])
        return (struct own_line){cost->function, cost->file, cost->line};
    return (struct own_line){cost->function, f->file, f->line};
}

static void charge_own(struct maker *m, const struct cprof_cost *cost, const int64_t *values)
{
    uint32_t n = m->profile->n_events;
    struct own_line line = line_of_cost(m, cost);
    int64_t *counts = counts_of(&m->lines, row_of(&m->lines, &line));

    counts_add(counts, values, n);
    counts_add(counts + 2 * (size_t)n, values, n);
}

/* Takes a charge of the same key into another, but for the counts: what differs is not known. */
static void blame_join_charge(struct blame_charge *charge, const struct blame_charge *more)
{
    if (charge->function != more->function)
        charge->function = CPROF_NONE;
    if (charge->object != more->object)
        charge->object = CPROF_NONE;
    if (charge->crate != more->crate)
        charge->crate = NULL;
    if (charge->owner != more->owner)
        charge->owner = OWNER_NONE;
}

/* The number of a row's charge for what `function` cost. */
static uint32_t charge_of(struct maker *m, uint32_t row, uint32_t function, enum purpose purpose)
{
    struct charge key = {row, blame_charge_key(purpose, function)};
    uint32_t n = m->charges.n, i = row_of(&m->charges, &key);
    struct blame_charge charge = {.row = row,
                                  .function = function,
                                  .object = m->profile->functions[function].object,
                                  .purpose = purpose,
                                  .crate = crates_of(m->crates, function),
                                  .owner = crates_owner(m->crates, function)};

    if (i == n) {
        if ((n & (n - 1)) == 0)
            m->charged = xreallocarray(m->charged, n ? 2 * (size_t)n : 1, sizeof *m->charged);
        m->charged[i] = charge;
    }
    blame_join_charge(&m->charged[i], &charge);
    return i;
}

static void charge_other(struct maker *m, const struct own_line *line, uint32_t function,
                         enum purpose purpose, const int64_t *values)
{
    uint32_t n = m->profile->n_events, row = row_of(&m->lines, line);
    int64_t *counts = counts_of(&m->lines, row);

    counts_add(counts, values, n);
    counts_add(counts + n, values, n);
    counts_add(counts_of(&m->charges, charge_of(m, row, function, purpose)), values, n);
}

/* Code without own code above it, in the tree of `root`. */
static struct own_line outside_of(const struct maker *m, const struct cprof_context *root)
{
    const struct cprof_function *f = &m->profile->functions[root->function];
    bool first = f->object != CPROF_NONE || f->name[0] != '[' || root_is_first_thread(f);

    return (struct own_line){CPROF_NONE, CPROF_NONE, !first ? BLAME_ELSEWHERE : BLAME_FIRST_THREAD};
}

/* The line that is charged with the cost of context `c`, where its function is not own code. */
static struct own_line caller_of(const struct maker *m, const struct cprof_context *c)
{
    uint32_t parent;

    if (root_is_cut(&m->profile->functions[c->function]))
        return (struct own_line){CPROF_NONE, CPROF_NONE, BLAME_CUT};
    if (c->parent == CPROF_NONE)
        return outside_of(m, c);
    parent = m->paths->contexts[c->parent].function;
    if (!is_own_context(m, c->parent))
        return m->callers[c->parent];
    if (c->site_file == CPROF_NONE) /* a jump, which has no line */
        return (struct own_line){parent, m->profile->functions[parent].file, 0};
    return (struct own_line){parent, c->site_file, c->site_line};
}

/* True for code that every thread begins with. */
static bool is_common(const struct maker *m, uint32_t function)
{
    const struct cprof_function *f = &m->profile->functions[function];

    return m->crates->owner[function] == OWNER_STD || f->object == CPROF_NONE ||
           crates_is_libc(m->profile->objects[f->object].path);
}

/* The function that stands for context `i`, which is not own code: of the path below own code the
 * first, and of another thread's the first that is of a crate. */
static uint32_t named_for(const struct maker *m, uint32_t i)
{
    const struct cprof_context *c = &m->paths->contexts[i];
    uint32_t above = c->parent;

    if (above == CPROF_NONE || is_own_context(m, above))
        return c->function;
    if (m->callers[i].function == CPROF_NONE && is_common(m, m->named[above]) &&
        !is_common(m, c->function))
        return c->function;
    return m->named[above];
}

/* True where the functions that have the costs of a line are not what is of interest. */
static bool is_named_above(const struct maker *m, const struct own_line *line)
{
    return line->function == CPROF_NONE ? line->line == BLAME_ELSEWHERE
                                        : share_is_of_waits(m->profile);
}

/* The purpose of context `i`, which is not own code, on its path below own code. */
static enum purpose purpose_of_context(const struct maker *m, uint32_t i)
{
    const struct cprof_context *c = &m->paths->contexts[i];
    uint32_t above = c->parent;

    if (above == CPROF_NONE || is_own(m, m->paths->contexts[above].function))
        return purpose_below(&m->purposes, c->function, CPROF_NONE, PURPOSE_NONE);
    return purpose_below(&m->purposes, c->function, m->paths->contexts[above].function,
                         (enum purpose)m->purpose[above]);
}

/* The purpose of a cost of context `i`, which may be of a function without a context. */
static enum purpose purpose_of_cost(const struct maker *m, uint32_t i, uint32_t function)
{
    uint32_t caller = m->paths->contexts[i].function;

    return function == caller
               ? (enum purpose)m->purpose[i]
               : purpose_below(&m->purposes, function, caller, (enum purpose)m->purpose[i]);
}

/* Without call paths: own code has its own costs, and all else is charged to nobody. */
static void charge_functions(struct maker *m)
{
    const struct cprof_profile *p = m->profile;
    const struct own_line nobody = {CPROF_NONE, CPROF_NONE, BLAME_FIRST_THREAD};

    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *cost = &p->costs[i];

        if (is_own(m, cost->function))
            charge_own(m, cost, cprof_cost_values(p, i));
        else
            charge_other(m, &nobody, cost->function,
                         (enum purpose)m->purposes.of_function[cost->function],
                         cprof_cost_values(p, i));
    }
}

/* Charges a cost of context `i` that is not own code's. */
static void charge_context(struct maker *m, uint32_t i, uint32_t function, const int64_t *values)
{
    const struct cprof_context *c = &m->paths->contexts[i];
    const struct own_line here = {c->function, m->profile->functions[c->function].file, 0};
    const struct own_line *line = is_own_context(m, i) ? &here : &m->callers[i];

    if (line != &here && is_named_above(m, line))
        charge_other(m, line, m->named[i], PURPOSE_NONE, values);
    else
        charge_other(m, line, function, purpose_of_cost(m, i, function), values);
}

static void charge_all(struct maker *m)
{
    const struct paths *p = m->paths;

    if (!p->n) {
        charge_functions(m);
        return;
    }
    m->callers = xreallocarray(NULL, p->n, sizeof *m->callers);
    m->named = xreallocarray(NULL, p->n, sizeof *m->named);
    m->purpose = xcalloc(p->n, sizeof *m->purpose);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct cprof_context *c = &p->contexts[i];

        m->callers[i] = caller_of(m, c);
        m->named[i] = named_for(m, i);
        if (!is_own(m, c->function))
            m->purpose[i] = (unsigned char)purpose_of_context(m, i);
        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++) {
            const struct cprof_cost *cost = &p->costs[k];
            const int64_t *values = paths_values(p, k);

            if (is_own(m, cost->function) && !(m->merged && m->merged[i]))
                charge_own(m, cost, values);
            else
                charge_context(m, i, cost->function, values);
        }
    }
}

/*--- Rows ---*/

static void describe(struct row *row, const struct maker *m, const struct own_line *line,
                     const struct row *function)
{
    const struct cprof_profile *p = m->profile;

    if (line->function == CPROF_NONE) {
        *row = (struct row){.name =
                                blame_outside_name(m->paths->known, (enum blame_outside)line->line),
                            .line = line->line,
                            .function = CPROF_NONE};
        return;
    }
    if (function) {
        *row = *function;
    } else { /* the function has no cost, and only calls others */
        *row = (struct row){.name = p->functions[line->function].name, .function = line->function};
    }
    row->crate = crates_of(m->crates, line->function);
    row->owner = m->crates->owner[line->function];
    row->file = line->file == CPROF_NONE ? NULL : p->files[line->file];
    row->line = line->line;
    row->instances = row->inlined = 0; /* those are the function's, not the line's */
    row->bound = BOUND_EXACT;
}

static void make_rows(struct maker *m, struct rows *rows)
{
    const struct cprof_profile *p = m->profile;
    const struct row **by_function = xcalloc(p->n_functions, sizeof *by_function);
    struct rows functions;

    rows_load(&functions, p);
    for (size_t i = 0; i < functions.n; i++)
        by_function[functions.items[i].function] = &functions.items[i];
    *rows = (struct rows){.profile = p, .n = m->lines.n, .n_all = m->lines.n};
    rows->items = xcalloc(rows->n, sizeof *rows->items);
    rows->counts = m->lines.counts;
    rows->totals = xcalloc(m->lines.width, sizeof *rows->totals);
    for (size_t i = 0; i < 3; i++) /* each share is one of the whole program */
        memcpy(rows->totals + i * p->n_events, p->totals, p->n_events * sizeof *p->totals);
    for (uint32_t i = 0; i < m->lines.n; i++) {
        struct own_line line;

        memcpy(&line, m->lines.keys + i * m->lines.key_size, sizeof line);
        describe(&rows->items[i], m, &line,
                 line.function == CPROF_NONE ? NULL : by_function[line.function]);
        rows->items[i].counts = counts_of(&m->lines, i);
    }
    rows_free(&functions);
    free(by_function);
}

const char *blame_charge_name(const struct cprof_profile *p, const struct blame_charge *charge)
{
    return charge->function == CPROF_NONE ? purpose_name(charge->purpose)
                                          : p->functions[charge->function].name;
}

const char *blame_outside_name(bool paths, enum blame_outside outside)
{
    if (outside == BLAME_CUT)
        return CPROF_STACK_CUT;
    if (outside == BLAME_ELSEWHERE)
        return "[not charged]";
    return paths ? "[before and after main]" : "[other code]";
}

/* Compares charges by their keys. */
static int blame_compare_keys(const struct blame_charge *a, const struct blame_charge *b)
{
    uint64_t x = blame_charge_key(a->purpose, a->function);
    uint64_t y = blame_charge_key(b->purpose, b->function);

    return (x > y) - (x < y);
}

/* Orders charges by their rows, those of one row by the measure, if not NULL, and by their keys. */
static int compare_charges(const void *a, const void *b, void *measure)
{
    const struct blame_charge *x = a, *y = b;
    int64_t x_value, y_value;

    COMPARE(x->row, y->row);
    x_value = measure ? column_value(measure, x->counts) : 0;
    y_value = measure ? column_value(measure, y->counts) : 0;
    COMPARE(y_value, x_value);
    return blame_compare_keys(x, y);
}

static void make_charges(struct maker *m, struct blame *b, size_t n_rows)
{
    *b = (struct blame){.n_charges = m->charges.n, .counts = m->charges.counts};
    b->charges = m->charged;
    m->charged = NULL;
    b->first = xcalloc(n_rows + 1, sizeof *b->first);
    for (uint32_t i = 0; i < m->charges.n; i++) {
        b->charges[i].counts = counts_of(&m->charges, i);
        b->first[b->charges[i].row + 1]++;
    }
    for (size_t i = 0; i < n_rows; i++)
        b->first[i + 1] += b->first[i];
    blame_sort(b, NULL);
}

/*--- Bounds ---*/

struct bound_finder {
    struct maker *maker;
    struct rows *rows;
    uint32_t *first, *next; /* recursion_inlined() */
};

/* Marks the line that a call leads back to, from own code to other code above it. */
static size_t use_call(const struct recursive_call *call, void *context)
{
    const struct bound_finder *d = context;
    const struct paths *p = d->maker->paths;
    struct own_line *line = &d->maker->callers[call->to];
    bool through_own = false;
    size_t steps = 1;

    if (is_own(d->maker, p->contexts[call->to].function))
        return steps;
    for (uint32_t c = call->from; c != call->to && !through_own; c = p->contexts[c].parent) {
        through_own = is_own(d->maker, p->contexts[c].function);
        steps++;
    }
    for (uint32_t c = d->first[call->from]; c != CPROF_NONE && !through_own; c = d->next[c]) {
        through_own = is_own(d->maker, p->contexts[c].function);
        steps++;
    }
    if (through_own) {
        uint32_t row = map_find(&d->maker->lines.map, map_hash_bytes(line, sizeof *line, 0),
                                equal_key, &d->maker->lines, line);

        if (row != MAP_NONE)
            d->rows->items[row].bound = BOUND_LEAST;
    }
    return steps;
}

static void find_bounds(struct maker *m, struct rows *rows)
{
    struct bound_finder d = {.maker = m, .rows = rows};
    bool all = recursion_is_unknown(m->profile);

    if (!m->paths->known || !memchr(m->own, true, m->profile->n_functions))
        return; /* nothing is charged with what calls cost */
    if (!all) {
        recursion_inlined(m->profile, &d.first, &d.next);
        all = !recursion_each(m->profile, use_call, &d);
        free(d.first);
        free(d.next);
    }
    for (size_t i = 0; i < rows->n && all; i++)
        rows->items[i].bound = BOUND_LEAST;
}

void blame_load(struct blame *blame, struct rows *rows, struct paths paths,
                const struct crates *crates, const bool *own, bool compiled)
{
    const struct cprof_profile *p = paths.profile;
    struct maker m = {
        .profile = p,
        .paths = &paths,
        .crates = crates,
        .own = own,
        .lines = {.key_size = sizeof(struct own_line), .width = 3 * (size_t)p->n_events},
        .charges = {.key_size = sizeof(struct charge), .width = p->n_events},
    };

    purposes_load(&m.purposes, p, crates);
    if (compiled)
        find_merged(&m);
    charge_all(&m);
    make_rows(&m, rows);
    make_charges(&m, blame, rows->n);
    find_bounds(&m, rows);
    free(m.callers);
    free(m.named);
    free(m.purpose);
    purposes_free(&m.purposes);
    free(m.merged);
    free(m.lines.keys);
    free(m.charges.keys);
    map_release(&m.lines.map);
    map_release(&m.charges.map);
}

void blame_sort(struct blame *blame, const struct column *measure)
{
    if (blame->n_charges)
        qsort_r(blame->charges, blame->n_charges, sizeof *blame->charges, compare_charges,
                (void *)measure);
}

void blame_free(struct blame *blame)
{
    free(blame->charges);
    free(blame->first);
    free(blame->counts);
    *blame = (struct blame){.n_charges = 0};
}

const struct blame_charge *blame_charges(const struct blame *blame, const struct rows *rows,
                                         const struct row *row, size_t *n)
{
    size_t index = (size_t)(row->counts - rows->counts) / (3 * (size_t)rows->profile->n_events);

    *n = blame->first[index + 1] - blame->first[index];
    return blame->charges + blame->first[index];
}

/*--- Functions ---*/

static const int64_t *own_counts_of(const struct own *o, size_t function)
{
    return o->counts + function * 3 * o->profile->n_events;
}

/* Makes `items_of` the index of each function's item, and adds up its lines. */
static void add_lines(struct own *o, uint32_t *items_of)
{
    size_t n_events = o->profile->n_events, width = 3 * n_events;

    o->items = xcalloc(o->lines.n, sizeof *o->items);
    o->counts = xcalloc(o->lines.n * width, sizeof *o->counts);
    for (size_t i = 0; i < o->lines.n; i++) {
        const struct row *line = &o->lines.items[i];

        if (line->function == CPROF_NONE) {
            counts_add(o->outside[line->line], line->counts, n_events);
            continue;
        }
        if (items_of[line->function] == CPROF_NONE) {
            items_of[line->function] = (uint32_t)o->n;
            o->items[o->n++] = (struct own_function){.row = *line};
        }
        counts_add(o->counts + items_of[line->function] * width, line->counts, width);
        counts_add(o->charged, line->counts, n_events);
    }
    for (size_t i = 0; i < o->n; i++) {
        o->items[i].charged = own_counts_of(o, i);
        o->items[i].foreign = o->items[i].charged + n_events;
        o->items[i].self = o->items[i].foreign + n_events;
    }
}

/* True where `a` is the better place to show: a line that is known, then the costlier one, then the
 * first. */
static bool is_better_line(const struct row *a, const struct row *b, const struct column *measure)
{
    int64_t x = column_value(measure, a->counts), y = column_value(measure, b->counts);

    if ((a->line != 0) != (b->line != 0))
        return a->line != 0;
    if (x != y)
        return x > y;
    return a->line != b->line ? a->line < b->line
                              : strcmp(a->file ? a->file : "", b->file ? b->file : "") < 0;
}

static void find_places(struct own *o, const uint32_t *items_of, const struct column *measure)
{
    const struct row **best = xcalloc(o->n, sizeof *best);

    for (size_t i = 0; i < o->lines.n; i++) {
        const struct row *line = &o->lines.items[i];
        uint32_t function = line->function == CPROF_NONE ? CPROF_NONE : items_of[line->function];

        if (function == CPROF_NONE)
            continue;
        if (!best[function] || is_better_line(line, best[function], measure))
            best[function] = line;
        if (line->bound != BOUND_EXACT)
            o->items[function].row.bound = line->bound;
    }
    for (size_t i = 0; i < o->n; i++) {
        o->items[i].row.file = best[i]->file;
        o->items[i].row.line = best[i]->line;
        o->items[i].line_charged = best[i]->counts;
    }
    free(best);
}

/* Finds who ran in other threads without own code. */
static void find_elsewhere(struct own *o, const struct column *measure)
{
    blame_sort(&o->blame, measure);
    for (size_t i = 0; i < o->lines.n; i++) {
        const struct row *line = &o->lines.items[i];

        if (line->function == CPROF_NONE && line->line == BLAME_ELSEWHERE)
            o->elsewhere = blame_charges(&o->blame, &o->lines, line, &o->n_elsewhere);
    }
}

static void find_inclusive(struct own *o, const uint32_t *items_of)
{
    bool known = graph_is_known(o->profile);

    rows_load(&o->functions, o->profile);
    o->row_of = rows_of_functions(&o->functions);
    for (size_t i = 0; i < o->functions.n && known; i++) {
        const struct row *row = &o->functions.items[i];

        if (items_of[row->function] == CPROF_NONE)
            continue;
        o->items[items_of[row->function]].inclusive = row->counts + o->profile->n_events;
        o->items[items_of[row->function]].inclusive_bound = row->bound;
    }
}

/*--- Charges ---*/

/* The charges of all lines, by the item and the function or purpose; how many. */
static size_t collect_charges(struct own *o, const uint32_t *items_of)
{
    size_t n = 0;

    o->charges = xcalloc(o->blame.n_charges, sizeof *o->charges);
    for (size_t i = 0; i < o->blame.n_charges; i++) {
        struct blame_charge charge = o->blame.charges[i];
        uint32_t function = o->lines.items[charge.row].function;

        if (function == CPROF_NONE)
            continue;
        charge.row = items_of[function];
        o->charges[n++] = charge;
    }
    if (n)
        qsort_r(o->charges, n, sizeof *o->charges, compare_charges, NULL);
    return n;
}

/* Makes the charges of one function, or purpose, to one item a single one. Each item's begin at
 * `charges`. */
static void add_charges(struct own *o, const uint32_t *items_of, const struct column *measure)
{
    size_t n = collect_charges(o, items_of), n_events = o->profile->n_events, kept = 0;

    o->charge_counts = xcalloc(n * n_events, sizeof *o->charge_counts);
    for (size_t i = 0; i < n; i++) {
        struct blame_charge charge = o->charges[i];
        struct own_function *f = &o->items[charge.row];

        if (!f->n_charges)
            f->charges = &o->charges[kept];
        if (!f->n_charges || blame_compare_keys(&o->charges[kept - 1], &charge) != 0) {
            o->charges[kept] = charge;
            o->charges[kept].counts = o->charge_counts + kept * n_events;
            f->n_charges++;
            kept++;
        }
        blame_join_charge(&o->charges[kept - 1], &charge);
        counts_add(o->charge_counts + (kept - 1) * n_events, charge.counts, n_events);
    }
    for (size_t i = 0; i < o->n; i++)
        if (o->items[i].n_charges)
            qsort_r((struct blame_charge *)o->items[i].charges, o->items[i].n_charges,
                    sizeof *o->charges, compare_charges, (void *)measure);
}

/*--- Order ---*/

struct order {
    const struct column *measure;
    bool inclusive;
};

static int compare_items(const void *a, const void *b, void *data)
{
    const struct own_function *x = a, *y = b;
    const struct order *order = data;
    bool inclusive = order->inclusive && x->inclusive && y->inclusive;
    int64_t x_value = column_value(order->measure, inclusive ? x->inclusive : x->charged);
    int64_t y_value = column_value(order->measure, inclusive ? y->inclusive : y->charged);
    int by_name;

    COMPARE(y_value, x_value);
    by_name = strcmp(x->row.name, y->row.name);
    return by_name ? by_name
                   : (x->row.function > y->row.function) - (x->row.function < y->row.function);
}

void own_load(struct own *o, struct paths paths, const struct crates *crates, const bool *own,
              const struct column *measure, bool inclusive)
{
    const struct cprof_profile *p = paths.profile;
    uint32_t *items_of = xreallocarray(NULL, p->n_functions, sizeof *items_of);
    struct order order = {measure, inclusive};

    *o = (struct own){.profile = p, .paths = paths.known};
    o->charged = xcalloc((1 + BLAME_OUTSIDES) * (size_t)p->n_events, sizeof *o->charged);
    for (size_t which = 0; which < BLAME_OUTSIDES; which++)
        o->outside[which] = o->charged + (1 + which) * p->n_events;
    for (uint32_t i = 0; i < p->n_functions; i++)
        items_of[i] = CPROF_NONE;
    blame_load(&o->blame, &o->lines, paths, crates, own, false);
    add_lines(o, items_of);
    find_places(o, items_of, measure);
    find_inclusive(o, items_of);
    find_elsewhere(o, measure);
    add_charges(o, items_of, measure);
    if (o->n)
        qsort_r(o->items, o->n, sizeof *o->items, compare_items, &order);
    free(items_of);
}

/* The text that tells a function from others that look the same, "#2"; "": it need not be told. */
static const char *own_tag(const struct own *o, uint32_t function)
{
    uint32_t row = o->row_of[function];

    return row == CPROF_NONE ? "" : o->functions.items[row].tag;
}

char *own_charge_name(const struct own *o, const struct blame_charge *charge)
{
    const char *name = blame_charge_name(o->profile, charge), *tag;
    const struct cprof_function *f;
    char *plain, *label;

    if (charge->function == CPROF_NONE)
        return xstrdup(name);
    f = &o->profile->functions[charge->function];
    tag = own_tag(o, charge->function);
    plain = f->object != CPROF_NONE && crates_is_libc(o->profile->objects[f->object].path)
                ? libc_plain_name(name)
                : xstrdup(name);
    label = xasprintf("%s%s%s", plain, *tag ? " " : "", tag);
    free(plain);
    return label;
}

char *own_search_text(const struct own *o, const struct row *row, size_t width)
{
    uint32_t index = o->row_of[row->function];

    return index == CPROF_NONE ? row_label(row, false, NULL)
                               : search_text(&o->functions, &o->functions.items[index], width);
}

static bool name_matches(const void *item, const void *filter)
{
    const struct row *row = &((const struct own_function *)item)->row;

    return rows_name_matches(row->name, row->mangled, filter);
}

size_t own_filter(struct own *own, const regex_t *filter)
{
    return array_partition(own->items, own->n, sizeof *own->items, name_matches, filter);
}

void own_free(struct own *o)
{
    free(o->row_of);
    rows_free(&o->lines);
    rows_free(&o->functions);
    blame_free(&o->blame);
    free(o->items);
    free(o->charged);
    free(o->charges);
    free(o->counts);
    free(o->charge_counts);
    *o = (struct own){.n = 0};
}
