/*
 * cp_geometry.c - checks and parses the shapes of caches, and derives the host's.
 */
#include "cp_geometry.h"

#include "cp_arch.h"
#include "pub_tool_machine.h"

#define MIN_LINE 16 /* with a smaller one, one access could touch three lines */

const HChar *cp_geometry_check(const Geometry *g)
{
    if (g->line <= 0 || VG_(log2)((UInt)g->line) == -1)
        return "the line size is not a power of two";
    if (g->line < MIN_LINE)
        return "the line size is less than 16 bytes";
    if (g->ways <= 0)
        return "there must be at least one way";
    if (g->size <= g->line)
        return "the size is not larger than a line";
    if (g->ways > g->size / g->line)
        return "there are more ways than lines";
    if (g->size % (g->line * g->ways) || VG_(log2)((UInt)(g->size / g->line / g->ways)) == -1)
        return "the number of sets (size / line size / ways) is not a power of two";
    return NULL;
}

const HChar *cp_geometry_parse(const HChar *text, Geometry *geometry)
{
    Long numbers[3];

    for (UInt i = 0; i < 3; i++) {
        HChar *end;
        numbers[i] = VG_(strtoll10)(text, &end);
        if (end == text || *end != (i < 2 ? ',' : '\0'))
            return "it is not of the form SIZE,WAYS,LINE";
        if (numbers[i] < 0 || numbers[i] > 0x7fffffff)
            return "a number is too large";
        text = end + 1;
    }
    *geometry = (Geometry){(Int)numbers[0], (Int)numbers[1], (Int)numbers[2]};
    return cp_geometry_check(geometry);
}

static const VexCache *find_cache(const VexCacheInfo *info, VexCacheKind kind, UInt level)
{
    for (UInt i = 0; i < info->num_caches; i++)
        if (info->caches[i].kind == kind && info->caches[i].level == level)
            return &info->caches[i];
    return NULL;
}

static Geometry geometry_of(const VexCache *c)
{
    return (Geometry){(Int)c->sizeB, (Int)c->assoc, (Int)c->line_sizeB};
}

/*
 * Fits a last-level cache whose number of sets is no power of two. It cuts the sets to the next
 * lower power and raises the ways in proportion, rounded to the nearest. This is cachegrind's rule
 * (maybe_tweak_LLc), so that both simulate one cache.
 */
static void fit_sets(Geometry *g)
{
    UInt sets = (UInt)(g->size / (g->ways * g->line));
    UInt power = 1;

    if (sets == 0)
        return;
    while (power <= sets / 2)
        power *= 2;
    if (power != sets)
        g->ways = (Int)(0.5 + (Double)sets / (Double)power * (Double)g->ways);
    g->size = g->line * g->ways * (Int)power;
}

void cp_geometry_host(Geometry *i1, Geometry *d1, Geometry *ll)
{
    VexArchInfo host;
    const VexCache *i, *d, *l;

    VG_(machine_get_VexArchInfo)(NULL, &host);
    i = find_cache(&host.hwcache_info, INSN_CACHE, 1);
    d = find_cache(&host.hwcache_info, DATA_CACHE, 1);
    l = find_cache(&host.hwcache_info, UNIFIED_CACHE, host.hwcache_info.num_levels);
    if (i && d && l) {
        *i1 = geometry_of(i);
        /* The Pentium 4's trace cache has its size in micro-operations. cachegrind guesses these
         * bytes. */
        if (i->is_trace_cache)
            *i1 = (Geometry){i->sizeB <= 16 * 1024 ? 16 * 1024 : 32 * 1024, (Int)i->assoc, 32};
        *d1 = geometry_of(d);
        *ll = geometry_of(l);
        fit_sets(ll);
    } else {
        *i1 = *d1 = CP_USUAL_L1;
        *ll = CP_USUAL_LL;
    }
}
