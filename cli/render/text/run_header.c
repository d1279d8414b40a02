#include <config.h>

#include "render/text/run_header.h"

#include "base/clean.h"
#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "derive/sections.h"
#include "render/text/style.h"
#include "render/text/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    MINUTE = 60,
    HOUR = 60 * MINUTE,
    DAY = 24 * HOUR,
    RUN_LEAST = 20, /* columns that the program and its arguments keep */
    RULE_MOST = 80
};

/* An argument, in quotes where it has blanks. */
static void add_argument(struct strbuf *text, const char *gap, const char *argument)
{
    const char *quote = argument[strcspn(argument, " \t\n'\"")] || !*argument ? "'" : "";

    strbuf_addf(text, "%s%s%s%s", gap, quote, argument, quote);
}

/* "logan access.log": the program without its folder, and its arguments; the profile's own name
 * where it does not say what ran. */
static char *run_text(const struct run_header *h)
{
    const struct cprof_profile *p = h->profile;
    const char *program = h->program ? h->program : p->program;
    const char *more = !p->n_arguments && p->command ? strchr(p->command, ' ') : NULL;
    struct strbuf text = {.text = NULL};

    if (!program && !p->n_arguments) {
        const char *named = p->command ? p->command : h->file;

        return xstrdup(named ? path_base(named) : "program not known");
    }
    strbuf_add(&text, path_base(program ? program : p->arguments[0]));
    for (uint32_t i = 1; i < p->n_arguments; i++)
        add_argument(&text, " ", p->arguments[i]);
    strbuf_add(&text, more ? more : "");
    return strbuf_take(&text);
}

/* "3 min ago", the date where it was before yesterday. NULL: not known. The caller frees it. */
static char *age_text(time_t when)
{
    time_t age = time(NULL) - when;
    struct tm date;
    char text[sizeof "2020-01-01"];

    if (!when)
        return NULL;
    if (age < MINUTE)
        return xstrdup("just now");
    if (age < HOUR)
        return xasprintf("%ld min ago", (long)(age / MINUTE));
    if (age < DAY)
        return xasprintf("%ld h ago", (long)(age / HOUR));
    if (!localtime_r(&when, &date) || !strftime(text, sizeof text, "%Y-%m-%d", &date))
        return NULL;
    return xstrdup(text);
}

/* "1,204 samples, 1.205 s": with the time of the processor, where they are of its clock. */
static char *samples_text(const struct run_header *h, const char *count)
{
    static const char *const clocks[] = {"cpu-clock", "cpu-clock:u", "task-clock", "task-clock:u"};
    const char *plural = strcmp(count, "1") ? "s" : "";

    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        uint32_t event = cprof_find_event(h->profile, clocks[i]);

        if (event != CPROF_NONE)
            return xasprintf("%s sample%s, %.3f s", count, plural,
                             (double)h->profile->totals[event] / 1e9);
    }
    return xasprintf("%s sample%s", count, plural);
}

static char *total_text(const struct run_header *h)
{
    char count[TEXT_NUMBER];
    const char *name = strcmp(h->measure->name, "Ir") != 0 ? h->measure->name : "instructions";

    text_count(count, column_value(h->measure, h->profile->totals));
    if (h->profile->sampled && !strcmp(name, "Samples"))
        return samples_text(h, count);
    if (h->profile->sampled && !strcmp(name, "blocked"))
        return xasprintf("waited %.3f s",
                         (double)column_value(h->measure, h->profile->totals) / 1e9);
    return xasprintf("%s %s", count, name);
}

/* " · callgrind · 404,633,100 instructions · 3 min ago", without the time unless `parts` is 2, and
 * without the command where it is 0. */
static char *rest_text(const struct run_header *h, int parts)
{
    const char *dot = text_sign(" · ", " - ");
    char *total = total_text(h), *age = parts > 1 ? age_text(h->when) : NULL;
    struct strbuf rest = {.text = NULL};

    if (parts > 0 && h->command)
        strbuf_addf(&rest, "%s%s", dot, h->command);
    strbuf_addf(&rest, "%s%s", dot, total);
    if (h->profile->lost_samples)
        strbuf_addf(&rest, "%s%s lost", dot, TEXT_COUNT(h->profile->lost_samples));
    if (age)
        strbuf_addf(&rest, "%s%s", dot, age);
    free(total);
    free(age);
    return strbuf_take(&rest);
}

/* Where the line is too long the time goes first, then the command, and then the arguments are
 * shortened. */
void run_header_write(const struct run_header *h, FILE *out)
{
    char *raw = run_text(h), *run = text_clean(raw), *rest = NULL, *fit;
    unsigned width = text_width(run), room = UINT_MAX, used;

    width = width < RUN_LEAST ? width : RUN_LEAST;
    for (int parts = 2; parts >= 0; parts--) {
        free(rest);
        rest = rest_text(h, parts);
        used = text_width(rest);
        if (!h->screen.fixed || used + width <= h->screen.width)
            break;
    }
    if (h->screen.fixed)
        room = h->screen.width > used + width ? h->screen.width - used : width;
    fit = text_shorten(run, room, TEXT_CUT_END);
    style_put(out, h->screen.color, STYLE_BOLD, fit);
    style_put(out, h->screen.color, STYLE_DIM, rest);
    fputc('\n', out);
    free(fit);
    free(rest);
    free(run);
    free(raw);
}

