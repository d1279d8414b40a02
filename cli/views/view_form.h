/*
 * view_form.h - the tables beside those of functions (table/view_kinds.h): how each is filled, what
 * of it is more than a table, and what is to be said where its counts lack something.
 */
#ifndef VIEWS_VIEW_FORM_H
#define VIEWS_VIEW_FORM_H

#include "names/crates.h"
#include "options/column_selection.h"
#include "render/text/function_table.h"
#include "render/text/heap_table.h"
#include "table/callers.h"
#include "table/table.h"

#include <regex.h>
#include <stdbool.h>

/* The material of the views of one profile. */
struct view_input {
    const struct cprof_profile *profile;
    enum view_id view;             /* the one that was asked for */
    const struct callers *callers; /* of views that need them */
    const struct crates *crates;
    const struct show_settings *settings;
    const struct column_selection *selection;
    const regex_t *filter; /* names that are shown; NULL: all */
    const char *root;      /* places are shown relative to this folder */
};

/* The commands that a table of memory leads to. */
struct next_views {
    const char *sort; /* the column that lines of the source and call paths are to be sorted by;
                         NULL: there are none to look at */
    bool line_use;    /* how much of the lines is used would say more, and was not counted */
    char *type;       /* the type whose members are worth a look; NULL: none */
    const char *hint; /* a line for the screen, below the table; NULL: none */
};

struct view_form {
    bool needs_callers; /* of the input, which take time to find */
    /* Fills the table, which the caller frees; `next` gets what looks further. JSON and CSV are
     * laid out from it. */
    void (*fill)(const struct view_input *input, struct next_views *next, struct table *table);
    /* Writes it, as Markdown where `screen` is NULL. NULL: the filled table is all. */
    void (*write)(const struct view_input *input, const struct text_screen *screen, FILE *out);
    /* Writes it into a page beside the functions. NULL: the filled table is all. */
    void (*page)(const struct view_input *input, const struct function_table *functions, FILE *out);
};
/* By enum view_id; NULL: it is no such table. */
extern const struct view_form *const view_forms[N_VIEWS];
#define VIEW_FORM(id, word, form, shows) extern const struct view_form form##_form;
VIEW_TABLES(VIEW_FORM)
#undef VIEW_FORM
extern const struct view_form layout_form;

/* Fills the table of a view, which the caller frees. */
void view_fill(enum view_id view, const struct view_input *input, struct table *table);
void view_write(enum view_id view, const struct view_input *input, struct next_views *next,
                const struct text_screen *screen, FILE *out);
void view_write_page(enum view_id view, const struct view_input *input,
                     const struct function_table *functions, FILE *out);

/* Rows of a view's table, 0 for all: as -n says, else all for JSON and CSV, `alone` where this view
 * was asked for, and `beside` where it stands among others. */
size_t view_limit(const struct view_input *input, enum view_id view, size_t alone, size_t beside);

/* True where tables are without what is less than a hundredth: nobody asks for all, or for some. */
bool view_is_brief(const struct view_input *input);

/*--- Commands that look further ---*/

/* Writes commands that look further, where one table of memory of the last run stands alone; `view`
 * is that table. */
void other_views_write(const struct cprof_profile *profile, enum view_id view,
                       const struct next_views *next, const struct text_screen *screen, FILE *out);

/*--- Memory ---*/

/* The functions that memory is put to, in the order of what they are sorted by; bytes, where that
 * is no count of the heap. */
struct show_heap {
    struct columns columns;
    struct own own;
    struct heap_table table;
};

/* Finds them. show_heap_free() frees them. */
void show_heap_load(struct show_heap *heap, const struct view_input *input);
void show_heap_free(struct show_heap *heap);
/* Says what the counts of the heap lack. */
void heap_notes(const struct cprof_profile *profile);

/* Finds the type that --layout names. Returns 0 with its index, or STATUS_ERROR after having said
 * which there are. */
int show_layout_find(const struct cprof_profile *profile, const char *name, uint32_t *type);

/*--- Sections and arguments ---*/

/* Warns of sections that never began, never ended, ended in another thread, or caught next to
 * nothing; each may make all that is shown of them wrong. */
void section_warnings(const struct cprof_profile *profile);
/* Warns of sections of the old profile that never began in the new one. */
void section_warn_vanished(const struct cprof_profile *old, const struct cprof_profile *new);
/* Says which sections the program's file has that never began: they are in code that did not run,
 * which is usual where a program has several modes. Warns where none began. */
void section_note_unused(const struct cprof_profile *profile);
/* Warns of counted arguments of functions that were never called, with names that are like theirs.
 */
void argument_notes(const struct cprof_profile *profile);

#endif
