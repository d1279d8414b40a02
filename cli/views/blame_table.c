#include <config.h>

#include "views/blame_table.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

/* Functions in a note, and columns of each. */
enum { NAMED_MAX = 3, NAME_WIDTH = 32 };

/* One more column: `of` under another head. */
static struct column *show(struct column_selection *selection, const struct column *of,
                           const char *header)
{
    struct column *column = selection_make(selection, of);

    column->header = header;
    selection_show(selection, column);
    return column;
}

void blame_columns(struct column_selection *selection, uint32_t n_events)
{
    const struct columns *all = &selection->columns;
    struct column *foreign;

    selection->n_shown = 0;
    selection_show(selection, selection->measure);
    selection_show(selection, columns_find(all, "%"));
    foreign = show(selection, selection->measure, "Foreign");
    foreign->name = "Foreign";
    for (unsigned i = 0; i < foreign->n_terms; i++)
        foreign->terms[i].value += n_events;
    selection_show(selection, columns_find(all, "Function"));
    show(selection, columns_find(all, "Location"), "Line");
    column_make_note(show(selection, columns_find(all, "Function"), "Foreign functions"));
}

static char *note_of(const struct cprof_profile *p, const struct blame_charge *charges, size_t n,
                     const struct column *measure)
{
    int64_t total = column_value(measure, p->totals);
    struct strbuf note = {.text = NULL};

    for (size_t i = 0; i < n && i < NAMED_MAX; i++) {
        int64_t value = column_value(measure, charges[i].counts);
        char percent[TEXT_NUMBER], *name, *clean;

        if (value <= 0)
            break;
        clean = text_local(blame_charge_name(p, &charges[i]));
        name = text_shorten(clean, NAME_WIDTH, TEXT_CUT_NAME, text_is_utf8());
        strbuf_addf(&note, "%s%s %% %s", i ? ", " : "", text_percent(percent, value, total, 1),
                    name);
        free(clean);
        free(name);
    }
    return strbuf_take(&note);
}

void blame_notes(const struct blame *blame, struct rows *rows, const struct column *measure)
{
    for (size_t i = 0; i < rows->n; i++) {
        size_t n;
        const struct blame_charge *charges = blame_charges(blame, rows, &rows->items[i], &n);
        char *note = note_of(rows->profile, charges, n, measure);

        rows->items[i].note = note;
        rows->owned = xreallocarray(rows->owned, rows->n_owned + 1, sizeof *rows->owned);
        rows->owned[rows->n_owned++] = note;
    }
}
