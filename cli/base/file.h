/*
 * file.h - files that are written whole or not at all.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

/* A file being written. Life cycle: file_begin, writing to `stream`, then file_commit or
 * file_abort. */
struct output_file {
    FILE *stream;
    char *path; /* where it will be: symbolic links followed */
    char *temp; /* where it is until then; NULL: `path` is no regular file (a device, a pipe) and is
                   written directly */
};

/* The part of a path behind its last '/'. */
const char *path_base(const char *path);

/* The folder of a path, what stands before its last '/', for the caller to free; NULL: no '/'. */
char *path_folder(const char *path);

/* Hands each line of a text file to `line`, without its newline, until that returns true. Returns
 * whether it did. A file that is not there has no lines. Frees `path`, which may be NULL. */
bool file_lines(char *path, bool (*line)(void *data, char *text), void *data);

/* The text from where the file stands to its end; the caller frees it. */
char *file_rest(FILE *file);

/* fscanf() of a small file, as the kernel has them; 0: it cannot be read. */
int file_scan(const char *path, const char *format, ...) __attribute__((format(scanf, 2, 3)));

/* Writes all of it, as far as signals interrupt that. Returns 0, or -1 with errno. */
int file_write(int fd, const char *bytes, size_t size);

/* Tries if file_begin() would open `path`; leaves and changes nothing. Returns 0, or -1 with
 * errno. */
int file_check(const char *path);

/* True where the file system of `path` lets nothing on it be executed (mounted noexec). */
bool file_is_noexec(const char *path);

/* True where `a` is later than `b`: times of files, to the nanosecond. */
bool file_is_later(const struct timespec *a, const struct timespec *b);

/* Advice for an errno of these functions: "make the folder first, or ...". */
const char *file_advice(int error);

/* Notes that the command reads the file, which its output must not replace; then tells whether it
 * reads that of a name. A file that is not there, or no regular one, is none. */
void file_note_input(const char *path);
bool file_is_input(const char *path);

/* Opens a temporary file in the folder of `path`. Returns 0, or -1 with errno. */
int file_begin(struct output_file *file, const char *path);

/* Puts the file in its place if all writes have succeeded; else removes it. Returns 0, or -1 with
 * errno. Frees all that file_begin() took. */
int file_commit(struct output_file *file);

/* Removes what was written. errno is kept. */
void file_abort(struct output_file *file);

/* file_abort() where writing has failed, and then -1; else file_commit(). */
int file_end(struct output_file *file, bool failed);

/*--- Folders ---*/

/* The user's folders, and making folders. */

/* The folder that an XDG variable names, or else `otherwise` below the home folder (XDG Base
 * Directory Specification), for the caller to free. NULL: the environment names neither. */
char *folder_of_user(const char *variable, const char *otherwise);

/* Makes a folder and those above it, as far as they are missing. Returns 0, or -1 with errno. */
int folder_make(const char *path, mode_t mode);

/* Removes a file, or a folder with all that is in it; links are not followed. Each file goes to
 * `removed`, before, with its facts; NULL: to nobody. Returns 0, also where nothing is there, or -1
 * with errno: something is left. */
int folder_remove(const char *path, void (*removed)(void *data, const struct stat *facts),
                  void *data);

/*--- JSON documents ---*/

/* JSON documents as files, and their texts. */

/* The text of a member; NULL where there is none. */
static inline const char *json_text_in(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}
/* The text of a member, "" where there is none. */
const char *json_text_of(const json_t *object, const char *key);

/* Writes a document to a temporary file beside `path`, and renames that. Returns 0, or -1 with
 * errno, and `path` is as it was. */
int json_file_write(const json_t *document, const char *path);

#endif
