#include <config.h>

#include "render/export/record_lines.h"

#include "base/memory.h"
#include "render/text/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *line_file(const struct cprof_profile *profile, uint32_t file)
{
    return file == CPROF_NONE || !profile->files[file][0] ? "???" : profile->files[file];
}

static int compare_number(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int by_function(const void *a, const void *b, void *profile)
{
    const struct line *x = a, *y = b;
    int order = compare_number(x->function, y->function);

    (void)profile;
    if (!order)
        order = compare_number(x->file, y->file);
    return order ? order : compare_number(x->line, y->line);
}

static int by_file(const void *a, const void *b, void *profile)
{
    const struct cprof_profile *p = profile;
    const struct line *x = a, *y = b;
    int order = strcmp(line_file(p, x->file), line_file(p, y->file));

    if (!order)
        order = strcmp(p->functions[x->function].name, p->functions[y->function].name);
    return order ? order : compare_number(x->line, y->line);
}

static void collect(struct lines *lines, const struct cprof_profile *p,
                    int (*compare)(const void *, const void *, void *))
{
    size_t kept = 0;

    lines->n = p->n_costs;
    lines->items = xreallocarray(NULL, lines->n, sizeof *lines->items);
    lines->counts = xreallocarray(NULL, lines->n * p->n_events, sizeof *lines->counts);
    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];

        lines->items[i] = (struct line){c->function, c->file, c->line, cprof_cost_values(p, i)};
    }
    if (lines->n)
        qsort_r(lines->items, lines->n, sizeof *lines->items, compare, (void *)p);
    for (size_t i = 0; i < lines->n; i++) {
        bool same = kept && compare(&lines->items[kept - 1], &lines->items[i], (void *)p) == 0;
        int64_t *sums = lines->counts + (same ? kept - 1 : kept) * p->n_events;

        for (uint32_t e = 0; e < p->n_events; e++)
            sums[e] = (same ? sums[e] : 0) + lines->items[i].counts[e];
        if (!same) {
            lines->items[kept] = lines->items[i];
            lines->items[kept++].counts = sums;
        }
    }
    lines->n = kept;
}

void lines_by_function(struct lines *lines, const struct cprof_profile *profile)
{
    collect(lines, profile, by_function);
}

void lines_by_file(struct lines *lines, const struct cprof_profile *profile)
{
    collect(lines, profile, by_file);
}

void lines_free(struct lines *lines)
{
    free(lines->items);
    free(lines->counts);
    *lines = (struct lines){.n = 0};
}

void put_name(FILE *out, const char *name)
{
    char *shown = text_shown(*name ? name : "???");

    fputs(shown, out);
    free(shown);
}

void put_events(FILE *out, const struct cprof_profile *profile)
{
    fputs("events:", out);
    for (uint32_t i = 0; i < profile->n_events; i++) {
        fputc(' ', out);
        put_name(out, profile->events[i].name);
    }
    fputc('\n', out);
}

void put_counts(FILE *out, const int64_t *counts, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, " %lld", (long long)counts[i]);
}

char *command_text(const struct cprof_profile *profile)
{
    size_t size = 0;
    char *text, *end;

    if (!profile->n_arguments)
        return xstrdup(profile->command   ? profile->command
                       : profile->program ? profile->program
                                          : "???");
    for (uint32_t i = 0; i < profile->n_arguments; i++)
        size += strlen(profile->arguments[i]) + 3; /* a blank, or '' of an empty one */
    text = end = xmalloc(size + 1);
    for (uint32_t i = 0; i < profile->n_arguments; i++) {
        end = stpcpy(end, i ? " " : "");
        end = stpcpy(end, *profile->arguments[i] ? profile->arguments[i] : "''");
    }
    return text;
}

void put_command(FILE *out, const struct cprof_profile *profile)
{
    char *text = command_text(profile);

    put_name(out, text);
    free(text);
}

void put_caches(FILE *out, const struct cprof_profile *profile, const char *blanks)
{
    for (uint32_t i = 0; i < profile->n_caches; i++) {
        const struct cprof_cache *c = &profile->caches[i];

        fputs("desc: ", out);
        put_name(out, c->name);
        fprintf(out, " cache:%s", blanks);
        if (!c->size)
            put_name(out, c->text ? c->text : "???");
        else
            fprintf(out, "%llu B, %llu B, ", (unsigned long long)c->size,
                    (unsigned long long)c->line_size);
        if (c->size && c->ways == 1)
            fputs("direct-mapped", out);
        else if (c->size)
            fprintf(out, "%llu-way associative", (unsigned long long)c->ways);
        fputc('\n', out);
    }
}
