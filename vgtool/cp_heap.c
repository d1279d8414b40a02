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

/* Blocks that were allocated before are of the process that this one was forked from. */
static ULong forked_at;

/* The block that was allocated last; it begins at 0: none since. */
static struct {
    Addr start;
    ULong birth;
    UInt pool;
} newest;

/*--- Blocks ---*/

/* The path's live blocks are about to change. Keeps what it had at the program's peak, if it has
 * not changed since. */
static inline void change(HeapPath *p)
{
    if (p->changed <= peak_time) {
        p->peak_bytes = p->live_bytes;
        p->peak_blocks = p->live_blocks;
    }
    p->changed = ++time;
}

/* True if the block counts in this process. */
static inline Bool is_own(LiveBlock b, const HeapPath *p)
{
    return p->id && b.birth >= forked_at;
}

static inline __attribute__((always_inline)) void grow(LiveBlock b, HeapPath *p)
{
    if (!is_own(b, p))
        return;
    change(p);
    p->live_bytes += b.size;
    p->live_blocks++;
    p->births += b.birth;
    live_bytes += b.size;
    if (live_bytes > peak_bytes) {
        peak_bytes = live_bytes;
        peak_time = time;
        peak_ir = cp_heap_now();
    }
}

static inline void shrink(LiveBlock b, HeapPath *p)
{
    if (!is_own(b, p))
        return;
    change(p);
    p->live_bytes -= b.size;
    p->live_blocks--;
    p->births -= b.birth;
    live_bytes -= b.size;
}

Bool cp_heap_take(Addr start, Bool in_pool, LiveBlock *block)
{
    Bool is_there = cp_live_take(start, in_pool, block);

    if (is_there)
        shrink(*block, cp_heap_path_at(block->path));
    return is_there;
}

