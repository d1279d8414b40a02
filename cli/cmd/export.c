#include <config.h>

/* The command export: a profile in the format of another tool. */
#include "base/message.h"
#include "base/output.h"
#include "base/strbuf.h"
#include "calls/graph.h"
#include "cmd/commands.h"
#include "derive/short_paths.h"
#include "options/column_selection.h"
#include "options/show_options.h"
#include "profiles/load.h"
#include "render/export/export.h"
#include "render/text/text.h"
#include "table/heap.h"
#include "views/show.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FORMAT_NONE = -1,
    DEPTH_USUAL = 2000 /* these formats write every path from its root on */
};

struct settings {
    struct show_settings show; /* first: rows of its options are of this struct, too */
    int format;                /* index into formats; FORMAT_NONE: not given */
    const char *threshold;
    long max_depth; /* 0: as deep as they are */
    bool fold_startup, safe;
};

/* One export, with all that it needs. */
struct view {
    const struct settings *settings;
    struct cprof_profile *profile;
    bool ends_early; /* paths were longer than --max-depth */
    enum name_quality *qualities;
    struct column_selection selection;
    struct rows rows;
    struct tree tree;
    struct packages packages;
    struct crates crates; /* loaded for formats with them */
    struct export export;
};

/*--- The formats ---*/

static int write_json(struct view *v, FILE *out)
{
    const struct show_context context = {
        .packages = &v->packages, .qualities = v->qualities, .quiet = true};
    struct show_settings settings = v->settings->show;

    settings.json = v->profile->n_contexts ? "tree" : "";
    return show_write(v->profile, &settings, &context, out);
}

static int write_folded(struct view *v, FILE *out)
{
    if (column_value(v->export.measure, tree_inclusive(&v->tree, 0)) == 0)
        message_note("no %s in '%s': folded has no lines", v->export.measure->name,
                     v->profile->source);
    return export_folded(&v->export, out);
}

/* In the order of format_names. */
static const struct format {
    const char *help;
    int (*export)(const struct export *export, FILE *out);
    int (*of_profile)(const struct cprof_profile *profile, FILE *out); /* that needs less */
    int (*write)(struct view *view, FILE *out);                        /* that needs more */
    bool of_paths;    /* without call paths, each function stands alone */
    bool needs_calls; /* without them there is nothing to see */
    bool needs_heap;
    bool no_negative; /* its readers refuse negative counts */
    bool binary;
    bool with_crates;
    bool by_symbols; /* code that was inlined is its function's, by file and line */
} formats[] = {
    {.help = "JSON as report writes it, with all call paths",
     .write = write_json,
     .with_crates = true},
    {.help = "comma-separated values, a line for each function", .export = export_csv},
    {.help = "a table in Markdown", .export = export_markdown},
    {.help = "KCachegrind, callgrind_annotate",
     .of_profile = export_callgrind,
     .no_negative = true,
     .by_symbols = true},
    {.help = "cg_annotate, cg_diff", .of_profile = export_cachegrind, .by_symbols = true},
    {.help = "one line for each call path, for flame graph tools",
     .write = write_folded,
     .of_paths = true,
     .no_negative = true},
    {.help = "speedscope", .export = export_speedscope, .of_paths = true, .no_negative = true},
    {.help = "pprof, Parca, Pyroscope; gzip",
     .export = export_pprof,
     .of_paths = true,
     .binary = true},
    {.help = "graphviz: a call graph", .export = export_dot, .needs_calls = true},
    {.help = "DHAT's viewer: who allocates, of a profile of the heap",
     .export = export_dhat,
     .of_paths = true,
     .needs_heap = true,
     .no_negative = true},
    {.help = "functions as in pprof's text report: flat, cum", .export = export_pprof_text},
    {.help = "Firefox Profiler: profiler.firefox.com",
     .export = export_firefox,
     .of_paths = true,
     .no_negative = true,
     .with_crates = true},
    {.help = "Perfetto, chrome://tracing: costs as if they were time",
     .export = export_chrome_trace,
     .of_paths = true,
     .no_negative = true},
};
static const char *const format_names[] = {
    "json",  "csv", "md",   "callgrind",  "cachegrind", "folded",       "speedscope",
    "pprof", "dot", "dhat", "pprof-text", "firefox",    "chrome-trace", NULL};

#define AT(member) offsetof(struct settings, member)

