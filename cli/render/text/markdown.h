/*
 * markdown.h - texts in GitHub Flavored Markdown, for comments and summaries of CI.
 *
 * A text is shown as it is: no byte of a name ends a cell or a line, begins markup, or becomes a
 * link. Characters that cannot be shown are replaced (clean.h, for UTF-8).
 */
#ifndef TEXT_MARKDOWN_H
#define TEXT_MARKDOWN_H

#include <stdio.h>

/* Each writes a cell of a table and the bar before it. A name is written as code; an empty one as
 * nothing. */
void markdown_code(FILE *out, const char *name);
void markdown_text(FILE *out, const char *text);

/* Writes a text or a name outside of tables, escaped as in cells. */
void markdown_put_text(FILE *out, const char *text);
void markdown_put_code(FILE *out, const char *name);

#endif
