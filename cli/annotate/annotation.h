/*
 * annotation.h - the costs of a function, a file or the whole program, line by line.
 *
 * The command annotate, the browser's source pane and reports show them beside the source. Nothing
 * here reads a source file (source_file.h does) or prints.
 *
 * Two kinds of cost are kept apart:
 *  - own: each cost record of the subject counts once. So the sum of all lines is the functions'
 * own cost, to the instruction. A file that code was inlined from has a block of its own, and
 * unknown lines are a line 0.
 *  - inlined: the cost of functions that were compiled into the subject, under the line that calls
 *    them (struct annotation_call). It is known where the profile has inlined contexts, and is
 * never a part of the lines' sums.
 *
 * On request each of them has a third: its cost with callees. That is its own cost, and what all
 * that it called cost, inlined code and calls alike, each instruction once however often the line
 * is on the call path. A call back to a function that is on the path already is not charged to its
 * line: the cost is at the lines where it was spent. So the lines of one function add up to its
 * cost in the paths, and a line of a recursive function has a lower bound. Lines of several
 * functions overlap, as callers and callees do.
 *
 * With callees known, a line is also charged: what it cost, and what it called cost outside of the
 * lines in focus. Charged costs never overlap. They tell the line to look at first from all those
 * above it on the call path.
 *
 * Without call paths the calls tell, or, where there are none, inlined code alone. Lines of several
 * functions have the highest cost of one of these, then, which is certain.
 *
 * Life cycle: annotation_load, annotation_regions any number of times, annotation_free. The profile
 * must outlive it.
 */
#ifndef ANNOTATE_ANNOTATION_H
#define ANNOTATE_ANNOTATION_H

#include "cprof.h"
#include "names/crates.h"
#include "table/columns.h"
#include "table/rows.h"

#include <stdbool.h>
#include <stddef.h>

/*--- Subjects ---*/

/* The functions and files whose costs are shown. annotation_load() borrows both arrays while it
 * runs. */
struct annotation_subject {
    const bool *functions; /* one for each function of the profile; NULL: all functions */
    const bool *files; /* one for each file: only lines of these; NULL: lines of all files, and of
                          unknown ones */
    bool inlined;      /* find inlined calls, too; needs `functions` */
    bool callees;      /* find costs with callees, too */
    const bool *focus; /* one for each file: lines of these are chosen by cost with callees; NULL:
                          all. A whole program calls nothing, so that its own files matter. */
    const struct crates *crates; /* lines of derived code are charged with nothing; NULL: those of
                                    any code are */
};

/* Returns true for a cost of the subject. */
static inline bool annotation_has(const struct annotation_subject *subject,
                                  const struct cprof_cost *cost)
{
    return (!subject->functions || subject->functions[cost->function]) &&
           (!subject->files || (cost->file != CPROF_NONE && subject->files[cost->file]));
}

/*
 * The functions of a row, as an array for annotation_subject: one, but in a cachegrind file all of
 * that name, since it books inlined code to a "function" for each source file. The caller frees it.
 */
bool *annotation_functions(const struct cprof_profile *profile, const struct row *row);

/*
 * Finds the files that `text` stands for: the one with this path (the profile's, or that of
 * location_path()), or else those whose path ends with it, from a '/' on. Returns their number,
 * where files that are shown alike count as one. `*files` is an array for annotation_subject, which
 * the caller always frees.
 */
size_t annotation_files(const struct cprof_profile *profile, const char *text, const char *root,
                        bool **files);

/*--- Lines ---*/

/*
 * All counts but `inlined` are two rows of n_events: own cost, and cost with callees (0 where those
 * are not wanted).
 */

/* A line with an own cost, with an inlined call, or, where callees are wanted, with any call. */
struct annotation_line {
    uint32_t line;       /* 0: the file is known, the line is not */
    uint32_t first_call; /* the first call inlined here: index into calls; CPROF_NONE: none */
    uint32_t block;
    uint64_t
        runs; /* how often it ran, of the subject's own: struct cprof_line_runs; 0: not known */
    const int64_t *counts;
};

/* The lines of one file, ascending; line 0 comes first. */
struct annotation_block {
    uint32_t file;         /* CPROF_NONE: not known */
    uint32_t first, n;     /* the block's lines: index into lines */
    bool focus;            /* its lines are chosen by their cost with callees */
    const int64_t *counts; /* the sum of the lines' own costs; cost while any of them runs */
};

