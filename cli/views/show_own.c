#include <config.h>

#include "views/show_own.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "names/location.h"
#include "render/text/own_table.h"
#include "render/text/run_header.h"
#include "render/text/style.h"
#include "render/text/text.h"
#include "source/source_file.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 100 /* of a command that goes to no terminal */ };

bool show_own_is_wanted(const struct show_settings *s)
{
    return show_view(s) <= VIEW_OWN;
}

void show_own_note_none(const struct show_settings *s, bool any)
{
    if (s->parts == VIEW_OWN && !any)
        message_note("there is nothing of your own code, so all functions are shown");
}

/*--- Loading ---*/

void show_own_load(struct show_own *own_view, const struct cprof_profile *p,
                   const struct crates *crates, const struct show_settings *settings,
                   const struct column_selection *selection)
{
    *own_view = (struct show_own){.measure = selection->measure};
    own_load(&own_view->own, profile_paths(p), crates, crates->own, own_view->measure,
             settings->inclusive);
    own_view->shown = own_table_shown(&own_view->own, own_view->measure) > 0;
}

void show_own_free(struct show_own *own_view)
{
    own_free(&own_view->own);
    own_view->shown = false;
}

/*--- Writing ---*/

/* The misses of the first-level cache, where they are counted and not what is shown: nobody sees
 * in instructions what they cost. */
static const struct column *misses_of(const struct show_own *own_view,
                                      const struct columns *columns)
{
    const struct column *misses = columns_find(columns, "D1m");
    const char *first = own_view->own.profile->events[0].name;

    return misses && !strcmp(own_view->measure->name, first) &&
                   column_value(misses, own_view->own.charged) > 0
               ? misses
               : NULL;
}

void show_own_write(const struct show_own *own_view, const struct show_context *context,
                    const struct columns *columns, const struct text_screen *screen,
                    const struct function_table *t, FILE *out)
{
    bool is_of_caches = context->view == SHOW_CACHEGRIND;
    const struct run_header header = {.profile = own_view->own.profile,
                                      .program = context->program,
                                      .file = context->file,
                                      .command = context->command,
                                      .measure = own_view->measure,
                                      .when = context->when,
                                      .screen = *screen};
    const struct own_table table = {.own = &own_view->own,
                                    .measure = own_view->measure,
                                    .misses = is_of_caches ? misses_of(own_view, columns) : NULL,
                                    .screen = *screen,
                                    .whole_names = t->whole_names,
                                    .root = t->root};

    run_header_write(&header, out);
    fputc('\n', out);
    own_table_write(&table, false, out);
}

void show_own_markdown(const struct show_own *own_view, const char *root, FILE *out)
{
    const struct own_table table = {
        .own = &own_view->own, .measure = own_view->measure, .root = root};

    own_table_write(&table, true, out);
}

/* The function that is charged with most by this measure, whatever the order. */
static const struct row *find_hottest(const struct show_own *own_view, const struct column *measure)
{
    const struct own_function *best = own_view->own.items;

    for (size_t i = 1; i < own_view->own.n; i++)
        if (column_value(measure, own_view->own.items[i].charged) >
            column_value(measure, best->charged))
            best = &own_view->own.items[i];
    return &best->row;
}

/* " FILE --sort D1m", what follows the function's name. The caller frees it. */
static char *rest_of_command(const struct show_own *own_view, const struct show_context *context,
                             const struct column *measure)
{
    char *file = context->file ? shell_word(context->file) : xstrdup("");
    bool is_first = !strcmp(measure->name, own_view->own.profile->events[0].name);
    char *rest = xasprintf("%s%s%s%s", *file ? " " : "", file, is_first ? "" : " --sort ",
                           is_first ? "" : measure->name);

    free(file);
    return rest;
}

/* "cargo cprof annotate logan::unique_clients --sort d1m" behind "next: ", in the width of a line
 * where the function has a name that short. The caller frees it. */
static char *annotate_text(const struct show_own *own_view, const struct show_context *context,
                           const struct column *measure, const struct text_screen *screen)
{
    static const char command[] = "cargo cprof annotate ";
    const struct row *row = find_hottest(own_view, measure);
    char *rest = rest_of_command(own_view, context, measure), *label, *name, *line;
    size_t taken = strlen("next: ") + strlen(command) + strlen(rest) + strlen("''");
    size_t width = screen->fixed ? screen->width : LINE_WIDTH;
    size_t room = width > taken ? width - taken : 0;

    label = own_search_text(&own_view->own, row, room);
    /* Instances of a generic function share its name, and the line is one of theirs. */
    if (strlen(label) > room && strchr(label, '<') && row->file && row->line) {
        char *root = source_root(), *place = location_text(row->file, row->line, NULL, root);
        bool is_shorter = strlen(place) < strlen(label);

        free(root);
        free(is_shorter ? label : place);
        label = is_shorter ? place : label;
    }
    name = shell_word(label);
    line = xasprintf("%s%s%s", command, name, rest);
    free(rest);
    free(label);
    free(name);
    return line;
}

