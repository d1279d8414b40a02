/*
 * data.h - the profile as the browser's views share it: its rows and call paths, what is measured,
 * how numbers are shown, and what is marked.
 */
#ifndef TUI_DATA_H
#define TUI_DATA_H

#include "table/columns.h"
#include "table/rows.h"
#include "source/source_file.h"
#include "paths/tree.h"
#include "tui/pane.h"

#include <pthread.h>
#include <stdbool.h>

enum numbers { NUMBERS_BOTH, NUMBERS_PERCENT, NUMBERS_COUNTS, N_NUMBERS };

struct data {
    const struct cprof_profile *profile;
    const char *root; /* folder that locations are relative to */
    struct rows rows; /* all functions */
    uint32_t *row_of; /* of each function of the profile; CPROF_NONE: none */
    bool *marked;     /* of each row */
    struct columns columns;
    size_t n_measures;
    const struct column **measures; /* own costs that can be shown */
    size_t measure;
    enum numbers numbers;
    struct source_finder finder; /* its root and maps are the caller's */
    bool has_calls;              /* inclusive costs and calls are known */
    struct tree tree;            /* all call paths, once they are asked for: data_tree() */
    bool has_tree;
    bool loads_tree; /* `loader` makes it: nobody else touches it until that has ended */
    pthread_t loader;
};

/* `finder` says where sources are looked for: its `root` and `maps`. */
void data_load(struct data *data, const struct cprof_profile *profile, const char *root,
               const struct source_finder *finder);
void data_free(struct data *data);

/* All call paths of a profile that has them; the data's own, for whoever wants their order changed,
 * too. */
struct tree *data_tree(struct data *data);

static inline const struct column *data_self(const struct data *d)
{
    return d->measures[d->measure];
}

/* The inclusive column of what is measured, or NULL. */
const struct column *data_inclusive(const struct data *data);
/* The program's total of what is measured. */
int64_t data_total(const struct data *data);

/* What the function of a row is called, clean; the caller frees it. */
char *data_name(const struct data *data, size_t row);
/* The name of a function of the profile, whether or not a row has it. */
char *data_function_name(const struct data *data, uint32_t function);
/* The place of a row, and any path, as they are shown. */
char *data_place(const struct data *data, size_t row);
char *data_path(const struct data *data, const char *path);

/* How much of the total a value is, as a look. */
enum look data_heat(const struct data *data, int64_t value);

/*
 * Columns of numbers, as `data->numbers` says: a count, its percentage, or both. data_head() adds
 * their heads to a pane and data_cells() the texts of a value to a line, from column *at on.
 */
void data_head(const struct data *data, struct pane *pane, const char *head, char sorted);
void data_cells(const struct data *data, struct pane_cells *cells, int *at, int64_t value,
                bool at_least);
/* Adds the number of calls of a row, or that it was inlined. */
void data_calls_cell(const struct data *data, struct pane_cells *cells, int *at,
                     const struct row *row);
/* How wide the numbers of the measure are. */
int data_width(const struct data *data);

#endif
