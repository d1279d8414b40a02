/*
 * cp_l1.c - the first level: two caches whose sets have times (cp_set.h), and hints that say in
 * which way a line was last. cp_l1_routines.h has what depends on the number of vectors and on the
 * geometry, and is included once for each number.
 */
#include "cp_l1.h"

#include "cp_cache.h"
#include "cp_fetched.h"
#include "cp_lines.h"
#include "cp_ll.h"
#include "cp_model.h"
#include "cp_set.h"

/* Most first-level caches have 64 sets of lines of 64 bytes. This geometry has code of its own. */
#define USUAL_BITS CP_L1_BITS

/* Each set has at least SET_HINTS hints, and each cache at least MIN_HINTS. */
#define SET_HINTS 4
#define MIN_HINTS 4096

/* Each reference advances the clock. When it has come this far, it is put back between two
 * stretches of the program's code. */
#define LATE       (1 << 30)
#define CHECK_LATE 1000 /* with --cprof-check */

static Cache I1, D1;
Mru cp_mru_I1, cp_mru_D1;

/* Caches of up to this many sets have their most recently used lines in the tool's own data: these
 * addresses fit in 32 bits and make shorter code. Caches of the usual geometry have all else there,
 * too. [0]: I1, [1]: D1. */
#define NEAR_SETS 4096
static ULong near_mru[2][NEAR_SETS];
static UInt near_sets[2][(1 << USUAL_BITS) * 2 * MAX_SHORT * TAG_VECTOR]
    __attribute__((aligned(64)));
static UChar near_hints[2][MIN_HINTS];

/* For copies, D1 of the usual geometry; see UsualCache. */
static UShort near_ways[MIN_HINTS];
static ULong near_lines[(1 << USUAL_BITS) * 2 * MAX_SHORT * TAG_VECTOR];

/* The index of the cache, I1 or D1; a constant after inlining. */
static inline UInt near_index(const Cache *c)
{
    return c == &D1;
}

static inline void note_mru(const Mru *mru, UWord line)
{
    mru->lines[line & (mru->sets - 1)] = line << mru->line_bits;
}

static inline Bool is_mru(const Mru *mru, UWord line)
{
    return mru->lines[line & (mru->sets - 1)] == line << mru->line_bits;
}

/* Refers to a line that may be its set's most recently used: then nothing changes. */
static Bool refer_first(Cache *c, const Mru *mru, UWord line)
{
    if (is_mru(mru, line))
        return False;
    note_mru(mru, line);
    return c->refer(c, line);
}

/* Refers to one line or two. It refers to both even if the first one misses. */
static __attribute__((noinline)) void refer_lines(Cache *c, const Mru *mru, Addr a,
                                                  AccessPoint *point)
{
    UWord first = a >> c->line_bits, last = (a + point->size - 1) >> c->line_bits;
    Bool missed = refer_first(c, mru, first);

    if (first != last)
        missed |= refer_first(c, mru, last);
    if (missed)
        cp_ll_miss(point->kind == POINT_FETCH ? point->address : a, point);
}

/*--- With times ---*/

/* usual: the cache has the usual geometry. n: vectors of tags. Both are constants from here on. */
static inline UInt *timed_set(const Cache *c, UWord line, UInt n, Bool usual)
{
    return usual ? near_sets[near_index(c)] + (line & ((1u << USUAL_BITS) - 1)) * cp_l1_set_size(n)
                 : c->sets + (line & c->set_mask) * cp_l1_set_size(n);
}

static inline UChar *hint_for(const Cache *c, UWord line, Bool usual)
{
    return usual ? &near_hints[near_index(c)][line & (MIN_HINTS - 1)]
                 : &c->hints[line & c->hint_mask];
}

static inline void touch(Cache *c, UInt *set, UInt way, UInt n)
{
    cp_l1_set_times(set, n)[way] = c->clock++;
}

/* Says in which way of D1, of the usual geometry, the line is. */
static inline void note_way(UWord line, const UInt *way)
{
    UInt i = (UInt)(way - near_sets[1]);

    near_ways[line & (MIN_HINTS - 1)] = (UShort)i;
    near_lines[i] = line << USUAL_BITS;
}

