/*
 * process.h - other programs: started without a shell, with changes of the environment and folder
 * for them alone.
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "base/options.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Members that are not set leave it as it is for us; `argv` alone has to be set. */
struct process_spec {
    const char *const *argv;               /* argv[0] is looked up on PATH where it has no '/' */
    const char *path;                      /* executed in place of argv[0]; NULL: that */
    const struct string_list *environment; /* "NAME=value" to set, "NAME" to unset; or NULL */
    bool only_environment;                 /* nothing but `environment` */
    const char *folder;                    /* to run in, or NULL */
    bool no_input;                         /* standard input is /dev/null */
    bool no_errors;                        /* standard error is /dev/null */
    bool errors_to_output;                 /* standard error goes where standard output does */
    const sigset_t *blocked;               /* signals that it begins with blocked; NULL: ours */
    int input;                             /* file descriptor for standard input, or 0: ours */
    int output;                            /* file descriptor for standard output, or 0: ours */
    int errors;                            /* file descriptor for standard error, or 0: ours */
    int inherited[2];                      /* further descriptors that it has, too; 0: none */
};

/*
 * Files of ours may be as large as our caller allows at most (RLIMIT_FSIZE), beyond what it allows
 * by default, which process_size_limit() returns, in bytes; ~0: no limit. Programs that are
 * profiled get that one back, others have what we have.
 */
void process_lift_size_limit(void);
unsigned long long process_size_limit(void);

/* The environment that the program gets: the array is the caller's, its texts are not. */
char **process_environment(const struct process_spec *spec);

/* Starts the program; signals that we catch have their default action there. Returns 0, or an
 * errno. */
int process_start(const struct process_spec *spec, pid_t *pid);
/* Says that the program cannot be started, by the errno of process_start(). Returns STATUS_ERROR.
 */
int process_refused(const char *path, int error);

/* Waits for the end of `pid` and returns its status as waitpid() gives it; one of STATUS_ERROR,
 * having said so, where nobody can tell. */
int process_wait(pid_t pid);

/*
 * Runs the program and hands every line of its standard output to `line`, without its newline.
 * Returns 0 with *status as waitpid() gives it, or an errno where the program could not be started.
 */
int process_capture(const struct process_spec *spec, void (*line)(void *data, char *text),
                    void *data, int *status);

/* process_capture() that keeps the first line that is not empty alone: *first, for the caller to
 * free; NULL where there was none. */
int process_first_line(const struct process_spec *spec, char **first, int *status);
/* process_capture() of the whole text: *text, for the caller to free, "" where there is none. */
int process_text(const struct process_spec *spec, char **text, int *status);
/* The first line that the program prints, which gets no input and whose errors nobody sees, for the
 * caller to free; NULL: it cannot be started, it failed, or there is none. */
char *process_line(const char *const *argv);

/* Begins a thread that takes no signals: they are the first thread's. Returns 0 or an errno. */
int thread_begin(pthread_t *thread, void *(*work)(void *data), void *data);

/* The name of a signal: "SIGSEGV"; "signal 40" for one without. Valid until the next call. */
const char *process_signal_name(int sig);

/* The value of a variable of ours where it is not empty, else `otherwise`. */
const char *environment_or(const char *name, const char *otherwise);

/* The file that a shell would run as `name`, or NULL. The caller frees it. */
char *process_find(const char *name);

/*--- Handlers ---*/

/* Signal handlers that are set for a while, so that a signal reaches what we wait for. */

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

/*--- Signals that are passed on ---*/

/*
 * Signals that end us, and are a child's affair while it runs: Ctrl-C and the like go
 * to the child, and we go on when it has ended. One at a time. A child that SIGTERM or SIGHUP has
 * not ended is killed by the next one, a second or more later.
 */

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
