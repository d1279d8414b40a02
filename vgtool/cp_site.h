/*
 * cp_site.h - calls in the code. A superblock has at most one, which ends it.
 */
#ifndef CP_SITE_H
#define CP_SITE_H

#include "cp_function.h"

/* A call in the code. Its address is 0 if a signal's handler made it. */
typedef struct CallSite {
    Addr address, back; /* of the call, and of the instruction behind it */
    Addr target;        /* 0: not known before the call */
    Function *callee;
    UInt slot;   /* of its last child in each of its function's nodes */
    void *thunk; /* of a direct one: code that calls cp_stack_call() for it; NULL: none so far */
} CallSite;

/* The record of the call that ends the superblock that is being translated, code of `function`. It
 * is the old one if that is the same. */
CallSite *cp_site_next(Function *function, Addr address, Addr back, Addr target);

#endif
