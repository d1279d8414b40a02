/*
 * markdown.h - tables in GitHub Flavored Markdown, for comments and summaries of CI.
 *
 *     markdown_head(out, headers, n);
 *     for each row: for each cell: markdown_number() or markdown_code() or ...; markdown_end()
 *
 * Whatever is in a cell stays in it, and is shown as it is: no byte of a name ends the cell or the
 * line, begins markup, or becomes a link. What cannot be shown is replaced as in text.h, for UTF-8.
 */
#ifndef TEXT_MARKDOWN_H
#define TEXT_MARKDOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct markdown_header {
    const char *text;
    bool number; /* its cells are right-aligned */
};

/* The head of a table and the line below it. A blank line has to precede it. */
void markdown_head(FILE *out, const struct markdown_header *headers, size_t n);

/* Cells, each with the bar before it. A name, in the manner of code; nothing where it is empty. */
void markdown_code(FILE *out, const char *text);
/* Plain text. */
void markdown_text(FILE *out, const char *text);
/* "117,237,366" */
void markdown_number(FILE *out, int64_t value);
/* The end of the row. */
void markdown_end(FILE *out);

/* Outside of tables: a text or a name within a line, escaped as in cells. */
void markdown_put_text(FILE *out, const char *text);
void markdown_put_code(FILE *out, const char *text);

#endif
