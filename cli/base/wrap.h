/*
 * wrap.h - text in lines that fit.
 */
#ifndef BASE_WRAP_H
#define BASE_WRAP_H

#include <stdio.h>

/*
 * Writes `text`, with a newline and `indent` blanks instead of the blanks where the next word would
 * end behind column `width`. The cursor is at `indent` already; no newline follows the last word. A
 * word that is longer than a line stays whole.
 */
void wrap_put(FILE *out, const char *text, unsigned indent, unsigned width);
/* wrap_put() with the cursor at `column`, behind something that was written already. */
void wrap_put_from(FILE *out, const char *text, unsigned column, unsigned indent, unsigned width);

#endif
