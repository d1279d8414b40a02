/*
 * cp_ir.h - statements that the pass adds to a superblock.
 */
#ifndef CP_IR_H
#define CP_IR_H

#include "cp_tool.h"
#include "pub_tool_machine.h"
#include "pub_tool_tooliface.h"

static inline IRExpr *cp_ir_word(ULong value)
{
    return IRExpr_Const(IRConst_U64(value));
}

static inline IRExpr *cp_ir_assign(IRSB *out, IRType type, IRExpr *value)
{
    IRTemp t = newIRTemp(out->tyenv, type);

    addStmtToIRSB(out, IRStmt_WrTmp(t, value));
    return IRExpr_RdTmp(t);
}

static inline IRExpr *cp_ir_binop(IRSB *out, IROp op, IRExpr *a, IRExpr *b)
{
    return cp_ir_assign(out, Ity_I64, IRExpr_Binop(op, a, b));
}

static inline IRExpr *cp_ir_load(IRSB *out, IRExpr *address)
{
    return cp_ir_assign(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));
}

/* Calls `helper` with `args`, under `guard` unless that is NULL. */
static inline IRDirty *cp_ir_call(IRSB *out, Int n, const HChar *name, void *helper, IRExpr **args,
                                  IRExpr *guard)
{
    IRDirty *d = unsafeIRDirty_0_N(n, name, VG_(fnptr_to_fnentry)(helper), args);

    if (guard)
        d->guard = guard;
    addStmtToIRSB(out, IRStmt_Dirty(d));
    return d;
}

#endif
