/*
 * perf.h - the program perf: recording a process, and reading what it recorded.
 */
#ifndef RUN_PERF_H
#define RUN_PERF_H

#include "run/sampling.h"

/* perf at work on a process. */
struct perf_record {
    pid_t pid;
    int log;          /* its messages */
    char *data;       /* the file that it writes */
    char *control[2]; /* FIFOs: to it, from it */
};

#define PERF_DATA "perf.data"

/* Has perf attach to process `pid` and returns when it takes samples: 0, or STATUS_ERROR after
 * having said what is wrong. perf_record_end() afterwards. */
int perf_record_begin(struct perf_record *record, const struct sampling *sampling, pid_t pid,
                      const struct tempdir *dir);
/* Waits for perf to end by itself, as it does when the process has; `stop`: tells it to end first.
 * Its messages come to `messages`, for the caller to free. Returns its status as waitpid() does. */
int perf_record_end(struct perf_record *record, bool stop, char **messages);
void perf_record_free(struct perf_record *record);

/* Has perf write the data as text into the file descriptor `*text`, which the caller closes; its
 * messages go to `log`, a file descriptor. Returns 0 or an errno. */
int perf_script_begin(const char *data, int *text, int log, pid_t *pid);

/* A file in memory for messages, and all that is in it, for the caller to free. */
int perf_log_open(const struct tempdir *dir);
char *perf_log_text(int log);

/* "perf-6.1.176", or "perf" where it does not say. The caller frees it. */
char *perf_version(void);

#endif
