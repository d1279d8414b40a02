/*
 * cp_instrument.c - the pass over VEX's IR. Each basic block bumps one counter inline, before the
 * exit that ends it; Ir, Dr, Dw, Bc and Bi follow from it. Each data access, and each instruction
 * that begins on another line than the one before it, makes the test of cp_cache.h inline, which
 * guards a call of the model. Accesses are those of cachegrind, in the
 * same order (cg_main.c, cg_instrument).
 */
#include "cp_instrument.h"

#include "cp_arch.h"
#include "cp_block.h"
#include "cp_branch.h"
#include "cp_cache.h"
#include "cp_clock.h"
#include "cp_context.h"
#include "cp_core.h"
#include "cp_engine.h"
#include "cp_frame.h"
#include "cp_ir.h"
#include "cp_leap.h"
#include "cp_lines.h"
#include "cp_names.h"
#include "cp_object.h"
#include "cp_random.h"
#include "cp_stack.h"
#include "pub_tool_machine.h"
#include "pub_tool_tooliface.h"

/*--- Superblocks ---*/

/* The state of the pass over one superblock. */
typedef struct {
    IRSB *out;
    Function *function;
    Addr begin;   /* the superblock's address */
    Int sp;       /* offset of the stack pointer in the guest's registers */
    Addr address; /* of the current instruction */
    UInt size;
    Bool repeats; /* it is a repeated string instruction */

    /* The basic block under construction. */
    InstrCost instrs[MAX_BLOCK_INSTRS];
    UInt n_instrs;
    Addr start, last; /* addresses of its first and last instruction */

    /* Number of the line that this superblock fetched last. */
    UWord fetched;
    Bool any_fetched;

    /* The instruction's last access, if it is a read; else NULL. A write to the same place makes
     * the two one access. */
    IRExpr *read_address;
    UInt read_size;
} Pass;

/*--- Long doubles of 80 bits ---*/

/*
 * The first use of a long double of 80 bits, which VEX computes with 64, is told to the user.
 * The system's libraries do not count: they use long doubles by themselves, as libstdc++ does to
 * size hash tables, and what a program gets of them in other places goes through its own code.
 */

static ULong is_said;

static void say(void)
{
    is_said = True;
    VG_(umsg)("long doubles of 80 bits are computed with 64\n");
}

/* So is the first repeated lods, of which VEX makes one repetition alone: as the core tells of what
 * VEX does in a way of its own. */
static ULong is_load_said;

static void say_load(void)
{
    is_load_said = True;
    VG_(umsg)("Emulation warning: unsupported action:\n");
    VG_(umsg)("  rep lods ends after one repetition\n");
}

/* Adds a call of a function that says something once. */
static void watch(IRSB *out, const ULong *is_done, void (*function)(void))
{
    IRExpr *is_first;

    if (*is_done)
        return;
    is_first = IRExpr_Binop(Iop_CmpEQ64, cp_ir_load(out, cp_ir_word((Addr)is_done)), cp_ir_word(0));
    cp_ir_call(out, 0, "say", function, mkIRExprVec_0(), cp_ir_assign(out, Ity_I1, is_first));
}

static Bool is_system(Addr address)
{
    static const HChar *const folders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"};
    const HChar *path = cp_object(cp_range(cp_range_at(address))->object)->path;

    for (UInt i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!VG_(strncmp)(path, folders[i], VG_(strlen)(folders[i])))
            return True;
    return False;
}

/* Watches the call of VEX's helper at an instruction, before it is added to `out`. */
static void watch_extended(IRSB *out, const IRDirty *d, Addr address)
{
    if (cp_arch_is_extended(d->cee->name) && !is_system(address))
        watch(out, &is_said, say);
}

/*--- Calls and returns ---*/

/* The offset of the word of the return address in frames. */
#define FRAME_BACK (offsetof(Frame, sp) + sizeof(UWord))

static IRExpr *stack_pointer(const Pass *p)
{
    return cp_ir_assign(p->out, Ity_I64, IRExpr_Get(p->sp, Ity_I64));
}

