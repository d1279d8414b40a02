/*
 * session.h - the command bisect: builds and runs commits until the first bad one is found, and
 * says why it is.
 */
#ifndef BISECT_SESSION_H
#define BISECT_SESSION_H

#include "options/command.h"

/* Runs the command. Returns the exit status. */
int bisect_session(const struct command *self, int argc, char **argv);

#endif
