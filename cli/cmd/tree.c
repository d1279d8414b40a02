#include <config.h>

/* The command tree: the call paths that cost most. */
#include "base/message.h"
#include "base/output.h"
#include "cmd/commands.h"
#include "options/show_options.h"
#include "paths/startup.h"
#include "paths/tree.h"
#include "profiles/load.h"
#include "render/json/json.h"
#include "render/text/path_tree.h"
#include "render/text/run_header.h"
#include "render/text/text.h"
#include "views/function_view.h"
#include "views/screen.h"

struct tree_settings {
    struct function_settings paths; /* first: FUNCTION_AT() counts from here */
    bool full_paths, threads;
};

#define AT(member) offsetof(struct tree_settings, member)

static const struct option_def options[] = {
    FUNCTION_OPTION_PROFILE,
    {.name = "threshold",
     .kind = OPTION_STRING,
     .value = "PERCENT",
     .help = "leave out paths that cost less than this of the program (1; JSON has all)",
     .offset = FUNCTION_AT(threshold)},
    SHOW_OPTION_SORT(FUNCTION_AT(show), 0, "cost to show and to sort by: Ir, Dr, D1mr, ..."),
    {.name = "full-paths",
     .kind = OPTION_FLAG,
     .help = "show all that starts the program and the threads, and each inlined function in a "
             "separate row",
     .offset = AT(full_paths)},
    {.name = "threads",
     .kind = OPTION_FLAG,
     .help = "show threads apart, also threads that run equal code",
     .offset = AT(threads)},
    FUNCTION_OPTIONS_NAMES,
    FUNCTION_OPTIONS_OUTPUT,
    FUNCTION_OPTIONS_END,
};

static const struct tree_settings *settings_of(const struct function_view *v)
{
    return (const struct tree_settings *)v->settings;
}

static void put_path_tree(const struct function_view *v, const struct tree *tree, double threshold,
                          FILE *out)
{
    struct text_screen screen = show_screen(&v->settings->show);
    struct labels labels;
    struct path_tree path_tree = {.tree = tree,
                                  .measure = v->selection.measure,
                                  .threshold = threshold,
                                  .own = v->crates.own,
                                  .chains = !settings_of(v)->full_paths,
                                  .screen = screen};

    labels_load(&labels, &v->rows, text_clean);
    path_tree.labels = (const char *const *)labels.items;
    totals_line(v->selection.measure, v->rows.totals, &screen, out);
    path_tree_write(&path_tree, out);
    labels_free(&labels);
}

/* All paths. In a document each of them is whole. */
static void load_all(const struct function_view *v, struct tree *tree)
{
    const struct tree_settings *s = settings_of(v);

    tree_load(tree, v->profile);
    if (!s->full_paths && !s->paths.show.json)
        startup_fold(tree, v->crates.own, s->threads);
}

static int write_tree(struct function_view *v, size_t function, FILE *out)
{
    double threshold;
    struct tree tree;
    int status = threshold_read(v->settings->threshold, &threshold);

    if (status == 0 && function != SIZE_MAX && settings_of(v)->threads)
        status = message_usage("--threads is for all paths; those below a function are of any "
                               "thread");
    if (status != 0)
        return status;
    load_warn_names(v->profile, v->qualities);
    if (function == SIZE_MAX)
        load_all(v, &tree);
    else
        subtree_load_all(&tree, v->profile, v->rows.items[function].function);
    tree_sort(&tree, v->selection.measure);
    if (!v->settings->show.json) {
        put_path_tree(v, &tree, threshold, out);
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

static int check(const struct function_settings *paths)
{
    const struct tree_settings *s = (const struct tree_settings *)paths;
    const char *option = s->full_paths ? "--full-paths" : "--threads";

    if (paths->show.json && (s->full_paths || s->threads))
        return message_usage(
            "%s has no effect on --json, which has each path of each thread in full; leave it out",
            option);
    if (s->full_paths && s->threads)
        return message_usage("--threads has no effect with --full-paths, which shows each thread; "
                             "leave out --threads");
    return 0;
}

static int run(const struct command *self, int argc, char **argv)
{
    static const struct function_command command = {
        .options = options, .needs_contexts = true, .write = write_tree, .check = check};
    struct tree_settings settings = {.paths = {.show = SHOW_SETTINGS_INIT}};

    return function_run(self, &command, &settings.paths, argc, argv);
}

const struct command command_tree = {
    .name = "tree",
    .summary = "show the call paths that cost most",
    .usage = "[OPTIONS] [FUNCTION [FILE]]",
    .examples = "  cargo cprof tree                       of the last run\n"
                "  cargo cprof tree --threshold 0.1       finer\n"
                "  cargo cprof tree Net::train            what one function spends most on\n"
                "  cargo cprof tree --profile-file a.cprof\n",
    .run = run,
};
