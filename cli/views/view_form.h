/*
 * view_form.h - the tables beside those of functions (table/view_kinds.h): how each is filled, and
 * what of it is more than a table.
 */
#ifndef VIEWS_VIEW_FORM_H
#define VIEWS_VIEW_FORM_H

#include "names/crates.h"
#include "options/column_selection.h"
#include "render/text/function_table.h"
#include "table/callers.h"
#include "table/table.h"
#include "views/screen.h"

#include <regex.h>
#include <stdbool.h>

/* The material of the views of one profile. */
struct view_input {
    const struct cprof_profile *profile;
    enum view_id view;             /* the one that was asked for */
    const struct callers *callers; /* where a table of memory is shown */
    const struct crates *crates;
    const struct show_settings *settings;
    const struct column_selection *selection;
    const regex_t *filter; /* names that are shown; NULL: all */
    const char *root;      /* places are shown relative to this folder */
    struct links *links;   /* NULL: places are no links */
};

/* The commands that a table of memory leads to. */
struct next_views {
    const char *sort; /* the column that lines of the source and call paths are to be sorted by;
                         NULL: there are none to look at */
    bool line_use;    /* how much of the lines is used would say more, and was not counted */
    char *type;       /* the type whose members are worth a look; NULL: none */
};

struct view_form {
    /* Fills the table, which the caller frees. */
    void (*fill)(const struct view_input *input, struct table *table);
    /* Writes it, as Markdown where `screen` is NULL; `next` gets what looks further. NULL: the
     * filled table is all. */
    void (*write)(const struct view_input *input, struct next_views *next,
                  const struct show_screen *screen, FILE *out);
    /* Writes it into a page beside the functions. NULL: the filled table is all. */
    void (*page)(const struct view_input *input, const struct function_table *functions, FILE *out);
};
/* By enum view_id; NULL: it is no such table. */
extern const struct view_form *const view_forms[N_VIEWS];
#define VIEW_FORM(id, word, form, shows) extern const struct view_form form##_form;
VIEW_TABLES(VIEW_FORM)
#undef VIEW_FORM
extern const struct view_form layout_form;

void view_write(enum view_id view, const struct view_input *input, struct next_views *next,
                const struct show_screen *screen, FILE *out);
void view_write_page(enum view_id view, const struct view_input *input,
                     const struct function_table *functions, FILE *out);

/* Rows of a view's table, 0 for all: as -n says, else `alone` where this view was asked for, and
 * `beside` where it stands among others. */
size_t view_limit(const struct view_input *input, enum view_id view, size_t alone, size_t beside);

/* True where tables are without what is less than a hundredth: nobody asks for all, or for some. */
bool view_is_brief(const struct view_input *input);

/*--- Commands that look further ---*/

/* Writes commands that look further, where one table of memory of the last run stands alone; `view`
 * is that table. */
void other_views_write(const struct cprof_profile *profile, enum view_id view,
                       const struct next_views *next, const struct show_screen *screen, FILE *out);

#endif
