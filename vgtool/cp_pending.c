/*
 * cp_pending.c - data structure: a short queue.
 *
 * Copies call it while vectors are the program's: it is compiled without any.
 */
#include "cp_pending.h"

enum { MOST = 32 };
Miss cp_pending[MOST];
UInt cp_pending_count;
static UInt most = 1;
static LastLevel last;

void cp_pending_fetch_ahead(Addr a)
{
    const UWord n = a >> last.line_bits & last.set_mask;
    const UInt *set = last.sets + n * last.set_size;

    __builtin_prefetch(&last.newest[n], 1);
    __builtin_prefetch(set, 1);
    __builtin_prefetch((const HChar *)set + 64, 1);
    __builtin_prefetch((const HChar *)(set + last.set_size) - 1, 1); /* its ranks */
}

Bool cp_pending_add(Addr a, AccessPoint *point)
{
    UInt n = cp_pending_count;

    cp_pending_fetch_ahead(a);
    __builtin_prefetch(&point->size);
    __builtin_prefetch(&point->misses);
    cp_pending[n] = (Miss){a, point};
    cp_pending_count = ++n;
    if (n > CP_PENDING_STAGE)
        __builtin_prefetch(cp_pending[n - 1 - CP_PENDING_STAGE].point->misses, 1);
    return n == most;
}

void cp_pending_init(const LastLevel *l, Bool many)
{
    last = *l;
    most = many ? MOST : 1;
}
