/*
 * cp_near.h - the program's own code, copied and counted. For the files of this engine; cp_engine.h
 * is for all others.
 *
 * A *copy* is code of the program from an address up to a jump, a call or a return, copied into
 * memory of the tool, with counters put in between. While it runs, the program's registers are the
 * processor's: copies jump to each other. Only what a copy cannot do is done elsewhere: the
 * *routines* enter copies from Valgrind's dispatcher and leave them, and ask the *helper* where a
 * shadow stack changes in a way that is not the usual one.
 *
 * A *place* is an address of the program, and the copy that begins there. Its checked entry first
 * makes sure that the current context is one of the place's function, as each superblock of VEX
 * does; code that knows the function goes to the unchecked entry.
 *
 * Spilled registers and whatever else copies need lie at fixed addresses below 2 GB. Nothing is
 * ever written to the program's stack but what the program itself writes there.
 */
#ifndef CP_NEAR_H
#define CP_NEAR_H

#include "cp_accesses.h"
#include "cp_assembler.h"
#include "cp_block.h"
#include "cp_context.h"
#include "cp_fetched.h"
#include "cp_l1.h"
#include "cp_stack.h"
#include "libvex.h"
#include "libvex_guest_amd64.h"

typedef VexGuestAMD64State Guest;

/* Where registers of x87 are; the first one: no copy uses them, and who would, uses VEX's. */
typedef enum { X87_UNUSED, X87_IN_PROCESSOR, X87_IN_FIELDS, X87_SAVED } X87Where;

/* The part of x87 in what xsave writes. */
typedef struct {
    UShort control;
    UChar other[510];
    ULong present, unused[7];
} __attribute__((aligned(64))) X87State;

/* A thread's registers of x87, while another one runs or a handler. */
typedef struct {
    X87State saved;
    UInt where, control; /* as in NearState */
} NearX87;

/* The registers that AVX-512 has brought, while a handler runs. */
typedef struct {
    UChar state[4096]; /* as xsave writes it */
    UChar upper[16][32];
} __attribute__((aligned(64))) NearWide;

/* Kept outside of registers by copies and routines. */
typedef struct {
    ULong model_ax;                        /* rax, while the model is called */
    const struct NearReference *reference; /* likewise: what it is called for */
    ULong rip;                             /* where the program goes on, for the routines */
    ULong target;                          /* code to go on in */
    ULong events;                          /* until the scheduler is asked: the core's counter */
    ULong help;                            /* a NearHelp, and what it is about */
    ULong subject;
    Child *child;        /* of a call that has to be watched */
    ULong sp;            /* the program's stack pointer, while C runs */
    ULong kept[6];       /* the program's registers, while C runs that uses no vectors */
    Guest *guest;        /* the thread's registers, while it is in VEX's code */
    ULong host_sp;       /* the core's stack pointer */
    ULong fs;            /* the base of FS in the processor */
    UInt x87;            /* an X87Where: the running thread's */
    UInt x87_control;    /* its control word, while the processor has the core's */
    UInt wide;           /* copies use registers that AVX-512 has brought */
    UInt mxcsr;          /* with the program's rounding, and no exception so far */
    UChar upper[16][32]; /* upper halves of vectors of 512 bits, outside of copies */

    /* For the cache model. */
    ULong addresses[MOST_ACCESSES];  /* of the instruction's accesses */
    ULong time;                      /* of a way, before it was stored anew */
    const struct NearRepeat *repeat; /* the repeated instruction that runs */
    ULong count, from, to;           /* its registers as it began */
    ULong is_first;                  /* none of its repetitions has been counted */
    ULong held;                      /* the register that tests have for a basic block */
    ULong has_upper;                 /* an upper half of these is not 0 */
    UChar vectors[16][32] __attribute__((aligned(32))); /* during a call */
} NearState;
extern NearState cp_near;

