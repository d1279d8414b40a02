#include <config.h>

/* The command annotate: source lines with their costs. */
#include "annotate/annotation.h"
#include "annotate/disassembly.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "cmd/commands.h"
#include "names/location.h"
#include "options/show_options.h"
#include "profiles/sources.h"
#include "render/json/json.h"
#include "render/text/annotation.h"
#include "render/text/text.h"
#include "table/search.h"
#include "views/function_view.h"
#include "views/screen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONTEXT_DEFAULT = 3, CONTEXT_MAX = 1000000, REGIONS_DEFAULT = 20, CANDIDATES_MAX = 10 };

struct annotate_settings {
    struct function_settings paths; /* first: FUNCTION_AT() counts from here */
    long context;
    bool inlined, self;
    const char *assembly; /* --asm: NULL: off; "": on; "intel", "att" */
    struct string_list maps;
};

#define AT(member) offsetof(struct annotate_settings, member)

static const struct option_def options[] = {
    FUNCTION_OPTION_PROFILE,
    SHOW_OPTION_LIMIT(FUNCTION_AT(show), OPTION_USUAL,
                      "show the N costliest regions, 0 for all (20)"),
    {.name = "threshold",
     .kind = OPTION_STRING | OPTION_USUAL,
     .value = "PERCENT",
     .help =
         "show lines from this share of the program on, with what is around them (1); 0: all with "
         "costs",
     .offset = FUNCTION_AT(threshold)},
    {.name = "context",
     .kind = OPTION_NUMBER | OPTION_USUAL,
     .value = "N",
     .help = "show N lines around each line that costs enough (3)",
     .offset = AT(context)},
    {.name = "inlined",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .help = "show what was inlined into a function under the line that calls it",
     .offset = AT(inlined)},
    {.name = "self",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .help =
         "show each line's own cost alone, and the share of the function, file or program that is "
         "named",
     .offset = AT(self)},
    {.name = "asm",
     .kind = OPTION_OPTIONAL | OPTION_USUAL,
     .help = "show the instructions with their costs, by objdump; --asm=att: in AT&T's syntax, not "
             "Intel's",
     .offset = AT(assembly)},
    SHOW_OPTION_SORT(FUNCTION_AT(show), OPTION_USUAL,
                     "cost that makes lines worth showing: Ir, Dr, D1mr, ..."),
    {.name = "columns",
     .kind = OPTION_STRING,
     .value = "LIST",
     .help = "costs to show, such as Ir,%,D1mr; % is of the column before it",
     .offset = FUNCTION_AT(show.columns)},
    {.name = "source-map",
     .kind = OPTION_LIST | OPTION_USUAL,
     .value = "OLD=NEW",
     .help = "look for sources below NEW that were built below OLD; repeatable",
     .offset = AT(maps)},
    FUNCTION_OPTIONS_NAMES,
    FUNCTION_OPTIONS_OUTPUT,
    FUNCTION_OPTIONS_END,
};

/* Instructions have costs of their own alone. */
static bool wants_callees(const struct annotate_settings *s)
{
    return !s->self && !s->assembly;
}

/* The subject of an annotation. */
struct subject {
    const char *kind;                /* "function", "file", "program" */
    char *name;                      /* clean */
    bool *functions, *files, *focus; /* see annotation.h */
    const struct crates *crates;
    bool *place_files; /* of a line that is shown in any case; NULL: none */
    uint32_t line;
};

static int check(const struct function_settings *paths)
{
    const struct annotate_settings *s = (const struct annotate_settings *)paths;

    for (size_t i = 0; i < s->maps.n; i++)
        if (!source_map_is_valid(s->maps.items[i]))
            return message_usage("'%s' is no value for --source-map; it takes OLD=NEW",
                                 s->maps.items[i]);
    if (s->assembly && *s->assembly && strcmp(s->assembly, "att") != 0 &&
        strcmp(s->assembly, "intel") != 0)
        return message_usage("'%s' is no value for --asm; it takes one of intel, att", s->assembly);
    if (s->inlined && paths->show.names.no_inlines)
        return message_usage("--inlined and --no-inlines exclude each other; leave out one");
    if (s->assembly && s->inlined)
        return message_usage("--asm and --inlined exclude each other: instructions that were "
                             "inlined are among the function's; leave out one");
    if (s->context > CONTEXT_MAX)
        return message_usage("'%ld' is no value for --context, since it is too large; -n 0 "
                             "--threshold 0 shows all lines with costs",
                             s->context);
    return 0;
}

