/*
 * perf_state.h - inside of the reader of perf script's text: all that it knows while it reads, and
 * the events and columns of counts of that.
 */
#ifndef PARSER_PERF_STATE_H
#define PARSER_PERF_STATE_H

#include "arena.h"
#include "perf.h"
#include "perf_waits.h"
#include "sampled.h"
#include "stacks.h"

/* Column 0 of the tree counts samples, but for counts that are exact; each event has one behind it,
 * and one for the sum of its values in front of that where it has any. */
struct perf_event {
    const char *name;
    uint32_t column;
    uint64_t samples;
    int has_periods;                    /* else its column counts samples as well */
    const struct samples_event *values; /* NULL: it has none */
};

/* A frame of the sample at hand, whose function is not known before its object is: that of an
 * inlined one stands behind it. */
struct perf_entry {
    const char *symbol, *object; /* the builder's; NULL: not known */
    const char *file;
    uint32_t line;
    int inlined;
};

/* A frame that was looked up by `source`, by the bytes of its line. */
struct perf_known {
    const char *line;
    size_t size;
    int is_caller;
    uint32_t frame;     /* of the stacks */
    signed char begins; /* 1: nothing calls it, 0: something does, -1: nobody has asked yet */
};

/*
 * The format: a line for each sample, below it the frames of its stack, the innermost first, and an
 * empty line; a sample without a stack may have one frame in its line. perf's own records, such as
 * those of lost samples, are lines too.
 *
 * With a source, frames have addresses, and functions are the raw profile's: by where they begin.
 */
struct perf {
    struct sampled s;             /* its threads are commands */
    struct vector events, frames; /* struct perf_event, perf_entry */
    int in_sample;
    int ends_whole; /* the line at hand is a frame, and ends with that of its object */
    int is_in_line; /* the sample at hand has its one frame in its line, and no empty line behind */
    uint32_t event, comm; /* of the sample at hand; comm: a root */
    uint64_t period, value, tid, time;
    int has_period;
    int is_left_out; /* the sample does not count */
    struct perf_counts counts;
    const struct samples_source *source; /* NULL: there is none, and what follows is empty */
    struct vector located;               /* uint32_t: frames of the sample at hand */
    uint32_t outermost;                  /* the last of them, in `known` */
    size_t n_kernel;                     /* the first of them that are the kernel's */
    struct stacks_cut cut;
    struct perf_waits waits;
    struct vector running; /* perf_processes.h */
    int is_in_user;        /* the last of them is no kernel's */
    struct vector known;   /* struct perf_known */
    struct map known_map;
    struct arena lines;
};

/* The way that samples count. */
enum samples_kind perf_kind_of(const struct perf *p);
/* Fills the error. Returns -1. */
int perf_out_of_memory(struct perf *p);
/* The number of the event of this name; made if new. 0 or -1. */
int perf_find_event(struct perf *p, struct perf_text text, uint32_t *event);
/* The columns that are there before any event. 0 or -1. */
int perf_begin_columns(struct perf *p);
/* Names the columns and gives all stacks to the builder. 0 or -1. */
int perf_finish_columns(struct perf *p);

#endif
