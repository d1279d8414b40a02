/*
 * code_hash.h - is the code of a function the same in two builds?
 *
 * A build moves code and data. So the hash of a function's instructions leaves out what they refer
 * to relative to where they stand: data, and code outside of the function; within, a jump counts by
 * how many instructions it leads over. Instructions that do nothing, which align others, are none.
 * For x86-64 only.
 */
#ifndef SYMBOLS_CODE_HASH_H
#define SYMBOLS_CODE_HASH_H

#include "symbols/elf_file.h"

#include <stdint.h>

/*
 * The hash of the function at [start, end); 0: not known. A program that is not
 * position-independent has addresses in instructions that may as well be numbers: the lower half of
 * the hash has these, the upper half leaves them out. Where the lower halves of two are equal, the
 * code is the same; where the upper halves are not, it is another.
 */
uint64_t code_hash(Elf *elf, uint64_t start, uint64_t end);

/* code_hash() of `size` bytes, with addresses in [first, last). */
uint64_t code_hash_of(const unsigned char *code, size_t size, uint64_t first, uint64_t last);

/*--- Lengths ---*/

/* An instruction, by offsets from its beginning. */
struct code_instruction {
    unsigned size;
    unsigned opcode;                /* where that begins, behind prefixes */
    unsigned displacement, operand; /* where they begin; 0: none */
    unsigned displacement_size, operand_size;
    bool is_relative; /* the displacement is to the next instruction */
    bool is_branch;   /* the operand is a distance in code */
    bool is_nothing;  /* it only takes room */
};

/* Decodes the instruction of x86-64 at the beginning of `size` bytes. False: it is none, or not
 * known. */
bool code_decode(const unsigned char *code, size_t size, struct code_instruction *instruction);

#endif
