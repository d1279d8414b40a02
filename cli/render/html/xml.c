#include <config.h>

#include "render/html/xml.h"

#include "base/clean.h"
#include "base/counts.h"

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

void xml_text(FILE *out, const char *text)
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

void xml_element(FILE *out, const char *tag, const char *attributes, const char *text)
{
    fputc('<', out);
    fputs(tag, out);
    fputs(attributes, out);
    fputc('>', out);
    xml_text(out, text);
    fputs("</", out);
    fputs(tag, out);
    fputc('>', out);
}

void xml_attribute(FILE *out, const char *name, const char *text)
{
    fprintf(out, " %s=\"", name);
    xml_text(out, text);
    fputc('"', out);
}

void xml_length(FILE *out, const char *name, double length)
{
    char text[TEXT_NUMBER];
    size_t size = (size_t)snprintf(text, sizeof text, "%.2f", length);

    while (size && text[size - 1] == '0')
        text[--size] = '\0';
    if (size && text[size - 1] == '.')
        text[--size] = '\0';
    fprintf(out, " %s=\"%s\"", name, text);
}

void xml_line(FILE *out, const char *class, double x1, double y1, double x2, double y2)
{
    fprintf(out, "<line class=\"%s\"", class);
    xml_length(out, "x1", x1);
    xml_length(out, "y1", y1);
    xml_length(out, "x2", x2);
    xml_length(out, "y2", y2);
    fputs("/>\n", out);
}

void xml_label(FILE *out, const char *anchor, double x, double y, const char *text)
{
    fprintf(out, "<text text-anchor=\"%s\"", anchor);
    xml_length(out, "x", x);
    xml_length(out, "y", y);
    fputc('>', out);
    xml_text(out, text);
    fputs("</text>\n", out);
}
