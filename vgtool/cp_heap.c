/*
 * cp_heap.c - blocks, and the calls that make them. All is in one file so that the compiler sees
 * through it: a call of malloc is followed in some tens of nanoseconds.
 */
#include "cp_heap.h"

#include "cp_arch.h"
#include "cp_file.h"
#include "cp_format.h"
#include "cp_hash.h"
#include "cp_place.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clreq.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vkiscnums.h"

static Activity *cp_heap_active_at(UInt index);

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

/* The block at the address, in the heap or in any pool, is taken out, and does not count as live.
 * The block's end is told by one of the next functions. False: there is none. */
static Bool cp_heap_take(Addr start, Bool in_pool, LiveBlock *block)
{
    Bool is_there = cp_live_take(start, in_pool, block);

    if (is_there)
        shrink(*block, cp_heap_path_at(block->path));
    return is_there;
}

/* The block, which was taken out, is what it was. */
static void cp_heap_stays(LiveBlock block)
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

/* The block, which was taken out, was freed: in `here`, or by what nobody saw (NULL). */
static void cp_heap_freed(LiveBlock block, HeapPath *here)
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

/* A block comes, of this path, in the heap or in a pool. A block that was there goes. */
static inline __attribute__((always_inline)) void add(HeapPath *path, Addr start, SizeT size,
                                                      UInt pool)
{
    path->counts[HEAP_ALLOCS]++;
    settle(start, pool, path, size);
}

/* The block, which was taken out, goes on elsewhere, with another size. */
static void cp_heap_moved(LiveBlock block, HeapPath *path, Addr start, SizeT size)
{
    end_life(block, cp_heap_path_at(block.path));
    path->counts[HEAP_REALLOCS]++;
    settle(start, block.pool, path, size);
}

/*--- The profile ---*/

/* The values of a path's columns now; `is_end`: with those of the end, and of the peak. *sum begins
 * as `life`, and grows. */
static void cp_heap_values(const HeapPath *p, Bool is_end, ULong *sum, ULong *values)
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

/* True if what the thread tells now counts: it is in no allocation function that counts itself. */
static Bool cp_heap_is_open(ThreadId tid)
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

/* Takes out the block that a call resizes, which goes elsewhere. False: there is none. */
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
        add(call->path, new, call->size, role->is_pool ? LIVE_POOLS : LIVE_HEAP);
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

/*--- Paths and blocks ---*/

const HChar *const cp_heap_names[HEAP_COLUMNS] = {
    [HEAP_ALLOCS] = "Allocs",
    [HEAP_REALLOCS] = "Reallocs",
    [HEAP_BYTES] = "Bytes",
    [HEAP_FREED] = "Freed",
    [HEAP_FREES] = "Frees",
    [HEAP_TEMPORARY] = "Temporary",
    [HEAP_LIFE] = "Life",
    [HEAP_PEAK_BYTES] = "PeakBytes",
    [HEAP_PEAK_BLOCKS] = "PeakBlocks",
    [HEAP_END_BYTES] = "EndBytes",
    [HEAP_END_BLOCKS] = "EndBlocks",
    [HEAP_MAPS] = "Maps",
    [HEAP_MAP_BYTES] = "MapBytes",
    [HEAP_UNMAP_BYTES] = "UnmapBytes",
};

/* Beyond this many paths for each context that is allowed, inclusive counts get a lower bound. */
enum { PATHS_PER_CONTEXT = 4 };

void (*cp_heap_each_active)(void (*list)(Activity *a));

Pool cp_heap_paths = {.size = sizeof(HeapPath), .tag = "cp.heap.1"};
static Pool actives = {.size = sizeof(Activity *), .tag = "cp.heap.2"};
HeapPath *cp_heap_last_paths[CP_HEAP_LAST];
static HashTable table;

/*--- Paths ---*/

static UInt hash_path(const void *element)
{
    const HeapPath *p = element;

    return cp_hash(p->node, p->active, p->by_tree);
}

static Bool same_path(const void *a, const void *b)
{
    const HeapPath *x = a, *y = b;

    return x->node == y->node && x->active == y->active && x->by_tree == y->by_tree;
}

static void list(Activity *a)
{
    if (!a->is_active || a->is_listed)
        return;
    a->is_listed = True;
    *(Activity **)cp_pool_add(&actives) = a;
}

/* Notes which activities are active. */
static void list_active(HeapPath *p)
{
    p->first_active = actives.n;
    cp_heap_each_active(list);
    p->n_active = actives.n - p->first_active;
    for (UInt i = p->first_active; i < actives.n; i++)
        cp_heap_active_at(i)->is_listed = False;
}

