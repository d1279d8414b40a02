#include <config.h>

#include "render/html/html.h"

#include "render/html/embedded.h"
#include "render/html/xml.h"

struct part {
    const char *id, *title, *other; /* `other`: where rows are no functions */
};

static struct part part_of(enum html_part part)
{
    static const struct part parts[N_HTML_PARTS] = {
        [HTML_TIME] = {"time", "Time", NULL},
        [HTML_COSTS] = {"costs", "Functions", "Costs"},
        [HTML_FLAME] = {"flame", "Flame graph", NULL},
        [HTML_SANDWICH] = {"sandwich", "Sandwich", NULL},
        [HTML_SOURCE] = {"source", "Source", NULL},
        [HTML_WHY] = {"why", "Why it changed", NULL},
    };
    const struct view_kind *view;

    if (parts[part].id)
        return parts[part];
    view = &view_kinds[part - HTML_VIEWS];
    return (struct part){view->member, view->heading, NULL};
}

static const char *title_of(enum html_part id, bool functions)
{
    struct part part = part_of(id);

    return part.other && !functions ? part.other : part.title;
}

/* Writes what was run, when, and where: "callgrind --release · 2020-01-01 00:00 UTC". */
static void put_run(FILE *out, const struct html_page *page)
{
    struct tm date;
    char when[sizeof "2020-01-01 00:00 UTC"] = "";
    const char *const texts[] = {page->command, when, page->machine, PACKAGE_STRING};
    const char *before = "";

    if (page->when && gmtime_r(&page->when, &date))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M UTC", &date);
    fputs("<p class=\"run\">", out);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!texts[i] || !*texts[i])
            continue;
        fputs(before, out);
        xml_text(out, texts[i]);
        before = " \xc2\xb7 ";
    }
    fputs("</p>\n", out);
}

static void put_links(FILE *out, const struct html_page *page)
{
    fputs("<nav>", out);
    for (enum html_part part = 0; part < N_HTML_PARTS; part++)
        if (page->parts & HTML_BIT(part))
            fprintf(out, "<a href=\"#%s\"%s>%s</a>", part_of(part).id,
                    part == HTML_SANDWICH ? " hidden" : "", title_of(part, page->functions));
    fputs("</nav>\n", out);
}

void html_begin(FILE *out, const struct html_page *page)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
          out);
    xml_text(out, page->title);
    fputs(page->than ? ": what changed</title>\n<style>\n" : ": profile</title>\n<style>\n", out);
    fputs(embedded_report_css, out);
    fputs(embedded_palette_css, out);
    /* While the page loads, only what is shown first is laid out. */
    fputs("</style>\n</head>\n<body>\n<script>document.body.classList.add('live', "
          "'loading')</script>\n"
          "<header>\n<h1>",
          out);
    xml_text(out, page->title);
    if (page->than) {
        fputs(" <small>compared with ", out);
        xml_text(out, page->than);
        fputs("</small>", out);
    }
    if (page->part) {
        fputs(" <small>part of the program: ", out);
        xml_text(out, page->part);
        fputs("</small>", out);
    }
    fputs("</h1>\n", out);
    put_run(out, page);
    put_links(out, page);
    fputs("</header>\n<main>\n", out);
}

void html_section(FILE *out, enum html_part part, bool functions)
{
    fprintf(out, "<section id=\"%s\"%s>\n<h2>%s</h2>\n", part_of(part).id,
            part == HTML_SANDWICH ? " hidden" : "", title_of(part, functions));
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

void html_entry(FILE *out, const char *name, const char *text)
{
    if (!text || !*text)
        return;
    xml_element(out, "dt", "", name);
    xml_element(out, "dd", "", text);
    fputc('\n', out);
}

int html_end(FILE *out)
{
    fprintf(out,
            "</main>\n<footer>Written by cargo-cprof %s</footer>\n<script>\n%s%s%s</script>\n"
            "</body>\n</html>\n",
            PACKAGE_VERSION, embedded_report_js, embedded_highlight_js, embedded_print_js);
    return ferror(out) ? -1 : 0;
}
