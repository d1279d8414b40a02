/*
 * What a reference does to a set is in cp_set.h for the last level, and in cp_first.h for the first
 * ones. Caches of more ways than these can do (fully associative ones, mostly) are lists, kept in
 * order of use.
 *
 * The tag is the line's number without the bits that select the set. It is kept in 31 bits, which
 * is all of it for any address that Valgrind gives to a program, with the usual geometries; what is
 * left above that (wild pointers, caches of one set) is mapped to numbers of its own (`wild`), so
 * that tags are exact always.
 */
#include "cp_cache.h"

#include "cp_first.h"
#include "cp_geometry.h"
#include "cp_tally.h"

#include "pub_tool_machine.h"

#define WILD_TAG  0x80000000u /* numbers from here on stand for entries of `wild` */
#define MAX_SHORT 8           /* sets of up to this many vectors of tags have code of their own */

/* The geometry of most first-level caches by far: 64 sets of lines of 64 bytes. It has code of its
 * own, too. */
#define USUAL_BITS 6

/* For each set there are at least so many hints, and these in all. */
#define SET_HINTS 4
#define MIN_HINTS 4096

/* First-level caches with code of their own have times (cp_first.h), others ranks (cp_set.h). The
 * clock goes forward once for a reference; between two stretches of the program's code it is put
 * back where it has come this far. */
#define LATE       (1 << 30)
#define CHECK_LATE 1000 /* with --cprof-check */

#define MAX_WAITING 16

typedef struct Cache {
    UInt *sets;
    UInt set_size; /* in words */
    UInt line_bits, set_bits;
    UInt set_mask;
    UInt last;                                  /* ways - 1 */
    UInt vectors;                               /* of tags; 0: a list */
    Bool (*refer)(struct Cache *c, UWord line); /* to the line with this number; True on a miss */

    /* With times only: where a line with this number, cut to these bits, was last. */
    UChar *hints; /* NULL: ranks */
    UWord hint_mask;
    Int clock;
} Cache;

static Cache I1, D1, LL;
Geometry cp_I1, cp_D1, cp_LL;
Mru cp_mru_I1, cp_mru_D1;
UInt cp_min_line;

/* MRU lines of caches of up to this many sets lie in the tool's own data: their addresses fit in 32
 * bits and make shorter code. So does all that caches of the usual geometry have. [0]: I1, [1]: D1.
 */
#define NEAR_SETS 4096
static ULong near_mru[2][NEAR_SETS];
static UInt near_sets[2][(1 << USUAL_BITS) * 2 * MAX_SHORT * SET_VECTOR]
    __attribute__((aligned(64)));
static UChar near_hints[2][MIN_HINTS];

/* The first level is two caches; which is known where code is compiled. */
static inline UInt near_index(const Cache *c)
{
    return c == &D1;
}

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

static inline UInt tag_of(const Cache *c, UWord line)
{
    UWord number = line >> c->set_bits;

    return LIKELY(number < WILD_TAG) ? (UInt)number : wild_tag(number);
}

static inline UInt *set_of(const Cache *c, UWord line)
{
    return c->sets + (line & c->set_mask) * (UWord)c->set_size;
}

/* A list: the most recently used first. */
static Bool refer_list(Cache *c, UWord line)
{
    UInt *list = set_of(c, line);
    UInt tag = tag_of(c, line), i = 0;
    Bool miss;

    while (i < c->last && list[i] != tag)
        i++;
    miss = list[i] != tag;
    for (; i; i--)
        list[i] = list[i - 1];
    list[0] = tag;
    return miss;
}

static Bool refer_vectors(Cache *c, UWord line)
{
    return cp_set_refer(set_of(c, line), tag_of(c, line), c->last, c->vectors);
}

/*--- Misses of the first level ---*/

static inline void note_mru(const Mru *mru, UWord line)
{
    mru->lines[line & (mru->sets - 1)] = line << mru->line_bits;
}

static inline Bool is_mru(const Mru *mru, UWord line)
{
    return mru->lines[line & (mru->sets - 1)] == line << mru->line_bits;
}

