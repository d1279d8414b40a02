/*
 * cp_near_arrive.c - makes copies: where the core asks for code, and where other copies lead to
 * code without one.
 */
#include "cp_core.h"
#include "cp_near.h"
#include "cp_patched.h"
#include "cp_stack.h"
#include "pub_tool_aspacemgr.h"

Bool cp_near_trusts_files;

/* Code of a file that nobody can change, or made at run time, below 2 GB. */
static Bool can_copy(const NSegment *s, Bool is_made)
{
    if (!s || !(is_made || (s->kind == SkFileC && !s->hasW)) || s->end >> 31)
        return False;
    cp_near_set_code(s->start, s->end + 1, is_made);
    return cp_near_has_room() && cp_fetched_has_room() && (!is_made || cp_near_has_room_for_made());
}

/* VEX models caches and branches by what it knows from instructions before. */
Bool cp_near_goes_on(Addr guest)
{
    const NSegment *s = VG_(am_find_nsegment)(guest);

    return !clo_cache_sim && !clo_branch_sim && can_copy(s, s && s->kind == SkAnonC);
}

Place *cp_near_copied(Addr guest)
{
    const NSegment *s = VG_(am_find_nsegment)(guest);
    Bool is_made = s && s->kind == SkAnonC;
    Function *function;
    Place *p;

    if (!can_copy(s, is_made))
        return NULL;
    p = cp_near_place(guest);
    if (p->unchecked)
        return p;
    p->is_made = is_made;
    function = clo_contexts ? cp_stack_function(guest) : cp_function_pseudo(FUNCTION_ALL);
    /* The function may have been found just now, in the midst of another one: copies of its code as
     * the other one's go before the new copy is joined to them. */
    cp_function_discard();
    return cp_near_make(p, function) ? p : NULL;
}

/* pub_core_redir.h: where the core goes on in place of an address. */
Addr VG_(redir_do_lookup)(Addr address, Bool *is_wrapped);

/* True where all that the core would do is to translate: it has done so in that mapping before. */
static Bool needs_no_core(Addr guest)
{
    const NSegment *s = VG_(am_find_nsegment)(guest);

    return cp_near_trusts_files && s && s->hasX && s->hasT &&
           VG_(redir_do_lookup)(guest, NULL) == guest;
}

static Bool is_checked(const Place *p)
{
    return !p->is_made && cp_patched_may_be(p->guest, p->size);
}

Place *cp_near_arrive(Addr guest)
{
    Place *p = cp_near_place(guest);

    if (!p->unchecked && !p->left) {
        cp_function_discard();
        if (!needs_no_core(guest))
            return NULL;
        if (!cp_near_copied(guest) || is_checked(p)) {
            cp_near_forget(p);
            cp_near_leave_place(p);
        }
    }
    if (!p->unchecked)
        return NULL;
    cp_near_lookups[guest % LOOKUP_SIZE] = (Lookup){guest, (Addr)p->checked};
    return p;
}
