/*
 * cp_near_translate.c - what the core has of copies: for VEX's translation of code, a jump to the
 * copy of it.
 */
#include "cp_arch.h"
#include "cp_core.h"
#include "cp_near.h"
#include "pub_tool_options.h"
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

static Bool is_plain(const VexTranslateArgs *a)
{
    return !a->preamble_function && (Addr)a->guest_bytes == a->guest_bytes_addr && !a->traceflags &&
           !a->addProfInc;
}

extern VexControl vex_control; /* of VEX: what the core has told it */

/* VEX takes one instruction, if copies can go on behind it: they know more, and all bits of x87's
 * registers. */
static void limit_vex(Bool goes_on)
{
    if (goes_on)
        vex_control.guest_max_insns = 1;
}

Bool cp_near_translate(VexTranslateArgs *a, VexTranslateResult *r)
{
    Place *p = is_plain(a) ? cp_near_copied(a->guest_bytes_addr) : NULL;

    limit_vex(is_plain(a) && !p && cp_near_goes_on(a->guest_bytes_addr));
    if (!p)
        return False;
    if (needs_check(a, p)) {
        cp_near_forget(p);
        cp_near_leave_place(p);
        return False;
    }
    cp_near_trusts_files |= !p->is_made;
    put_stub(a, p);
    *a->guest_extents =
        (VexGuestExtents){.base = {p->guest}, .len = {(UShort)p->size}, .n_used = 1};
    *r = (VexTranslateResult){
        .status = VexTransOK, .offs_profInc = -1, .n_guest_instrs = p->n_insns};
    return True;
}

Bool cp_near_is_cut(const VexTranslateArgs *a, const VexTranslateResult *r)
{
    const VexGuestExtents *code = a->guest_extents;
    UInt last = (UInt)code->n_used - 1;
    Insn in;

    if (!is_plain(a) || r->n_guest_instrs < 2 ||
        !cp_near_decode(code->base[last] + code->len[last], &in) || !in.is_new)
        return False;
    vex_control.guest_max_insns = (Int)r->n_guest_instrs - 1;
    return True;
}

#ifdef CP_WRAPS_vgPlain_discard_translations
/* The core forgets translations where code changes, or is no more. It does not know of copies that
 * it has not asked for. */
void __real_vgPlain_discard_translations(Addr start, ULong size, const HChar *who);
void __wrap_vgPlain_discard_translations(Addr start, ULong size, const HChar *who);
void __wrap_vgPlain_discard_translations(Addr start, ULong size, const HChar *who)
{
    __real_vgPlain_discard_translations(start, size, who);
    cp_near_forget_range(start, size);
}
#endif

const HChar *cp_near_init(void)
{
    const HChar *problem = cp_near_init_places();

    if (problem)
        return problem;
    cp_near_make_routines(cp_near_help, cp_near_enter_x87,
                          cp_near_has_wide() && !cp_near_is_masked("AVX512"));
    cp_near_init_returns();
    if (clo_cache_sim || clo_branch_sim)
        cp_near_init_model();
    if (clo_cache_sim)
        cp_near_init_cache();
    cp_near_begin_copies();
    return NULL;
}
