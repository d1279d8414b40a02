/*
 * cp_l1.c - data structure: D1. A set is a row of tags, and behind it a row of as many times, at
 * which each way was last used. A miss replaces the earliest.
 *
 * If the line is in the set already, a reference stores the time of its way and is done. A table of
 * hints tells it the way. So only misses, and lines whose hint has gone to another one, look at all
 * ways.
 *
 * Copies call it while vectors are the program's: it is compiled without any. To save and load
 * those takes longer than to look at eight ways, or twelve, one by one.
 */
#include "cp_l1.h"

#include "cp_cache.h"
#include "cp_lines.h"
#include "cp_ll.h"
#include "cp_model.h"

/* Most first-level caches have 64 sets of lines of 64 bytes. This geometry has code of its own. */
#define USUAL_BITS CP_L1_BITS

/* Each set has at least SET_HINTS hints, and each cache at least MIN_HINTS. */
#define SET_HINTS 4
#define MIN_HINTS 4096

static Cache D1;
Mru cp_mru_D1;

/* A cache of up to this many sets has its most recently used lines in the tool's own data: these
 * addresses fit in 32 bits and make shorter code. A cache of the usual geometry has all else there,
 * too. */
#define NEAR_SETS 4096
static ULong near_mru[NEAR_SETS];
static UInt near_sets[(1 << USUAL_BITS) * 2 * MAX_SHORT * TAG_VECTOR] __attribute__((aligned(64)));
static UChar near_hints[MIN_HINTS];

/* For copies, D1 of the usual geometry; see UsualCache. */
static UShort near_ways[MIN_HINTS];
static ULong near_lines[(1 << USUAL_BITS) * 2 * MAX_SHORT * TAG_VECTOR];

/* Where the most recently used line of the line's set is noted. */
static inline ULong *mru_of(UWord line)
{
    return &cp_mru_D1.lines[line & (cp_mru_D1.sets - 1)];
}

/*--- Sets with times ---*/

#define NEVER_OLDEST 0x7FFFFFFF /* the time of padding: never the earliest */

/* The ways of a set, with padding. */
static inline UInt padded(UInt vectors)
{
    return vectors * TAG_VECTOR;
}

/* n: the ways, with padding. usual: the cache has the usual geometry. Both are constants in what
 * FOR_EACH_SHORT makes. */
static inline UInt *timed_set(UWord line, UInt n, Bool usual)
{
    return usual ? near_sets + (line & ((1u << USUAL_BITS) - 1)) * 2 * n
                 : D1.sets + (line & D1.set_mask) * 2 * n;
}

static inline UChar *hint_for(UWord line, Bool usual)
{
    return usual ? &near_hints[line & (MIN_HINTS - 1)] : &D1.hints[line & D1.hint_mask];
}

static inline void touch(UInt *set, UInt way, UInt n)
{
    ((Int *)set)[n + way] = D1.clock++;
}

/* The way that has the tag, or `n`. */
static inline __attribute__((always_inline)) UInt way_of(const UInt *set, UInt tag, UInt n)
{
#pragma GCC unroll 32
    for (UInt i = 0; i < n; i++)
        if (UNLIKELY(set[i] == tag))
            return i;
    return n;
}

/* The way that was used least recently, or one of several that never were. No branch finds it:
 * which one it is cannot be predicted. */
static inline __attribute__((always_inline)) UInt oldest(const UInt *times, UInt n)
{
    ULong least = (ULong)times[0] << 32;

#pragma GCC unroll 32
    for (UInt i = 1; i < n; i++) {
        ULong time = (ULong)times[i] << 32 | i;
        least = time < least ? time : least;
    }
    return (UInt)least;
}

/* Says in which way of the usual geometry the line is. */
static inline void note_way(UWord line, const UInt *way)
{
    UInt i = (UInt)(way - near_sets);

    near_ways[line & (MIN_HINTS - 1)] = (UShort)i;
    near_lines[i] = -(line << USUAL_BITS);
}

/* Refers to a line whose hint leads to another one. True on a miss. */
static inline __attribute__((always_inline)) Bool refer_unhinted(UWord line, UInt n, Bool usual)
{
    UInt *set = timed_set(line, n, usual), tag = cp_model_tag(&D1, line);
    UInt way = way_of(set, tag, n);
    Bool missed = way == n;

    if (missed) {
        way = oldest(set + n, n);
        set[way] = tag;
    }
    *hint_for(line, usual) = (UChar)way;
    if (usual)
        note_way(line, set + way);
    touch(set, way, n);
    return missed;
}

