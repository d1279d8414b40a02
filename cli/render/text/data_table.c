#include <config.h>

#include "render/text/data_table.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "names/location.h"
#include "render/text/text.h"

#include <inttypes.h>
#include <stdlib.h>

/* "of 16.8M bytes that D1 fetched, 12.5 % were used". The caller frees it. */
static char *line_use_text(const struct line_use *use)
{
    char bytes[TEXT_NUMBER], used[TEXT_NUMBER];

    return xasprintf("of %s bytes that D1 fetched, %s %% were used",
                     text_count_short(bytes, line_use_bytes(use)),
                     text_percent(used, use->used, line_use_bytes(use), 1));
}

/*--- Columns ---*/

enum data_column {
    DATA_SHARE,
    DATA_D1M,
    DATA_DLM,
    DATA_USED,
    DATA_KIND,
    DATA_BY,
    DATA_AT,
    DATA_TYPE,
    DATA_IN
};

/* Where the data of a row comes from: the line that allocated it, the file that has the variable;
 * "" where nothing is known. The caller frees it. */
static char *place_of(const struct cprof_profile *p, const struct data_row *row, const char *root)
{
    return row->datum->kind == CPROF_DATA_VARIABLE ? location_text(NULL, 0, row->datum->path, root)
                                                   : cell_spot(p, &row->spot, root).text;
}

struct data_item data_item_of(const struct data_row *row, const struct data_touch *touch)
{
    return touch ? (struct data_item){row, touch, touch->misses, &touch->use}
                 : (struct data_item){row, NULL, row->misses, &row->use};
}

static struct cell number_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct data_table *t = ((const struct data_view *)subject)->table;
    const struct data_item *i = row;

    if (c->id == DATA_SHARE)
        return cell_share(data_row_misses(i->misses, t->measure),
                          data_row_misses(t->misses, t->measure), 1);
    if (c->id == DATA_USED)
        return cell_share(i->use->used, line_use_bytes(i->use), 0);
    return cell_count(data_row_misses(i->misses, c->id == DATA_D1M ? DATA_D1 : DATA_LL));
}

/* The texts of a line of code. */
static struct cell touch_text(const struct data_view *v, const struct data_item *i, int column)
{
    const struct cprof_profile *p = v->table->profile;
    const struct data_touch *t = i->touch;

    switch (column) {
    case DATA_BY:
        return cell_function(p, t->spot.function);
    case DATA_AT:
        return cell_spot(p, &t->spot, v->root);
    case DATA_TYPE:
        return cell_take(data_row_offsets(p, i->row, t));
    case DATA_IN:
        return cell_take(data_touch_within(t, p->functions[t->within].name));
    default:
        return cell_blank();
    }
}

static struct cell text_of(const void *subject, const void *item, const struct table_column *c)
{
    const struct data_view *v = subject;
    const struct data_item *i = item;
    const struct cprof_profile *p = v->table->profile;
    const struct code_spot *spot = &i->row->spot;

    if (i->touch)
        return touch_text(v, i, c->id);
    switch (c->id) {
    case DATA_KIND:
        return cell_text(cprof_data_kind_name(i->row->datum->kind));
    case DATA_BY:
        return cell_take(data_row_name(p, i->row));
    case DATA_AT:
        return cell_place(place_of(p, i->row, v->root),
                          spot->file == CPROF_NONE ? NULL : p->files[spot->file]);
    case DATA_TYPE:
        return cell_take(data_row_type(p, i->row));
    default:
        return cell_blank();
    }
}

static const struct table_column data_columns[] = {
    {"%", TABLE_SHARE, .cell = number_of, .id = DATA_SHARE},
    {"D1m", TABLE_COUNT, .cell = number_of, .id = DATA_D1M},
    {"DLm", TABLE_COUNT, .cell = number_of, .id = DATA_DLM},
    {"Used %", TABLE_SHARE, .cell = number_of, .id = DATA_USED},
    {"Data", TABLE_NAME, .cell = text_of, .id = DATA_KIND},
    {"By", TABLE_NAME, .cell = text_of, .id = DATA_BY, .names_sums = true},
    {"At", TABLE_PLACE, .cell = text_of, .id = DATA_AT},
    {"Type, field", TABLE_NAME, .cell = text_of, .id = DATA_TYPE},
    {"In", TABLE_NOTE, .spare = 1, .cell = text_of, .id = DATA_IN}};

