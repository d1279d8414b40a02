#include <config.h>

#include "table/data_rows.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/strbuf.h"
#include "cprof_internal.h"
#include "names/demangle.h"
#include "names/object_name.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A touch of the profile, with the row that its datum belongs to, and the line that it is put to.
 */
struct item {
    const struct cprof_touch *touch;
    uint32_t row;
    struct code_spot spot;
    struct touched_field at; /* first FIELD_NONE: none, or not known */
};

/* D1 misses that are in a function. */
struct missing {
    uint32_t function;
    int64_t d1;
};

bool data_is_event(const char *name)
{
    return !strcmp(name, "D1m") || !strcmp(name, "DLm");
}

/*--- Rows ---*/

static struct data_row row_of(const struct callers *callers, const struct cprof_datum *datum)
{
    struct data_row row = {
        .datum = datum, .spot = {CPROF_NONE, CPROF_NONE, 0}, .type = datum->type};

    if (datum->kind == CPROF_DATA_BLOCKS && datum->context != CPROF_NONE) {
        row.spot = callers_line_above(callers, datum->context);
    } else if (datum->kind == CPROF_DATA_STACK && datum->function != CPROF_NONE) {
        const struct cprof_function *f = &callers->profile->functions[datum->function];

        row.spot = (struct code_spot){datum->function, f->file, f->line};
    }
    return row;
}

/* Equal rows are the same data for somebody who looks at it. */
static int compare_rows(const struct data_row *a, const struct data_row *b)
{
    const struct cprof_datum *x = a->datum, *y = b->datum;
    int order;

    COMPARE(x->kind, y->kind);
    if ((order = code_spot_compare(&a->spot, &b->spot)))
        return order;
    COMPARE(a->type, b->type);
    COMPARE(x->address, y->address);
    order = compare_texts(x->path, y->path);
    return order ? order : compare_texts(x->name, y->name);
}

struct numbered {
    struct data_row row;
    uint32_t datum;
};

static int by_row(const void *a, const void *b)
{
    return compare_rows(&((const struct numbered *)a)->row, &((const struct numbered *)b)->row);
}

uint32_t *data_table_rows(struct data_table *t, const struct callers *callers)
{
    const struct cprof_profile *p = t->profile;
    struct numbered *all = xcalloc(p->n_data + (size_t)1, sizeof *all);
    uint32_t *row_of_datum = xcalloc(p->n_data + (size_t)1, sizeof *row_of_datum);

    for (uint32_t i = 0; i < p->n_data; i++)
        all[i] = (struct numbered){row_of(callers, &p->data[i]), i};
    sort_items(all, p->n_data, sizeof *all, by_row);
    t->rows = xcalloc(p->n_data + (size_t)1, sizeof *t->rows);
    for (uint32_t i = 0; i < p->n_data; i++) {
        if (!i || by_row(&all[i - 1], &all[i]))
            t->rows[t->n++] = all[i].row;
        row_of_datum[all[i].datum] = (uint32_t)t->n - 1;
    }
    free(all);
    return row_of_datum;
}

/*--- Touches ---*/

static struct touched_field field_of(const struct data_table *t, const struct cprof_touch *touch)
{
    uint32_t type = t->profile->data[touch->datum].type;
    struct touched_field at = {
        .first = FIELD_NONE,
        .d1 = (int64_t)(touch->misses[CPROF_D1MR] + touch->misses[CPROF_D1MW])};

    if (type != CPROF_NONE) {
        at.layout = &t->fields[type];
        at.first = fields_of_touch(at.layout, t->profile, touch, &at.last);
    }
    return at;
}

static int same_line(const struct item *a, const struct item *b)
{
    COMPARE(a->row, b->row);
    return code_spot_compare(&a->spot, &b->spot);
}

static int by_line(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    int order = same_line(x, y);

    if (order)
        return order;
    COMPARE(x->touch->place.address, y->touch->place.address);
    COMPARE(x->touch->least, y->touch->least);
    return 0;
}

