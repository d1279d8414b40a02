/*
 * cp_accesses.h - the data that an instruction accesses in memory: what VEX's translation of it
 * accesses, which is what cachegrind counts.
 *
 * An instruction that reads a place and writes it makes one access, a read; a locked one makes two,
 * since VEX reads first and then compares. Prefetches access nothing. Instructions whose accesses
 * depend on values (masked moves, gathers), and some rare ones, are not known here. What VEX does
 * not know accesses its operand in memory once, as a whole, whatever its mask.
 */
#ifndef CP_ACCESSES_H
#define CP_ACCESSES_H

#include "cp_decode.h"

/* Where an access is, by the registers' values before the instruction. */
typedef enum {
    AT_OPERAND, /* the operand in memory */
    AT_PUSH,    /* 8 bytes below the stack pointer */
    AT_TOP,     /* the stack pointer */
    AT_BP,
    AT_SI,
    AT_DI
} AccessPlace;

typedef struct {
    uint8_t place;  /* an AccessPlace */
    uint8_t size;   /* bytes */
    int16_t offset; /* from there */
    bool is_write;
} Access;

enum { MOST_ACCESSES = 8 };

/* The instruction's accesses in their order; returns their number, -1: not known. Those of a
 * repeated instruction are of one repetition. */
int cp_accesses(const Insn *in, Access accesses[MOST_ACCESSES]);

/* True for gathers and scatters of AVX-512: where their data lie depends on vectors and masks, and
 * cp_accesses() leaves them out. */
bool cp_access_gathers(const Insn *in);

/* True for an operation that VEX makes again where another thread has come between: it ends in a
 * branch, which is never taken. */
bool cp_access_retries(const Insn *in);

/* True if VEX leaves its code in the middle of an instruction that is no branch: there, or where an
 * address is not aligned. */
bool cp_access_exits(const Insn *in);

#endif
