/*
 * layout.h - the columns of a table as they are laid out, and rows that must not look alike.
 */
#ifndef TEXT_LAYOUT_H
#define TEXT_LAYOUT_H

#include "render/text/fit.h"
#include "render/text/function_table.h"

/* One column, with the clean cells of all shown rows. */
struct layout_column {
    const struct column *column;
    char **cells;
    char **full;           /* the full names, while they are shortened */
    struct fit_column fit; /* its width */
};

static inline bool layout_is_text(const struct layout_column *laid)
{
    return column_is_text(laid->column);
}

/* Adds place, object or number to the names of rows whose texts are equal. "???" always gets its
 * place. */
void layout_tell_apart(const struct function_table *t, struct layout_column *layout);
/* Shortens all texts to the columns' widths. Names that become equal are shortened in another way,
 * or numbered. */
void layout_shorten(const struct function_table *t, struct layout_column *layout);

#endif