/* The column of first-level misses; that of last-level ones is the next. */
static const UChar miss_column[] = {
    [SITE_FETCH] = CP_COLUMN_I1MR, [SITE_READ] = CP_COLUMN_D1MR, [SITE_WRITE] = CP_COLUMN_D1MW};

static void refer_last(Addr a, Site *site)
{
    UWord first = a >> LL.line_bits, last = (a + site->size - 1) >> LL.line_bits;
    Bool missed = LL.refer(&LL, first);

    if (first != last)
        missed |= LL.refer(&LL, last);
    cp_count(site, miss_column[site->kind], 1, missed);
}

/* Misses of the first level, in order, that are still to be referred to the last one: its sets do
 * not fit in the host's near caches, and get there in the meantime. */
static struct {
    Addr address;
    Site *site;
} waiting[MAX_WAITING];
static UInt n_waiting;
static UInt most_waiting = 1;

static void refer_waiting(void)
{
    for (UInt i = 0; i < n_waiting; i++)
        refer_last(waiting[i].address, waiting[i].site);
    n_waiting = 0;
}

static __attribute__((noinline)) void miss(Addr a, Site *site)
{
    const HChar *set = (const HChar *)set_of(&LL, a >> LL.line_bits);

    __builtin_prefetch(set, 1);
    __builtin_prefetch(set + 64, 1);
    waiting[n_waiting].address = a;
    waiting[n_waiting].site = site;
    if (++n_waiting == most_waiting)
        refer_waiting();
}

/* A reference to a line that may be its set's most recently used: then nothing changes. */
static Bool refer_first(Cache *c, const Mru *mru, UWord line)
{
    if (is_mru(mru, line))
        return False;
    note_mru(mru, line);
    return c->refer(c, line);
}

/* An access to one line or two. Both are referred to, whatever the first one gives. */
static __attribute__((noinline)) void refer_lines(Cache *c, const Mru *mru, Addr a, Site *site)
{
    UWord first = a >> c->line_bits, last = (a + site->size - 1) >> c->line_bits;
    Bool missed = refer_first(c, mru, first);

    if (first != last)
        missed |= refer_first(c, mru, last);
    if (missed)
        miss(site->kind == SITE_FETCH ? site->address : a, site);
}

/*--- The first level, with times ---*/

/* usual: the geometry is. n: vectors of tags. Both are constants, here and below. */
static inline UInt *timed_set(const Cache *c, UWord line, UInt n, Bool usual)
{
    return usual ? near_sets[near_index(c)] + (line & ((1u << USUAL_BITS) - 1)) * cp_first_size(n)
                 : c->sets + (line & c->set_mask) * cp_first_size(n);
}

static inline UChar *hint_for(const Cache *c, UWord line, Bool usual)
{
    return usual ? &near_hints[near_index(c)][line & (MIN_HINTS - 1)]
                 : &c->hints[line & c->hint_mask];
}

static inline void touch(Cache *c, UInt *set, UInt way, UInt n)
{
    cp_first_times(set, n)[way] = c->clock++;
}

/* A reference to a line whose hint may lead to another one; True on a miss. */
static inline __attribute__((always_inline)) Bool refer_timed(Cache *c, UWord line, UInt n,
                                                              Bool usual)
{
    UInt *set = timed_set(c, line, n, usual), tag = tag_of(c, line);
    UInt way = cp_set_way(set, tag, n, SET_NO_TAG);
    Bool missed = way == SET_NO_TAG;

    if (missed) {
        way = cp_first_oldest(set, n);
        set[way] = tag;
    }
    *hint_for(c, line, usual) = (UChar)way;
    touch(c, set, way, n);
    return missed;
}

/* A tag that stands for a wild number is none, sign-extended. */
static inline Bool is_hinted(const Cache *c, UWord line, const UInt *set, UInt way, Bool usual)
{
    return (UWord)(Word)(Int)set[way] == line >> (usual ? USUAL_BITS : c->set_bits);
}