/* Code that calls cp_stack_check at the start of a superblock. */
static void *check_thunk(const Pass *p)
{
    Bool is_entry = p->begin == p->function->start;
    void **thunk = &p->function->check_thunks[is_entry];

    if (!*thunk) {
        cp_thunk_begin();
        cp_thunk_constant(0, (Addr)p->function);
        cp_thunk_register(1, p->sp);
        cp_thunk_constant(2, is_entry);
        *thunk = cp_thunk_end((Addr)cp_stack_check);
    }
    return *thunk;
}

/* Code that calls cp_stack_allocates at the start of an allocation function. */
static void *entry_thunk(const Pass *p)
{
    if (!p->function->entry_thunk) {
        cp_thunk_begin();
        cp_thunk_constant(0, (Addr)p->function);
        cp_thunk_state(1);
        cp_thunk_register(2, p->sp);
        p->function->entry_thunk = cp_thunk_end((Addr)cp_stack_allocates);
    }
    return p->function->entry_thunk;
}

/* Makes sure, at the start of a superblock, that the current context is one of its function. Where
 * an allocation function begins, it tells of that, too. */
static void follow_arrival(const Pass *p)
{
    IRExpr *now = cp_ir_load(p->out, cp_ir_word((Addr)&cp_now.function));
    IRExpr *function = cp_ir_word((Addr)p->function);

    cp_ir_call(p->out, 0, "cp_stack_check", check_thunk(p), mkIRExprVec_0(),
               cp_ir_assign(p->out, Ity_I1, IRExpr_Binop(Iop_CmpNE64, now, function)));
    if (UNLIKELY(p->function->role != NULL) && p->begin == p->function->start)
        cp_ir_call(p->out, 0, "cp_stack_allocates", entry_thunk(p), mkIRExprVec_0(), NULL);
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
    set(out, now, offsetof(Now, counted), get(out, node, offsetof(Node, counted)));
}

/*--- Calls ---*/

/* Code that calls cp_stack_call() at the end of a superblock. */
static void *call_thunk(const Pass *p, CallSite *site)
{
    if (!site->thunk) {
        cp_thunk_begin();
        cp_thunk_constant(0, (Addr)site);
        cp_thunk_register(1, p->sp);
        site->thunk = cp_thunk_end((Addr)cp_stack_call);
    }
    return site->thunk;
}

/*
 * Follows a direct call, as cp_stack.h says. The child is loaded anew after the helper, which may
 * have put another one into the slot; the counters have not moved.
 */
static void follow_known(const Pass *p, Addr back, Addr target)
{
    IRSB *out = p->out;
    CallSite *site = cp_site_next(p->function, p->address, back, target);
    UWord slot = (UWord)cp_call_offset(p->function, site->slot);
    IRExpr *now = cp_ir_assign(out, Ity_I64, cp_ir_word((Addr)&cp_now));
    IRExpr *node = get(out, now, offsetof(Now, node));
    IRExpr *base =
        cp_call_is_first(p->function, site->slot) ? node : get(out, node, offsetof(Node, further));
    IRExpr *child = get(out, base, slot);
    IRExpr *room = get(out, now, offsetof(Now, end));
    IRExpr *top = cp_ir_binop(out, Iop_Or64, get(out, child, offsetof(Child, watched)),
                              get(out, now, offsetof(Now, top)));

    cp_ir_call(out, 0, "cp_stack_call", call_thunk(p, site), mkIRExprVec_0(),
               cp_ir_assign(out, Ity_I1, IRExpr_Binop(Iop_CmpLE64U, room, top)));
    child = get(out, base, slot);
    top = get(out, now, offsetof(Now, top));
    set(out, top, offsetof(Frame, sp), stack_pointer(p));
    set(out, top, FRAME_BACK,
        cp_ir_binop(out, Iop_Or64, get(out, child, offsetof(Child, watched)), cp_ir_word(back)));
    set(out, top, offsetof(Frame, node), get(out, now, offsetof(Now, node)));
    set(out, top, offsetof(Frame, child), get(out, child, offsetof(Child, activation)));
    if (cp_frame_return)
        set(out, top, offsetof(Frame, host), cp_ir_word((Addr)cp_frame_return));
    set(out, now, offsetof(Now, top), plus(out, top, sizeof(Frame)));
    set(out, child, offsetof(Child, calls), plus(out, get(out, child, offsetof(Child, calls)), 1));
    enter(out, now, get(out, child, offsetof(Child, node)),
          get(out, child, offsetof(Child, function)));
}

