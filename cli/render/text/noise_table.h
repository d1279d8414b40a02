/*
 * noise_table.h - how far the counts of several runs differ.
 */
#ifndef TEXT_NOISE_TABLE_H
#define TEXT_NOISE_TABLE_H

#include "diff/noise.h"
#include "render/text/table_text.h"

#include <stdio.h>

enum { NOISE_TABLE_SHOWN = 10 }; /* functions that are shown by default */

struct noise_table {
    const struct noise *noise;
    size_t n_shown; /* show the first N functions, the widest spread of the first event first; 0:
                       all */
    bool markdown;
    struct text_screen screen;
};

/* Writes the total of each event that varies and the functions that vary, or that nothing does. */
void noise_table_write(const struct noise_table *view, FILE *out);
/* "5 runs: Ir varied by 12 (0.01 %), 3 functions vary", for standard error. The caller frees it. */
char *noise_table_summary(const struct noise *noise);

#endif