void cp_heap_stays(LiveBlock block)
{
    cp_live_put(block);
    grow(block, cp_heap_path_at(block.path));
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
static inline void end_life(LiveBlock b, HeapPath *p)
{
    if (is_own(b, p) && cp_collecting)
        p->counts[HEAP_LIFE] += limited(cp_heap_now() - b.birth, &life);
}

static inline Bool is_newest(LiveBlock b)
{
    return !((b.start ^ newest.start) | (b.birth ^ newest.birth) | (b.pool ^ newest.pool));
}

/* As cp_heap_freed(). `p`: the block's path. */
static inline void freed(LiveBlock block, HeapPath *p, HeapPath *here)
{
    Bool was_newest = is_newest(block);

    end_life(block, p);
    if (is_own(block, p) && cp_collecting) {
        p->counts[HEAP_FREED]++;
        p->counts[HEAP_TEMPORARY] += was_newest;
    }
    if (here && here->id)
        here->counts[HEAP_FREES]++;
    if (was_newest)
        newest.start = 0;
}

void cp_heap_freed(LiveBlock block, HeapPath *here)
{
    freed(block, cp_heap_path_at(block.path), here);
}

/* Adds the block where another one may be, which has gone without having been seen. */
static void replace(LiveBlock block)
{
    LiveBlock gone;

    if (cp_heap_take(block.start, block.pool != LIVE_HEAP, &gone))
        cp_heap_freed(gone, NULL);
    cp_live_put(block);
}

/* A block comes, of this path. */
static inline __attribute__((always_inline)) void settle(Addr start, UInt pool, HeapPath *path,
                                                         SizeT size)
{
    LiveBlock block = {
        .start = start, .size = size, .birth = cp_heap_now(), .path = path->id, .pool = pool};

    if (UNLIKELY(!cp_live_add(block)))
        replace(block);
    newest.start = start;
    newest.birth = block.birth;
    newest.pool = pool;
    path->counts[HEAP_BYTES] += size;
    grow(block, path);
}

static inline __attribute__((always_inline)) void add(HeapPath *path, Addr start, SizeT size,
                                                      UInt pool)
{
    path->counts[HEAP_ALLOCS]++;
    settle(start, pool, path, size);
}

void cp_heap_add(HeapPath *path, Addr start, SizeT size, UInt pool)
{
    add(path, start, size, pool);
}

void cp_heap_moved(LiveBlock block, HeapPath *path, Addr start, SizeT size)
{
    end_life(block, cp_heap_path_at(block.path));
    path->counts[HEAP_REALLOCS]++;
    settle(start, block.pool, path, size);
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
    for (UInt i = 0; i < cp_heap_paths.n; i++) {
        HeapPath *p = cp_heap_path_at(i);
        p->live_bytes = p->live_blocks = p->births = 0;
    }
    live_bytes = peak_bytes = 0;
    n_unmatched = n_failed = n_lost = 0;
    peak_time = time;
    peak_ir = forked_at = cp_heap_now();
}

/*--- Calls ---*/

void cp_heap_init(void)
{
    cp_heap_threads = VG_(calloc)("cp.heap.3", VG_N_THREADS, sizeof *cp_heap_threads);
}

void cp_heap_grow_calls(HeapCalls *calls)
{
    calls->max = calls->max ? 2 * calls->max : 4;
    calls->calls = VG_(realloc)("cp.heap.4", calls->calls, calls->max * sizeof *calls->calls);
}

void cp_heap_leave(ThreadId tid)
{
    HeapCalls *calls = &cp_heap_threads[tid];
    const HeapCall *call = &calls->calls[--calls->n];

    if (call->is_moving)
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

/* The block that was freed last, and where the return address of that call lies. A function that
 * frees may go on as another one by a jump, as free() of musl does: that one's call has the very
 * same, and frees nothing. */
static Addr freed_last;
static UWord freed_sp;

static inline Bool is_freed_again(const HeapCall *call)
{
    return call->old == freed_last && call->sp == freed_sp;
}

/* The block that begins at the address is of the other kind, or is not known. A wrapper hands on
 * what it does not know. */
static __attribute__((noinline)) void begin_other_free(HeapCall *call, const Role *role)
{
    LiveBlock block;

    if (cp_heap_take(call->old, !role->is_pool, &block)) {
        cp_heap_freed(block, call->path);
        call->is_closed = True;
    } else if (!role->is_wrapper && !is_freed_again(call)) {
        n_unmatched++;
    }
}

/* Another thread may have the block's address before the function returns, so a block goes at
 * once. It is of the function's own kind, or else of the other. */
static inline __attribute__((always_inline)) void begin_free(HeapCall *call, const Role *role,
                                                             Bool is_pool)
{
    LiveBlock block;

    if (LIKELY(cp_live_take(call->old, is_pool, &block))) {
        HeapPath *p = cp_heap_path_at(block.path);
        shrink(block, p);
        freed(block, p, call->path);
        call->is_closed = True;
        freed_last = call->old;
        freed_sp = call->sp;
    } else {
        begin_other_free(call, role);
    }
}

/* The same of a block that goes elsewhere. */
static Bool take_moved(HeapCall *call)
{
    Bool is_pool = call->function->role->is_pool;

    call->is_moving = cp_heap_take(call->old, is_pool, &call->moved) ||
                      cp_heap_take(call->old, !is_pool, &call->moved);
    return call->is_moving;
}

static void begin_move(HeapCall *call)
{
    if (!call->function->role->is_wrapper)
        n_unmatched += !take_moved(call);
}

static ULong argument(const void *state, UInt number)
{
    return number ? cp_arch_state_argument(state, number - 1) : 0;
}

static inline void begin(HeapCall *call, const Function *function, Bool is_closed)
{
    call->function = function;
    call->is_closed = is_closed;
    call->has_inner = False;
    call->is_moving = False;
}

void cp_heap_begin(HeapCall *call, const Function *function)
{
    const Role *role = function->role;

    begin(call, function, !role->is_wrapper);
    if (function->chooses)
        return;
    call->path = cp_heap_path();
    call->old = argument(call->state, role->old);
    if (cp_role_frees(role)) {
        if (call->old)
            begin_free(call, role, role->is_pool);
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

static ULong plain_argument(const HeapCall *call, const Function *function)
{
    return *(const ULong *)((const UChar *)call->state + function->plain_argument);
}

void cp_heap_begin_plain_alloc(HeapCall *call, const Function *function)
{
    begin(call, function, True);
    call->path = cp_heap_path();
    call->size = plain_argument(call, function);
    call->old = call->place = 0;
}

void cp_heap_begin_plain_free(HeapCall *call, const Function *function)
{
    begin(call, function, True);
    call->path = cp_heap_path();
    call->old = plain_argument(call, function);
    if (call->old)
        begin_free(call, function->role, False);
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
    if (call->function->role->is_wrapper)
        take_moved(call);
    if (!call->is_moving)
        return False;
    if (new) {
        cp_heap_moved(call->moved, call->path, new, call->size);
    } else if (!call->size) {
        cp_heap_freed(call->moved, call->path);
    } else {
        cp_heap_stays(call->moved);
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

static void end_others(HeapCalls *calls, UWord sp)
{
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
}

/* Most calls that return are of plain functions, and in no others: end_others() would do the same.
 */
void cp_heap_end(ThreadId tid, UWord sp)
{
    HeapCalls *calls = &cp_heap_threads[tid];
    HeapCall *call = calls->calls;

    if (LIKELY(calls->n == 1 && call->sp == sp && call->function->plain_argument &&
               !call->function->is_plain_free && !call->has_inner)) {
        Addr new = cp_arch_state_result(call->state);
        calls->n = 0;
        if (LIKELY(new))
            add(call->path, new, call->size, LIVE_HEAP);
        else
            n_failed++;
    } else {
        end_others(calls, sp);
    }
    if (UNLIKELY(clo_data) && !calls->n)
        cp_heap_on_return(tid);
}

ULong cp_heap_peak(void)
{
    return peak_ir;
}

ULong cp_heap_peak_bytes(void)
{
    return peak_bytes;
}

void cp_heap_oddities(ULong *unmatched, ULong *failed, ULong *lost)
{
    *unmatched = n_unmatched;
    *failed = n_failed;
    *lost = n_lost;
}
