/*
 * disassembly.h - the instructions of a function or file with what each of them cost, decoded by
 * objdump (binutils).
 *
 * The costs say which addresses ran. Those that are near each other are one range, which is decoded
 * from its first to its last instruction that ran: it begins at an instruction for certain, whether
 * the object has symbols or not. Where an instruction that ran is none by objdump's reckoning (data
 * between code), or where there is no objdump, it is there without a text: no cost is lost.
 *
 * Between the subject's instructions lie those of others: of functions that were inlined, or that
 * it was inlined in. Their costs are kept apart.
 *
 * Life cycle: disassembly_load, disassembly_free. The profile must outlive it.
 */
#ifndef ANNOTATE_DISASSEMBLY_H
#define ANNOTATE_DISASSEMBLY_H

#include "cprof.h"
#include "annotate/annotation.h"
#include "table/columns.h"

#include <stddef.h>

struct instruction {
    uint64_t address; /* in the object */
    char *text;       /* "mov %rsp,%rbp"; NULL: not decoded */
    uint32_t cost; /* a record of the profile at this address, the subject's if there is one: where
                      it belongs; CPROF_NONE: it did not run */
    const int64_t *own;    /* the subject's cost: n_events; NULL: none */
    const int64_t *others; /* that of other functions; NULL: none */
};

/* Why a range is without texts. */
enum decode_state {
    DECODED,
    DECODE_LIMIT,   /* there were enough costlier ranges: it has no instructions either */
    DECODE_NO_TOOL, /* no objdump */
    DECODE_GONE,    /* the object is gone, or has changed since the run */
    DECODE_FAILED   /* objdump could not read it */
};

struct instruction_range {
    uint32_t object;
    uint64_t start, last; /* addresses of its first and last instruction that the subject ran */
    enum decode_state state;
    size_t first, n;    /* of the instructions */
    const int64_t *own; /* sums: n_events */
    const int64_t *others;
};

struct disassembly {
    const struct cprof_profile *profile;
    size_t n_ranges;
    struct instruction_range *ranges; /* costliest first */
    size_t n;
    struct instruction *items; /* range by range, addresses ascending */
    int64_t *own, *others;     /* of all ranges: n_events */
    int64_t *nowhere;          /* the subject's costs that have no address: n_events */
    int64_t *counts;           /* where all other counts are */
};

/* AT&T's syntax, or Intel's. */
enum asm_syntax { ASM_INTEL, ASM_ATT };

/* Finds the ranges, and decodes the `limit` costliest by `measure` (0: all). */
void disassembly_load(struct disassembly *d, const struct cprof_profile *profile,
                      const struct annotation_subject *subject, const struct column *measure,
                      enum asm_syntax syntax, size_t limit);
void disassembly_free(struct disassembly *d);

#endif
