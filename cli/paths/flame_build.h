/*
 * flame_build.h - how frames come to stand in their order: a stack of those that are still to be
 * placed. For flame*.c alone.
 */
#ifndef PATHS_FLAME_BUILD_H
#define PATHS_FLAME_BUILD_H

#include "paths/flame.h"

/* A frame whose place is known as soon as its parent's is, and what it is made from: `size` things
 * from `from` on. */
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

void flame_begin(struct flame_build *build, struct flame *flame,
                 const struct cprof_profile *profile, int64_t least);
void flame_wait(struct flame_build *build, const struct flame_frame *frame, size_t from,
                size_t size);
/* Takes the frame that comes next into the flame graph, as its last; false: all are there. */
bool flame_next(struct flame_build *build, struct flame_waiting *next);
/* Gives those that wait from `first` on their places on the last frame, the widest leftmost. What
 * that one hides has been set. */
void flame_place(struct flame_build *build, size_t first);
void flame_end(struct flame_build *build);

#endif
