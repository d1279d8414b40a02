#include <config.h>

/* The commands callers and callees: who calls a function, from where, and what that costs. */
#include "base/memory.h"
#include "base/output.h"
#include "calls/graph.h"
#include "cmd/commands.h"
#include "paths/call_rows.h"
#include "render/json/json.h"
#include "render/text/function_table.h"
#include "render/text/style.h"
#include "render/text/table_text.h"
#include "render/text/text.h"
#include "table/search.h"
#include "views/function_view.h"
#include "views/screen.h"

#include <stdlib.h>
#include <string.h>

static const struct option_def options[] = {
    FUNCTION_OPTION_PROFILE,
    SHOW_OPTION_LIMIT(FUNCTION_AT(show), 0, "show the first N, 0 for all (20; JSON: all)"),
    SHOW_OPTION_SORT(FUNCTION_AT(show), 0,
                     "cost to show and to sort by, or calls: Ir, Dr, Calls, ..."),
    FUNCTION_OPTIONS_NAMES,
    FUNCTION_OPTIONS_OUTPUT,
    FUNCTION_OPTIONS_END,
};

/* The columns: what the calls cost, its share of the program, how many, where that is known; whom,
 * and where from. */
enum { COST, SHARE, CALLS, OTHER, SITE, N_COLUMNS };

struct layout {
    struct column columns[N_COLUMNS];
    const struct column *shown[N_COLUMNS];
    size_t n_shown;
};

static void lay_out(struct layout *l, const struct column_selection *selection, bool callers)
{
    const struct columns *all = &selection->columns;
    const struct column *calls = columns_find(all, "Calls");

    l->columns[COST] = *columns_inclusive(all, selection->measure);
    l->columns[COST].header = selection->measure->header;
    l->columns[SHARE] = *columns_find(all, "%");
    l->columns[SHARE].n_terms = l->columns[COST].n_terms;
    memcpy(l->columns[SHARE].terms, l->columns[COST].terms, sizeof l->columns[COST].terms);
    if (calls)
        l->columns[CALLS] = *calls;
    l->columns[OTHER] = *columns_find(all, "Function");
    l->columns[OTHER].header = callers ? "Caller" : "Callee";
    l->columns[SITE] = *columns_find(all, "Location");
    l->columns[SITE].header = "Call site";
    l->n_shown = 0;
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (i != CALLS || calls)
            l->shown[l->n_shown++] = &l->columns[i];
}

/* "NAME  LOCATION", and a line of what it cost. */
static void put_function(const struct function_view *v, const struct row *row,
                         const struct text_screen *screen, FILE *out)
{
    const struct column *measure = v->selection.measure;
    const struct column *inclusive = columns_inclusive(&v->selection.columns, measure);
    uint32_t calls = 2 * v->profile->n_events;
    int64_t total = column_value(measure, v->rows.totals);
    char count[TEXT_NUMBER], percent[TEXT_NUMBER];
    char *label = row_label(row, true, v->root), *name = text_clean(measure->name);

    style_put(out, screen->color, STYLE_BOLD, label);
    fprintf(out, "\n%s: %s self", name,
            text_value(count, measure, column_value(measure, row->counts)));
    fprintf(out, " (%s %%)", text_percent(percent, column_value(measure, row->counts), total, 1));
    fprintf(out, ", %s inclusive",
            text_value(count, measure, column_value(inclusive, row->counts)));
    fprintf(out, " (%s %%)", text_percent(percent, column_value(inclusive, row->counts), total, 1));
    if (graph_has_calls(v->profile) && row->counts[calls])
        fprintf(out, "; %s call%s", text_count(count, row->counts[calls]),
                row->counts[calls] == 1 ? "" : "s");
    else if (graph_has_calls(v->profile) && !row_knows_calls(row, 0))
        fputs("; no call is known", out);
    fputs(row->inlined ? "; " TEXT_INLINED : "", out);
    if (row->entered) {
        struct cell cell = cell_calls(row, 0);
        char *entered = cell_text_of(&cell, COUNT_FULL);

        fprintf(out, "%s entered %s time%s", row->inlined ? "," : ";", entered,
                row->entered == 1 ? "" : "s");
        free(entered);
    }
    fputs("\n\n", out);
    free(label);
    free(name);
}

/* The frame that stands for what began the function where nobody called it, "[signal]", "[fibre]";
 * NULL: there is none, or it is a thread's, whose first function has no caller. */
