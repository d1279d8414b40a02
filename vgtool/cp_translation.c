/*
 * cp_translation.c - the function of VEX that the tool wraps by the linker (--wrap), where
 * valgrind.m4 found that it has the form that is expected here.
 */
#include "cp_translation.h"

#include "cp_arch.h"
#include "cp_cache.h"
#include "cp_cold.h"
#include "cp_context.h"
#include "cp_core.h"
#include "cp_engine.h"
#include "cp_frame.h"
#include "cp_kept.h"
#include "cp_patched.h"
#include "cp_recipe.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_options.h"

#ifdef CP_WRAPS_LibVEX_Translate

#define MAX_HOLES 4096

static UInt n_translated, n_kept, n_used, n_odd, n_different;

VexTranslateResult __real_LibVEX_Translate(VexTranslateArgs *a);
VexTranslateResult __wrap_LibVEX_Translate(VexTranslateArgs *a);

/*--- What translations depend on ---*/

/* The head of an ELF file, and of a segment, as far as they matter here. */
typedef struct {
    UChar unused_1[32];
    ULong segments;
    UChar unused_2[16];
    UShort n_segments;
} ToolHead;

typedef struct {
    UInt type, flags;
    ULong offset, address, unused;
    ULong size;
    ULong unused_2[2];
} ToolSegment;

enum { SEGMENT_LOADED = 1, SEGMENT_WRITABLE = 2 };

/* Where the linker put the tool's own ELF head. */
extern const UChar __executable_start[];

/* Generated code calls the tool's functions and reads its data, whose addresses follow from its
 * code. */
static ULong tool_checksum(void)
{
    const ToolHead *head = (const ToolHead *)__executable_start;
    const ToolSegment *s = (const ToolSegment *)(__executable_start + head->segments);
    ULong sum = 0;

    for (UInt i = 0; i < head->n_segments; i++)
        if (s[i].type == SEGMENT_LOADED && !(s[i].flags & SEGMENT_WRITABLE))
            sum = cp_kept_checksum(sum, (const void *)s[i].address, s[i].size);
    return sum;
}

static ULong arch_checksum(ULong sum, VexArch arch, const VexArchInfo *info)
{
    const UInt words[] = {arch, info->endness, info->hwcaps};

    return cp_kept_checksum(sum, words, sizeof words);
}

static ULong machine_checksum(const VexTranslateArgs *a)
{
    const VexControl *c = &VG_(clo_vex_control);
    const UInt control[] = {(UInt)c->iropt_level,
                            c->iropt_register_updates_default,
                            (UInt)c->iropt_unroll_thresh,
                            (UInt)c->guest_max_insns,
                            c->guest_chase,
                            c->regalloc_version,
                            VG_(clo_px_file_backed)};
    ULong sum = cp_kept_checksum(0, control, sizeof control);

    sum = arch_checksum(sum, a->arch_guest, &a->archinfo_guest);
    sum = arch_checksum(sum, a->arch_host, &a->archinfo_host);
    return cp_kept_checksum(sum, &a->abiinfo_both, sizeof a->abiinfo_both);
}

static Bool begin_keeping(const VexTranslateArgs *a)
{
    KeptKey key;

    VG_(memset)(&key, 0, sizeof key);
    key.tool = tool_checksum();
    key.machine = machine_checksum(a);
    key.contexts = clo_contexts;
    key.cache_sim = clo_cache_sim;
    key.branch_sim = clo_branch_sim;
    key.heap = clo_heap;
    key.line_use = clo_line_use;
    if (clo_cache_sim) {
        key.i1 = cp_I1;
        key.d1 = cp_D1;
        key.min_line = cp_min_line;
    }
    return cp_kept_begin(&key);
}

/*--- Which translations can be kept ---*/

/* True if translations of this run are kept at all. Larger caches have data of the model, which
 * generated code reads, elsewhere in each run. */
