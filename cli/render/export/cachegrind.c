#include <config.h>

#include "render/export/export.h"

#include "render/export/record_lines.h"

#include <stdbool.h>
#include <string.h>

/* cg_annotate reads desc lines, then exactly one cmd line, then the events, in this order and
 * nothing between. */
static void put_header(const struct cprof_profile *p, FILE *out)
{
    put_caches(out, p, "         ");
    fputs("cmd: ", out);
    put_command(out, p);
    fputc('\n', out);
    put_events(out, p);
}

int export_cachegrind(const struct cprof_profile *p, FILE *out)
{
    struct lines lines;
    const char *file = NULL, *name = NULL;

    lines_by_file(&lines, p);
    put_header(p, out);
    for (size_t i = 0; i < lines.n; i++) {
        const struct line *l = &lines.items[i];
        const char *its_file = line_file(p, l->file), *its_name = p->functions[l->function].name;
        bool new_file = !file || strcmp(file, its_file) != 0;

        if (new_file) {
            fputs("fl=", out);
            put_name(out, its_file);
            fputc('\n', out);
        }
        if (new_file || strcmp(name, its_name) != 0) {
            fputs("fn=", out);
            put_name(out, its_name);
            fputc('\n', out);
        }
        file = its_file;
        name = its_name;
        fprintf(out, "%u", (unsigned)l->line);
        put_counts(out, l->counts, p->n_events);
        fputc('\n', out);
    }
    fputs("summary:", out);
    put_counts(out, p->totals, p->n_events);
    fputc('\n', out);
    lines_free(&lines);
    return ferror(out) ? -1 : 0;
}
