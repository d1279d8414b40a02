/*
 * markdown.h - tables in GitHub Flavored Markdown, for comments and summaries of CI.
 *
 *     markdown_head(out, headers, n);
 *     for each row: for each cell: markdown_number() or markdown_code() or ...; markdown_end()
 *
 * A cell keeps its text, and shows it as it is: no byte of a name ends the cell or the line, begins
 * markup, or becomes a link. Characters that cannot be shown are replaced (clean.h, for UTF-8).
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

/* Writes the head of a table and the line below it. A blank line has to precede it. */
void markdown_head(FILE *out, const struct markdown_header *headers, size_t n);

/* Each function writes a cell and the bar before it. A name is written as code; an empty one as
 * nothing. */
void markdown_code(FILE *out, const char *text);
/* Writes plain text. */
void markdown_text(FILE *out, const char *text);
/* Writes a number as "117,237,366". */
void markdown_number(FILE *out, int64_t value);
/* Ends the row. */
void markdown_end(FILE *out);

/* Writes a text or a name outside of tables, escaped as in cells. */
void markdown_put_text(FILE *out, const char *text);
void markdown_put_code(FILE *out, const char *text);

#endif
