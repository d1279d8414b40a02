/*
 * cp_l1.c - D1: its sets have times (cp_set.h), and hints say in which way a line was last.
 * cp_l1_routines.h has what depends on the number of vectors and on the geometry, and is included
 * once for each number.
 */
#include "cp_l1.h"

#include "cp_cache.h"
#include "cp_lines.h"
#include "cp_ll.h"
#include "cp_model.h"
#include "cp_pending.h"
#include "cp_set.h"

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
static __attribute__((noinline)) void refer_lines(Addr a, AccessPoint *point)
{
    UWord first = a >> D1.line_bits, last = (a + point->size - 1) >> D1.line_bits;
    Bool missed = refer_first(first);

    if (first != last)
        missed |= refer_first(last);
    if (missed)
        cp_ll_miss(a, point);
}

/*--- With times ---*/

/* usual: the cache has the usual geometry. n: vectors of tags. Both are constants from here on. */
static inline UInt *timed_set(UWord line, UInt n, Bool usual)
{
    return usual ? near_sets + (line & ((1u << USUAL_BITS) - 1)) * cp_l1_set_size(n)
                 : D1.sets + (line & D1.set_mask) * cp_l1_set_size(n);
}

static inline UChar *hint_for(UWord line, Bool usual)
{
    return usual ? &near_hints[line & (MIN_HINTS - 1)] : &D1.hints[line & D1.hint_mask];
}

static inline void touch(UInt *set, UInt way, UInt n)
{
    cp_l1_set_times(set, n)[way] = D1.clock++;
}

/* Says in which way of the usual geometry the line is. */
static inline void note_way(UWord line, const UInt *way)
{
    UInt i = (UInt)(way - near_sets);

    near_ways[line & (MIN_HINTS - 1)] = (UShort)i;
    near_lines[i] = -(line << USUAL_BITS);
}

