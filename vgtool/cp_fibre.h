/*
 * cp_fibre.h - changes of the stack pointer that are neither calls nor returns: longjmp, unwinding,
 * and stacks that the program switches itself.
 */
#ifndef CP_FIBRE_H
#define CP_FIBRE_H

#include "cp_frame.h"

/* Bytes by which a jump within a stack may lower sp, wherever it goes. */
#define FIBRE_NEAR 1024

/*
 * A change of the stack that may be irregular. Where calls push no return address, the stack
 * pointer of a function that has just been called is the same as after its return; so that these
 * differ, moves have the stack pointer as if they did.
 */
#define MOVE_RETURN_SLOT 8
typedef struct {
    UWord sp;      /* afterwards */
    UWord target;  /* of a return; 0: it is a jump */
    Function *to;  /* the function that a jump goes to */
    Bool is_entry; /* the jump goes to its first instruction */
} Move;

/* True if a jump may have gone to another stack, or out of frames. A return leaves a function that
 * was jumped to like one that was called; the first at the bottom of a stack has no caller's frame
 * to return to. */
Bool cp_fibre_is_move(Stack *stack, const Move *move);

/* Works out the stack pointer of a jump, which is as the program has it. Only for processors whose
 * calls push no return address. */
void cp_fibre_place(const Stack *stack, Move *move);

/* Makes the running stack what it is after the move. */
void cp_fibre_move(Stack *stack, const Move *move);

/* Returns from the frames from index n on. Entries of sections in them are given up. */
void cp_fibre_give_up(Stack *stack, UInt n);

#endif