static void add_offset(struct data_touch *t, uint64_t offset)
{
    unsigned i = 0;

    while (i < t->n_offsets && i < DATA_OFFSETS && t->offsets[i] < offset)
        i++;
    if (i < t->n_offsets && i < DATA_OFFSETS && t->offsets[i] == offset)
        return;
    if (t->n_offsets > DATA_OFFSETS)
        return;
    if (i < DATA_OFFSETS && t->n_offsets < DATA_OFFSETS) {
        memmove(t->offsets + i + 1, t->offsets + i, (t->n_offsets - i) * sizeof *t->offsets);
        t->offsets[i] = offset;
    }
    t->n_offsets++;
}

static int by_field(const void *a, const void *b)
{
    const struct touched_field *x = a, *y = b;

    COMPARE(x->first, y->first);
    COMPARE(x->last, y->last);
    return 0;
}

static int by_field_misses(const void *a, const void *b)
{
    const struct touched_field *x = a, *y = b;

    COMPARE(y->d1, x->d1);
    return by_field(a, b);
}

/* Finds the fields that a line's touches are at. */
static void find_fields(struct data_touch *t, const struct item *items, size_t n)
{
    struct touched_field *all = xcalloc(n + 1, sizeof *all);
    size_t found = 0, kept = 0;
    int64_t known = 0;

    for (size_t i = 0; i < n; i++) {
        if (items[i].at.first == FIELD_NONE)
            t->beside_fields = true;
        else
            all[found++] = items[i].at;
    }
    sort_items(all, found, sizeof *all, by_field);
    for (size_t i = 0; i < found; i++) {
        if (kept && !by_field(&all[kept - 1], &all[i]))
            all[kept - 1].d1 += all[i].d1;
        else
            all[kept++] = all[i];
    }
    sort_items(all, kept, sizeof *all, by_field_misses);
    for (size_t i = 0; i < kept; i++)
        known += all[i].d1;
    /* Fields of a few misses would stand for all of the line's. */
    if (known < data_row_misses(t->misses, DATA_D1) / 2)
        kept = 0;
    t->n_fields = kept > DATA_OFFSETS ? DATA_OFFSETS + 1 : (unsigned)kept;
    memcpy(t->fields, all, (kept < DATA_OFFSETS ? kept : DATA_OFFSETS) * sizeof *all);
    free(all);
}

static int by_function(const void *a, const void *b)
{
    COMPARE(((const struct missing *)a)->function, ((const struct missing *)b)->function);
    return 0;
}

/* Finds the functions that a line's touches are in. */
static void find_within(struct data_touch *t, const struct item *items, size_t n)
{
    struct missing *all = xcalloc(n, sizeof *all);
    int64_t most = -1;
    size_t end;

    for (size_t i = 0; i < n; i++)
        all[i] = (struct missing){
            items[i].touch->place.function,
            (int64_t)(items[i].touch->misses[CPROF_D1MR] + items[i].touch->misses[CPROF_D1MW])};
    sort_items(all, n, sizeof *all, by_function);
    for (size_t i = 0; i < n; i = end) {
        int64_t d1 = all[i].d1;

        for (end = i + 1; end < n && !by_function(&all[i], &all[end]); end++)
            d1 += all[end].d1;
        t->n_within += d1 > 0;
        if (d1 > most) {
            most = d1;
            t->within = all[i].function;
        }
    }
    free(all);
}

/* One line's touches. The instructions of a line may reach different fields of one element. */
static struct data_touch touch_of(const struct item *items, size_t n)
{
    struct data_touch t = {.spot = items->spot};

    for (size_t i = 0; i < n; i++) {
        const struct cprof_touch *one = items[i].touch;

        t.stride = builder_divisor(t.stride, one->stride);
        for (int e = 0; e < CPROF_DATA_EVENTS; e++)
            t.misses[e] += (int64_t)one->misses[e];
        t.use.lines += (int64_t)one->lines;
        t.use.used += (int64_t)one->used;
    }
    for (size_t i = 0; i < n; i++)
        add_offset(&t, t.stride ? items[i].touch->least % t.stride : items[i].touch->least);
    find_fields(&t, items, n);
    find_within(&t, items, n);
    return t;
}

