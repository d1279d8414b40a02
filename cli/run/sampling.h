/*
 * sampling.h - a program sampled, or its events counted, by Linux perf or gperftools: what is asked
 * for, and the run.
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

enum sampling_engine { ENGINE_PERF, ENGINE_GPERFTOOLS };

struct sampling {
    bool on;                     /* the program is sampled, not counted by the Valgrind tool */
    long frequency;              /* a second */
    const char *event;           /* as perf names them; NULL: what the machine has */
    long every;                  /* the Nth event is taken; 0: not given */
    const char *call_graph;      /* "dwarf", "dwarf,BYTES", "fp", "lbr"; NULL: not given */
    long stack_size;             /* bytes that are copied of each stack; 0: not given */
    int engine;                  /* enum sampling_engine */
    bool off_cpu;                /* the time off the processor, instead of that on it */
    const char *pid;             /* a process that runs; NULL: a program that is started */
    long duration;               /* seconds; 0: to the end */
    struct string_list probes;   /* functions that are events */
    struct string_list sections; /* of the program's own, which alone count; none: all counts */
};

enum { SAMPLING_FREQUENCY = 999 };

extern const struct option_def sampling_options[]; /* of struct sampling */
/* The options that leave it samples of time, of one run from its begin to its end. */
extern const struct option_def sampling_time_options[];

/* Empties its lists. */
void sampling_free(struct sampling *sampling);

/* Checks the settings, and that there is such a process. Returns 0 or a status. */
int sampling_check(const struct sampling *sampling);
/* The events whose samples are taken: as asked for, or processor cycles. In place of these it is
 * the clock where there is no counter of them, which `*is_clock` then tells. */
const char *sampling_events(const struct sampling *sampling, bool *is_clock);
/* How stacks are found, and the bytes that are asked to be copied of each; 0: none, or as many as
 * seem right. */
enum call_graph sampling_call_graph(const struct sampling *sampling);
long sampling_stack_size(const struct sampling *sampling);
/* True where samples are of the kernel, too, if it lets anybody see them. */
bool sampling_is_of_kernel(const struct sampling *sampling);
/* The Nth event is taken: as asked for, or each of probes, tracepoints and what the kernel counts;
 * 0: as many a second as --frequency says. */
long sampling_every(const struct sampling *sampling);
/* The events that the profile will have, with blanks between them. The caller frees it. */
char *sampling_columns(const struct sampling *sampling);
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