typedef struct Place {
    Addr guest;
    UChar *checked, *unchecked; /* NULL: no copy */
    Function *function;
    Bool is_made;    /* its code, at run time */
    Bool is_entry;   /* of children of the function; see Child.entry */
    Bool flags_live; /* some are, where it begins */
    UInt size;       /* bytes of the program that the copy stands for */
    UInt n_insns;
    UInt version;       /* copies that were forgotten */
    struct Link *links; /* jumps that lead here */
    struct Door *doors; /* where code that is not the copy's own may enter it */
    UChar *left; /* code that leaves for VEX's, since there can be no copy; NULL: there may */
    struct Place *next; /* on the page, among those that had a copy */
} Place;

/* A call in a copy, or a jump to another function: a site of these as well. */
typedef struct {
    CallSite *site;
    const UChar *after;   /* where its return goes on */
    const UChar *jump;    /* the jump to the function, once the frame is made */
    struct Link *link;    /* its target, which is known to be the callee's after the first call */
    const UChar *entered; /* goes on in the function; cx, ax, dx and flags are spilled */
    const UChar *asks;    /* asks the helper; likewise */
} NearCall;

typedef enum {
    HELP_CHECK,         /* a Place: code of another function than the current one begins */
    HELP_CALL,          /* a NearCall */
    HELP_CALL_INDIRECT, /* a NearCall, to cp_near.rip */
    HELP_JUMP,          /* a NearCall, which has not led anywhere yet in the current context */
    HELP_RETURN,        /* to cp_near.rip, where the frame on top is not that of a plain call */
    HELP_ALLOCATES,     /* a NearEntry: an allocation function begins */
    HELP_REPEAT,        /* a NearRepeat */
    HELP_WALK,          /* a NearWalk */
    HELP_LEAP_CALL, /* without call paths, in a section: a call, return or jump to cp_near.rip */
    HELP_LEAP_RETURN,
    HELP_LEAP_JUMP,
    HELP_STALE, /* a Place, whose code has changed since it was copied */
    HELP_MISS   /* nothing: there is no copy of cp_near.rip yet */
} NearHelp;

/* Left to the model: a fetch, an access, or the branches of one instruction. It lies in the code,
 * which the processor has just read, and its pointers below 2 GB have 32 bits. */
typedef struct NearReference {
    UInt resume; /* where the copy goes on; 0: behind the reference */
    UInt refer;  /* a NearRefer */
    union {
        struct AccessPoint *point;
        const struct NearRepeat *repeat; /* which has ended */
    };
    UInt has_next; /* the instruction's next access, or line, lies behind it */
    union {
        UInt room; /* cp_cache_room() of an access */
        UInt line; /* of a fetch */
    };
    Addr address; /* of an instruction that is fetched */
} NearReference;

typedef void NearRefer(const NearReference *r);

/* A repeated string instruction. */
typedef struct NearRepeat {
    UInt slot, rep_slot; /* of the counters of Ir and of Rep */
    UChar *resume;

    /* With branches: the one before each repetition; NULL: not counted. VEX knows whether the first
     * one is taken where the number is constant. */
    struct AccessPoint *branch;
    UInt branch_slot; /* of their counter */
    Bool is_constant;

    /* With caches: the accesses of one repetition. */
    UInt data_slot; /* of their counter */
    UInt size;
    struct AccessPoint *read, *write; /* NULL: there is none */
} NearRepeat;

/* The beginning of an allocation function. */
typedef struct {
    Function *function;
    UChar *resume;
} NearEntry;

/* A basic block, where the stack is walked for it; see --cprof-check. */
typedef struct {
    UInt ir;
    UChar *resume;
} NearWalk;

/* The routines; see cp_near_routines.c. All of them are jumped to. */
typedef struct {
    const UChar *enter, *enter_flags; /* from VEX's code; the copy's address is in rax */
    const UChar *leave;               /* to the dispatcher, which goes on at cp_near.rip */
    const UChar *miss;        /* goes on at cp_near.rip, in a copy that is made if possible */
    const UChar *leave_event; /* to the scheduler */
    const UChar *help;
    const UChar *ask;         /* as help, where the helper looks at no vectors */
    const UChar *lookup;      /* goes on at cp_near.rip, in its copy if there is one */
    const UChar *return_slow; /* for a frame that no copy has made; cx and ax are spilled */
    const UChar *return_jump; /* for the frame of a jump on top; cx and ax are spilled */
    const UChar *arrive;      /* at a Place of another function */
    const UChar *stub_jump;   /* to cp_near.rip, out of a stub that was jumped to */
    const UChar *watched;     /* asks if the child in rax has to be watched; changes rdx */
    const UChar *quick; /* the call of a NearCall, to cp_near.child, which has to be watched */
} NearRoutines;
extern NearRoutines cp_near_routines;

