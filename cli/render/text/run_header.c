#include <config.h>

#include "render/text/run_header.h"

#include "base/clean.h"
#include "base/counts.h"
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

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* An argument, in quotes where it has blanks. */
static void add_argument(struct strbuf *text, const char *argument)
{
    const char *quote = argument[strcspn(argument, " \t\n'\"")] || !*argument ? "'" : "";

    strbuf_addf(text, " %s%s%s", quote, argument, quote);
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

        return xstrdup(named ? base_name(named) : "program not known");
    }
    strbuf_add(&text, base_name(program ? program : p->arguments[0]));
    for (uint32_t i = 1; i < p->n_arguments; i++)
        add_argument(&text, p->arguments[i]);
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
    const char *dot = h->utf8 ? " · " : " - ";
    char *total = total_text(h), *age = parts > 1 ? age_text(h->when) : NULL, *clean;
    struct strbuf rest = {.text = NULL};

    if (parts > 0 && h->command)
        strbuf_addf(&rest, "%s%s", dot, h->command);
    strbuf_addf(&rest, "%s%s", dot, total);
    if (h->profile->lost_samples)
        strbuf_addf(&rest, "%s%s lost", dot, TEXT_COUNT(h->profile->lost_samples));
    if (age)
        strbuf_addf(&rest, "%s%s", dot, age);
    clean = text_clean(rest.text, h->utf8);
    strbuf_free(&rest);
    free(total);
    free(age);
    return clean;
}

/* Where the line is too long the time goes first, then the command, and then the arguments are
 * shortened. */
void run_header_write(const struct run_header *h, FILE *out)
{
    char *raw = run_text(h), *run = text_clean(raw, h->utf8), *rest = NULL, *fit;
    unsigned width = text_width(run, h->utf8), room = UINT_MAX, used;

    width = width < RUN_LEAST ? width : RUN_LEAST;
    for (int parts = 2; parts >= 0; parts--) {
        free(rest);
        rest = rest_text(h, parts);
        used = text_width(rest, h->utf8);
        if (!h->fixed || used + width <= h->width)
            break;
    }
    if (h->fixed)
        room = h->width > used + width ? h->width - used : width;
    fit = text_shorten(run, room, TEXT_CUT_END, h->utf8);
    style_put(out, h->color, STYLE_BOLD, fit);
    style_put(out, h->color, STYLE_DIM, rest);
    fputc('\n', out);
    free(fit);
    free(rest);
    free(run);
    free(raw);
}

void run_header_rule(unsigned width, bool color, bool utf8, FILE *out)
{
    struct strbuf rule = {.text = NULL};

    for (unsigned i = 0; i < width && i < RULE_MOST; i++)
        strbuf_add(&rule, utf8 ? "─" : "-");
    fputc('\n', out);
    style_line(out, color, STYLE_DIM, rule.text ? rule.text : "", 0);
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
    for (size_t i = 0; i < shown; i++) {
        char *name = text_local(p->sections[sections[i]].name);

        strbuf_addf(&text, "%s'%s'", !i ? "" : i + 1 < n ? ", " : " and ", name);
        free(name);
    }
    if (shown < n)
        strbuf_addf(&text, " and %s more", TEXT_COUNT(n - shown));
    free(sections);
    return strbuf_take(&text);
}

void part_heading_write(const struct cprof_profile *p, bool color, FILE *out)
{
    char *part = part_heading_text(p), *line;

    if (!part)
        return;
    line = xasprintf("Part of the program: %s", part);
    style_line(out, color, STYLE_BOLD, line, 0);
    fputc('\n', out);
    free(line);
    free(part);
}