static HeapPath *new_path(const HeapPath *key)
{
    HeapPath *p = cp_pool_add(&cp_heap_paths);

    *p = *key;
    p->id = cp_heap_paths.n - 1;
    return p;
}

HeapPath *cp_heap_other_path(void)
{
    HeapPath key = {.node = cp_now.node->id, .active = cp_active, .by_tree = cp_inclusive_by_tree};
    HeapPath *p;
    void **place;

    if (!cp_heap_paths.n)
        new_path(&(HeapPath){.node = 0});
    if (!cp_collecting)
        return cp_heap_path_at(0);
    p = cp_hash_get(&table, &key, hash_path, same_path);
    if (!p && cp_heap_paths.n / PATHS_PER_CONTEXT >= clo_max_contexts)
        key.active = 0;
    place = p ? NULL : cp_hash_find(&table, &key, hash_path, same_path);
    if (place && !*place) {
        *place = p = new_path(&key);
        if (key.active)
            list_active(p);
    }
    return *cp_heap_last(key.node) = p ? p : *place;
}

static Activity *cp_heap_active_at(UInt index)
{
    return *(Activity **)cp_pool_at(&actives, index);
}

/*--- Requests ---*/

/* The addresses that the program gave to its pools; their blocks have numbers behind LIVE_POOLS. */
static UWord *pools;
static UInt n_pools;

/* The number of the pool; made if it is new. */
static UInt pool_number(UWord pool)
{
    UInt i;

    for (i = 0; i < n_pools && pools[i] != pool; i++)
        ;
    if (i == n_pools && i < LIVE_POOL_MOST - LIVE_POOLS) {
        pools = VG_(realloc)("cp.heap.5", pools, (n_pools + 1) * sizeof *pools);
        pools[n_pools++] = pool;
    }
    return LIVE_POOLS + (i < n_pools ? i + 1 : 0);
}

static void drop(Addr start)
{
    LiveBlock block;

    if (cp_heap_take(start, True, &block))
        cp_heap_freed(block, cp_heap_path());
}

/* Where there are too many pools to number them, blocks outlive theirs. */
static void destroy(UInt pool)
{
    if (pool > LIVE_POOLS)
        cp_live_each(pool, drop);
}

static void resize(Addr start, SizeT size)
{
    LiveBlock block;

    if (cp_heap_take(start, True, &block))
        cp_heap_moved(block, cp_heap_path(), start, size);
}

/* A block of a pool is elsewhere now, or has another size. */
static void request_change(UInt pool, Addr old, Addr start, SizeT size)
{
    LiveBlock block;

    if (cp_heap_take(old, True, &block))
        cp_heap_moved(block, cp_heap_path(), start, size);
    else
        add(cp_heap_path(), start, size, pool);
}

static void move_pool(UWord from, UWord to)
{
    UInt number = pool_number(from);

    if (number > LIVE_POOLS)
        pools[number - LIVE_POOLS - 1] = to;
}

/* True if it is one of those below. */
static Bool is_request(UWord code)
{
    return code >= VG_USERREQ__MALLOCLIKE_BLOCK && code <= VG_USERREQ__RESIZEINPLACE_BLOCK;
}

Bool cp_heap_request(ThreadId tid, const UWord *args)
{
    if (!clo_heap || !is_request(args[0]))
        return False;
    if (!cp_heap_is_open(tid))
        return True;
    switch (args[0]) {
    case VG_USERREQ__MALLOCLIKE_BLOCK:
        add(cp_heap_path(), args[1], args[2], LIVE_POOLS);
        break;
    case VG_USERREQ__RESIZEINPLACE_BLOCK:
        resize(args[1], args[3]);
        break;
    case VG_USERREQ__MEMPOOL_ALLOC:
        add(cp_heap_path(), args[2], args[3], pool_number(args[1]));
        break;
    case VG_USERREQ__FREELIKE_BLOCK:
    case VG_USERREQ__MEMPOOL_FREE:
        drop(args[args[0] == VG_USERREQ__MEMPOOL_FREE ? 2 : 1]);
        break;
    case VG_USERREQ__DESTROY_MEMPOOL:
        destroy(pool_number(args[1]));
        break;
    case VG_USERREQ__MOVE_MEMPOOL:
        move_pool(args[1], args[2]);
        break;
    case VG_USERREQ__MEMPOOL_CHANGE:
        request_change(pool_number(args[1]), args[2], args[3], args[4]);
        break;
    default:
        break;
    }
    return True;
}

