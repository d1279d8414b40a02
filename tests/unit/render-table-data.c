#include <config.h>

/* Tables as JSON and as CSV: a cell of each kind, and names of columns. */
#include "../tap.h"
#include "render/export/export.h"
#include "render/json/json_value.h"

#include <math.h>
#include <stdlib.h>

/* Rows are cells. */
static struct cell cell_of(const void *subject, const void *row, const struct table_column *column)
{
    struct cell cell = *(const struct cell *)row;

    (void)subject;
    (void)column;
    cell.text = cell.text ? strdup(cell.text) : NULL;
    return cell;
}

static char *as_json(const struct table *table)
{
    json_t *object = json_put_table(json_object(), table);
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(15));

    json_decref(object);
    return text;
}

static char *as_csv(const struct table *table)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (export_table(table, out) != 0)
        fputs("failed", out);
    fclose(out);
    return text;
}

/* Tells whether a table of this cell alone is written so. */
static void writes(struct cell cell, const char *json, const char *csv, const char *what)
{
    struct table table;
    char *text, *want, name[80];

    table_begin(&table, NULL);
    table_column(&table, &(struct table_column){"n", TABLE_VALUE, .cell = cell_of});
    table_put(&table, &cell, CELL_PLAIN);
    asprintf(&want,
             "{\"heading\":null,\"notes\":[],\"columns\":[{\"name\":\"n\",\"kind\":\"value\"}],"
             "\"rows\":[{\"n\":%s}]}",
             json);
    text = as_json(&table);
    snprintf(name, sizeof name, "JSON: %s", what);
    is_text(text, want, name);
    free(text);
    free(want);
    asprintf(&want, "n\n%s\n", csv);
    text = as_csv(&table);
    snprintf(name, sizeof name, "CSV: %s", what);
    is_text(text, want, name);
    free(text);
    free(want);
    table_free(&table);
}

static void test_cells(void)
{
    writes(cell_count(INT64_MAX), "9223372036854775807", "9223372036854775807", "a large count");
    writes(cell_count(0), "0", "0", "a count of nothing");
    writes(cell_change(-1234), "-1234", "-1234", "a change");
    writes(cell_duration(1500000), "1500000", "1500000", "a time in nanoseconds");
    writes(cell_size(6291456), "6291456", "6291456", "a size in bytes");
    writes(cell_size(0), "null", "", "no size");
    writes(cell_share(1, 3, 1), "33.333", "33.333", "a share in percent");
    writes(cell_share(0, 3, 1), "0.0", "0.000", "a share of nothing");
    writes(cell_share(1, 0, 1), "null", "", "a share of what is not known");
    writes(cell_unknown(), "null", "", "what nobody counted");
    writes(cell_real(1.0625, 1), "1.063", "1.063", "a number with a fraction");
    writes(cell_real(INFINITY, 1), "null", "", "a number without an end");
    writes((struct cell){.kind = CELL_RATIO, .value = 7, .whole = 2}, "3.5", "3.500", "a ratio");
    writes((struct cell){.kind = CELL_RATIO, .value = 7}, "null", "", "a ratio of no calls");
    writes((struct cell){.kind = CELL_CALLS, .value = 7, .whole = 1}, "7", "7", "calls");
    writes((struct cell){.kind = CELL_CALLS}, "null", "", "calls that are not known");
    writes((struct cell){.kind = CELL_COUNT, .value = 1024, .text = "1,024"}, "1024", "1024",
           "a number with a text for people");
    writes((struct cell){.kind = CELL_TEXT, .text = "f(int, int)"}, "\"f(int, int)\"",
           "\"f(int, int)\"", "a text");
    writes((struct cell){.kind = CELL_TEXT, .text = ""}, "null", "", "a blank");
}

/* Two columns with one heading, one without any, and a number that was rounded before. */
static void test_names(void)
{
    struct cell cell = cell_count(5);
    struct table table;
    char *text;

    cell.about = true;
    table_begin(&table, NULL);
    table_column(&table, &(struct table_column){"%", TABLE_SHARE, .cell = cell_of});
    table_column(&table, &(struct table_column){"%", TABLE_SHARE, .cell = cell_of});
    table_column(&table, &(struct table_column){"", TABLE_NOTE, .cell = cell_of});
    table.heading = strdup("Heading");
    table.totals = strdup("totals");
    table.findings[1] = strdup("finding");
    table.closing = strdup("closing");
    table_put(&table, &cell, CELL_PLAIN);
    text = as_json(&table);
    is_text(text,
            "{\"heading\":\"Heading\",\"notes\":[\"totals\",\"finding\",\"closing\"],"
            "\"columns\":[{\"name\":\"%\",\"kind\":\"share\"},{\"name\":\"% %\",\"kind\":"
            "\"share\"},{\"name\":\"note\",\"kind\":\"note\"}],"
            "\"rows\":[{\"%\":5,\"% %\":5,\"note\":5,\"about\":[\"%\",\"% %\",\"note\"]}]}",
            "JSON: each column has a name of its own, and estimates are named");
    free(text);
    text = as_csv(&table);
    is_text(text, "%,% %,note\n5,5,5\n", "CSV: each column has a name of its own");
    free(text);
    table_free(&table);
}

int main(void)
{
    test_cells();
    test_names();
    return tap_done();
}
