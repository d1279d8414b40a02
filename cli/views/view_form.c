#include <config.h>

#include "views/view_form.h"

#include "base/memory.h"
#include "render/html/html.h"
#include "render/text/style.h"
#include "views/screen.h"

#include <stdlib.h>
#include <string.h>

#define FORM(id, word, form, shows) [VIEW_##id] = &form##_form,
const struct view_form *const view_forms[N_VIEWS] = {VIEW_TABLES(FORM)[VIEW_LAYOUT] = &layout_form};

void view_fill(enum view_id view, const struct view_input *input, struct table *table)
{
    struct next_views next = {.sort = NULL};

    view_forms[view]->fill(input, &next, table);
    free(next.type);
}

void view_write(enum view_id view, const struct view_input *input, struct next_views *next,
                const struct text_screen *screen, FILE *out)
{
    struct table table;

    if (view_forms[view]->write) {
        view_forms[view]->write(input, screen, out);
        return;
    }
    view_forms[view]->fill(input, next, &table);
    table_take(&table, screen, out);
    if (!screen || !next->hint)
        return;
    fputc('\n', out);
    style_line(out, screen->color, STYLE_DIM, next->hint, screen->width);
}

void view_write_page(enum view_id view, const struct view_input *input,
                     const struct function_table *functions, FILE *out)
{
    struct table table;

    html_section(out, HTML_VIEWS + view, true);
    if (view_forms[view]->page) {
        view_forms[view]->page(input, functions, out);
    } else {
        view_fill(view, input, &table);
        html_table(&table, false, out);
        table_free(&table);
    }
    html_section_end(out);
}

size_t view_limit(const struct view_input *input, enum view_id view, size_t alone, size_t beside)
{
    if (input->settings->limit != SHOW_LIMIT_DEFAULT)
        return (size_t)input->settings->limit;
    if (show_is_data(input->settings))
        return 0;
    return input->view == view ? alone : beside;
}

bool view_is_brief(const struct view_input *input)
{
    return input->settings->limit == SHOW_LIMIT_DEFAULT && !input->filter &&
           !show_is_data(input->settings);
}

/*--- Commands that look further ---*/

/* Commands, a line each, what they show in a column of its own. */
enum { COMMANDS_MAX = 8 };
struct commands {
    char *texts[COMMANDS_MAX]; /* behind "cargo cprof"; owned */
    const char *shows[COMMANDS_MAX];
    unsigned n;
};

/* Takes over `text`. */
static void add(struct commands *c, char *text, const char *shows)
{
    c->texts[c->n] = text;
    c->shows[c->n++] = shows;
}

static void write_all(struct commands *c, const struct text_screen *screen, FILE *out)
{
    size_t width = 0;

    for (unsigned i = 0; i < c->n; i++)
        if (strlen(c->texts[i]) > width)
            width = strlen(c->texts[i]);
    if (c->n)
        fputc('\n', out);
    for (unsigned i = 0; i < c->n; i++) {
        char *line = xasprintf("%s cargo cprof %-*s   %s", i ? "     " : "next:", (int)width,
                               c->texts[i], c->shows[i]);

        style_line(out, screen->color, STYLE_BOLD, line, 0);
        free(line);
        free(c->texts[i]);
    }
}

void other_views_write(const struct cprof_profile *p, enum view_id view,
                       const struct next_views *next, const struct text_screen *screen, FILE *out)
{
    struct commands c = {.n = 0};

    if (next->sort) {
        add(&c, xasprintf("annotate --sort %s", next->sort), "lines of the source");
        add(&c, xasprintf("tree --sort %s", next->sort), "call paths");
    }
    if (cprof_find_event(p, "Ir") != CPROF_NONE && (view == VIEW_HEAP || view == VIEW_DATA))
        add(&c, xstrdup("report --view own --sort Ir"), "what ran, by instructions");
    /* A name with type arguments would need quotes. */
    if (next->type && !next->type[strcspn(next->type, "<>()&*|; '\"")])
        add(&c, xasprintf("report --layout %s", next->type), "its members");
    for (enum view_id v = VIEW_HEAP; v <= VIEW_CURVES && view >= VIEW_HEAP; v++)
        if (v != view && view_kinds[v].measure && view_exists(v, p))
            add(&c, xasprintf("report %s", view_kinds[v].name), view_shows[v]);
    if (next->line_use)
        add(&c, xstrdup("data ... --line-use"), "how much of these lines is used");
    write_all(&c, screen, out);
}
