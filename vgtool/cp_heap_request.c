/*
 * cp_heap_request.c - what a program tells of its own pools, and memory from the system.
 */
#include "cp_heap_path.h"
#include "pub_tool_clreq.h"
#include "pub_tool_vkiscnums.h"

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
static void change(UInt pool, Addr old, Addr start, SizeT size)
{
    LiveBlock block;

    if (cp_heap_take(old, True, &block))
        cp_heap_moved(block, cp_heap_path(), start, size);
    else
        cp_heap_add(cp_heap_path(), start, size, pool);
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
        cp_heap_add(cp_heap_path(), args[1], args[2], LIVE_POOLS);
        break;
    case VG_USERREQ__RESIZEINPLACE_BLOCK:
        resize(args[1], args[3]);
        break;
    case VG_USERREQ__MEMPOOL_ALLOC:
        cp_heap_add(cp_heap_path(), args[2], args[3], pool_number(args[1]));
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
        change(pool_number(args[1]), args[2], args[3], args[4]);
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