static const struct annotate_settings *settings_of(const struct function_view *v)
{
    return (const struct annotate_settings *)v->settings;
}

/*--- The subject ---*/

/* A line of this file that is of this function: it is own code where both are. */
static void add_own_file(const struct function_view *v, uint32_t function, uint32_t file, bool *own)
{
    if (file != CPROF_NONE && owner_is_user(crates_owner(&v->crates, function)))
        own[file] |= v->crates.own_file[file];
}

/* The files with lines of own code: of a whole program, they are looked at first. Lines may have no
 * cost but that of what they called. */
static bool *own_files(const struct function_view *v)
{
    const struct cprof_profile *p = v->profile;
    bool *own = xcalloc(p->n_files, sizeof *own);

    for (uint32_t i = 0; i < p->n_costs; i++)
        add_own_file(v, p->costs[i].function, p->costs[i].file, own);
    for (uint32_t i = 0; i < p->n_calls; i++)
        add_own_file(v, p->calls[i].caller, p->calls[i].file, own);
    return own;
}

static int take_function(const struct function_view *v, size_t row, struct subject *s)
{
    char *label = row_label(&v->rows.items[row], true, v->root);

    s->kind = "function";
    s->name = text_clean(label);
    s->functions = annotation_functions(v->profile, &v->rows.items[row]);
    free(label);
    return 0;
}

/* The name is that of the first: they are shown alike. */
static void take_file(const struct function_view *v, struct subject *s)
{
    uint32_t first = 0;
    char *path;

    while (!s->files[first])
        first++;
    path = location_path(v->profile->files[first], v->root);
    s->kind = "file";
    s->name = text_clean(path);
    free(path);
}

static int say_files(const struct function_view *v, size_t n, const bool *files)
{
    size_t shown = 0;

    message_error("'%s' ends the paths of %s files; give more of one", v->operand, TEXT_COUNT(n));
    for (uint32_t i = 0; i < v->profile->n_files; i++)
        if (files[i] && shown++ < CANDIDATES_MAX)
            message_note("  %s", v->profile->files[i]);
    if (shown > CANDIDATES_MAX)
        message_note("  %s more files", TEXT_COUNT(shown - CANDIDATES_MAX));
    return STATUS_ERROR;
}

/* Adds the function where it is defined at a line, or one of its costs is of it. */
static void add_if_there(struct subject *s, uint32_t function, uint32_t file, uint32_t line)
{
    if (function != CPROF_NONE && file != CPROF_NONE && s->place_files[file] && line == s->line)
        s->functions[function] = true;
}

/* Finds the functions that the line is part of. Returns their number. */
static size_t find_functions_at(const struct cprof_profile *p, struct subject *s)
{
    size_t n = 0;

    s->functions = xcalloc(p->n_functions, sizeof *s->functions);
    for (uint32_t i = 0; i < p->n_costs; i++)
        add_if_there(s, p->costs[i].function, p->costs[i].file, p->costs[i].line);
    for (uint32_t i = 0; i < p->n_calls; i++)
        add_if_there(s, p->calls[i].caller, p->calls[i].file, p->calls[i].line);
    for (uint32_t i = 0; i < p->n_functions; i++) {
        add_if_there(s, i, p->functions[i].file, p->functions[i].line);
        n += s->functions[i];
    }
    return n;
}

