/*
 * folder.h - the user's folders, and making folders.
 */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include <sys/types.h>

/* The folder that an XDG variable names, or else `otherwise` below the home folder (XDG Base
 * Directory Specification), for the caller to free. NULL: the environment names neither. */
char *folder_of_user(const char *variable, const char *otherwise);

/* Makes a folder and those above it, as far as they are missing. Returns 0, or -1 with errno. */
int folder_make(const char *path, mode_t mode);

#endif
