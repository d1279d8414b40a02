/*
 * samples.h - samples of perf, as perf script writes them with addresses, made a raw profile
 * (doc/format.md): names come afterwards, as they do for exact counts.
 */
#ifndef PARSER_SAMPLES_H
#define PARSER_SAMPLES_H

#include "cprof.h"

/* A frame of a stack, as perf has it. Texts end at their sizes; empty: not known. */
struct samples_frame {
    const char *object; /* a path; "[kernel.kallsyms]" and the like is no file */
    uint64_t address;   /* in a file: its offset there */
    const char *symbol;
    size_t symbol_size;
    uint64_t offset; /* of the address from the symbol's beginning */
    int is_caller;   /* the address is the one that a call returns to */
};

/* Where that is. */
struct samples_place {
    const char *object;   /* the path that the profile has of it */
    const char *build_id; /* of that file; NULL: none */
    uint64_t address;     /* as its symbol table has it */
    uint64_t function;    /* the same of the beginning of its function; 0: not known */
    int is_named;         /* it is no file: the function is called as perf's symbol */
};

/* The things that the reader has to know. Texts are the caller's. */
struct samples_source {
    /* Finds a place; its texts stay to the end. It is asked once for each distinct frame. */
    void (*locate)(void *data, const struct samples_frame *frame, struct samples_place *place);
    void *data;
    int callers_return;   /* addresses of callers are behind their calls, as frame pointers give
                             them; else within these */
    const char *left_out; /* samples of a command of this name do not count; NULL: none */
    const char *creator;  /* header fields of the raw profile */
    long pid;
    const char *program;
    const char *const *arguments; /* NULL-terminated */
    int exit_code;                /* -1: a signal ended it, or it goes on */
};

/*
 * Reads what `perf script -F comm,tid,time,period,event,ip,sym,symoff,dso --no-inline
 * --show-lost-events` writes, from the file at `path`, and gives `write` the raw profile. Returns
 * how many samples there are; -1 with `error` filled. Without a sample nothing is written.
 */
int64_t samples_to_raw(const char *path, const struct samples_source *source, cprof_writer *write,
                       void *to, struct cprof_error *error);

#endif
