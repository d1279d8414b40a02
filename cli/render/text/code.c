#include <config.h>

#include "render/text/code.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    TAB = 8,
    SHOWN_MAX = 2000, /* bytes of a line: generated code may be one line of megabytes */
    JSON_MAX = 65536
};

/* A copy of the first `max` bytes of a line. It cuts no character in two, and has no NUL inside. */
static char *copy_line(const char *line, size_t size, size_t max)
{
    char *copy;

    if (size > max) {
        size = max;
        while (size > max - 4 && ((unsigned char)line[size] & 0xc0) == 0x80)
            size--;
    }
    while (size && (line[size - 1] == ' ' || line[size - 1] == '\t'))
        size--;
    copy = xmalloc(size + 1);
    for (size_t i = 0; i < size; i++)
        copy[i] = line[i] ? line[i] : '\1';
    copy[size] = '\0';
    return copy;
}

char *code_text(const char *line, size_t size, bool utf8)
{
    char *rest = copy_line(line, size, SHOWN_MAX), *copy = rest, *part;
    struct strbuf text = {.text = NULL};
    unsigned column = 0;

    /* The text between tabs is cleaned: text_clean() would replace tabs. */
    while ((part = strsep(&rest, "\t")) != NULL) {
        char *clean = text_clean(part, utf8);
        unsigned blanks;

        strbuf_add(&text, clean);
        column += text_width(clean, utf8);
        free(clean);
        for (blanks = rest ? TAB - column % TAB : 0; blanks > 0; blanks--, column++)
            strbuf_add_char(&text, ' ');
    }
    free(copy);
    return strbuf_take(&text);
}

char *code_json(const char *line, size_t size)
{
    char *copy = copy_line(line, size, JSON_MAX), *valid = text_utf8(copy);

    free(copy);
    return valid;
}
