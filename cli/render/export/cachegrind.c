#include <config.h>

/* The format of cachegrind's output. */
#include "render/export/export.h"
#include "render/export/record_lines.h"
#include "render/export/valgrind_format.h"

#include <stdbool.h>
#include <string.h>

/* cg_annotate reads desc lines, then exactly one cmd line, then the events, and nothing between
 * them. */
static void put_header(const struct cprof_profile *p, FILE *out)
{
    valgrind_put_caches(out, p, "         ");
    fputs("cmd: ", out);
    valgrind_put_command(out, p);
    fputc('\n', out);
    valgrind_put_events(out, p);
}

int export_cachegrind(const struct cprof_profile *p, FILE *out)
{
    struct record_lines lines;
    const char *file = NULL, *name = NULL;

    record_lines_by_file(&lines, p);
    put_header(p, out);
    for (size_t i = 0; i < lines.n; i++) {
        const struct record_line *l = &lines.items[i];
        const char *its_file = valgrind_file_name(p, l->file),
                   *its_name = p->functions[l->function].name;
        bool new_file = !file || strcmp(file, its_file) != 0;

        if (new_file) {
            fputs("fl=", out);
            valgrind_put_name(out, its_file);
            fputc('\n', out);
        }
        if (new_file || strcmp(name, its_name) != 0) {
            fputs("fn=", out);
            valgrind_put_name(out, its_name);
            fputc('\n', out);
        }
        file = its_file;
        name = its_name;
        fprintf(out, "%u", (unsigned)l->line);
        valgrind_put_counts(out, l->counts, p->n_events);
        fputc('\n', out);
    }
    fputs("summary:", out);
    valgrind_put_counts(out, p->totals, p->n_events);
    fputc('\n', out);
    record_lines_free(&lines);
    return ferror(out) ? -1 : 0;
}