void run_header_rule(const struct text_screen *screen, FILE *out)
{
    struct strbuf rule = {.text = NULL};

    for (unsigned i = 0; i < screen->width && i < RULE_MOST; i++)
        strbuf_add(&rule, text_sign("─", "-"));
    fputc('\n', out);
    style_line(out, screen->color, STYLE_DIM, rule.text ? rule.text : "", 0);
    fputc('\n', out);
    strbuf_free(&rule);
}

char *profile_title(const struct cprof_profile *p, const char *name, const char *part)
{
    const char *path = p->program ? p->program : p->source ? p->source : "profile";

    return xasprintf("%s%s%s%s%s",
                     name               ? name
                     : *path_base(path) ? path_base(path)
                                        : path,
                     part ? ": " : "", part ? part : "",
                     p->exit == CPROF_EXIT_SIGNAL ? " " TEXT_INTERRUPTED : "",
                     p->lost_samples ? " " TEXT_LOST : "");
}

/*--- A part of the program ---*/

enum { NAMES_MOST = 3 };

char *part_heading_text(const struct cprof_profile *p)
{
    struct strbuf text = {.text = NULL};
    size_t n, shown;
    uint32_t *sections = section_roots(p, &n);

    if (!n) {
        free(sections);
        return NULL;
    }
    shown = n > NAMES_MOST + 1 ? NAMES_MOST : n;
    strbuf_add(&text, n == 1 ? "section " : "sections ");
    for (size_t i = 0; i < shown; i++)
        strbuf_addf(&text, "%s'%s'",
                    !i          ? ""
                    : i + 1 < n ? ", "
                                : " and ",
                    p->sections[sections[i]].name);
    if (shown < n)
        strbuf_addf(&text, " and %s more", TEXT_COUNT(n - shown));
    free(sections);
    return strbuf_take(&text);
}

void part_heading_write(const struct cprof_profile *p, const struct text_screen *screen, FILE *out)
{
    char *part = part_heading_text(p);

    if (!part)
        return;
    table_take_line(xasprintf("Part of the program: %s", part), STYLE_BOLD, "", screen, out);
    fputc('\n', out);
    free(part);
}

/*--- Totals ---*/

/* "Total instructions  412,913,042" */
void totals_line(const struct column *measure, const int64_t *totals,
                 const struct text_screen *screen, FILE *out)
{
    char count[TEXT_NUMBER];

    fputs("Total ", out);
    style_put(out, false, "", strcmp(measure->name, "Ir") != 0 ? measure->name : "instructions");
    fputs("  ", out);
    style_put(out, screen->color, STYLE_BOLD,
              text_value(count, measure, column_value(measure, totals)));
    fputs("\n\n", out);
}

/* A line of the totals: accesses with the misses of both levels, or another event. */
struct total {
    const char *title, *events[3]; /* NULL: there are no such misses */
};

enum { BRANCHES = 3, ACCESSES = 5 };
static const struct total accesses[ACCESSES] = {
    {"Instructions", {"Ir", "I1mr", "ILmr"}}, {"Data reads", {"Dr", "D1mr", "DLmr"}},
    {"Data writes", {"Dw", "D1mw", "DLmw"}},  [BRANCHES] = {"Conditional branches", {"Bc", "Bcm"}},
    {"Indirect branches", {"Bi", "Bim"}},
};

/* Columns: twice the index of an event, and its rate. */
enum { COUNT, TITLE, FIRST_MISSES, FIRST_RATE, LAST_MISSES, LAST_RATE };

static struct cell total_cell(const void *profile, const void *row, const struct table_column *c)
{
    const struct cprof_profile *p = profile;
    const struct total *t = row;
    const char *event = t->events[c->id / 2];
    uint32_t e = event ? cprof_find_event(p, event) : CPROF_NONE;

    if (c->id == TITLE) {
        struct cell cell = cell_text(t->title);

        cell.small = event == t->title ? NULL : event;
        return cell;
    }
    if (e == CPROF_NONE)
        return event ? cell_unknown() : cell_blank();
    return c->id == FIRST_RATE || c->id == LAST_RATE
               ? cell_share(p->totals[e], p->totals[cprof_find_event(p, t->events[0])], 3)
               : cell_count(p->totals[e]);
}

static const struct table_column total_columns[] = {
    {"Total", TABLE_NAME, .cell = total_cell, .id = TITLE, .heads_rows = true},
    {"Count", TABLE_COUNT, .cell = total_cell, .id = COUNT},
    {"L1 misses", TABLE_COUNT, .cell = total_cell, .id = FIRST_MISSES},
    {"L1 %", TABLE_SHARE, .spare = 2, .cell = total_cell, .id = FIRST_RATE},
    {"LL misses", TABLE_COUNT, .cell = total_cell, .id = LAST_MISSES},
    {"LL %", TABLE_SHARE, .spare = 1, .cell = total_cell, .id = LAST_RATE}};