static const struct option_def options[] = {
    {.name = "format",
     .kind = OPTION_CHOICE | OPTION_USUAL,
     .value = "FORMAT",
     .help = "the format to write, see below",
     .offset = AT(format),
     .choices = format_names},
    SHOW_OPTION_OUTPUT(0, OPTION_USUAL),
    SHOW_OPTION_SORT(AT(show), OPTION_USUAL,
                     "the cost to sort by, and the one of formats with one: Ir, Dr, D1mr, ..."),
    {.name = "threshold",
     .kind = OPTION_STRING | OPTION_USUAL,
     .value = "PERCENT",
     .help = "dot: leave out functions and calls that cost less than this of the program (1)",
     .offset = AT(threshold)},
    {.name = "max-depth",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "formats of call paths: write N functions of a path, and what is below them as "
             "'[deeper]'; 0 for all (2000)",
     .offset = AT(max_depth)},
    {.name = "fold-startup",
     .kind = OPTION_FLAG,
     .help = "formats of call paths: let them begin at own code, as in tree; what starts the "
             "program and the threads is '[start-up]'",
     .offset = AT(fold_startup)},
    {.name = "safe",
     .kind = OPTION_FLAG,
     .help = "csv: put an apostrophe before texts that a spreadsheet would take for formulas",
     .offset = AT(safe)},
    SHOW_OPTIONS_NAMES(struct settings, show.names),
    {.name = NULL},
};

/*--- One export ---*/

static int check_profile(const struct cprof_profile *p, const struct format *format,
                         const char *name)
{
    if (p->n_events == 0)
        return message_error("no events in '%s', so there is nothing to show; name another profile",
                             p->source);
    if (format->needs_calls && !graph_is_known(p))
        return message_error("no calls in '%s' for --format %s; %s", p->source, name,
                             load_calls_hint(p));
    if (format->needs_heap && !heap_is_counted(p))
        return message_error("no counts of the heap in '%s' for --format %s; 'cargo cprof heap' "
                             "makes a profile that has them",
                             p->source, name);
    if (format->no_negative && load_has_negative(p))
        return message_error("negative counts in '%s': '%s' cannot have them; csv and json can",
                             p->source, name);
    return 0;
}

/* Says how much of the measure is below the paths that are written. */
static void say_deeper(const struct view *v)
{
    const struct cprof_profile *p = v->profile;
    const struct column *measure = v->selection.measure;
    char percent[TEXT_NUMBER];
    int64_t cost = 0;

    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_function *f = &p->functions[p->costs[i].function];

        if (f->object == CPROF_NONE && !strcmp(f->name, DEPTH_LIMIT_NAME))
            cost = column_value(measure, cprof_cost_values(p, i));
    }
    text_percent(percent, cost, column_value(measure, p->totals), 1);
    message_note("paths end after %s functions in %s; what is below is '%s', %s %% of %s "
                 "(--max-depth writes more)",
                 TEXT_COUNT(v->settings->max_depth), format_names[v->settings->format],
                 DEPTH_LIMIT_NAME, percent, measure->name);
}

/* Ends paths that are longer than --max-depth. 0, or a status after having said what is wrong. */
static int limit_depth(struct view *v)
{
    struct cprof_profile *shallow;
    struct cprof_error error;
    long depth = v->settings->max_depth;

    if (!formats[v->settings->format].of_paths || !depth ||
        depth_limit_longest(v->profile) <= depth)
        return 0;
    shallow = depth_limit_profile(v->profile, (uint32_t)depth, &error);
    if (!shallow)
        return message_library_error(&error);
    cprof_free(v->profile);
    v->profile = shallow;
    v->ends_early = true;
    return 0;
}

/* Lets paths begin at own code, where there is some. 0, or a status after having said what is
 * wrong. */
static int fold_startup(struct view *v, const char *path)
{
    struct packages packages = {0};
    struct cprof_profile *folded = NULL;
    struct cprof_error error;
    struct crates crates;
    bool known;

    if (!v->settings->fold_startup || !v->profile->n_contexts)
        return 0;
    packages_find(&packages, path);
    crates_load(&crates, v->profile, &packages, NULL);
    known = memchr(crates.own, true, v->profile->n_functions) != NULL;
    if (known)
        folded = startup_profile(v->profile, crates.own, &error);
    else
        message_note("no own code in '%s': --fold-startup folds nothing", v->profile->source);
    crates_free(&crates);
    packages_free(&packages);
    if (!known)
        return 0;
    if (!folded)
        return message_library_error(&error);
    cprof_free(v->profile);
    v->profile = folded;
    return 0;
}

/* When the run was, as far as the file's own time tells; 0: it does not. */
static int64_t time_of(const char *path)
{
    struct stat status;

    return strcmp(path, "-") != 0 && stat(path, &status) == 0 ? (int64_t)status.st_mtime : 0;
}

static void load_crates(struct view *v, const char *path)
{
    if (!formats[v->settings->format].with_crates)
        return;
    packages_find(&v->packages, path);
    crates_load(&v->crates, v->profile, &v->packages, NULL);
    v->export.crates = &v->crates;
}

