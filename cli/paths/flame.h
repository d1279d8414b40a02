/*
 * flame.h - the frames of a flame graph: call paths with a place and a width.
 *
 * A frame is a call path. Its width is the path's cost, in counts, and it stands on the frame of
 * the path without its last function. For every frame
 *
 *     value = self + the values of the frames on it + hidden
 *
 * where `hidden` is the cost of paths that are too narrow to be drawn. Frames on another one begin
 * where that one begins, the widest first; the rest of its width is its own cost and the hidden
 * one. The first frame is the root: its value is the program's total.
 *
 * In a reversed graph callers stand on a function: the frames on the root are all functions, as
 * wide as their own cost, and the frames on another one are the callers that this cost was spent
 * for.
 */
#ifndef PATHS_FLAME_H
#define PATHS_FLAME_H

#include "cprof.h"
#include "names/ownership.h"
#include "paths/tree.h"
#include "table/columns.h"

struct flame_frame {
    uint32_t function;    /* index in the profile; CPROF_NONE: the root */
    uint32_t parent;      /* index of a frame; CPROF_NONE: the root */
    uint32_t depth;       /* 0: the root */
    bool inlined;         /* inlined into its parent; reversed: into its only caller */
    unsigned char fold;   /* enum node_fold: no function */
    size_t first_chained; /* functions that are inlined one into the other and share this frame: */
    uint32_t n_chained;   /* index into `chained`, and their number besides the first */
    uint64_t calls;       /* 0: not known, or inlined */
    int64_t start;        /* its left end, in counts */
    int64_t value, self, hidden;
    uint32_t n_hidden; /* paths hidden directly on it */
    int64_t old;       /* its value in the profile that this one is compared with */
};

struct flame {
    const struct cprof_profile *profile;
    size_t n; /* a frame stands after its parent, and before all frames to its right */
    struct flame_frame *frames;
    uint32_t n_levels;
    size_t n_chained, chained_room;
    uint32_t *chained; /* functions */
    int64_t hidden;    /* the sum of all frames' */
    bool reversed;
};

/* Makes frames of at least `least` counts of `measure`, and of one. No count of the tree may be
 * negative. */
void flame_load(struct flame *flame, const struct tree *tree, const struct column *measure,
                int64_t least);
/* Makes one frame of functions that are inlined one into the other, each the only drawn one on the
 * other, as far as they are of one crate. Own code begins a frame. */
void flame_load_chains(struct flame *flame, const struct tree *tree, const struct column *measure,
                       int64_t least, const struct crates *crates);
/* Makes the frames of a reversed graph. */
void flame_load_reversed(struct flame *flame, const struct tree *tree, const struct column *measure,
                         int64_t least);
void flame_free(struct flame *flame);

/*
 * Sets each frame's cost in `old`, which should have all of its frames. Functions with equal
 * numbers are the same: `ids` numbers those of the flame graph, `old_ids` those of the other one.
 * Returns the old cost in paths without a frame here.
 */
int64_t flame_compare(struct flame *flame, const struct flame *old, const uint32_t *ids,
                      const uint32_t *old_ids);

/*--- Kinds of functions ---*/

/*
 * The kinds of code (ownership.h) by which frames are coloured, and what each costs.
 */

enum { FLAME_KIND_NONE = 255 };

struct flame_kinds {
    int64_t self[ORIGINS];      /* own costs in the whole program: they add up to its total */
    unsigned char *of_function; /* of each function of the profile: its kind * ORIGIN_SHADES + its
                                 * shade, or FLAME_KIND_NONE for threads and the like, which are no
                                 * code */
};

void flame_kinds_load(struct flame_kinds *kinds, const struct cprof_profile *profile,
                      const struct crates *crates, const struct column *measure);
void flame_kinds_free(struct flame_kinds *kinds);

#endif
