/*
 * cp_near_jump.c - jumps of copies to another function: the routines that arrive there, and that
 * ask if a child has to be watched.
 */
#include "cp_frame.h"
#include "cp_near.h"

#define STATE(field) cp_at(&cp_near.field)
#define NOW(field)   cp_at(&cp_now.field)
#define FRAME(field) (offsetof(Frame, field) - sizeof(Frame)) /* of the one on top */
#define BACK_OFFSET  (offsetof(Frame, sp) + sizeof(UWord) - sizeof(Frame))

/* The jumps of one routine that lead to its slow half. */
static UChar *slow[NEAR_MOST_UNUSUAL];
static UInt n_slow;

static void slow_if(UInt condition)
{
    tl_assert(n_slow < NEAR_MOST_UNUSUAL);
    slow[n_slow++] = cp_put_jcc_later(condition);
}

/* To the slow half if an activation of the child in rax has to be watched: cp_inclusive_open(). */
static void slow_if_watched(UInt scratch)
{
    UChar *unwatched;

    cp_put_number_op(True, OP_CMP, cp_off(REG_AX, offsetof(Child, watched)), 0);
    unwatched = cp_put_jcc_later(IF_EQUAL);
    cp_put_byte_compare(cp_at(&cp_inclusive_by_tree), True);
    slow_if(IF_NOT_EQUAL);
    cp_put_compare(REG_AX, cp_off(REG_AX, offsetof(Child, node)));
    slow_if(IF_NOT_EQUAL);
    cp_put_load(scratch, cp_off(REG_AX, offsetof(Child, function)));
    cp_put_number_op(False, OP_CMP, cp_off(scratch, offsetof(Function, activity.live)), 0);
    slow_if(IF_NOT_EQUAL);
    cp_put_number_op(False, OP_CMP, cp_off(scratch, offsetof(Function, argument_options)), 0);
    slow_if(IF_NOT_EQUAL);
    cp_put_load(scratch, cp_off(REG_AX, offsetof(Child, edge)));
    cp_put_number_op(False, OP_CMP, cp_off(scratch, offsetof(Edge, activity.live)), 0);
    slow_if(IF_NOT_EQUAL);
    cp_put_here(unwatched);
}

/* Goes on at cp_near.target; flags show equal if the child in rax need not be watched now. */
static void make_watched(void)
{
    cp_near_routines.watched = cp_put_aligned();
    n_slow = 0;
    slow_if_watched(REG_DX);
    for (UInt i = 0; i < n_slow; i++)
        cp_put_here(slow[i]);
    cp_put_jump_to_word(STATE(target));
}

/* Into a stub, which lies on the path but has no frame. rdx: the current context, rcx: the place's
 * function. */
static void put_arrive_stub(void)
{
    const UChar *next;

    cp_put_move(REG_AX, REG_DX);
    next = cp_code;
    cp_put_load(REG_AX, cp_off(REG_AX, offsetof(Node, stubbed)));
    cp_put_test(REG_AX);
    slow_if(IF_EQUAL);
    cp_put_compare(REG_CX, cp_off(REG_AX, offsetof(Node, function)));
    cp_put_jcc(IF_NOT_EQUAL, next);
    cp_put_load(REG_CX, NOW(function));
    cp_put_number_op(False, OP_CMP, cp_off(REG_CX, offsetof(Function, kind)), FUNCTION_STUB);
    slow_if(IF_EQUAL);
    cp_put_load(REG_CX, NOW(top));
    cp_put_compare(REG_SP, cp_off(REG_CX, FRAME(sp)));
    slow_if(IF_NOT_EQUAL);
    cp_put_store(NOW(node), REG_AX);
    cp_put_load(REG_CX, cp_off(REG_AX, offsetof(Node, counted)));
    cp_put_store(NOW(counted), REG_CX);
    cp_put_load(REG_CX, cp_off(REG_AX, offsetof(Node, function)));
    cp_put_store(NOW(function), REG_CX);
}

/* Compares where the program goes on with the entry of the child in rax: at cp_near.rip, or at a
 * place. rcx: the address. */
static void put_compare_entry(Bool to_rip)
{
    cp_put_load(REG_CX, to_rip ? STATE(rip) : STATE(subject));
    if (!to_rip)
        cp_put_load(REG_CX, cp_off(REG_CX, offsetof(Place, guest)));
    cp_put_compare(REG_CX, cp_off(REG_AX, offsetof(Child, entry)));
}

/* Enters the child in rax, of the context in rdx, by a jump: it gets a frame of its own. `counted`:
 * see cp_counts_in_node. */
