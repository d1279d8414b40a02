/*
 * gperf.h - the files of gperftools, of processor and heap, and jemalloc's of the heap: where code
 * was in memory, and samples.
 */
#ifndef PARSER_GPERF_H
#define PARSER_GPERF_H

#include "sampled.h"

struct gperf {
    struct sampled s;
    struct vector mappings; /* struct gperf_mapping, by start once they are sorted */
    struct vector places;   /* struct gperf_place */
    struct map place_map;
    struct vector stack;  /* uint64_t: addresses of the sample at hand, the innermost first */
    int ends_whole;       /* the list of mapped files does */
    uint64_t handlers[2]; /* addresses that the handler left behind the first; 0: none */
};

/* Tell by the first bytes. */
int gperf_is_cpu(const char *bytes, size_t size);
int gperf_is_heap(const char *bytes, size_t size);
int gperf_is_jemalloc(const char *bytes, size_t size);
/* Fill columns from the file, all of which is at hand. 0 or -1. */
int gperf_read_cpu(struct gperf *g, const char *bytes, size_t size);
int gperf_read_heap(struct gperf *g, const char *bytes, size_t size);
int gperf_read_jemalloc(struct gperf *g, const char *bytes, size_t size);

/* Columns of the heap, in the order of a line. */
enum { GPERF_LIVE_BLOCKS, GPERF_LIVE_BYTES, GPERF_ALL_BLOCKS, GPERF_ALL_BYTES, GPERF_HEAP_COLUMNS };
/* Makes the first `n` of them. 0 or -1. */
int gperf_add_heap_columns(struct gperf *g, uint32_t n);
/* Takes "1: 1024 [2: 2048]". Returns 0 where that is not there. */
int gperf_take_counts(const char **at, const char *end, uint64_t *counts);
/* An allocator samples a block of `size` bytes with the probability 1 - exp(-size / period); 0: it
 * has all. Fractions are cut off, as pprof does it. 0 or -1. */
int gperf_scale(struct gperf *g, uint64_t *blocks, uint64_t *bytes, uint64_t period);
/* Reads addresses up to the end of the line at hand: 1; 0: something else is there; -1. */
int gperf_read_stack(struct gperf *g, const char *at);
/* The line that says that mapped files follow; NULL: there is none. */
const char *gperf_find_maps(const char *bytes, size_t size);

/* Reads lines of /proc/self/maps; others are left out. 0 or -1. */
int gperf_read_maps(struct gperf *g, const char *at, const char *end);

/* Tells if the address is in the C library or the kernel's page, from where handlers return. */
int gperf_is_of_signals(const struct gperf *g, uint64_t address);
/* Tells if the address is in a file whose name begins so. */
int gperf_is_in(const struct gperf *g, uint64_t address, const char *name);
/* Adds an address to the stack at hand. 0 or -1. */
int gperf_add_address(struct gperf *g, uint64_t address);
/* The node of the stack at hand, whose addresses but for the first `exact` are of returns. */
uint32_t gperf_push_stack(struct gperf *g, size_t exact);

#endif
