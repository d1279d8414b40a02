/*
 * sampling.h - a program sampled by Linux perf: what is asked for, and the run.
 *
 * perf records into the run's temporary folder; its text is read at once and becomes a raw profile
 * there, like one of the Valgrind tool.
 */
#ifndef RUN_SAMPLING_H
#define RUN_SAMPLING_H

#include "base/options.h"
#include "run/program.h"
#include "run/tempdir.h"
#include "run/valgrind.h"

/* How stacks are found: by debug information, by frame pointers, by the processor's branch records.
 */
enum call_graph { CALL_GRAPH_DWARF, CALL_GRAPH_FP, CALL_GRAPH_LBR };

struct sampling {
    bool on;           /* the program is sampled, not counted */
    long frequency;    /* a second */
    const char *event; /* as perf names them; NULL: what the machine has */
    int call_graph;    /* enum call_graph */
    const char *pid;   /* a process that runs; NULL: a program that is started */
    long duration;     /* seconds; 0: to the end */
};

enum { SAMPLING_FREQUENCY = 999, STACK_BYTES = 16384 };

extern const struct option_def sampling_options[]; /* of struct sampling */

/* Checks the settings, and that there is such a process. Returns 0 or a status. */
int sampling_check(const struct sampling *sampling);
/* The events whose samples are taken: as asked for, or processor cycles where there is a counter of
 * them and its clock where there is none, which `*is_clock` then tells. */
const char *sampling_events(const struct sampling *sampling, bool *is_clock);
/* The program of --pid. Returns 0, or STATUS_ERROR after having said what is wrong. */
int sampling_program(const struct sampling *sampling, struct program *program);

/*
 * Runs `program` as valgrind_run() does, or looks at the process, while perf takes samples of it.
 * Returns 0 with `outcome` filled; there is no profile where no sample was taken. Else a status
 * after having said what is wrong.
 */
int sampling_run(const struct program *program, char **arguments, const struct sampling *sampling,
                 const struct measure *measure, const struct tempdir *dir,
                 struct run_outcome *outcome);

#endif
