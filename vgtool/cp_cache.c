/*
 * Each set has two rows: 32-bit tags, and the time at which each way was last referred to. A
 * reference compares its tag with all of them at once, four to a vector, and on a hit stores the
 * time: nothing is moved, so that the next look at the set never waits for vectors just stored. On
 * a miss the way with the earliest time is the least recently used. Rows are padded to whole
 * vectors with a tag that no line has.
 *
 * The tag is the line's number without the bits that select the set. It is kept in 31 bits, which
 * is all of it for any address that Valgrind gives to a program, with the usual geometries; what is
 * left above that (wild pointers, caches of one set) is mapped to numbers of its own (`wild`), so
 * that tags are exact always.
 */
#include "cp_cache.h"

#include "cp_context.h"

#include "pub_tool_machine.h"
#include "pub_tool_options.h"

#include <emmintrin.h>

#define VECTOR    4           /* tags in a vector */
#define NO_TAG    0xFFFFFFFFu /* in ways beyond the last, and in empty ones */
#define WILD_TAG  0x80000000u /* numbers from here on stand for entries of `wild` */
#define LAST_TIME 0xFFFFFFFFu /* when the clock reaches it, it is set back */
#define MAX_SHORT 4           /* rows of up to this many vectors have code of their own */

typedef struct {
    UInt *rows; /* set s: tags at rows[s * 2 * stride], then as many times */
    UInt line_bits, set_bits;
    UInt set_mask;
    UInt ways;
    UInt stride; /* ways, rounded up to whole vectors */
    UInt now;    /* the time of the last reference */
} Cache;

static Cache I1, D1, LL;
Geometry cp_I1, cp_D1, cp_LL;
Mru cp_mru_I1, cp_mru_D1;
UInt cp_min_line;

/* MRU lines of caches of up to this many sets lie in the tool's own data: their addresses fit in 32
 * bits and make shorter code. */
#define NEAR_SETS 4096
static ULong near_mru[2][NEAR_SETS];

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

/* The times begin anew when the clock has run out: in each set they become ranks. */
static __attribute__((noinline)) void rewind_clock(Cache *c)
{
    UInt *ranks = VG_(malloc)("cp.cache.4", c->ways * sizeof *ranks);

    for (UWord set = 0; set <= c->set_mask; set++) {
        UInt *times = c->rows + set * 2 * c->stride + c->stride;

        for (UInt i = 0; i < c->ways; i++) {
            ranks[i] = 1;
            for (UInt k = 0; k < c->ways; k++)
                ranks[i] += times[k] < times[i];
        }
        VG_(memcpy)(times, ranks, c->ways * sizeof *ranks);
    }
    VG_(free)(ranks);
    c->now = c->ways + 1;
}

static inline UInt tick(Cache *c)
{
    if (UNLIKELY(++c->now == LAST_TIME))
        rewind_clock(c);
    return c->now;
}

/* Puts the tag in the place of the least recently used one. */
static void replace(Cache *c, UInt *row, UInt tag)
{
    UInt *times = row + c->stride;
    UInt oldest = 0;

    for (UInt i = 1; i < c->ways; i++)
        if (times[i] < times[oldest])
            oldest = i;
    row[oldest] = tag;
    times[oldest] = tick(c);
}

static inline __m128i compare(const UInt *p, __m128i tag)
{
    return _mm_cmpeq_epi32(_mm_load_si128((const __m128i *)p), tag);
}

/* Bit i is set where way i has the tag; for rows of n vectors, n constant. No tag is in a row
 * twice. */
static inline __attribute__((always_inline)) UInt find_short(const UInt *row, UInt tag,
                                                             const UInt n)
{
    __m128i t = _mm_set1_epi32((Int)tag);
    __m128i low = compare(row, t), high;

    if (n == 1)
        return (UInt)_mm_movemask_ps(_mm_castsi128_ps(low));
    low = _mm_packs_epi32(low, compare(row + VECTOR, t));
    if (n == 2)
        return (UInt)_mm_movemask_epi8(_mm_packs_epi16(low, _mm_setzero_si128()));
    high = compare(row + 2 * VECTOR, t);
    high = _mm_packs_epi32(high, n == 3 ? _mm_setzero_si128() : compare(row + 3 * VECTOR, t));
    return (UInt)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}

/* The way that has the tag, or -1; for rows of any length. */
static inline Int find_long(const UInt *row, UInt tag, UInt stride)
{
    __m128i t = _mm_set1_epi32((Int)tag);

    for (UInt i = 0; i < stride; i += VECTOR) {
        UInt found = (UInt)_mm_movemask_ps(_mm_castsi128_ps(compare(row + i, t)));
        if (found)
            return (Int)(i + (UInt)__builtin_ctz(found));
    }
    return -1;
}

static inline UInt tag_of(const Cache *c, UWord line)
{
    UWord number = line >> c->set_bits;

    return LIKELY(number < WILD_TAG) ? (UInt)number : wild_tag(number);
}

