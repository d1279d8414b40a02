#include <config.h>

#include "diff/time_load.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "diff/matching.h"
#include "diff/own_views.h"
#include "diff/same_program.h"
#include "names/object_name.h"
#include "table/blame.h"
#include "table/own.h"

#include <stdlib.h>
#include <string.h>

/* A cost of one of the profiles, and the row that it belongs to. */
struct time_cost {
    enum diff_side side;
    struct code_spot spot;
    const int64_t *values; /* of all events of its profile */
    int64_t kernel;        /* of its samples, those that are not the row's but the kernel's */
    uint32_t row;
    char *key; /* of lines */
};

struct time_loader {
    struct time_table *table;
    uint32_t instructions; /* the index of Ir */
    struct time_cost *costs;
    size_t n_costs;
    uint32_t n_rows;
    uint32_t *group_of[DIFF_SIDES]; /* by function: what is the same on both sides */
    uint32_t n_groups;
};

/* The samples, or the instructions, of a cost. */
static int64_t value_of(const struct time_loader *l, const struct time_cost *c)
{
    return c->side == DIFF_OLD ? c->values[l->instructions] : c->values[0] - c->kernel;
}

static void add_values(struct time_table *t, const struct time_loader *l, const struct time_cost *c,
                       struct time_row *row)
{
    int64_t value = value_of(l, c);

    if (c->side == DIFF_NEW) {
        row->samples += value;
        row->kernel += c->kernel;
        return;
    }
    row->instructions += value;
    for (enum time_event e = 0; e < TIME_EVENTS; e++)
        if (t->event[e])
            count_add(&row->misses[e], column_value(t->event[e], c->values));
}

/*--- The same functions ---*/

static bool any_function(const void *context, enum diff_side side, uint32_t function)
{
    (void)context;
    (void)side;
    (void)function;
    return true;
}

/* The processor that Valgrind shows lacks features, so libc takes another implementation there. */
static void join_implementations(struct matching *m, const struct cprof_profile *const *p)
{
    for (size_t i = 0; i < m->n; i++) {
        struct keyed_function *f = &m->functions[i];
        uint32_t object = p[f->side]->functions[f->function].object;
        const char *path = object == CPROF_NONE ? NULL : p[f->side]->objects[object].path;
        char *plain;

        if (!path || !crates_is_libc(path))
            continue;
        plain = libc_plain_name(f->key);
        free(f->key);
        f->key = plain;
    }
}

static void match_functions(struct time_loader *l)
{
    const struct cprof_profile *const *p = l->table->profile;
    struct matching matching = {.n = 0};

    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++) {
        matching_add(&matching, p[side], side, any_function, NULL);
        l->group_of[side] = xcalloc((size_t)p[side]->n_functions + 1, sizeof *l->group_of[side]);
    }
    join_implementations(&matching, p);
    matching_group(&matching);
    for (size_t i = 0; i < matching.n; i++)
        l->group_of[matching.functions[i].side][matching.functions[i].function] =
            matching.functions[i].group;
    l->n_groups = matching.n_groups;
    matching_free(&matching);
}

/*--- Costs: of all functions ---*/

static bool is_of_kernel(const struct cprof_profile *p, uint32_t function)
{
    uint32_t object = p->functions[function].object;

    return object != CPROF_NONE && object_is_kernel(p->objects[object].path);
}

static void add_cost(struct time_loader *l, enum diff_side side, struct code_spot spot,
                     const int64_t *values)
{
    l->costs[l->n_costs++] = (struct time_cost){.side = side, .spot = spot, .values = values};
    if (side == DIFF_NEW && is_of_kernel(l->table->profile[side], spot.function))
        l->table->kernel_samples += values[0];
}

