#include <config.h>

#include "render/text/markdown.h"

#include "base/clean.h"

#include <stdlib.h>
#include <string.h>

/* Escapes all characters that mean something to Markdown, and to the HTML that is made of it. */
static void put_escaped(FILE *out, const char *clean)
{
    for (; *clean; clean++) {
        unsigned char c = (unsigned char)*clean;

        if (strchr("\\`*_{}[]()<>#+-!|~&\"':@$^=/.", c))
            fprintf(out, "&#%u;", (unsigned)c);
        else
            fputc(c, out);
    }
}

/* Escapes only the characters that could mean something within a line, so that plain words stay
 * readable. */
void markdown_put_text(FILE *out, const char *text)
{
    char *clean = text_shown(text);

    for (const char *p = clean; *p; p++) {
        unsigned char c = (unsigned char)*p;

        if (strchr("\\`*_[]<>|~&#@", c) || (c == ':' && p[1] == '/'))
            fprintf(out, "&#%u;", (unsigned)c);
        else
            fputc(c, out);
    }
    free(clean);
}

/*
 * A code span between backticks is the readable form. There is no escape in one but that of a bar
 * in a table, and that one cannot stand behind a backslash; a blank at both ends is dropped, and
 * several in a row are one in HTML. A text with any of these becomes HTML with every mark as a
 * reference.
 */
static bool fits_span(const char *clean)
{
    size_t size = strlen(clean);

    return size && !strpbrk(clean, "`\\") && clean[0] != ' ' && clean[size - 1] != ' ' &&
           !strstr(clean, "  ");
}

static void put_code(FILE *out, const char *text, bool in_table)
{
    char *clean = text_shown(text);

    if (!*clean) {
        free(clean);
        return;
    }
    if (fits_span(clean)) {
        fputc('`', out);
        for (const char *p = clean; *p; p++)
            fputs(in_table && *p == '|' ? "\\|" : (char[]){*p, '\0'}, out);
        fputc('`', out);
    } else {
        fputs("<code>", out);
        put_escaped(out, clean);
        fputs("</code>", out);
    }
    free(clean);
}

void markdown_put_code(FILE *out, const char *text)
{
    put_code(out, text, false);
}

void markdown_code(FILE *out, const char *text)
{
    fputs("| ", out);
    put_code(out, text, true);
    fputc(' ', out);
}

void markdown_text(FILE *out, const char *text)
{
    fputs("| ", out);
    markdown_put_text(out, text);
    fputc(' ', out);
}
