/*
 * cp_cache.h - the cache model: I1, D1 and a shared LL, each set-associative with
 * least-recently-used replacement, write-allocate; an access that straddles two lines refers to
 * both and misses at most once. The model is cachegrind's (cachegrind/cg_sim.c): the counts are
 * equal to its.
 *
 * An access to the most recently used line of its set is a hit that changes no state. Generated
 * code tests for that itself, against the arrays of struct Mru, and calls the slow paths
 * only where the test fails.
 */
#ifndef CP_CACHE_H
#define CP_CACHE_H

#include "cp_block.h"
#include "cp_tool.h"

/*
 * What the inlined test needs: lines[set] is the memory address of the line used last in that set.
 * An access of `size` bytes at `a` lies in that line iff a - lines[set(a)] <= line - size,
 * unsigned; set(a) = (a >> line_bits) & (sets - 1).
 */
typedef struct {
    ULong *lines;
    UInt line_bits;
    UInt sets;
} Mru;

extern Mru cp_mru_I1, cp_mru_D1;

/* The caches in force; valid after cp_cache_init(). */
extern Geometry cp_I1, cp_D1, cp_LL;

/* The smallest line size of the three: larger accesses are clamped to it. */
extern UInt cp_min_line;

/* Sets up the three caches; a geometry of -1s is taken from the host, as cachegrind derives it.
 * Ends the program where one cannot be simulated. */
void cp_cache_init(const Geometry *i1, const Geometry *d1, const Geometry *ll);

/*
 * The slow paths: refer to the caches and count misses at the point. Set by cp_cache_init().
 * Reading and writing are alike to the model; the point knows which it is. All that is needed
 * mostly is given, since the point is in none of the host's near caches: the address, and the room,
 * which is how many bytes of a line an access of the point's size leaves. Of a fetch the address is
 * one in the line that is referred to: that of the instruction, or in its second line where the
 * first one was fetched just before.
 */
extern void (*cp_cache_fetch)(Addr address, AccessPoint *point);
extern void (*cp_cache_fetch_two)(Addr address,
                                  AccessPoint *point); /* the instruction's, on two lines */
extern VG_REGPARM(3) void (*cp_cache_data)(Addr address, AccessPoint *point, UWord room);

/* The same for hot code, which a second argument would cost an instruction even where it does not
 * call: at a place there are both. cp_cache_place() makes it where there is none. */
extern VG_REGPARM(1) void (*cp_cache_fetch_at)(const Addr *place);
extern VG_REGPARM(1) void (*cp_cache_fetch_two_at)(const Addr *place);
const Addr *cp_cache_place(AccessPoint *fetch, Addr address);

static inline UWord cp_cache_room(UInt size)
{
    return (1u << cp_mru_D1.line_bits) - size;
}

/* To be called whenever the program's code stops running: counts are complete then. */
void cp_cache_pause(void);

#endif
