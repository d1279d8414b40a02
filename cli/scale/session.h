/*
 * session.h - the command scale: build, run at each size, fit, show, hold gates.
 */
#ifndef SCALE_SESSION_H
#define SCALE_SESSION_H

#include "options/command.h"

/* Runs the command. Returns the exit status. */
int scale_session(const struct command *self, int argc, char **argv);

#endif
