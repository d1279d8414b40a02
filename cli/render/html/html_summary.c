#include <config.h>

/* Program, command, caches and totals of a profile, in a page, with the share of each crate. */
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "names/crates.h"
#include "names/location.h"
#include "names/ownership.h"
#include "render/html/html.h"
#include "render/html/xml.h"
#include "render/text/run_header.h"
#include "render/text/text.h"
#include "table/columns.h"
#include "table/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*--- Shares of crates ---*/

/* Percent of the program: smaller crates of a kind are drawn as one. */
static const double share_least = 0.5;

struct share {
    const struct crate *crate;
    enum origin kind;
    int64_t self;
};

/* Compares shares: by kind, the costliest first. */
static int compare(const void *a, const void *b)
{
    const struct share *x = a, *y = b;

    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->self != y->self)
        return x->self > y->self ? -1 : 1;
    return (x->crate > y->crate) - (x->crate < y->crate);
}

/* A share for each crate, and one more for code of it that is not known to be own. */
static struct share *find_shares(const struct cprof_profile *p, const struct crates *crates,
                                 const struct column *measure)
{
    struct share *shares = xcalloc(2 * crates->n + 1, sizeof *shares);

    for (size_t i = 0; i < crates->n; i++) {
        const struct crate *crate = &crates->items[i];

        shares[i] = (struct share){crate, origin_of(crate->owner), 0};
        shares[crates->n + i] = (struct share){crate, ORIGIN_SYSTEM, 0};
    }
    for (uint32_t i = 0; i < p->n_costs; i++) {
        uint32_t f = p->costs[i].function;
        size_t at = crates->of_function[f];

        if (shares[at].kind != origin_of(crates_owner(crates, f)))
            at += crates->n;
        count_add(&shares[at].self, column_value(measure, cprof_cost_values(p, i)));
    }
    sort_items(shares, 2 * crates->n, sizeof *shares, compare);
    return shares;
}

static void put_part(FILE *out, const struct share *share, const char *label, int64_t total)
{
    double percent = 100 * (double)share->self / (double)total;
    char text[TEXT_NUMBER], *title;

    if (share->self <= 0)
        return;
    title = xasprintf("%s %s %%", label, text_percent(text, share->self, total, 1));
    fprintf(out, "<i class=\"%c%u\" style=\"flex-grow:%.2f\"", origin_letter(share->kind),
            origin_shade(share->crate), percent);
    xml_attribute(out, "title", title);
    fputc('>', out);
    if (percent >= 8)
        xml_text(out, share->crate->name);
    fputs("</i>", out);
    free(title);
}

static void put_bar(FILE *out, const struct share *shares, size_t n, int64_t total)
{
    fputs("<p class=\"shares\">", out);
    for (size_t i = 0; i < n;) {
        struct share small = {.kind = shares[i].kind};

        for (; i < n && shares[i].kind == small.kind; i++) {
            char *label = crate_label(shares[i].crate);

            if ((double)shares[i].self * 100 >= (double)total * share_least)
                put_part(out, &shares[i], label, total);
            else
                small = (struct share){shares[i].crate, small.kind, small.self + shares[i].self};
            free(label);
        }
        if (small.crate) {
            struct crate others = {.name = "", .owner = small.crate->owner};

            small.crate = &others;
            put_part(out, &small, "smaller ones", total);
        }
    }
    fputs("</p>\n", out);
}

static void put_legend(FILE *out, const struct share *shares, size_t n, int64_t total)
{
    int64_t sums[ORIGINS] = {0};

    for (size_t i = 0; i < n; i++)
        sums[shares[i].kind] += shares[i].self;
    fputs("<p class=\"legend\">", out);
    for (enum origin kind = 0; kind < ORIGINS; kind++) {
        char percent[TEXT_NUMBER];

        fprintf(out, "<span><i class=\"%c0\"></i>%s <strong>%s %%</strong></span>",
                origin_letter(kind), origin_title(kind),
                text_percent(percent, sums[kind], total, 1));
    }
    fputs("</p>\n", out);
}

