/*
 * cp_progress.h - how far the program is, for whoever watches: a small file, written anew a few
 * times a second.
 *
 * Nothing is added to translated code for it: what is counted anyway is read where the core
 * switches threads.
 */
#ifndef CP_PROGRESS_H
#define CP_PROGRESS_H

#include "cp_tool.h"

/* The core hands over to thread `tid`, as it does each 100,000 blocks. Does nothing without
 * --progress-file. */
void cp_progress_tick(ThreadId tid);
/* A forked child is not watched. */
void cp_progress_stop(void);

#endif
