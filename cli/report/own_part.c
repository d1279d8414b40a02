#include <config.h>

#include "report/own_part.h"

#include "base/memory.h"
#include "render/text/own_table.h"
#include "render/text/run_header.h"
#include "render/text/style.h"
#include "render/text/text.h"
#include "report/sources.h"
#include "source/source_file.h"

#include <stdlib.h>
#include <string.h>

bool own_part_is_wanted(const struct show_settings *s)
{
    return s->parts != SHOW_FUNCTIONS && !s->blame && s->by == GROUP_FUNCTION;
}

/*--- Derived functions ---*/

enum { LIST_LINES_MOST = 20 }; /* of a list of traits */

static bool has_text(const char *line, size_t size, const char *text)
{
    return memmem(line, size, text, strlen(text)) != NULL;
}

/* True for a line within a list of traits: "    Clone, Debug," */
static bool is_of_list(const char *line, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:, \t",
                    line[i]))
            return false;
    return true;
}

/* True where the compiler wrote a function that is defined there: #[derive(...)] is, maybe some
 * lines above. */
static bool is_derived(const struct source *source, uint32_t line)
{
    const char *text;
    size_t size;

    for (uint32_t i = line; i && line - i < LIST_LINES_MOST; i--) {
        if (!source_line(source, i, &text, &size))
            return false;
        if (has_text(text, size, "derive("))
            return true;
        if (!is_of_list(text, size))
            return false;
    }
    return false;
}

/* Leaves out derived functions: their cost belongs to the lines that call them. */
static void leave_out_derived(bool *own, const struct cprof_profile *p)
{
    char *root = sources_root();
    struct source_finder finder = {.root = root, .program = p->program};

    for (uint32_t i = 0; i < p->n_functions; i++) {
        const struct cprof_function *f = &p->functions[i];
        const struct source *source;

        if (!own[i] || f->file == CPROF_NONE || !f->line)
            continue;
        source = source_find(&finder, p->files[f->file]);
        own[i] = source->state != SOURCE_FOUND || !is_derived(source, f->line);
    }
    source_finder_free(&finder);
    free(root);
}

/*--- Loading ---*/

void own_part_load(struct own_part *part, const struct cprof_profile *p,
                   const struct crates *crates, const struct show_settings *settings,
                   const struct column_selection *selection)
{
    bool *own = own_functions(p, crates);

    *part = (struct own_part){.view = *p, .measure = selection->measure};
    if (!p->n_contexts) {
        part->view.n_contexts = p->n_inlined_contexts;
        part->view.n_context_costs = p->n_inlined_costs;
    }
    leave_out_derived(own, p);
    own_load(&part->own, &part->view, crates, own, part->measure, settings->inclusive);
    part->own.paths = p->n_contexts > 0;
    part->shown = own_table_shown(&part->own, part->measure) > 0;
    free(own);
}

void own_part_free(struct own_part *part)
{
    own_free(&part->own);
    part->shown = false;
}

/*--- Writing ---*/

void own_part_write(const struct own_part *part, const struct show_context *context,
                    const struct show_screen *screen, const char *root, FILE *out)
{
    const struct run_header header = {.profile = part->own.profile,
                                      .program = context->program,
                                      .command = context->command,
                                      .measure = part->measure,
                                      .when = context->when,
                                      .width = screen->width,
                                      .fixed = screen->fixed,
                                      .color = screen->color,
                                      .utf8 = screen->utf8};
    const struct own_table table = {.own = &part->own,
                                    .measure = part->measure,
                                    .width = screen->width,
                                    .fixed = screen->fixed,
                                    .color = screen->color,
                                    .utf8 = screen->utf8,
                                    .root = root};

    run_header_write(&header, out);
    fputc('\n', out);
    own_table_write(&table, out);
}

void own_part_markdown(const struct own_part *part, const char *root, FILE *out)
{
    const struct own_table table = {
        .own = &part->own, .measure = part->measure, .utf8 = text_is_utf8(), .root = root};

    own_table_markdown(&table, out);
}

/* A word of a command line as a shell reads it. The caller frees it. */
static char *shell_word(const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:/.+-=@%,";
    const char *quote = text[strspn(text, plain)] || !*text ? "'" : "";

    return xasprintf("%s%s%s", quote, text, quote);
}

/* The function that is charged with most, whatever the order. */
static const struct row *find_hottest(const struct own_part *part)
{
    const struct own_function *best = part->own.items;

    for (size_t i = 1; i < part->own.n; i++)
        if (column_value(part->measure, part->own.items[i].charged) >
            column_value(part->measure, best->charged))
            best = &part->own.items[i];
    return &best->row;
}

void own_part_next(const struct own_part *part, const struct show_context *context,
                   const struct show_screen *screen, FILE *out)
{
    const struct row *row = find_hottest(part);
    char *name, *file, *line;

    if (!row->file || context->files > 1 || strchr(row->name, '\''))
        return;
    name = shell_word(row->name);
    file = context->file ? shell_word(context->file) : xstrdup("");
    line = xasprintf("next: cargo cprof annotate %s%s%s", name, *file ? " " : "", file);
    fputc('\n', out);
    style_line(out, screen->color, STYLE_BOLD, line, 0);
    free(name);
    free(file);
    free(line);
}
