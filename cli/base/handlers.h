/*
 * handlers.h - signal handlers that are set for a while, so that a signal reaches what we wait for.
 */
#ifndef BASE_HANDLERS_H
#define BASE_HANDLERS_H

#include <signal.h>
#include <stddef.h>

enum { HANDLERS_MAX = 4 };

struct handlers {
    size_t n; /* at most HANDLERS_MAX */
    int signals[HANDLERS_MAX];
    void (*handler)(int sig, siginfo_t *info, void *context);
    int flags;                          /* besides SA_SIGINFO */
    struct sigaction old[HANDLERS_MAX]; /* what was there before */
};

/* Sets them. A signal that is ignored already (nohup) stays so. It is a handler, not SIG_IGN, since
 * a program that is started would inherit that. */
void handlers_set(struct handlers *handlers);
/* Sets again what was there before. */
void handlers_unset(const struct handlers *handlers);

#endif
