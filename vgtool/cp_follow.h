/*
 * cp_follow.h - generated code that follows calls and returns, as cp_stack.h says.
 */
#ifndef CP_FOLLOW_H
#define CP_FOLLOW_H

#include "cp_tool.h"
#include "pub_tool_tooliface.h"

/* The instruction that ends a superblock. */
typedef struct {
    Int sp;       /* offset of the stack pointer in the guest's registers */
    Bool is_cold; /* the superblock is not hot yet */
    Addr address; /* of the instruction */
    Addr back;    /* behind it */
} End;

/* Makes sure, at the start of a superblock, that the current context is one of its function. Where
 * an allocation function begins, it tells of that, too. */
void cp_follow_arrival(IRSB *out);

/* The superblock ends with a call, or a return, to `target`. */
void cp_follow_call(IRSB *out, const End *end, IRExpr *target);
void cp_follow_return(IRSB *out, const End *end, IRExpr *target);

#endif
