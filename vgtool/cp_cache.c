/*
 * Each set is a row of 32-bit tags, most recently used first. A reference looks for its tag among
 * them all at once, four to a vector, and moves the tags before it one place on; a miss does the
 * same from the last way. Four ways to a vector; the row is padded to whole vectors with a tag that
 * no line has.
 *
 * The tag is the line's number without the bits that select the set. It is kept in 31 bits, which
 * is all of it for any address that Valgrind gives to a program, with the usual geometries; what is
 * left above that (wild pointers, caches of one set) is mapped to numbers of its own (`wild`), so
 * that tags are exact always.
 */
#include "cp_cache.h"

#include "pub_tool_machine.h"
#include "pub_tool_options.h"

#include <emmintrin.h>

#define VECTOR    4            /* tags in a vector */
#define NO_TAG    0xFFFFFFFFu  /* in ways beyond the last, and in empty ones */
#define WILD_TAG  0x80000000u  /* numbers from here on stand for entries of `wild` */
#define SHORT_ROW (4 * VECTOR) /* rows up to here have unrolled code */

typedef struct {
    UInt *rows; /* set s begins at rows[s * stride]; rows[-1] exists */
    UInt line_bits, set_bits;
    UInt set_mask;
    UInt ways;
    UInt stride; /* ways, rounded up to whole vectors */
} Cache;

static Cache I1, D1, LL;
Geometry cp_I1, cp_D1, cp_LL;
Mru cp_mru_I1, cp_mru_D1;
UInt cp_min_line;

/* MRU lines of caches of up to this many sets lie in the tool's own data: their addresses fit in 32
 * bits and make shorter code. */
#define NEAR_SETS 4096
static ULong near_mru[2][NEAR_SETS];

/* lane_mask[k] selects the ways up to and including k. */
static UInt lane_mask[SHORT_ROW][SHORT_ROW] __attribute__((aligned(16)));

/* Line numbers too large for a tag, and the tags they got: a hash table, half empty at least.
 * Number 0 is never in it. */
static struct {
    ULong number;
    UInt tag;
} * wild;
static UInt n_wild, max_wild;

static UInt wild_slot(ULong number)
{
    UInt i = (UInt)(number * 0x9E3779B97F4A7C15ULL >> 32);

    for (i &= max_wild - 1; wild[i].number && wild[i].number != number;)
        i = (i + 1) & (max_wild - 1);
    return i;
}

static void grow_wild(void)
{
    __typeof__(wild) old = wild;
    UInt n_old = max_wild;

    max_wild = n_old ? 2 * n_old : 256;
    wild = VG_(calloc)("cp.cache.1", max_wild, sizeof *wild);
    for (UInt i = 0; i < n_old; i++)
        if (old[i].number)
            wild[wild_slot(old[i].number)] = old[i];
    VG_(free)(old);
}

static __attribute__((noinline)) UInt wild_tag(ULong number)
{
    UInt i;

    if (2 * n_wild >= max_wild)
        grow_wild();
    i = wild_slot(number);
    if (!wild[i].number) {
        wild[i].number = number;
        wild[i].tag = WILD_TAG + n_wild++;
    }
    return wild[i].tag;
}

static inline __m128i load(const UInt *p)
{
    return _mm_load_si128((const __m128i *)p);
}

static inline __m128i load_unaligned(const UInt *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

static inline UInt match(const UInt *p, __m128i tag)
{
    return (UInt)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(load(p), tag)));
}

/* The vector at p moved on by one way in the lanes that mask selects; `first` comes in at way 0 of
 * the row. */
static inline __m128i moved(const UInt *p, const UInt *mask, Bool is_first, __m128i tag)
{
    __m128i m = load(mask);
    __m128i shifted = load_unaligned(p - 1);

    if (is_first)
        shifted = _mm_castps_si128(_mm_move_ss(_mm_castsi128_ps(shifted), _mm_castsi128_ps(tag)));
    return _mm_or_si128(_mm_and_si128(m, shifted), _mm_andnot_si128(m, load(p)));
}

/* A reference to `tag` in a row of `n` vectors (a constant up to SHORT_ROW / VECTOR). True on a
 * miss. */
