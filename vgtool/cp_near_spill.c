/*
 * cp_near_spill.c - where code of copies and routines keeps registers of the program while it uses
 * them: in vectors that AVX-512 has brought, until the program uses such registers itself; then,
 * and on other processors, in memory. Copies are bound by the stores that the processor can hold.
 */
#include "cp_near.h"

static Bool in_vectors;
static ULong words[SPILLS] __attribute__((aligned(64))); /* in one line */

void cp_near_spill_in_vectors(Bool on)
{
    in_vectors = on;
}

/* vmovq between a general register and xmm16 or one of those behind it: 6E to the vector, 7E from
 * it. */
static void put_vector(UInt opcode, Spill s, UInt reg)
{
    cp_put(0x62), cp_put(reg < 8 ? 0xe1 : 0xc1), cp_put(0xfd), cp_put(0x08);
    cp_put(opcode), cp_put(0xc0 | s << 3 | (reg & 7));
}

void cp_near_put_spill(Spill s, UInt reg)
{
    if (in_vectors)
        put_vector(0x6e, s, reg);
    else
        cp_put_store(cp_at(&words[s]), reg);
}

void cp_near_put_fill(UInt reg, Spill s)
{
    if (in_vectors)
        put_vector(0x7e, s, reg);
    else
        cp_put_load(reg, cp_at(&words[s]));
}

void cp_near_put_spill_all(Bool flags)
{
    cp_near_put_spill(SPILL_CX, REG_CX);
    cp_near_put_spill(SPILL_AX, REG_AX);
    cp_near_put_spill(SPILL_DX, REG_DX);
    if (flags) {
        cp_put_flags_to_ax();
        cp_near_put_spill(SPILL_FLAGS, REG_AX);
    }
}

void cp_near_put_fill_all(Bool flags)
{
    if (flags) {
        cp_near_put_fill(REG_AX, SPILL_FLAGS);
        cp_put_flags_from_ax();
    }
    cp_near_put_fill(REG_DX, SPILL_DX);
    cp_near_put_fill(REG_AX, SPILL_AX);
    cp_near_put_fill(REG_CX, SPILL_CX);
}
