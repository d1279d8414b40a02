/*
 * annotation.h - the costs of a function, of a file or of the whole program, line by line: what the
 * command annotate, the browser's source pane and reports show beside the source. Nothing here
 * reads a source file (source_file.h does) or prints.
 *
 * Two kinds of cost are kept apart:
 *  - own: every cost record of the profile that is the subject's, each once. So the sum of all
 *    lines is what the functions cost by themselves, to the instruction. Where the code that a
 *    function was inlined from is in another file, or nothing is known of the line, that is a
 *    block, or a line 0, of its own.
 *  - inlined: what functions cost that were compiled into the subject, under the line that calls
 *    them (struct annotation_call). It is known where the profile has inlined contexts, and is
 *    never part of the sums of the lines.
 *
 * Life cycle: annotation_load, annotation_regions any number of times, annotation_free. The profile
 * must outlive it.
 */
#ifndef ANNOTATE_ANNOTATION_H
#define ANNOTATE_ANNOTATION_H

#include "cprof.h"
#include "table/columns.h"
#include "table/rows.h"

#include <stdbool.h>
#include <stddef.h>

/* Whose costs, and where. Both arrays are borrowed for the time of annotation_load(). */
struct annotation_subject {
    const bool *functions; /* n_functions of the profile; NULL: all */
    const bool *files;     /* n_files: lines of these only; NULL: of all, and of unknown ones */
    bool inlined;          /* find what was inlined, too; needs `functions` */
};

/* A line that has own cost, or where a function was inlined that has. */
struct annotation_line {
    uint32_t line;         /* 0: the file is known, the line is not */
    uint32_t first_call;   /* what was inlined here: index into calls; CPROF_NONE: nothing */
    const int64_t *counts; /* own: n_events */
};

/* The lines of one file, ascending; line 0 comes first. */
struct annotation_block {
    uint32_t file;         /* CPROF_NONE: not known */
    uint32_t first, n;     /* of lines */
    const int64_t *counts; /* the sum of these lines' own: n_events */
};

/* A function that was inlined at a line, and the code of it that ran there: blocks of lines, in
 * which further functions may be inlined. */
struct annotation_call {
    uint32_t function; /* index in the profile */
    uint32_t next;     /* the next one at the same line; CPROF_NONE: the last */
    uint32_t first_block, n_blocks;
    const int64_t *counts; /* with all that was inlined in it: n_events */
};

struct annotation {
    const struct cprof_profile *profile;
    uint32_t n_blocks; /* the subject's own; those of calls come after them */
    struct annotation_block *blocks;
    struct annotation_line *lines;
    uint32_t n_lines; /* of all blocks, those of calls too */
    uint32_t n_calls;
    struct annotation_call *calls; /* an inlined function stands before what is inlined in it */
    int64_t *own;                  /* the sum of the subject's own costs: n_events */
    int64_t
        *inlined;    /* the sum of what was inlined into a subject of functions, as far as the
                        profile has inlined contexts: n_events; whether calls are asked for or not */
    int64_t *counts; /* where all other counts are */
};

/*
 * Finds the lines. Blocks are in descending order of `measure`, an own cost of the profile (see
 * columns.h), and so are the calls at a line.
 */
void annotation_load(struct annotation *a, const struct cprof_profile *profile,
                     const struct annotation_subject *subject, const struct column *measure);
void annotation_free(struct annotation *a);

/*
 * The functions that a row stands for, as an array for annotation_subject: one, but in a cachegrind
 * file every one of that name, since it books inlined code to a "function" for each source file.
 * The caller frees it.
 */
bool *annotation_functions(const struct cprof_profile *profile, const struct row *row);

/*
 * The files that `text` means: the one with this path (as the profile has it, or as location_path()
 * shows it), or else those whose path ends with it, beginning at a '/'. Returns how many different
 * ones these are, as they are shown; `*files` is an array for annotation_subject, for the caller to
 * free, whatever the number.
 */
size_t annotation_files(const struct cprof_profile *profile, const char *text, const char *root,
                        bool **files);

/* A stretch of lines of a block that is worth showing. */
struct annotation_region {
    uint32_t block;
    uint32_t first, last; /* line numbers, with context: there may be no cost at either */
    int64_t value;        /* of the measure, over its lines */
};

/* What makes a region. */
struct annotation_view {
    const struct column *measure;
    double threshold; /* percent of own cost (and inlined, if there are calls) from which on
                         a line is shown for its own sake; 0: each line with any cost */
    unsigned context; /* lines around these */
    size_t limit;     /* the costliest regions only; 0: all */
};

/*
 * The regions of the subject's own blocks, block by block, lines ascending: lines from the
 * threshold on with their context; those that would touch are one. Lines without a number are in
 * none. Returns how many there are in `*regions`, for the caller to free; `*n_all` is how many
 * there were without the limit.
 */
size_t annotation_regions(const struct annotation *a, const struct annotation_view *view,
                          struct annotation_region **regions, size_t *n_all);

/*
 * Where no line reaches the threshold, makes it what the ten costliest do, and returns true: costs
 * may be spread over thousands of lines, and something is to be shown.
 */
bool annotation_lower_threshold(const struct annotation *a, struct annotation_view *view);

/* What a line stands for in a region: its own cost and what was inlined there, n_events into
 * `counts`. */
void annotation_line_sum(const struct annotation *a, uint32_t line, int64_t *counts);

#endif
