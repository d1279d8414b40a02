/*
 * column_selection.h - which columns a table shows, and what its rows are sorted by: what the
 * settings come to for one profile.
 */
#ifndef OPTIONS_COLUMN_SELECTION_H
#define OPTIONS_COLUMN_SELECTION_H

#include "options/show_options.h"
#include "table/columns.h"
#include "table/groups.h"

struct column_selection {
    struct columns columns;       /* all there are */
    const struct column *sort;    /* a number, or a ratio */
    const struct column *measure; /* the own cost that `sort` is about: totals are of this */
    const struct column **shown;
    size_t n_shown;
    enum group_by by;
    size_t n_copies;
    struct column **copies; /* those of `shown` that are no column of the profile's as it is */
    /* The events of a run, to which options can add; NULL: a profile is as it is. */
    const char *counted;
};

/* Returns 0, or STATUS_USAGE after having said which column there is none of. selection_free() in
 * either case. */
int selection_load(struct column_selection *selection, struct events events,
                   const struct show_settings *settings, enum show_view view);
/* Selects what rows are sorted by, its percentage if `percent`, function and place. */
int selection_load_few(struct column_selection *selection, struct events events,
                       const struct show_settings *settings, bool percent);
/* The selection of two profiles, with the columns of --columns: ratios have no change. */
int selection_load_changes(struct column_selection *selection, struct events events,
                           const struct show_settings *settings);
/* The selection of two profiles, with nothing but the measure found: for tables with columns of
 * their own. */
int selection_load_measure(struct column_selection *selection, struct events events,
                           const struct show_settings *settings);
/* Shows one more column, or the percentage of the number before it. */
void selection_show(struct column_selection *selection, const struct column *column);
/* Shows all events. */
void selection_show_events(struct column_selection *selection, uint32_t n_events);
/* A copy of a column, which lives as long as the selection, to be changed and shown. */
struct column *selection_make(struct column_selection *selection, const struct column *column);
/* The columns that are shown, until one more is. */
static inline struct column_list selection_columns(const struct column_selection *selection)
{
    return (struct column_list){selection->n_shown, selection->shown};
}

void selection_free(struct column_selection *selection);

/* Checks names of columns before a run, against what (settings->counted) it will count; those of a
 * profile at hand are checked when it is loaded. Returns 0 or STATUS_USAGE. */
int selection_check(const struct show_settings *settings);
/* Checks the name of a count that `option` is about the same way. Returns 0 or STATUS_USAGE. */
int selection_check_count(const char *option, const char *name, const struct counted *counted);

/* Returns what rows are sorted by without --sort: the first number in the list of --columns (or
 * NULL) where that is an inclusive cost, else what the profile is about. */
const struct column *selection_usual_sort(const struct columns *columns, enum cprof_subject subject,
                                          const char *list);

#endif
