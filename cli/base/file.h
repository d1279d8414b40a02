/*
 * file.h - files that are written whole or not at all.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* A file being written. Life cycle: file_begin, writing to `stream`, then file_commit or
 * file_abort. */
struct output_file {
    FILE *stream;
    char *path; /* where it will be: symbolic links followed */
    char *temp; /* where it is until then; NULL: `path` is no regular file (a device, a pipe) and is
                   written directly */
};

/* Whether file_begin() would open `path`, without leaving or changing anything. Returns 0, or -1
 * with errno. */
int file_check(const char *path);

/* Whether nothing can be executed that is on the file system of `path` (mounted noexec). */
bool file_is_noexec(const char *path);

/* What to do about an errno of these functions: "make the folder first, or ...". */
const char *file_advice(int error);

/* Opens a temporary file in the folder of `path`. Returns 0, or -1 with errno. */
int file_begin(struct output_file *file, const char *path);

/* Puts the file in its place if all writes have succeeded; else removes it. Returns 0, or -1 with
 * errno. Frees all that file_begin() took. */
int file_commit(struct output_file *file);

/* Removes what was written. errno is kept. */
void file_abort(struct output_file *file);

#endif
