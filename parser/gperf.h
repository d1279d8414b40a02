/*
 * gperf.h - the two kinds of files that gperftools writes: where code was in memory, and samples.
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
/* Fill columns from the file, all of which is at hand. 0 or -1. */
int gperf_read_cpu(struct gperf *g, const char *bytes, size_t size);
int gperf_read_heap(struct gperf *g, const char *bytes, size_t size);

/* Reads lines of /proc/self/maps; others are left out. 0 or -1. */
int gperf_read_maps(struct gperf *g, const char *at, const char *end);

/* Tells if the address is in the C library or the kernel's page, from where handlers return. */
int gperf_is_of_signals(const struct gperf *g, uint64_t address);
/* Adds an address to the stack at hand. 0 or -1. */
int gperf_add_address(struct gperf *g, uint64_t address);
/* The node of the stack at hand, whose addresses but for the first `exact` are of returns. */
uint32_t gperf_push_stack(struct gperf *g, size_t exact);

#endif