static void put_enter_jump(Bool counted)
{
    enum { KIND_BIT = 61, HIGH_FREE = 0x10000000, HIGH_KIND = 1u << (KIND_BIT - 32) };

    cp_put_load(REG_CX, NOW(top));
    cp_put_compare(REG_CX, NOW(end));
    slow_if(IF_NOT_BELOW);
    cp_put_compare(REG_SP, cp_off(REG_CX, FRAME(sp)));
    slow_if(IF_NOT_EQUAL);
    cp_put_store(cp_off(REG_CX, offsetof(Frame, node)), REG_DX);
    /* A plain call or jump is below, which no one waits for. */
    cp_put_load_32(REG_DX, cp_off(REG_CX, BACK_OFFSET + 4));
    cp_put(0x81), cp_put(0xe2), cp_put_word(~HIGH_KIND); /* and, cmp of edx */
    cp_put(0x81), cp_put(0xfa), cp_put_word(HIGH_FREE);
    slow_if(IF_NOT_BELOW);
    cp_put_number_op(True, OP_CMP, cp_off(REG_CX, FRAME(child)), 0);
    slow_if(IF_EQUAL);
    cp_put_store(cp_off(REG_CX, offsetof(Frame, sp)), REG_SP);
    cp_put_store(cp_off(REG_CX, offsetof(Frame, child)), REG_AX);
    cp_put_load(REG_DX, cp_off(REG_CX, BACK_OFFSET));
    cp_put(0x48), cp_put(0x0f), cp_put(0xba), cp_put(0xea), cp_put(KIND_BIT); /* bts */
    cp_put_store(cp_off(REG_CX, BACK_OFFSET + sizeof(Frame)), REG_DX);
    cp_put_store_number(cp_off(REG_CX, offsetof(Frame, host)),
                        cp_low(cp_near_routines.return_jump));
    cp_put_lea(REG_CX, cp_off(REG_CX, sizeof(Frame)));
    cp_put_store(NOW(top), REG_CX);
    cp_put_number_op(True, OP_ADD, cp_off(REG_AX, offsetof(Child, calls)), 1);
    cp_put_store(NOW(node), REG_AX);
    if (counted) {
        cp_put_load(REG_DX, cp_off(REG_AX, offsetof(Child, counted)));
        cp_put_store(NOW(counted), REG_DX);
    }
    cp_put_load(REG_DX, cp_off(REG_AX, offsetof(Child, function)));
    cp_put_store(NOW(function), REG_DX);
}

/* A tail call that the context in rdx has made before. */
static void put_arrive_jump(Bool to_rip)
{
    UChar *found;

    cp_put_load(REG_AX, cp_off(REG_DX, offsetof(Node, jumped_to)));
    cp_put_test(REG_AX);
    slow_if(IF_EQUAL);
    put_compare_entry(to_rip);
    found = cp_put_jcc_later(IF_EQUAL);
    slow[n_slow++] = cp_near_put_find();
    put_compare_entry(to_rip);
    slow_if(IF_NOT_EQUAL);
    cp_put_here(found);
    cp_put_compare(REG_DX, cp_off(REG_AX, offsetof(Child, parent)));
    slow_if(IF_NOT_EQUAL);
    slow_if_watched(REG_CX);
    put_enter_jump(True);
}

/* Out of a stub that code has jumped to; cx, ax, dx and flags are spilled. */
static void make_stub_jump(void)
{
    cp_near_routines.stub_jump = cp_put_aligned();
    n_slow = 0;
    cp_put_number_op(False, OP_SUB, STATE(events), 1);
    slow_if(IF_AT_MOST); /* where the scheduler is asked */
    cp_put_load(REG_DX, NOW(node));
    cp_put_load(REG_DX, cp_off(REG_DX, offsetof(Node, parent)));
    put_arrive_jump(True);
    cp_put_load_32(REG_CX, cp_off(REG_AX, offsetof(Child, host)));
    cp_put_store(STATE(target), REG_CX);
    cp_near_put_fill_all(True);
    cp_put_jump_to_word(STATE(target));
    for (UInt i = 0; i < n_slow; i++)
        cp_put_here(slow[i]);
    cp_near_put_fill_all(True);
    cp_put_jump(cp_near_routines.lookup);
}

UInt cp_near_put_enter_jump(UChar **unusual)
{
    n_slow = 0;
    put_enter_jump(!cp_counts_in_node);
    VG_(memcpy)(unusual, slow, n_slow * sizeof *slow);
    return n_slow;
}

void cp_near_make_arrive(void)
{
    UChar *code, *from_code, *done, *unusual;

    make_watched();
    make_stub_jump();
    cp_near_routines.arrive = cp_put_aligned();
    cp_near_put_spill_all(True);
    n_slow = 0;
    cp_put_number_op(True, OP_CMP, NOW(function), 0);
    slow_if(IF_EQUAL);
    cp_put_load(REG_DX, NOW(node));
    cp_put_load(REG_CX, STATE(subject));
    cp_put_load(REG_CX, cp_off(REG_CX, offsetof(Place, function)));
    cp_put_number_op(False, OP_CMP, cp_off(REG_CX, offsetof(Function, kind)), FUNCTION_STUB);
    code = cp_put_jcc_later(IF_NOT_EQUAL);
    put_arrive_stub();
    done = cp_put_jump_later();
    cp_put_here(code);
    /* Out of a stub: what the stub was jumped to from has jumped. */
    cp_put_load(REG_CX, NOW(function));
    cp_put_number_op(False, OP_CMP, cp_off(REG_CX, offsetof(Function, kind)), FUNCTION_STUB);
    from_code = cp_put_jcc_later(IF_NOT_EQUAL);
    cp_put_load(REG_DX, cp_off(REG_DX, offsetof(Node, parent)));
    cp_put_here(from_code);
    put_arrive_jump(False);
    cp_put_here(done);
    cp_put_load(REG_CX, STATE(subject));
    cp_put_load(REG_CX, cp_off(REG_CX, offsetof(Place, unchecked)));
    cp_put_store(STATE(target), REG_CX);
    cp_near_put_fill_all(True);
    cp_put_jump_to_word(STATE(target));
    for (UInt i = 0; i < n_slow; i++)
        cp_put_here(slow[i]);
    cp_put_load(REG_DX, STATE(subject));
    cp_near_put_quick(cp_near_quick_jump);
    cp_put_store(STATE(target), REG_AX);
    cp_put_test(REG_AX);
    unusual = cp_put_jcc_later(IF_EQUAL);
    cp_near_put_fill_all(True);
    cp_put_jump_to_word(STATE(target));
    cp_put_here(unusual);
    cp_near_put_fill_all(True);
    cp_put_jump(cp_near_routines.ask);
}