static void html_shares(const struct cprof_profile *p, const struct crates *crates,
                        const struct column *measure, FILE *out)
{
    int64_t total = column_value(measure, p->totals);
    struct share *shares;

    if (total <= 0)
        return;
    shares = find_shares(p, crates, measure);
    put_bar(out, shares, 2 * crates->n, total);
    put_legend(out, shares, 2 * crates->n, total);
    free(shares);
}

/*--- The summary ---*/

/* Writes a line for each kind of access that was counted, and for every other event; and branches,
 * where they were counted. */
static void put_totals(const struct cprof_profile *p, FILE *out)
{
    for (int branches = 0; branches < 2; branches++) {
        struct table table;

        totals_fill(p, branches, &table);
        if (!branches)
            totals_put_others(p, &table);
        if (table.n_rows)
            html_rows(&table, NULL, NULL, out);
        table_free(&table);
    }
}

/* Writes program, command, caches and totals; folded. */
static void put_facts(const struct function_table *t, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    char *command = totals_command(p), *lost = totals_lost(p);

    fputs("<details class=\"facts\"><summary>The run, and all totals</summary>\n<dl>\n", out);
    html_entry(out, "Program", p->program ? p->program : t->program);
    html_entry(out, "Command", command);
    html_entry(out, "Interrupted", p->exit == CPROF_EXIT_SIGNAL ? TEXT_ENDED : NULL);
    html_entry(out, "Samples", lost);
    free(lost);
    for (uint32_t i = 0; i < p->n_caches; i++) {
        char *text = totals_cache(&p->caches[i]);

        html_entry(out, "Cache", text);
        free(text);
    }
    fputs("</dl>\n", out);
    put_totals(p, out);
    fputs("</details>\n", out);
    free(command);
}

/*--- Cards ---*/

static void put_total_card(const struct function_table *t, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    char count[TEXT_NUMBER];

    fputs("<div class=\"card\"><h3>Total</h3><p class=\"big\">", out);
    fputs(text_value(count, t->measure, column_value(t->measure, p->totals)), out);
    fputs("</p><p>", out);
    xml_text(out, strcmp(t->measure->name, "Ir") ? t->measure->name : "instructions");
    fputs("</p></div>\n", out);
}

static void put_costliest_card(const struct function_table *t, const struct own *own,
                               const bool *linked, FILE *out)
{
    const struct own_function *f = &own->items[0];
    char *place = location_text(f->row.file, f->row.line, f->row.object, t->root);
    char percent[TEXT_NUMBER], *label = row_label(&f->row, false, NULL);

    fputs("<div class=\"card\"><h3>Your costliest function</h3><p class=\"big\">", out);
    text_percent(percent, column_value(t->measure, f->charged),
                 column_value(t->measure, t->rows->totals), 1);
    fprintf(out, "%s %%</p><p data-k=\"o\"><span class=\"name\">", percent);
    if (linked && linked[f->row.function])
        fprintf(out, "<a href=\"#s%u\">", (unsigned)f->row.function);
    xml_text(out, label);
    free(label);
    fputs(linked && linked[f->row.function] ? "</a></span> " : "</span> ", out);
    xml_element(out, "small", "", place);
    fputs("</p></div>\n", out);
    free(place);
}

void html_summary(const struct function_table *t, const struct crates *crates,
                  const struct own *own, const bool *linked, FILE *out)
{
    fputs("<section id=\"summary\">\n<div class=\"cards\">\n", out);
    put_total_card(t, out);
    if (own && own->n)
        put_costliest_card(t, own, linked, out);
    fputs("<div class=\"card wide-card\"><h3>Self cost, by crate</h3>\n", out);
    html_shares(t->rows->profile, crates, t->measure, out);
    fputs("</div>\n</div>\n", out);
    put_facts(t, out);
    fputs("</section>\n", out);
}
