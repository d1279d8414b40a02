/*
 * pass_on.h - signals that end us, and are a child's affair while it runs: Ctrl-C and the like go
 * to the child, and we go on when it has ended. One at a time. A child that SIGTERM or SIGHUP has
 * not ended is killed by the next one, a second or more later.
 */
#ifndef BASE_PASS_ON_H
#define BASE_PASS_ON_H

#include "base/process.h"

#include <stdbool.h>
#include <sys/types.h>

enum pass_on_how {
    PASS_ON_AS_IS, /* the child gets the signal, unless the terminal has sent it one already */
    PASS_ON_END    /* any signal ends the child by SIGTERM: as it is no affair of the terminal */
};

/* The signals that came in. */
struct passed_on {
    int ended_by;     /* SIGTERM or SIGHUP; 0: none of them */
    bool interrupted; /* Ctrl-C or Ctrl-\; of PASS_ON_END, or where there was no child yet */
};

/* The signals that it is about. */
void pass_on_signals(sigset_t *set);
/* Begins; until pass_on_to() names a child, signals are only noted. pass_on_end() afterwards. */
void pass_on_begin(struct handlers *handlers, enum pass_on_how how);
/* The child that signals go to from here on; 0: none any more. */
void pass_on_to(pid_t child);
/* Begins, and starts the program as the child. The signals wait until it is there: one that came
 * before would be lost, or passed on twice. Returns 0, or an errno; pass_on_end() in either case.
 */
int pass_on_start(struct handlers *handlers, const struct process_spec *spec, pid_t *pid);
/* True where a signal came in while there was no child to pass it on to. */
bool pass_on_is_pending(void);
/* Ends it: what was there before handles signals again. */
struct passed_on pass_on_end(const struct handlers *handlers);

#endif
