/*
 * perf_waits.h - inside of the reader of perf script's text: how long threads are off the
 * processor, from the sample taken where a thread leaves it to perf's record of its return.
 */
#ifndef PARSER_PERF_WAITS_H
#define PARSER_PERF_WAITS_H

#include "arena.h"
#include "map.h"

#include <stdint.h>

/* Zeros are ready; perf_waits_release() afterwards. */
struct perf_waits {
    struct vector threads; /* struct perf_wait */
    struct map map;
};

/* A thread. */
struct perf_wait {
    uint64_t tid;
    uint64_t since; /* ns */
    uint32_t node;  /* the stack that it left with; valid while it is off the processor */
    int is_off;
    int is_preempted; /* others took the processor: it did not wait for anything */
};

/* The state of thread `tid`, made if new; NULL: out of memory. Valid until the next call. */
struct perf_wait *perf_waits_of(struct perf_waits *waits, uint64_t tid);
void perf_waits_release(struct perf_waits *waits);

#endif
