#include <config.h>

#include "model/rows.h"

#include "base/memory.h"
#include "model/demangle.h"

#include <stdlib.h>
#include <string.h>

#define HEX "0123456789abcdef"

/* strcmp that takes NULL for the least. */
static int compare_text(const char *a, const char *b)
{
    if (a == b)
        return 0;
    return !a ? -1 : !b ? 1 : strcmp(a, b);
}

static int compare_function(const void *a, const void *b, void *context)
{
    const struct cprof_profile *p = context;
    const struct cprof_function *x = &p->functions[*(const uint32_t *)a];
    const struct cprof_function *y = &p->functions[*(const uint32_t *)b];
    int order = strcmp(x->name, y->name);

    if (!order)
        order = compare_text(x->mangled, y->mangled);
    return order ? order : (x->object > y->object) - (x->object < y->object);
}

/* Gives every function the number of its row, in the order of the profile. Returns how many rows
 * there are. */
static uint32_t number_rows(const struct cprof_profile *p, uint32_t *row_of)
{
    uint32_t *order, n = 0;

    if (p->format != CPROF_FORMAT_CACHEGRIND) {
        for (uint32_t i = 0; i < p->n_functions; i++)
            row_of[i] = i;
        return p->n_functions;
    }
    order = xreallocarray(NULL, p->n_functions, sizeof *order);
    for (uint32_t i = 0; i < p->n_functions; i++)
        order[i] = i;
    if (p->n_functions)
        qsort_r(order, p->n_functions, sizeof *order, compare_function, (void *)p);
    for (uint32_t i = 0, begin = 0; i < p->n_functions; i++) {
        if (compare_function(&order[begin], &order[i], (void *)p) != 0)
            begin = i;
        row_of[order[i]] = order[begin];
    }
    for (uint32_t i = 0; i < p->n_functions; i++)
        order[i] = CPROF_NONE; /* from here on: the row that a group got */
    for (uint32_t i = 0; i < p->n_functions; i++) {
        if (order[row_of[i]] == CPROF_NONE)
            order[row_of[i]] = n++;
        row_of[i] = order[row_of[i]];
    }
    free(order);
    return n;
}

static void add_counts(int64_t *to, const int64_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (__builtin_add_overflow(to[i], from[i], &to[i]))
            to[i] = from[i] < 0 ? INT64_MIN : INT64_MAX;
}

static void describe(struct rows *rows, struct row *row, uint32_t function)
{
    const struct cprof_profile *p = rows->profile;
    const struct cprof_function *f = &p->functions[function];
    char *readable = f->mangled ? NULL : demangle(f->name);

    row->name = f->name;
    row->mangled = f->mangled;
    if (readable) {
        row->name = readable;
        row->mangled = f->name;
        rows->owned = xreallocarray(rows->owned, rows->n_owned + 1, sizeof *rows->owned);
        rows->owned[rows->n_owned++] = readable;
    }
    row->file =
        f->file == CPROF_NONE || !strcmp(p->files[f->file], "???") ? NULL : p->files[f->file];
    row->line = f->line;
    row->object_index = f->object;
    row->object = f->object == CPROF_NONE ? NULL : p->objects[f->object].path;
}

/* Fills in what the functions say; where several make one row, the one with the most of the first
 * event speaks for it. */
static void describe_rows(struct rows *rows, const uint32_t *row_of)
{
    const struct cprof_profile *p = rows->profile;
    int64_t *own = xcalloc(p->n_functions, sizeof *own);
    uint32_t *speaker = xreallocarray(NULL, rows->n, sizeof *speaker);

    for (uint32_t i = 0; i < p->n_costs && p->n_events; i++)
        add_counts(&own[p->costs[i].function], cprof_cost_values(p, i), 1);
    for (size_t i = 0; i < rows->n; i++)
        speaker[i] = CPROF_NONE;
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (speaker[row_of[i]] == CPROF_NONE || own[i] > own[speaker[row_of[i]]])
            speaker[row_of[i]] = i;
    for (size_t i = 0; i < rows->n; i++)
        describe(rows, &rows->items[i], speaker[i]);
    free(own);
    free(speaker);
}

static void drop_empty(struct rows *rows)
{
    size_t kept = 0;

    for (size_t i = 0; i < rows->n; i++)
        for (uint32_t e = 0; e < rows->profile->n_events; e++)
            if (rows->items[i].counts[e]) {
                rows->items[kept++] = rows->items[i];
                break;
            }
    rows->n = rows->n_all = kept;
}