/* The costs of each context are its compiled function's: one with all that is inlined into it. */
static void add_contexts(struct time_loader *l, enum diff_side side, const struct paths *paths)
{
    uint32_t *compiled = xcalloc((size_t)paths->n + 1, sizeof *compiled);

    for (uint32_t i = 0; i < paths->n; i++) {
        const struct cprof_context *c = &paths->contexts[i];

        compiled[i] = c->inlined && c->parent != CPROF_NONE ? compiled[c->parent] : c->function;
        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++) {
            const struct cprof_cost *cost = &paths->costs[k];

            add_cost(l, side, (struct code_spot){compiled[i], cost->file, cost->line},
                     paths_values(paths, k));
        }
    }
    free(compiled);
}

/* Lines are those of the functions that they were written in, and so are functions where either
 * profile does not know what was inlined. */
static void load_costs(struct time_loader *l, bool by_line)
{
    const struct cprof_profile *const *p = l->table->profile;
    struct paths paths[DIFF_SIDES] = {profile_paths(p[DIFF_OLD]), profile_paths(p[DIFF_NEW])};
    bool compiled = !by_line && paths[DIFF_OLD].n && paths[DIFF_NEW].n;
    size_t room = 0;

    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++)
        room += compiled ? paths[side].n_costs : p[side]->n_costs;
    l->costs = xreallocarray(NULL, room + 1, sizeof *l->costs);
    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++) {
        if (compiled)
            add_contexts(l, side, &paths[side]);
        for (uint32_t i = 0; i < p[side]->n_costs && !compiled; i++) {
            const struct cprof_cost *cost = &p[side]->costs[i];

            add_cost(l, side, (struct code_spot){cost->function, cost->file, cost->line},
                     cprof_cost_values(p[side], i));
        }
    }
}

/*--- Costs: what lines of own code are charged with ---*/

/* Own code of both sides while it is loaded. */
struct own_loader {
    bool *own[DIFF_SIDES];
    struct blame blame[DIFF_SIDES];
    struct rows lines[DIFF_SIDES];
};

static int64_t kernel_of(const struct own_loader *o, const struct row *line)
{
    const struct rows *lines = &o->lines[DIFF_NEW];
    size_t n;
    const struct blame_charge *charges = blame_charges(&o->blame[DIFF_NEW], lines, line, &n);
    int64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        if (charges[i].function != CPROF_NONE && is_of_kernel(lines->profile, charges[i].function))
            sum += charges[i].counts[0];
    return sum;
}

static int compare_files(const void *a, const void *b)
{
    const char *const *x = *(const char *const *const *)a, *const *y =
                                                               *(const char *const *const *)b;

    return (*x > *y) - (*x < *y);
}

/* Pointers to a profile's files, in the order of their addresses: rows have these. */
static const char *const **sort_files(const struct cprof_profile *p)
{
    const char *const **files = xcalloc((size_t)p->n_files + 1, sizeof *files);

    for (uint32_t i = 0; i < p->n_files; i++)
        files[i] = (const char *const *)&p->files[i];
    sort_items(files, p->n_files, sizeof *files, compare_files);
    return files;
}

static uint32_t file_of(const struct cprof_profile *p, const char *const **files, const char *file)
{
    const char *const *wanted = &file, *const **found = file ? bsearch(&wanted, files, p->n_files,
                                                                       sizeof *files, compare_files)
                                                             : NULL;

    return found ? (uint32_t)(*found - (const char *const *)p->files) : CPROF_NONE;
}

static void take_line(struct time_loader *l, const struct own_loader *o, enum diff_side side,
                      const struct row *line, const char *const **files)
{
    struct time_table *t = l->table;
    struct time_cost cost = {
        .side = side,
        .spot = {line->function, file_of(o->lines[side].profile, files, line->file), line->line},
        .values = line->counts,
        .kernel = side == DIFF_NEW ? kernel_of(o, line) : 0};

    if (line->function != CPROF_NONE) {
        l->costs[l->n_costs++] = cost;
        return;
    }
    add_values(t, l, &cost, &t->outside[line->line]);
    add_values(t, l, &cost, &t->total);
}

