/*
 * browsed.h - the profile as the browser's views share it: its rows and call paths, the measure,
 * the form of numbers, and the marks.
 */
#ifndef TUI_BROWSED_H
#define TUI_BROWSED_H

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

struct browsed {
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
    struct tree tree;            /* all call paths, made by browsed_tree() */
    bool has_tree;
    struct tree own_tree; /* from own code on (startup.h), made by browsed_own_tree() */
    bool has_own_tree;
    struct callers callers; /* made by browsed_callers() */
    int own_width;          /* of the longest name of own code; 0: not measured yet */
    bool own_only;          /* lists and trees have own code alone */
    bool threads;           /* own_tree has threads that run the same code apart */
    bool loads_tree;        /* `loader` makes it: nobody else touches it until `loader` has ended */
    pthread_t loader;
};

/* Loads a profile of a program of these packages (NULL: not known); the `root` and `maps` of
 * `finder` say where sources are; `threads`: they are apart in trees. */
void browsed_load(struct browsed *browsed, const struct cprof_profile *profile,
                  const struct packages *packages, const char *root,
                  const struct source_finder *finder, bool threads);
void browsed_free(struct browsed *browsed);

/* Shows the own cost of a column; NULL: as it is. */
void browsed_choose_measure(struct browsed *browsed, const char *column);

/* All call paths of a profile that has them. They are the profile's own; a caller may change their
 * order. */
struct tree *browsed_tree(struct browsed *browsed);

/* All call paths from own code on. */
struct tree *browsed_own_tree(struct browsed *browsed);

/* The functions that memory is put to. They are `browsed`'s. */
const struct callers *browsed_callers(struct browsed *browsed);
/* True where there is own code with a cost of its own or a caller's. */
bool browsed_has_own_code(const struct browsed *browsed);

static inline const struct column *browsed_self(const struct browsed *d)
{
    return d->measures[d->measure];
}

/* The row of a function of the profile (CPROF_NONE: none), or SIZE_MAX. */
static inline size_t browsed_row_of(const struct browsed *d, uint32_t function)
{
    uint32_t row = function == CPROF_NONE ? CPROF_NONE : d->row_of[function];

    return row == CPROF_NONE ? SIZE_MAX : row;
}

/* The place of a line; no file where it has none, or `spot` is NULL. */
static inline struct place browsed_place_at(const struct browsed *d, const struct code_spot *spot)
{
    return spot && spot->file != CPROF_NONE
               ? (struct place){d->profile->files[spot->file], spot->line}
               : (struct place){NULL, 0};
}

/* The inclusive column of the measure, or NULL. */
const struct column *browsed_inclusive(const struct browsed *browsed);
/* The program's total of the measure. */
int64_t browsed_total(const struct browsed *browsed);

/* A clean copy of `text`, which it frees; the caller frees it. */
char *browsed_clean(char *text);
/* The clean label of a row's function; the caller frees it. */
char *browsed_name(const struct browsed *browsed, size_t row);
/* The clean label of a function of the profile, whether it has a row or not; the caller frees it.
 */
char *browsed_function_name(const struct browsed *browsed, uint32_t function);
/* The clean label of any row of functions; the caller frees it. */
char *browsed_label(const struct row *row);
/* The clean place of a row of functions, and a clean path; the caller frees them. */
char *browsed_place_of(const struct browsed *browsed, const struct row *row);
char *browsed_path(const struct browsed *browsed, const char *path);

/* The columns of a clean name, shortened to "a::b::<…>" where it has type arguments. */
int browsed_bare_width(const char *name);
/* The width that a column of names behind those of `pane` has at the least, so that names of own
 * functions are whole where there is room beside a place. */
int browsed_names_width(struct browsed *browsed, const struct pane *pane);
/* The look of a value, by its share of the total. */
enum look browsed_heat(const struct browsed *browsed, int64_t value);
/* The look of a function's name: by the kind of its code, or that it is marked. */
enum look browsed_name_look(const struct browsed *browsed, uint32_t function, bool inlined);

/* The form of numbers on this screen: never NUMBERS_FIT. */
enum numbers browsed_numbers(const struct browsed *browsed);

/*
 * Columns of numbers, as browsed_numbers() says: a count, its percentage, or both. browsed_head()
 * adds their heads to a pane and browsed_cells() the texts of a value to a line, from column *at
 * on.
 */
void browsed_head(const struct browsed *browsed, struct pane *pane, const char *head, char sorted);
void browsed_cells(const struct browsed *browsed, struct pane_cells *cells, int *at, int64_t value,
                   bool at_least);
/* Head and cell of a bar as long as the value's share of the total. */
void browsed_bar_head(struct pane *pane);
/* True where lists of many columns have room for bars. */
bool browsed_has_bars(void);
void browsed_bar_cell(const struct browsed *browsed, struct pane_cells *cells, int *at,
                      int64_t value, enum look look);
/* The number of calls of a row, or that it was inlined. */
struct cell browsed_calls(const struct browsed *browsed, const struct row *row);
/* The width of the measure's numbers. */
int browsed_width(const struct browsed *browsed);

#endif
