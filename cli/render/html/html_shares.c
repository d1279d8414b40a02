#include <config.h>

#include "render/html/html_shares.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "names/origin.h"
#include "render/html/xml.h"
#include "render/text/text.h"

#include <stdlib.h>

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

void html_shares(const struct cprof_profile *p, const struct crates *crates,
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
