/*
 * tracks.h - the threads of a profile, for formats that have a track for each. A context without a
 * parent that stands for a thread, or for a section that the profile is of, is a track and no
 * frame. All paths that begin elsewhere are one track, the program's.
 */
#ifndef EXPORT_TRACKS_H
#define EXPORT_TRACKS_H

#include "cprof.h"

#include <stdbool.h>

/* Numbered in the order of their first contexts. There is at least one. */
struct tracks {
    const struct cprof_profile *profile;
    uint32_t n, room;
    uint32_t *functions;  /* of each track: the one that stands for it; CPROF_NONE: the program */
    uint32_t *of_context; /* of each context of the profile: its track */
};

void tracks_load(struct tracks *tracks, const struct cprof_profile *profile);
void tracks_free(struct tracks *tracks);

/* Tells whether a context stands for a track and is no code. */
bool tracks_is_root(const struct tracks *tracks, uint32_t context);
/* The track of paths that begin in a function: its own, or the program's. */
uint32_t tracks_of(const struct tracks *tracks, uint32_t function);
/* "thread 1", "worker", "section parse", "nnet": of the labels of the functions, or the name of the
 * program's file. The caller frees it. */
char *tracks_name(const struct tracks *tracks, uint32_t track, char *const *labels);
/* The last part of the program's path. The caller frees it. */
char *tracks_program(const struct cprof_profile *profile);

#endif
