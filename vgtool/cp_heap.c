/*
 * cp_heap.c - data structure: the calls of allocation functions that have not returned, of each
 * thread, the innermost last.
 */
#include "cp_heap.h"

#include "cp_arch.h"
#include "cp_heap_path.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_threadstate.h"

typedef struct {
    const Function *function;
    const void *state; /* the thread's registers */
    UWord sp;          /* where the return address lies */
    UInt frame;
    Bool is_closed; /* nothing within it counts */
    Bool has_inner; /* something within it has counted */
    SizeT size;
    Addr place;     /* where the new address is stored; 0: it is returned */
    Addr old;       /* the address of the block that is freed or moved; 0: none */
    UInt moved;     /* that block, taken out; 0: none */
    HeapPath *path;
} HeapCall;

typedef struct {
    HeapCall *calls;
    UInt n, max;
} HeapCalls;

static HeapCalls *threads;
static ULong n_unmatched, n_failed, n_lost;

static HeapCalls *calls_of(ThreadId tid)
{
    if (!threads)
        threads = VG_(calloc)("cp.heap.3", VG_N_THREADS, sizeof *threads);
    return &threads[tid];
}

static HeapCall *push(HeapCalls *calls)
{
    if (calls->n == calls->max) {
        calls->max = calls->max ? 2 * calls->max : 4;
        calls->calls =
            VG_(realloc)("cp.heap.4", calls->calls, calls->max * sizeof *calls->calls);
    }
    return &calls->calls[calls->n++];
}

Bool cp_heap_pending(ThreadId tid, UWord *sp, UInt *frame)
{
    const HeapCalls *calls = calls_of(tid);

    if (!calls->n)
        return False;
    *sp = calls->calls[calls->n - 1].sp;
    *frame = calls->calls[calls->n - 1].frame;
    return True;
}

void cp_heap_leave(ThreadId tid)
{
    HeapCalls *calls = calls_of(tid);
    const HeapCall *call = &calls->calls[--calls->n];

    if (call->moved)
        cp_heap_stays(call->moved);
    if (!cp_role_frees(call->function->role))
        n_lost++;
}

Bool cp_heap_is_open(ThreadId tid)
{
    HeapCalls *calls = calls_of(tid);
    HeapCall *call = calls->n ? &calls->calls[calls->n - 1] : NULL;

    if (!call)
        return True;
    call->has_inner = True;
    return !call->is_closed;
}

/* The block that an allocation function is given: of its own kind, or else of the other. */
static UInt given(const Role *role, Addr start)
{
    UInt block = cp_live_find(start, role->is_pool);

    return block ? block : cp_live_find(start, !role->is_pool);
}

/* Another thread may have the block's address before the function returns, so a block goes at
 * once. A wrapper hands on what it does not know. */
static void begin_free(HeapCall *call)
{
    const Role *role = call->function->role;
    UInt block = given(role, call->old);

    if (block) {
        cp_heap_take(block);
        cp_heap_freed(block, call->path);
        call->is_closed = True;
    } else if (!role->is_wrapper) {
        n_unmatched++;
    }
}

static void begin_move(HeapCall *call)
{
    const Role *role = call->function->role;

    if (role->is_wrapper)
        return;
    call->moved = given(role, call->old);
    if (call->moved)
        cp_heap_take(call->moved);
    else
        n_unmatched++;
}

static ULong argument(const void *state, UInt number)
{
    return number ? cp_arch_state_argument(state, number - 1) : 0;
}

Bool cp_heap_call(ThreadId tid, const Function *function, const void *state, UWord sp, UInt frame,
                  Bool is_interrupted)
{
    HeapCalls *calls = calls_of(tid);
    const HeapCall *outer = calls->n ? &calls->calls[calls->n - 1] : NULL;
    const Role *role = function->role;
    HeapCall *call;

    /* Within an interrupted function a handler may call another one. */
    if (outer && !is_interrupted &&
        (outer->is_closed || (outer->function == function && outer->sp == sp)))
        return False;
    call = push(calls);
    *call = (HeapCall){.function = function,
                       .state = state,
                       .sp = sp,
                       .frame = frame,
                       .is_closed = !role->is_wrapper,
                       .size = argument(state, role->size),
                       .place = argument(state, role->place),
                       .old = argument(state, role->old)};
    if (function->chooses)
        return True;
    call->path = cp_heap_path();
    if (role->count && __builtin_mul_overflow(call->size, argument(state, role->count), &call->size))
        call->size = 0; /* and it fails */
    if (call->old && cp_role_frees(role))
        begin_free(call);
    else if (call->old)
        begin_move(call);
    return True;
}

/* The address that an allocation function returns; 0: it failed. */
static Addr new_address(const HeapCall *call, ULong result)
{
    if (!call->place)
        return result;
    return (UInt)result == 0 && VG_(am_is_valid_for_client)(call->place, sizeof(Addr),
                                                            VKI_PROT_READ)
               ? *(const Addr *)call->place
               : 0;
}

/* Counts a call that may have moved a block. */
static Bool end_move(HeapCall *call, Addr new)
{
    const Role *role = call->function->role;
    UInt block = call->moved;

    if (role->is_wrapper && (block = given(role, call->old)) != 0)
        cp_heap_take(block);
    if (!block)
        return False;
    if (new) {
        cp_heap_moved(block, call->path, new, call->size);
    } else if (!call->size) {
        cp_heap_freed(block, call->path);
    } else {
        cp_heap_stays(block);
        n_failed++;
    }
    return True;
}

/* Counts a call that has returned. False: it did nothing that counts. */
static Bool end(HeapCall *call, ULong result)
{
    const Role *role = call->function->role;
    Addr new;

    if (cp_role_frees(role))
        return call->is_closed;
    new = new_address(call, result);
    if (call->old && end_move(call, new))
        return True;
    if (new)
        cp_heap_add(call->path, new, call->size, role->is_pool ? LIVE_POOLS : LIVE_HEAP);
    else
        n_failed++;
    return new != 0;
}

/* The function that a name stands for has been chosen. */
static void choose(const Function *function, Addr start)
{
    Function *chosen;

    if (!VG_(am_is_valid_for_client)(start, 1, VKI_PROT_EXEC))
        return;
    chosen = cp_function_called(start);
    if (chosen->start == start && !chosen->role)
        chosen->role = function->role;
}

void cp_heap_return(ThreadId tid, UWord sp)
{
    HeapCalls *calls = calls_of(tid);

    while (calls->n && calls->calls[calls->n - 1].sp == sp) {
        HeapCall *call = &calls->calls[--calls->n];
        ULong result = cp_arch_state_result(call->state);
        if (call->function->chooses)
            choose(call->function, result);
        else if ((call->has_inner || end(call, result)) && calls->n)
            calls->calls[calls->n - 1].has_inner = True;
    }
}

void cp_heap_oddities(ULong *unmatched, ULong *failed, ULong *lost)
{
    *unmatched = n_unmatched;
    *failed = n_failed;
    *lost = n_lost;
}
