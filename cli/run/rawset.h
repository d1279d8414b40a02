/*
 * rawset.h - the raw profiles that a run left: one per process and program that it went on as
 * (exec), and one per part of these that was asked for on the way; all in one file in the end
 * (doc/format.md).
 */
#ifndef RUN_RAWSET_H
#define RUN_RAWSET_H

#include "run/tempdir.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The files are called RAWSET_NAME, the process's number, for its second program and later ones "-"
 * and which it is, and for a part "." and its number. */
#define RAWSET_NAME "raw."

/* One profile: `size` bytes of the set's file from `offset` on. */
struct raw_piece {
    long pid;
    long image; /* which of the process's programs, from 1 on */
    long part;  /* 0: what was left at the process's end, or of an only part */
    size_t offset, size;
};

/* The first process's pieces come first, then those of the others by number; of each its programs
 * in their order; of each of these the piece of its end comes before its parts. */
struct rawset {
    char *path; /* NULL: there is none of the first process */
    char *name; /* of what they are kept as, or else of the program; NULL: not known yet */
    size_t n;
    struct raw_piece *items;
    unsigned n_processes;
    unsigned n_programs; /* at least as many */
};

/*
 * Finds the profiles in `dir` and puts them into one file there, if the process `first` left any;
 * all other files in the folder go. Returns 0, or STATUS_ERROR having said what is wrong.
 */
int rawset_collect(struct rawset *set, const struct tempdir *dir, pid_t first);

/* True where both are of one program, of one process. */
bool raw_piece_same_program(const struct raw_piece *a, const struct raw_piece *b);

/* True where the first process went on as another program, which is profiled too. */
bool rawset_goes_on(const struct rawset *set);

void rawset_free(struct rawset *set);

/*--- Receiving ---*/

/*
 * Takes the profiles that the tool sends over a socket, and writes them to files.
 *
 * The tool is in the process of the program, which may change its root or its user, or limit its
 * files: so it opens nothing itself. Each process of the run has the same socket, up to its end.
 */

struct raw_receiver;

/* Begins to receive, in a thread of its own. *tool is the tool's end of the socket, for the caller
 * to close. NULL with errno. */
struct raw_receiver *raw_receiver_begin(const struct tempdir *dir, int *tool);

/*
 * Call it when the program has ended. Waits a little for processes that it has started; *go_on:
 * some run still, and what they send from now on is lost. Files that are not whole are gone.
 * Returns why a profile could not be written, for the caller to free, or NULL.
 */
char *raw_receiver_end(struct raw_receiver *receiver, bool *go_on);

#endif