static inline __attribute__((always_inline)) Bool refer_short(UInt *row, UInt ways, UInt tag,
                                                              const UInt n)
{
    __m128i t = _mm_set1_epi32((Int)tag);
    __m128i v[SHORT_ROW / VECTOR];
    UInt found = 0, way;

    for (UInt i = 0; i < n; i++)
        found |= match(row + VECTOR * i, t) << (VECTOR * i);
    way = (UInt)__builtin_ctz(found | 1u << (ways - 1));
    for (UInt i = 0; i < n; i++)
        v[i] = moved(row + VECTOR * i, lane_mask[way] + VECTOR * i, i == 0, t);
    for (UInt i = 0; i < n; i++)
        _mm_store_si128((__m128i *)(row + VECTOR * i), v[i]);
    return found == 0;
}

/* The same for any number of ways. */
static __attribute__((noinline)) Bool refer_long(UInt *row, UInt ways, UInt tag)
{
    __m128i t = _mm_set1_epi32((Int)tag);
    UInt found = 0, i, way;

    for (i = 0; i < ways && !found; i += VECTOR)
        found = match(row + i, t);
    way = found ? i - VECTOR + (UInt)__builtin_ctz(found) : ways - 1;
    VG_(memmove)(row + 1, row, way * sizeof *row);
    row[0] = tag;
    return !found;
}

/* A reference to the line with this number (address >> line_bits). True on a miss. */
static inline __attribute__((always_inline)) Bool refer(const Cache *c, UWord line)
{
    UInt *row = c->rows + (line & c->set_mask) * c->stride;
    UWord number = line >> c->set_bits;
    UInt tag = LIKELY(number < WILD_TAG) ? (UInt)number : wild_tag(number);

    switch (c->stride) {
    case VECTOR:
        return refer_short(row, c->ways, tag, 1);
    case 2 * VECTOR:
        return refer_short(row, c->ways, tag, 2);
    case 3 * VECTOR:
        return refer_short(row, c->ways, tag, 3);
    case 4 * VECTOR:
        return refer_short(row, c->ways, tag, 4);
    default:
        return refer_long(row, c->ways, tag);
    }
}

/* A reference to the one or two lines of an access. Both are referred to, whatever the first one
 * gives. */
static inline __attribute__((always_inline)) Bool refer_access(const Cache *c, Addr a, UInt size)
{
    UWord first = a >> c->line_bits, last = (a + size - 1) >> c->line_bits;
    Bool miss = refer(c, first);

    if (UNLIKELY(first != last))
        miss |= refer(c, last);
    return miss;
}

static inline void note_mru(const Mru *mru, Addr a, UInt size)
{
    Addr last = a + size - 1;
    UWord number = last >> mru->line_bits;

    if (UNLIKELY(number != a >> mru->line_bits))
        mru->lines[(a >> mru->line_bits) & (mru->sets - 1)] = a >> mru->line_bits << mru->line_bits;
    mru->lines[number & (mru->sets - 1)] = number << mru->line_bits;
}

static inline __attribute__((always_inline)) void access(const Cache *c, const Mru *mru, Addr a,
                                                         Site *site)
{
    note_mru(mru, a, site->size);
    if (refer_access(c, a, site->size)) {
        site->miss1++;
        if (refer_access(&LL, a, site->size))
            site->missL++;
    }
}

VG_REGPARM(1) void cp_cache_fetch(Site *site)
{
    access(&I1, &cp_mru_I1, site->address, site);
}

VG_REGPARM(2) void cp_cache_read(Addr address, Site *site)
{
    access(&D1, &cp_mru_D1, address, site);
}

VG_REGPARM(2) void cp_cache_write(Addr address, Site *site)
{
    access(&D1, &cp_mru_D1, address, site);
}

/*--- Set-up ---*/

#define MIN_LINE 16 /* below, one access could touch three lines */

static const HChar *check(const Geometry *g)
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
    return check(geometry);
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
 * A last-level cache may have a number of sets that is no power of two. Its sets are then cut to
 * the next lower power and its ways raised in proportion, rounded to the nearest: cachegrind's rule
 * (maybe_tweak_LLc), kept so that both simulate one cache.
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