/* Where indirect jumps look for copies, by the address's low bits. */
enum { LOOKUP_SIZE = 1 << 16 };
typedef struct {
    ULong guest, host;
} Lookup;
extern Lookup cp_near_lookups[LOOKUP_SIZE];

/* Sets up where returns without call paths go on. Call it when there are routines. */
void cp_near_init_returns(void);

/* No copy is found there any more. A jump to address 0 finds an empty one, which leaves copies. */
void cp_near_clear_lookup(Lookup *l);

/* Asks the processor what it is. */
typedef struct {
    UInt a, b, c, d;
} NearCpuid;

static inline NearCpuid cp_near_cpuid(UInt leaf, UInt part)
{
    NearCpuid r;

    __asm__("cpuid" : "=a"(r.a), "=b"(r.b), "=c"(r.c), "=d"(r.d) : "0"(leaf), "2"(part));
    return r;
}

/* By the first letters of "AuthenticAMD". */
static inline Bool cp_near_is_amd(void)
{
    return cp_near_cpuid(0, 0).b == 0x68747541;
}

/*--- Children of computed calls and jumps: cp_near_found.c ---*/

/* The child is found from now on by its entry, beside what the slot of its call has. */
void cp_near_found(Child **slot, Child *c);

/* rax: what a slot has; rcx: an address. Finds the child that arrives there, if there is one: then
 * it is the one in rax. Changes rcx and flags. Returns a jump to where there is none. */
UChar *cp_near_put_find(void);

/* The helper: where to go on; NULL: to the dispatcher. */
typedef UChar *NearHelper(const void *subject, NearHelp help, Guest *guest);

/* Writes the routines, which call the helper, and cp_near_enter_x87(). `has_wide`: they and copies
 * may spill registers to vectors that AVX-512 has brought. */
void cp_near_make_routines(NearHelper *helper, void (*enter_x87)(Guest *guest), Bool has_wide);
/* The program is going to use such vectors: registers are spilled to memory from here on, and all
 * copies are forgotten. */
void cp_near_spill_to_memory(void);
/* Writes the routines of jumps to another function: cp_near_jump.c. */
void cp_near_make_arrive(void);

/*--- Vectors: cp_near_vectors.c ---*/

/* Save the vectors before a call of C, and load them behind it. Flags change, and the vectors in
 * between. */
void cp_near_put_save_vectors(void);
void cp_near_put_load_vectors(void);

/* Calls C that uses no vectors, on the core's stack, with the program's stack pointer and rdx; its
 * result is in rax. cx, ax, dx and flags are spilled. D is the program's: such C has no string
 * instructions. */
void cp_near_put_quick(const void *function);

/*--- Calls of the model: cp_near_model.c ---*/

/* Writes the routine. */
void cp_near_init_model(void);

/* Leaves a reference, or two or more in an array, to the model. Keeps registers and flags. */
void cp_near_put_model(const NearReference *list, UInt n);

/* Leaves the fetch of an instruction to the model, on one line or two; likewise. */
void cp_near_put_fetch_call(const NearReference *list, UInt n);

/* Leaves the only access of an instruction to the model, where cp_l1_is_usual(); likewise. */
void cp_near_put_data_call(const NearReference *reference);

/* The code of cp_near_put_model(), which comes before the reference, and its bytes. */
void cp_near_put_model_call(const void *reference);
enum { NEAR_MODEL_CALL = 8 + 5 + 5 };

/*--- Places: cp_near_place.c ---*/

/* NULL; or why this processor or system cannot run copies, in words that follow "VEX: ". */
const HChar *cp_near_init_places(void);
/* For tests: the environment says that the processor is to be one without `what`. */
Bool cp_near_is_masked(const HChar *what);
/* From here on there are copies. */
void cp_near_begin_copies(void);
/* No copy runs any more. Their memory is given back, so that writing the profile adds nothing to
 * the run's peak. */
