/*
 * tempdir.h - the folder for what a run leaves: removed whatever happens, at the latest by the next
 * run, where this one is killed.
 */
#ifndef RUN_TEMPDIR_H
#define RUN_TEMPDIR_H

#include <stdio.h>

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
/* The same; returns 0, or STATUS_ERROR having said what is wrong. */
int tempdir_make(struct tempdir *dir);

/* Removes all files in it but the one called `keep` (or NULL). */
void tempdir_clear(const struct tempdir *dir, const char *keep);

/* Removes the folder and the files in it. */
void tempdir_remove(struct tempdir *dir);

#endif
