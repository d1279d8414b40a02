#include <config.h>

#include "diff/time_rows.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "cprof_internal.h"
#include "diff/matching.h"
#include "diff/same_program.h"
#include "names/object_name.h"
#include "table/own.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *text;
} events[] = {[TIME_D1] = {"D1m", "D1 misses"},
              [TIME_LL] = {"DLm", "last-level misses"},
              [TIME_BRANCH] = {"Bm", "mispredicted branches"}};

const char *time_event_name(enum time_event event)
{
    return events[event].name;
}

const char *time_event_text(enum time_event event)
{
    return events[event].text;
}

char *time_problem(const struct cprof_profile *exact, const struct cprof_profile *sampled)
{
    if (!share_is_sampled(sampled))
        return xasprintf("'%s' has no samples; the second profile is one of samples",
                         sampled->source);
    if (share_is_sampled(exact) || cprof_find_event(exact, "Ir") == CPROF_NONE)
        return xasprintf("'%s' does not count instructions (Ir); the first profile is an exact one",
                         exact->source);
    if (exact->totals[cprof_find_event(exact, "Ir")] <= 0 || sampled->totals[0] <= 0)
        return xasprintf("nothing was counted in '%s'",
                         sampled->totals[0] <= 0 ? sampled->source : exact->source);
    return NULL;
}

/* The samples that the row's instructions explain. */
static double time_explained(const struct time_table *t, const struct time_row *row)
{
    return (double)t->counted_samples * (double)row->instructions / (double)t->total.instructions;
}

double time_extra(const struct time_table *t, const struct time_row *row)
{
    return (double)row->samples - time_explained(t, row);
}

double time_slowness(const struct time_table *t, const struct time_row *row)
{
    double explained = time_explained(t, row);

    return explained > 0 ? (double)row->samples / explained : 0;
}

double time_of_instruction(const struct time_table *t, const struct time_row *row)
{
    return row->instructions > 0 ? (double)row->samples * t->of_sample / (double)row->instructions
                                 : 0;
}

/* Processors of today do four instructions a cycle where nothing holds them up, and have about
 * three cycles a nanosecond. */
enum time_speed time_speed(const struct time_table *t, const struct time_row *row)
{
    static const double least[] = {[TIME_NS] = 0.2, [TIME_CYCLES] = 0.7};
    struct share_interval share = share_interval(row->samples, t->total.samples, t->total.samples);
    double limit;

    if (!t->unit || row->samples < TIME_LEAST_SAMPLES || row->instructions <= 0)
        return TIME_UNKNOWN;
    /* The share of the samples from which on an instruction is slow. */
    limit = least[t->unit] * (double)row->instructions / t->of_sample / (double)t->total.samples;
    if (row->samples < TIME_SURE_SAMPLES && share.low < limit && limit <= share.high)
        return TIME_UNKNOWN;
    return share_of(row->samples, t->total.samples) >= limit ? TIME_SLOW : TIME_FAST;
}

bool time_is_noise(const struct time_table *t, const struct time_row *row)
{
    struct share_interval share = share_interval(row->samples, t->total.samples, t->total.samples);
    double explained = time_explained(t, row) / (double)t->total.samples;

    if (row->samples < TIME_LEAST_SAMPLES && time_explained(t, row) < TIME_LEAST_SAMPLES)
        return true;
    return explained >= share.low && explained <= share.high;
}

/* The extra samples that are no chance; 0 where there are none. */
static double sure_extra(const struct time_table *t, const struct time_row *row)
{
    double extra = time_is_noise(t, row) ? 0 : time_extra(t, row);

    return extra > 0 ? extra : 0;
}

/* Most extra samples first. Rows that have none, or whose extra may be chance, by what they take:
 * samples, then instructions; and as they were. */
static int compare_rows(const void *a, const void *b, void *context)
{
    const struct time_row *x = a, *y = b;
    double of_x = sure_extra(context, x), of_y = sure_extra(context, y);

    if (of_x > of_y || of_x < of_y)
        return of_x > of_y ? -1 : 1;
    COMPARE(y->samples, x->samples);
    COMPARE(y->instructions, x->instructions);
    COMPARE(y->side, x->side);
    return code_spot_compare(&x->spot, &y->spot);
}

/* Sorts the rows. */
static void time_table_sort(struct time_table *t)
{
    qsort_r(t->rows, t->n, sizeof *t->rows, compare_rows, t);
}

/* `filters`: one for each side. */
static bool is_left(const void *item, const void *filters)
{
    const struct time_row *row = item;

    return name_filter_finds((const struct name_filter *)filters + row->side, row->spot.function);
}

void time_table_filter(struct time_table *t, const regex_t *filter)
{
    const struct name_filter sides[DIFF_SIDES] = {{t->profile[DIFF_OLD], filter},
                                                  {t->profile[DIFF_NEW], filter}};

    t->n_shown = array_partition(t->rows, t->n, sizeof *t->rows, is_left, sides);
}

static void free_names(struct time_table *t)
{
    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++) {
        for (uint32_t f = 0; t->names[side] && f < t->profile[side]->n_functions; f++)
            free(t->names[side][f]);
        free(t->names[side]);
        t->names[side] = NULL;
    }
}

static char **linkage_names(const struct cprof_profile *p)
{
    char **names = xcalloc((size_t)p->n_functions + 1, sizeof *names);

    for (uint32_t f = 0; f < p->n_functions; f++)
        names[f] =
            xstrdup(p->functions[f].mangled ? p->functions[f].mangled : p->functions[f].name);
    return names;
}

void time_table_name(struct time_table *t, enum name_style style)
{
    free_names(t);
    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES && style != NAME_FULL; side++)
        t->names[side] =
            style == NAME_SHORT ? names_short(t->profile[side]) : linkage_names(t->profile[side]);
}

const char *time_row_name(const struct time_table *t, const struct time_row *row)
{
    return t->names[row->side] ? t->names[row->side][row->spot.function]
                               : t->profile[row->side]->functions[row->spot.function].name;
}

void time_table_free(struct time_table *t)
{
    free_names(t);
    columns_free(&t->columns);
    free(t->differences);
    free(t->rows);
    *t = (struct time_table){.n = 0};
}

/*--- Loading ---*/

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
        blame_load(&o->blame[side], &o->lines[side], paths[side], crates[side], o->own[side], true);
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

    COMPARE(x->row, y->row);
    COMPARE(y->side, x->side);
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
    } clocks[] = {{"cpu-clock", TIME_NS},   {"task-clock", TIME_NS}, {"cpu", TIME_NS},
                  {"time", TIME_NS},        {"cycles", TIME_CYCLES}, {"cpu-clock:u", TIME_NS},
                  {"cycles:u", TIME_CYCLES}};

    for (size_t i = 0; i < sizeof clocks / sizeof *clocks && !t->unit; i++) {
        uint32_t e = cprof_find_event(sampled, clocks[i].event);

        if (e == CPROF_NONE || sampled->totals[0] <= 0)
            continue;
        t->unit = clocks[i].unit;
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
    *l = (struct time_loader){.table = t, .instructions = cprof_find_event(exact, "Ir")};
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