/* More misses by the measure come first, then more by the other one. */
static int compare_misses(const int64_t *x, const int64_t *y, enum data_measure measure)
{
    enum data_measure other = measure == DATA_D1 ? DATA_LL : DATA_D1;

    COMPARE(data_row_misses(y, measure), data_row_misses(x, measure));
    COMPARE(data_row_misses(y, other), data_row_misses(x, other));
    return 0;
}

static int compare_touches(const void *a, const void *b, void *measure)
{
    const struct data_touch *x = a, *y = b;
    int order = compare_misses(x->misses, y->misses, *(const enum data_measure *)measure);

    return order ? order : code_spot_compare(&x->spot, &y->spot);
}

static int compare_by_misses(const void *a, const void *b, void *measure)
{
    const struct data_row *x = a, *y = b;
    int order = compare_misses(x->misses, y->misses, *(const enum data_measure *)measure);

    return order ? order : compare_rows(x, y);
}

static void add_touch(struct data_table *t, struct data_row *row, const struct data_touch *touch)
{
    for (int e = 0; e < CPROF_DATA_EVENTS; e++) {
        row->misses[e] += touch->misses[e];
        t->misses[e] += touch->misses[e];
    }
    line_use_add(&row->use, &touch->use);
    line_use_add(&t->use, &touch->use);
    row->touches[row->n++] = *touch;
}

void data_table_load(struct data_table *t, const struct callers *callers, enum data_measure measure)
{
    const struct cprof_profile *p = callers->profile;
    struct item *items = xcalloc(p->n_touches + (size_t)1, sizeof *items);
    uint32_t *row_of_datum;
    size_t end;

    *t = (struct data_table){.profile = p, .measure = measure};
    t->fields = fields_load_all(p);
    row_of_datum = data_table_rows(t, callers);
    t->touches = xcalloc(p->n_touches + (size_t)1, sizeof *t->touches);
    for (uint32_t i = 0; i < p->n_touches; i++)
        items[i] = (struct item){&p->touches[i], row_of_datum[p->touches[i].datum],
                                 callers_line(callers, &p->touches[i].place, p->touches[i].context),
                                 field_of(t, &p->touches[i])};
    sort_items(items, p->n_touches, sizeof *items, by_line);
    for (size_t i = 0; i < p->n_touches; i = end) {
        struct data_row *row = &t->rows[items[i].row];
        struct data_touch touch;

        for (end = i + 1; end < p->n_touches && !same_line(&items[i], &items[end]); end++)
            ;
        if (!row->touches)
            row->touches = t->touches + i;
        touch = touch_of(items + i, end - i);
        add_touch(t, row, &touch);
    }
    for (size_t i = 0; i < t->n; i++)
        if (t->rows[i].n)
            qsort_r(t->rows[i].touches, t->rows[i].n, sizeof *t->rows[i].touches, compare_touches,
                    &measure);
    qsort_r(t->rows, t->n, sizeof *t->rows, compare_by_misses, &measure);
    t->n_shown = t->n;
    free(items);
    free(row_of_datum);
}

void data_table_free(struct data_table *t)
{
    fields_free_all(t->fields, t->profile);
    free(t->rows);
    free(t->touches);
}

/*--- Figures ---*/

enum data_measure data_measure_of(const char *name)
{
    return name && !strncasecmp(name, "dlm", 3) ? DATA_LL : DATA_D1;
}

/*--- Filter ---*/

bool data_row_matches(const struct data_row *row, const struct name_filter *filter)
{
    const struct cprof_profile *p = filter->profile;
    char *name = data_row_name(p, row);
    bool matches =
        !regexec(filter->regex, name, 0, NULL, 0) ||
        (row->type != CPROF_NONE && !regexec(filter->regex, p->types[row->type].name, 0, NULL, 0));

    free(name);
    return matches ||
           (row->spot.function != CPROF_NONE && name_filter_finds(filter, row->spot.function));
}

static bool touch_matches(const void *item, const void *filter)
{
    const struct data_touch *touch = item;

    return name_filter_finds(filter, touch->spot.function) ||
           name_filter_finds(filter, touch->within);
}

static bool is_left(const void *item, const void *filter)
{
    const struct data_row *row = item;
    bool matches = data_row_matches(row, filter);

    for (size_t i = 0; i < row->n && !matches; i++)
        matches = touch_matches(&row->touches[i], filter);
    return matches;
}