/* Refers to a line whose hint may lead to another one. True on a miss. */
static inline __attribute__((always_inline)) Bool refer_timed(Cache *c, UWord line, UInt n,
                                                              Bool usual)
{
    UInt *set = timed_set(c, line, n, usual), tag = cp_model_tag(c, line);
    UInt way = cp_tag_row_way(set, tag, n, NO_TAG);
    Bool missed = way == NO_TAG;

    if (missed) {
        way = cp_l1_set_oldest(set, n);
        set[way] = tag;
    }
    *hint_for(c, line, usual) = (UChar)way;
    if (usual && c == &D1)
        note_way(line, set + way);
    touch(c, set, way, n);
    return missed;
}

/* True if the way has the line. A tag that stands for a wild number, sign-extended, equals no
 * line's. */
static inline Bool is_hinted(const Cache *c, UWord line, const UInt *set, UInt way, Bool usual)
{
    return (UWord)(Word)(Int)set[way] == line >> (usual ? USUAL_BITS : c->set_bits);
}

/* Refers to the line if its hint leads to it; else returns False. */
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

/* Accesses one line, which is not its set's most recently used. False: its hint does not lead to
 * it, and the caller has to make the reference, by a call, so that this function needs no registers
 * of its caller's. */
static inline __attribute__((always_inline)) Bool access(Cache *c, const Mru *mru, Addr a, UInt n,
                                                         Bool usual)
{
    UWord line = a >> (usual ? USUAL_BITS : c->line_bits);

    note_timed_mru(c, mru, line, usual);
    return refer_hinted(c, line, n, usual);
}

/* Accesses a line and the next one. False: nothing was done. */
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

/*--- Use of lines ---*/

/* The line is its set's most recently used now, and its hint leads to it. A line that missed takes
 * the place of another one. */
static inline __attribute__((always_inline)) void reach_line(UWord line, Bool missed, UInt n,
                                                             Bool usual)
{
    UWord set = line & (usual ? (1u << USUAL_BITS) - 1 : D1.set_mask);
    UInt row = (UInt)set * n * TAG_VECTOR + *hint_for(&D1, line, usual);

    if (missed)
        cp_lines_fetch(row);
    cp_lines_reach[set] = (Addr)cp_lines_row(row) - line * LINES_SIZE;
}

/* Accesses two lines, and marks what it has of the second one. */
static __attribute__((noinline)) void mark_two(Addr a, AccessPoint *point)
{
    UWord second = (a + point->size - 1) & ~(UWord)(LINES_SIZE - 1);

    refer_lines(&D1, &cp_mru_D1, a, point);
    cp_lines_mark(second, (UInt)(a + point->size - second));
}

/*
 * Addresses of fetches lie one behind another, and their access points lie as far behind
 * them. The model always needs the address, which would take a line of the host's near caches in
 * each access point; it needs the access point after a miss only.
 */
#define PLACES 512
typedef struct {
    Addr addresses[PLACES];
    AccessPoint *points[PLACES];
} Places;

const Addr *cp_cache_place(AccessPoint *fetch, Addr a)
{
    static Places *places;
    static UInt n = PLACES;

    if (fetch->place && *fetch->place == a)
        return fetch->place;
    if (n == PLACES) {
        places = VG_(malloc)("cp.l1.1", sizeof *places);
        n = 0;
    }
    places->addresses[n] = a;
    places->points[n] = fetch;
    return fetch->place = &places->addresses[n++];
}

static inline AccessPoint *point_at(const Addr *place)
{
    return *(AccessPoint *const *)(place + PLACES);
}

/* The routines for one form of cache; `refer` is for refer_lines(). */
typedef struct {
    Bool (*refer)(Cache *c, UWord line);
    VG_REGPARM(1) void (*fetch_at)(const Addr *place);
    VG_REGPARM(1) void (*fetch_two_at)(const Addr *place);
    VG_REGPARM(3) void (*data)(Addr a, AccessPoint *point, UWord room);

    /* The routines for D1 with use of lines. */
    Bool (*refer_marked)(Cache *c, UWord line);
    VG_REGPARM(3) void (*data_marked)(Addr a, AccessPoint *point, UWord room);
} Routines;