void cp_near_free_copies(void);

/* True for an address in a copy; whether there is room for another one. */
Bool cp_near_has(Addr host);
Bool cp_near_has_room(void);
/* Bytes for code that copies have not yet; below 0: they have it now. */
void cp_near_promise(Word size);

/* The mapping that code is decoded from: one that holds all of the copy. `is_made`: at run time. */
void cp_near_set_code(Addr start, Addr end, Bool is_made);
Bool cp_near_decode(Addr guest, Insn *in);

/* All that is written in between is the copy of the place. */
void cp_near_begin(Place *p);
void cp_near_end(void);

/* The function whose code is being copied. */
const Function *cp_near_copied_function(void);

/* The place of an address; made if it is new. */
Place *cp_near_place(Addr guest);

/* True if copies lead to the address. */
Bool cp_near_is_joined(Addr guest);

/* A jump to the program's `target` whose displacement comes next. `from`: the current function
 * there. Links it now and whenever the target gets another copy. */
struct Link *cp_near_put_link(Addr target, const Function *from);

/* Goes on at `target` from the instruction at `here`. Returns the link, for cp_near_know(). */
struct Link *cp_near_put_edge(Addr target, Addr here, const Function *from);

/* From now on `from` is known to be the current function at the link. */
void cp_near_know(struct Link *link, const Function *from);

/* Code behind the copy: sets what the routine needs and goes to it. `at`: the jump to that code.
 * `rip`: where the program goes on; 0: cp_near.rip says so already. */
void cp_near_put_help(UChar *at, Addr rip, const UChar *routine, NearHelp help,
                      const void *subject);

/* Code at `host` that code of other copies, or a frame, may lead to. */
void cp_near_add_door(UChar *host, Bool is_return);

/* The place will have no copy until the core asks for it. */
void cp_near_leave_place(Place *p);

/* The code at the place is not what it was, or is no more; or that in a range. */
void cp_near_forget(Place *p);
void cp_near_forget_range(Addr start, ULong size);

/* The flags that may be read at `guest` before they are written. */
UInt cp_near_flags_at(Addr guest);

/* The most instructions of a basic block of a copy. Where accesses or branches are counted, it ends
 * where VEX's superblock does. */
UInt cp_near_longest_block(void);

/*--- Copies: cp_near_copy.c ---*/

enum { NEAR_MOST = 100 }; /* instructions of a copy */

/* Makes the copy of a place, which is code of the function. False: VEX has to translate it. */
Bool cp_near_make(Place *p, Function *f);

/*--- Instructions as they are: cp_near_plain.c ---*/

/* False: the instruction is left to VEX. */
Bool cp_near_copies(const Insn *in);

/* Writes one that is no branch; an operand relative to RIP becomes an address. */
void cp_near_put_plain(const Insn *in);

/*--- Arriving: cp_near_arrive.c ---*/

/* The core checks no code of files, unless it may have been patched. */
extern Bool cp_near_trusts_files;

/* The place with its copy, which is made if need be. NULL: VEX has to translate it. */
Place *cp_near_copied(Addr guest);
/* True if code around the address is copied, but for instructions that are left to VEX. */
Bool cp_near_goes_on(Addr guest);

/* The place that the program has come to. A copy is made, if need be, where the core would do
 * nothing else. NULL: there is none, and the core goes on there. */
Place *cp_near_arrive(Addr guest);

/*--- Translations: cp_near_translate.c ---*/

/* As cp_near_init_places(). */
const HChar *cp_near_init(void);

/* copy() of cp_engine.c */
Bool cp_near_translate(VexTranslateArgs *a, VexTranslateResult *r);
/* True if VEX's translation ends at an instruction that it does not know, but copies do. Then VEX
 * is told to end before that, and has to be asked again. */
Bool cp_near_is_cut(const VexTranslateArgs *a, const VexTranslateResult *r);

/*--- The end of code: cp_near_end.c ---*/

