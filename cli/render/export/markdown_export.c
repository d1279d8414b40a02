#include <config.h>

/* Functions as a table of Markdown. */
#include "base/memory.h"
#include "names/location.h"
#include "render/export/export.h"
#include "render/text/markdown.h"
#include "render/text/table_text.h"
#include "render/text/text.h"
#include "table/search.h"

#include <stdlib.h>
#include <string.h>

/* Writes the program, its command line where it is known, and the totals. */
static void put_heading(const struct cprof_profile *p, FILE *out)
{
    char count[TEXT_NUMBER];

    fputs("Profile of ", out);
    markdown_put_code(out, p->program ? p->program : p->command ? p->command : p->source);
    for (uint32_t i = 0; i < p->n_events; i++) {
        fputs(i ? ", " : ": ", out);
        markdown_put_text(out, p->events[i].name);
        fprintf(out, " %s", text_count(count, p->totals[i]));
    }
    fputs("\n\n", out);
}

static void put_head(const struct cprof_profile *p, bool calls_known, FILE *out)
{
    size_t n = 0;
    struct markdown_header *headers =
        xcalloc(p->n_events + 5, sizeof *headers); /* %, inclusive, calls, function, location */

    for (uint32_t i = 0; i < p->n_events; i++) {
        headers[n++] = (struct markdown_header){p->events[i].name, true};
        if (i == 0)
            headers[n++] = (struct markdown_header){"%", true};
    }
    if (calls_known) {
        headers[n++] = (struct markdown_header){"Inclusive", true};
        headers[n++] = (struct markdown_header){"Calls", true};
    }
    headers[n++] = (struct markdown_header){"Function", false};
    headers[n++] = (struct markdown_header){"Location", false};
    markdown_head(out, headers, n);
    free(headers);
}

static void put_calls(const struct row *r, int64_t called, FILE *out)
{
    struct cell calls = cell_calls(r, called);
    char *text = cell_text_of(&calls, COUNT_FULL);

    markdown_text(out, text);
    free(text);
}

static void put_row(const struct cprof_profile *p, const struct row *r, bool calls_known, FILE *out)
{
    char *label = row_label(r, false, NULL);
    char *location = location_text(r->file, r->line, r->object, NULL);
    char percent[TEXT_NUMBER];

    for (uint32_t i = 0; i < p->n_events; i++) {
        markdown_number(out, r->counts[i]);
        if (i == 0)
            fprintf(out, "| %s ", text_percent(percent, r->counts[0], p->totals[0], 1));
    }
    if (calls_known) {
        markdown_number(out, r->counts[p->n_events]);
        put_calls(r, r->counts[2 * p->n_events], out);
    }
    markdown_code(out, label);
    markdown_code(out, location);
    markdown_end(out);
    free(label);
    free(location);
}

int export_markdown(const struct export *e, FILE *out)
{
    const struct cprof_profile *p = e->rows->profile;
    bool calls_known = rows_width(p) > p->n_events;

    put_heading(p, out);
    put_head(p, calls_known, out);
    for (size_t i = 0; i < e->rows->n; i++)
        put_row(p, &e->rows->items[i], calls_known, out);
    return ferror(out) ? -1 : 0;
}
