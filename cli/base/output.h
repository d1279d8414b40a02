/*
 * output.h - standard output, with nothing lost in silence.
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdio.h>

/* Writes what is buffered, so that messages on standard error come after it. A failure is kept for
 * output_close(). */
void output_flush(void);

/*
 * For a writer that failed. Where `out` refused a write nothing is said here: output_close(), or
 * file_commit(), says it once, with the reason, which is kept for it; returns STATUS_OK then. Else
 * says that the output is not whole, by errno, and returns STATUS_ERROR.
 */
int output_failed(FILE *out);

/*
 * Closes standard output at the program's end and returns its exit status: `status`, or
 * STATUS_ERROR instead of 0, having said so, where something could not be written. A reader that
 * has gone away (EPIPE) wants no more: that is no failure.
 */
int output_close(int status);

#endif