void data_view_add_columns(const struct data_view *v, struct table *table)
{
    for (size_t i = 0; i < sizeof data_columns / sizeof *data_columns; i++)
        if (data_columns[i].id != DATA_USED || v->table->profile->has_line_use)
            table_column(table, &data_columns[i]);
}

#define HEADING "Data: what misses, who made it, and below it who misses it, and where"

/* "5,120 misses of D1 (1,024 reads, 4,096 writes), 4,096 of LL", behind the use of lines. The
 * caller frees it. */
static char *totals_text(const struct data_table *t)
{
    char *use = t->profile->has_line_use ? line_use_text(&t->use) : NULL;
    char *text = xasprintf(
        "%s%s%s misses of D1 (%s reads, %s writes), %s of LL; shares are of %s misses",
        use ? use : "", use ? "; " : "", TEXT_COUNT(data_row_misses(t->misses, DATA_D1)),
        TEXT_COUNT(t->misses[CPROF_D1MR]), TEXT_COUNT(t->misses[CPROF_D1MW]),
        TEXT_COUNT(data_row_misses(t->misses, DATA_LL)), t->measure == DATA_D1 ? "D1" : "LL");

    free(use);
    return text;
}

/*--- Rows ---*/

/* True of less than a hundredth. */
static bool is_little(const int64_t *misses, const int64_t *total, enum data_measure measure)
{
    return data_row_misses(misses, measure) < data_row_misses(total, measure) / 100;
}

/* Misses and lines of several rows, or touches. */
struct sum {
    int64_t misses[CPROF_DATA_EVENTS];
    struct line_use use;
};

static void add(struct sum *s, const int64_t *misses, const struct line_use *use)
{
    for (int e = 0; e < CPROF_DATA_EVENTS; e++)
        s->misses[e] += misses[e];
    line_use_add(&s->use, use);
}

static void add_sum(struct table *table, const struct sum *s, const char *name)
{
    table_put_sum(table, &(struct data_item){.misses = s->misses, .use = &s->use}, name);
}

/* The lines of code from `shown` on are one row, unless they are little. */
static void add_other_touches(struct table *table, const struct data_table *t,
                              const struct data_row *row, size_t shown)
{
    struct sum others = {.use = {0, 0}};

    for (size_t i = shown; i < row->n; i++)
        add(&others, row->touches[i].misses, &row->touches[i].use);
    if (!is_little(others.misses, t->misses, t->measure))
        add_sum(table, &others, "[others]");
}

static void add_touches(struct table *table, const struct data_view *v, const struct data_row *row)
{
    size_t n = v->touches && v->touches < row->n ? v->touches : row->n, i;

    for (i = 0; i < n; i++) {
        struct data_item item = data_item_of(row, &row->touches[i]);

        if (i && v->touches && is_little(item.misses, v->table->misses, v->table->measure))
            break;
        table_put(table, &item, CELL_PLAIN);
    }
    if (i < row->n)
        add_other_touches(table, v->table, row, i);
}

static void add_rest(struct table *table, const struct data_table *t, size_t shown)
{
    struct sum rest = {.use = {0, 0}};

    for (size_t i = shown; i < t->n; i++)
        add(&rest, t->rows[i].misses, &t->rows[i].use);
    if (data_row_misses(rest.misses, DATA_D1))
        add_sum(table, &rest, "[all else]");
}

static void add_rows(struct table *table, const struct data_view *v)
{
    const struct data_table *t = v->table;
    size_t n = v->limit && v->limit < t->n_shown ? v->limit : t->n_shown, i;

    for (i = 0; i < n; i++) {
        struct data_item item = data_item_of(&t->rows[i], NULL);

        if (i && v->brief && is_little(item.misses, t->misses, t->measure))
            break;
        table_put(table, &item, CELL_BOLD);
        add_touches(table, v, &t->rows[i]);
    }
    add_rest(table, t, i);
}

void data_view_fill(const struct data_view *v, struct table *filled)
{
    table_begin(filled, v);
    data_view_add_columns(v, filled);
    filled->heading = xstrdup(HEADING);
    filled->totals = totals_text(v->table);
    add_rows(filled, v);
}

/*--- The use of lines ---*/

static char *heading_text(const struct line_table *t)
{
    char *use = line_use_text(&t->use), *text = xasprintf("Use of lines: %s", use);

    free(use);
    return text;
}