/* "src/net.rs:12" as a file and a line; false: it is none. The file is the caller's to free. */
static bool divide_place(const char *text, char **file, uint32_t *line)
{
    const char *colon = strrchr(text, ':');
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;

    if (!digits || digits > 9 || colon == text || colon[1 + digits])
        return false;
    *file = xstrndup(text, (size_t)(colon - text));
    *line = (uint32_t)strtoul(colon + 1, NULL, 10);
    return true;
}

/* The functions that a line is part of, where the operand is a place. `*found` says whether it is
 * one in a file that has costs. */
static int find_place(const struct function_view *v, struct subject *s, bool *found)
{
    char *file;
    int status = 0;
    size_t n;

    *found = false;
    if (!divide_place(v->operand, &file, &s->line))
        return 0;
    n = annotation_files(v->profile, file, v->root, &s->place_files);
    *found = n > 0;
    if (n > 1)
        status = say_files(v, n, s->place_files);
    else if (n == 1 && !find_functions_at(v->profile, s))
        status = message_error("no cost at line %u of '%s'; 'cargo cprof annotate %s' shows the "
                               "lines that have some",
                               s->line, file, file);
    free(file);
    s->kind = "function";
    s->name = text_clean(v->operand);
    return status;
}

static bool is_name(const struct function_view *v, const char *text)
{
    for (size_t i = 0; i < v->rows.n; i++)
        if (!strcmp(v->rows.items[i].name, text))
            return true;
    return false;
}

/* A function by its whole name, else a file, else the functions at a line of one, else a function
 * by a part of its name. */
