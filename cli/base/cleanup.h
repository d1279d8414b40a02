/*
 * cleanup.h - temporary files and folders that must not outlive the program, however it ends: by
 * return, exit() or a signal. A process that was forked removes what it added itself.
 */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

/* Removes `path` (a file, or a folder with its files) at the end, the latest first. The path is
 * copied. */
void cleanup_add(const char *path);
/* Makes a folder as mkdtemp() does, and adds it before a signal can come. */
char *cleanup_make_folder(char *pattern);

/* Adds what is undone by text behind the end of the file at `path`, which stays. Both are
 * copied. */
void cleanup_add_text(const char *path, const char *text);

/* The end of that promise: `path` was removed, or is to stay. */
void cleanup_forget(const char *path);

#endif
