/*
 * flame.h - call paths laid out as a flame graph: frames with a place, a width and what is in them.
 *
 * A frame is a path; its width is what the path cost, in counts, and it stands on the path that it
 * goes on from. For every frame
 *
 *     value = self + the values of the frames on it + hidden
 *
 * where `hidden` is what went into paths that are too narrow to be drawn. Frames on another begin
 * where that one begins, the widest first; the rest of its width is its own cost and what is
 * hidden. The first frame is the root: its value is the program's total.
 *
 * Reversed, a frame is a function with its callers on it: the root's frames are all functions, as
 * wide as their own cost, and the frames on one are those that it was spent on behalf of.
 */
#ifndef PATHS_FLAME_H
#define PATHS_FLAME_H

#include "paths/tree.h"

struct flame_frame {
    uint32_t function; /* index in the profile; CPROF_NONE: the root */
    uint32_t parent;   /* frame; CPROF_NONE: the root */
    uint32_t depth;    /* 0: the root */
    bool inlined;      /* into its parent; reversed: into its only caller */
    uint64_t calls;    /* 0: not known, or inlined */
    int64_t start;     /* where it begins, in counts from the left */
    int64_t value, self, hidden;
    uint32_t n_hidden; /* paths that are hidden right on it */
    int64_t old;       /* its value in the profile that this is compared with */
};

struct flame {
    const struct cprof_profile *profile;
    size_t n; /* a frame stands after its parent, and before all that are right of it */
    struct flame_frame *frames;
    uint32_t n_levels;
    int64_t hidden; /* of all frames */
    bool reversed;
};

/* Frames from `least` counts of `measure` on; 1 at the least. No count of the tree may be negative.
 */
void flame_load(struct flame *flame, const struct tree *tree, const struct column *measure,
                int64_t least);
/* The same, with callers on functions. */
void flame_load_reversed(struct flame *flame, const struct tree *tree, const struct column *measure,
                         int64_t least);
void flame_free(struct flame *flame);

/*
 * Sets what each frame's path cost in `old`, which should have all of its frames. Functions are the
 * same whose numbers are equal: `ids` are those of the flame's functions, `old_ids` of the other's.
 * Returns how much of the old one's cost is in paths that have no frame here.
 */
int64_t flame_compare(struct flame *flame, const struct flame *old, const uint32_t *ids,
                      const uint32_t *old_ids);

#endif
