/*
 * message.h - what the program says on standard error. One line each: no capital, no full stop,
 * what failed first, the subject in quotes, then what to do. Never a source position of ours.
 */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include "cprof.h"

/* Exit statuses of the program itself; a profiled program's own failure is passed on as it is. */
enum {
    STATUS_OK = 0,
    STATUS_ERROR = 1,
    STATUS_USAGE = 2,
    STATUS_GATE = 3,    /* --fail-if */
    STATUS_SIGNAL = 128 /* and the number of a signal: it ended the program, as a shell counts */
};

/* "cargo-cprof: error: ..." Always returns STATUS_ERROR, so that callers can `return
 * message_error(...)`. */
int message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* An error of wrong usage, of the value STATUS_USAGE. */
#define message_usage(...) ((void)message_error(__VA_ARGS__), STATUS_USAGE)
void message_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A line for the reader that is no complaint: "cargo-cprof: ..." */
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A library error: file, line, column, text, and the offending line with a mark under it. Returns
 * STATUS_ERROR. */
int message_library_error(const struct cprof_error *error);
/* A line in cargo's manner: the verb right-aligned in 12 columns (bold green on a terminal), then
 * the text: "   Profiling nnet". */
void message_status(const char *verb, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