/* The superblock ends with a call to `target`. */
static void follow_call(const Pass *p, IRExpr *target)
{
    Addr back = p->address + p->size;

    if (target->tag == Iex_Const) {
        Addr known = target->Iex.Const.con->Ico.U64;
        /* Position-independent code calls the next instruction to learn its own address. */
        if (known != back)
            follow_known(p, back, known);
        return;
    }
    cp_ir_call(p->out, 2, "cp_stack_call_indirect", cp_stack_call_indirect,
               mkIRExprVec_2(cp_ir_word((Addr)cp_site_next(p->function, p->address, back, 0)),
                             stack_pointer(p)),
               NULL);
}

/*--- Returns ---*/

static void follow_return(const Pass *p, IRExpr *target)
{
    IRSB *out = p->out;
    IRExpr *now = cp_ir_assign(out, Ity_I64, cp_ir_word((Addr)&cp_now));
    IRExpr *top = get(out, now, offsetof(Now, top));
    IRExpr *sp = get(out, top, offsetof(Frame, sp) - sizeof(Frame));
    IRExpr *back = get(out, top, FRAME_BACK - sizeof(Frame));
    IRExpr *node;

    sp = cp_ir_binop(out, Iop_Xor64, plus(out, sp, CP_RETURN_SLOT), stack_pointer(p));
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

/*--- Counters ---*/

/*
 * Adds to a counter in the tool's memory. VEX does not know what helpers write, and may move a load
 * across a call. This is safe: helpers write to other counters than inline code, and the current
 * context changes only where a superblock begins or ends.
 */
static void add_total(Pass *p, UInt column, IRExpr *n)
{
    IRExpr *address = cp_ir_word((Addr)&cp_totals[column]);

    addStmtToIRSB(p->out,
                  IRStmt_Store(Iend_LE, address,
                               cp_ir_binop(p->out, Iop_Add64, cp_ir_load(p->out, address), n)));
}

/* The base from which a counter of the current context has its offset. */
static IRExpr *counted(const Pass *p, UInt slot)
{
    IRExpr *node;

    if (cp_only_counts)
        return cp_ir_word((Addr)cp_only_counts);
    node = cp_ir_load(p->out, cp_ir_word((Addr)&cp_now.counted));
    return cp_slot_is_first(p->function, slot) ? node : get(p->out, node, offsetof(Node, further));
}

/* Adds n, of 32 bits, to the counter of a basic block or of an access point. Each use of its
 * address makes its own: VEX folds it into the instruction that uses it. */
static void add_slot(Pass *p, UInt slot, IRExpr *n)
{
    IRExpr *base = counted(p, slot), *old, *sum;
    UWord offset = (UWord)cp_slot_offset(p->function, slot);

    old = cp_ir_assign(p->out, Ity_I32, IRExpr_Load(Iend_LE, Ity_I32, plus(p->out, base, offset)));
    sum = cp_ir_assign(p->out, Ity_I32, IRExpr_Binop(Iop_Add32, old, n));
    set(p->out, base, offset, sum);
}

/*--- Basic blocks ---*/

/* The costs of the current instruction in the basic block under construction. */
static InstrCost *cost(Pass *p)
{
    if (p->n_instrs && p->last == p->address)
        return &p->instrs[p->n_instrs - 1];
    tl_assert(p->n_instrs < MAX_BLOCK_INSTRS);
    if (!p->n_instrs)
        p->start = p->last = p->address;
    p->instrs[p->n_instrs] = (InstrCost){.delta = (UShort)(p->address - p->last)};
    p->last = p->address;
    return &p->instrs[p->n_instrs++];
}

/* Ends the basic block under construction, unless it is empty. Its costs also go to the running
 * totals, whose differences are the inclusive costs. */
static void end_block(Pass *p)
{
    ULong totals[CP_COLUMNS];

    if (!p->n_instrs)
        return;
    cp_block_costs(p->instrs, p->n_instrs, totals);
    add_slot(p, cp_block_next(p->start, p->instrs, p->n_instrs)->slot,
             IRExpr_Const(IRConst_U32(1)));
    for (UInt i = 0; i < CP_COLUMNS && cp_keeps_totals; i++)
        if (totals[i])
            add_total(p, i, cp_ir_word(totals[i]));
    if (cp_stack_walks())
        cp_ir_call(p->out, 1, "cp_stack_walk", cp_stack_walk,
                   mkIRExprVec_1(cp_ir_word(totals[CP_COLUMN_IR])), NULL);
    p->n_instrs = 0;
}

/*--- Instruction fetches ---*/

/* Notes that the line is fetched now, and returns 0 if it is in I1. */
static IRExpr *fetch_line(const Pass *p, const FetchedLine *line)
{
    IRExpr *clock = cp_ir_word((Addr)&cp_fetched_clock);
    IRExpr *now = cp_ir_assign(p->out, Ity_I32, IRExpr_Load(Iend_LE, Ity_I32, clock));

    now = cp_ir_assign(p->out, Ity_I32, IRExpr_Binop(Iop_Add32, now, IRExpr_Const(IRConst_U32(1))));
    set(p->out, clock, 0, now);
    set(p->out, cp_ir_word((Addr)&line->time), 0, now);
    return cp_ir_assign(p->out, Ity_I32,
                        IRExpr_Load(Iend_LE, Ity_I32, cp_ir_word((Addr)&line->is_absent)));
}

/* Code that calls the model with the access point and its lines. To refer once more to the line
 * that was fetched last changes nothing. */
static void *fetch_thunk(AccessPoint *point, FetchedLine *first, FetchedLine *last)
{
    if (!point->thunk) {
        cp_thunk_begin();
        cp_thunk_constant(0, (Addr)point);
        cp_thunk_constant(1, (Addr)first);
        cp_thunk_constant(2, first == last ? 0 : (Addr)last);
        point->thunk = cp_thunk_end((Addr)cp_cache_fetch);
    }
    return point->thunk;
}

/* Fetches the instruction. Its first line may have been fetched just before; then the fetch is of
 * the second one only. */
static void fetch(Pass *p)
{
    UWord size = (UWord)cp_I1.line, first = p->address / size,
          last = (p->address + p->size - 1) / size;
    Bool is_known = p->any_fetched && p->fetched == first;
    FetchedLine *one, *two;
    IRExpr *absent;

    if (is_known && first == last)
        return;
    p->fetched = last;
    p->any_fetched = True;
    one = cp_fetched_line(first);
    two = cp_fetched_line(last);
    absent = fetch_line(p, is_known ? two : one);
    if (!is_known && first != last)
        absent = cp_ir_assign(p->out, Ity_I32, IRExpr_Binop(Iop_Or32, absent, fetch_line(p, two)));
    cp_ir_call(p->out, 0, "cp_cache_fetch",
               fetch_thunk(cp_point_next(POINT_FETCH, p->address, p->size, False), one, two),
               mkIRExprVec_0(),
               cp_ir_assign(p->out, Ity_I1,
                            IRExpr_Binop(Iop_CmpNE32, absent, IRExpr_Const(IRConst_U32(0)))));
}

/*--- Repeated string instructions ---*/

/*
 * VEX makes one pass of such an instruction for each repetition, and one to find that none is left.
 * A pass goes on to the instruction itself, which counts as Rep, or elsewhere: with --rep=one, that
 * is what counts as Ir, so that the instruction counts when it is done.
 */
static InstrCost cost_of_pass(const Pass *p, Addr next)
{
    Bool again = next == p->address;

    if (again)
        cp_context_repeats();
    return (InstrCost){.ir = !again && clo_rep_one, .rep = again};
}

/* The pass may go on elsewhere by an exit. */
static void leave_pass(Pass *p, const IRStmt *exit)
{
    const InstrCost c = cost_of_pass(p, exit->Ist.Exit.dst->Ico.U64);
    IRExpr *guard = exit->Ist.Exit.guard, *n;

    if (!c.ir && !c.rep)
        return;
    add_slot(p, cp_block_next(p->address, &c, 1)->slot,
             cp_ir_assign(p->out, Ity_I32, IRExpr_Unop(Iop_1Uto32, guard)));
    n = cp_ir_assign(p->out, Ity_I64, IRExpr_Unop(Iop_1Uto64, guard));
    if (cp_keeps_totals)
        add_total(p, c.rep ? CP_COLUMN_REP : CP_COLUMN_IR, n);
    if (c.ir && cp_stack_walks())
        cp_ir_call(p->out, 1, "cp_stack_walk", cp_stack_walk, mkIRExprVec_1(n), NULL);
}

/* The pass has gone on by no exit. */
static void end_pass(Pass *p, Addr next)
{
    const InstrCost c = cost_of_pass(p, next);

    if (c.ir)
        cost(p)->ir = c.ir;
    if (c.rep)
        cost(p)->rep = c.rep;
}

/*--- Instructions ---*/

static void instruction(Pass *p, const IRStmt *mark)
{
    Bool is_wrong = False;

    if (p->repeats)
        end_pass(p, mark->Ist.IMark.addr);
    p->address = mark->Ist.IMark.addr;
    /* VEX gives an instruction that it cannot decode the size 0. */
    p->size = mark->Ist.IMark.len ? mark->Ist.IMark.len : VG_MIN_INSTR_SZB;
    p->read_address = NULL;
    /* VEX unrolls loops, so a superblock may go back to an earlier address. A basic block cannot.
     */
    if (p->n_instrs && (p->address <= p->last || p->address - p->last > 0xffff))
        end_block(p);
    p->repeats = mark->Ist.IMark.len && cp_arch_repeats(p->address, &is_wrong);
    if (is_wrong)
        watch(p->out, &is_load_said, say_load);
    if (!p->repeats || !clo_rep_one)
        cost(p)->ir = 1;
    if (clo_cache_sim)
        fetch(p);
}

/*--- Data accesses ---*/

static UInt clamp(UInt size)
{
    return size < cp_min_line ? size : cp_min_line;
}

/* Calls the model with the address by code that adds the access point. VEX may make a load late,
 * but not behind what writes memory: a load that faults must not have been counted. */
static void call_model(Pass *p, IRExpr *address, AccessPoint *point, IRExpr *guard)
{
    IRDirty *model;

    if (!point->thunk) {
        cp_thunk_begin();
        cp_thunk_constant(1, (Addr)point);
        cp_thunk_constant(2, cp_cache_room(point->size));
        point->thunk = cp_thunk_end((Addr)cp_cache_data);
    }
    model = cp_ir_call(p->out, 1, "cp_cache_data", point->thunk, mkIRExprVec_1(address), guard);
    model->mFx = Ifx_Write;
    model->mAddr = cp_ir_word((Addr)point);
    model->mSize = sizeof *point;
}

static IRExpr *all_ones(IRType type)
{
    switch (type) {
    case Ity_I8:
        return IRExpr_Const(IRConst_U8(0xff));
    case Ity_I16:
        return IRExpr_Const(IRConst_U16(0xffff));
    case Ity_I32:
        return IRExpr_Const(IRConst_U32(~0u));
    default:
        return cp_ir_word(~0ULL);
    }
}

/* Marks the bytes of an access: the model was asked where that was necessary. `index` is 8 times
 * the number of its set. */
static void mark(Pass *p, IRExpr *index, IRExpr *address, UInt size)
{
    static const IRType types[] = {
        [1] = Ity_I8, [2] = Ity_I16, [4] = Ity_I32, [sizeof(ULong)] = Ity_I64};
    IRExpr *reach = cp_ir_binop(p->out, Iop_Add64, index, cp_ir_word((Addr)cp_lines_reach));
    IRExpr *at = cp_ir_binop(p->out, Iop_Add64, address, cp_ir_load(p->out, reach));
    UInt step = sizeof(ULong);

    for (UInt done = 0; done < size; done += step) {
        while (step > size - done)
            step /= 2;
        addStmtToIRSB(p->out,
                      IRStmt_Store(Iend_LE,
                                   done ? cp_ir_binop(p->out, Iop_Add64, at, cp_ir_word(done)) : at,
                                   all_ones(types[step])));
    }
}

/* Tests an access inline. The model is called where address + lines[set] > line - size: the access
 * touches another line than the set's last one, or two lines. */
static void simulate(Pass *p, PointKind kind, IRExpr *address, UInt size)
{
    const Mru *mru = &cp_mru_D1;
    AccessPoint *point = cp_point_next(kind, p->address, size, False);
    IRExpr *index, *used;

    index = cp_ir_binop(p->out, Iop_Shr64, address, IRExpr_Const(IRConst_U8(mru->line_bits - 3)));
    index = cp_ir_binop(p->out, Iop_And64, index, cp_ir_word((ULong)(mru->sets - 1) << 3));
    used = cp_ir_load(p->out, cp_ir_binop(p->out, Iop_Add64, index, cp_ir_word((Addr)mru->lines)));
    call_model(p, address, point,
               cp_ir_assign(p->out, Ity_I1,
                            IRExpr_Binop(Iop_CmpLT64U, cp_ir_word(cp_cache_room(size)),
                                         cp_ir_binop(p->out, Iop_Add64, address, used))));
    if (clo_line_use)
        mark(p, index, address, size);
}

static void data_read(Pass *p, IRExpr *address, UInt size)
{
    if (!clo_cache_sim)
        return;
    size = clamp(size);
    cost(p)->dr++;
    simulate(p, POINT_READ, address, size);
    p->read_address = address;
    p->read_size = size;
}

/* Counts a write. A write to where the instruction has just read is one access with that read. */
static void data_write(Pass *p, IRExpr *address, UInt size)
{
    if (!clo_cache_sim)
        return;
    size = clamp(size);
    if (!p->read_address || p->read_size != size || !eqIRAtom(p->read_address, address)) {
        cost(p)->dw++;
        simulate(p, POINT_WRITE, address, size);
    }
    p->read_address = NULL;
}

/* Counts an access that is made only if `guard` is true, one by one, at its access point. */
static void guarded(Pass *p, PointKind kind, IRExpr *address, UInt size, IRExpr *guard)
{
    AccessPoint *point;

    if (!clo_cache_sim)
        return;
    point = cp_point_next(kind, p->address, clamp(size), True);
    add_slot(p, point->slot, cp_ir_assign(p->out, Ity_I32, IRExpr_Unop(Iop_1Uto32, guard)));
    if (cp_keeps_totals)
        add_total(p, kind == POINT_READ ? CP_COLUMN_DR : CP_COLUMN_DW,
                  cp_ir_assign(p->out, Ity_I64, IRExpr_Unop(Iop_1Uto64, guard)));
    call_model(p, address, point, guard);
    if (clo_line_use)
        cp_ir_call(p->out, 2, "cp_lines_mark_guarded", cp_lines_mark_guarded,
                   mkIRExprVec_2(address, cp_ir_word(clamp(size))), guard);
    p->read_address = NULL;
}

/* Counts what a helper accesses. Which helpers are called may be known only where they run: code
 * that asks for them may set a register outside of the superblock. */
static void dirty(Pass *p, const IRDirty *d)
{
    const Bool reads = d->mFx == Ifx_Read || d->mFx == Ifx_Modify;

    if (d->mFx == Ifx_None)
        return;
    if (d->guard->tag != Iex_Const) {
        guarded(p, reads ? POINT_READ : POINT_WRITE, d->mAddr, (UInt)d->mSize, d->guard);
        return;
    }
    if (reads)
        data_read(p, d->mAddr, (UInt)d->mSize);
    if (d->mFx != Ifx_Read)
        data_write(p, d->mAddr, (UInt)d->mSize);
}

/* Counts a locked operation, which reads and writes its place. */
static void compare_and_swap(Pass *p, const IRCAS *cas)
{
    UInt size = (UInt)sizeofIRType(typeOfIRExpr(p->out->tyenv, cas->dataLo));

    if (cas->dataHi)
        size *= 2;
    data_read(p, cas->addr, size);
    data_write(p, cas->addr, size);
}

/*
 * Counts a load that begins an exclusive access. It counts before it is made: what stands between
 * it and the conditional store may make that fail.
 */
static void load_linked(Pass *p, const IRStmt *s)
{
    data_read(p, s->Ist.LLSC.addr,
              (UInt)sizeofIRType(typeOfIRTemp(p->out->tyenv, s->Ist.LLSC.result)));
}

/*--- Branches ---*/

static ULong branch_point(const Pass *p, PointKind kind)
{
    return (Addr)cp_point_next(kind, p->address, p->size, False);
}

/*
 * Counts a conditional branch. It is taken where the exit is, unless VEX has inverted it: then the
 * exit goes to the next instruction.
 */
static void conditional(Pass *p, const IRStmt *exit)
{
    IRExpr *taken;
    IRJumpKind kind = exit->Ist.Exit.jk;

    if (!clo_branch_sim || (kind != Ijk_Boring && kind != Ijk_Call && kind != Ijk_Ret))
        return;
    taken = cp_ir_assign(p->out, Ity_I64, IRExpr_Unop(Iop_1Uto64, exit->Ist.Exit.guard));
    if (exit->Ist.Exit.dst->Ico.U64 == p->address + p->size)
        taken = cp_ir_binop(p->out, Iop_Xor64, taken, cp_ir_word(1));
    cost(p)->bc++;
    cp_ir_call(p->out, 2, "cp_branch_conditional", cp_branch_conditional,
               mkIRExprVec_2(taken, cp_ir_word(branch_point(p, POINT_CONDITIONAL))), NULL);
}

/* Counts the jump at the end of a superblock if its target is computed. Returns are always
 * predicted. */
static void indirect(Pass *p, const IRSB *in)
{
    if (!clo_branch_sim || in->next->tag != Iex_RdTmp ||
        (in->jumpkind != Ijk_Boring && in->jumpkind != Ijk_Call))
        return;
    cost(p)->bi++;
    cp_ir_call(p->out, 2, "cp_branch_indirect", cp_branch_indirect,
               mkIRExprVec_2(in->next, cp_ir_word(branch_point(p, POINT_INDIRECT))), NULL);
}

/*--- The pass ---*/

/* Follows the call or return at the end of a superblock. */
static void follow(const Pass *p, const IRSB *in)
{
    if (in->jumpkind == Ijk_Ret)
        follow_return(p, in->next);
    else if (in->jumpkind == Ijk_Call && cp_arch_is_call(p->address))
        follow_call(p, in->next);
}

static void before(Pass *p, const IRStmt *s)
{
    if (s->tag == Ist_IMark) {
        instruction(p, s);
    } else if (s->tag == Ist_Exit) {
        conditional(p, s);
        end_block(p);
        if (p->repeats)
            leave_pass(p, s);
        p->read_address = NULL;
    } else if (s->tag == Ist_Dirty) {
        cp_random_instruction(s->Ist.Dirty.details);
        cp_clock_instruction(s->Ist.Dirty.details, p->address);
        if (clo_fixed_machine)
            cp_arch_identify(s->Ist.Dirty.details);
        watch_extended(p->out, s->Ist.Dirty.details, p->address);
        cp_engine_watch_call(p->out, s->Ist.Dirty.details);
    } else if (s->tag == Ist_Put) {
        cp_engine_watch_put(p->out, s, p->address);
    } else if (s->tag == Ist_LLSC && !s->Ist.LLSC.storedata) {
        load_linked(p, s);
    }
}

/* Accesses are counted after they were made: one that faults does not count. */
static void after(Pass *p, const IRStmt *s)
{
    switch (s->tag) {
    case Ist_WrTmp:
        if (s->Ist.WrTmp.data->tag == Iex_Load)
            data_read(p, s->Ist.WrTmp.data->Iex.Load.addr,
                      (UInt)sizeofIRType(s->Ist.WrTmp.data->Iex.Load.ty));
        break;
    case Ist_Store:
        data_write(p, s->Ist.Store.addr,
                   (UInt)sizeofIRType(typeOfIRExpr(p->out->tyenv, s->Ist.Store.data)));
        break;
    case Ist_StoreG: {
        const IRStoreG *g = s->Ist.StoreG.details;
        guarded(p, POINT_WRITE, g->addr, (UInt)sizeofIRType(typeOfIRExpr(p->out->tyenv, g->data)),
                g->guard);
        break;
    }
    case Ist_LoadG: {
        const IRLoadG *g = s->Ist.LoadG.details;
        IRType widened, loaded;
        typeOfIRLoadGOp(g->cvt, &widened, &loaded);
        guarded(p, POINT_READ, g->addr, (UInt)sizeofIRType(loaded), g->guard);
        break;
    }
    case Ist_Dirty:
        dirty(p, s->Ist.Dirty.details);
        break;
    case Ist_CAS:
        compare_and_swap(p, s->Ist.CAS.details);
        break;
    case Ist_LLSC:
        if (s->Ist.LLSC.storedata)
            data_write(p, s->Ist.LLSC.addr,
                       (UInt)sizeofIRType(typeOfIRExpr(p->out->tyenv, s->Ist.LLSC.storedata)));
        break;
    default:
        break;
    }
}

void cp_instrument_keep_totals(void)
{
    if (cp_keeps_totals)
        return;
    cp_keeps_totals = True;
    VG_(discard_translations)(0, ~0ULL >> 1, "cprof");
}

static void note_names(const IRSB *superblock)
{
    for (Int i = 0; i < superblock->stmts_used; i++)
        if (superblock->stmts[i]->tag == Ist_IMark)
            cp_names_note(superblock->stmts[i]->Ist.IMark.addr);
}

IRSB *cp_instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
                    const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
                    IRType host_word)
{
    Pass pass = {.out = deepCopyIRSBExceptStmts(in), .sp = layout->offset_SP};
    Int i = 0;

    tl_assert(guest_word == Ity_I64 && host_word == Ity_I64);
    while (i < in->stmts_used && in->stmts[i]->tag != Ist_IMark)
        addStmtToIRSB(pass.out, in->stmts[i++]);
    if (i == in->stmts_used)
        return in;
    pass.begin = in->stmts[i]->Ist.IMark.addr;
    cp_engine_watch(pass.out, in);
    pass.function = clo_contexts ? cp_stack_function(pass.begin) : cp_function_pseudo(FUNCTION_ALL);
    cp_superblock_begin(pass.begin, pass.function);
    if (clo_contexts)
        follow_arrival(&pass);
    for (; i < in->stmts_used; i++) {
        before(&pass, in->stmts[i]);
        addStmtToIRSB(pass.out, in->stmts[i]);
        after(&pass, in->stmts[i]);
    }
    if (pass.repeats)
        end_pass(&pass, in->next->Iex.Const.con->Ico.U64);
    indirect(&pass, in);
    end_block(&pass);
    if (clo_contexts)
        follow(&pass, in);
    else if (cp_keeps_totals && (in->jumpkind != Ijk_Call || cp_arch_is_call(pass.address)))
        cp_leap_follow(pass.out, in, pass.sp);
    if (clo_names)
        note_names(in);
    return pass.out;
}
