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
#include <stdbool.h>
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

const struct totals_access totals_accesses[TOTALS_ACCESSES] = {
    {"Instructions", "Instr.", "Ir", "I1mr", "ILmr"},
    {"Data reads", "Reads", "Dr", "D1mr", "DLmr"},
    {"Data writes", "Writes", "Dw", "D1mw", "DLmw"},
    {"Conditional branches", "Cond.", "Bc", "Bcm", NULL},
    {"Indirect branches", "Indir.", "Bi", "Bim", NULL},
};

/* The widths of the totals: 80 columns in all, as a terminal has, or less. */
struct totals {
    unsigned title, count, miss, rate;
    bool narrow, rounded;
};

static char *count_text(char buffer[TEXT_NUMBER], int64_t value, bool rounded)
{
    return rounded ? text_count_short(buffer, value) : text_count(buffer, value);
}

/* Makes `*width` as wide as the count of the event. */
static void widen(const struct cprof_profile *p, const char *event, bool rounded, unsigned *width)
{
    uint32_t i = event ? cprof_find_event(p, event) : CPROF_NONE;
    char count[TEXT_NUMBER];
    unsigned digits =
        i == CPROF_NONE ? 0 : (unsigned)strlen(count_text(count, p->totals[i], rounded));

    if (*width < digits + 1)
        *width = digits + 1;
}

/* `w` with columns that are wide enough for the counts. */
static struct totals wide_enough(const struct cprof_profile *p, struct totals w)
{
    for (size_t i = 0; i < TOTALS_ACCESSES; i++) {
        widen(p, totals_accesses[i].accesses, w.rounded, &w.count);
        widen(p, totals_accesses[i].first, w.rounded, &w.miss);
        widen(p, totals_accesses[i].last, w.rounded, &w.miss);
    }
    return w;
}

static struct totals narrow_totals(const struct cprof_profile *p, bool rounded)
{
    return wide_enough(p, (struct totals){sizeof "Indir.", sizeof "accesses", sizeof "L1 misses", 8,
                                          true, rounded});
}

static struct totals fit_totals(const struct function_table *t)
{
    struct totals w = wide_enough(t->rows->profile, (struct totals){20, 16, 14, 8, false, false});

    if (t->screen.fixed && t->screen.width < w.title + w.count + 2 * (w.miss + w.rate))
        w = narrow_totals(t->rows->profile, false);
    if (w.narrow && t->screen.width < w.title + w.count + 2 * (w.miss + w.rate))
        w = narrow_totals(t->rows->profile, true);
    return w;
}

/* Writes a count and its rate of `whole`, or dashes where the profile has no such event. */
static void put_misses(const struct cprof_profile *p, const struct totals *w, FILE *out,
                       const char *event, int64_t whole)
{
    uint32_t i = event ? cprof_find_event(p, event) : CPROF_NONE;
    char count[TEXT_NUMBER], rate[TEXT_NUMBER];

    if (!event)
        return;
    fprintf(out, "%*s %*s", (int)w->miss,
            i == CPROF_NONE ? "-" : count_text(count, p->totals[i], w->rounded), (int)w->rate - 1,
            i == CPROF_NONE ? "-" : text_percent(rate, p->totals[i], whole, 3));
}

static void put_accesses(const struct cprof_profile *p, const struct totals *w, FILE *out,
                         size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const struct totals_access *a = &totals_accesses[i];
        uint32_t event = cprof_find_event(p, a->accesses);
        char count[TEXT_NUMBER];

        if (event == CPROF_NONE)
            continue;
        fprintf(out, "%-*s%*s", (int)w->title, w->narrow ? a->brief : a->title, (int)w->count,
                count_text(count, p->totals[event], w->rounded));
        put_misses(p, w, out, a->first, p->totals[event]);
        put_misses(p, w, out, a->last, p->totals[event]);
        fputc('\n', out);
    }
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

static bool has_event(const struct cprof_profile *p, const char *name)
{
    return cprof_find_event(p, name) != CPROF_NONE;
}

static bool has_branches(const struct cprof_profile *p)
{
    return has_event(p, "Bc") || has_event(p, "Bi");
}

static void put_head_line(const struct function_table *t, const char *line, FILE *out)
{
    style_put(out, t->screen.color, STYLE_BOLD, line);
    fputc('\n', out);
}

static void put_totals(const struct function_table *t, const struct totals *w, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    char *line =
        xasprintf("%-*s%*s%*s%*s%*s%*s", (int)w->title, "", (int)w->count, "accesses", (int)w->miss,
                  "L1 misses", (int)w->rate, "%", (int)w->miss, "LL misses", (int)w->rate, "%");

    if (has_event(p, "I1mr") || has_event(p, "D1mr"))
        put_head_line(t, line, out);
    free(line);
    put_accesses(p, w, out, 0, TOTALS_FIRST_BRANCH);
    if (has_branches(p)) {
        line = xasprintf("%-*s%*s%*s%*s", (int)w->title, "", (int)w->count, "executed",
                         (int)w->miss, w->narrow ? "missed" : "mispredicted", (int)w->rate, "%");
        put_head_line(t, line, out);
        free(line);
        put_accesses(p, w, out, TOTALS_FIRST_BRANCH, TOTALS_ACCESSES);
    }
}

void totals_write(struct function_table *t, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    const char *program = t->program ? t->program : p->program;
    struct totals w = fit_totals(t);
    char *command = totals_command(p);

    put_text(t, out, "Program", program);
    put_text(t, out, "Command", command);
    put_caches(t, out);
    if ((program && *program) || (command && *command) || p->n_caches)
        fputc('\n', out);
    put_totals(t, &w, out);
    fputc('\n', out);
    t->rounded |= w.rounded;
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