/*--- Memory from the system ---*/

static void got(SizeT bytes)
{
    HeapPath *p = cp_heap_path();

    p->counts[HEAP_MAPS]++;
    p->counts[HEAP_MAP_BYTES] += bytes;
}

static void gave_back(SizeT bytes)
{
    cp_heap_path()->counts[HEAP_UNMAP_BYTES] += bytes;
}

static void resized(SizeT before, SizeT now)
{
    if (now > before)
        got(now - before);
    else if (now < before)
        gave_back(before - now);
}

Bool cp_heap_is_syscall(UInt number)
{
    return number == __NR_mmap || number == __NR_munmap || number == __NR_mremap ||
           number == __NR_brk;
}

void cp_heap_syscall(UInt number, const UWord *args, UWord result)
{
    static UWord end; /* of the memory that brk gave */

    switch (number) {
    case __NR_mmap:
        got(VG_PGROUNDUP(args[1]));
        break;
    case __NR_munmap:
        gave_back(VG_PGROUNDUP(args[1]));
        break;
    case __NR_mremap:
        resized(VG_PGROUNDUP(args[1]), VG_PGROUNDUP(args[2]));
        break;
    case __NR_brk:
        if (end)
            resized(end, result);
        end = result;
        break;
    default:
        break;
    }
}

/*--- Sums ---*/

/*
 * Data structure #1: the counts of nodes, an array. #2: a hash table of inclusive
 * counts by activity.
 */

typedef struct {
    const Activity *activity;
    HeapCounts counts;
} HeapSum;

static Pool sums = {.size = sizeof(HeapSum), .tag = "cp.heap.6"};
static HashTable table;
static HeapCounts *nodes; /* by index; what a node's own paths count */

static UInt hash_sum(const void *element)
{
    return cp_hash((Addr)((const HeapSum *)element)->activity, 0, 0);
}

static Bool same_sum(const void *a, const void *b)
{
    return ((const HeapSum *)a)->activity == ((const HeapSum *)b)->activity;
}

static void add_values(ULong *to, const ULong *values)
{
    for (UInt i = 0; i < HEAP_COLUMNS; i++)
        to[i] += values[i];
}

static Bool any(const HeapCounts *counts)
{
    for (UInt i = 0; i < HEAP_COLUMNS; i++)
        if (counts->values[i])
            return True;
    return False;
}

static void add_inclusive(const Activity *activity, const ULong *values)
{
    const HeapSum key = {.activity = activity};
    void **place = cp_hash_find(&table, &key, hash_sum, same_sum);

    if (!*place) {
        HeapSum *sum = cp_pool_add(&sums);
        *sum = key;
        *place = sum;
    }
    add_values(((HeapSum *)*place)->counts.values, values);
}

/* Adds what the tree has to the inclusive counts. A function, or an edge, is on a path at most
 * once. */
static void add_tree(HeapCounts *tree)
{
    for (UInt i = cp_node_count(); i-- > 0;) {
        const Node *n = cp_node(i);
        if (!any(&tree[i]))
            continue;
        add_inclusive(&n->function->activity, tree[i].values);
        if (n->edge)
            add_inclusive(&n->edge->activity, tree[i].values);
        if (n->parent)
            add_values(tree[n->parent->id].values, tree[i].values);
    }
}

/* Begins to write, and ends. `is_end`: of the process, so that what it has at its end and had at
 * its peak is written. */
static void cp_heap_begin_sums(Bool is_end)
{
    UInt n = cp_node_count() + 1;
    HeapCounts *tree = VG_(calloc)("cp.heap.7", n, sizeof *tree);
    ULong lives = life;

    nodes = VG_(calloc)("cp.heap.8", n, sizeof *nodes);
    for (UInt i = 0; i < sums.n; i++)
        VG_(memset)(&((HeapSum *)cp_pool_at(&sums, i))->counts, 0, sizeof(HeapCounts));
    for (UInt i = 1; i < cp_heap_paths.n; i++) {
        const HeapPath *p = cp_heap_path_at(i);
        ULong values[HEAP_COLUMNS];
        cp_heap_values(p, is_end, &lives, values);
        add_values(nodes[p->node].values, values);
        if (p->by_tree)
            add_values(tree[p->node].values, values);
        for (UInt k = 0; k < p->n_active; k++)
            add_inclusive(cp_heap_active_at(p->first_active + k), values);
    }
    add_tree(tree);
    VG_(free)(tree);
}

