/*
 * output.h - standard output, with nothing lost in silence.
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

/* Writes what is buffered, so that messages on standard error come after it. A failure is kept for
 * output_close(). */
void output_flush(void);

/*
 * Closes standard output at the program's end and returns its exit status: `status`, or
 * STATUS_ERROR instead of 0, having said so, where something could not be written. A reader that
 * has gone away (EPIPE) wants no more: that is no failure.
 */
int output_close(int status);

#endif
