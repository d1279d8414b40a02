#include <config.h>

/* Program, command, caches and totals of a profile, in a page. */
#include "render/html/html.h"
#include "render/html/html_table.h"
#include "render/text/text.h"
#include "render/text/totals.h"

#include <stdlib.h>
#include <string.h>

static void put_total(FILE *out, const struct cprof_profile *p, const char *event)
{
    uint32_t e = event ? cprof_find_event(p, event) : CPROF_NONE;
    char count[TEXT_NUMBER] = "";

    if (e != CPROF_NONE)
        text_count(count, p->totals[e]);
    html_number(out, "", count);
}

static void put_misses(FILE *out, const struct cprof_profile *p, const char *event, int64_t of)
{
    uint32_t e = event ? cprof_find_event(p, event) : CPROF_NONE;
    char percent[TEXT_NUMBER] = "";

    put_total(out, p, event);
    if (e != CPROF_NONE)
        text_percent(percent, p->totals[e], of, 2);
    html_number(out, "", percent);
}

/* True for an event that is one of an access's. */
static bool is_access(const char *event)
{
    for (size_t i = 0; i < TOTALS_ACCESSES; i++) {
        const struct totals_access *a = &totals_accesses[i];

        if (!strcmp(event, a->accesses) || !strcmp(event, a->first) ||
            (a->last && !strcmp(event, a->last)))
            return true;
    }
    return false;
}

/* Writes a line for each kind of access that was counted, and for every other event. */
static void put_accesses(FILE *out, const struct cprof_profile *p, bool misses)
{
    for (size_t i = 0; i < TOTALS_ACCESSES; i++) {
        const struct totals_access *a = &totals_accesses[i];
        uint32_t e = cprof_find_event(p, a->accesses);

        if (e == CPROF_NONE)
            continue;
        fprintf(out, "<tr><th scope=\"row\">%s <small>%s</small></th>", a->title, a->accesses);
        put_total(out, p, a->accesses);
        if (misses) {
            put_misses(out, p, a->first, p->totals[e]);
            put_misses(out, p, a->last, p->totals[e]);
        }
        fputs("</tr>\n", out);
    }
    for (uint32_t e = 0; e < p->n_events; e++) {
        if (is_access(p->events[e].name))
            continue;
        fputs("<tr>", out);
        html_row_head(out, p->events[e].name);
        put_total(out, p, p->events[e].name);
        if (misses)
            fputs("<td></td><td></td><td></td><td></td>", out);
        fputs("</tr>\n", out);
    }
}

void html_summary(const struct table *t, FILE *out)
{
    static const char *const heads[] = {"L1 misses", "%", "LL misses", "%"};
    const struct cprof_profile *p = t->rows->profile;
    char *command = totals_command(p);
    bool misses = false;

    for (size_t i = 0; i < TOTALS_ACCESSES; i++)
        misses |= cprof_find_event(p, totals_accesses[i].first) != CPROF_NONE;
    fputs("<section id=\"summary\">\n<dl>\n", out);
    html_entry(out, "Program", p->program ? p->program : t->program);
    html_entry(out, "Command", command);
    html_entry(out, "Interrupted", p->exit == CPROF_EXIT_SIGNAL ? TEXT_ENDED : NULL);
    for (uint32_t i = 0; i < p->n_caches; i++) {
        char *text = totals_cache(&p->caches[i]);

        html_entry(out, "Cache", text);
        free(text);
    }
    fputs("</dl>\n", out);
    html_table_begin(out, "");
    html_head(out, "Total", false);
    html_head(out, "Count", true);
    for (size_t i = 0; misses && i < sizeof heads / sizeof *heads; i++)
        html_head(out, heads[i], true);
    html_table_body(out);
    put_accesses(out, p, misses);
    html_table_end(out);
    fputs("</section>\n", out);
    free(command);
}
