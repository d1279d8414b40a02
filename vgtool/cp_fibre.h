/*
 * cp_fibre.h - changes of the stack pointer that are neither calls nor returns: longjmp, unwinding,
 * and stacks that the program switches itself.
 */
#ifndef CP_FIBRE_H
#define CP_FIBRE_H

#include "cp_frame.h"

/* A change of the stack that is not known to be regular. */
typedef struct {
    UWord sp;      /* afterwards */
    UWord target;  /* where a return goes; 0: it is a jump */
    Function *to;  /* the function that a jump goes to, */
    Bool is_entry; /* and whether to its first instruction */
} Move;

/* Whether a jump may have gone to another stack, or out of frames. A function that was jumped to is
 * left as one that was called; the first at the bottom of a stack has no caller's frame to be left
 * for. */
Bool cp_fibre_is_move(Stack *stack, const Move *move);

/* Brings the running stack to where it is after the move. */
void cp_fibre_move(Stack *stack, const Move *move);

#endif