/* A reference to the line, done where its hint leads to it; else False. */
static inline __attribute__((always_inline)) Bool refer_hinted(Cache *c, UWord line, UInt n,
                                                               Bool usual)
{
    UInt *set = timed_set(c, line, n, usual), way = *hint_for(c, line, usual);

    if (UNLIKELY(!is_hinted(c, line, set, way, usual)))
        return False;
    touch(c, set, way, n);
    return True;
}

/* Makes the line its set's most recently used. */
static inline void note_timed_mru(const Cache *c, const Mru *mru, UWord line, Bool usual)
{
    if (usual)
        near_mru[near_index(c)][line & ((1u << USUAL_BITS) - 1)] = line << USUAL_BITS;
    else
        note_mru(mru, line);
}

/* An access to one line, that is not its set's most recently used. False where its hint does not
 * lead to it: the reference is still to be made, by a call, so that what is done here needs no
 * registers of its caller's. */
static inline __attribute__((always_inline)) Bool access(Cache *c, const Mru *mru, Addr a, UInt n,
                                                         Bool usual)
{
    UWord line = a >> (usual ? USUAL_BITS : c->line_bits);

    note_timed_mru(c, mru, line, usual);
    return refer_hinted(c, line, n, usual);
}

/* An access to a line and the next one. False: nothing was done. */
static inline __attribute__((always_inline)) Bool access_two(Cache *c, const Mru *mru, Addr a,
                                                             UInt n, Bool usual)
{
    UWord line = a >> (usual ? USUAL_BITS : c->line_bits);
    UInt *set = timed_set(c, line, n, usual), *next = timed_set(c, line + 1, n, usual);
    UInt way = *hint_for(c, line, usual), next_way = *hint_for(c, line + 1, usual);

    if (UNLIKELY(!is_hinted(c, line, set, way, usual) ||
                 !is_hinted(c, line + 1, next, next_way, usual)))
        return False;
    note_timed_mru(c, mru, line, usual);
    note_timed_mru(c, mru, line + 1, usual);
    touch(c, set, way, n);
    touch(c, next, next_way, n);
    return True;
}

/*
 * Addresses that hot code refers to, one behind another, and the sites of these fetches as far
 * behind them. A call of the model needs the address, which would be a line of the host's near
 * caches for each of the sites; the site it needs after a miss only.
 */
#define PLACES 512
typedef struct {
    Addr addresses[PLACES];
    Site *sites[PLACES];
} Places;

const Addr *cp_cache_place(Site *fetch, Addr a)
{
    static Places *places;
    static UInt n = PLACES;

    if (fetch->place && *fetch->place == a)
        return fetch->place;
    if (n == PLACES) {
        places = VG_(malloc)("cp.cache.5", sizeof *places);
        n = 0;
    }
    places->addresses[n] = a;
    places->sites[n] = fetch;
    return fetch->place = &places->addresses[n++];
}

static inline Site *site_at(const Addr *place)
{
    return *(Site *const *)(place + PLACES);
}

/* What there is to choose from; `refer` is for refer_lines(). */
typedef struct {
    Bool (*refer)(Cache *c, UWord line);
    void (*fetch)(Addr a, Site *site);
    void (*fetch_two)(Addr a, Site *site);
    VG_REGPARM(1) void (*fetch_at)(const Addr *place);
    VG_REGPARM(1) void (*fetch_two_at)(const Addr *place);
    VG_REGPARM(3) void (*data)(Addr a, Site *site, UWord room);
} Paths;