#define L1_VECTORS 1
#include "cp_l1_routines.h"
#define L1_VECTORS 2
#include "cp_l1_routines.h"
#define L1_VECTORS 3
#include "cp_l1_routines.h"
#define L1_VECTORS 4
#include "cp_l1_routines.h"
#define L1_VECTORS 5
#include "cp_l1_routines.h"
#define L1_VECTORS 6
#include "cp_l1_routines.h"
#define L1_VECTORS 7
#include "cp_l1_routines.h"
#define L1_VECTORS 8
#include "cp_l1_routines.h"

/*--- Of any form ---*/

/* For any number of lines, of a cache of any form. */
static VG_REGPARM(1) void fetch_at_any(const Addr *place)
{
    refer_lines(&I1, &cp_mru_I1, *place, point_at(place));
}

static VG_REGPARM(3) void data_any(Addr a, AccessPoint *point, UWord room)
{
    refer_lines(&D1, &cp_mru_D1, a, point);
}

VG_REGPARM(1) void (*cp_cache_fetch_at)(const Addr *place) = fetch_at_any;
VG_REGPARM(1) void (*cp_cache_fetch_two_at)(const Addr *place) = fetch_at_any;
VG_REGPARM(3) void (*cp_cache_data)(Addr address, AccessPoint *point, UWord room) = data_any;

/*--- Set-up ---*/

static Bool is_usual(const Cache *c)
{
    return c->line_bits == USUAL_BITS && c->set_bits == USUAL_BITS;
}

Bool cp_l1_is_usual(UsualCache *usual)
{
    if (!D1.hints || !is_usual(&D1) || clo_line_use)
        return False;
    *usual = (UsualCache){.ways = near_ways,
                          .hint_mask = MIN_HINTS - 1,
                          .lines = near_lines,
                          .times = (Int *)near_sets[1] + D1.vectors * TAG_VECTOR,
                          .clock = &D1.clock};
    return True;
}

static Int *last_time(void)
{
    for (UInt set = 0; set <= D1.set_mask; set++)
        for (UInt way = 0; way <= D1.last; way++) {
            Int *time = cp_l1_set_times(near_sets[1] + set * D1.set_size, D1.vectors) + way;
            if (*time == D1.clock - 1) {
                cp_mru_D1.lines[set] = 0; /* not known */
                return time;
            }
        }
    return NULL;
}

Int *cp_l1_take_back(Int before)
{
    Int *time = last_time();

    *time = before;
    D1.clock--;
    return time;
}

void cp_l1_repeat(Int *time)
{
    *time = D1.clock++;
}

/*--- Fetches of copies ---*/

static VG_REGPARM(1) void fetch_line_at(const Addr *place)
{
    if (cp_fetched_refer(cp_fetched_line(*place >> I1.line_bits)))
        cp_ll_miss(point_at(place)->address, point_at(place));
}

static VG_REGPARM(1) void fetch_lines_at(const Addr *place)
{
    Bool missed = cp_fetched_refer(cp_fetched_line(*place >> I1.line_bits));

    if (cp_fetched_refer(cp_fetched_line((*place >> I1.line_bits) + 1)) || missed)
        cp_ll_miss(point_at(place)->address, point_at(place));
}

void cp_l1_fetch_by_lines(void)
{
    cp_fetched_init(I1.set_mask + 1, I1.last + 1);
    cp_cache_fetch_at = fetch_line_at;
    cp_cache_fetch_two_at = fetch_lines_at;
}

/* Chooses the routines for the numbers of ways. */
static void choose_routines(void)
{
#define TIMED_ROW(n) [n] = {&routines_timed_##n, &routines_usual_##n},
    static const Routines *const timed[][2] = {FOR_EACH_SHORT(TIMED_ROW)};

    I1.refer = I1.vectors ? cp_model_refer_vectors : cp_model_refer_list;
    D1.refer = D1.vectors ? cp_model_refer_vectors : cp_model_refer_list;
    if (I1.hints) {
        const Routines *routines = timed[I1.vectors][is_usual(&I1)];
        I1.refer = routines->refer;
        cp_cache_fetch_at = routines->fetch_at;
        cp_cache_fetch_two_at = routines->fetch_two_at;
    }
    if (D1.hints) {
        const Routines *routines = timed[D1.vectors][is_usual(&D1)];
        D1.refer = clo_line_use ? routines->refer_marked : routines->refer;
        cp_cache_data = clo_line_use ? routines->data_marked : routines->data;
    }
}