static int find_subject(const struct function_view *v, struct subject *s)
{
    size_t row = SIZE_MAX, n;
    bool found = false;
    int status = 0;

    if (!v->operand) {
        s->kind = "program";
        s->name = xstrdup("the program");
        s->focus = own_files(v);
        s->crates = &v->crates;
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
    if (!is_name(v, v->operand))
        status = find_place(v, s, &found);
    if (status || found)
        return status;
    if (!is_name(v, v->operand) && strchr(v->operand, '/') && !access(v->operand, R_OK))
        return message_error("no cost in file '%s' in '%s'; --profile-file names the profile to "
                             "look at",
                             v->operand, v->profile->source);
    status = function_find(v, v->operand, &row);
    return status ? status : take_function(v, row, s);
}

static void free_subject(struct subject *s)
{
    free(s->name);
    free(s->functions);
    free(s->files);
    free(s->focus);
    free(s->place_files);
}

/*--- Showing ---*/

/* Own costs, those with callees, and percentages; calls are counted of functions as a whole. */
static int choose_columns(struct function_view *v)
{
    struct column_selection *c = &v->selection;
    const struct column *inclusive =
        wants_callees(settings_of(v)) ? columns_inclusive(&c->columns, c->measure) : NULL;
    const struct show_settings *show = &v->settings->show;
    struct column_selection all;
    int status;

    if (show->json) {
        selection_show_events(c, v->profile->n_events);
        return 0;
    }
    if (!show->columns) {
        selection_show(c, c->columns.items);
        if (c->measure != c->columns.items)
            selection_show(c, c->measure);
        if (inclusive)
            selection_show(c, inclusive);
        selection_show(c, columns_find(&c->columns, "%"));
        return 0;
    }
    status = selection_load(&all, rows_events(&v->rows), show, SHOW_CALLGRIND);
    for (size_t i = 0; i < all.n_shown && status == 0; i++) {
        const struct column *shown = all.shown[i];

        if (column_is_inclusive(shown) && !inclusive)
            status = message_usage("'%s' for --columns does not go with %s, which shows own costs; "
                                   "leave the column out",
                                   shown->name, settings_of(v)->self ? "--self" : "--asm");
        else if (!column_adds_up(shown) && !column_is_share(shown) && !column_is_inclusive(shown))
            status = message_usage("'%s' for --columns is not known of lines; they have costs of "
                                   "their own and with what they called, and %%",
                                   shown->name);
        else
            selection_show(c, columns_find(&c->columns, shown->name));
    }
    selection_free(&all);
    return status;
}

/* The state while a subject is written. */
struct writing {
    const struct function_view *view;
    const struct subject *subject;
    struct annotation_subject annotated;
    struct annotation_listing listing;
    struct annotation_view lines; /* the listing's */
    struct annotation annotation;
    struct disassembly disassembly;
};

static void load_disassembly(struct writing *w)
{
    const struct annotate_settings *s = settings_of(w->view);
    enum asm_syntax syntax = strcmp(s->assembly, "att") == 0 ? ASM_ATT : ASM_INTEL;
    bool all = s->paths.show.json && s->paths.show.limit == SHOW_LIMIT_DEFAULT;

    disassembly_load(&w->disassembly, w->view->profile, &w->annotated, w->view->selection.measure,
                     syntax, all ? 0 : w->listing.view->limit);
}

/* Says why instructions are not decoded. */
static void say_undecoded(const struct writing *w)
{
    const struct disassembly *d = &w->disassembly;
    const struct cprof_profile *p = w->view->profile;

    for (size_t i = 0; i < d->n_ranges; i++) {
        enum decode_state state = d->ranges[i].state;

        if (state == DECODE_NO_TOOL)
            message_note("no objdump to decode instructions; install binutils");
        else if (state == DECODE_GONE)
            message_note("'%s' is gone or has changed since the run, its instructions are not "
                         "known; run it again",
                         p->objects[d->ranges[i].object].path);
        else if (state == DECODE_FAILED)
            message_note("objdump cannot decode '%s'", p->objects[d->ranges[i].object].path);
        if (state != DECODED && state != DECODE_LIMIT)
            return;
    }
}

/* The function whose code has that of the subject in it; CPROF_NONE: it is not inlined. */
static uint32_t inlined_into(const struct cprof_profile *p, const bool *functions)
{
    const struct paths paths = profile_paths(p);

    for (uint32_t i = 0; i < paths.n; i++) {
        const struct cprof_context *c = &paths.contexts[i];

        if (!functions[c->function] || !c->inlined)
            continue;
        while (c->inlined && c->parent != CPROF_NONE)
            c = &paths.contexts[c->parent];
        return c->function;
    }
    return CPROF_NONE;
}

/* The subject has no cost of its own, and so no row: says what has it. */
static void say_no_instruction(const struct writing *w)
{
    const struct cprof_profile *p = w->view->profile;
    uint32_t function =
        w->annotated.functions ? inlined_into(p, w->annotated.functions) : CPROF_NONE;

    if (function != CPROF_NONE)
        message_note("no instruction counts for '%s' alone: its code is in '%s', which --asm shows",
                     w->listing.name, p->functions[function].name);
    else
        message_note("no instruction counts for '%s': all that it cost is of what it called",
                     w->listing.name);
}

static int write_whole(struct writing *w, FILE *out)
{
    bool json = settings_of(w->view)->paths.show.json, assembly = settings_of(w->view)->assembly;
    double asked = w->lines.threshold;
    int status = 0;

    annotation_load(&w->annotation, w->view->profile, &w->annotated, w->view->selection.measure);
    if (assembly)
        load_disassembly(w);
    else if (annotation_lower_threshold(&w->annotation, &w->lines))
        w->listing.lowered_from = asked;
    if (!json && assembly)
        disassembly_write(&w->disassembly, &w->listing, out);
    else if (!json)
        annotation_write(&w->listing, out);
    else if (json_write_annotation(&w->listing, w->subject->kind, assembly ? &w->disassembly : NULL,
                                   out) != 0)
        status = output_failed(out);
    sources_say(w->listing.finder, w->view->profile);
    sources_say_unknown(&w->annotation, &w->annotated, w->view->selection.measure,
                        w->view->qualities);
    if (assembly) {
        say_undecoded(w);
        if (!w->disassembly.n_ranges)
            say_no_instruction(w);
        else if (w->view->profile->sampled)
            message_note("samples come late: the instruction that takes long is often the one "
                         "before that which has them");
        disassembly_free(&w->disassembly);
    }
    annotation_free(&w->annotation);
    return status;
}

/* Chooses what is shown, and says what cannot be. */
static int write_subject(struct function_view *v, const struct subject *s, FILE *out)
{
    const struct annotate_settings *settings = settings_of(v);
    const struct show_settings *show = &settings->paths.show;
    struct text_screen screen = show_screen(show);
    bool limited = show->limit != SHOW_LIMIT_DEFAULT;
    char *root = source_root();
    struct labels labels;
    struct links links;
    struct source_finder finder = {
        .maps = &settings->maps, .root = root, .program = v->profile->program};
    struct writing w = {.view = v,
                        .subject = s,
                        .annotated = {s->functions, s->files, settings->inlined,
                                      wants_callees(settings), s->focus, s->crates},
                        .lines = {.measure = v->selection.measure,
                                  .files = s->place_files,
                                  .line = s->line,
                                  .context = (unsigned)settings->context,
                                  .limit = limited ? (size_t)show->limit : REGIONS_DEFAULT},
                        .listing = {.finder = &finder,
                                    .name = s->name,
                                    .columns = selection_columns(&v->selection),
                                    .runs = !show->columns,
                                    .inlined = settings->inlined,
                                    .root = v->root,
                                    .screen = screen}};
    int status = threshold_read(settings->paths.threshold, &w.lines.threshold);

    show_links(&links, &w.listing.screen, v->profile);
    labels_load(&labels, &v->rows, text_clean);
    w.listing.labels = (const char *const *)labels.items;
    w.listing.annotation = &w.annotation;
    w.listing.view = &w.lines;
    if (status == 0)
        status = write_whole(&w, out);
    labels_free(&labels);
    links_free(&links);
    source_finder_free(&finder);
    free(root);
    return status;
}

static int write_annotation(struct function_view *v, size_t function, FILE *out)
{
    struct subject subject = {.kind = NULL};
    int status = find_subject(v, &subject);

    (void)function;
    if (status == 0 && settings_of(v)->inlined && !subject.functions)
        status = message_usage("--inlined is for a function; name one");
    if (status == 0 && settings_of(v)->inlined && !profile_paths(v->profile).n)
        status = message_error("no call paths in '%s', so nobody knows what was inlined where; "
                               "profiles of cargo cprof callgrind have them",
                               v->profile->source);
    if (status == 0 && settings_of(v)->assembly && !subject.functions && !subject.files)
        status = message_usage("--asm is for a function or a file; name one");
    if (status == 0 && settings_of(v)->assembly && !v->profile->has_addresses)
        status = message_error("no addresses in '%s'; profiles of cargo-cprof have them, and of "
                               "callgrind with --dump-instr=yes",
                               v->profile->source);
    if (status == 0)
        status = choose_columns(v);
    if (status == 0) {
        function_begin(v, out);
        status = write_subject(v, &subject, out);
    }
    free_subject(&subject);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    static const struct function_command command = {.options = options,
                                                    .write = write_annotation,
                                                    .needs_no_calls = true,
                                                    .finds_itself = true,
                                                    .check = check,
                                                    .paths_if = AT(inlined)};
    struct annotate_settings settings = {.paths = {.show = SHOW_SETTINGS_INIT},
                                         .context = CONTEXT_DEFAULT};
    int status = function_run(self, &command, &settings.paths, argc, argv);

    string_list_free(&settings.maps);
    return status;
}

const struct command command_annotate = {
    .name = "annotate",
    .summary = "show source lines with their costs",
    .usage = "[OPTIONS] [FUNCTION|FILE|FILE:LINE [PROFILE]]",
    .examples = "  cargo cprof annotate                          the costliest of the last run\n"
                "  cargo cprof annotate Matrix::dot              lines of a function\n"
                "  cargo cprof annotate src/net.rs --context 9   lines of a file, more around\n"
                "  cargo cprof annotate src/net.rs:40            lines of the functions at a line\n"
                "  cargo cprof annotate main cachegrind.out.12   in a profile of cachegrind\n",
    .run = run,
};
