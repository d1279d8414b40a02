/*
 * perf.h - the program perf: recording a process, and reading what it recorded.
 */
#ifndef RUN_PERF_H
#define RUN_PERF_H

#include "run/sampling.h"

#include <stdbool.h>

/* perf at work on a process. */
struct perf_record {
    pid_t pid;
    int log;          /* its messages */
    char *data;       /* the file that it writes */
    char *control[2]; /* FIFOs: to it, from it */
    bool compressed;  /* the file is */
    long stack_bytes; /* that it copies of each stack; 0: none */
};

#define PERF_DATA "perf.data"

/* The samples that are to be taken. */
struct perf_request {
    const struct sampling *sampling;
    const char *events; /* as perf names them */
    pid_t pid;          /* of this process and what it starts */
    bool is_begun;      /* it runs already; else it becomes the program later on */
};

/* Has perf attach to the process and returns when it takes samples: 0, or STATUS_ERROR after having
 * said what is wrong. perf_record_end() afterwards. */
int perf_record_begin(struct perf_record *record, const struct perf_request *request,
                      const struct tempdir *dir);
/* Waits for perf to end by itself, as it does when the process has; `stop`: tells it to end first.
 * Its messages come to `messages`, for the caller to free. Returns its status as waitpid() does. */
int perf_record_end(struct perf_record *record, bool stop, char **messages);
void perf_record_free(struct perf_record *record);

/* The text of perf's data that is wanted. */
struct perf_script {
    const char *data;
    bool values;   /* with the fields of tracepoints */
    bool switches; /* with records of threads that leave the processor and come back */
};

/* Has perf write the data as text into the file descriptor `*text`, which the caller closes; its
 * messages go to `log`, a file descriptor. Returns 0 or an errno. */
int perf_script_begin(const struct perf_script *script, int *text, int log, pid_t *pid);

/* All that is in a file of messages, for the caller to free. */
char *perf_log_text(int log);

/* Tells whether samples can be taken at all, before a long run that is of no use without them.
 * Returns 0, or STATUS_ERROR after having said why not. */
int perf_check(void);
/* "perf-6.1.176", or "perf" where it does not say. The caller frees it. */
char *perf_version(void);

/*--- Events ---*/

/*
 * Events that this machine lets perf count, asked for by the system call itself, and what
 * perf's own complaints come to.
 */

/* True where there is a counter of the processor's cycles. */
bool perf_events_have_cycles(void);

/* True where samples may be taken in the kernel, too, and of its tracepoints and switches. */
bool perf_events_see_kernel(void);
/* A command that helps where they may not; constant. */
#define PERF_EVENTS_KERNEL_ADVICE "'sudo sysctl kernel.perf_event_paranoid=1' lets you see it"

/* Why samples may not be taken, and how they may be; the texts are constant. NULL: they may. */
const char *perf_events_problem(const char **advice);

/* The line of perf's messages that says why it failed, with no more than that, for the caller to
 * free; NULL: it said nothing. `event`: what was asked for, or NULL. `*advice`: what helps; NULL:
 * that is not known. */
char *perf_events_complaint(const char *messages, const char *event, const char **advice);

#endif
