/*
 * browse.h - the browser, from a command.
 */
#ifndef CMD_BROWSE_H
#define CMD_BROWSE_H

#include "cprof.h"

/* Browses a profile with names until the user quits; locations are relative to `root` (NULL: the
 * current folder). Returns an exit status, having said where there is no terminal. */
int browse_profile(const struct cprof_profile *profile, const char *root);

#endif
