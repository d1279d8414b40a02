/*
 * cp_site.c - records of calls, one for each superblock.
 */
#include "cp_site.h"

#include "cp_block.h"
#include "cp_context.h"

CallSite *cp_site_next(Function *function, Addr address, Addr back, Addr target)
{
    CallSite **slot = cp_superblock_call(), *site = *slot;

    if (site && site->address == address && site->back == back && site->target == target)
        return site;
    /* If the superblock has other code now, the record of its old call is used again. */
    if (!site) {
        *slot = site = VG_(calloc)("cp.site.1", 1, sizeof *site);
        site->slot = cp_context_call_slot(function);
    } else {
        cp_context_clear_call(function, site->slot);
    }
    *site = (CallSite){.address = address,
                       .back = back,
                       .target = target,
                       .slot = site->slot,
                       .thunk = site->thunk};
    return site;
}
