/* cp_live.c - entries, and what they do not have. */
#include "cp_live.h"

_Static_assert(sizeof(LiveEntry) == 32, "two entries lie in a line of a cache");

LiveEntry cp_live_entries[1 << LIVE_ENTRY_BITS];

/* The tree has so many blocks more of those that begin at the entry's addresses. */
static void count_others(Addr start, Bool in_pool, UInt n)
{
    if (!in_pool && !clo_data)
        cp_live_entry(start)->n_others += n;
}

Bool cp_live_take_other(Addr start, Bool in_pool, LiveBlock *b)
{
    if (!in_pool && !cp_live_entry(start)->n_others)
        return False;
    if (!cp_live_tree_take(start, in_pool, b))
        return False;
    count_others(start, in_pool, -1u);
    return True;
}

Bool cp_live_add_other(LiveBlock b)
{
    if (b.pool == LIVE_HEAP && cp_live_entry(b.start)->start == b.start)
        return False;
    if (!cp_live_tree_add(b))
        return False;
    count_others(b.start, b.pool != LIVE_HEAP, 1);
    return True;
}

void cp_live_put(LiveBlock b)
{
    if (cp_live_add(b))
        return;
    cp_live_tree_list(b);
    count_others(b.start, b.pool != LIVE_HEAP, 1);
}