/* The host's geometry; cachegrind's defaults for this architecture where it cannot be had. */
static void detect(Geometry *i1, Geometry *d1, Geometry *ll)
{
    VexArchInfo host;
    const VexCache *i, *d, *l;

    VG_(machine_get_VexArchInfo)(NULL, &host);
    i = find_cache(&host.hwcache_info, INSN_CACHE, 1);
    d = find_cache(&host.hwcache_info, DATA_CACHE, 1);
    l = find_cache(&host.hwcache_info, UNIFIED_CACHE, host.hwcache_info.num_levels);
    if (i && d && l) {
        *i1 = geometry_of(i);
        /* The Pentium 4's trace cache is measured in micro-operations: cachegrind's guess of what
         * it is worth in bytes. */
        if (i->is_trace_cache)
            *i1 = (Geometry){i->sizeB <= 16 * 1024 ? 16 * 1024 : 32 * 1024, (Int)i->assoc, 32};
        *d1 = geometry_of(d);
        *ll = geometry_of(l);
        fit_sets(ll);
    } else {
        *i1 = *d1 = (Geometry){65536, 2, 64};
        *ll = (Geometry){262144, 8, 64};
    }
}

static void init_cache(Cache *c, const Geometry *g, const HChar *name)
{
    const HChar *wrong = check(g);
    UInt sets;
    UChar *memory;

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
    c->ways = (UInt)g->ways;
    c->stride = VG_ROUNDUP(c->ways, VECTOR);
    /* A vector before the first row for loads at row - 1, and room to align. */
    memory = VG_(malloc)("cp.cache.2", ((SizeT)sets * c->stride + VECTOR) * sizeof(UInt) + 64);
    c->rows = (UInt *)VG_ROUNDUP((Addr)memory + 16, 64);
    VG_(memset)(c->rows - VECTOR, 0xff, ((SizeT)sets * c->stride + VECTOR) * sizeof(UInt));
    /* As in cachegrind, whose tags begin as zeroes, line 0 is in its set from the start, in every
     * way. */
    for (UInt i = 0; i < c->ways; i++)
        c->rows[i] = 0;
}

/* Zeroes are right to begin with: line 0 is the most recently used of set 0, and no other set has
 * it. */
static void init_mru(Mru *mru, const Cache *c, ULong *near)
{
    mru->line_bits = c->line_bits;
    mru->sets = c->set_mask + 1;
    mru->lines =
        mru->sets <= NEAR_SETS ? near : VG_(calloc)("cp.cache.3", mru->sets, sizeof *mru->lines);
}

void cp_cache_init(const Geometry *i1, const Geometry *d1, const Geometry *ll)
{
    if (i1->size == -1 || d1->size == -1 || ll->size == -1)
        detect(&cp_I1, &cp_D1, &cp_LL);
    if (i1->size != -1)
        cp_I1 = *i1;
    if (d1->size != -1)
        cp_D1 = *d1;
    if (ll->size != -1)
        cp_LL = *ll;
    init_cache(&I1, &cp_I1, "I1");
    init_cache(&D1, &cp_D1, "D1");
    init_cache(&LL, &cp_LL, "LL");
    init_mru(&cp_mru_I1, &I1, near_mru[0]);
    init_mru(&cp_mru_D1, &D1, near_mru[1]);
    cp_min_line = (UInt)(cp_I1.line < cp_D1.line ? cp_I1.line : cp_D1.line);
    if ((UInt)cp_LL.line < cp_min_line)
        cp_min_line = (UInt)cp_LL.line;
    if (cp_min_line < VG_(machine_get_size_of_largest_guest_register)()) {
        VG_(umsg)
        ("cannot simulate lines of %u bytes: this processor's registers have %d; "
         "give larger lines with --I1, --D1 and --LL\n",
         cp_min_line, VG_(machine_get_size_of_largest_guest_register)());
        VG_(exit)(1);
    }
    for (UInt way = 0; way < SHORT_ROW; way++)
        for (UInt lane = 0; lane < SHORT_ROW; lane++)
            lane_mask[way][lane] = lane <= way ? ~0u : 0;
}
