/*
 * cp_heap.c - blocks, and the calls that make them. All is in one file so that the compiler sees
 * through it: a call of malloc is followed in some tens of nanoseconds.
 */
#include "cp_heap.h"

#include "cp_arch.h"
#include "cp_heap_path.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_threadstate.h"

HeapCalls *cp_heap_threads;
void (*cp_heap_on_return)(ThreadId tid);
static ULong n_unmatched, n_failed, n_lost;

/* The program's live bytes, without those of path 0, and their greatest number. Time is the number
 * of changes. */
static ULong live_bytes, peak_bytes, time, peak_time;

static ULong peak_ir; /* instructions so far, at that time */

/* The block that was allocated last; 0: none since. */
static UInt newest;

/*--- Blocks ---*/

/* The path's live blocks are about to change. Keeps what it had at the program's peak, if it has
 * not changed since. */
static void change(HeapPath *p)
{
    if (p->changed <= peak_time) {
        p->peak_bytes = p->live_bytes;
        p->peak_blocks = p->live_blocks;
    }
    p->changed = ++time;
}

static void grow(const LiveBlock *b, HeapPath *p)
{
    if (!p->id)
        return;
    change(p);
    p->live_bytes += b->size;
    p->live_blocks++;
    p->births += b->birth;
    live_bytes += b->size;
    if (live_bytes > peak_bytes) {
        peak_bytes = live_bytes;
        peak_time = time;
        peak_ir = cp_heap_now();
    }
}

static inline void shrink(const LiveBlock *b, HeapPath *p)
{
    if (!p->id)
        return;
    change(p);
    p->live_bytes -= b->size;
    p->live_blocks--;
    p->births -= b->birth;
    live_bytes -= b->size;
}

UInt cp_heap_take(Addr start, Bool in_pool)
{
    UInt block = cp_live_take(start, in_pool);

    if (block)
        shrink(cp_live_at(block), cp_heap_path_at(cp_live_at(block)->path));
    return block;
}

void cp_heap_stays(UInt block)
{
    cp_live_put_back(block);
    grow(cp_live_at(block), cp_heap_path_at(cp_live_at(block)->path));
}

/* The sum of all lives is at most this: readers have 2^63-1. */
#define LIFE_MOST (1ULL << 62)

static ULong life; /* the sum so far */

/* As much of n as is left, of which *sum has been used so far. */
static ULong limited(ULong n, ULong *sum)
{
    if (UNLIKELY(n > LIFE_MOST - *sum))
        n = LIFE_MOST - *sum;
    *sum += n;
    return n;
}

/* The block's life ends. Only what is collected counts. */
static inline void end_life(const LiveBlock *b, HeapPath *p)
{
    if (p->id && cp_collecting)
        p->counts[HEAP_LIFE] += limited(cp_heap_now() - b->birth, &life);
}

void cp_heap_freed(UInt block, HeapPath *here)
{
    const LiveBlock *b = cp_live_at(block);
    HeapPath *p = cp_heap_path_at(b->path);

    end_life(b, p);
    if (p->id && cp_collecting) {
        p->counts[HEAP_FREED]++;
        p->counts[HEAP_TEMPORARY] += block == newest;
    }
    if (here && here->id)
        here->counts[HEAP_FREES]++;
    if (block == newest)
        newest = 0;
    cp_live_drop(block);
}

static void settle(UInt block, HeapPath *path, SizeT size)
{
    LiveBlock *b = cp_live_at(block);

    b->size = size;
    cp_live_sized(block);
    b->birth = cp_heap_now();
    b->path = path->id;
    newest = block;
    path->counts[HEAP_BYTES] += size;
    grow(b, path);
}

/* A block that is at the address now has gone without having been seen. */
static void clear(Addr start, UInt pool)
{
    UInt block = cp_heap_take(start, pool != LIVE_HEAP);

    if (UNLIKELY(block != 0))
        cp_heap_freed(block, NULL);
}

UInt cp_heap_add(HeapPath *path, Addr start, SizeT size, UInt pool)
{
    UInt block;

    clear(start, pool);
    block = cp_live_add(start, pool);
    path->counts[HEAP_ALLOCS]++;
    settle(block, path, size);
    return block;
}

void cp_heap_moved(UInt block, HeapPath *path, Addr start, SizeT size)
{
    LiveBlock *b = cp_live_at(block);

    end_life(b, cp_heap_path_at(b->path));
    clear(start, b->pool);
    b->start = start;
    cp_live_put_back(block);
    path->counts[HEAP_REALLOCS]++;
    settle(block, path, size);
}

/*--- The profile ---*/

ULong cp_heap_life(void)
{
    return life;
}

void cp_heap_values(const HeapPath *p, Bool is_end, ULong *sum, ULong *values)
{
    Bool is_unchanged = p->changed <= peak_time;

    VG_(memcpy)(values, p->counts, sizeof p->counts);
    if (!is_end)
        return;
    values[HEAP_LIFE] += limited(p->live_blocks * cp_heap_now() - p->births, sum);
    values[HEAP_PEAK_BYTES] = is_unchanged ? p->live_bytes : p->peak_bytes;
    values[HEAP_PEAK_BLOCKS] = is_unchanged ? p->live_blocks : p->peak_blocks;
    values[HEAP_END_BYTES] = p->live_bytes;
    values[HEAP_END_BLOCKS] = p->live_blocks;
}

