#include <config.h>

#include "render/html/html_table.h"

#include "names/origin.h"
#include "render/html/xml.h"
#include "render/text/text.h"

void html_table_begin(FILE *out, const char *attributes)
{
    fprintf(out, "<div class=\"wide\"><table%s>\n<thead><tr>", attributes);
}

void html_head(FILE *out, const char *text, bool is_number)
{
    xml_element(out, "th", is_number ? " scope=\"col\" class=\"n\"" : " scope=\"col\"", text);
}

void html_table_body(FILE *out)
{
    fputs("</tr></thead>\n<tbody>\n", out);
}

void html_table_end(FILE *out)
{
    fputs("</tbody></table></div>\n", out);
}

void html_row_begin(FILE *out, const struct row *row)
{
    fputs("<tr", out);
    if (row->crate)
        fprintf(out, " data-k=\"%c\"", origin_letter(origin_of((enum owner)row->owner)));
    if (!row->is_place && row->function != CPROF_NONE)
        fprintf(out, " data-f=\"%u\"", (unsigned)row->function);
    fputs(row_is_inlined(row) ? " data-i>" : ">", out);
}

void html_name(FILE *out, const struct row *row, const char *name, bool linked)
{
    fputs("<td class=\"name\">", out);
    if (linked)
        fprintf(out, "<a href=\"#s%u\">", (unsigned)row->function);
    xml_text(out, name);
    if (linked)
        fputs("</a>", out);
    if (row->tag[0]) {
        fputc(' ', out);
        xml_element(out, "small", "", row->tag);
    }
    fputs("</td>", out);
}

void html_row_head(FILE *out, const char *text)
{
    xml_element(out, "th", " scope=\"row\"", text);
}

void html_number(FILE *out, const char *class, const char *number)
{
    /* Most cells have no class of their own, and there may be millions of them. */
    if (*class)
        fprintf(out, "<td class=\"n%s\">", class);
    else
        fputs("<td class=\"n\">", out);
    fputs(number, out);
    fputs("</td>", out);
}

void html_count(FILE *out, int64_t count)
{
    char text[TEXT_NUMBER];

    html_number(out, "", text_count(text, count));
}

bool html_bar(FILE *out, int64_t value, int64_t whole, unsigned decimals)
{
    char text[TEXT_NUMBER];

    if (value <= 0 || value > whole)
        return false;
    fprintf(out, "<td class=\"n bar\" style=\"--p:%.1f\">%s</td>",
            100.0 * (double)value / (double)whole, text_percent(text, value, whole, decimals));
    return true;
}

void html_cell(FILE *out, const char *class, const char *text)
{
    fputs("<td class=\"", out);
    fputs(class, out);
    fputs("\">", out);
    xml_text(out, text);
    fputs("</td>", out);
}

void html_entry(FILE *out, const char *name, const char *text)
{
    if (!text || !*text)
        return;
    xml_element(out, "dt", "", name);
    xml_element(out, "dd", "", text);
    fputc('\n', out);
}