/* VEX gets a copy of code that ends with its memory: it looks at bytes behind that. */
void cp_near_give_copy(VexTranslateArgs *a);

/*--- Free registers: cp_near_free.c ---*/

/* The registers that an instruction up to *last overwrites, and none from *at on reads before.
 * `exact`: none faults before, either. */
UInt cp_near_free_registers(const Insn *at, const Insn *last, Bool exact);

/*--- Spilled registers: cp_near_spill.c ---*/

/* Where a register is kept. Most often it is the one of that name, or what cp_put_flags_to_ax()
 * says. */
typedef enum { SPILL_CX, SPILL_AX, SPILL_DX, SPILL_FLAGS, SPILLS } Spill;

/* Code that is written from here on keeps them in vectors that AVX-512 has brought, or in memory.
 */
void cp_near_spill_in_vectors(Bool on);

void cp_near_put_spill(Spill s, UInt reg);
void cp_near_put_fill(UInt reg, Spill s);

/* cx, ax and dx; flags, too, if they are needed. Flags are changed. */
void cp_near_put_spill_all(Bool flags);
void cp_near_put_fill_all(Bool flags);

/*--- Calls: cp_near_call.c ---*/

NearCall *cp_near_new_call(const Insn *in, Function *f, Addr target);
/* The child to which the call led last in the current context, to rax. */
void cp_near_put_find_child(const NearCall *n, const Function *f);
void cp_near_put_call(const Insn *in, Function *f);
void cp_near_put_call_indirect(const Insn *in, Function *f);
void cp_near_put_jump_indirect(const Insn *in, const Function *f);
void cp_near_put_return(const Insn *in);

/* A direct jump: cp_near_tail.c. */
void cp_near_put_jump(const Insn *in, Function *f);

/* Enters the child in rax, which is not watched, of the context in rdx, by a jump. Changes rcx and
 * rdx. Returns how many jumps to code for what is unusual are in the array. */
enum { NEAR_MOST_UNUSUAL = 32 };
UInt cp_near_put_enter_jump(UChar **unusual);

/* The part of these that accesses memory, and comes first. */
void cp_near_put_call_memory(const Insn *in);

/* Makes sure of the current function at a checked entry. */
void cp_near_put_check(Place *p);

/* Tells of the call of an allocation function, which begins here. */
void cp_near_put_allocates(const Place *p);

/*--- C that uses no vectors: cp_near_quick.c ---*/

/* Do what the helper does in the usual case, and return where to go on; otherwise they do nothing.
 * call: to cp_near.child. return: NULL: it is not the usual case. */
const UChar *cp_near_quick_call(UWord sp, const NearCall *n);
const UChar *cp_near_quick_return(UWord sp, Addr target);
const UChar *cp_near_quick_jump(UWord sp, const Place *p);

/* Make the reference of cp_near_put_fetch_call() and of cp_near_put_data_call(). Not NULL: that has
 * to be called for it, with vectors saved. */
NearRefer *cp_near_quick_fetch(const NearReference *r);
NearRefer *cp_near_quick_data(const NearReference *r);

/* A jump has led to the child, which cp_near_quick_jump() finds from now on. */
void cp_near_jumped(Child *c);

/*--- The helper: cp_near_help.c ---*/

NearHelper cp_near_help;

/*--- Marks: cp_near_marks.c ---*/

/* Code from `host` on stands for the instruction at `guest`. */
typedef union {
    struct {
        UInt host, guest;
        UInt slot;     /* of the counter of its run (cp_near_count.h) */
        UInt counted;  /* the counter has been bumped, as often as a repeated one has rounds */
        UInt rounds;   /* so many more executions of the run are not counted yet */
        UInt repeats;  /* of a repeated instruction: its rep_slot and 1; else 0 */
        UInt held;     /* cp_near_held() */
        UInt referred; /* the instruction's access has stored a time in D1: cp_near.time */
    };
    UInt numbers[8];
} NearMark;

/* From here on the copy stands for the instruction. The host's address is filled in. */
void cp_near_mark(const NearMark *mark);

/* The last mark at an address or before it; a copy is there. */
NearMark cp_near_mark_of(Addr host);

