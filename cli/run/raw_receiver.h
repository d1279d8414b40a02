/*
 * raw_receiver.h - takes the profiles that the tool sends over a socket, and writes them to files.
 *
 * The tool is in the process of the program, which may change its root or its user, or limit its
 * files: so it opens nothing itself. Each process of the run has the same socket, up to its end.
 */
#ifndef RUN_RAW_RECEIVER_H
#define RUN_RAW_RECEIVER_H

#include "run/tempdir.h"

#include <stdbool.h>

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