/* True where the last run counted instructions alone, which tell nothing of those that wait. */
static bool is_instructions_only(const struct show_own *own_view,
                                 const struct show_context *context, const struct columns *columns)
{
    return context->view == SHOW_CALLGRIND && !context->file &&
           !strcmp(own_view->measure->name, "Ir") && !own_view->own.profile->sampled &&
           !columns_find(columns, "D1m");
}

/* A further command; what it shows is left out where the line would be too long. */
static void write_further(const char *command, const char *shows, const struct text_screen *screen,
                          FILE *out)
{
    char *line = xasprintf("      %s   %s", command, shows);

    /* A command is to be copied: it is whole, in any width. */
    if (text_width(line) > screen->width)
        line[strlen("      ") + strlen(command)] = '\0';
    style_line(out, screen->color, STYLE_BOLD, line, 0);
    free(line);
}

/* The share of the misses that code has of which nobody knows for whom it ran, in percent, where
 * that is more than any function is charged with; else 0. */
static double unowned_misses(const struct show_own *own_view, const struct column *misses)
{
    const struct own *o = &own_view->own;
    int64_t total = column_value(misses, o->profile->totals), most = 0, unowned;

    for (size_t i = 0; i < o->n; i++)
        if (column_value(misses, o->items[i].charged) > most)
            most = column_value(misses, o->items[i].charged);
    unowned = o->paths ? 0 : column_value(misses, o->outside[BLAME_FIRST_THREAD]);
    return unowned > most && total > 0 ? 100 * (double)unowned / (double)total : 0;
}

/* The command that shows who misses the data cache. */
static void write_misses(const struct show_own *own_view, const struct show_context *context,
                         const struct column *misses, const struct text_screen *screen, FILE *out)
{
    double unowned = unowned_misses(own_view, misses);
    char *command, *shows;

    if (unowned > 0) {
        shows = xasprintf("who called what has %.1f %% of the misses of the data cache", unowned);
        write_further("cargo cprof cachegrind --contexts ...", shows, screen, out);
        free(shows);
        return;
    }
    command = annotate_text(own_view, context, misses, screen);
    write_further(command, "by misses of the data cache", screen, out);
    free(command);
}

void show_own_next(const struct show_own *own_view, const struct show_context *context,
                   const struct columns *columns, const struct text_screen *screen, FILE *out)
{
    const struct column *misses = misses_of(own_view, columns);
    char *command, *line;

    if (!find_hottest(own_view, own_view->measure)->file || context->files > 1)
        return;
    command = annotate_text(own_view, context, own_view->measure, screen);
    line = xasprintf("next: %s", command);
    fputc('\n', out);
    style_line(out, screen->color, STYLE_BOLD, line, 0);
    free(line);
    free(command);
    if (is_instructions_only(own_view, context, columns))
        write_further("cargo cprof time ...", "instructions that take long, as for caches", screen,
                      out);
    if (misses)
        write_misses(own_view, context, misses, screen, out);
}

/*--- Own code line by line ---*/

/* Functions in a note, and columns of each. */
enum { NAMED_MAX = 3, NAME_WIDTH = 32 };

/* One more column: `shown` under another head. */
static struct column *show(struct column_selection *selection, const struct column *shown,
                           const char *header)
{
    struct column *column = selection_make(selection, shown);

    column->header = header;
    selection_show(selection, column);
    return column;
}

void blame_columns(struct column_selection *selection, uint32_t n_events)
{
    const struct columns *all = &selection->columns;
    struct column *foreign;

    selection->n_shown = 0;
    selection_show(selection, selection->measure);
    selection_show(selection, columns_find(all, "%"));
    foreign = show(selection, selection->measure, "Foreign");
    foreign->name = "Foreign";
    for (unsigned i = 0; i < foreign->n_terms; i++)
        foreign->terms[i].value += n_events;
    selection_show(selection, columns_find(all, "Function"));
    show(selection, columns_find(all, "Location"), "Line");
    column_make_note(show(selection, columns_find(all, "Function"), "Foreign functions"));
}

static char *note_of(const struct cprof_profile *p, const struct blame_charge *charges, size_t n,
                     const struct column *measure)
{
    int64_t total = column_value(measure, p->totals);
    struct strbuf note = {.text = NULL};

    for (size_t i = 0; i < n && i < NAMED_MAX; i++) {
        int64_t value = column_value(measure, charges[i].counts);
        char percent[TEXT_NUMBER], *name;

        if (value <= 0)
            break;
        name = text_shorten(blame_charge_name(p, &charges[i]), NAME_WIDTH, TEXT_CUT_NAME);
        strbuf_addf(&note, "%s%s %% %s", i ? ", " : "", text_percent(percent, value, total, 1),
                    name);
        free(name);
    }
    return strbuf_take(&note);
}

void blame_notes(const struct blame *blame, struct rows *rows, const struct column *measure)
{
    for (size_t i = 0; i < rows->n; i++) {
        size_t n;
        const struct blame_charge *charges = blame_charges(blame, rows, &rows->items[i], &n);
        char *note = note_of(rows->profile, charges, n, measure);

        rows->items[i].note = note;
        rows->owned = xreallocarray(rows->owned, rows->n_owned + 1, sizeof *rows->owned);
        rows->owned[rows->n_owned++] = note;
    }
}
