#include <config.h>

#include "render/text/noise_table.h"

#include "base/counts.h"
#include "base/memory.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

/* True where an own count of a function, or of the program, varies. */
static bool varies(const struct noise *noise, const struct noise_item *item)
{
    return !noise_is_section(item) &&
           memcmp(item->least, item->most, noise->n_events * sizeof *item->least) != 0;
}

static size_t count_varying(const struct noise *noise)
{
    size_t n = 0;

    for (size_t i = 0; i < noise->n; i++)
        n += varies(noise, &noise->items[i]);
    return n;
}

/* Orders items by the widest spread of the first event, then of the others. */
static int compare_items(const void *a, const void *b, void *context)
{
    const struct noise *noise = context;
    const struct noise_item *x = *(struct noise_item *const *)a,
                            *y = *(struct noise_item *const *)b;

    for (size_t e = 0; e < noise->n_events; e++)
        if (noise_spread(x, e) != noise_spread(y, e))
            return noise_spread(x, e) > noise_spread(y, e) ? -1 : 1;
    return strcmp(x->key, y->key);
}

/*--- Columns ---*/

enum column_id { LEAST, MOST, SPREAD, SHARE, NAME };

/* A count that varies. */
struct varied {
    const struct noise_item *item;
    size_t event;
    const char *name;
};

static struct cell cell_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct varied *v = row;

    (void)subject;
    switch ((enum column_id)c->id) {
    case LEAST:
        return cell_count(v->item->least[v->event]);
    case MOST:
        return cell_count(v->item->most[v->event]);
    case SPREAD:
        return cell_count(noise_spread(v->item, v->event));
    case SHARE:
        return cell_share(noise_spread(v->item, v->event), v->item->most[v->event], 3);
    default:
        return cell_text(v->name);
    }
}

static void add_columns(struct table *table, const char *event)
{
    char *least = xasprintf("Least %s", event), *most = xasprintf("Most %s", event);
    const struct table_column columns[] = {
        {least, TABLE_COUNT, .spare = 1, .cell = cell_of, .id = LEAST},
        {most, TABLE_COUNT, .spare = 2, .cell = cell_of, .id = MOST},
        {"Spread", TABLE_COUNT, .cell = cell_of, .id = SPREAD},
        {"%", TABLE_SHARE, .cell = cell_of, .id = SHARE},
        {"Varied", TABLE_NAME, .cell = cell_of, .id = NAME}};

    table_columns(table, columns, sizeof columns / sizeof *columns);
    free(least);
    free(most);
}

/*--- Rows ---*/

static void add_items(struct table *table, const struct noise *noise, size_t n_shown, size_t n)
{
    const struct noise_item **order = xreallocarray(NULL, n, sizeof *order);
    size_t found = 0;

    for (size_t i = 0; i < noise->n; i++)
        if (varies(noise, &noise->items[i]))
            order[found++] = &noise->items[i];
    if (n)
        qsort_r(order, n, sizeof *order, compare_items, (void *)noise);
    for (size_t i = 0; i < n && (!n_shown || i < n_shown); i++)
        table_put(table, &(struct varied){order[i], 0, order[i]->key}, CELL_PLAIN);
    free(order);
}

char *noise_table_summary(const struct noise *noise)
{
    char count[TEXT_NUMBER], percent[TEXT_NUMBER];
    const char *what = noise->orders ? "orders of threads" : "runs";
    size_t n = count_varying(noise);

    if (!n && !varies(noise, &noise->total))
        return xasprintf("%u %s: every count of every function was the same", noise->runs, what);
    text_percent(percent, noise_spread(&noise->total, 0), noise->total.most[0], 4);
    return xasprintf("%u %s: total %s varied by %s (%s %%), %s function%s varied", noise->runs,
                     what, noise->events[0], text_count(count, noise_spread(&noise->total, 0)),
                     percent, TEXT_COUNT(n), n == 1 ? "" : "s");
}

void noise_table_write(const struct noise_table *v, FILE *out)
{
    const struct noise *noise = v->noise;
    size_t n = count_varying(noise);
    char *text = noise_table_summary(noise);
    struct table table;

    fprintf(out, "\n%s\n", text);
    free(text);
    if (!n)
        return;
    table_begin(&table, noise);
    add_columns(&table, noise->n_events ? noise->events[0] : "");
    for (size_t e = 0; e < noise->n_events; e++) {
        char *name = xasprintf("total %s", noise->events[e]);

        table_put(&table, &(struct varied){&noise->total, e, name}, CELL_PLAIN);
        free(name);
    }
    add_items(&table, noise, v->n_shown, n);
    fputc('\n', out);
    table_rows_write(&table, v->markdown ? NULL : &v->screen, out);
    table_free(&table);
}