static char *line_totals_text(const struct line_table *t)
{
    return xasprintf("%s lines of %d bytes, by who fetched them; shares are of %s bytes not used",
                     TEXT_COUNT(t->use.lines), CPROF_LINE_SIZE,
                     TEXT_COUNT(line_use_wasted(&t->use)));
}

enum column_id { WASTED, LINES, USED, FUNCTION, PLACE };

static struct cell cell_of(const void *subject, const void *item, const struct table_column *c)
{
    const struct line_view *v = subject;
    const struct line_row *row = item;
    const struct cprof_profile *p = v->table->profile;

    switch ((enum column_id)c->id) {
    case WASTED:
        return cell_share(line_use_wasted(&row->use), line_use_wasted(&v->table->use), 1);
    case LINES:
        return cell_count(row->use.lines);
    case USED:
        return cell_share(row->use.used, line_use_bytes(&row->use), 0);
    case FUNCTION:
        return cell_function(p, row->spot.function);
    default:
        return cell_spot(p, &row->spot, v->root);
    }
}

static const struct table_column columns[] = {
    {"%", TABLE_SHARE, .cell = cell_of, .id = WASTED},
    {"Lines", TABLE_COUNT, .cell = cell_of, .id = LINES},
    {"Used %", TABLE_SHARE, .cell = cell_of, .id = USED},
    {"Function", TABLE_NAME, .cell = cell_of, .id = FUNCTION, .names_sums = true},
    {"Wastes most", TABLE_PLACE, .cell = cell_of, .id = PLACE}};

static void line_add_rest(struct table *table, const struct line_table *t, size_t shown)
{
    struct line_row rest = {.use = {0, 0}};

    for (size_t i = shown; i < t->n; i++)
        line_use_add(&rest.use, &t->rows[i].use);
    if (rest.use.lines)
        table_put_sum(table, &rest, "[all else]");
}

static void line_add_rows(struct table *table, const struct line_view *v)
{
    const struct line_table *t = v->table;
    size_t n = v->limit && v->limit < t->n_shown ? v->limit : t->n_shown, i;

    for (i = 0; i < n; i++) {
        if (i && v->brief && line_use_wasted(&t->rows[i].use) < line_use_wasted(&t->use) / 100)
            break;
        table_put(table, &t->rows[i], CELL_PLAIN);
    }
    line_add_rest(table, t, i);
}

void line_view_fill(const struct line_view *v, struct table *filled)
{
    table_begin(filled, v);
    table_columns(filled, columns, sizeof columns / sizeof *columns);
    filled->heading = heading_text(v->table);
    filled->totals = line_totals_text(v->table);
    line_add_rows(filled, v);
}

/*--- One type as it lies in memory ---*/

#define EXPLAINED                                                                                  \
    "Reads and Writes are of instructions that miss in this member alone: a member with none may " \
    "still be used often"

static int64_t d1_of(const int64_t *misses)
{
    return misses[CPROF_D1MR] + misses[CPROF_D1MW];
}

static int64_t ll_of(const int64_t *misses)
{
    return misses[CPROF_DLMR] + misses[CPROF_DLMW];
}

/*--- Columns ---*/

enum type_column_id { OFFSET, SIZE, MEMBER, TYPE, READS, WRITES, D1_MISSES, LL_MISSES };

/* A member, padding, the border of a line, or misses of members that are not known. */
struct item {
    const struct type_row *row; /* NULL: of the last two */
    uint64_t line;              /* whose border it is, from 1; 0: none */
    const int64_t *misses;
};

/* Accesses that never miss, or miss elsewhere, too, are not known. */
static struct cell executed(int64_t count)
{
    return count ? cell_count(count) : cell_unknown();
}

/* The cells of a member, but for its misses. */
static struct cell member_cell(const struct type_row *row, enum type_column_id id)
{
    switch (id) {
    case OFFSET:
        return cell_count((int64_t)row->offset);
    case SIZE:
        return cell_count((int64_t)row->size);
    case MEMBER:
        return cell_text(row->name ? row->name : "[padding]");
    case TYPE:
        return cell_text(row->type);
    default:
        return executed(id == READS ? row->reads : row->writes);
    }
}

