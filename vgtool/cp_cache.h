/*
 * cp_cache.h - the cache model: I1, D1 and a shared LL. Each cache is set-associative, allocates on
 * writes and replaces the least recently used line. An access that straddles two lines refers to
 * both and misses at most once. The model is cachegrind's (cachegrind/cg_sim.c) and gives the same
 * counts.
 *
 * An access to the most recently used line of its set of D1 is a hit that changes no state.
 * Generated code tests for that itself, against the array of Mru, and calls the model only where
 * the test fails. Fetches are tested against the records of their lines (cp_fetched.h).
 */
#ifndef CP_CACHE_H
#define CP_CACHE_H

#include "cp_block.h"
#include "cp_fetched.h"
#include "cp_tool.h"

/*
 * The data of the inlined test: -lines[set] is the memory address of the line that was used last in
 * this set. An access of `size` bytes at `a` lies in this line iff a + lines[set(a)] <= line -
 * size, unsigned; set(a) = (a >> line_bits) & (sets - 1).
 */
typedef struct {
    ULong *lines;
    UInt line_bits;
    UInt sets;
} Mru;

extern Mru cp_mru_D1;

/* The simulated caches; valid after cp_cache_init(). */
extern Geometry cp_I1, cp_D1, cp_LL;

/* The smallest line size of the three. The size of larger accesses is cut to it. */
extern UInt cp_min_line;

/* Sets up the three caches. A geometry of -1s stands for the host's, as cachegrind derives it. Ends
 * the program where a cache cannot be simulated. */
void cp_cache_init(const Geometry *i1, const Geometry *d1, const Geometry *ll);

/*
 * The model: these functions refer to the caches and count misses at the access point. The model
 * treats reads and writes alike; the access point knows which it is. The point is in none of the
 * host's near caches, so the arguments have all that a hit needs: the address, and the room, which
 * is how many bytes of a line an access of this size leaves.
 */
VG_REGPARM(3) void cp_cache_data(Addr address, AccessPoint *point, UWord room);

/* The fetch of the access point from one line or, unless `second` is NULL, two. Generated code
 * calls this where one of them is not in I1; else it stores the time of the fetch. */
VG_REGPARM(3) void cp_cache_fetch(AccessPoint *point, FetchedLine *first, FetchedLine *second);

static inline UWord cp_cache_room(UInt size)
{
    return (1u << cp_mru_D1.line_bits) - size;
}

/* True if the data of the inlined test is at the same addresses in each run of the tool. */
Bool cp_cache_is_near(void);

/* Empties all caches. Call it where no code runs. */
void cp_cache_empty(void);

/* Call it whenever the program's code stops running. Counts are complete then. */
void cp_cache_pause(void);

#endif