#define PATHS(name, n, usual)                                                                  \
    static Bool refer_##name(Cache *c, UWord line)                                             \
    {                                                                                          \
        return !refer_hinted(c, line, n, usual) && refer_timed(c, line, n, usual);             \
    }                                                                                          \
    static __attribute__((noinline)) void fetch_unhinted_##name(Addr a, Site *site)            \
    {                                                                                          \
        if (UNLIKELY(refer_timed(&I1, a >> (usual ? USUAL_BITS : I1.line_bits), n, usual)))    \
            miss(site->address, site);                                                         \
    }                                                                                          \
    static __attribute__((noinline)) void data_unhinted_##name(Addr a, Site *site)             \
    {                                                                                          \
        if (UNLIKELY(refer_timed(&D1, a >> (usual ? USUAL_BITS : D1.line_bits), n, usual)))    \
            miss(a, site);                                                                     \
    }                                                                                          \
    static void fetch_##name(Addr a, Site *site)                                               \
    {                                                                                          \
        if (UNLIKELY(!access(&I1, &cp_mru_I1, a, n, usual)))                                   \
            fetch_unhinted_##name(a, site);                                                    \
    }                                                                                          \
    static void fetch_two_##name(Addr a, Site *site)                                           \
    {                                                                                          \
        if (UNLIKELY(!access_two(&I1, &cp_mru_I1, a, n, usual)))                               \
            refer_lines(&I1, &cp_mru_I1, a, site);                                             \
    }                                                                                          \
    static VG_REGPARM(1) void fetch_at_##name(const Addr *place)                               \
    {                                                                                          \
        if (UNLIKELY(!access(&I1, &cp_mru_I1, *place, n, usual)))                              \
            fetch_unhinted_##name(*place, site_at(place));                                     \
    }                                                                                          \
    static VG_REGPARM(1) void fetch_two_at_##name(const Addr *place)                           \
    {                                                                                          \
        if (UNLIKELY(!access_two(&I1, &cp_mru_I1, *place, n, usual)))                          \
            refer_lines(&I1, &cp_mru_I1, *place, site_at(place));                              \
    }                                                                                          \
    static __attribute__((noinline)) void data_two_##name(Addr a, Site *site)                  \
    {                                                                                          \
        if (UNLIKELY(!access_two(&D1, &cp_mru_D1, a, n, usual)))                               \
            refer_lines(&D1, &cp_mru_D1, a, site);                                             \
    }                                                                                          \
    static VG_REGPARM(3) void data_##name(Addr a, Site *site, UWord room)                      \
    {                                                                                          \
        if (UNLIKELY((a & ((1u << (usual ? USUAL_BITS : D1.line_bits)) - 1)) > room))          \
            data_two_##name(a, site);                                                          \
        else if (UNLIKELY(!access(&D1, &cp_mru_D1, a, n, usual)))                              \
            data_unhinted_##name(a, site);                                                     \
    }                                                                                          \
    static const Paths paths_##name = {refer_##name,    fetch_##name,        fetch_two_##name, \
                                       fetch_at_##name, fetch_two_at_##name, data_##name};
#define RANKED(n)                                                                   \
    static Bool refer_ranked_##n(Cache *c, UWord line)                              \
    {                                                                               \
        return cp_set_refer(c->sets + (line & c->set_mask) * (UWord)cp_set_size(n), \
                            tag_of(c, line), c->last, n);                           \
    }
#define FOR_EACH_SHORT(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#define PATHS_OF(n)       PATHS(timed_##n, n, False) PATHS(usual_##n, n, True) RANKED(n)
FOR_EACH_SHORT(PATHS_OF)

/* To any number of lines, of a cache of any form. */
static void fetch_any(Addr a, Site *site)
{
    refer_lines(&I1, &cp_mru_I1, a, site);
}

static VG_REGPARM(1) void fetch_at_any(const Addr *place)
{
    refer_lines(&I1, &cp_mru_I1, *place, site_at(place));
}

static VG_REGPARM(3) void data_any(Addr a, Site *site, UWord room)
{
    refer_lines(&D1, &cp_mru_D1, a, site);
}

void (*cp_cache_fetch)(Addr address, Site *site) = fetch_any;
void (*cp_cache_fetch_two)(Addr address, Site *site) = fetch_any;
VG_REGPARM(1) void (*cp_cache_fetch_at)(const Addr *place) = fetch_at_any;
VG_REGPARM(1) void (*cp_cache_fetch_two_at)(const Addr *place) = fetch_at_any;
VG_REGPARM(3) void (*cp_cache_data)(Addr address, Site *site, UWord room) = data_any;

static Bool is_usual(const Cache *c)
{
    return c->line_bits == USUAL_BITS && c->set_bits == USUAL_BITS;
}

