#include <config.h>

/* The command annotate: source lines with their costs. */
#include "cmd/paths.h"

#include "base/memory.h"
#include "base/message.h"
#include "cmd/sources.h"
#include "model/annotation.h"
#include "model/find.h"
#include "model/location.h"
#include "out/annotation.h"
#include "out/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONTEXT_DEFAULT = 3, CONTEXT_MAX = 1000000, REGIONS_DEFAULT = 20, CANDIDATES_MAX = 10 };

struct annotate_settings {
    struct paths_settings paths; /* first: PATHS_AT() counts from here */
    long context;
    bool inlined;
    struct string_list maps;
};

#define AT(member) offsetof(struct annotate_settings, member)

static const struct option_def options[] = {
    PATHS_OPTION_PROFILE,
    {"limit", 'n', OPTION_NUMBER, "N", "Show the N costliest regions, 0 for all (20)",
     PATHS_AT(show.limit), NULL},
    {"threshold", 0, OPTION_STRING, "PERCENT",
     "Show lines from this share of the whole on, with what is around them (1); 0: all with costs",
     PATHS_AT(threshold), NULL},
    {"context", 0, OPTION_NUMBER, "N", "Show N lines around each of them (3)", AT(context), NULL},
    {"inlined", 0, OPTION_FLAG, NULL,
     "Show what was inlined into a function under the line that calls it", AT(inlined), NULL},
    {"sort", 0, OPTION_STRING, "COLUMN", "Cost that makes lines worth showing: Ir, Dr, D1mr, ...",
     PATHS_AT(show.sort), NULL},
    {"columns", 0, OPTION_STRING, "LIST",
     "Costs to show, such as Ir,%,D1mr; % is of the one before it", PATHS_AT(show.columns), NULL},
    {"source-map", 0, OPTION_LIST, "OLD=NEW",
     "Look for sources below NEW that were built below OLD; repeatable", AT(maps), NULL},
    PATHS_OPTIONS_OUTPUT,
    PATHS_OPTIONS_END,
};

/* What is annotated. */
struct subject {
    const char *kind;        /* "function", "file", "program" */
    char *name;              /* clean */
    bool *functions, *files; /* see annotation.h */
};

static int check(const struct paths_settings *paths)
{
    const struct annotate_settings *s = (const struct annotate_settings *)paths;

    for (size_t i = 0; i < s->maps.n; i++)
        if (!source_map_is_valid(s->maps.items[i]))
            return message_usage("'%s' for --source-map is not OLD=NEW", s->maps.items[i]);
    if (s->context > CONTEXT_MAX)
        return message_usage("'%ld' for --context is too large; -n 0 --threshold 0 shows all lines "
                             "with costs",
                             s->context);
    return 0;
}

static const struct annotate_settings *settings_of(const struct paths_view *v)
{
    return (const struct annotate_settings *)v->settings;
}

/*--- The subject ---*/

static int take_function(const struct paths_view *v, size_t row, struct subject *s)
{
    char *label = row_label(&v->rows.items[row], true, v->root);

    s->kind = "function";
    s->name = text_clean(label, text_is_utf8());
    s->functions = annotation_functions(v->profile, &v->rows.items[row]);
    free(label);
    return 0;
}

/* The name is that of the first: they are shown alike. */
static void take_file(const struct paths_view *v, struct subject *s)
{
    uint32_t first = 0;
    char *path;

    while (!s->files[first])
        first++;
    path = location_path(v->profile->files[first], v->root);
    s->kind = "file";
    s->name = text_clean(path, text_is_utf8());
    free(path);
}

static int say_files(const struct paths_view *v, size_t n, const bool *files)
{
    size_t shown = 0;

    message_error("'%s' ends the paths of %zu files; give more of one", v->operand, n);
    for (uint32_t i = 0; i < v->profile->n_files; i++) {
        char *clean;

        if (!files[i] || shown++ >= CANDIDATES_MAX)
            continue;
        clean = text_clean(v->profile->files[i], text_is_utf8());
        message_note("  %s", clean);
        free(clean);
    }
    if (shown > CANDIDATES_MAX)
        message_note("  and %zu more", shown - CANDIDATES_MAX);
    return STATUS_ERROR;
}

static bool is_name(const struct paths_view *v, const char *text)
{
    for (size_t i = 0; i < v->rows.n; i++)
        if (!strcmp(v->rows.items[i].name, text))
            return true;
    return false;
}

/* A function by its whole name, else a file, else a function by a part of its name. */
static int find_subject(const struct paths_view *v, struct subject *s)
{
    size_t row = SIZE_MAX, n;
    int status;

    if (!v->operand) {
        s->kind = "program";
        s->name = xstrdup("the program");
        return 0;
    }
    n = is_name(v, v->operand) ? 0 : annotation_files(v->profile, v->operand, v->root, &s->files);
    if (n == 1) {
        take_file(v, s);
        return 0;
    }
    if (n > 1)
        return say_files(v, n, s->files);
    free(s->files);
    s->files = NULL;
    if (!is_name(v, v->operand) && strchr(v->operand, '/') && !access(v->operand, R_OK))
        return message_error("no cost in file '%s' in '%s'; --profile-file names the profile to "
                             "look at",
                             v->operand, v->profile->source);
    status = paths_find_function(v, v->operand, &row);
    return status ? status : take_function(v, row, s);
}