static int load(struct view *v, char **path, bool last)
{
    const char *name = format_names[v->settings->format];
    const struct format *format = &formats[v->settings->format];
    struct resolve_settings names = v->settings->show.names;
    int status;

    names.no_inlines |= format->by_symbols;
    names.whole_stacks = true;
    if (!(v->profile = load_named_profile(*path, &names, &v->qualities)))
        return STATUS_ERROR;
    if (last && (format->needs_calls || format->of_paths) &&
        !load_run_with_paths(&v->profile, &v->qualities, path, &names))
        return STATUS_ERROR;
    (void)profile_warnings(v->profile, false);
    load_warn_names(v->profile, v->qualities);
    load_note_end(v->profile);
    status = check_profile(v->profile, format, name);
    if (status == 0)
        status = fold_startup(v, *path);
    if (status == 0)
        status = limit_depth(v);
    if (status == 0)
        status = selection_load_measure(&v->selection, events_of(v->profile), &v->settings->show);
    if (status != 0)
        return status;
    if (v->ends_early)
        say_deeper(v);
    rows_load(&v->rows, v->profile);
    rows_sort(&v->rows, v->selection.sort,
              columns_inclusive(&v->selection.columns, v->selection.sort));
    if (v->profile->n_contexts)
        tree_load(&v->tree, v->profile);
    else
        tree_load_flat(&v->tree, &v->rows);
    tree_sort(&v->tree, v->selection.measure);
    if (format->of_paths && !v->profile->n_contexts)
        message_note("no call paths in '%s': every function stands alone in %s; %s",
                     v->profile->source, name, load_paths_hint(v->profile));
    if (format->of_paths)
        recursion_note(v->profile, v->selection.measure);
    load_crates(v, *path);
    v->export.rows = &v->rows;
    v->export.tree = &v->tree;
    v->export.measure = v->selection.measure;
    v->export.time = time_of(*path);
    v->export.safe = v->settings->safe;
    return 0;
}

static void unload(struct view *v)
{
    crates_free(&v->crates);
    packages_free(&v->packages);
    tree_free(&v->tree);
    rows_free(&v->rows);
    selection_free(&v->selection);
    free(v->qualities);
    cprof_free(v->profile);
}

/* `profile` may be NULL: the last run's. */
static int export_to(const struct settings *settings, const char *profile)
{
    char *path;
    const struct format *format = &formats[settings->format];
    struct view v = {.settings = settings};
    struct output_file file = {.stream = NULL};
    int status = load_path(profile, "export --format csv callgrind.out.1234", &path);

    if (status == 0)
        status = output_begin(&file, settings->show.output);
    if (status == 0)
        status = threshold_read(settings->threshold, &v.export.threshold);
    if (status == 0)
        status = load(&v, &path, !profile);
    if (status == 0)
        status = format->export       ? format->export(&v.export, file.stream)
                 : format->of_profile ? format->of_profile(v.profile, file.stream)
                                      : format->write(&v, file.stream);
    if (status < 0)
        status = output_failed(file.stream);
    unload(&v);
    free(path);
    return output_end(&file, settings->show.output, status);
}

/*--- The command ---*/

static char *all_formats(void)
{
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; format_names[i]; i++)
        strbuf_add_item(&text, ", ", format_names[i]);
    return strbuf_take(&text);
}

static void put_formats(FILE *out)
{
    fputs("\nFormats:\n", out);
    for (size_t i = 0; format_names[i]; i++)
        fprintf(out, "  %-12s %s\n", format_names[i], formats[i].help);
}

static int check(const struct settings *settings, const struct string_list *operands)
{
    if (operands->n > 1)
        return message_usage("unexpected '%s'; one profile is exported at a time",
                             operands->items[1]);
    if (settings->format == FORMAT_NONE) {
        char *names = all_formats();
        int status = message_usage("no --format given; it takes one of %s", names);

        free(names);
        return status;
    }
    if (formats[settings->format].binary && !settings->show.output && isatty(STDOUT_FILENO))
        return message_usage("%s is not for a terminal; name a file with -o",
                             format_names[settings->format]);
    if (settings->fold_startup && !formats[settings->format].of_paths)
        return message_usage("--fold-startup is for paths that are written from their root on: "
                             "folded, speedscope, pprof, firefox and chrome-trace; found '%s'",
                             format_names[settings->format]);
    return show_check(&settings->show);
}

static int work(void *settings, struct option_result *result)
{
    const struct string_list *operands = &result->operands;
    int status;

    options_take_rest(result);
    status = check(settings, operands);
    return status ? status : export_to(settings, operands->n ? operands->items[0] : NULL);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct settings settings = {
        .show = SHOW_SETTINGS_INIT, .format = FORMAT_NONE, .max_depth = DEPTH_USUAL};

    return command_run_plain(self, options, argc, argv, work, &settings);
}

const struct command command_export = {
    .name = "export",
    .summary = "write a profile in the format of another tool",
    .usage = "--format FORMAT [OPTIONS] [FILE]",
    .examples = "  cargo cprof export --format csv -o profile.csv           the last run\n"
                "  cargo cprof export --format pprof -o profile.pb.gz       for go tool pprof\n"
                "  cargo cprof export --format dot | dot -Tsvg >calls.svg   a call graph\n"
                "  cargo cprof export --format folded --sort d1mr a.cprof   D1mr by call path\n",
    .more_help = put_formats,
    .run = run,
};
