/*
 * cp_function.h - which function an address belongs to.
 *
 * A function is a stretch of an object's code, with the cold code that was split off it. Its
 * identity is (range, start): names are found later. Where no table tells, a function begins at a
 * call's target.
 */
#ifndef CP_FUNCTION_H
#define CP_FUNCTION_H

#include "cp_tool.h"

/* What happens while something (a function, an edge) is active on the running thread's stack: each
 * instruction counts once. */
typedef struct {
    UInt live; /* activations that are open */
    struct {
        ULong mark;      /* the total when the outermost began */
        ULong inclusive; /* the sum over those that have ended */
    } columns[CP_COLUMNS];
} Activity;

typedef enum {
    FUNCTION_CODE,
    FUNCTION_STUB,   /* linker-made, or the lazy resolver: transparent */
    FUNCTION_ALL,    /* the whole program, where contexts are off */
    FUNCTION_THREAD, /* the pseudo-functions that stand at the roots of call paths */
    FUNCTION_FIBRE,
    FUNCTION_SIGNAL,
    FUNCTION_OVERFLOW
} FunctionKind;

struct Node;
struct BasicBlock;
struct AccessPoint;

typedef struct {
    UInt range;
    Addr start; /* in memory */
    FunctionKind kind;
    Bool toggles; /* collecting is on while it is on the stack */

    struct Node *nodes;          /* all of its contexts */
    UInt n_slots;                /* counters that each of them uses */
    UInt room;                   /* slots that its nodes have memory for */
    struct BasicBlock **blocks;  /* what the slots count, `room` of them; NULL: a guarded site */
    struct AccessPoint *guarded; /* the last one; the others by its `next` */

    Activity activity;
    void *check_thunks[2]; /* code that checks the current context; the second one at `start` */

    ULong walked; /* with --cprof-check: inclusive Ir, and the last walk that met the function */
    ULong last_walk;
} Function;

/* The function that the code at `address` belongs to, code being there now. */
Function *cp_function_at(Addr address);

/* The same for the target of a call: where no table tells, a function begins there. */
Function *cp_function_called(Addr address);

/* A pseudo-function. */
Function *cp_function_pseudo(FunctionKind kind);

UInt cp_function_count(void);

/* Set by cp_main: whether the function that begins there switches collecting. Asked once for each,
 * when it first runs. */
extern Bool (*cp_function_toggles)(Addr start);
Function *cp_function(UInt index);

#endif
