/*
 * cp_function.h - which function an address belongs to.
 *
 * A function is a stretch of an object's code, with the cold code that was split off it. Its
 * identity is (range, start); its name is found later. Where no table covers the code, a function
 * begins at a call's target, or where the code is come to first.
 *
 * In the profile an ELF file's section of linker-made stubs is one function. Here each stub is a
 * function, so that a context which calls one has no counters of the others.
 */
#ifndef CP_FUNCTION_H
#define CP_FUNCTION_H

#include "cp_role.h"
#include "cp_tool.h"

/* Costs while something (a function, an edge, a section) is active on the running thread's stack,
 * or while it is hidden there (cp_inclusive.h). Each instruction counts once. */
typedef struct {
    UInt live;      /* activations that are open, or calls that hide it */
    Bool is_active; /* its costs grow now */
    Bool is_listed; /* see cp_heap.c */
    struct {
        union {
            ULong mark; /* the total at the beginning of the outermost */
            ULong tree; /* while nothing is open: see cp_inclusive_end_sum() */
        };
        ULong inclusive; /* the sum over those that have ended */
    } columns[CP_COLUMNS];
} Activity;

typedef enum {
    FUNCTION_CODE,
    FUNCTION_STUB,    /* linker-made, or the lazy resolver: transparent */
    FUNCTION_SECTION, /* a section that the program has named; it stands in the middle of paths */
    FUNCTION_ALL,     /* the whole program, if contexts are off */
    FUNCTION_THREAD,  /* from here on pseudo-functions, the roots of call paths */
    FUNCTION_FIBRE,
    FUNCTION_SIGNAL,
    FUNCTION_OVERFLOW
} FunctionKind;

struct Node;
struct BasicBlock;
struct AccessPoint;

typedef struct Function {
    UInt range;
    Addr start; /* in memory; of a stub: that of its section */
    Addr stub;  /* the address of a stub; 0: it is none */
    ULong size; /* of its code, as its table has it when it is first come to */
    Addr whole; /* start of the function that it is a part of though that calls it (f.part.0), or 0
                 */
    FunctionKind kind;
    struct Function *shown; /* in the profile: of a stub, its section; else the function itself */
    Bool toggles;           /* collecting is on while it is on the stack */
    Bool chooses;           /* as ElfFunction */
    Bool is_inner;          /* as ElfFunction: jumps lead to it */
    Bool is_made;           /* at run time: no ELF file has its code */
    UInt argument_options;  /* that count arguments of its calls, a bit each */
    const Role *role;       /* of an allocation function; NULL: it is none */
    UShort plain_argument;  /* cp_role_plain(): its offset in the registers; 0: none */
    Bool is_plain_free;

    struct Node *children;       /* all calls that lead to it; its contexts are among them */
    Bool was_hidden;             /* by a call that led back to an ancestor of it */
    Bool is_shaped;              /* the numbers of counters and calls are decided */
    UInt first, first_calls;     /* counters, and children of calls, behind each of them */
    UInt n_slots;                /* counters that each of them uses */
    UInt room;                   /* further counters that each of them has memory for */
    UInt n_calls, call_room;     /* call slots that each of them uses and has memory for */
    struct BasicBlock **blocks;  /* by slot, `room` of them; NULL: a guarded access point */
    UInt *block_ids;             /* by slot, while a profile is written */
    ULong *slot_costs;           /* while they are added up (cp_inclusive.c) */
    struct AccessPoint *guarded; /* the last guarded access point; the others by its `next` */

    Activity activity;
    void *check_thunks[2]; /* code that checks the current context; the second one is for `start` */
    void *entry_thunk;     /* code that tells of a call of an allocation function */

    ULong walked; /* with --cprof-check: inclusive Ir, and the last walk that met the function */
    ULong last_walk;
} Function;

/* The function of the code that is at `address` now. */
Function *cp_function_at(Addr address);

/* The function of code that `from` (NULL: not known) has come to other than by a call. */
Function *cp_function_reached(Addr address, const Function *from);

/* The function that is the target of a call: where no table covers it, a function begins there. */
Function *cp_function_called(Addr address);

/* The function that code of a file is taken for where `from` has come to it, though another one may
 * begin there, which nothing has called, since no table covers it. NULL: none. */
Function *cp_function_guessed(Addr address, const Function *from);

/* True if a table has another function than `from`, and no stub, that begins at the address. */
Bool cp_function_begins(Addr address, const Function *from);

/* Has code translated anew that belongs to another function than when it was translated, since a
 * call has divided that. No superblock runs. */
void cp_function_discard(void);

/* True if a call goes on in a part of the function that makes it, and counts as none. */
static inline Bool cp_function_goes_on(const Function *from, const Function *to)
{
    return to->whole && from->range == to->range &&
           (from->start == to->whole || from->whole == to->whole);
}

/* A pseudo-function. */
Function *cp_function_pseudo(FunctionKind kind);

/* The pseudo-function of the section with this index, which is its `start`. */
Function *cp_function_section(UInt index);

UInt cp_function_count(void);

/* Allocation functions that the tables name, of all objects whose code ran. */
extern UInt cp_function_n_roles;

/* True if the function that begins there switches collecting. cp_main sets it. It is called once
 * for each function, at its first execution. */
extern Bool (*cp_function_toggles)(Addr start);

/* The options that count arguments of the function that begins there. cp_main sets it. It is called
 * once for each function, at its first execution. */
extern UInt (*cp_function_argument_options)(Addr start);

Function *cp_function(UInt index);

#endif
