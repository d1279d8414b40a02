/*
 * session.h - the commands bench and test: build, run what is asked for, show, compare, keep.
 */
#ifndef BENCH_SESSION_H
#define BENCH_SESSION_H

#include "options/command.h"

/* Runs the command, of benches or of tests. Returns the exit status. */
int bench_session(const struct command *self, int argc, char **argv, bool tests);

#endif