/*--- Faults: cp_near_fault.c ---*/

/* Counts the instructions of a run in front of one that faulted. */
void cp_near_settle(void);

/* A thread begins, with a number that another one may have had. */
void cp_near_begin_thread(UInt tid);
/* Gives a thread a stack for handlers: its stack pointer is the program's. */
void cp_near_thread(UInt tid);

/*--- Registers of x87: cp_near_x87.c ---*/

/* The copy that is being made uses registers of x87. */
void cp_near_use_x87(void);

/* Moves the registers of x87 to the processor, on the way into a copy. */
void cp_near_enter_x87(Guest *guest);

/* As cp_engine_watch() and cp_engine_watch_call(). */
void cp_near_watch_superblock(IRSB *out, const IRSB *in);
void cp_near_watch_call_x87(IRSB *out, const IRDirty *call);

/* A handler of the core runs; see cp_near_keep(). */
void cp_near_keep_x87(const void *state, Bool in_copy);

/* A handler of the program begins, with registers as after finit; it has returned. */
void cp_near_put_away_x87(NearX87 *kept);
void cp_near_take_back_x87(const NearX87 *kept);

/* As cp_near_begin_thread() and cp_near_thread(). */
void cp_near_begin_thread_x87(ThreadId tid);
void cp_near_thread_x87(ThreadId tid);

/*--- Data that copied instructions access: cp_near_data.c ---*/

typedef struct {
    Access list[MOST_ACCESSES];
    UInt n; /* 0 too where VEX leaves the access out */
} NearAccesses;

/* False: VEX has to translate the instruction. */
Bool cp_near_knows_accesses(const Insn *in);

/* Finds the accesses of instructions, to the end of a superblock of VEX. */
void cp_near_find_accesses(const Insn *insns, UInt n);
const NearAccesses *cp_near_accesses(UInt i);
/* Adds those of an instruction to its costs. */
void cp_near_add_cost(UInt i, InstrCost *cost);

/* Counts a repeated instruction that has n repetitions before it, or takes that back. */
void cp_near_count_repeated(UInt slot, UInt rep_slot, ULong n, Bool back);

/* Counts the repetitions of a repeated instruction, which has ended. */
void cp_near_repeat_ended(const NearReference *r);
/* A repeated instruction has stopped before so many repetitions. */
void cp_near_repeat_stopped(ULong left);

/* VEX begins anew behind the instruction. */
static inline Bool cp_near_ends_superblock(const Insn *in)
{
    return in->kind >= INSN_REPEAT;
}

/*--- Known values: cp_near_known.c ---*/

/* The value of a register behind the first instructions of a copy, if VEX knows it. */
Bool cp_near_knows_register(const Insn *insns, UInt n, UInt reg, ULong *value);
/* True if insns[i] is a branch whose way VEX may know, so that it makes none. */
Bool cp_near_may_know_way(const Insn *insns, UInt i);

/*--- Branches: cp_near_branch.c ---*/

/* Adds the branch that insns[i] of a copy is to its costs, but for repeated ones. */
void cp_near_add_branches(const Insn *insns, UInt i, InstrCost *cost);
/* True if it is an indirect jump or call, as far as VEX sees. */
Bool cp_near_is_indirect(const Insn *insns, UInt i);
AccessPoint *cp_near_branch_point(const Insn *in);

/* The way of a conditional branch that is, or is not, taken. `flags`: some are needed later. */
void cp_near_put_conditional(AccessPoint *point, Bool taken, Bool flags);
/* An indirect jump or call goes to cp_near.rip. */
void cp_near_put_indirect(AccessPoint *point);

/* Code behind the copy. */
void cp_near_put_branch_tails(void);

/*--- A register for tests: cp_near_hold.c ---*/

/* Tests may use a register that instructions from the index `first` on, which no branch is among,
 * do not touch. `is_loop`: they will run many times. */
void cp_near_hold(const Insn *insns, UInt first, UInt n, Bool is_loop);
/* As a set: empty, or that one. */
UInt cp_near_held(void);
/* Gives its value back: writes code for that; from here on. */
void cp_near_put_release(void);
void cp_near_end_hold(void);

