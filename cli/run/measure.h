/*
 * measure.h - what is counted, and under which conditions: options, their checks, and the words
 * that tell the tool.
 */
#ifndef RUN_MEASURE_H
#define RUN_MEASURE_H

#include "base/options.h"

#include <stdbool.h>

enum on_off { SWITCH_ON, SWITCH_OFF };
enum caches { CACHES_WARM, CACHES_COLD };

enum { CONTEXTS_UNSET = -1 };

/* The program's code runs in copies of it where that can be done, or in Valgrind's translations. */
enum engine { ENGINE_NEAR, ENGINE_VEX };

/* The machine that the program sees, one that is alike everywhere, or this one; and the order of
 * threads. AUTO: fixed where counts are to be compared, with `deterministic` or `is_compared`. */
enum machine { MACHINE_AUTO, MACHINE_FIXED, MACHINE_HOST };
enum schedule { SCHEDULE_AUTO, SCHEDULE_FREE, SCHEDULE_FIXED };

/* How repeated string instructions count. */
enum rep { REP_EACH, REP_ONE };

/* The clock that the program sees. */
enum clock { CLOCK_REAL, CLOCK_FIXED };

/* Orders of threads: as many as are taken by default; a band of fewer than LEAST tells too little
 * of those that did not run. */
enum { ORDERS_UNSET = -1, ORDERS_USUAL = 5, ORDERS_LEAST = 5, ORDERS_MOST = 100 };

/* How to count. Strings are borrowed; NULL: the host's own cache. */
struct measure {
    bool cache_sim, branch_sim;
    int rep;                              /* enum rep */
    bool contexts;                        /* every call path apart */
    long max_contexts;                    /* or CONTEXTS_UNSET: the tool's own bound */
    const char *i1, *d1, *ll;             /* "SIZE,WAYS,LINE" */
    struct string_list toggles;           /* functions that switch collecting */
    struct string_list count_args;        /* FUNCTION=N[:log2]: arguments that are counted */
    bool heap;                            /* what is allocated and freed */
    bool data;                            /* which data misses; with the heap */
    bool line_use;                        /* how much of the lines of D1 is used */
    bool miss_curves;                     /* misses of all sizes of LL */
    const char *subject;                  /* the tool's: "heap", "data"; NULL: code */
    struct string_list alloc_functions;   /* functions that do, besides those that are known */
    int collect_at_start, instr_at_start; /* enum on_off */
    bool trace_children;                  /* programs that the program starts, too */
    int section_caches;                   /* enum caches: where a section begins */
    int engine;                           /* enum engine */
    int schedule;                         /* enum schedule */
    long schedule_seed;                   /* of a fixed one; 0: as threads become ready */
    int clock;                            /* enum clock */
    int machine;                          /* enum machine */
    bool is_compared;                     /* counts are for comparison: bench, test, baselines */
    int cpu_level;                        /* index into the processor's classes; 0: the usual one */
    bool deterministic;                   /* fixed random bytes, cleaned environment */
    struct string_list environment;       /* "NAME=VALUE", or "NAME": as it is here */
    struct string_list vg_options;
    bool quiet;            /* its progress is not shown */
    bool output_to_errors; /* the program's standard output goes to our standard error */
};
extern const struct option_def measure_options[]; /* for every command */
extern const struct option_def path_options[];    /* call paths, and the model of caches */
extern const struct option_def memory_options[];  /* the heap and data */
extern const struct option_def cache_options[];   /* the caches of the model */

/* Checks the settings. Returns 0 or STATUS_USAGE. */
int measure_check(const struct measure *measure);

/* True where most of the program runs as it is, and not in Valgrind's translations, if the
 * processor can do that. */
bool measure_runs_copies(const struct measure *measure);

/* True where the program sees a machine that is alike everywhere. */
bool measure_fixes_machine(const struct measure *measure);

/* True where threads run in an order of executed code alone. */
bool measure_fixes_schedule(const struct measure *measure);

/* Checks the value of --orders, which may be ORDERS_UNSET. Returns 0 or STATUS_USAGE. */
int measure_check_orders(const struct measure *measure, long orders);
/* The number of orders that are wanted, those that a baseline has, or 0, being `kept`. */
long measure_orders(long wanted, size_t kept);
/* The seed of another order of a fixed schedule: the `n`th behind that of the settings. */
long measure_seed(const struct measure *measure, long n);

/* True where the run begins without collecting. */
bool measure_starts_off(const struct measure *measure);

/* True where an entry of the environment sets or removes the variable of "NAME=value". */
bool measure_names(const struct string_list *environment, const char *variable);
/* Adds "NAME=value" to an environment, unless that has the name already. */
void measure_default(struct string_list *environment, const char *variable);
/* Empties its lists. */
void measure_free(struct measure *measure);

/* Adds the tool's options, in memory of their own. */
void measure_words(const struct measure *measure, struct string_list *words);

/* The options that may change what is counted of a program, as words, for the caller to free;
 * "none". */
char *measure_changes(const struct measure *measure);

/*
 * Adds the program's environment, in memory of its own: with `deterministic` all of it, a short
 * one; else the changes of ours.
 */
void measure_environment(const struct measure *measure, struct string_list *environment);

#endif
