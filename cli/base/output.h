/*
 * output.h - where a command writes: standard output, with nothing lost in silence, or a file.
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "base/file.h"

#include <stdbool.h>
#include <stdio.h>

/*--- The pager ---*/

/*
 * Long output on a terminal, shown a screen at a time by the program that $PAGER names.
 *
 * Between pager_begin() and the program's end, standard output leads to the pager, and so does
 * standard error where it is the terminal, too. A pager that is not there, or that quits early, is
 * no error.
 */

/* Starts the pager where standard output is a terminal: $PAGER, or else less, which ends by itself
 * where all fits on the screen (LESS=FRX, unless that is set). An empty $PAGER, or cat, is none. */
void pager_begin(void);

/* True where links (OSC 8) reach the terminal: there is no pager, or it is less, with -R in LESS
 * and of a version that passes them on. */
bool pager_shows_links(void);

/*--- Output ---*/

/* Writes what is buffered, so that messages on standard error come after it. A failure is kept for
 * output_close(). */
void output_flush(void);

/*
 * For a writer that failed. Where `out` refused a write this says nothing, and returns STATUS_OK:
 * output_close(), or file_commit(), says it once, with the reason, which is kept for it. Else
 * says that the output is not whole, by errno, and returns STATUS_ERROR.
 */
int output_failed(FILE *out);

/*
 * Where a command writes: standard output, or (where `path` is not NULL) a file that is put in its
 * place by output_end() with status 0, whole, and else is left as it was. Life cycle: output_begin,
 * any number of writes to `file->stream`, output_end with the status so far; both return an exit
 * status, having said what is wrong.
 */
int output_begin(struct output_file *file, const char *path);
int output_end(struct output_file *file, const char *path, int status);
/* Tells before all work whether `path` can be written; as output_begin(), which comes later. */
int output_check(const char *path);

/*
 * Closes standard output at the program's end and returns its exit status: `status`, or
 * STATUS_ERROR instead of 0, having said so, where something could not be written. A reader that
 * has gone away (EPIPE) wants no more: that is no failure.
 */
int output_close(int status);

#endif