/* A reference to the line with this number (address >> line_bits), rows having n vectors; 0: any
 * number. True on a miss. */
static inline __attribute__((always_inline)) Bool refer(Cache *c, UWord line, const UInt n)
{
    UInt stride = n ? n * VECTOR : c->stride;
    UInt *row = c->rows + (line & c->set_mask) * 2 * stride;
    UInt tag = tag_of(c, line);

    if (n) {
        UInt found = find_short(row, tag, n);
        if (LIKELY(found)) {
            row[stride + (UInt)__builtin_ctz(found)] = tick(c);
            return False;
        }
    } else {
        Int way = find_long(row, tag, stride);
        if (way >= 0) {
            row[stride + (UInt)way] = tick(c);
            return False;
        }
    }
    replace(c, row, tag);
    return True;
}

static inline void note_mru(const Mru *mru, UWord line)
{
    mru->lines[line & (mru->sets - 1)] = line << mru->line_bits;
}

/* The column of first-level misses; that of last-level ones is the next. */
static const UChar miss_column[] = {
    [SITE_FETCH] = CP_COLUMN_I1MR, [SITE_READ] = CP_COLUMN_D1MR, [SITE_WRITE] = CP_COLUMN_D1MW};

static __attribute__((noinline)) void miss(Addr a, Site *site)
{
    UWord first = a >> LL.line_bits, last = (a + site->size - 1) >> LL.line_bits;
    Bool missed = refer(&LL, first, 0);

    if (first != last)
        missed |= refer(&LL, last, 0);
    cp_count(site->slot, miss_column[site->kind], 1);
    cp_count(site->slot + 1, miss_column[site->kind] + 1, missed);
}

/* An access to two lines. Both are referred to, whatever the first one gives. */
static __attribute__((noinline)) void straddle(Cache *c, const Mru *mru, Addr a, Site *site)
{
    UWord first = a >> c->line_bits;
    Bool missed = refer(c, first, 0);

    missed |= refer(c, first + 1, 0);
    note_mru(mru, first);
    note_mru(mru, first + 1);
    if (missed)
        miss(a, site);
}

/* An access to the first level whose rows have n vectors; 0: any number. */
static inline __attribute__((always_inline)) void access(Cache *c, const Mru *mru, Addr a,
                                                         Site *site, const UInt n)
{
    UWord line = a >> c->line_bits;

    if (UNLIKELY(((a + site->size - 1) >> c->line_bits) != line)) {
        straddle(c, mru, a, site);
        return;
    }
    note_mru(mru, line);
    if (UNLIKELY(refer(c, line, n)))
        miss(a, site);
}

#define SLOW_PATHS(n)                                      \
    static VG_REGPARM(1) void fetch_##n(Site *site)        \
    {                                                      \
        access(&I1, &cp_mru_I1, site->address, site, n);   \
    }                                                      \
    static VG_REGPARM(2) void data_##n(Addr a, Site *site) \
    {                                                      \
        access(&D1, &cp_mru_D1, a, site, n);               \
    }
SLOW_PATHS(0)
SLOW_PATHS(1)
SLOW_PATHS(2)
SLOW_PATHS(3)
SLOW_PATHS(4)
VG_REGPARM(1) void (*cp_cache_fetch)(Site *site);
VG_REGPARM(2) void (*cp_cache_data)(Addr address, Site *site);

/* Chooses the slow paths for the numbers of ways. */
static void choose_slow_paths(void)
{
    static void (*const fetches[])(Site *) = {fetch_0, fetch_1, fetch_2, fetch_3, fetch_4};
    static void (*const datas[])(Addr, Site *) = {data_0, data_1, data_2, data_3, data_4};

    cp_cache_fetch = fetches[I1.stride <= MAX_SHORT * VECTOR ? I1.stride / VECTOR : 0];
    cp_cache_data = datas[D1.stride <= MAX_SHORT * VECTOR ? D1.stride / VECTOR : 0];
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

/*
 * All ways are empty and equally old. Line 0 alone is in its set from the start: cachegrind's tags
 * begin as zeroes, which is that line's, and the copies of it in the other ways make no difference.
 */
static void init_rows(Cache *c, UInt sets)
{
    SizeT size = (SizeT)sets * 2 * c->stride * sizeof(UInt);

    c->rows = (UInt *)VG_ROUNDUP((Addr)VG_(malloc)("cp.cache.2", size + 63), 64);
    VG_(memset)(c->rows, 0xff, size);
    for (UInt set = 0; set < sets; set++)
        for (UInt way = 0; way < c->ways; way++)
            c->rows[(set * 2 + 1) * c->stride + way] = 0;
    c->rows[0] = 0;
    c->rows[c->stride] = 1;
}

static void init_cache(Cache *c, const Geometry *g, const HChar *name)
{
    const HChar *wrong = check(g);
    UInt sets;

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
    c->now = 1;
    init_rows(c, sets);
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
    choose_slow_paths();
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
}