/* True if the way has the line. A tag that stands for a wild number, sign-extended, equals no
 * line's. */
static inline Bool is_hinted(UWord line, const UInt *set, UInt way, Bool usual)
{
    return (UWord)(Word)(Int)set[way] == line >> (usual ? USUAL_BITS : D1.set_bits);
}

static inline __attribute__((always_inline)) Bool refer(UWord line, UInt n, Bool usual)
{
    UInt *set = timed_set(line, n, usual), way = *hint_for(line, usual);

    if (UNLIKELY(!is_hinted(line, set, way, usual)))
        return refer_unhinted(line, n, usual);
    touch(set, way, n);
    return False;
}

#define REFER(n)                                      \
    static Bool refer_timed_##n(Cache *c, UWord line) \
    {                                                 \
        return refer(line, n * TAG_VECTOR, False);    \
    }                                                 \
    static Bool refer_usual_##n(Cache *c, UWord line) \
    {                                                 \
        return refer(line, n * TAG_VECTOR, True);     \
    }
FOR_EACH_SHORT(REFER)

/*--- Use of lines ---*/

static Bool (*refer_unmarked)(Cache *c, UWord line);

/* The row of a line is known wherever it is the most recently used of its set. A line that missed
 * takes the place of another one. */
static Bool refer_marked(Cache *c, UWord line)
{
    UWord set = line & D1.set_mask;
    Bool missed = refer_unmarked(c, line);
    UInt row = (UInt)set * padded(D1.vectors) + D1.hints[line & D1.hint_mask];

    if (missed)
        cp_lines_fetch(row);
    cp_lines_reach[set] = (Addr)cp_lines_row(row) - line * LINES_SIZE;
    return missed;
}

/* Marks what an access to two lines has of the second one. */
static void mark_second(Addr a, UInt size)
{
    UWord second = (a + size - 1) & ~(UWord)(LINES_SIZE - 1);

    cp_lines_mark(second, (UInt)(a + size - second));
}

/*--- Accesses ---*/

/* Refers to a line that may be its set's most recently used: then nothing changes. */
static Bool refer_first(UWord line)
{
    ULong *mru = mru_of(line);

    if (*mru == -(line << D1.line_bits))
        return False;
    *mru = -(line << D1.line_bits);
    return D1.refer(&D1, line);
}

/* Refers to one line or two. It refers to both even if the first one misses. */
static __attribute__((noinline)) Bool refer_lines(Addr a, UInt size)
{
    UWord first = a >> D1.line_bits, last = (a + size - 1) >> D1.line_bits;
    Bool missed = refer_first(first);

    if (first != last)
        missed |= refer_first(last);
    if (clo_line_use)
        mark_second(a, size);
    return missed;
}

Bool cp_l1_access(Addr a, const AccessPoint *point, UWord room)
{
    UWord line = a >> D1.line_bits;

    if (UNLIKELY((a & ((1u << D1.line_bits) - 1)) > room))
        return refer_lines(a, point->size);
    *mru_of(line) = -(line << D1.line_bits);
    return D1.refer(&D1, line);
}

VG_REGPARM(3) void cp_cache_data(Addr a, AccessPoint *point, UWord room)
{
    if (UNLIKELY(cp_l1_access(a, point, room)))
        cp_ll_miss(a, point);
}

/*--- Set-up ---*/

static Bool is_usual(void)
{
    return D1.line_bits == USUAL_BITS && D1.set_bits == USUAL_BITS;
}

Bool cp_l1_is_usual(UsualCache *usual)
{
    if (!D1.hints || !is_usual() || clo_line_use)
        return False;
    *usual = (UsualCache){.ways = near_ways,
                          .hint_mask = MIN_HINTS - 1,
                          .lines = near_lines,
                          .times = (Int *)near_sets + padded(D1.vectors),
                          .clock = &D1.clock};
    return True;
}

static Int *times_of(UWord set)
{
    return (Int *)(D1.sets + set * D1.set_size + padded(D1.vectors));
}

