#include <config.h>

#include "render/html/html.h"

#include "render/html/embedded.h"
#include "render/html/xml.h"

static const struct part {
    enum html_part part;
    const char *id, *title;
} parts_known[] = {
    {HTML_COSTS, "costs", "Costs"},
    {HTML_FLAME, "flame", "Flame graph"},
    {HTML_SOURCE, "source", "Source"},
};

enum { N_PARTS = sizeof parts_known / sizeof *parts_known };

void html_begin(FILE *out, const char *title, const char *than, unsigned parts)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
          out);
    xml_text(out, title);
    fputs(than ? ": what changed</title>\n<style>\n" : ": profile</title>\n<style>\n", out);
    fputs(embedded_report_css, out);
    fputs(embedded_palette_css, out);
    fputs("</style>\n</head>\n<body>\n<header>\n<h1>", out);
    xml_text(out, title);
    if (than) {
        fputs(" <small>compared with ", out);
        xml_text(out, than);
        fputs("</small>", out);
    }
    fputs("</h1>\n<nav>", out);
    for (size_t i = 0; i < N_PARTS; i++)
        if (parts & parts_known[i].part)
            fprintf(out, "<a href=\"#%s\">%s</a>", parts_known[i].id, parts_known[i].title);
    fputs("</nav>\n</header>\n<main>\n", out);
}

void html_section(FILE *out, enum html_part part)
{
    for (size_t i = 0; i < N_PARTS; i++)
        if (parts_known[i].part == part)
            fprintf(out, "<section id=\"%s\">\n<h2>%s</h2>\n", parts_known[i].id,
                    parts_known[i].title);
}

void html_section_end(FILE *out)
{
    fputs("</section>\n", out);
}

void html_note(FILE *out, const char *text)
{
    xml_element(out, "p", " class=\"note\"", text);
    fputc('\n', out);
}

int html_end(FILE *out)
{
    fprintf(out,
            "</main>\n<footer>Written by cargo-cprof %s</footer>\n<script>\n%s</script>\n"
            "</body>\n</html>\n",
            PACKAGE_VERSION, embedded_report_js);
    return ferror(out) ? -1 : 0;
}
