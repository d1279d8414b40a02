/*
 * cp_near_translate.c - what the core has of copies: for VEX's translation of code, a jump to the
 * copy of it.
 */
#include "cp_arch.h"
#include "cp_core.h"
#include "cp_near.h"
#include "cp_stack.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_tooliface.h"

/* The core may want checks that the code has not changed; copies have none. */
static Bool needs_check(const VexTranslateArgs *a, const Place *p)
{
    const VexGuestExtents extents = {.base = {p->guest}, .len = {(UShort)p->size}, .n_used = 1};
    VexRegisterUpdates updates = VexRegUpdSpAtMemAccess;

    return a->needs_self_check(a->callback_opaque, &updates, &extents) != 0 && !p->is_made;
}

/* The core has of a copy the event check of VEX's translations, and a way into the copy. */
static void put_stub(VexTranslateArgs *a, const Place *p)
{
    static const UChar event_check[] = {0xff, 0x4d, 8, 0x79, 3, 0xff, 0x65, 0};
    Lookup *l = &cp_near_lookups[p->guest % LOOKUP_SIZE];
    UChar *saved = cp_code;

    /* By the builtin, since the offsetof of the core is no constant to clang. */
    _Static_assert(__builtin_offsetof(Guest, host_EvC_COUNTER) == 8 &&
                       !__builtin_offsetof(Guest, host_EvC_FAILADDR),
                   "decl 8(%rbp); jns; jmp *0(%rbp)");
    cp_code = a->host_bytes;
    for (UInt i = 0; i < sizeof event_check; i++)
        cp_put(event_check[i]);
    cp_put_store_number(cp_at(&l->guest), (UInt)p->guest);
    cp_put_store_number(cp_at(&l->host), cp_low(p->checked));
    cp_put_set(REG_AX, (Addr)p->checked);
    cp_put_set(11, (Addr)(p->flags_live ? cp_near_routines.enter_flags : cp_near_routines.enter));
    cp_put(0x41), cp_put(0xff), cp_put(0xe3); /* jmp *%r11 */
    *a->host_bytes_used = (Int)(cp_code - a->host_bytes);
    cp_code = saved;
}

/* Code of a file that nobody can change, or made at run time, below 2 GB, and asked for in the
 * plain way. */
static Bool can_copy(const VexTranslateArgs *a, Bool *is_made)
{
    const NSegment *s = VG_(am_find_nsegment)(a->guest_bytes_addr);

    *is_made = s && s->kind == SkAnonC;
    if (!s || !(*is_made || (s->kind == SkFileC && !s->hasW)) || s->end >> 31 ||
        a->preamble_function || (Addr)a->guest_bytes != a->guest_bytes_addr || a->traceflags ||
        a->addProfInc)
        return False;
    cp_near_set_code(s->start, s->end + 1, *is_made);
    return cp_near_has_room() && cp_near_has_room_for_call() &&
           (!*is_made || cp_near_has_room_for_made());
}

Bool cp_near_translate(VexTranslateArgs *a, VexTranslateResult *r)
{
    Bool is_made;
    Place *p;

    if (!can_copy(a, &is_made))
        return False;
    p = cp_near_place(a->guest_bytes_addr);
    if (!p->unchecked) {
        p->is_made = is_made;
        Function *f = clo_contexts ? cp_stack_function(p->guest) : cp_function_pseudo(FUNCTION_ALL);
        if (!cp_near_make(p, f))
            return False;
    }
    if (needs_check(a, p))
        return False;
    put_stub(a, p);
    *a->guest_extents =
        (VexGuestExtents){.base = {p->guest}, .len = {(UShort)p->size}, .n_used = 1};
    *r = (VexTranslateResult){
        .status = VexTransOK, .offs_profInc = -1, .n_guest_instrs = p->n_insns};
    return True;
}

const HChar *cp_near_init(void)
{
    const HChar *problem = cp_near_init_places();

    if (problem)
        return problem;
    cp_near_make_routines(cp_near_help, cp_near_enter_x87);
    cp_near_init_found();
    if (clo_cache_sim || clo_branch_sim)
        cp_near_init_cache();
    if (clo_branch_sim)
        cp_near_init_branches();
    cp_near_begin_copies();
    return NULL;
}
