/*
 * style.h - colours and the like, by the codes of ECMA-48 (SGR). All texts are cleaned, since a
 * profile may have any names of events and columns.
 */
#ifndef TEXT_STYLE_H
#define TEXT_STYLE_H

#include "base/clean.h"
#include "base/words.h"
#include "names/ownership.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define STYLE_BOLD "1"
#define STYLE_DIM  "2"

static inline void style_begin(FILE *out, bool color, const char *style)
{
    if (color)
        fprintf(out, "\033[%sm", style);
}

static inline void style_end(FILE *out, bool color)
{
    if (color)
        fputs("\033[0m", out);
}

/* Writes `text` in a style where there are colours. */
static inline void style_put(FILE *out, bool color, const char *style, const char *text)
{
    char *shown = text_clean(text);

    style_begin(out, color, style);
    fputs(shown, out);
    style_end(out, color);
    free(shown);
}

/* Writes `text` in a style and ends the line. A text longer than `width` becomes several lines; 0:
 * lines have no limit. */
static inline void style_line(FILE *out, bool color, const char *style, const char *text,
                              unsigned width)
{
    char *shown = text_clean(text);

    style_begin(out, color, style);
    wrap_put(out, shown, 0, width ? width : UINT_MAX);
    style_end(out, color);
    fputc('\n', out);
    free(shown);
}

/*--- Kinds of code ---*/

/*
 * The colours of the four kinds of code (ownership.h) in tables on a terminal, as in
 * pictures, pages and the browser. All are legible on light and on dark terminals.
 */

/* The codes for style_put(). They need 8 colours, and take the nearest of 256 where $TERM or
 * $COLORTERM says that the terminal has those. */
const char *origin_style(enum origin kind);
/* Writes the line that explains the colours: the kinds whose bits, 1 << kind, are set in `shown`.
 * It writes nothing where that is one kind. */
void origin_legend(unsigned shown, FILE *out);

#endif
