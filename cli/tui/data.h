/*
 * data.h - the profile as the browser's views share it: its rows and call paths, the measure, the
 * form of numbers, and the marks.
 */
#ifndef TUI_DATA_H
#define TUI_DATA_H

#include "names/ownership.h"
#include "names/packages.h"
#include "paths/tree.h"
#include "source/source_file.h"
#include "table/callers.h"
#include "table/columns.h"
#include "table/rows.h"
#include "table/table.h"
#include "tui/pane.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* NUMBERS_FIT: percentages alone where the screen is too narrow for counts. */
enum numbers { NUMBERS_FIT, NUMBERS_BOTH, NUMBERS_PERCENT, NUMBERS_COUNTS, N_NUMBERS };

/* A line of a source file. */
struct place {
    const char *file; /* as the profile has it; NULL: none */
    uint32_t line;
};

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
    bool has_own_tree;
    struct callers callers; /* made by data_callers() */
    int own_width;          /* of the longest name of own code; 0: not measured yet */
    bool own_only;          /* lists and trees have own code alone */
    bool threads;           /* own_tree has threads that run the same code apart */
    bool loads_tree;        /* `loader` makes it: nobody else touches it until `loader` has ended */
    pthread_t loader;
};

/* Loads a profile of a program of these packages (NULL: not known); the `root` and `maps` of
 * `finder` say where sources are; `threads`: they are apart in trees. */
void data_load(struct data *data, const struct cprof_profile *profile,
               const struct packages *packages, const char *root,
               const struct source_finder *finder, bool threads);
void data_free(struct data *data);

/* Shows the own cost of a column; NULL: as it is. */
void data_choose_measure(struct data *data, const char *column);

/* All call paths of a profile that has them. They are the data's own; a caller may change their
 * order. */
struct tree *data_tree(struct data *data);

/* All call paths from own code on. */
struct tree *data_own_tree(struct data *data);

/* The functions that memory is put to. They are the data's. */
const struct callers *data_callers(struct data *data);
/* True where there is own code with a cost of its own or a caller's. */
bool data_has_own_code(const struct data *data);

static inline const struct column *data_self(const struct data *d)
{
    return d->measures[d->measure];
}

/* The row of a function of the profile (CPROF_NONE: none), or SIZE_MAX. */
static inline size_t data_row_of(const struct data *d, uint32_t function)
{
    uint32_t row = function == CPROF_NONE ? CPROF_NONE : d->row_of[function];

    return row == CPROF_NONE ? SIZE_MAX : row;
}

/* The place of a line; no file where it has none, or `spot` is NULL. */
static inline struct place data_place_at(const struct data *d, const struct code_spot *spot)
{
    return spot && spot->file != CPROF_NONE
               ? (struct place){d->profile->files[spot->file], spot->line}
               : (struct place){NULL, 0};
}

/* The inclusive column of the measure, or NULL. */
const struct column *data_inclusive(const struct data *data);
/* The inclusive column of lines: without call paths, with what was inlined there. */
const struct column *data_line_inclusive(const struct data *data);
/* The program's total of the measure. */
int64_t data_total(const struct data *data);

/* A clean copy of `text`, which it frees; the caller frees it. */
char *data_clean(char *text);
/* The clean label of a row's function; the caller frees it. */
char *data_name(const struct data *data, size_t row);
/* The clean label of a function of the profile, whether it has a row or not; the caller frees it.
 */
char *data_function_name(const struct data *data, uint32_t function);
/* The clean label of any row of functions; the caller frees it. */
char *data_label(const struct row *row);
/* The clean place of a row of functions, and a clean path; the caller frees them. */
char *data_place_of(const struct data *data, const struct row *row);
char *data_path(const struct data *data, const char *path);

/* The columns of a clean name, shortened to "a::b::<…>" where it has type arguments. */
int data_bare_width(const char *name);
/* The width that a column of names behind those of `pane` has at the least, so that names of own
 * functions are whole where there is room beside a place. */
int data_names_width(struct data *data, const struct pane *pane);
/* The share of spare room for a column of names: those of own code have what they need. */
static inline int data_names_share(const struct data *data)
{
    return data_has_own_code(data) ? 1 : 3;
}

/* The look of a value, by its share of the total. */
enum look data_heat(const struct data *data, int64_t value);
/* The look of a function's name: by the kind of its code, or that it is marked. */
enum look data_name_look(const struct data *data, uint32_t function, bool inlined);

/* The form of numbers on this screen: never NUMBERS_FIT. */
enum numbers data_numbers(const struct data *data);

/*
 * Columns of numbers, as data_numbers() says: a count, its percentage, or both. data_head() adds
 * their heads to a pane and data_cells() the texts of a value to a line, from column *at on.
 */
void data_head(const struct data *data, struct pane *pane, const char *head, char sorted);
void data_cells(const struct data *data, struct pane_cells *cells, int *at, int64_t value,
                bool at_least);
/* Head and cell of a bar as long as the value's share of the total. */
void data_bar_head(struct pane *pane);
/* True where lists of many columns have room for bars. */
bool data_has_bars(void);
void data_bar_cell(const struct data *data, struct pane_cells *cells, int *at, int64_t value,
                   enum look look);
/* The number of calls of a row, or that it was inlined. */
struct cell data_calls(const struct data *data, const struct row *row);
/* The width of the measure's numbers. */
int data_width(const struct data *data);

#endif