Bool cp_cache_is_near(void)
{
    return cp_mru_I1.sets <= NEAR_SETS && cp_mru_D1.sets <= NEAR_SETS;
}

static void put_clock_back(Cache *c)
{
    Int greatest = 0;

    if (!c->hints || c->clock < (clo_check ? CHECK_LATE : LATE))
        return;
    for (UWord set = 0; set <= c->set_mask; set++) {
        Int t = cp_l1_set_renumber(c->sets + set * c->set_size, c->last + 1);
        if (t > greatest)
            greatest = t;
    }
    c->clock = greatest + 1;
}

void cp_l1_pause(void)
{
    put_clock_back(&I1);
    put_clock_back(&D1);
    cp_fetched_pause(clo_check ? CHECK_LATE : LATE);
}

/* All hints are way 0 at first. That way exists, and a reference compares its tag. */
static void init_hints(Cache *c)
{
    c->hint_mask = MIN_HINTS - 1;
    while (c->hint_mask < (UWord)SET_HINTS * c->set_mask)
        c->hint_mask = 2 * c->hint_mask + 1;
    c->hints =
        is_usual(c) ? near_hints[near_index(c)] : VG_(calloc)("cp.l1.2", c->hint_mask + 1, 1);
    c->clock = 1;
}

/* Empties all ways, but for line 0: see cp_model_empty(). */
static void empty_times(Cache *c)
{
    for (UInt set = 0; set <= c->set_mask; set++)
        cp_l1_set_init(c->sets + (SizeT)set * c->set_size, c->last + 1);
    c->sets[0] = 0;
    cp_l1_set_times(c->sets, c->vectors)[0] = c->clock++;
}

static void init_times(Cache *c)
{
    c->sets = is_usual(c) ? near_sets[near_index(c)] : cp_model_sets(c);
    empty_times(c);
}

/* Zeroes are right at first: line 0 is the most recently used of set 0, and no other set has it. */
static void init_mru(Mru *mru, const Cache *c, ULong *near)
{
    mru->line_bits = c->line_bits;
    mru->sets = c->set_mask + 1;
    mru->lines =
        mru->sets <= NEAR_SETS ? near : VG_(calloc)("cp.l1.3", mru->sets, sizeof *mru->lines);
}

static void init_cache(Cache *c, const Geometry *g, const HChar *name, Mru *mru)
{
    cp_model_shape(c, g, name);
    if (c->vectors && c->vectors <= MAX_SHORT) {
        c->set_size = cp_l1_set_size(c->vectors);
        init_hints(c);
        init_times(c);
    } else {
        c->sets = cp_model_sets(c);
        cp_model_empty(c);
    }
    init_mru(mru, c, near_mru[near_index(c)]);
}

/* Hints need not go: they are compared with what is there. */
static void empty_cache(Cache *c, Mru *mru)
{
    if (c->vectors && c->vectors <= MAX_SHORT) {
        c->clock = 1;
        empty_times(c);
    } else {
        cp_model_empty(c);
    }
    VG_(memset)(mru->lines, 0, mru->sets * sizeof *mru->lines);
}

void cp_l1_empty(void)
{
    if (clo_line_use)
        cp_lines_empty();
    empty_cache(&I1, &cp_mru_I1);
    empty_cache(&D1, &cp_mru_D1);
    VG_(memset)(near_lines, 0, sizeof near_lines);
    VG_(memset)(near_ways, 0, sizeof near_ways);
    cp_fetched_empty();
}

static void init_lines(void)
{
    if (D1.line_bits != USUAL_BITS || !D1.hints || !D1.set_mask) {
        VG_(umsg)
        ("--line-use=yes needs a D1 with lines of %d bytes, at most %d ways and 2 sets or more\n",
         LINES_SIZE, MAX_SHORT * TAG_VECTOR);
        VG_(exit)(1);
    }
    cp_lines_init(D1.set_mask + 1, D1.vectors * TAG_VECTOR);
}

void cp_l1_init(const Geometry *i1, const Geometry *d1)
{
    init_cache(&I1, i1, "I1", &cp_mru_I1);
    init_cache(&D1, d1, "D1", &cp_mru_D1);
    choose_routines();
    if (clo_line_use)
        init_lines();
}