static void cp_heap_end_sums(void)
{
    VG_(free)(nodes);
    nodes = NULL;
}

/* Counts between these two: of a node, and inclusive ones of a function or an edge. NULL: none. */
static const HeapCounts *cp_heap_node(const Node *node)
{
    const HeapCounts *counts = &nodes[node->id];

    return any(counts) ? counts : NULL;
}

static const HeapCounts *cp_heap_inclusive(const Activity *activity)
{
    const HeapSum key = {.activity = activity},
                  *sum = cp_hash_get(&table, &key, hash_sum, same_sum);

    return sum && any(&sum->counts) ? &sum->counts : NULL;
}

/*--- Writing ---*/

/* A reader has to know how far the counts can be believed. */
static void put_oddities(void)
{
    cp_put_key(CP_KEY_HEAP);
    cp_put_decimal(cp_function_n_roles);
    cp_put_char(' ');
    cp_put_decimal(n_unmatched);
    cp_put_char(' ');
    cp_put_decimal(n_failed);
    cp_put_char(' ');
    cp_put_decimal(n_lost);
    cp_put_char('\n');
}

static void put_peak(void)
{
    cp_put_key(CP_KEY_HEAP_PEAK);
    cp_put_decimal(peak_ir);
    cp_put_char(' ');
    cp_put_decimal(peak_bytes);
    cp_put_char('\n');
}

static void put_options(void)
{
    for (UInt i = 0; i < cp_role_option_count(); i++) {
        UInt n;
        const HChar *text = cp_role_option_at(i, &n);

        cp_put_key(CP_KEY_ALLOC_FUNCTION);
        cp_put_decimal(n);
        cp_put_char(' ');
        cp_put_text(text);
    }
}

void cp_heap_write_begin(Bool is_end)
{
    if (!clo_heap)
        return;
    cp_put(CP_KEY_HEAP_EVENTS ":");
    for (UInt i = 0; i < HEAP_COLUMNS; i++) {
        cp_put_char(' ');
        cp_put(cp_heap_names[i]);
    }
    cp_put_char('\n');
    put_oddities();
    if (is_end)
        put_peak();
    put_options();
    cp_heap_begin_sums(is_end);
}

void cp_heap_write_node(const Node *node)
{
    const HeapCounts *counts = clo_heap ? cp_heap_node(node) : NULL;

    if (!counts || node->function->kind > FUNCTION_STUB)
        return;
    cp_begin_record(CP_REC_HEAP);
    cp_put_place(node->function->range, node->function->start);
    cp_put_counts(counts->values, HEAP_COLUMNS);
}

static void put_functions(void)
{
    for (UInt i = 0; i < cp_function_count(); i++) {
        const Function *f = cp_function(i);
        const HeapCounts *counts = cp_heap_inclusive(&f->activity);
        if (!counts || f->kind != FUNCTION_CODE)
            continue;
        cp_begin_record(CP_REC_HEAP_INCLUSIVE);
        cp_put_place(f->range, f->start);
        cp_put_counts(counts->values, HEAP_COLUMNS);
    }
}

static void put_edges(void)
{
    for (UInt i = 0; i < cp_edge_count(); i++) {
        const Edge *e = cp_edge(i);
        const HeapCounts *counts = cp_heap_inclusive(&e->activity);
        if (!counts || e->caller->kind > FUNCTION_STUB || e->callee->kind != FUNCTION_CODE)
            continue;
        cp_begin_record(CP_REC_HEAP_EDGE);
        cp_put_place(e->caller->range, e->caller->start);
        cp_put_char(' ');
        cp_put_place(e->callee->range, e->callee->start);
        cp_put_char(' ');
        cp_put_site(e->caller, e->site);
        cp_put_counts(counts->values, HEAP_COLUMNS);
    }
}

/* Sections are functions, too. */
static void put_sections(void)
{
    for (UInt i = 0; i < cp_function_count(); i++) {
        const Function *f = cp_function(i);
        const HeapCounts *counts = cp_heap_inclusive(&f->activity);
        if (!counts || f->kind != FUNCTION_SECTION)
            continue;
        cp_begin_record(CP_REC_HEAP_SECTION);
        cp_put_decimal(f->start);
        cp_put_counts(counts->values, HEAP_COLUMNS);
    }
}

void cp_heap_write_end(void)
{
    if (!clo_heap)
        return;
    put_functions();
    put_edges();
    put_sections();
    cp_heap_end_sums();
}