static Bool is_on(const VexTranslateArgs *a)
{
    static Bool decided, on;

    if (!decided) {
        on = clo_translations && !cp_frame_return && !clo_check && !clo_names &&
             !cp_core_debugs() && (!clo_cache_sim || cp_cache_is_near()) && begin_keeping(a);
        decided = True;
    }
    return on;
}

/* The mapped file that all of the code lies in, or NULL. Code without a file is the program's own
 * work, and will hardly be the same in another run. */
static const NSegment *file_segment(Addr address, UInt size)
{
    const NSegment *s = VG_(am_find_nsegment)(address);

    return s && s->kind == SkFileC && !s->hasW && (s->hasR || s->hasX) &&
                   size <= s->end + 1 - address
               ? s
               : NULL;
}

/* True if VEX is asked for nothing but the translation. */
static Bool is_plain(const VexTranslateArgs *a)
{
    return !a->preamble_function && (Addr)a->guest_bytes == a->guest_bytes_addr && a->instrument1 &&
           !a->instrument2 && !a->finaltidy && !a->traceflags && !a->addProfInc;
}

/* Asks the core about the code, which may want checks that it has not changed. False: it does. */
static Bool needs_no_check(const VexTranslateArgs *a, UInt *register_updates)
{
    VexRegisterUpdates updates = VG_(clo_vex_control).iropt_register_updates_default;
    UInt checks = a->needs_self_check(a->callback_opaque, &updates, a->guest_extents);

    *register_updates = updates;
    return !checks;
}

/* VEX looks at the bytes behind what seems to be a client request. */
static Bool is_lasting(const VexTranslateArgs *a, const VexTranslateResult *r)
{
    const VexGuestExtents *e = a->guest_extents;

    return r->status == VexTransOK && !r->n_sc_extents && r->offs_profInc == -1 && e->n_used == 1 &&
           e->base[0] == a->guest_bytes_addr && e->len[0] && file_segment(e->base[0], e->len[0]) &&
           !cp_arch_has_request(a->guest_bytes, e->len[0]);
}

/*--- Translating ---*/

static void keep(const VexTranslateArgs *a, const VexTranslateResult *r, const Hole *holes,
                 UInt n_holes)
{
    Recipe recipe;
    Int sp;
    Kept kept;

    VG_(memset)(&kept, 0, sizeof kept);
    if (!is_lasting(a, r) || !cp_recipe_get(&recipe, &sp, &kept.is_cold))
        return;
    if (!needs_no_check(a, &kept.register_updates))
        return;
    kept.address = a->guest_bytes_addr;
    kept.parts_size = recipe.size;
    kept.n_parts = (UShort)recipe.n;
    kept.n_holes = (UShort)n_holes;
    kept.guest_size = a->guest_extents->len[0];
    kept.host_size = (UShort)*a->host_bytes_used;
    kept.sp = (UShort)sp;
    kept.keeps_totals = cp_keeps_totals;
    kept.allocates = cp_recipe_allocates();
    kept.result = *r;
    cp_kept_add(file_segment(kept.address, 1), &kept, recipe.parts, holes, a->guest_bytes,
                a->host_bytes);
    n_kept++;
}

/* Has VEX translate with placeholders. False: these are not as they should be. */
static Bool translate_held(VexTranslateArgs *a, VexTranslateResult *r, Hole *holes, UInt *n)
{
    cp_recipe_hold(True);
    *r = __real_LibVEX_Translate(a);
    cp_recipe_hold(False);
    return r->status == VexTransOK && *a->host_bytes_used <= 0xffff &&
           cp_recipe_holes(a->host_bytes, (UInt)*a->host_bytes_used, holes, MAX_HOLES, n);
}

static VexTranslateResult translate(VexTranslateArgs *a)
{
    static Hole holes[MAX_HOLES];
    VexTranslateResult r;
    UInt n;

    if (!translate_held(a, &r, holes, &n)) {
        n_odd++;
        return __real_LibVEX_Translate(a);
    }
    keep(a, &r, holes, n);
    cp_recipe_fill(a->host_bytes, holes, n);
    return r;
}

/*--- Using a kept translation ---*/

