/*
 * why_table.h - why a total changed (diff/why.h), as a sentence and as a table.
 */
#ifndef TEXT_WHY_TABLE_H
#define TEXT_WHY_TABLE_H

#include "base/options.h"
#include "diff/why.h"
#include "render/text/table_text.h"
#include "table/table.h"

#include <stdio.h>

/* "Ir +12,345 (+1.20 %), all of it in app::sum: calls app::check more often, ...": the greatest
 * reasons, for people. The caller frees it. */
char *why_sentence(const struct why *why);
/* Adds sentences of what else is known of the change, in memory of their own: other cache lines
 * or layout; repetitions of string instructions; in what the builds differ. */
void why_notes(const struct why *why, struct string_list *notes);
/* "calls app::check more often, 2 times per call, 1 before": what a reason says of the function of
 * its group. The caller frees it. */
char *why_reason_text(const struct why *why, const struct why_reason *reason);
/* The word of a cause in JSON: "calls", "inlined_no_longer", ... */
const char *why_cause_word(enum why_cause cause);

enum why_column { WHY_CELL_CHANGE, WHY_CELL_FUNCTION, WHY_CELL_REASON };

/* Fills a table of the first `limit` groups and of their greatest reasons, with a row of what is
 * left; the caller frees it. */
void why_fill(const struct why *why, size_t limit, struct table *table);
/* Writes sentence and table; as Markdown where `screen` is NULL. `whose` names what the total is
 * of, one of several of which each has few lines (NULL: the program). */
void why_write(const struct why *why, const char *whose, size_t limit,
               const struct text_screen *screen, FILE *out);

#endif
