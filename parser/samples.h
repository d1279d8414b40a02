/*
 * samples.h - samples of perf, as perf script writes them with addresses, made a raw profile
 * (doc/format.md): names come afterwards, as they do for exact counts.
 */
#ifndef PARSER_SAMPLES_H
#define PARSER_SAMPLES_H

#include "builder.h"
#include "cprof.h"

/* A warning of stacks that were cut off has these words. */
#define CPROF_STACKS_CUT "stacks were cut off"

/* A frame of a stack, as perf has it. Texts end at their sizes; empty: not known. */
struct samples_frame {
    const char *object; /* a path; "[kernel.kallsyms]" and the like is no file */
    uint64_t address;   /* in a file: its offset there */
    const char *symbol;
    size_t symbol_size;
    uint64_t offset; /* of the address from the symbol's beginning */
    int is_caller;   /* the address is the one that a call returns to */
    int is_relative; /* the address is one of memory, from where the file begins there */
};

/* Where that is. */
struct samples_place {
    const char *object;   /* the path that the profile has of it */
    const char *build_id; /* of that file; NULL: none */
    uint64_t address;     /* as its symbol table has it */
    uint64_t function;    /* the same of the beginning of its function; 0: not known */
    int is_named;         /* it is no file: the function is called as perf's symbol */
};

/* An event that has another name in the profile than perf has for it; several of perf's may have
 * one name there. */
struct samples_event {
    const char *perf_name; /* "cprof_42:malloc" */
    const char *name;      /* "malloc" */
    const char *field;     /* the tracepoint's field whose values are added up; NULL: none */
    const char *sum_name;  /* the event of their sum */
};

/* The weight of samples. */
enum samples_kind {
    SAMPLES_CHANCE, /* looks at the program: a sample stands for its period */
    SAMPLES_EXACT,  /* each occurrence: its number is a count, and there is no event Samples */
    SAMPLES_WAITS   /* each time a thread leaves the processor, by context-switches and
                       PERF_RECORD_SWITCH: nanoseconds until it is back */
};

/* The things that the reader has to know. Texts are the caller's. */
struct samples_source {
    /* Finds a place; its texts stay to the end. It is asked once for each distinct frame. */
    void (*locate)(void *places, const struct samples_frame *frame, struct samples_place *place);
    /* Tells whether nothing calls the code at a frame, so that whole stacks begin there. Asked
     * where a stack begins with it, and once. NULL: all stacks are whole. */
    int (*begins)(void *places, const struct samples_frame *frame);
    void *places;
    uint64_t stack_bytes; /* that perf copied of each stack; 0: none */
    int callers_return;   /* addresses of callers are behind their calls, as frame pointers give
                             them; else within these */
    enum samples_kind kind;
    const struct samples_event *events; /* `n_events`; may be NULL */
    size_t n_events;
    /* Tells whether a sample of thread `tid` at a time of perf's clock in ns counts. NULL: all do.
     */
    int (*counts)(const void *sections, uint64_t tid, uint64_t time);
    const void *sections;
    /* How many samples there have to be, with those that do not count, asked for at the end; 0: not
     * known. perf does not tell of all that it loses. NULL: nobody knows. */
    uint64_t (*expected)(const void *probes);
    const void *probes;
    /* Told of each process that began and had not ended when perf did, as far as the text has
     * --show-task-events. NULL: nobody wants to know. */
    void (*goes_on)(void *run, uint64_t pid);
    void *run;
    const char *left_out; /* samples of a command of this name do not count; NULL: none */
    const char *creator;  /* header fields of the raw profile */
    int is_file;          /* there was no run of ours: neither `pid` nor `exit_code` is known */
    long pid;
    const char *program;
    const char *const *arguments; /* NULL-terminated */
    const char *const *setup;     /* the same; NULL: nothing is known */
    int exit_code;                /* -1: a signal ended it, or it goes on */
};

/*
 * Reads what `perf script -F comm,pid,tid,time,period,event,ip,sym,symoff,dso --no-inline
 * --show-lost-events` writes, with "trace" among the fields where an event has one, with
 * --show-switch-events for SAMPLES_WAITS, and with --show-task-events for `goes_on`, from the file
 * at `path`, and gives `write` the raw profile. Returns how many samples there are; -1 with `error`
 * filled. Without a sample nothing is written.
 */
int64_t samples_to_raw(const char *path, const struct samples_source *source, cprof_writer *write,
                       void *to, struct cprof_error *error);

/* Tells if a function of a profile is called as its address in a file. */
int samples_address(const struct cprof_profile *p, uint32_t function, uint64_t *address);
/*
 * Gives a raw profile to the builder, which has the header of `p`: its stacks, with addresses where
 * functions are called as such. What is in no file keeps its name. 0; -1: the builder has failed,
 * or `error` is filled.
 */
int samples_locate(const struct cprof_profile *p, const struct samples_source *source,
                   struct builder *b, struct cprof_error *error);

#endif
