#include <config.h>

#include "render/html/xml.h"

#include "render/text/text.h"

#include <stdlib.h>

static const char *reference(char c)
{
    return c == '&'    ? "&amp;"
           : c == '<'  ? "&lt;"
           : c == '>'  ? "&gt;"
           : c == '"'  ? "&quot;"
           : c == '\'' ? "&#39;"
                       : NULL;
}

void xml_put(FILE *out, const char *text)
{
    char *shown = text_shown(text);

    for (const char *p = shown; *p; p++) {
        const char *instead = reference(*p);

        if (instead)
            fputs(instead, out);
        else
            fputc(*p, out);
    }
    free(shown);
}
