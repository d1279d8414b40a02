/*
 * probes.h - functions of a program, of its libraries and of the kernel as events of perf, for as
 * long as a run takes: "malloc", "libc:memcpy %dx", "kernel:do_exit". The kernel makes and removes
 * them by lines in files of tracefs.
 */
#ifndef RUN_PROBES_H
#define RUN_PROBES_H

#include "base/options.h"
#include "run/program.h"

#include <stdint.h>

/* The name that a probe's value has among the kernel's fields. */
#define PROBES_FIELD "cprof_value"

/* A place that is an event of perf's. */
struct probe_event {
    char *perf_name; /* "cprof_42_1f:cprof_42_1f_0" */
    char *name;      /* "malloc": of all places of one function */
    char *sum;       /* the event of the sum of its values; NULL: it has none */
};

/* Zero-initialised is none. */
struct probes {
    size_t n, room;
    struct probe_event *items;
    char *removals[2]; /* the lines that remove them, of programs' and of the kernel's; or NULL */
};

/* Says what is wrong with the first of the texts that is no probe. Returns 0 or STATUS_USAGE. */
int probes_check(const struct string_list *texts);
/* The names of their events, with blanks between them. The caller frees it. */
char *probes_event_names(const struct string_list *texts);

/*
 * Finds the functions in `program`, or (`pid` not 0) in what that process has mapped, and makes the
 * probes. Returns 0; else STATUS_ERROR, having said what is wrong. probes_remove() afterwards in
 * any case; they go when a signal ends us, too.
 */
int probes_make(struct probes *probes, const struct string_list *texts,
                const struct program *program, long pid);
/* Removes them. perf must have ended. */
void probes_remove(struct probes *probes);

/* How often the kernel has met them; 0: not known. */
uint64_t probes_hits(const struct probes *probes);

/* "cprof_42_1f:cprof_42_1f_0,...", for perf. The caller frees it. */
char *probes_list(const struct probes *probes);

#endif
