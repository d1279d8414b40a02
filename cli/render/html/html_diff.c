#include <config.h>

/* The comparison of two profiles, in a page. */
#include "base/memory.h"
#include "base/strbuf.h"
#include "render/html/html.h"
#include "render/text/environment_table.h"
#include "render/text/text.h"

#include <stdlib.h>

/* Facts that may change counts without any change of the program. */
static void put_environment(const struct diff_view *v, FILE *out)
{
    struct table table;

    if (v->setup) {
        char *text = xasprintf("The two runs were given different things: %s.", v->setup);

        html_note(out, text);
        free(text);
    }
    if (!v->environment->n)
        return;
    html_note(out, "The two runs were made in different environments, which may change counts.");
    environment_fill(v->environment, &table);
    html_rows(&table, NULL, NULL, out);
    table_free(&table);
}

void html_diff_summary(const struct diff_view *v, FILE *out)
{
    const struct diff *d = v->diff;
    struct table table;

    fputs("<section id=\"summary\">\n<dl>\n", out);
    for (int input = 0; input < DIFF_SIDES; input++) {
        const struct cprof_profile *p = d->profile[input];
        char *name =
            xasprintf("%s%s", p->source, p->exit == CPROF_EXIT_SIGNAL ? " " TEXT_INTERRUPTED : "");

        html_entry(out, input == DIFF_OLD ? "Old" : "New", name);
        free(name);
    }
    for (int input = 0; input < DIFF_SIDES; input++)
        if (d->missing[input])
            html_entry(out, input == DIFF_OLD ? "Only in new" : "Only in old", d->missing[input]);
    fputs("</dl>\n", out);
    put_environment(v, out);
    diff_totals_fill(v, &table);
    html_rows(&table, NULL, NULL, out);
    table_free(&table);
    fputs("</section>\n", out);
}

/*--- Why ---*/

void html_diff_why(const struct diff_view *v, FILE *out)
{
    for (size_t i = 0; i < v->n_why; i++) {
        struct string_list notes = {0};
        char *sentence = why_sentence(&v->why[i]);
        struct table table;

        html_note(out, sentence);
        why_notes(&v->why[i], &notes);
        for (size_t k = 0; k < notes.n; k++)
            html_note(out, notes.items[k]);
        why_fill(&v->why[i], v->n_why_groups, &table);
        html_rows(&table, NULL, NULL, out);
        table_free(&table);
        free(sentence);
        string_list_free_texts(&notes);
    }
}

/*--- Own code ---*/

/* Writes how many functions there are, and what all changes add up to. */
static void put_sums(const struct diff_view *v, FILE *out)
{
    const struct own_diff *o = v->own;
    struct strbuf text = {.text = NULL};

    if (v->n_own < v->n_own_changed)
        strbuf_addf(&text, "%s of %s changed functions of your code (-n 0 writes all).",
                    TEXT_COUNT(v->n_own), TEXT_COUNT(v->n_own_changed));
    else
        strbuf_addf(&text, "%s function%s of your code changed.", TEXT_COUNT(v->n_own),
                    v->n_own == 1 ? "" : "s");
    strbuf_addf(&text, " Counts are charges: own cost, and what other code cost for it%s.",
                o->paths ? "" : ", as far as it was inlined there");
    for (int i = -1; i < BLAME_OUTSIDES; i++) {
        int64_t change = own_diff_delta(o, i < 0 ? o->charged : o->outside[i]);
        char number[TEXT_NUMBER];

        diff_change_text(number, change);
        if (change || i < 0)
            strbuf_addf(&text, "%s%s %s", i < 0 ? " Change of all: " : ", ", number,
                        i < 0 ? "for your code"
                              : blame_outside_name(o->paths, (enum blame_outside)i));
    }
    html_note(out, text.text);
    strbuf_free(&text);
}

void html_diff_own(const struct diff_view *v, FILE *out)
{
    struct table table;

    put_sums(v, out);
    diff_own_fill(v, false, &table);
    html_rows(&table, "functions", NULL, out);
    table_free(&table);
}

/*--- All functions ---*/

void html_diff_functions(const struct diff_view *v, FILE *out)
{
    size_t n_new, n_gone;
    struct table table;
    char *note;

    diff_count_unmatched(v->diff, &n_new, &n_gone);
    note = xasprintf("%s of %s functions that changed%s, %s did not; %s new, %s gone",
                     TEXT_COUNT(v->n_shown), TEXT_COUNT(v->n_changed),
                     v->n_shown < v->n_changed ? " (-n 0 writes all)" : "",
                     TEXT_COUNT(v->diff->n - v->n_changed), TEXT_COUNT(n_new), TEXT_COUNT(n_gone));
    html_note(out, note);
    free(note);
    diff_functions_fill(v, false, &table);
    html_rows(&table, "functions", NULL, out);
    table_free(&table);
}
