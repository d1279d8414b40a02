/*
 * kept_files.h - removing what is kept of a place: its runs, pages without a name of their own, and
 * its baselines.
 */
#ifndef RUN_KEPT_FILES_H
#define RUN_KEPT_FILES_H

#include <stdbool.h>
#include <stdint.h>

/* The files that were removed. */
struct kept_removed {
    unsigned n;
    uint64_t bytes; /* that are free now: a file with another name keeps its own */
};

/* Removes the kept runs of this place, with the user's copies of them; with `baselines` those of
 * the package too, or outside of packages the user's. Returns 0, or STATUS_ERROR after having said
 * which file cannot be removed. */
int kept_files_remove(bool baselines, struct kept_removed *removed);

#endif
