/*
 * disassembly.h - the instructions of a function or file with their costs, decoded by objdump
 * (binutils).
 *
 * Costs say which addresses ran. Addresses that are near each other make a range, which is decoded
 * from the first to the last instruction that ran. So decoding always begins at an instruction,
 * whether the object has symbols or not. An instruction that ran but is none for objdump (data
 * between code), or that has no objdump to decode it, has no text: no cost is lost.
 *
 * Instructions of other functions lie between the subject's: of inlined functions, or of those that
 * the subject was inlined into. Their costs are kept apart.
 *
 * Life cycle: disassembly_load, disassembly_free. The profile must outlive it.
 */
#ifndef ANNOTATE_DISASSEMBLY_H
#define ANNOTATE_DISASSEMBLY_H

#include "annotate/annotation.h"
#include "cprof.h"
#include "table/columns.h"

#include <stddef.h>

struct instruction {
    uint64_t address;   /* address in the object */
    char *text;         /* "mov %rsp,%rbp"; NULL: not decoded */
    uint32_t cost;      /* a cost record at this address, the subject's if there is one: it has the
                           place; CPROF_NONE: the instruction did not run */
    const int64_t *own; /* the subject's cost: n_events; NULL: none */
    const int64_t *others; /* the cost of other functions; NULL: none */
};

/* The reason why a range has no texts. */
enum decode_state {
    DECODED,
    DECODE_LIMIT,   /* enough ranges cost more: it has no instructions either */
    DECODE_NO_TOOL, /* no objdump */
    DECODE_GONE,    /* the object was removed, or changed since the run */
    DECODE_FAILED   /* objdump could not read it */
};

struct instruction_range {
    uint32_t object;
    uint64_t start, last; /* the first and the last address that the subject ran */
    enum decode_state state;
    size_t first, n;    /* its instructions: index into items */
    const int64_t *own; /* sums: n_events */
    const int64_t *others;
};

struct disassembly {
    const struct cprof_profile *profile;
    size_t n_ranges;
    struct instruction_range *ranges; /* the costliest first */
    size_t n;
    struct instruction *items; /* range by range, addresses ascending */
    int64_t *own, *others;     /* the sums of all ranges: n_events */
    int64_t *nowhere;          /* the subject's costs that have no address: n_events */
    int64_t *counts;           /* the memory of all other counts */
};

/* The syntax of instructions: Intel's or AT&T's. */
enum asm_syntax { ASM_INTEL, ASM_ATT };

/* Finds the ranges, and decodes the `limit` costliest by `measure` (0: all). */
void disassembly_load(struct disassembly *d, const struct cprof_profile *profile,
                      const struct annotation_subject *subject, const struct column *measure,
                      enum asm_syntax syntax, size_t limit);
void disassembly_free(struct disassembly *d);

#endif