/* Chooses the code for the numbers of ways. */
static void choose_slow_paths(void)
{
#define TIMED_ROW(n)  [n] = {&paths_timed_##n, &paths_usual_##n},
#define RANKED_ROW(n) [n] = refer_ranked_##n,
    static const Paths *const timed[][2] = {FOR_EACH_SHORT(TIMED_ROW)};
    static Bool (*const ranked[])(Cache * c, UWord line) = {FOR_EACH_SHORT(RANKED_ROW)};
    UInt n = LL.vectors;

    LL.refer = !n ? refer_list : n <= MAX_SHORT ? ranked[n] : refer_vectors;
    I1.refer = I1.vectors ? refer_vectors : refer_list;
    D1.refer = D1.vectors ? refer_vectors : refer_list;
    if (I1.hints) {
        const Paths *paths = timed[I1.vectors][is_usual(&I1)];
        I1.refer = paths->refer;
        cp_cache_fetch = paths->fetch;
        cp_cache_fetch_two = paths->fetch_two;
        cp_cache_fetch_at = paths->fetch_at;
        cp_cache_fetch_two_at = paths->fetch_two_at;
    }
    if (D1.hints) {
        D1.refer = timed[D1.vectors][is_usual(&D1)]->refer;
        cp_cache_data = timed[D1.vectors][is_usual(&D1)]->data;
    }
}

static void put_clock_back(Cache *c)
{
    Int greatest = 0;

    if (!c->hints || c->clock < (clo_check ? CHECK_LATE : LATE))
        return;
    for (UWord set = 0; set <= c->set_mask; set++) {
        Int t = cp_first_renumber(c->sets + set * c->set_size, c->last + 1);
        if (t > greatest)
            greatest = t;
    }
    c->clock = greatest + 1;
}

void cp_cache_pause(void)
{
    refer_waiting();
    put_clock_back(&I1);
    put_clock_back(&D1);
}

/*--- Set-up ---*/

/*
 * All ways are empty. Line 0 alone is in its set from the start: cachegrind's tags begin as zeroes,
 * which is that line's, and the copies of it in the other ways make no difference.
 */
static void init_sets(Cache *c, UInt sets, UInt ways)
{
    SizeT size = (SizeT)sets * c->set_size * sizeof(UInt);

    if (c->hints && is_usual(c))
        c->sets = near_sets[near_index(c)];
    else
        c->sets = (UInt *)VG_ROUNDUP((Addr)VG_(malloc)("cp.cache.2", size + 63), 64);
    VG_(memset)(c->sets, 0xff, size);
    for (UInt set = 0; c->vectors && set < sets; set++)
        (c->hints ? cp_first_init : cp_set_init)(c->sets + (SizeT)set * c->set_size, ways);
    c->sets[0] = 0;
    if (c->hints)
        cp_first_times(c->sets, c->vectors)[0] = c->clock++;
}

/* All hints are way 0, to begin with: there is one, and its tag is looked at. */
static void init_hints(Cache *c)
{
    c->hint_mask = MIN_HINTS - 1;
    while (c->hint_mask < (UWord)SET_HINTS * c->set_mask)
        c->hint_mask = 2 * c->hint_mask + 1;
    c->hints =
        is_usual(c) ? near_hints[near_index(c)] : VG_(calloc)("cp.cache.4", c->hint_mask + 1, 1);
    c->clock = 1;
}

static void init_cache(Cache *c, const Geometry *g, const HChar *name)
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
    c->vectors = ways <= SET_MAX_WAYS ? cp_set_vectors(ways) : 0;
    c->set_size = c->vectors ? cp_set_size(c->vectors) : ways;
    if (c != &LL && c->vectors && c->vectors <= MAX_SHORT) {
        c->set_size = cp_first_size(c->vectors);
        init_hints(c);
    }
    init_sets(c, sets, ways);
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
        cp_geometry_host(&cp_I1, &cp_D1, &cp_LL);
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
    /* Inclusive costs are differences of the totals at calls and returns: there, nothing can wait.
     */
    most_waiting = clo_contexts ? 1 : MAX_WAITING;
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
