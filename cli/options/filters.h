/*
 * filters.h - the expressions of --filter and --file, and the number of --threshold.
 */
#ifndef OPTIONS_FILTERS_H
#define OPTIONS_FILTERS_H

#include "options/show_options.h"

#include <regex.h>
#include <stdbool.h>

struct filters {
    regex_t function, file;
    bool has_function, has_file; /* the expressions above are compiled */
};

/* Returns 0, or STATUS_USAGE after having said what is wrong; filters_free() in either case. */
int filters_compile(struct filters *filters, const struct show_settings *settings);
void filters_free(struct filters *filters);

/*--- --threshold ---*/

/* Reads "1", "0.5" or "2%" into `*threshold`, percent; 1 for NULL. Returns 0 or STATUS_USAGE. */
int threshold_read(const char *text, double *threshold);

#endif
