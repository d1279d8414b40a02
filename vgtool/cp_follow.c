/* cp_follow.c - the statements of calls and returns: inline in hot code, helpers in cold code. */
#include "cp_follow.h"

#include "cp_context.h"
#include "cp_frame.h"
#include "cp_ir.h"
#include "cp_recipe.h"
#include "cp_stack.h"

/* The offset of the word of the return address in frames. */
#define FRAME_BACK (offsetof(Frame, sp) + sizeof(UWord))

static IRExpr *stack_pointer(IRSB *out, const End *end)
{
    return cp_ir_assign(out, Ity_I64, IRExpr_Get(end->sp, Ity_I64));
}

void cp_follow_arrival(IRSB *out)
{
    IRExpr *now = cp_ir_load(out, cp_ir_word((Addr)&cp_now.function));
    void *check = (void *)cp_recipe_number(cp_recipe_check());
    IRExpr *function = cp_ir_word(cp_recipe_number(cp_recipe_function()));

    cp_ir_call(out, 0, "cp_stack_check", check, mkIRExprVec_0(),
               cp_ir_assign(out, Ity_I1, IRExpr_Binop(Iop_CmpNE64, now, function)));
    if (cp_recipe_allocates())
        cp_ir_call(out, 0, "cp_stack_allocates", (void *)cp_recipe_number(cp_recipe_entry()),
                   mkIRExprVec_0(), NULL);
}

/* Accesses to the word at an offset from an address. */
static IRExpr *plus(IRSB *out, IRExpr *address, UWord offset)
{
    return offset ? cp_ir_binop(out, Iop_Add64, address, cp_ir_word(offset)) : address;
}

static IRExpr *get(IRSB *out, IRExpr *address, UWord offset)
{
    return cp_ir_load(out, plus(out, address, offset));
}

static void set(IRSB *out, IRExpr *address, UWord offset, IRExpr *value)
{
    addStmtToIRSB(out, IRStmt_Store(Iend_LE, plus(out, address, offset), value));
}

/* Makes `node`, of `function`, the current context. `now`: the address of cp_now. */
static void enter(IRSB *out, IRExpr *now, IRExpr *node, IRExpr *function)
{
    set(out, now, offsetof(Now, node), node);
    set(out, now, offsetof(Now, function), function);
    set(out, now, offsetof(Now, counts), get(out, node, offsetof(Node, entered_counts)));
}

/*--- Calls ---*/

/* The child in the slot of a call, which is below the counters. */
static IRExpr *load_child(IRSB *out, IRExpr *counts, UInt slot)
{
    return cp_ir_load(out, cp_ir_binop(out, CP_NARROW_IS_SIGNED ? Iop_Add64 : Iop_Sub64, counts,
                                       cp_ir_word(cp_recipe_number(slot))));
}

/*
 * Follows a direct call, as cp_stack.h says. The child is loaded anew after the helper, which may
 * have put another one into the slot; the counters have not moved.
 */
static void follow_call(IRSB *out, const End *end, Addr target)
{
    UInt site = cp_recipe_site(end->address, end->back, target);
    void *helper = (void *)cp_recipe_number(cp_recipe_call(site));
    UInt slot = cp_recipe_child(site);
    IRExpr *now = cp_ir_assign(out, Ity_I64, cp_ir_word((Addr)&cp_now));
    IRExpr *counts = get(out, now, offsetof(Now, counts));
    IRExpr *child = load_child(out, counts, slot);
    IRExpr *room = get(out, now, offsetof(Now, end));
    IRExpr *top = cp_ir_binop(out, Iop_Or64, get(out, child, offsetof(Child, watched)),
                              get(out, now, offsetof(Now, top)));

    cp_ir_call(out, 0, "cp_stack_call", helper, mkIRExprVec_0(),
               cp_ir_assign(out, Ity_I1, IRExpr_Binop(Iop_CmpLE64U, room, top)));
    child = load_child(out, counts, slot);
    top = get(out, now, offsetof(Now, top));
    set(out, top, offsetof(Frame, sp), stack_pointer(out, end));
    set(out, top, FRAME_BACK,
        cp_ir_binop(out, Iop_Or64, get(out, child, offsetof(Child, watched)),
                    cp_ir_word(end->back)));
    set(out, top, offsetof(Frame, node), get(out, now, offsetof(Now, node)));
    set(out, top, offsetof(Frame, child), get(out, child, offsetof(Child, activation)));
    if (cp_frame_return)
        set(out, top, offsetof(Frame, host), cp_ir_word((Addr)cp_frame_return));
    set(out, now, offsetof(Now, top), plus(out, top, sizeof(Frame)));
    set(out, child, offsetof(Child, calls), plus(out, get(out, child, offsetof(Child, calls)), 1));
    enter(out, now, get(out, child, offsetof(Child, node)),
          get(out, child, offsetof(Child, function)));
}

