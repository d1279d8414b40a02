/*
 * view_kinds.h - the views of a profile: one table that the options, the first screen, the page,
 * JSON and the browser read.
 *
 * A new view is a line of VIEW_TABLES, a row of view_kinds, and a file in cli/views that fills its
 * table: text, Markdown, the page, JSON, CSV and the browser lay that out.
 */
#ifndef TABLE_VIEW_KINDS_H
#define TABLE_VIEW_KINDS_H

#include "cprof.h"

#include <stdbool.h>

/* Views that are tables beside those of functions, in the order of the screen: the name here, the
 * word of --view, the name of the form in cli/views, and what it shows. */
#define VIEW_TABLES(VIEW)                                                               \
    VIEW(SECTIONS, "sections", sections, "what the program named")                      \
    VIEW(ARGS, "args", arguments, "counted arguments")                                  \
    VIEW(HEAP, "heap", heap, "who allocates")                                           \
    VIEW(DATA, "data", data, "which data misses")                                       \
    VIEW(LINES, "line-use", line_use, "how much of the lines that D1 fetched was used") \
    VIEW(CURVES, "curves", curves, "misses by the size of LL")

/* Views with a word of --view come first. */
enum view_id {
    VIEW_UNSAID = -1, /* nothing was asked for: both, and in a comparison own code if there is */
    VIEW_BOTH,        /* own code, all tables, and functions */
    VIEW_OWN,
    VIEW_FUNCTIONS,
#define VIEW_ID(id, word, form, shows) VIEW_##id,
    VIEW_TABLES(VIEW_ID)
#undef VIEW_ID
        VIEW_LAYOUT, /* one type of data */
    VIEW_OWN_LINES,  /* own code line by line */
    VIEW_BY_LINE,    /* rows in place of functions, in the order of enum group_by */
    VIEW_BY_FILE,
    VIEW_BY_CRATE,
    VIEW_BY_OBJECT,
    N_VIEWS
};

/* Options that some views take and others do not; JSON and CSV are made of each view's table. */
enum view_option {
    VIEW_TAKES_BY = 1,
    VIEW_TAKES_BLAME = 2,
    VIEW_TAKES_LAYOUT = 4,
    VIEW_TAKES_PAGE = 8,
    VIEW_TAKES_PATHS = 16, /* --json=tree */
    VIEW_TAKES_COLUMNS = 32,
    VIEW_TAKES_INCLUSIVE = 64,
    VIEW_TAKES_FILTER = 128,
    VIEW_TAKES_FILE = 256,
    VIEW_TAKES_CRATE = 512
};

struct view_kind {
    const char *name;    /* the options that choose it, for messages */
    const char *measure; /* lines and calls are shown by, from a table of memory on; else NULL */
    const char *key;     /* of the browser; NULL: it has no such view */
    const char *help;    /* of the key */
    const char *member;  /* of JSON, and the id in a page; NULL: it is in neither */
    const char *heading; /* of its part of a page */
    bool (*exists)(const struct cprof_profile *profile); /* NULL: in all profiles */
    const char *missing;  /* "no data": what a profile lacks where it does not exist */
    const char *remedy;   /* what would have it */
    enum view_id within;  /* the view that --view may name beside the options; VIEW_BOTH: none */
    enum view_id part_of; /* the view whose table has this one, too, where that exists */
    unsigned takes;       /* enum view_option */
};
extern const struct view_kind view_kinds[N_VIEWS];
/* The words of --view, in the order of enum view_id; NULL ends them. */
extern const char *const view_words[];
/* The texts of VIEW_TABLES, by enum view_id. */
extern const char *const view_shows[];

/* True where the profile has what the view is about. */
bool view_exists(enum view_id view, const struct cprof_profile *profile);
/* True where another view of the profile has its table, too. */
bool view_is_within(enum view_id view, const struct cprof_profile *profile);
/* The view of what a run was about. */
enum view_id view_of_subject(enum cprof_subject subject);
/* "no data in 'x.cprof'; 'cargo cprof data' says which data misses", for a view that does not
 * exist; the caller frees it. */
char *view_lack(enum view_id view, const char *source);
/* The view that a profile is shown as first: the heap or data, where the run was about that. */
enum view_id view_first(const struct cprof_profile *profile);

#endif
