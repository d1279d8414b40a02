/*
 * cp_progress.h - how far the program is, for a watcher: a small file, written anew a few times a
 * second.
 *
 * The watch adds nothing to translated code: it reads the counters when the core switches threads.
 */
#ifndef CP_PROGRESS_H
#define CP_PROGRESS_H

#include "cp_tool.h"

/* Call it when the core hands over to thread `tid`, which happens each 100,000 superblocks. Does
 * nothing without --progress-file. */
void cp_progress_tick(ThreadId tid);
/* Call it in a forked child, which nobody watches. */
void cp_progress_stop(void);

#endif
