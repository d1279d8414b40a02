/* cp_near_tail.c - direct jumps in copies to another function. */
#include "cp_near.h"

/*
 * A jump to the beginning of another function. The context has a slot for it, as for a call, so
 * that neither the target's check nor a search finds the child. What is unusual is left to those.
 */
static void put_tail_jump(const Insn *in, Function *f)
{
    NearCall *n = cp_near_new_call(in, f, in->target);
    Bool flags = cp_near_flags_at(in->target) != 0;
    UChar *watched, *new, *unusual[NEAR_MOST_UNUSUAL];
    UInt n_unusual;

    cp_near_put_spill_all(flags);
    cp_near_put_find_child(n, f);
    cp_put_load(REG_DX, cp_at(&cp_now.node));
    cp_put_number_op(True, OP_CMP, cp_off(REG_AX, offsetof(Child, watched)), 0);
    watched = cp_put_jcc_later(IF_NOT_EQUAL);
    n_unusual = cp_near_put_enter_jump(unusual);
    cp_near_put_fill_all(flags);
    n->link = cp_near_put_edge(in->target, in->address, n->site->callee);
    cp_put_here(watched);
    cp_put_number_op(True, OP_CMP, cp_off(REG_AX, offsetof(Child, node)), 0);
    new = cp_put_jcc_later(IF_EQUAL);
    for (UInt i = 0; i < n_unusual; i++)
        cp_put_here(unusual[i]);
    cp_near_put_fill_all(flags);
    cp_near_put_edge(in->target, in->address, f);
    cp_put_here(new);
    cp_near_put_fill_all(flags);
    cp_near_put_help(cp_put_jump_later(), in->target, cp_near_routines.ask, HELP_JUMP, n);
}

void cp_near_put_jump(const Insn *in, Function *f)
{
    Insn target;

    if (clo_contexts && f->kind == FUNCTION_CODE && !f->is_made &&
        cp_near_decode(in->target, &target) && cp_function_begins(in->target, f))
        put_tail_jump(in, f);
    else
        cp_near_put_edge(in->target, in->address, f);
}
