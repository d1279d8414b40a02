#include <config.h>

#include "render/text/part_heading.h"

#include "base/clean.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "derive/sections.h"
#include "render/text/style.h"
#include "render/text/text.h"

#include <stdlib.h>

enum { NAMES_MOST = 3 };

char *part_heading_text(const struct cprof_profile *p)
{
    struct strbuf text = {.text = NULL};
    size_t n, shown;
    uint32_t *sections = section_roots(p, &n);

    if (!n) {
        free(sections);
        return NULL;
    }
    shown = n > NAMES_MOST + 1 ? NAMES_MOST : n;
    strbuf_add(&text, n == 1 ? "section " : "sections ");
    for (size_t i = 0; i < shown; i++) {
        char *name = text_local(p->sections[sections[i]].name);

        strbuf_addf(&text, "%s'%s'", !i ? "" : i + 1 < n ? ", " : " and ", name);
        free(name);
    }
    if (shown < n)
        strbuf_addf(&text, " and %s more", TEXT_COUNT(n - shown));
    free(sections);
    return strbuf_take(&text);
}

void part_heading_write(const struct cprof_profile *p, bool color, FILE *out)
{
    char *part = part_heading_text(p), *line;

    if (!part)
        return;
    line = xasprintf("Part of the program: %s", part);
    style_line(out, color, STYLE_BOLD, line, 0);
    fputc('\n', out);
    free(line);
    free(part);
}
