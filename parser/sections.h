/*
 * sections.h - what the contexts of a raw profile cost, as the file has it: how often each ran
 * which sections. A section stands for many instructions and is the same in all contexts, so this
 * is a small part of what cost records of contexts would be. Private to the reader of raw profiles
 * and to who makes names of addresses.
 */
#ifndef PARSER_SECTIONS_H
#define PARSER_SECTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "cprof.h"

/*
 * A flag for cprof_load() and cprof_read(): where it can be, contexts get no cost records, and
 * profile_sections() has their costs. For those who know of it alone.
 */
enum { PROFILE_SECTIONS = 1 << 16 };

/* What a section's instructions can count, in the order of the letters "irwcb". */
enum { SECTION_EVENTS = 5 };

struct section_instruction {
    uint32_t cost;                        /* index of its cost record in the profile */
    unsigned char counts[SECTION_EVENTS]; /* per execution of its section */
};

/* Instructions `first` up to `first + size`; none of a section that never ran. */
struct section {
    size_t first, size;
};

struct section_count {
    uint32_t context, section;
    int64_t count; /* executions */
};

/* Events such as cache misses, which are counted instruction by instruction. */
struct section_miss {
    uint32_t context, cost;
};

struct sections {
    uint32_t events[SECTION_EVENTS]; /* of the profile; CPROF_NONE: not counted */
    size_t n_sections, n_counts, n_misses;
    const struct section *sections;
    const struct section_instruction *instructions;
    const struct section_count *counts; /* in the order of contexts */
    const struct section_miss *misses;  /* in the order of contexts */
    const int64_t *miss_values;         /* n_misses rows of n_events */
};

/* The costs of contexts; NULL: they are cost records. */
const struct sections *profile_sections(const struct cprof_profile *profile);

#endif
