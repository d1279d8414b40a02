/*
 * valgrind.h - running a program under Valgrind with our tool.
 */
#ifndef RUN_VALGRIND_H
#define RUN_VALGRIND_H

#include "base/held_process.h"
#include "run/measure.h"
#include "run/program.h"
#include "run/rawset.h"
#include "run/tempdir.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*--- The log ---*/

/* Valgrind's own messages about a run, of which some are worth a line. */

enum { LOG_CALLS_MOST = 8 };

struct valgrind_log {
    char *complaint;   /* why there is no profile, or NULL */
    char *instruction; /* the first one that Valgrind does not know: "0F 38 CB C8 C3"; or NULL */
    bool copied;       /* it ran all the same, in a copy of the program's code */
    bool gathers;      /* AVX-512's gathers or scatters ran, whose data are not counted */
    char *function;    /* that it is in; NULL: not known */
    char *unlike;      /* an action that is not emulated, in Valgrind's words, or NULL */
    bool extended;     /* long doubles of 80 bits were used, and computed with 64 */
    long long refused; /* bytes of a mapping that Valgrind had no room for; 0: none */
    size_t n_calls;    /* system calls that Valgrind lacks, */
    long calls[LOG_CALLS_MOST];
};

/* The extension of the processor that such an instruction is of; NULL: not known. */
const char *valgrind_log_extension(const char *instruction);

/* The name of a system call, of those that are newer than Valgrinds; NULL: not known. */
const char *valgrind_log_call_name(long number);

/*--- Runs ---*/

/* How a run ended. */
struct run_outcome {
    pid_t pid;
    int wait_status; /* as waitpid() gives it */
    int ended_by; /* SIGTERM or SIGHUP that was sent to us and passed on, or what came first; or 0
                   */
    bool had_options;        /* Valgrind got options of the user's */
    bool goes_on;            /* processes that the program started are not at their end */
    struct rawset raw;       /* in the temporary folder */
    struct valgrind_log log; /* what Valgrind or the tool said of that */
    bool sampled;            /* by perf: nothing here is of Valgrind (sampling.h) */
    bool counted;            /* each of some events, not samples */
    bool waits;              /* they are the ends of waits, of a process that ran before */
    struct child_times times;
    bool duration_over; /* we ended it, as was asked for */
    bool interrupted;   /* Ctrl-C ended the sampling of a process that goes on */
};

/* The folder of the Valgrind tool and all that it needs, or NULL where there is none. The caller
 * frees it. */
char *valgrind_folder(void);

/* The path of the program that starts the tool in `folder`; $CPROF_LAUNCHER is for tests. The
 * caller frees it. */
char *valgrind_launcher(const char *folder);

/*
 * Runs `program` with `arguments` (NULL-terminated, or NULL) and waits for its end. Ctrl-C is the
 * program's affair meanwhile: it ends the program, not us. Returns 0 with `outcome` filled, or
 * STATUS_ERROR where Valgrind could not be started.
 */
int valgrind_run(const struct program *program, char **arguments, const struct measure *measure,
                 const struct tempdir *dir, struct run_outcome *outcome);
/* A copy of a program that others started: this, and the process's number. */
#define VALGRIND_COPY "program."

/*
 * Writes a shell script into `dir` that runs the program that it gets as its first word, with the
 * others as arguments, as valgrind_run() does, in its own process: for programs that others start,
 * and may remove. Their setup is that of `program`. A copy of the program lies in `dir` then, and
 * its profile as RAWSET_NAME. Returns the script's path, for the caller to free, or NULL after
 * having said what is wrong.
 */
char *valgrind_script(const struct program *program, const struct measure *measure,
                      const struct tempdir *dir);
void run_outcome_free(struct run_outcome *outcome);

#endif