/* Follows a call by a helper, while the superblock is cold. */
static void follow_call_cold(IRSB *out, const End *end, Addr target)
{
    IRExpr *code = cp_ir_word(cp_recipe_number(cp_recipe_code()));
    IRExpr *site = cp_ir_word(cp_recipe_number(cp_recipe_site(end->address, end->back, target)));

    cp_ir_call(out, 3, "cp_stack_call_cold", cp_stack_call_cold,
               mkIRExprVec_3(code, site, stack_pointer(out, end)), NULL);
}

void cp_follow_call(IRSB *out, const End *end, IRExpr *target)
{
    UInt site;

    if (target->tag == Iex_Const) {
        Addr known = target->Iex.Const.con->Ico.U64;
        /* Position-independent code calls the next instruction to learn its own address. */
        if (known != end->back)
            (end->is_cold ? follow_call_cold : follow_call)(out, end, known);
        return;
    }
    site = cp_recipe_site(end->address, end->back, 0);
    cp_ir_call(out, 2, "cp_stack_call_indirect", cp_stack_call_indirect,
               mkIRExprVec_2(cp_ir_word(cp_recipe_number(site)), stack_pointer(out, end)), NULL);
}

/*--- Returns ---*/

static void follow_return(IRSB *out, const End *end, IRExpr *target)
{
    IRExpr *now = cp_ir_assign(out, Ity_I64, cp_ir_word((Addr)&cp_now));
    IRExpr *top = get(out, now, offsetof(Now, top));
    IRExpr *sp = get(out, top, offsetof(Frame, sp) - sizeof(Frame));
    IRExpr *back = get(out, top, FRAME_BACK - sizeof(Frame));
    IRExpr *node;

    sp = cp_ir_binop(out, Iop_Xor64, plus(out, sp, CP_RETURN_SLOT), stack_pointer(out, end));
    back = cp_ir_binop(out, Iop_Xor64, back, target);
    cp_ir_call(out, 1, "cp_stack_back", cp_stack_back, mkIRExprVec_1(target),
               cp_ir_assign(
                   out, Ity_I1,
                   IRExpr_Binop(Iop_CmpNE64, cp_ir_binop(out, Iop_Or64, sp, back), cp_ir_word(0))));
    top = get(out, now, offsetof(Now, top));
    node = get(out, top, offsetof(Frame, node) - sizeof(Frame));
    set(out, now, offsetof(Now, top), plus(out, top, -sizeof(Frame)));
    enter(out, now, node, get(out, node, offsetof(Node, function)));
}

static void follow_return_cold(IRSB *out, const End *end, IRExpr *target)
{
    IRExpr *code = cp_ir_word(cp_recipe_number(cp_recipe_code()));

    cp_ir_call(out, 3, "cp_stack_back_cold", cp_stack_back_cold,
               mkIRExprVec_3(code, stack_pointer(out, end), target), NULL);
}

void cp_follow_return(IRSB *out, const End *end, IRExpr *target)
{
    (end->is_cold ? follow_return_cold : follow_return)(out, end, target);
}
