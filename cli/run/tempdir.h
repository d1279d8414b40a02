/*
 * tempdir.h - the folder for what a run leaves: removed whatever happens, at the latest by the next
 * run, where this one is killed.
 */
#ifndef RUN_TEMPDIR_H
#define RUN_TEMPDIR_H

#include <stdbool.h>
#include <stdint.h>

struct tempdir {
    char *path; /* NULL: there is none */
    int lock;   /* a descriptor of the folder, locked while it is in use; -1: it cannot be */
};

/* A link in it to the tool's folder, where that one's own path cannot be preloaded from. */
#define TEMPDIR_TOOL "tool"

/* Where there is no $TMPDIR: Valgrind's own, too. */
#define TEMPDIR_DEFAULT "/tmp"
#define TEMPDIR_ADVICE  "set TMPDIR to a folder that can be written to and has room"

/* Makes a folder under $TMPDIR, or /tmp, having removed those of runs that were killed. Returns
 * NULL, or what is wrong, for the caller to free: TEMPDIR_ADVICE says what to do about it. */
char *tempdir_open(struct tempdir *dir);
/* tempdir_open() that says itself what is wrong. Returns 0 or STATUS_ERROR. */
int tempdir_make(struct tempdir *dir);

/* A file without a name for messages, to write and read: in memory, since they must be able to say
 * that the disk is full, or where a sandbox allows only the disk in the folder (NULL: in none). -1
 * with errno. */
int tempdir_log(const struct tempdir *dir);

/* Removes all files in it but the one called `keep` (or NULL). */
void tempdir_clear(const struct tempdir *dir, const char *keep);

/* Removes the folder and the files in it. */
void tempdir_remove(struct tempdir *dir);

/*--- Files that are kept ---*/

/*
 * Removing what is kept of a place: its runs, pages without a name of their own, what bisect has
 * built and run, and its baselines.
 */

/* The files that were removed. */
struct kept_removed {
    unsigned n;
    uint64_t bytes; /* that are free now: a file with another name keeps its own */
};

/* Removes the kept runs of this place, with the user's copies of them; with `baselines` those of
 * the package too, or outside of packages the user's. Returns 0, or STATUS_ERROR after having said
 * which file cannot be removed. */
int kept_files_remove(bool baselines, struct kept_removed *removed);
/* Removes the kept files in one folder, and the folder where nothing else is in it, adding to what
 * was removed. Returns as kept_files_remove(). */
int kept_folder_remove(const char *folder, struct kept_removed *removed);

#endif