/* Refers to a line whose hint may lead to another one. True on a miss. */
static inline __attribute__((always_inline)) Bool refer_timed(UWord line, UInt n, Bool usual)
{
    UInt *set = timed_set(line, n, usual), tag = cp_model_tag(&D1, line);
    UInt way = cp_tag_row_way(set, tag, n, NO_TAG);
    Bool missed = way == NO_TAG;

    if (missed) {
        way = cp_l1_set_oldest(set, n);
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

/* Refers to the line if its hint leads to it; else returns False. */
static inline __attribute__((always_inline)) Bool refer_hinted(UWord line, UInt n, Bool usual)
{
    UInt *set = timed_set(line, n, usual), way = *hint_for(line, usual);

    if (UNLIKELY(!is_hinted(line, set, way, usual)))
        return False;
    touch(set, way, n);
    return True;
}

/* Makes the line its set's most recently used. */
static inline void note_timed_mru(UWord line, Bool usual)
{
    if (usual)
        near_mru[line & ((1u << USUAL_BITS) - 1)] = -(line << USUAL_BITS);
    else
        *mru_of(line) = -(line << D1.line_bits);
}

/* Accesses one line, which is not its set's most recently used. False: its hint does not lead to
 * it, and the caller has to make the reference, by a call, so that this function needs no registers
 * of its caller's. */
static inline __attribute__((always_inline)) Bool access(Addr a, UInt n, Bool usual)
{
    UWord line = a >> (usual ? USUAL_BITS : D1.line_bits);

    note_timed_mru(line, usual);
    return refer_hinted(line, n, usual);
}

/* Accesses a line and the next one. False: nothing was done. */
static inline __attribute__((always_inline)) Bool access_two(Addr a, UInt n, Bool usual)
{
    UWord line = a >> (usual ? USUAL_BITS : D1.line_bits);
    UInt *set = timed_set(line, n, usual), *next = timed_set(line + 1, n, usual);
    UInt way = *hint_for(line, usual), next_way = *hint_for(line + 1, usual);

    if (UNLIKELY(!is_hinted(line, set, way, usual) || !is_hinted(line + 1, next, next_way, usual)))
        return False;
    note_timed_mru(line, usual);
    note_timed_mru(line + 1, usual);
    touch(set, way, n);
    touch(next, next_way, n);
    return True;
}

/*--- Use of lines ---*/

/* The line is its set's most recently used now, and its hint leads to it. A line that missed takes
 * the place of another one. */
static inline __attribute__((always_inline)) void reach_line(UWord line, Bool missed, UInt n,
                                                             Bool usual)
{
    UWord set = line & (usual ? (1u << USUAL_BITS) - 1 : D1.set_mask);
    UInt row = (UInt)set * n * TAG_VECTOR + *hint_for(line, usual);

    if (missed)
        cp_lines_fetch(row);
    cp_lines_reach[set] = (Addr)cp_lines_row(row) - line * LINES_SIZE;
}

/* Accesses two lines, and marks what it has of the second one. */
static __attribute__((noinline)) void mark_two(Addr a, AccessPoint *point)
{
    UWord second = (a + point->size - 1) & ~(UWord)(LINES_SIZE - 1);

    refer_lines(a, point);
    cp_lines_mark(second, (UInt)(a + point->size - second));
}

/* The routines for one form of cache; `refer` is for refer_lines(). */
typedef struct {
    Bool (*refer)(Cache *c, UWord line);
    VG_REGPARM(3) void (*data)(Addr a, AccessPoint *point, UWord room);

    /* Where the use of lines counts. */
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

static VG_REGPARM(3) void data_any(Addr a, AccessPoint *point, UWord room)
{
    refer_lines(a, point);
}

VG_REGPARM(3) void (*cp_cache_data)(Addr address, AccessPoint *point, UWord room) = data_any;

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
                          .times = (Int *)near_sets + D1.vectors * TAG_VECTOR,
                          .clock = &D1.clock};
    return True;
}

static Int *last_time(void)
{
    for (UInt set = 0; set <= D1.set_mask; set++)
        for (UInt way = 0; way <= D1.last; way++) {
            Int *time = cp_l1_set_times(near_sets + set * D1.set_size, D1.vectors) + way;
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

/* Chooses the routines for the numbers of ways. */
static void choose_routines(void)
{
#define TIMED_ROW(n) [n] = {&routines_timed_##n, &routines_usual_##n},
    static const Routines *const timed[][2] = {FOR_EACH_SHORT(TIMED_ROW)};

    D1.refer = D1.vectors ? cp_model_refer_vectors : cp_model_refer_list;
    if (D1.hints) {
        const Routines *routines = timed[D1.vectors][is_usual()];
        D1.refer = clo_line_use ? routines->refer_marked : routines->refer;
        cp_cache_data = clo_line_use ? routines->data_marked : routines->data;
    }
}

Bool cp_cache_is_near(void)
{
    return cp_mru_D1.sets <= NEAR_SETS;
}

void cp_l1_pause(Int late)
{
    Int greatest = 0;

    if (!D1.hints || D1.clock < late)
        return;
    for (UWord set = 0; set <= D1.set_mask; set++) {
        Int t = cp_l1_set_renumber(D1.sets + set * D1.set_size, D1.last + 1);
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

/* Empties all ways, but for line 0: see cp_model_empty(). Hints need not go: they are compared with
 * what is there. Zeroes are right for most recently used lines: line 0 is that of set 0, and no
 * other set has it. */
static void empty(void)
{
    if (D1.hints) {
        for (UInt set = 0; set <= D1.set_mask; set++)
            cp_l1_set_init(D1.sets + (SizeT)set * D1.set_size, D1.last + 1);
        D1.sets[0] = 0;
        D1.clock = 1;
        cp_l1_set_times(D1.sets, D1.vectors)[0] = D1.clock++;
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
    cp_lines_init(D1.set_mask + 1, D1.vectors * TAG_VECTOR);
}

void cp_l1_init(const Geometry *d1)
{
    cp_model_shape(&D1, d1, "D1");
    if (D1.vectors && D1.vectors <= MAX_SHORT) {
        D1.set_size = cp_l1_set_size(D1.vectors);
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
