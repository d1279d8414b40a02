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

/*
 * How often the sections from `first` on ran in a context, `size` of them: the context's sections
 * are those of one function for the most part, and have numbers that follow each other. Counts are
 * what section_count() makes of `counts`. Those of a context are runs one behind another.
 */
struct section_run {
    uint32_t first, size;
    uint32_t counts[];
};

/* A count with this bit is the number of one of `large`. */
#define SECTION_LARGE (UINT32_C(1) << 31)

/* Events such as cache misses, which are counted instruction by instruction. */
struct section_miss {
    uint32_t context, cost;
};

struct sections {
    uint32_t events[SECTION_EVENTS]; /* of the profile; CPROF_NONE: not counted */
    size_t n_sections, n_misses;
    const struct section *sections;
    const struct section_instruction *instructions;
    const uint32_t *runs;              /* struct section_run, each with its counts */
    const size_t *first_runs;          /* where those of each context begin in `runs`, and end */
    const int64_t *large;              /* counts that are too large for their place */
    const struct section_miss *misses; /* in the order of contexts */
    const int64_t *miss_values;        /* n_misses rows of n_events */
};

/* The runs of context `i` are those from sections_first() up to sections_end(). */
static inline const struct section_run *sections_first(const struct sections *s, uint32_t i)
{
    return (const struct section_run *)(s->runs + s->first_runs[i]);
}

static inline const struct section_run *sections_end(const struct sections *s, uint32_t i)
{
    return (const struct section_run *)(s->runs + s->first_runs[i + 1]);
}

static inline const struct section_run *section_next(const struct section_run *run)
{
    return (const struct section_run *)(run->counts + run->size);
}

/* How often section `run->first + i` ran; 0 is possible. */
static inline int64_t section_count(const struct sections *s, const struct section_run *run,
                                    uint32_t i)
{
    uint32_t count = run->counts[i];

    return count & SECTION_LARGE ? s->large[count & ~SECTION_LARGE] : count;
}

/* The costs of contexts; NULL: they are cost records. */
const struct sections *profile_sections(const struct cprof_profile *profile);

#endif
