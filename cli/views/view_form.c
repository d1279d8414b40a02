#include <config.h>

#include "views/view_form.h"

#include "render/html/html.h"

#define FORM(id, word, form, shows) [VIEW_##id] = &form##_form,
const struct view_form *const view_forms[N_VIEWS] = {VIEW_TABLES(FORM)[VIEW_LAYOUT] = &layout_form};

void view_write(enum view_id view, const struct view_input *input, struct next_views *next,
                const struct show_screen *screen, FILE *out)
{
    struct table table;

    if (view_forms[view]->write) {
        view_forms[view]->write(input, next, screen, out);
        return;
    }
    view_forms[view]->fill(input, &table);
    if (table.n_rows)
        next->sort = view_kinds[view].measure;
    show_table(&table, screen, input->links, out);
}

void view_write_page(enum view_id view, const struct view_input *input,
                     const struct function_table *functions, FILE *out)
{
    struct table table;

    html_section(out, HTML_VIEWS + view, true);
    if (view_forms[view]->page) {
        view_forms[view]->page(input, functions, out);
    } else {
        view_forms[view]->fill(input, &table);
        html_table(&table, false, out);
        table_free(&table);
    }
    html_section_end(out);
}

size_t view_limit(const struct view_input *input, enum view_id view, size_t alone, size_t beside)
{
    if (input->settings->limit != SHOW_LIMIT_DEFAULT)
        return (size_t)input->settings->limit;
    return input->view == view ? alone : beside;
}

bool view_is_brief(const struct view_input *input)
{
    return input->settings->limit == SHOW_LIMIT_DEFAULT && !input->filter;
}
