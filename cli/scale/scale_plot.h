/*
 * scale_plot.h - growth as a picture: counts that were measured, and what is foretold beyond them,
 * on logarithmic axes, where a slope is a slope.
 */
#ifndef SCALE_SCALE_PLOT_H
#define SCALE_SCALE_PLOT_H

#include "render/text/table_text.h"
#include "scale/series.h"

#include <stdio.h>

/* Writes an SVG: a file of its own, or a part of a page. */
void scale_plot_svg(const struct series *series, bool in_page, FILE *out);
/* Draws it on the terminal, in dots of braille, or in letters where these cannot be shown. */
void scale_plot_text(const struct series *series, const struct text_screen *screen, FILE *out);

#endif
