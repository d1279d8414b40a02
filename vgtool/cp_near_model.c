/*
 * cp_near_model.c - the routines by which copies call the model. A reference to a line whose hint
 * leads to it is made here, without a call of C, so that vectors need not be saved.
 */
#include "cp_near.h"

#define STATE(field) cp_at(&cp_near.field)

/* movaps: 28 loads, 29 stores. The tool's code has no instructions of AVX, which would change upper
 * halves. */
static void put_model_vectors(UInt opcode)
{
    for (UInt n = 0; n < 16; n++) {
        cp_put_rex(False, n, NO_BASE);
        cp_put(0x0f), cp_put(opcode);
        cp_put_operand(n, STATE(vectors[n]));
    }
}

static const UInt held[] = {REG_CX, REG_DX, REG_SI, REG_DI}; /* by all calls */
static const UInt called[] = {REG_BX, 8, 9, 10, 11};         /* where C is called */

static void put_pushes(const UInt *registers, UInt n)
{
    for (UInt i = 0; i < n; i++)
        cp_put_push(registers[i]);
}

static void put_pops(const UInt *registers, UInt n)
{
    while (n-- > 0)
        cp_put_pop(registers[n]);
}

static void put_model_return(void)
{
    cp_put_pop(REG_AX);
    cp_put_flags_from_ax();
    put_pops(held, 4);
    cp_put_load(REG_AX, STATE(dx));
    cp_put(0xc3);
}

/* A reference to the line of the address in rdi, if its hint leads to it: then it returns. */
static void put_hinted(const UsualCache *c, Bool has_room)
{
    UChar *other = NULL, *missed;

    if (has_room) {
        cp_put_move_32(REG_CX, REG_DI);
        cp_put_and_32(REG_CX, CP_L1_LINES - 1);
        cp_put_compare(REG_CX, STATE(room));
        other = cp_put_jcc_later(IF_ABOVE);
    }
    cp_put_move(REG_SI, REG_DI);
    cp_put_shift(5, REG_SI, CP_L1_BITS); /* the line */
    cp_put_move_32(REG_DX, REG_SI);
    cp_put_and_32(REG_DX, CP_L1_LINES - 1);
    cp_put_multiply_32(REG_DX, c->set_size);
    cp_put_move_32(REG_CX, REG_SI);
    cp_put_and_32(REG_CX, c->hint_mask);
    cp_put(0x0f); /* movzbl */
    cp_put_op(False, 0xb6, REG_CX, cp_off(REG_CX, cp_low(c->hints)));
    cp_put_add_32(REG_CX, REG_CX);
    cp_put_add_32(REG_CX, REG_CX);
    cp_put_add_32(REG_DX, REG_CX); /* the way */
    cp_put_move(REG_CX, REG_SI);
    cp_put_shift(5, REG_CX, CP_L1_BITS);
    cp_put_op(True, 0x63, REG_AX, cp_off(REG_DX, cp_low(c->sets))); /* movslq */
    cp_put(0x48), cp_put(0x39), cp_put(0xc8);                       /* cmp %rcx, %rax */
    missed = cp_put_jcc_later(IF_NOT_EQUAL);
    cp_put_move_32(REG_CX, REG_SI);
    cp_put_and_32(REG_CX, CP_L1_LINES - 1);
    cp_put_shift(4, REG_CX, 3);
    cp_put_shift(4, REG_SI, CP_L1_BITS);
    cp_put_store(cp_off(REG_CX, cp_low(c->mru)), REG_SI);
    cp_put_load_32(REG_CX, cp_at(c->clock));
    cp_put_store_32(cp_off(REG_DX, cp_low(c->sets) + c->times), REG_CX);
    cp_put_lea_32(REG_CX, cp_off(REG_CX, 1));
    cp_put_store_32(cp_at(c->clock), REG_CX);
    put_model_return();
    cp_put_here(missed);
    if (has_room)
        cp_put_here(other);
}

const UChar *cp_near_make_model_call(const void *function, const UsualCache *usual, Bool has_room)
{
    const UChar *routine = cp_put_aligned();

    put_pushes(held, 4);
    cp_put_move(REG_DI, REG_AX);
    cp_put_flags_to_ax();
    cp_put_push(REG_AX);
    if (usual)
        put_hinted(usual, has_room);
    put_pushes(called, 5);
    cp_put_load(REG_SI, STATE(point));
    cp_put_load(REG_DX, STATE(room));
    put_model_vectors(0x29);
    cp_put_move(REG_BX, REG_SP);
    cp_put(0x48), cp_put(0x83), cp_put(0xe4), cp_put(0xf0); /* and $-16, %rsp */
    cp_put_call(function);
    cp_put_move(REG_SP, REG_BX);
    put_model_vectors(0x28);
    put_pops(called, 5);
    put_model_return();
    return routine;
}