static struct cell type_cell_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct item *i = row;
    bool is_misses = c->id >= D1_MISSES, is_padding = i->row && !i->row->name;

    (void)subject;
    if (i->line && c->id == MEMBER)
        return cell_take(xasprintf("-- line %" PRIu64 " --", i->line));
    if (is_misses && i->misses)
        return cell_count(c->id == D1_MISSES ? d1_of(i->misses) : ll_of(i->misses));
    if (is_misses || !i->row || (is_padding && c->id > MEMBER))
        return cell_blank();
    return member_cell(i->row, (enum type_column_id)c->id);
}

static const struct table_column type_columns[] = {
    {"Offset", TABLE_VALUE, .cell = type_cell_of, .id = OFFSET},
    {"Size", TABLE_VALUE, .cell = type_cell_of, .id = SIZE},
    {"Member", TABLE_NAME, .cell = type_cell_of, .id = MEMBER, .names_sums = true},
    {"Type", TABLE_NOTE, .spare = 1, .cell = type_cell_of, .id = TYPE},
    {"Reads", TABLE_COUNT, .cell = type_cell_of, .id = READS},
    {"Writes", TABLE_COUNT, .cell = type_cell_of, .id = WRITES},
    {"D1m", TABLE_COUNT, .cell = type_cell_of, .id = D1_MISSES},
    {"DLm", TABLE_COUNT, .cell = type_cell_of, .id = LL_MISSES}};

/*--- Rows ---*/

static void add_member(struct table *table, const struct type_rows *t, const struct type_row *row)
{
    bool hot = row->first != FIELD_NONE && row->first == row->last && t->hot[row->first];
    struct item item = {.row = row, .misses = row->name ? row->misses : NULL};

    table_put(table, &item, !row->name ? CELL_DIM : hot ? CELL_BOLD : CELL_PLAIN);
}

static void type_add_rows(struct table *table, const struct type_rows *t)
{
    uint64_t line = 0;

    for (size_t i = 0; i < t->n; i++) {
        const struct type_row *row = &t->rows[i];
        uint64_t its_line = row->offset / CPROF_LINE_SIZE;

        if (its_line > line)
            table_put(table, &(struct item){.line = its_line + 1}, CELL_DIM);
        line = its_line;
        add_member(table, t, row);
    }
    if (d1_of(t->nowhere) || ll_of(t->nowhere))
        table_put_sum(table, &(struct item){.misses = t->nowhere}, "[member not known]");
}

/*--- Texts; the caller frees each ---*/

static char *heading_of(const struct type_rows *t)
{
    char *name = fields_type_name(t->profile->types[t->type].name);
    char *text = xasprintf(
        "%s: %s bytes as they lie in memory%s", name, TEXT_COUNT(t->fields.size),
        t->fields.size > CPROF_LINE_SIZE ? ", with lines counted from its beginning" : "");

    free(name);
    return text;
}

static char *totals_of(const struct type_rows *t)
{
    return xasprintf("%s misses of D1, %s of LL; %s", TEXT_COUNT(d1_of(t->misses)),
                     TEXT_COUNT(ll_of(t->misses)), EXPLAINED);
}

/* "x, id": the members that the advice is about. */
static char *hot_members(const struct type_rows *t)
{
    struct strbuf text = {NULL, 0, 0};

    for (size_t i = 0; i < t->fields.n; i++)
        if (t->hot[i])
            strbuf_add_item(&text, ", ", t->fields.items[i].name);
    return strbuf_take(&text);
}

/* The change that is advised; NULL: none. */
static char *advice_of(const struct type_rows *t)
{
    const struct type_advice *a = &t->advice;
    char *order, *hot, *text;

    if (a->function == CPROF_NONE)
        return NULL;
    order = type_rows_order(t);
    hot = hot_members(t);
    text = xasprintf(
        "%s misses in %s of the same data: they lie on %.2f lines now, on average, on %.2f in "
        "this order%s: %s; data that lie side by side share lines already, so a walk of them gains "
        "less",
        t->profile->functions[a->function].name, hot, a->now, a->then,
        t->profile->types[t->type].reordered ? " (which rustc keeps with #[repr(C)])" : "", order);
    free(hot);
    free(order);
    return text;
}

void type_table_fill(const struct type_rows *t, struct table *filled)
{
    table_begin(filled, t);
    table_columns(filled, type_columns, sizeof type_columns / sizeof *type_columns);
    filled->heading = heading_of(t);
    filled->totals = totals_of(t);
    filled->closing = advice_of(t);
    type_add_rows(filled, t);
}
