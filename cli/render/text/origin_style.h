/*
 * origin_style.h - the colours of the four kinds of code (origin.h) in tables on a terminal, as in
 * pictures, pages and the browser. All are legible on light and on dark terminals.
 */
#ifndef TEXT_ORIGIN_STYLE_H
#define TEXT_ORIGIN_STYLE_H

#include "names/origin.h"

#include <stdio.h>

/* The codes for style_put(). They need 8 colours, and take the nearest of 256 where $TERM or
 * $COLORTERM says that the terminal has those. */
const char *origin_style(enum origin kind);
/* Writes the line that explains the colours: the kinds whose bits, 1 << kind, are set in `shown`.
 * It writes nothing where that is one kind. */
void origin_legend(unsigned shown, FILE *out);

#endif