static Bool is_for(const VexTranslateArgs *a, const Kept *k)
{
    UInt updates;

    if (k->keeps_totals != cp_keeps_totals || k->host_size > a->host_bytes_size ||
        !file_segment(k->address, k->guest_size) ||
        VG_(memcmp)(a->guest_bytes, cp_kept_guest(k), k->guest_size))
        return False;
    *a->guest_extents =
        (VexGuestExtents){.base = {k->address}, .len = {k->guest_size}, .n_used = 1};
    return needs_no_check(a, &updates) && updates == k->register_updates;
}

/* Begins the superblock. A superblock that would be cold can be hot at once: both count the same.
 * False: it is hot already, and the translation is for a cold one; or only one of the two tells of
 * an allocation. */
static Bool begin(const Kept *k)
{
    Bool is_cold = cp_recipe_begin(k->address, k->sp);

    if (k->allocates != cp_recipe_allocates())
        return False;
    if (is_cold && !k->is_cold)
        cp_superblock_cold()->hot = True;
    return is_cold || !k->is_cold;
}

static void use(const VexTranslateArgs *a, const Kept *k)
{
    const Recipe recipe = cp_kept_recipe(k);

    cp_recipe_follow(&recipe);
    VG_(memcpy)(a->host_bytes, cp_kept_host(k), k->host_size);
    cp_recipe_fill(a->host_bytes, cp_kept_holes(k), k->n_holes);
    *a->host_bytes_used = k->host_size;
    n_used++;
}

/* For tests: translates, and compares that with the kept translation. */
static VexTranslateResult compare(VexTranslateArgs *a, const Kept *k)
{
    static Hole holes[MAX_HOLES];
    const Recipe old = cp_kept_recipe(k);
    VexTranslateResult r;
    Recipe recipe;
    Bool is_cold;
    UInt n;
    Int sp;

    if (!translate_held(a, &r, holes, &n))
        return __real_LibVEX_Translate(a);
    if (!cp_recipe_get(&recipe, &sp, &is_cold) || sp != k->sp || is_cold != k->is_cold ||
        recipe.n != old.n || recipe.size != old.size ||
        VG_(memcmp)(recipe.parts, old.parts, old.size) || n != k->n_holes ||
        VG_(memcmp)(holes, cp_kept_holes(k), n * sizeof *holes) ||
        *a->host_bytes_used != k->host_size ||
        VG_(memcmp)(a->host_bytes, cp_kept_host(k), k->host_size)) {
        VG_(umsg)("check: the kept translation of 0x%lx differs\n", k->address);
        n_different++;
    }
    cp_recipe_fill(a->host_bytes, holes, n);
    n_used++;
    return r;
}

static VexTranslateResult translate_or_use(VexTranslateArgs *a)
{
    const NSegment *segment = is_on(a) ? file_segment(a->guest_bytes_addr, 1) : NULL;
    KeptWalk walk;
    const Kept *k;

    if (!segment || !is_plain(a))
        return __real_LibVEX_Translate(a);
    n_translated++;
    cp_kept_walk(&walk, segment, a->guest_bytes_addr);
    while ((k = cp_kept_next(&walk))) {
        if (!is_for(a, k) || !begin(k))
            continue;
        cp_kept_use(&walk);
        if (clo_translations_check)
            return compare(a, k);
        use(a, k);
        return k->result;
    }
    return translate(a);
}

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

VexTranslateResult __wrap_LibVEX_Translate(VexTranslateArgs *a)
{
    VexTranslateResult copied;

    core_needs_check = a->needs_self_check;
    a->needs_self_check = needs_check;
    return cp_engine_translate(a, &copied) ? copied : translate_or_use(a);
}

void cp_translation_report(void)
{
    if (clo_translations && VG_(clo_stats))
        VG_(umsg)
    ("translations: %u looked for, %u used again, %u kept, %u odd, %u different\n", n_translated,
     n_used, n_kept, n_odd, n_different);
}

#else

void cp_translation_report(void)
{
}

#endif