void data_table_filter(struct data_table *t, const regex_t *filter)
{
    const struct name_filter f = {t->profile, filter};

    t->n_shown = array_partition(t->rows, t->n, sizeof *t->rows, is_left, &f);
    /* Few of a row's touches are shown: those that it is left for are to be among them. */
    for (size_t i = 0; i < t->n_shown; i++)
        if (!data_row_matches(&t->rows[i], &f))
            array_partition(t->rows[i].touches, t->rows[i].n, sizeof *t->rows[i].touches,
                            touch_matches, &f);
}

/*--- Texts ---*/

static char *function_name(const struct cprof_profile *p, uint32_t function)
{
    return xstrdup(function == CPROF_NONE ? "[not known]" : p->functions[function].name);
}

static char *variable_name(const char *symbol)
{
    char *plain = demangle_brief(symbol);

    return plain ? plain : xstrdup(symbol);
}

char *data_row_name(const struct cprof_profile *p, const struct data_row *row)
{
    const struct cprof_datum *d = row->datum;

    switch (d->kind) {
    case CPROF_DATA_BLOCKS:
    case CPROF_DATA_STACK:
        return function_name(p, row->spot.function);
    case CPROF_DATA_VARIABLE:
        return variable_name(d->name);
    case CPROF_DATA_SECTION:
        return xasprintf("%s of %s", d->name, object_name(d->path));
    case CPROF_DATA_FILE:
        return xstrdup(object_name(d->path));
    case CPROF_DATA_ANONYMOUS:
        return xasprintf("0x%" PRIx64, d->address);
    case CPROF_DATA_ALLOCATOR:
    case CPROF_DATA_FREE:
    case CPROF_DATA_UNKNOWN:
    case CPROF_DATA_ALL:
        break;
    }
    return xstrdup("");
}

enum { OFFSETS_SHOWN = 2 };

/* ".mass at 48", ".pos,.mass" */
static char *fields_text(const struct data_touch *touch)
{
    struct strbuf text = {NULL, 0, 0};

    for (unsigned i = 0; i < touch->n_fields && i < OFFSETS_SHOWN; i++) {
        const struct touched_field *at = &touch->fields[i];
        char *name = fields_name(at->layout, at->first, at->last);

        strbuf_addf(&text, "%s.%s", i ? "," : "", name);
        free(name);
    }
    if (touch->n_fields > OFFSETS_SHOWN || touch->beside_fields)
        strbuf_add(&text, ",..");
    else if (touch->n_fields == 1)
        strbuf_addf(&text, " at %" PRIu64,
                    touch->fields[0].layout->items[touch->fields[0].first].offset);
    return strbuf_take(&text);
}

char *data_row_type(const struct cprof_profile *p, const struct data_row *row)
{
    const struct cprof_type *type = row->type == CPROF_NONE ? NULL : &p->types[row->type];
    char *name, *text;

    if (!type)
        return xstrdup("");
    name = fields_type_name(type->name);
    if (!type->size)
        return name;
    text = xasprintf("%s, %" PRIu64 " byte%s", name, type->size, type->size == 1 ? "" : "s");
    free(name);
    return text;
}

char *data_touch_within(const struct data_touch *t, const char *name)
{
    if (t->n_within > 1)
        return xasprintf("%s and %s more", name, TEXT_COUNT(t->n_within - 1));
    return xstrdup(t->within == t->spot.function ? "" : name);
}

/* The bytes between misses, where that is how far apart they are; else 0. A walk misses once a line
 * of D1 where its steps are shorter: what divides the distances between misses says nothing of the
 * steps then. */
static uint64_t known_stride(const struct cprof_profile *p, const struct data_touch *touch)
{
    uint64_t line_size = CPROF_LINE_SIZE;

    for (uint32_t i = 0; i < p->n_caches; i++)
        if (!strcmp(p->caches[i].name, "D1") && p->caches[i].line_size)
            line_size = p->caches[i].line_size;
    return touch->stride >= line_size ? touch->stride : 0;
}

