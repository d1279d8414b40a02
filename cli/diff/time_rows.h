/*
 * time_rows.h - exact counts beside samples of the same program: which instructions are slow.
 *
 * A row is a function, matched as diff.h does, or a function's line. Were all instructions equally
 * slow, its samples would be its share of the instructions, of all samples in code that was
 * counted. What it has beyond that is time that instructions do not explain: extra samples. Code
 * that was not counted, such as the kernel's, has samples alone.
 *
 * Rows of own code have with their own what other code cost for them, in both profiles (own.h), and
 * what the kernel did for them apart: its samples are nobody's there.
 *
 * The interval of the row's share (share.h) tells which differences may be chance. Counts are
 * exact, so they have none.
 *
 * Samples of one job do not tell how long instructions of another take: where the profiles differ
 * in what the program was given, no time of an instruction is known.
 */
#ifndef DIFF_TIME_ROWS_H
#define DIFF_TIME_ROWS_H

#include "cprof.h"
#include "diff/diff.h"
#include "diff/own_diff.h"
#include "names/names.h"
#include "table/callers.h"
#include "table/columns.h"
#include "table/own.h"
#include "table/share.h"

#include <regex.h>
#include <stdbool.h>

/* The model of caches and branches beside the time; each where the profile has it. */
enum time_event { TIME_D1, TIME_LL, TIME_BRANCH, TIME_EVENTS };

struct time_row {
    enum diff_side side;   /* DIFF_NEW, the sampled profile, where that has it */
    struct code_spot spot; /* that profile's function, and its line with most samples, or else most
                              instructions */
    int64_t samples, instructions;
    int64_t misses[TIME_EVENTS];
    int64_t kernel; /* of own code: the kernel's samples for it, which are not among `samples` */
};

enum time_unit { TIME_NO_UNIT, TIME_NS, TIME_CYCLES };

struct time_table {
    const struct cprof_profile *profile[DIFF_SIDES]; /* DIFF_OLD: the exact one */
    char **names[DIFF_SIDES];                        /* of functions, as they are shown */
    struct columns columns;                          /* the exact profile's */
    const struct column *event[TIME_EVENTS];         /* NULL: not counted */
    enum time_unit unit;                             /* of `of_sample`, what a sample stands for */
    double of_sample;
    char *differences; /* "arguments 1 -> 2": of the two jobs, or programs; NULL: none is known */
    bool is_own;       /* rows are of own code */
    bool paths;        /* and have what calls cost */
    struct time_row
        outside[BLAME_OUTSIDES]; /* of code without own code above it: enum blame_outside */
    int64_t kernel_samples;      /* those in the kernel */
    struct time_row total;       /* with the kernel's samples */
    int64_t counted_samples; /* in rows that have instructions; of own code: all but the kernel's */
    size_t n, n_shown;       /* the first `n_shown` are those that a filter has left */
    struct time_row *rows; /* most extra samples first, if they are no chance; then most samples */
};

/* Has time_row_name() give names in a style; in full before. */
void time_table_name(struct time_table *table, enum name_style style);
const char *time_row_name(const struct time_table *table, const struct time_row *row);
/* A sentence on why the two cannot be held side by side, for the caller to free; NULL: they can. */
char *time_problem(const struct cprof_profile *exact, const struct cprof_profile *sampled);
/* Shows only rows whose function's name matches. */
void time_table_filter(struct time_table *table, const regex_t *filter);
void time_table_free(struct time_table *table);

/* The row's other samples; below 0 where its instructions are fast. */
double time_extra(const struct time_table *table, const struct time_row *row);
/* How slow the row's instructions are, beside all that were counted; 0: not known. */
double time_slowness(const struct time_table *table, const struct time_row *row);
/* How long one of the row's instructions takes, in the table's unit; 0: not known. */
double time_of_instruction(const struct time_table *table, const struct time_row *row);
/* Fewer samples of a row say nothing, however few instructions it has; so many are enough to judge
 * it by, wherever its interval lies. */
enum { TIME_LEAST_SAMPLES = 5, TIME_SURE_SAMPLES = 100 };

/* How fast an instruction of the row is, as processors go: slow is a third of what they could do,
 * or less. Unknown where few samples leave room for both, and where the table has no unit. */
enum time_speed { TIME_UNKNOWN, TIME_FAST, TIME_SLOW };
enum time_speed time_speed(const struct time_table *table, const struct time_row *row);
/* True where the extra samples may be chance, and where there are fewer than five. */
bool time_is_noise(const struct time_table *table, const struct time_row *row);

/* An event's short name ("D1m"), and what it counts in words ("D1 misses"). */
const char *time_event_name(enum time_event event);
const char *time_event_text(enum time_event event);

/*--- Loading ---*/

/* Makes the rows, of functions' lines or of functions. The profiles, which must outlive them, have
 * samples as the sampled one's first event and Ir as an event of the exact one: time_problem() says
 * so. */
void time_table_load(struct time_table *table, const struct cprof_profile *exact,
                     const struct cprof_profile *sampled, bool by_line);
/* Makes the rows of own code, with what it is charged with (own.h) of both: as far as both know
 * what other code cost for whom. A function is own code on both sides where `crates` say so of the
 * exact one. */
void time_table_load_own(struct time_table *table, const struct cprof_profile *exact,
                         const struct cprof_profile *sampled,
                         const struct crates *const crates[DIFF_SIDES], bool by_line);

#endif
