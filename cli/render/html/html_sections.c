#include <config.h>

/* The sections that the program named, in a page. */
#include "render/html/html.h"
#include "render/html/html_table.h"
#include "render/text/section_table.h"

void html_sections(const struct function_table *t, FILE *out)
{
    const struct section_table sections = {t->rows->profile, t->measure};
    struct table table;

    html_note(out, sections.profile->sections_cold
                       ? "An entry is one stay of a thread in the section; the caches were emptied "
                         "where it began within no other"
                       : "An entry is one stay of a thread in the section");
    section_table_fill(&sections, NULL, &table);
    html_rows(&table, "sections", NULL, out);
    table_free(&table);
}
