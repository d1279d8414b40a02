/*
 * machine.h - what of the machine matters to a run: where files may be written, what is allowed,
 * what the processor has. Each adds one finding.
 */
#ifndef RUN_MACHINE_H
#define RUN_MACHINE_H

#include "run/finding.h"

/* The folder for temporary files. It need not be executable. */
void machine_temporary(struct findings *findings);
/* System calls that are denied. */
void machine_calls(struct findings *findings);
/* Features of the processor that Valgrind does not know. */
void machine_processor(struct findings *findings);
/* The folders that runs are kept in. */
void machine_kept(struct findings *findings);

#endif
