/*
 * summary.h - what a job on GitHub shows of itself: Markdown that is added to the file that
 * $GITHUB_STEP_SUMMARY names.
 */
#ifndef OPTIONS_SUMMARY_H
#define OPTIONS_SUMMARY_H

#include <stdio.h>

/* Opens that file for appending. NULL, having said so, where the variable is not set or the file
 * cannot be written: a summary is no reason to fail. */
FILE *summary_open(void);
/* Closes it, and says what could not be written. NULL is allowed. */
void summary_close(FILE *summary);

#endif