static void free_subject(struct subject *s)
{
    free(s->name);
    free(s->functions);
    free(s->files);
}

/*--- Showing ---*/

/* Own costs and percentages; what is counted of functions as a whole is of no line. */
static int choose_columns(struct paths_view *v)
{
    struct choice *c = &v->choice;
    const struct show_settings *show = &v->settings->show;
    struct choice all;
    int status;

    if (show->json) {
        choice_show_events(c, v->profile->n_events);
        return 0;
    }
    if (!show->columns) {
        choice_show(c, c->columns.items);
        if (c->measure != c->columns.items)
            choice_show(c, c->measure);
        choice_show(c, columns_find(&c->columns, "%"));
        return 0;
    }
    status = choice_load(&all, v->profile, show, SHOW_CALLGRIND);
    for (size_t i = 0; i < all.n_shown && status == 0; i++) {
        const struct column *shown = all.shown[i];

        if (shown->kind != COLUMN_COUNT && shown->kind != COLUMN_PERCENT)
            status = message_usage("'%s' for --columns is not known of lines; they have costs of "
                                   "their own, and %%",
                                   shown->name);
        else
            choice_show(c, columns_find(&c->columns, shown->name));
    }
    choice_free(&all);
    return status;
}

/* What is shown, having said what could not be. */
static int write_subject(struct paths_view *v, const struct subject *s, FILE *out, bool to_file)
{
    const struct annotate_settings *settings = settings_of(v);
    const struct show_settings *show = &settings->paths.show;
    struct show_screen screen = show_screen(show, to_file);
    struct annotation_subject subject = {s->functions, s->files, settings->inlined};
    struct annotation_view view = {
        .measure = v->choice.measure,
        .context = (unsigned)settings->context,
        .limit = show->limit == SHOW_LIMIT_DEFAULT ? REGIONS_DEFAULT : (size_t)show->limit};
    char *root = sources_root(), **labels = paths_labels(v, screen.utf8);
    struct source_finder finder = {
        .maps = &settings->maps, .root = root, .program = v->profile->program};
    struct annotation annotation;
    struct annotation_sheet sheet = {.annotation = &annotation,
                                     .finder = &finder,
                                     .name = s->name,
                                     .labels = (const char *const *)labels,
                                     .view = &view,
                                     .columns = v->choice.shown,
                                     .n_columns = v->choice.n_shown,
                                     .inlined = settings->inlined,
                                     .root = v->root,
                                     .width = screen.width,
                                     .fixed = screen.fixed,
                                     .color = screen.color,
                                     .utf8 = screen.utf8};
    int status = paths_read_threshold(settings->paths.threshold, &view.threshold);

    if (status == 0) {
        annotation_load(&annotation, v->profile, &subject, view.measure);
        if (!show->json)
            annotation_write(&sheet, out);
        else if (annotation_write_json(&sheet, s->kind, out) != 0)
            status = message_error("cannot write JSON: %s", strerror(errno));
        sources_say(&finder, v->profile);
        sources_say_unknown(&annotation, &subject, view.measure, v->qualities);
        annotation_free(&annotation);
    }
    paths_free_labels(v, labels);
    source_finder_free(&finder);
    free(root);
    return status;
}

static int write_annotation(struct paths_view *v, size_t function, FILE *out, bool to_file)
{
    struct subject subject = {.kind = NULL};
    int status = find_subject(v, &subject);

    (void)function;
    if (status == 0 && settings_of(v)->inlined && !subject.functions)
        status = message_usage("--inlined is for a function; name one");
    if (status == 0 && settings_of(v)->inlined && !v->profile->n_contexts)
        status = message_error("no call paths in '%s', so nobody knows what was inlined where; "
                               "profiles of cargo cprof callgrind have them",
                               v->profile->source);
    if (status == 0)
        status = choose_columns(v);
    if (status == 0)
        status = write_subject(v, &subject, out, to_file);
    free_subject(&subject);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    static const struct paths_command command = {.options = options,
                                                 .write = write_annotation,
                                                 .needs_no_calls = true,
                                                 .finds_itself = true};
    struct annotate_settings settings = {.paths = {.show = SHOW_SETTINGS_INIT},
                                         .context = CONTEXT_DEFAULT};
    int status = paths_run_with(self, &command, &settings.paths, check, argc, argv);

    string_list_free(&settings.maps);
    return status;
}

const struct command command_annotate = {
    .name = "annotate",
    .summary = "show source lines with their costs",
    .usage = "[OPTIONS] [FUNCTION|FILE [PROFILE]]",
    .examples =
        "  cargo cprof annotate                          the costliest lines of the last run\n"
        "  cargo cprof annotate Matrix::dot              those of a function\n"
        "  cargo cprof annotate src/net.rs --context 9   those of a file, with more around\n"
        "  cargo cprof annotate main cachegrind.out.12   in a profile of cachegrind\n",
    .run = run,
};
