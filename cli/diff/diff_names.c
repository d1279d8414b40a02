#include <config.h>

#include "diff/diff_names.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "cprof_internal.h"
#include "names/demangle.h"
#include "names/object_name.h"
#include "names/repeated.h"
#include "names/rust_name.h"

#include <stdlib.h>
#include <string.h>

static const struct cprof_function *function_of(const struct diff *d, const struct diff_row *row)
{
    return &d->profile[row->side]->functions[row->function];
}

/*--- Instances ---*/

/* An instance of a row's function. */
struct instance {
    uint32_t row, id;
};

/* A number that instances of one function do not share, by chance apart; parts of one
 * (".cold") do. */
static uint32_t instance_id(const char *linkage)
{
    const char *hash = rust_hash_of(linkage);

    return hash ? map_hash_bytes(hash, RUST_HASH_DIGITS, 0)
                : map_hash_bytes(linkage, strcspn(linkage, "."), 0);
}

static int compare_instances(const void *a, const void *b)
{
    const struct instance *x = a, *y = b;

    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* The number of instances in each row, by its index, on the side that describes it; 0 where it is
 * not Rust. The caller frees it. */
static uint32_t *count_instances(const struct diff *d)
{
    uint32_t *counts = xcalloc(d->n_all + 1, sizeof *counts);
    const struct diff_row **rows = xcalloc(d->n_all + 1, sizeof *rows);

    for (size_t i = 0; i < d->n; i++)
        rows[d->rows[i].index] = &d->rows[i];
    for (int side = 0; side < DIFF_SIDES; side++) {
        const struct cprof_profile *p = d->profile[side];
        struct instance *items = xcalloc((size_t)p->n_functions + 1, sizeof *items);
        size_t n = 0;

        for (uint32_t f = 0; f < p->n_functions; f++) {
            const char *linkage =
                p->functions[f].mangled ? p->functions[f].mangled : p->functions[f].name;
            uint32_t row = d->row_of[side][f];

            if (row != CPROF_NONE && rows[row] && (int)rows[row]->side == side &&
                rust_is_linkage(linkage))
                items[n++] = (struct instance){row, instance_id(linkage)};
        }
        sort_items(items, n, sizeof *items, compare_instances);
        for (size_t i = 0; i < n; i++)
            counts[items[i].row] += !i || compare_instances(&items[i - 1], &items[i]) != 0;
        free(items);
    }
    free(rows);
    return counts;
}

/*--- Labels ---*/

/* The short name of a row, for the caller to free: of one function that of a table of its profile,
 * which are `names`. */
static char *short_name(const struct diff *d, const struct diff_row *row,
                        char *const *const names[DIFF_SIDES])
{
    const struct cprof_function *f = function_of(d, row);

    if (!strcmp(row->name, UNNAMED))
        return xstrdup(row->name);
    if (row->n_functions[row->side] == 1)
        return xstrdup(names[row->side][row->function]);
    return rust_is_linkage(f->mangled ? f->mangled : f->name) ? rust_short_name(row->name)
                                                              : xstrdup(row->name);
}

static const char *row_label(const void *diff, size_t i)
{
    return ((const struct diff *)diff)->rows[i].label;
}

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare_looks(const void *diff, size_t a, size_t b)
{
    const struct diff_row *x = &((const struct diff *)diff)->rows[a];
    const struct diff_row *y = &((const struct diff *)diff)->rows[b];
    int order = strcmp(x->label, y->label);

    if (!order)
        order = compare_texts(x->file, y->file);
    if (!order)
        order = (x->line > y->line) - (x->line < y->line);
    return order ? order : compare_texts(x->object, y->object);
}

static void take_own_names(void *diff, const size_t *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct diff_row *row = &((struct diff *)diff)->rows[rows[i]];

        free(row->label);
        row->label = xstrdup(row->name);
    }
}

static void add_instances(struct diff *d)
{
    uint32_t *instances = count_instances(d);

    for (size_t i = 0; i < d->n; i++) {
        struct diff_row *row = &d->rows[i];
        char *label = row->label;

        if (instances[row->index] < 2)
            continue;
        row->label = xasprintf("%s [%s instances]", label, TEXT_COUNT(instances[row->index]));
        free(label);
    }
    free(instances);
}

/* Sets the labels to short names. */
static void set_short(struct diff *d)
{
    static const struct repeated equal_looks = {
        .text = row_label, .compare = compare_looks, .use = take_own_names};
    char **names[DIFF_SIDES];

    for (int side = 0; side < DIFF_SIDES; side++)
        names[side] = names_short(d->profile[side]);
    for (size_t i = 0; i < d->n; i++)
        d->rows[i].label = short_name(d, &d->rows[i], (char *const *const *)names);
    repeated_each(&equal_looks, d, d->n);
    for (int side = 0; side < DIFF_SIDES; side++) {
        for (uint32_t f = 0; f < d->profile[side]->n_functions; f++)
            free(names[side][f]);
        free(names[side]);
    }
}

static void set_linkage(struct diff *d)
{
    for (size_t i = 0; i < d->n; i++) {
        struct diff_row *row = &d->rows[i];
        const char *linkage = function_of(d, row)->mangled;

        row->label = xstrdup(linkage ? linkage : row->name);
    }
}

void diff_set_labels(struct diff *d, enum name_style style)
{
    for (size_t i = 0; i < d->n; i++)
        free(d->rows[i].label);
    if (style == NAME_SHORT)
        set_short(d);
    else if (style == NAME_RAW)
        set_linkage(d);
    else
        for (size_t i = 0; i < d->n; i++)
            d->rows[i].label = xstrdup(d->rows[i].name);
    if (style != NAME_RAW)
        add_instances(d);
}

/*--- Aliases ---*/

static void add_alias(struct diff_row *row, const char *name)
{
    if (!strcmp(name, row->name))
        return;
    for (size_t i = 0; i < row->n_aliases; i++)
        if (!strcmp(name, row->aliases[i]))
            return;
    row->aliases = xreallocarray(row->aliases, row->n_aliases + 1, sizeof *row->aliases);
    row->aliases[row->n_aliases++] = xstrdup(name);
}

/* More names than this has only a row of a hostile file. */
enum { ALIASES_MAX = 1000 };

static void add_aliases(struct diff *d, struct diff_row **rows, enum diff_side side)
{
    const struct cprof_profile *p = d->profile[side];
    char **names = names_short(p);

    for (uint32_t f = 0; f < p->n_functions; f++) {
        struct diff_row *row = d->row_of[side][f] == CPROF_NONE ? NULL : rows[d->row_of[side][f]];
        const struct cprof_function *function = &p->functions[f];
        char *full, *brief;

        if (row && row->n_aliases < ALIASES_MAX) {
            full = demangle(function->mangled ? function->mangled : function->name);
            brief = names_short_one(function);
            add_alias(row, full ? full : function->name);
            add_alias(row, names[f]);
            add_alias(row, brief); /* without arguments */
            free(full);
            free(brief);
        }
        free(names[f]);
    }
    free(names);
}

void diff_set_aliases(struct diff *d)
{
    struct diff_row **rows = xcalloc(d->n_all + 1, sizeof *rows);

    for (size_t i = 0; i < d->n; i++)
        rows[d->rows[i].index] = &d->rows[i];
    for (int side = 0; side < DIFF_SIDES; side++)
        add_aliases(d, rows, (enum diff_side)side);
    free(rows);
}