static int compare_looks(const struct row *x, const struct row *y)
{
    int order = strcmp(x->name, y->name);

    if (!order)
        order = compare_text(x->file, y->file);
    if (!order)
        order = (x->line > y->line) - (x->line < y->line);
    return order ? order : compare_text(x->object, y->object);
}

static int compare_row_pointers(const void *a, const void *b)
{
    const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
    int order = compare_looks(x, y);

    return order ? order : compare_text(x->mangled, y->mangled);
}

/* A legacy Rust name's hash tells instances apart for good; other names get a number, in the order
 * of their linkage names. */
static void make_tag(struct row *row, unsigned number)
{
    const char *hash = row->mangled ? strstr(row->mangled, "17h") : NULL;

    if (!hash && row->mangled)
        hash = strstr(row->mangled, "::h"); /* demangled by another tool */
    if (hash && strspn(hash + 3, HEX) >= 16)
        snprintf(row->tag, sizeof row->tag, "[h%.8s]", hash + 3);
    else
        snprintf(row->tag, sizeof row->tag, "[%u]", number);
}

/* Instances of one generic function may share name and place: no two rows may look alike. */
static void tell_apart(struct rows *rows)
{
    struct row **order = xreallocarray(NULL, rows->n, sizeof *order);
    size_t begin = 0;

    for (size_t i = 0; i < rows->n; i++)
        order[i] = &rows->items[i];
    if (rows->n)
        qsort(order, rows->n, sizeof *order, compare_row_pointers);
    for (size_t i = 1; i < rows->n; i++) {
        if (compare_looks(order[begin], order[i]) != 0) {
            begin = i;
            continue;
        }
        make_tag(order[begin], 1);
        make_tag(order[i], (unsigned)(i - begin + 1));
    }
    free(order);
}

void rows_load(struct rows *rows, const struct cprof_profile *profile)
{
    uint32_t *row_of = xreallocarray(NULL, profile->n_functions, sizeof *row_of);

    *rows = (struct rows){.profile = profile, .n = number_rows(profile, row_of)};
    rows->items = xcalloc(rows->n, sizeof *rows->items);
    rows->counts = xcalloc(rows->n * profile->n_events, sizeof *rows->counts);
    for (size_t i = 0; i < rows->n; i++)
        rows->items[i].counts = rows->counts + i * profile->n_events;
    for (uint32_t i = 0; i < profile->n_costs; i++)
        add_counts(rows->counts + (size_t)row_of[profile->costs[i].function] * profile->n_events,
                   cprof_cost_values(profile, i), profile->n_events);
    describe_rows(rows, row_of);
    free(row_of);
    drop_empty(rows);
    tell_apart(rows);
}

void rows_filter(struct rows *rows, const regex_t *function, const regex_t *file)
{
    size_t kept = 0;

    for (size_t i = 0; i < rows->n; i++) {
        const struct row *r = &rows->items[i];
        const char *path = r->file ? r->file : r->object ? r->object : "";

        if ((!function || regexec(function, r->name, 0, NULL, 0) == 0) &&
            (!file || regexec(file, path, 0, NULL, 0) == 0))
            rows->items[kept++] = *r;
    }
    rows->n = kept;
}

static int compare_rows(const void *a, const void *b, void *context)
{
    const struct row *x = a, *y = b;
    int64_t x_value = column_value(context, x->counts), y_value = column_value(context, y->counts);
    int order;

    if (x_value != y_value)
        return x_value > y_value ? -1 : 1;
    order = compare_looks(x, y);
    return order ? order : compare_text(x->mangled, y->mangled);
}

void rows_sort(struct rows *rows, const struct column *column)
{
    if (rows->n)
        qsort_r(rows->items, rows->n, sizeof *rows->items, compare_rows, (void *)column);
}

int64_t rows_sum(const struct rows *rows, const struct column *column, size_t n)
{
    int64_t sum = 0;

    for (size_t i = 0; i < n && i < rows->n; i++) {
        int64_t value = column_value(column, rows->items[i].counts);

        add_counts(&sum, &value, 1);
    }
    return sum;
}

void rows_free(struct rows *rows)
{
    free(rows->items);
    free(rows->counts);
    for (size_t i = 0; i < rows->n_owned; i++)
        free(rows->owned[i]);
    free(rows->owned);
    *rows = (struct rows){.n = 0};
}
