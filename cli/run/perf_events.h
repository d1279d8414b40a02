/*
 * perf_events.h - what this machine lets perf count, asked for by the system call itself, and what
 * perf's own complaints come to.
 */
#ifndef RUN_PERF_EVENTS_H
#define RUN_PERF_EVENTS_H

#include <stdbool.h>

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
