/*
 * translations.h - the user's folder of kept translations: code that the tool has translated, which
 * later runs of the same program take from there.
 *
 * The tool executes what is in these files, so the folder counts only where nobody but the user,
 * and root, can write to it or to a folder above it.
 */
#ifndef RUN_TRANSLATIONS_H
#define RUN_TRANSLATIONS_H

#include "run/machine.h"

#include <stdint.h>
#include <time.h>

/* The folder, made if it is not there, for the caller to free. NULL: there is none that can be
 * trusted, and `problem` says why and what to do, for the caller to free. */
char *translations_folder(char **problem);

/*
 * After a run that began at this time: removes the files that were not used for the longest time,
 * until those left have at most this many bytes, and are not too many to look at in each run; and
 * unfinished ones that nobody writes. Returns NULL, or why nothing of the run is kept, or not all,
 * and what to do, for the caller to free.
 */
char *translations_end(const char *folder, uint64_t bytes, const struct timespec *begin);

/* Removes all files, and adds their number and bytes. Returns 0, or STATUS_ERROR having said which
 * cannot be removed. */
int translations_remove(unsigned *n, uint64_t *bytes);

/* Finds out how much is kept, and where. */
void translations_look(struct findings *findings);

#endif
