/*
 * cp_model.c - a simulated cache: its shape, which is checked, parsed, or derived from the host,
 * and references for any number of ways.
 */
#include "cp_model.h"

#include "cp_arch.h"
#include "cp_core.h"
#include "cp_hash.h"
#include "cp_set.h"
#include "pub_tool_machine.h"

/*--- Tags ---*/

typedef struct {
    ULong number;
    UInt tag;
} Wild;

static Pool wild = {.size = sizeof(Wild), .tag = "cp.tag.1"};
static HashTable table;

static UInt hash_wild(const void *element)
{
    return cp_hash(((const Wild *)element)->number, 0, 0);
}

static Bool same_wild(const void *a, const void *b)
{
    return ((const Wild *)a)->number == ((const Wild *)b)->number;
}

UInt cp_tag_wild(ULong number)
{
    const Wild key = {.number = number, .tag = WILD_TAG + wild.n};
    void **entry = cp_hash_find(&table, &key, hash_wild, same_wild);

    if (!*entry) {
        Wild *w = cp_pool_add(&wild);
        *w = key;
        *entry = w;
    }
    return ((const Wild *)*entry)->tag;
}

/*--- Shapes ---*/

#define MIN_LINE 16 /* with a smaller one, one access could touch three lines */

/* Returns NULL if the cache can be simulated, else the reason why not. */
static const HChar *cp_geometry_check(const Geometry *g)
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

/*--- A cache ---*/

/* Refers to a list: the most recently used line comes first. */
Bool cp_model_refer_list(Cache *c, UWord line)
{
    UInt *list = cp_model_set(c, line);
    UInt tag = cp_model_tag(c, line), i = 0;
    Bool miss;

    while (i < c->last && list[i] != tag)
        i++;
    miss = list[i] != tag;
    for (; i; i--)
        list[i] = list[i - 1];
    list[0] = tag;
    return miss;
}

Bool cp_model_refer_vectors(Cache *c, UWord line)
{
    return cp_ll_set_refer(cp_model_set(c, line), cp_model_tag(c, line), c->last, c->vectors);
}

void cp_model_shape(Cache *c, const Geometry *g, const HChar *name)
{
    const HChar *wrong = cp_geometry_check(g);
    UInt sets, ways = (UInt)g->ways;

    if (wrong) {
        VG_(umsg)
        ("cannot simulate a %s cache of %d bytes, %d ways, lines of %d bytes: %s; "
         "give another one with --%s=SIZE,WAYS,LINE\n",
         name, g->size, g->ways, g->line, wrong, name);
        VG_(exit)(1);
    }
    sets = (UInt)(g->size / g->line / g->ways);
    c->line_bits = (UInt)VG_(log2)((UInt)g->line);
    c->set_bits = (UInt)VG_(log2)(sets);
    c->set_mask = sets - 1;
    c->last = ways - 1;
    c->vectors = ways <= MAX_WAYS ? cp_tag_row_vectors(ways) : 0;
    c->set_size = c->vectors ? cp_ll_set_size(c->vectors) : ways;
}

SizeT cp_model_size(const Cache *c, UInt words)
{
    return ((SizeT)c->set_mask + 1) * words * sizeof(UInt);
}

UInt *cp_model_memory(const Cache *c, UInt words)
{
    void *memory = cp_core_memory(cp_model_size(c, words));

    if (!memory)
        VG_(tool_panic)("no memory for a simulated cache");
    cp_core_huge(memory, cp_model_size(c, words));
    return memory;
}

/*
 * Only line 0 is in its set at first. cachegrind's tags begin as zeroes, which is the tag of that
 * line; its copies in the other ways make no difference.
 */
void cp_model_empty(Cache *c)
{
    if (c->vectors)
        cp_core_zero(c->sets, cp_model_size(c, c->set_size));
    else
        VG_(memset)(c->sets, 0xff, cp_model_size(c, c->set_size));
    c->sets[0] = c->vectors ? cp_ll_set_kept(0) : 0;
}