static const char *beginning_of(const struct function_view *v, size_t row)
{
    const struct cprof_profile *p = v->profile;
    uint32_t *rows = rows_of_functions(&v->rows);
    const char *name = NULL;

    for (uint32_t i = 0; i < p->n_contexts && !name; i++) {
        uint32_t parent = p->contexts[i].parent;
        const char *above =
            parent == CPROF_NONE ? "" : p->functions[p->contexts[parent].function].name;

        if (*above == '[' && strncmp(above, "[thread", 7) != 0 &&
            rows[p->contexts[i].function] == row)
            name = above;
    }
    free(rows);
    return name;
}

/* Says why nothing calls the function. The caller frees it. */
static char *no_callers(const struct function_view *v, size_t function)
{
    const struct row *row = &v->rows.items[function];
    const char *beginning = beginning_of(v, function);

    if (row->entered && !row->inlined)
        return xstrdup("no callers: those who call through it are callers of what it leads to");
    return beginning ? xasprintf("no callers; its call paths begin at '%s'", beginning)
                     : xstrdup("no callers");
}

static void put_closing(const struct function_view *v, size_t function, size_t n, size_t n_shown,
                        bool callers, const struct text_screen *screen, FILE *out)
{
    char *line;

    if (n == 0)
        line = callers ? no_callers(v, function) : xstrdup("no callees");
    else if (n_shown < n)
        line =
            xasprintf("%s of %s call sites (-n 0 shows all)", TEXT_COUNT(n_shown), TEXT_COUNT(n));
    else
        line = xasprintf("%s call site%s", TEXT_COUNT(n), n == 1 ? "" : "s");
    table_take_line(line, STYLE_DIM, "", screen, out);
}

static void put_table(const struct function_view *v, const struct rows *calls, size_t n_shown,
                      const struct layout *layout, const struct text_screen *screen, FILE *out)
{
    struct links links;
    struct function_table t = {
        .rows = calls,
        .n_shown = n_shown,
        .columns = {layout->n_shown, layout->shown},
        .measure = v->selection.measure,
        .whole_names = v->settings->show.names.style != NAME_SHORT,
        .screen = *screen,
        .root = v->root,
    };

    show_links(&links, &t.screen, v->profile);
    if (n_shown)
        function_table_rows(&t, out);
    closing_fitting(&t, out);
    links_free(&links);
}

static int write_json(struct function_view *v, const struct row *called, const struct rows *calls,
                      size_t n_shown, bool callers, FILE *out)
{
    struct json_table table = {.rows = calls, .n_shown = n_shown};

    selection_show_events(&v->selection, v->profile->n_events);
    table.columns = selection_columns(&v->selection);
    if (json_write_calls(&table, &v->rows, called, callers ? "callers" : "callees", out) != 0)
        return output_failed(out);
    return 0;
}

static int write_calls(struct function_view *v, size_t function, FILE *out)
{
    bool callers = v->self == &command_callers;
    const struct show_settings *settings = &v->settings->show;
    struct text_screen screen = show_screen(settings);
    const struct row *row = &v->rows.items[function];
    struct layout layout;
    struct rows calls;
    size_t n_shown;
    int status = 0;

    lay_out(&layout, &v->selection, callers);
    call_rows_load(&calls, &v->rows, function, callers);
    rows_sort(&calls, &layout.columns[column_is_calls(v->selection.sort) ? CALLS : COST], NULL);
    n_shown = show_limit(settings, settings->json ? 0 : SHOW_LIMIT_TABLE, calls.n);
    if (!settings->json) {
        put_function(v, row, &screen, out);
        put_table(v, &calls, n_shown, &layout, &screen, out);
        put_closing(v, function, calls.n, n_shown, callers, &screen, out);
    } else {
        status = write_json(v, row, &calls, n_shown, callers, out);
    }
    rows_free(&calls);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    static const struct function_command command = {
        .options = options, .needs_function = true, .write = write_calls};
    struct function_settings settings = {.show = SHOW_SETTINGS_INIT};

    return function_run(self, &command, &settings, argc, argv);
}

const struct command command_callers = {
    .name = "callers",
    .summary = "show who calls a function, from where and at what cost",
    .usage = "[OPTIONS] FUNCTION [FILE]",
    .examples = "  cargo cprof callers Matrix::dot              of the last run; part of a "
                "name\n"
                "  cargo cprof callers malloc callgrind.out.12  in a profile of callgrind\n",
    .run = run,
};

const struct command command_callees = {
    .name = "callees",
    .summary = "show what a function calls, from where and at what cost",
    .usage = "[OPTIONS] FUNCTION [FILE]",
    .examples = "  cargo cprof callees nnet::main               of the last run\n"
                "  cargo cprof callees main callgrind.out.12    in a profile of callgrind\n",
    .run = run,
};