/* A function that is inlined at a line, with its code that ran there: blocks of lines, in which
 * further functions may be inlined. */
struct annotation_call {
    uint32_t function; /* index in the profile */
    uint32_t next;     /* the next call at the same line; CPROF_NONE: the last */
    uint32_t first_block, n_blocks;
    const int64_t *counts; /* costs with those of all calls inlined in it; with all callees */
};

/* The sources of costs with callees. */
enum annotation_callees {
    CALLEES_NONE,    /* not wanted, or nothing known */
    CALLEES_INLINED, /* inlined code only */
    CALLEES_ALL
};

struct annotation {
    const struct cprof_profile *profile;
    bool wants_callees;
    uint32_t n_blocks; /* the number of the subject's own blocks; those of calls come after them */
    struct annotation_block *blocks;
    struct annotation_line *lines;
    uint32_t n_lines; /* the lines of all blocks, of calls too */
    uint32_t n_calls;
    struct annotation_call *calls; /* a call stands before those inlined in it */
    enum annotation_callees callees;
    bool sampled;     /* costs are of samples: nobody saw calls */
    bool recursive;   /* calls back to a function on the path are left out of costs with callees */
    bool least;       /* costs with callees are lower bounds, without call paths */
    int64_t *own;     /* the sum of the subject's own costs; its cost with callees */
    int64_t *charged; /* of each line, by the measure; NULL without callees */
    int64_t *inlined; /* the sum of all code inlined into a subject of functions, as far as the
                         profile has inlined contexts, even where calls are not wanted: n_events */
    int64_t *counts;  /* the memory of all other counts */
};

/*
 * Finds the lines. Blocks are sorted by `measure`, an own cost of the profile (columns.h), highest
 * first, and so are the calls at a line. With callees, blocks in focus come first, by cost with
 * callees.
 */
void annotation_load(struct annotation *a, const struct cprof_profile *profile,
                     const struct annotation_subject *subject, const struct column *measure);
void annotation_free(struct annotation *a);

/* A range of lines of a block that is shown. */
struct annotation_region {
    uint32_t block;
    uint32_t first, last; /* line numbers, with context: neither line needs a cost */
    int64_t value; /* the sum of its lines, by the measure; of costs with callees, the highest */
    int64_t self;  /* the sum of its lines' own costs */
};

/*
 * The next line of a region from `*number` on: any of the source's `n_lines` (0: it is not known),
 * else one with costs, which `*line` is the index of, or CPROF_NONE. `*at` is the next line with
 * costs of the block, and goes past it. Returns false behind the last line.
 */
bool annotation_next_line(const struct annotation *a, const struct annotation_region *region,
                          uint32_t n_lines, uint32_t *number, uint32_t *at, uint32_t *line);

/* The choice of regions. */
struct annotation_view {
    const struct column *measure;
    double threshold; /* the percentage from which on a line is shown for its own sake, of own cost
                         (with inlined, if there are calls), or, with callees wanted, of the
                         program's; 0: each line with any cost */
    const bool
        *files; /* one for each file: `line` of these is shown whatever it cost; NULL: none */
    uint32_t line;
    unsigned context; /* lines of context around those */
    size_t limit;     /* the number of costliest regions shown; 0: all */
};

/*
 * Finds the regions of the subject's own blocks, block by block, lines ascending: lines from the
 * threshold on with their context. Those that touch are one. Lines without a number are in none.
 * Returns their number; the caller frees `*regions`. `*n_all` is their number without the limit.
 */
size_t annotation_regions(const struct annotation *a, const struct annotation_view *view,
                          struct annotation_region **regions, size_t *n_all);

/*
 * Lowers the threshold to that of the ten costliest lines where no line reaches it, and returns
 * true: costs may be spread over thousands of lines, and some must be shown.
 */
bool annotation_lower_threshold(const struct annotation *a, struct annotation_view *view);

/* Writes what a line stands for, n_events, into `counts`: in a block in focus its cost with
 * callees, else its own and that of its inlined calls. */
void annotation_line_sum(const struct annotation *a, uint32_t line, int64_t *counts);

/* Finds the lines that are charged most, at most `max`, highest first. Returns their number. */
size_t annotation_costliest(const struct annotation *a, uint32_t *lines, size_t max);

/* The counts that shares are of: two rows, as the others. The program's where callees are wanted,
 * else the subject's own, with what was inlined if there are calls. The caller frees them. */
int64_t *annotation_whole(const struct annotation *a);

#endif
