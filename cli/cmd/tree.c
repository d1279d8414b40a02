#include <config.h>

/* The command tree: the call paths that cost most. */
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "cmd/commands.h"
#include "paths/subtree.h"
#include "render/json/json.h"
#include "render/text/labels.h"
#include "render/text/path_tree.h"
#include "render/text/style.h"
#include "render/text/text.h"
#include "report/function_view.h"
#include "report/threshold.h"
#include "table/search.h"

#include <stdlib.h>
#include <string.h>

static const struct option_def options[] = {
    FUNCTION_OPTION_PROFILE,
    {"threshold", 0, OPTION_STRING, "PERCENT",
     "leave out paths that cost less than this of the program (1; JSON has all)",
     FUNCTION_AT(threshold), NULL},
    {"sort", 0, OPTION_STRING, "COLUMN", "cost to show and to sort by: Ir, Dr, D1mr, ...",
     FUNCTION_AT(show.sort), NULL},
    FUNCTION_OPTIONS_NAMES,
    FUNCTION_OPTIONS_OUTPUT,
    FUNCTION_OPTIONS_END,
};

static void put_total(const struct function_view *v, const struct show_screen *screen, FILE *out)
{
    const struct column *measure = v->selection.measure;
    bool ir = !strcmp(measure->name, "Ir");
    char count[TEXT_NUMBER], *name = text_clean(ir ? "instructions" : measure->name, screen->utf8);

    fprintf(out, "Total %s  ", name);
    style_put(out, screen->color, STYLE_BOLD,
              text_count(count, column_value(measure, v->rows.totals)));
    fputs("\n\n", out);
    free(name);
}

static void put_path_tree(const struct function_view *v, const struct tree *tree, double threshold,
                          FILE *out, bool to_file)
{
    struct show_screen screen = show_screen(&v->settings->show, to_file);
    struct labels labels;
    struct path_tree path_tree = {.tree = tree,
                                  .measure = v->selection.measure,
                                  .threshold = threshold,
                                  .width = screen.width,
                                  .fixed = screen.fixed,
                                  .color = screen.color,
                                  .utf8 = screen.utf8};

    labels_load(&labels, &v->rows, text_local);
    path_tree.labels = (const char *const *)labels.items;
    put_total(v, &screen, out);
    path_tree_write(&path_tree, out);
    labels_free(&labels);
}

static int write_tree(struct function_view *v, size_t function, FILE *out, bool to_file)
{
    double threshold;
    struct tree tree;
    int status = threshold_read(v->settings->threshold, &threshold);

    if (status != 0)
        return status;
    if (function == SIZE_MAX)
        tree_load(&tree, v->profile);
    else
        subtree_load_all(&tree, v->profile, v->rows.items[function].function);
    tree_sort(&tree, v->selection.measure);
    if (!v->settings->show.json) {
        put_path_tree(v, &tree, threshold, out, to_file);
    } else {
        struct column_list columns;

        selection_show_events(&v->selection, v->profile->n_events);
        columns = selection_columns(&v->selection);
        if (json_write_tree(&tree, &columns, out) != 0)
            status = output_failed(out);
    }
    tree_free(&tree);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    static const struct function_command command = {
        .options = options, .needs_contexts = true, .write = write_tree};

    return function_run(self, &command, argc, argv);
}

const struct command command_tree = {
    .name = "tree",
    .summary = "show the call paths that cost most",
    .usage = "[OPTIONS] [FUNCTION [FILE]]",
    .examples = "  cargo cprof tree                       of the last run\n"
                "  cargo cprof tree --threshold 0.1       finer\n"
                "  cargo cprof tree Net::train            what one function spends its cost on\n"
                "  cargo cprof tree --profile-file a.cprof\n",
    .run = run,
};
