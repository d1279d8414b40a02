/*
 * cp_engine.c - chooses between VEX and copies. Copies need a processor with AVX, whose FS base
 * programs may set; and they do not model caches of very many sets.
 */
#include "cp_engine.h"

#include "cp_arch.h"
#include "cp_cache.h"
#include "cp_context.h"
#include "cp_core.h"
#include "cp_patched.h"
#include "libvex.h"
#include "pub_tool_tooliface.h"

Engine clo_engine = ENGINE_NEAR;

#if defined(CP_WRAPS_LibVEX_Translate) && defined(CP_WRAPS_vgPlain_sigaction) && \
    defined(CP_WRAPS_vgPlain_discard_translations) && defined(CP_WRAPS_vgPlain_translate)

#include "cp_near.h"

static Bool is_near;

static Bool has_options(void)
{
    return !(clo_cache_sim && !cp_cache_is_near()) && !clo_line_use && !cp_core_debugs();
}

/* NULL: copies are taken. */
static const HChar *why_vex(void)
{
    if (clo_engine == ENGINE_VEX)
        return "--engine asks for it";
    return has_options() ? cp_near_init() : "copies do not count all that was asked for";
}

const HChar *cp_engine_init(void)
{
    const HChar *problem = why_vex();
    /* Between two event checks a counter grows by 1, that of repeated instructions by up to 64. */
    enum { INTERVAL = 1 << 25 };

    is_near = !problem;
    if (problem)
        return problem;
    cp_context_interval = INTERVAL;
    return NULL;
}

/* Copies the code that VEX is asked for. False: VEX has to translate it. */
static Bool copy(VexTranslateArgs *a, VexTranslateResult *r)
{
    if (is_near && cp_near_translate(a, r))
        return True;
    cp_near_give_copy(a);
    return False;
}

static Bool is_cut(const VexTranslateArgs *a, const VexTranslateResult *r)
{
    return is_near && cp_near_is_cut(a, r);
}

void cp_engine_watch(IRSB *out, const IRSB *in)
{
    if (is_near)
        cp_near_watch_superblock(out, in);
}

void cp_engine_watch_call(IRSB *out, const IRDirty *call)
{
    if (is_near)
        cp_near_watch_call(out, call);
}

void cp_engine_watch_put(IRSB *out, const IRStmt *put, Addr at)
{
    if (is_near)
        cp_near_watch_put_wide(out, put, at);
}

void cp_engine_begin_thread(ThreadId tid)
{
    if (is_near) {
        cp_near_begin_thread(tid);
        cp_near_begin_thread_registers(tid);
    }
}

void cp_engine_thread(ThreadId tid)
{
    if (is_near) {
        cp_near_thread(tid);
        cp_near_thread_registers(tid);
    }
}

void cp_engine_signal(ThreadId tid)
{
    if (is_near)
        cp_near_signal(tid);
}

void cp_engine_after_signal(ThreadId tid)
{
    if (is_near)
        cp_near_after_signal(tid);
}

void cp_engine_report(void)
{
    if (is_near)
        cp_near_say_unknown();
}

void cp_engine_end(void)
{
    if (!is_near)
        return;
    cp_near_settle();
    cp_near_free_copies();
}

#else

const HChar *cp_engine_init(void)
{
    return "there are no copies for this processor, or for this Valgrind";
}

#ifdef CP_WRAPS_LibVEX_Translate
static Bool copy(VexTranslateArgs *a, VexTranslateResult *r)
{
    return False;
}

static Bool is_cut(const VexTranslateArgs *a, const VexTranslateResult *r)
{
    return False;
}
#endif

void cp_engine_watch(IRSB *out, const IRSB *in)
{
}

void cp_engine_watch_call(IRSB *out, const IRDirty *call)
{
}

void cp_engine_watch_put(IRSB *out, const IRStmt *put, Addr at)
{
}

void cp_engine_begin_thread(ThreadId tid)
{
}

void cp_engine_thread(ThreadId tid)
{
}

void cp_engine_signal(ThreadId tid)
{
}

void cp_engine_after_signal(ThreadId tid)
{
}

void cp_engine_report(void)
{
}

void cp_engine_end(void)
{
}

#endif

#ifdef CP_WRAPS_LibVEX_Translate

/* Asks the core which pieces of the code have to be looked at, and adds what the program may
 * patch. */
static UInt (*core_needs_check)(void *opaque, VexRegisterUpdates *updates,
                                const VexGuestExtents *extents);

static UInt needs_check(void *opaque, VexRegisterUpdates *updates, const VexGuestExtents *extents)
{
    UInt checks = core_needs_check(opaque, updates, extents);

    for (UInt i = 0; i < extents->n_used; i++)
        if (extents->len[i] && cp_patched_may_be(extents->base[i], extents->len[i]))
            checks |= 1u << i;
    return checks;
}

VexTranslateResult __real_LibVEX_Translate(VexTranslateArgs *a);
VexTranslateResult __wrap_LibVEX_Translate(VexTranslateArgs *a);
VexTranslateResult __wrap_LibVEX_Translate(VexTranslateArgs *a)
{
    VexTranslateResult result;

    core_needs_check = a->needs_self_check;
    a->needs_self_check = needs_check;
    if (copy(a, &result))
        return result;
    result = __real_LibVEX_Translate(a);
    return is_cut(a, &result) ? __real_LibVEX_Translate(a) : result;
}

#endif
