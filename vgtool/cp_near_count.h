/*
 * cp_near_count.h - counters of copies.
 *
 * A counter counts a run: the instructions from where counting began to one of the places at which
 * the program may leave it, a branch or the run's end. So going through several basic blocks bumps
 * one counter.
 */
#ifndef CP_NEAR_COUNT_H
#define CP_NEAR_COUNT_H

#include "cp_near.h"

/* Instructions of a copy that a counter counts. */
typedef struct {
    UInt first, last;         /* their indices */
    UInt slot;                /* of the counter */
    ULong totals[CP_COLUMNS]; /* costs of one execution */
} Counted;

/* Adds `times` executions. `reg`: a register that is free, or NO_BASE. `flags`: some are needed
 * later. */
void cp_near_put_count(const Counted *c, UInt times, UInt reg, Bool flags);

/* The counter at a slot of the current context. Changes the register `base`. */
Mem cp_near_put_counter(UInt base, UInt slot);

/* The branch leaves what is counted if it is taken. `from`: the current function. */
void cp_near_put_exit(const Counted *c, const Insn *in, const Function *from);

/* Code behind the copy. */
void cp_near_put_exit_tails(void);

/* A register of a set; NO_BASE: it is empty. */
static inline UInt cp_near_one_of(UInt registers)
{
    return registers ? (UInt)__builtin_ctz(registers) : NO_BASE;
}

#endif