static void load_own(struct time_loader *l, const struct crates *const crates[DIFF_SIDES],
                     struct own_loader *o)
{
    struct paths paths[DIFF_SIDES];

    /* The exact profile has all that ran. */
    own_common_functions(o->own, l->table->profile, l->group_of, l->n_groups, crates, DIFF_OLD);
    l->table->paths = own_common_paths(l->table->profile, paths);
    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++)
        blame_load_compiled(&o->blame[side], &o->lines[side], paths[side], crates[side],
                            o->own[side]);
    l->costs =
        xreallocarray(NULL, o->lines[DIFF_OLD].n + o->lines[DIFF_NEW].n + 1, sizeof *l->costs);
    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++) {
        const char *const **files = sort_files(l->table->profile[side]);

        for (size_t i = 0; i < o->lines[side].n; i++)
            take_line(l, o, side, &o->lines[side].items[i], files);
        free(files);
    }
}

static void free_own(struct own_loader *o)
{
    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++) {
        blame_free(&o->blame[side]);
        rows_free(&o->lines[side]);
        free(o->own[side]);
    }
}

/*--- Rows ---*/

static void number_functions(struct time_loader *l)
{
    for (size_t i = 0; i < l->n_costs; i++)
        l->costs[i].row = l->group_of[l->costs[i].side][l->costs[i].spot.function];
    l->n_rows = l->n_groups;
}

/* A line's key is its function's row, the last name of its file, which is all that some profiles
 * have, and its number. */
static char *line_key(const struct time_loader *l, const struct time_cost *c)
{
    const struct cprof_profile *p = l->table->profile[c->side];
    const struct code_spot *spot = &c->spot;
    const char *file = spot->file == CPROF_NONE || !spot->line ? "" : p->files[spot->file];
    const char *slash = strrchr(file, '/');

    return xasprintf("%u %s:%u", c->row, slash ? slash + 1 : file, spot->line);
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const struct time_cost *)a)->key, ((const struct time_cost *)b)->key);
}

static void number_lines(struct time_loader *l)
{
    number_functions(l);
    for (size_t i = 0; i < l->n_costs; i++)
        l->costs[i].key = line_key(l, &l->costs[i]);
    l->n_rows = 0;
    sort_items(l->costs, l->n_costs, sizeof *l->costs, compare_keys);
    for (size_t i = 0; i < l->n_costs; i++) {
        if (!i || compare_keys(&l->costs[i - 1], &l->costs[i]) != 0)
            l->n_rows++;
        l->costs[i].row = l->n_rows - 1;
    }
    for (size_t i = 0; i < l->n_costs; i++)
        free(l->costs[i].key);
}

/* By row, the sampled profile first, then by place. */
static int compare_places(const void *a, const void *b)
{
    const struct time_cost *x = a, *y = b;

    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->side != y->side)
        return x->side > y->side ? -1 : 1;
    return code_spot_compare(&x->spot, &y->spot);
}

/* Puts each row to the place that has most of it: of samples, where it has any. */
static void find_spots(struct time_loader *l)
{
    int64_t most = 0, sum = 0;

    sort_items(l->costs, l->n_costs, sizeof *l->costs, compare_places);
    for (size_t i = 0; i < l->n_costs; i++) {
        const struct time_cost *c = &l->costs[i], *last = i ? c - 1 : NULL;
        struct time_row *row = &l->table->rows[c->row];

        if (!last || last->row != c->row)
            most = 0;
        if (!last || last->row != c->row || last->side != c->side ||
            code_spot_compare(&last->spot, &c->spot) != 0)
            sum = 0;
        sum += value_of(l, c);
        if (sum > most && (!most || row->side == c->side)) {
            most = sum;
            row->side = c->side;
            row->spot = c->spot;
        }
    }
}

