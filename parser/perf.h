/*
 * perf.h - inside of the reader of perf script's text: its lines, taken apart. Texts are bytes of
 * the line, with their ends.
 */
#ifndef PARSER_PERF_H
#define PARSER_PERF_H

#include "reader.h"
#include "samples.h"

#include <stddef.h>
#include <stdint.h>

struct perf_text {
    const char *at, *end;
};

/* "comm pid[/tid] [cpu] time: [period] event: ...", or the same without the time and what is behind
 * the event */
struct perf_head {
    struct perf_text comm;
    struct perf_text event; /* without its ':' */
    const char *rest;       /* behind it */
    uint64_t pid, tid;      /* 0: not known; pid: nor where it is not beside tid */
    uint64_t time;          /* ns, of perf's clock; 0: not known */
    uint64_t period;        /* 1: not given */
    int has_period, has_time;
    int is_record; /* not a sample, but one of perf's own records: no ':' */
};

/* "ip symbol+offset (object)"; of an inlined frame "ip symbol (inlined)". */
struct perf_frame {
    struct perf_text symbol, object; /* empty: not known */
    uint64_t address;
    uint64_t offset; /* of the address in the symbol; 0: not given */
    int inlined;
};

/* Read the line in [at, end). 1; 0 where it is no such line. */
int perf_head_line(const char *at, const char *end, struct perf_head *head);
int perf_frame_line(const char *at, const char *end, struct perf_frame *frame);
/* Reads the one frame that stands in a sample's line, among columns that -F and `perf mem` add: an
 * address of data, "|OP LOAD|...", weights, registers. */
int perf_frame_in_line(const char *at, const char *end, struct perf_frame *frame);
/* "  file:line", as -F +srcline puts below a frame. */
int perf_source_line(const char *at, const char *end, struct perf_text *file, uint32_t *line);
/* Tells if -F puts the line there of code without a source, "  libc.so.6[1f2e]", or of an
 * instruction, " insn: 0f 84". */
int perf_other_line(const char *at, const char *end);

/* How far samples can be believed. */
struct perf_counts {
    uint64_t samples, lost, throttled, without_stack;
    uint64_t left_out;       /* by the source, and not among the samples */
    uint64_t without_value;  /* counted, but missing from the sum of their values */
    uint64_t cut, completed; /* stacks without their beginning; that got it from others */
    uint64_t
        stack_bytes; /* that perf copied of each stack; 0: none, callers were found otherwise */
};
/* Warns of what is missing. 0 or -1. */
int perf_warn_of_samples(struct reader *r, const struct perf_counts *counts);

/* A raw profile, as samples.h says, whose functions that are no file's have names. NULL with the
 * error filled. */
struct cprof_profile *perf_read_samples(struct input *in, const struct samples_source *source,
                                        struct perf_counts *counts, struct cprof_error *error);

/* The value of a tracepoint's field in the text behind an event, " (7f12) size=100 fd=0x3". 1; 0
 * where there is none that is a number. */
int perf_field_value(const char *at, const char *end, const char *field, uint64_t *value);

/* Copies the event without modifiers that do not change what is counted: "cycles:Pu" is "cycles:u".
 * Returns the number of bytes, up to `size`. */
size_t perf_event_name(struct perf_text event, char *name, size_t size);

#endif