void cp_heap_reset(void)
{
    life = 0;
    for (UInt i = 0; i < cp_heap_paths.n; i++)
        VG_(memset)(cp_heap_path_at(i)->counts, 0, sizeof cp_heap_path_at(i)->counts);
}

void cp_heap_fork(void)
{
    peak_bytes = live_bytes;
    peak_time = time;
    peak_ir = cp_heap_now();
}

/*--- Calls ---*/

void cp_heap_init(void)
{
    cp_heap_threads = VG_(calloc)("cp.heap.3", VG_N_THREADS, sizeof *cp_heap_threads);
}

HeapCall *cp_heap_call(ThreadId tid)
{
    HeapCalls *calls = &cp_heap_threads[tid];

    if (UNLIKELY(calls->n == calls->max)) {
        calls->max = calls->max ? 2 * calls->max : 4;
        calls->calls = VG_(realloc)("cp.heap.4", calls->calls, calls->max * sizeof *calls->calls);
    }
    return &calls->calls[calls->n++];
}

void cp_heap_leave(ThreadId tid)
{
    HeapCalls *calls = &cp_heap_threads[tid];
    const HeapCall *call = &calls->calls[--calls->n];

    if (call->moved)
        cp_heap_stays(call->moved);
    if (!cp_role_frees(call->function->role))
        n_lost++;
    if (UNLIKELY(clo_data) && !calls->n)
        cp_heap_on_return(tid);
}

Bool cp_heap_is_open(ThreadId tid)
{
    HeapCalls *calls = &cp_heap_threads[tid];
    HeapCall *call = calls->n ? &calls->calls[calls->n - 1] : NULL;

    if (!call)
        return True;
    call->has_inner = True;
    return !call->is_closed;
}

/* Takes the block that an allocation function is given: of its own kind, or else of the other. */
static inline UInt take_given(const Role *role, Addr start)
{
    UInt block = cp_heap_take(start, role->is_pool);

    return block ? block : cp_heap_take(start, !role->is_pool);
}

/* Another thread may have the block's address before the function returns, so a block goes at
 * once. A wrapper hands on what it does not know. */
static void begin_free(HeapCall *call)
{
    const Role *role = call->function->role;
    UInt block = take_given(role, call->old);

    if (block) {
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
    call->moved = take_given(role, call->old);
    n_unmatched += !call->moved;
}

static ULong argument(const void *state, UInt number)
{
    return number ? cp_arch_state_argument(state, number - 1) : 0;
}

void cp_heap_begin(HeapCall *call)
{
    const Role *role = call->function->role;

    call->is_closed = !role->is_wrapper;
    call->has_inner = False;
    call->moved = 0;
    if (call->function->chooses)
        return;
    call->path = cp_heap_path();
    call->old = argument(call->state, role->old);
    if (cp_role_frees(role)) {
        if (call->old)
            begin_free(call);
        return;
    }
    call->size = argument(call->state, role->size);
    call->place = argument(call->state, role->place);
    if (role->count &&
        __builtin_mul_overflow(call->size, argument(call->state, role->count), &call->size))
        call->size = 0; /* and it fails */
    if (call->old)
        begin_move(call);
}

/* The address that an allocation function returns; 0: it failed. */
static Addr new_address(const HeapCall *call, ULong result)
{
    if (!call->place)
        return result;
    return (UInt)result == 0 &&
                   VG_(am_is_valid_for_client)(call->place, sizeof(Addr), VKI_PROT_READ)
               ? *(const Addr *)call->place
               : 0;
}

/* Counts a call that may have moved a block. */
static Bool end_move(HeapCall *call, Addr new)
{
    const Role *role = call->function->role;
    UInt block = call->moved;

    if (role->is_wrapper)
        block = take_given(role, call->old);
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

void cp_heap_end(ThreadId tid, UWord sp)
{
    HeapCalls *calls = &cp_heap_threads[tid];

    while (calls->n && !calls->calls[calls->n - 1].is_awaited && calls->calls[calls->n - 1].sp < sp)
        calls->n--;
    while (calls->n && calls->calls[calls->n - 1].sp == sp) {
        HeapCall *call = &calls->calls[--calls->n];
        ULong result = cp_arch_state_result(call->state);
        if (call->function->chooses)
            cp_role_choose(result, call->function->role);
        else if ((call->has_inner || end(call, result)) && calls->n && !call->is_apart)
            calls->calls[calls->n - 1].has_inner = True;
    }
    if (UNLIKELY(clo_data) && !calls->n)
        cp_heap_on_return(tid);
}

ULong cp_heap_peak(void)
{
    return peak_ir;
}

void cp_heap_oddities(ULong *unmatched, ULong *failed, ULong *lost)
{
    *unmatched = n_unmatched;
    *failed = n_failed;
    *lost = n_lost;
}