static bool has_event(const struct cprof_profile *p, const char *name)
{
    return cprof_find_event(p, name) != CPROF_NONE;
}

/* True for an event that is one of an access's. */
static bool is_of_access(const char *event)
{
    for (size_t i = 0; i < ACCESSES; i++)
        for (size_t e = 0; e < 3; e++)
            if (accesses[i].events[e] && !strcmp(event, accesses[i].events[e]))
                return true;
    return false;
}

void totals_fill(const struct cprof_profile *p, bool branches, struct table *table)
{
    size_t first = branches ? BRANCHES : 0, end = branches ? ACCESSES : BRANCHES, n = 2;

    for (size_t i = first; i < end; i++)
        if (has_event(p, accesses[i].events[1]))
            n = branches ? 4 : 6;
    table_begin(table, p);
    for (size_t i = 0; i < n; i++) {
        struct table_column column = total_columns[i];

        if (branches && i >= 2)
            column.heading = column.id == FIRST_MISSES ? "Mispredicted" : "%";
        table_column(table, &column);
    }
    for (size_t i = first; i < end; i++)
        if (has_event(p, accesses[i].events[0]))
            table_put(table, &accesses[i], CELL_PLAIN);
}

void totals_put_others(const struct cprof_profile *p, struct table *table)
{
    for (uint32_t e = 0; e < p->n_events; e++)
        if (!is_of_access(p->events[e].name))
            table_put(table, &(struct total){p->events[e].name, {p->events[e].name}}, CELL_PLAIN);
}

/* "32 KiB", "48 B", "1536 KiB": in the largest unit that it is a whole number of. The caller frees
 * it. */
static char *size_text(uint64_t size)
{
    if (size >= 1024 * 1024 && size % (1024 * 1024) == 0)
        return xasprintf("%llu MiB", (unsigned long long)(size / 1024 / 1024));
    if (size >= 1024 && size % 1024 == 0)
        return xasprintf("%llu KiB", (unsigned long long)(size / 1024));
    return xasprintf("%llu B", (unsigned long long)size);
}

char *totals_cache(const struct cprof_cache *c)
{
    char *size, *ways, *text;

    if (!c->size)
        return c->text && *c->text ? xasprintf("%s  %s", c->name, c->text) : NULL;
    size = size_text(c->size);
    ways = c->ways == 1 ? xstrdup("direct-mapped")
                        : xasprintf("%llu-way", (unsigned long long)c->ways);
    text = xasprintf("%s  %s, %s, lines of %llu B", c->name, size, ways,
                     (unsigned long long)c->line_size);
    free(size);
    free(ways);
    return text;
}

static void put_caches(const struct function_table *t, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;

    for (uint32_t i = 0; i < p->n_caches; i++) {
        char *text = totals_cache(&p->caches[i]), *clean;

        if (!text)
            continue;
        clean = text_clean(text);
        fprintf(out, "%-9s%s\n", i ? "" : "Caches", clean);
        free(clean);
        free(text);
    }
}

char *totals_command(const struct cprof_profile *p)
{
    struct strbuf text = {.text = NULL};

    if (!p->n_arguments)
        return p->command ? xstrdup(p->command) : NULL;
    for (uint32_t i = 0; i < p->n_arguments; i++)
        add_argument(&text, i ? " " : "", p->arguments[i]);
    return strbuf_take(&text);
}

static void put_text(const struct function_table *t, FILE *out, const char *title, const char *text)
{
    char *clean, *fitting;

    if (!text || !*text)
        return;
    clean = text_clean(text);
    fitting = text_shorten(clean, t->screen.width > 20 ? t->screen.width - 9 : 11, TEXT_CUT_MIDDLE);
    fprintf(out, "%-9s%s\n", title, fitting);
    free(clean);
    free(fitting);
}

void totals_write(const struct function_table *t, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    const char *program = t->program ? t->program : p->program;
    char *command = totals_command(p);

    put_text(t, out, "Program", program);
    put_text(t, out, "Command", command);
    put_caches(t, out);
    if ((program && *program) || (command && *command) || p->n_caches)
        fputc('\n', out);
    for (int branches = 0; branches < 2; branches++) {
        struct table table;

        totals_fill(p, branches, &table);
        if (table.n_rows) {
            table_rows_write(&table, &t->screen, out);
            fputc('\n', out);
        }
        table_free(&table);
    }
    free(command);
}

char *totals_lost(const struct cprof_profile *p)
{
    uint64_t all = p->n_samples + p->lost_samples; /* either is at most INT64_MAX */
    char percent[TEXT_NUMBER];

    if (!p->lost_samples)
        return NULL;
    text_percent(percent, (int64_t)p->lost_samples, all < INT64_MAX ? (int64_t)all : INT64_MAX, 1);
    return xasprintf("lost: %s of %s samples (%s %%), so counts are too low, and shares those of "
                     "the others",
                     TEXT_COUNT(p->lost_samples), TEXT_COUNT(all < INT64_MAX ? all : INT64_MAX),
                     percent);
}