/*--- Caches: cp_near_cache.c ---*/

/* Call it when the caches are set up. */
void cp_near_init_cache(void);

/* Begin and end the tests around the part, with the index i, of an instruction that accesses
 * memory. `live`: flags that are; `free`: registers whose values are not needed. */
void cp_near_put_tests(UInt i, const Insn *in, UInt live, UInt free);
void cp_near_end_tests(void);

/* Code behind the copy of a place. `put_memory` writes that part of an instruction. */
void cp_near_put_cache_tails(const Place *p, void (*put_memory)(const Insn *in));

/* Begin and end a repeated instruction. */
void cp_near_begin_repeat(NearRepeat *r, const Insn *in, UInt i);
void cp_near_end_repeat(const NearRepeat *r);

/*--- Lines that are known: cp_near_lines.c ---*/

/* The next instruction is the copy's first one, or others than copies have used D1. */
void cp_near_begin_lines(void);
/* False: the access surely finds the most recently used line of its set. Each access of each
 * instruction is asked for, in their order, and then the instruction is passed. */
Bool cp_near_needs_test(const Insn *in, const Access *a);
void cp_near_pass_lines(const Insn *in);

/*--- Fetches: cp_near_fetch.c ---*/

/* The next instruction is the copy's first one, which has so many bytes. */
void cp_near_begin_fetches(UInt size);
/* The next instructions come once more in the copy, and run behind those that came first; or not.
 */
void cp_near_fetch_again(Bool again);
/* Fetches an instruction. `live`: flags that are; `free`: registers whose values are not needed. */
void cp_near_put_fetch(const Insn *in, UInt live, UInt free);
/* Code behind the copy. */
void cp_near_put_fetch_tails(void);

/*--- Registers of AVX-512: cp_near_wide.c ---*/

/* True if the processor has them, and the system lets programs use them. */
Bool cp_near_has_wide(void);

/* The copy that is being made uses registers of AVX-512. cp_near_keep_wide() and
 * cp_near_put_away_wide() do for them as those of x87. */
void cp_near_use_wide(void);
void cp_near_keep_wide(const void *state, Bool in_copy);
void cp_near_put_away_wide(NearWide *kept);
void cp_near_take_back_wide(const NearWide *kept);
void cp_near_begin_thread_wide(ThreadId tid);
void cp_near_thread_wide(ThreadId tid);
void cp_near_watch_call_wide(IRSB *out, const IRDirty *call);
/* As cp_engine_watch_put(). */
void cp_near_watch_put_wide(IRSB *out, const IRStmt *put, Addr at);

/*--- Registers of both: cp_near_registers.c ---*/

/* As cp_engine_watch_call(). */
void cp_near_watch_call(IRSB *out, const IRDirty *call);

void cp_near_begin_thread_registers(ThreadId tid);
void cp_near_thread_registers(ThreadId tid);

/* A handler of the core runs, which may not go back. `state`: what the processor had, as xsave
 * writes it. `in_copy`: when a copy ran. */
void cp_near_keep(const void *state, Bool in_copy);

/* As cp_engine_signal() and cp_engine_after_signal(). */
void cp_near_signal(ThreadId tid);
void cp_near_after_signal(ThreadId tid);

/*--- Instructions that VEX does not know: cp_near_unknown.c ---*/

/* The first one of the basic block at a slot, or the first gather where there is one. */
void cp_near_note_unknown(const Function *f, UInt slot, const Insn *in);

/* Says which was the first that ran, if any did. */
void cp_near_say_unknown(void);

/*--- Code made at run time: cp_near_made.c ---*/

enum { MADE_MOST = 32 }; /* instructions of a copy: all of them are compared */

/* Copies of made code get a part of the memory for copies. */
Bool cp_near_has_room_for_made(void);

/* In front of a copy: code for those checks that fail. */
void cp_near_put_stale(const Place *p);
/* Checks at its entry that the program's bytes are those that are copied. */
void cp_near_put_bytes_check(const Place *p);
/* Forgets the copy whose bytes the program has changed. */
void cp_near_forget_stale(const Place *p);

#endif
