/*
 * valgrind_log.h - Valgrind's own messages about a run, of which some are worth a line.
 */
#ifndef RUN_VALGRIND_LOG_H
#define RUN_VALGRIND_LOG_H

#include <stdbool.h>
#include <stddef.h>

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

/* Reads the messages and closes their file. A complaint that is there already stays, unless
 * Valgrind has one about the profile. */
void valgrind_log_read(struct valgrind_log *log, int fd);

/* The extension of the processor that such an instruction is of; NULL: not known. */
const char *valgrind_log_extension(const char *instruction);

/* The name of a system call, of those that are newer than Valgrinds; NULL: not known. */
const char *valgrind_log_call_name(long number);

void valgrind_log_free(struct valgrind_log *log);

#endif