static Int *last_time(void)
{
    for (UInt set = 0; set <= D1.set_mask; set++)
        for (UInt way = 0; way <= D1.last; way++) {
            Int *time = times_of(set) + way;
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

/* Chooses the routines for the number of ways. */
static void choose_routines(void)
{
#define REFER_ROW(n) [n] = {refer_timed_##n, refer_usual_##n},
    static Bool (*const timed[][2])(Cache * c, UWord line) = {FOR_EACH_SHORT(REFER_ROW)};

    D1.refer = D1.vectors ? cp_model_refer_vectors : cp_model_refer_list;
    if (D1.hints)
        D1.refer = timed[D1.vectors][is_usual()];
    if (clo_line_use) {
        refer_unmarked = D1.refer;
        D1.refer = refer_marked;
    }
}

Bool cp_cache_is_near(void)
{
    return cp_mru_D1.sets <= NEAR_SETS;
}

/* Makes the times of a set small: each becomes the number of ways with an earlier one. Returns the
 * greatest. */
static Int renumber(Int *times)
{
    Int order[MAX_SHORT * TAG_VECTOR], greatest = 0;

    for (UInt i = 0; i <= D1.last; i++) {
        order[i] = 0;
        for (UInt j = 0; j <= D1.last; j++)
            order[i] += times[j] < times[i];
        if (order[i] > greatest)
            greatest = order[i];
    }
    for (UInt i = 0; i <= D1.last; i++)
        times[i] = order[i];
    return greatest;
}

void cp_l1_pause(Int late)
{
    Int greatest = 0;

    if (!D1.hints || D1.clock < late)
        return;
    for (UWord set = 0; set <= D1.set_mask; set++) {
        Int t = renumber(times_of(set));
        if (t > greatest)
            greatest = t;
    }
    D1.clock = greatest + 1;
}

/* All hints are way 0 at first. That way exists, and a reference compares its tag. */
static void init_hints(void)
{
    D1.hint_mask = MIN_HINTS - 1;
    while (D1.hint_mask < (UWord)SET_HINTS * D1.set_mask)
        D1.hint_mask = 2 * D1.hint_mask + 1;
    D1.hints = is_usual() ? near_hints : VG_(calloc)("cp.l1.2", D1.hint_mask + 1, 1);
}

static void empty_set(UInt *set)
{
    const UInt n = padded(D1.vectors);

    for (UInt i = 0; i < n; i++) {
        set[i] = NO_TAG;
        set[n + i] = i <= D1.last ? 0 : NEVER_OLDEST;
    }
}

/* Empties all ways, but for line 0: see cp_model_empty(). Hints need not go: they are compared with
 * what is there. Zeroes are right for most recently used lines: line 0 is that of set 0, and no
 * other set has it. */
static void empty(void)
{
    if (D1.hints) {
        for (UInt set = 0; set <= D1.set_mask; set++)
            empty_set(D1.sets + (SizeT)set * D1.set_size);
        D1.sets[0] = 0;
        D1.clock = 1;
        times_of(0)[0] = D1.clock++;
    } else {
        cp_model_empty(&D1);
    }
    VG_(memset)(cp_mru_D1.lines, 0, cp_mru_D1.sets * sizeof *cp_mru_D1.lines);
}

void cp_l1_empty(void)
{
    if (clo_line_use)
        cp_lines_empty();
    empty();
    VG_(memset)(near_lines, 0, sizeof near_lines);
    VG_(memset)(near_ways, 0, sizeof near_ways);
}

static void init_lines(void)
{
    if (D1.line_bits != USUAL_BITS || !D1.hints || !D1.set_mask) {
        VG_(umsg)
        ("--line-use=yes needs a D1 with lines of %d bytes, at most %d ways and 2 sets or more\n",
         LINES_SIZE, MAX_SHORT * TAG_VECTOR);
        VG_(exit)(1);
    }
    cp_lines_init(D1.set_mask + 1, padded(D1.vectors));
}

void cp_l1_init(const Geometry *d1)
{
    cp_model_shape(&D1, d1, "D1");
    if (D1.vectors && D1.vectors <= MAX_SHORT) {
        D1.set_size = 2 * padded(D1.vectors);
        init_hints();
    }
    D1.sets = D1.hints && is_usual() ? near_sets : cp_model_memory(&D1, D1.set_size);
    cp_mru_D1 = (Mru){.line_bits = D1.line_bits, .sets = D1.set_mask + 1, .lines = near_mru};
    if (!cp_cache_is_near())
        cp_mru_D1.lines = VG_(calloc)("cp.l1.3", cp_mru_D1.sets, sizeof *cp_mru_D1.lines);
    empty();
    choose_routines();
    if (clo_line_use)
        init_lines();
}
