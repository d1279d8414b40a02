/*
 * flame_build.h - the order of frames: a stack of frames that wait for their place. Only flame*.c
 * use it.
 */
#ifndef PATHS_FLAME_BUILD_H
#define PATHS_FLAME_BUILD_H

#include "paths/flame.h"

/* A frame whose place depends on its parent's, and its material: `size` items from `from` on. */
struct flame_waiting {
    struct flame_frame frame;
    size_t from, size;
};

struct flame_build {
    struct flame *flame;
    int64_t least;
    struct flame_waiting *waiting;
    size_t n_waiting, room, frames_room;
};

void flame_build_begin(struct flame_build *build, struct flame *flame,
                       const struct cprof_profile *profile, int64_t least);
void flame_build_push(struct flame_build *build, const struct flame_frame *frame, size_t from,
                      size_t size);
/* Moves the next frame from the stack to the end of the flame graph. Returns false where all are
 * there. */
bool flame_build_pop(struct flame_build *build, struct flame_waiting *next);
/* Places the frames that wait from `first` on upon the last frame, the widest leftmost. That
 * frame's hidden cost must be set. */
void flame_build_place(struct flame_build *build, size_t first);
void flame_build_end(struct flame_build *build);

#endif