static void load_rows(struct time_loader *l)
{
    struct time_table *t = l->table;

    t->rows = xcalloc((size_t)l->n_rows + 1, sizeof *t->rows);
    for (size_t i = 0; i < l->n_costs; i++) {
        add_values(t, l, &l->costs[i], &t->rows[l->costs[i].row]);
        add_values(t, l, &l->costs[i], &t->total);
    }
    find_spots(l);
    for (uint32_t i = 0; i < l->n_rows; i++) {
        const struct time_row row = t->rows[i];

        if (row.instructions > 0 && !t->is_own)
            t->counted_samples += row.samples;
        if (row.instructions > 0 || row.samples > 0 || row.kernel > 0)
            t->rows[t->n++] = row;
    }
    t->n_shown = t->n;
}

/* Finds the time, or the cycles, that a sample stands for. */
static void find_unit(struct time_table *t, const struct cprof_profile *sampled)
{
    static const struct {
        const char *event;
        enum time_unit unit;
    } events[] = {{"cpu-clock", TIME_NS},   {"task-clock", TIME_NS}, {"cpu", TIME_NS},
                  {"time", TIME_NS},        {"cycles", TIME_CYCLES}, {"cpu-clock:u", TIME_NS},
                  {"cycles:u", TIME_CYCLES}};

    for (size_t i = 0; i < sizeof events / sizeof *events && !t->unit; i++) {
        uint32_t e = cprof_find_event(sampled, events[i].event);

        if (e == CPROF_NONE || sampled->totals[0] <= 0)
            continue;
        t->unit = events[i].unit;
        t->of_sample = (double)sampled->totals[e] / (double)sampled->totals[0];
    }
}

/* How the jobs differ, or the programs; NULL: as far as is known, they do not. */
static char *find_differences(const struct cprof_profile *exact,
                              const struct cprof_profile *sampled)
{
    char *x, *y, *text;

    if (same_program(exact, sampled))
        return setup_differences(exact, sampled);
    x = program_name(exact);
    y = program_name(sampled);
    text = xasprintf("program %s -> %s", x, y);
    free(x);
    free(y);
    return text;
}

static void begin(struct time_loader *l, struct time_table *t, const struct cprof_profile *exact,
                  const struct cprof_profile *sampled)
{
    *t = (struct time_table){.profile = {[DIFF_OLD] = exact, [DIFF_NEW] = sampled}};
    *l = (struct time_loader){.table = t, .instructions = time_instructions(exact)};
    columns_load(&t->columns, events_of(exact));
    for (enum time_event e = 0; e < TIME_EVENTS; e++)
        t->event[e] = columns_find(&t->columns, time_event_name(e));
    match_functions(l);
    t->differences = find_differences(exact, sampled);
    if (!t->differences)
        find_unit(t, sampled);
}

static void finish(struct time_loader *l, bool by_line)
{
    if (by_line)
        number_lines(l);
    else
        number_functions(l);
    load_rows(l);
    free(l->costs);
    free(l->group_of[DIFF_OLD]);
    free(l->group_of[DIFF_NEW]);
}

void time_table_load(struct time_table *t, const struct cprof_profile *exact,
                     const struct cprof_profile *sampled, bool by_line)
{
    struct time_loader l;

    begin(&l, t, exact, sampled);
    load_costs(&l, by_line);
    finish(&l, by_line);
    time_table_sort(t);
}

void time_table_load_own(struct time_table *t, const struct cprof_profile *exact,
                         const struct cprof_profile *sampled,
                         const struct crates *const crates[DIFF_SIDES], bool by_line)
{
    struct own_loader own = {.own = {NULL}};
    struct time_loader l;

    begin(&l, t, exact, sampled);
    t->is_own = true;
    load_own(&l, crates, &own);
    finish(&l, by_line);
    /* Other code that was counted under another name is no matter: it is charged all the same. */
    t->counted_samples = t->total.samples;
    t->kernel_samples = t->total.kernel;
    t->total.samples += t->kernel_samples;
    time_table_sort(t);
    free_own(&own);
}
