#include <config.h>

#include "render/text/noise_table.h"

#include "base/count.h"
#include "base/memory.h"
#include "render/text/markdown.h"
#include "render/text/style.h"

#include <stdlib.h>
#include <string.h>

/* True where an own count varies. */
static bool varies(const struct noise *noise, const struct noise_item *item)
{
    return memcmp(item->least, item->most, noise->n_events * sizeof *item->least) != 0;
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

static void put_item(struct grid *grid, const struct noise_item *item, size_t event,
                     const char *name)
{
    char buffer[TEXT_NUMBER];

    grid_count(grid, item->least[event], GRID_PLAIN);
    grid_count(grid, item->most[event], GRID_PLAIN);
    grid_count(grid, noise_spread(item, event), GRID_PLAIN);
    text_percent(buffer, noise_spread(item, event), item->most[event], 3);
    grid_cell(grid, buffer, GRID_PLAIN);
    grid_cell(grid, name, GRID_PLAIN);
}

static void put_items(struct grid *grid, const struct noise *noise, size_t n_shown, size_t n)
{
    const struct noise_item **order = xreallocarray(NULL, n, sizeof *order);
    size_t found = 0;

    for (size_t i = 0; i < noise->n; i++)
        if (varies(noise, &noise->items[i]))
            order[found++] = &noise->items[i];
    if (n)
        qsort_r(order, n, sizeof *order, compare_items, (void *)noise);
    for (size_t i = 0; i < n && (!n_shown || i < n_shown); i++)
        put_item(grid, order[i], 0, order[i]->key);
    free(order);
}

char *noise_table_summary(const struct noise *noise)
{
    char count[TEXT_NUMBER], percent[TEXT_NUMBER];
    size_t n = count_varying(noise);

    if (!n && !varies(noise, &noise->total))
        return xasprintf("%u runs: every count of every function was the same", noise->runs);
    text_percent(percent, noise_spread(&noise->total, 0), noise->total.most[0], 4);
    return xasprintf("%u runs: total %s varied by %s (%s %%), %s function%s varied", noise->runs,
                     noise->events[0], text_count(count, noise_spread(&noise->total, 0)), percent,
                     TEXT_COUNT(n), n == 1 ? "" : "s");
}

void noise_table_write(const struct noise_table *v, FILE *out)
{
    const struct noise *noise = v->noise;
    const char *event = noise->n_events ? noise->events[0] : "";
    char *least = xasprintf("Least %s", event), *most = xasprintf("Most %s", event);
    const struct grid_column columns[] = {{least, GRID_NUMBER, 1},
                                          {most, GRID_NUMBER, 2},
                                          {"Spread", GRID_NUMBER, 0},
                                          {"%", GRID_NUMBER, 0},
                                          {"Varied", GRID_NAME, 0}};
    size_t n = count_varying(noise);
    char *text = noise_table_summary(noise);
    struct grid grid;

    fprintf(out, "\n%s\n", text);
    if (n) {
        grid_init(&grid, columns, sizeof columns / sizeof *columns);
        for (size_t e = 0; e < noise->n_events; e++) {
            char *name = xasprintf("total %s", noise->events[e]);

            put_item(&grid, &noise->total, e, name);
            free(name);
        }
        put_items(&grid, noise, v->n_shown, n);
        fputc('\n', out);
        if (v->markdown)
            grid_write_markdown(&grid, out);
        else
            grid_write(&grid, &v->screen, out);
        grid_free(&grid);
    }
    free(text);
    free(least);
    free(most);
}
