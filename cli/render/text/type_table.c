#include <config.h>

#include "render/text/type_table.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "render/text/markdown.h"
#include "render/text/style.h"
#include "render/text/table_text.h"
#include "render/text/text.h"

#include <inttypes.h>
#include <stdlib.h>

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

enum column_id { OFFSET, SIZE, MEMBER, TYPE, READS, WRITES, D1_MISSES, LL_MISSES };

/* A member, padding, the border of a line, or misses of members that are not known. */
struct item {
    const struct type_row *row; /* NULL: of the last two */
    uint64_t line;              /* whose border it is, from 1; 0: none */
    const int64_t *misses;
};

/* Accesses that never miss, or miss elsewhere, too, are not known. */
static struct cell executed(int64_t count)
{
    return count ? cell_count(count) : cell_text("-");
}

/* The cells of a member, but for its misses. */
static struct cell member_cell(const struct type_row *row, enum column_id id)
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

static struct cell cell_of(const void *subject, const void *row, const struct table_column *c)
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
    return member_cell(i->row, (enum column_id)c->id);
}

static const struct table_column columns[] = {
    {"Offset", TABLE_VALUE, .cell = cell_of, .id = OFFSET},
    {"Size", TABLE_VALUE, .cell = cell_of, .id = SIZE},
    {"Member", TABLE_NAME, .cell = cell_of, .id = MEMBER, .names_sums = true},
    {"Type", TABLE_NOTE, .spare = 1, .cell = cell_of, .id = TYPE},
    {"Reads", TABLE_COUNT, .cell = cell_of, .id = READS},
    {"Writes", TABLE_COUNT, .cell = cell_of, .id = WRITES},
    {"D1m", TABLE_COUNT, .cell = cell_of, .id = D1_MISSES},
    {"DLm", TABLE_COUNT, .cell = cell_of, .id = LL_MISSES}};

/*--- Rows ---*/

static void add_member(struct table *table, const struct type_rows *t, const struct type_row *row)
{
    bool hot = row->first != FIELD_NONE && row->first == row->last && t->hot[row->first];
    struct item item = {.row = row, .misses = row->name ? row->misses : NULL};

    table_put(table, &item, !row->name ? CELL_DIM : hot ? CELL_BOLD : CELL_PLAIN);
}

static void add_rows(struct table *table, const struct type_rows *t)
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

/*--- Writing ---*/

void type_table_write(const struct type_rows *t, const struct text_screen *screen, FILE *out)
{
    struct table table;
    char *advice = advice_of(t);

    table_begin(&table, t);
    table_columns(&table, columns, sizeof columns / sizeof *columns);
    table.heading = heading_of(t);
    table.totals = totals_of(t);
    add_rows(&table, t);
    table_write(&table, screen, out);
    if (advice)
        fputc('\n', out);
    if (advice && screen) {
        style_line(out, screen->color, STYLE_BOLD, advice, screen->width);
    } else if (advice) {
        markdown_put_text(out, advice);
        fputs(".\n", out);
    }
    table_free(&table);
    free(advice);
}