char *data_row_offsets(const struct cprof_profile *p, const struct data_row *row,
                       const struct data_touch *touch)
{
    uint64_t stride = known_stride(p, touch);
    enum cprof_data_kind kind = row->datum->kind;
    struct strbuf text = {NULL, 0, 0};

    if (touch->n_fields)
        return fields_text(touch);
    if (kind != CPROF_DATA_BLOCKS && kind != CPROF_DATA_VARIABLE)
        return xstrdup("");
    if (touch->stride == 1)
        return xstrdup("any byte");
    if (touch->stride && touch->n_offsets == 1 && !touch->offsets[0])
        return stride ? xasprintf("every %" PRIu64 " B", stride) : xstrdup("");
    strbuf_add(&text, "at ");
    for (unsigned i = 0; i < touch->n_offsets && i < OFFSETS_SHOWN; i++)
        strbuf_addf(&text, "%s%" PRIu64, i ? "," : "", touch->offsets[i]);
    if (touch->n_offsets > OFFSETS_SHOWN)
        strbuf_add(&text, ",..");
    if (stride)
        strbuf_addf(&text, "; every %" PRIu64 " B", stride);
    return strbuf_take(&text);
}

/*--- The use of lines ---*/

static int by_place(const void *a, const void *b)
{
    return code_spot_compare(&((const struct line_row *)a)->spot,
                             &((const struct line_row *)b)->spot);
}

static int by_waste(const void *a, const void *b)
{
    const struct line_row *x = a, *y = b;

    COMPARE(line_use_wasted(&y->use), line_use_wasted(&x->use));
    COMPARE(y->use.lines, x->use.lines);
    return by_place(a, b);
}

/* A row for each line of code that fetches. Returns how many there are. */
static size_t list_lines(struct line_row *rows, const struct data_table *data)
{
    size_t n = 0;

    for (size_t i = 0; i < data->n; i++)
        for (size_t k = 0; k < data->rows[i].n; k++) {
            const struct data_touch *t = &data->rows[i].touches[k];

            rows[n++] = (struct line_row){t->spot, t->use};
        }
    return n;
}

/* Makes rows of one line of code one. Returns how many are left. */
static size_t unite_lines(struct line_row *rows, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (kept && !by_place(&rows[kept - 1], &rows[i]))
            line_use_add(&rows[kept - 1].use, &rows[i].use);
        else
            rows[kept++] = rows[i];
    return kept;
}

/* Makes rows of one function one, with the line that wastes most. Returns how many are left. */
static size_t unite_functions(struct line_row *rows, size_t n)
{
    size_t kept = 0, end;

    for (size_t i = 0; i < n; i = end) {
        struct line_row row = rows[i], most = rows[i];

        for (end = i + 1; end < n && rows[end].spot.function == row.spot.function; end++) {
            line_use_add(&row.use, &rows[end].use);
            if (by_waste(&rows[end], &most) < 0)
                most = rows[end];
        }
        row.spot = most.spot;
        rows[kept++] = row;
    }
    return kept;
}

void line_table_load(struct line_table *t, const struct callers *callers)
{
    const struct cprof_profile *p = callers->profile;
    struct data_table data;

    data_table_load(&data, callers, DATA_D1);
    *t = (struct line_table){.profile = p, .use = data.use};
    t->rows = xcalloc(p->n_touches + (size_t)1, sizeof *t->rows);
    t->n = list_lines(t->rows, &data);
    data_table_free(&data);
    sort_items(t->rows, t->n, sizeof *t->rows, by_place);
    t->n = unite_lines(t->rows, t->n);
    t->n = unite_functions(t->rows, t->n);
    sort_items(t->rows, t->n, sizeof *t->rows, by_waste);
    t->n_shown = t->n;
}

static bool line_is_left(const void *item, const void *filter)
{
    return name_filter_finds(filter, ((const struct line_row *)item)->spot.function);
}

void line_table_filter(struct line_table *t, const regex_t *filter)
{
    t->n_shown = array_partition(t->rows, t->n, sizeof *t->rows, line_is_left,
                                 &(struct name_filter){t->profile, filter});
}

void line_table_free(struct line_table *t)
{
    free(t->rows);
}
