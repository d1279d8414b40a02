/*
 * repository.h - the history of a program, by git: revisions, the commits between them, which of
 * these to look at next, and a work tree of ours.
 *
 * The user's own work tree, index, HEAD and bisect are left alone, and no hook runs.
 */
#ifndef BISECT_REPOSITORY_H
#define BISECT_REPOSITORY_H

#include "base/options.h"

#include <stdbool.h>

/* The repository that the current folder is in. */
struct repository {
    char *top;    /* the folder of the user's work tree */
    char *folder; /* the current folder below it: "src/", or "" */
};

/* Finds it. Returns 0, or STATUS_USAGE after having said that there is none. repository_free() in
 * either case. */
int repository_open(struct repository *repository);
void repository_free(struct repository *repository);

/* True where files that git knows have changes that are in no commit. */
bool repository_is_dirty(const struct repository *repository);

/* The full name of the commit that `revision`, the value of `option`, means: *commit, for the
 * caller to free. Returns 0, or STATUS_USAGE after having said that there is none. */
int repository_find(const struct repository *repository, const char *option, const char *revision,
                    char **commit);
/* True where `commit` is `later`, or comes before it. */
bool repository_is_before(const struct repository *repository, const char *commit,
                          const char *later);
/* The newest commit that both have before them; NULL: there is none. The caller frees it. */
char *repository_base(const struct repository *repository, const char *one, const char *other);
/* The first parent; NULL: it has none. The caller frees it. */
char *repository_parent(const struct repository *repository, const char *commit);

/* A commit for people. The texts belong to it. */
struct commit_name {
    char *brief, *subject, *author, *date; /* "1a2b3c4", ..., "2026-11-27" */
};
void commit_name_load(struct commit_name *name, const struct repository *repository,
                      const char *commit);
void commit_name_free(struct commit_name *name);

/*--- Search ---*/

/*
 * Which commit to look at next: the one that divides those that may be the first bad one best, as
 * git says, merges included. Where one was skipped, its neighbours may well fail for its reason, so
 * the next is one at some distance.
 */
struct bisection {
    const struct repository *repository;
    const char *bad;                  /* the oldest commit that is known to be */
    struct string_list good, skipped; /* commits; `bad` and these are borrowed */
    struct string_list range; /* those that may be the first bad one, `bad` included, and in the
                                 end the newest first; own texts */
};

/* The next commit, of `range`; NULL: nothing is left to look at, and the first bad commit is `bad`
 * where `range` has no other. */
const char *bisection_next(struct bisection *search);
/* How many commits are left to look at, about. */
unsigned bisection_left(const struct bisection *search);
void bisection_free(struct bisection *search);

/*--- A work tree ---*/

/* Makes a work tree at `path`, where nothing of use is. Returns 0, or STATUS_ERROR after having
 * said what is wrong. */
int repository_tree_make(const struct repository *repository, const char *path);
/* Has it hold the files of a commit, and no others. Returns as repository_tree_make(). */
int repository_tree_set(const char *path, const char *commit);
void repository_tree_remove(const struct repository *repository, const char *path);

#endif
