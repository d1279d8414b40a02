/*
 * code.h - lines of source files as a terminal may show them.
 */
#ifndef TEXT_CODE_H
#define TEXT_CODE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A line of code (any bytes, without its end) that can be shown: clean as text_clean() makes it,
 * tabs expanded to every 8th column, blanks at its end left out, and no longer than anybody reads.
 * The caller frees it.
 */
char *code_text(const char *line, size_t size, bool utf8);

/* A line of code for JSON: valid UTF-8, with tabs and all, cut where it is absurdly long. */
char *code_json(const char *line, size_t size);

#endif
