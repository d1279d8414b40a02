#include <config.h>

/* Functions as pprof's own text report has them (`go tool pprof -text`). */
#include "base/counts.h"
#include "render/export/export.h"
#include "render/text/labels.h"
#include "render/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 32 };

/* As pprof writes shares: 100% where only rounding misses it, two digits behind the point from 1%
 * on, and two digits at all below. */
static void format_share(char *text, int64_t part, int64_t whole)
{
    double share = whole ? 100.0 * (double)part / (double)whole : 0;

    if (fabs(share) >= 99.95 && fabs(share) <= 100.05)
        snprintf(text, WIDTH, "  100%%");
    else if (fabs(share) >= 1)
        snprintf(text, WIDTH, "%5.2f%%", share);
    else
        snprintf(text, WIDTH, "%5.2g%%", share);
}

/* Code of the function is in others: all of it, or some. */
static const char *inlined(const struct row *row)
{
    return row_is_inlined(row) ? " (inline)" : row->inlined ? " (partial-inline)" : "";
}

static void put_row(FILE *out, const char *name, const char *mark, const int64_t *costs,
                    const int64_t *sums)
{
    char flat[WIDTH], sum[WIDTH], cum[WIDTH];

    format_share(flat, costs[0], sums[1]);
    format_share(sum, sums[0], sums[1]);
    format_share(cum, costs[1], sums[1]);
    fprintf(out, "%10lld %s %s %10lld %s  %s%s\n", (long long)costs[0], flat, sum,
            (long long)costs[1], cum, name, mark);
}

int export_pprof_text(const struct export *e, FILE *out)
{
    const struct cprof_profile *p = e->rows->profile;
    int64_t sums[2] = {0, column_value(e->measure, p->totals)}; /* so far, of all */
    bool inclusive = rows_width(p) > p->n_events;
    struct labels labels;
    char share[WIDTH], *program = text_shown(p->program ? p->program : "");
    char *type = text_shown(e->measure->name);

    labels_load(&labels, e->rows, text_shown);
    for (size_t i = 0; i < e->rows->n; i++)
        count_add(&sums[0], column_value(e->measure, e->rows->items[i].counts));
    format_share(share, sums[0], sums[1]);
    fprintf(out, "File: %s\nType: %s\n", program, type);
    fprintf(out, "Showing nodes accounting for %lld, %s of %lld total\n", (long long)sums[0],
            share + strspn(share, " "), (long long)sums[1]);
    fprintf(out, "%10s %5s%% %5s%% %10s %5s%%\n", "flat", "flat", "sum", "cum", "cum");
    sums[0] = 0;
    for (size_t i = 0; i < e->rows->n; i++) {
        const struct row *row = &e->rows->items[i];
        int64_t costs[2]; /* own, inclusive */

        costs[0] = column_value(e->measure, row->counts);
        costs[1] = inclusive ? column_value(e->measure, row->counts + p->n_events) : costs[0];
        count_add(&sums[0], costs[0]);
        if (costs[0] || costs[1])
            put_row(out, labels.items[row->function], inlined(row), costs, sums);
    }
    labels_free(&labels);
    free(type);
    free(program);
    return ferror(out) ? -1 : 0;
}
