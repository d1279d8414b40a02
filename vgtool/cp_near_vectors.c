/*
 * cp_near_vectors.c - how copies call C while vectors are the program's.
 *
 * C has instructions of SSE, which change lower halves only, but take many times as long on an
 * Intel processor while upper halves are in use. So these are made 0, and loaded again only where
 * one was not. Vectors of 512 bits keep theirs. An AMD processor does not mind.
 */
#include "cp_near.h"

#define STATE(field) cp_at(&cp_near.field)

/* movaps: 28 loads, 29 stores. */
static void put_lower_halves(UInt opcode)
{
    for (UInt n = 0; n < 16; n++) {
        cp_put_rex(False, n, NO_BASE);
        cp_put(0x0f), cp_put(opcode);
        cp_put_operand(n, STATE(vectors[n]));
    }
}

/* vmovaps: 28 loads, 29 stores. */
static void put_vectors(UInt opcode)
{
    for (UInt n = 0; n < 16; n++) {
        cp_put(0xc5), cp_put(n < 8 ? 0xfc : 0x7c), cp_put(opcode);
        cp_put_operand(n, STATE(vectors[n]));
    }
}

/* Asks if an upper half is not 0. Changes ymm0. */
static void put_test_upper_halves(void)
{
    for (UInt n = 1; n < 16; n++) { /* vorps %ymm0, %ymm(n), %ymm0 */
        cp_put(0xc5), cp_put(0x84 | (~n & 15) << 3);
        cp_put(0x56), cp_put(0xc0);
    }
    cp_put(0xc4), cp_put(0xe3), cp_put(0x7d); /* vextractf128 $1, %ymm0, %xmm0 */
    cp_put(0x19), cp_put(0xc0), cp_put(1);
    cp_put(0xc4), cp_put(0xe2), cp_put(0x79), cp_put(0x17), cp_put(0xc0); /* vptest %xmm0, %xmm0 */
    cp_put(0x0f);
    cp_put_op(False, 0x95, 0, STATE(has_upper)); /* setne */
}

void cp_near_put_save_vectors(void)
{
    UChar *wide, *done;

    if (cp_near_is_amd()) {
        put_lower_halves(0x29);
        return;
    }
    cp_put_number_op(False, OP_CMP, STATE(wide), 0);
    wide = cp_put_jcc_later(IF_NOT_EQUAL);
    put_vectors(0x29);
    put_test_upper_halves();
    cp_put(0xc5), cp_put(0xf8), cp_put(0x77); /* vzeroupper */
    done = cp_put_jump_later();
    cp_put_here(wide);
    put_lower_halves(0x29);
    cp_put_store_number(STATE(has_upper), False);
    cp_put_here(done);
}

void cp_near_put_load_vectors(void)
{
    UChar *lower, *done;

    if (cp_near_is_amd()) {
        put_lower_halves(0x28);
        return;
    }
    cp_put_byte_compare(STATE(has_upper), False);
    lower = cp_put_jcc_later(IF_EQUAL);
    put_vectors(0x28);
    done = cp_put_jump_later();
    cp_put_here(lower);
    put_lower_halves(0x28);
    cp_put_here(done);
}

void cp_near_put_quick(const void *function)
{
    static const UInt kept[] = {REG_SI, REG_DI, 8, 9, 10, 11};
    enum { KEPT = sizeof kept / sizeof *kept };

    for (UInt i = 0; i < KEPT; i++)
        cp_put_store(STATE(kept[i]), kept[i]);
    cp_put_store(STATE(sp), REG_SP);
    cp_put_move(REG_SI, REG_DX);
    cp_put_move(REG_DI, REG_SP);
    cp_put_load(REG_SP, STATE(host_sp));
    cp_put(0x48), cp_put(0x83), cp_put(0xe4), cp_put(0xf0); /* and $-16, %rsp */
    cp_put_call(function);
    cp_put_load(REG_SP, STATE(sp));
    for (UInt i = 0; i < KEPT; i++)
        cp_put_load(kept[i], STATE(kept[i]));
}
