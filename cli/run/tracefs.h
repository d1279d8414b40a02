/*
 * tracefs.h - the kernel's probes, as perf takes them: made and removed by lines in files of
 * tracefs.
 */
#ifndef RUN_TRACEFS_H
#define RUN_TRACEFS_H

#include <stdbool.h>
#include <stdint.h>

/* The files of probes: of programs, and of the kernel. */
#define TRACEFS_UPROBES "uprobe_events"
#define TRACEFS_KPROBES "kprobe_events"

/* The beginning of the names of all our groups of probes, which go on with the process's number. */
#define TRACEFS_GROUP "cprof_"

#define TRACEFS_ADVICE "run it as root (sudo)"

/* The folder; $CPROF_TRACEFS is for tests. Constant; NULL: it is not there, or not for us. */
const char *tracefs_folder(void);
/* Why probes cannot be made in `file`, and what helps, constant texts; NULL: they can. */
const char *tracefs_problem(const char *file, const char **advice);
/* True where there is a tracepoint, or a probe, of this name: "sched:sched_switch". */
bool tracefs_has_event(const char *event);

/* Appends a line to one of the files. Returns 0 or an errno. */
int tracefs_write(const char *file, const char *line);
/* How often probes were met whose names begin so, by the kernel's list of them for one of the
 * files.
 */
uint64_t tracefs_hits(const char *file, const char *prefix);
/* Removes what processes left that were killed. */
void tracefs_remove_left(void);

#endif
