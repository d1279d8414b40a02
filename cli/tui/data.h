/*
 * data.h - the profile as the browser's views share it: its rows and call paths, the measure, the
 * form of numbers, and the marks.
 */
#ifndef TUI_DATA_H
#define TUI_DATA_H

#include "names/origin.h"
#include "names/packages.h"
#include "paths/tree.h"
#include "source/source_file.h"
#include "table/columns.h"
#include "table/rows.h"
#include "tui/pane.h"

#include <pthread.h>
#include <stdbool.h>

enum numbers { NUMBERS_BOTH, NUMBERS_PERCENT, NUMBERS_COUNTS, N_NUMBERS };

struct data {
    const struct cprof_profile *profile;
    const char *root; /* locations are relative to this folder */
    struct crates crates;
    struct rows rows; /* all functions */
    uint32_t *row_of; /* by function of the profile; CPROF_NONE: none */
    bool *marked;     /* by row */
    struct columns columns;
    size_t n_measures;
    const struct column **measures; /* the own costs, which can be shown */
    size_t measure;
    enum numbers numbers;
    struct source_finder finder; /* the caller's root and maps */
    bool has_calls;              /* inclusive costs and calls are known */
    struct tree tree;            /* all call paths, made by data_tree() */
    bool has_tree;
    struct tree own_tree; /* from own code on (startup.h), made by data_own_tree() */
    bool *own;            /* functions that it may begin at; NULL: not made yet */
    bool loads_tree;      /* `loader` makes it: nobody else touches it until `loader` has ended */
    pthread_t loader;
};

/* Loads a profile of a program of these packages (NULL: not known); the `root` and `maps` of
 * `finder` say where sources are. */
void data_load(struct data *data, const struct cprof_profile *profile,
               const struct packages *packages, const char *root,
               const struct source_finder *finder);
void data_free(struct data *data);

/* All call paths of a profile that has them. They are the data's own; a caller may change their
 * order. */
struct tree *data_tree(struct data *data);

/* The same from own code on. `packages` may be NULL: not known. */
struct tree *data_own_tree(struct data *data, const struct packages *packages);

static inline const struct column *data_self(const struct data *d)
{
    return d->measures[d->measure];
}

/* The inclusive column of the measure, or NULL. */
const struct column *data_inclusive(const struct data *data);
/* The program's total of the measure. */
int64_t data_total(const struct data *data);

/* The clean label of a row's function; the caller frees it. */
char *data_name(const struct data *data, size_t row);
/* The clean label of a function of the profile, whether it has a row or not; the caller frees it.
 */
char *data_function_name(const struct data *data, uint32_t function);
/* The clean place of a row, and of any path; the caller frees them. */
char *data_place(const struct data *data, size_t row);
char *data_path(const struct data *data, const char *path);

/* The look of a value, by its share of the total. */
enum look data_heat(const struct data *data, int64_t value);
/* The look of a function's name: by the kind of its code, or that it is marked. */
enum look data_name_look(const struct data *data, uint32_t function, bool inlined);

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
/* The width of the measure's numbers. */
int data_width(const struct data *data);

#endif
