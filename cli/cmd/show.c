#include <config.h>

#include "cmd/show.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/terminal.h"
#include "model/columns.h"
#include "model/rows.h"
#include "out/json.h"
#include "out/table.h"
#include "out/text.h"

#include <errno.h>
#include <locale.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    WIDTH_TERMINAL = 80, /* of a terminal that does not say */
    WIDTH_FILE = 100,    /* where there is no terminal */
    WARNINGS_MAX = 5     /* of a profile, said one by one */
};

static const char *const color_names[] = {"auto", "always", "never", NULL};

#define AT(member) offsetof(struct show_settings, member)

const struct option_def show_options[] = {
    {"limit", 'n', OPTION_NUMBER, "N", "show the first N functions, 0 for all (20; JSON: all)",
     AT(limit), NULL},
    {"sort", 0, OPTION_STRING, "COLUMN", "sort by a column, highest first: Ir, Dr, D1mr, LLm, ...",
     AT(sort), NULL},
    {"columns", 0, OPTION_STRING, "LIST", "show these columns: Ir,Dr,%,Function,Location,...",
     AT(columns), NULL},
    {"percent", 0, OPTION_FLAG, NULL, "show percentages of each column's total instead of counts",
     AT(percent), NULL},
    {"counts", 0, OPTION_FLAG, NULL, "show counts only, no percentages", AT(counts), NULL},
    {"filter", 0, OPTION_STRING, "REGEX", "show functions whose name matches (extended expression)",
     AT(filter), NULL},
    {"file", 0, OPTION_STRING, "REGEX", "show functions whose file, or else object, matches",
     AT(file), NULL},
    {"color", 0, OPTION_CHOICE, "WHEN",
     "colours: auto (on a terminal without NO_COLOR), always, never", AT(color), color_names},
    {"output", 'o', OPTION_STRING, "FILE", "write to a file, whole or not at all", AT(output),
     NULL},
    {"json", 0, OPTION_OPTIONAL, NULL, "write JSON (schema cprof-profile/1) instead of a table",
     AT(json), NULL},
    {NULL, 0, OPTION_FLAG, NULL, NULL, 0, NULL},
};

void show_help(FILE *out)
{
    fputs("\nColumns, for --sort and --columns:\n", out);
    column_help(out);
}

/* What the settings come to for one profile. */
struct show {
    const struct cprof_profile *profile;
    const struct show_settings *settings;
    const struct show_context *context;
    regex_t function, file;
    bool has_function, has_file; /* the expressions above are compiled */
    struct columns columns;      /* all there are */
    const struct column *sort;
    const struct column **shown;
    size_t n_shown;
    struct rows rows;
};

/* Compiles `text` for the option called `option`; 0 or STATUS_USAGE. */
static int compile(regex_t *regex, const char *option, const char *text)
{
    int status = regcomp(regex, text, REG_EXTENDED | REG_NOSUB);
    char reason[128];

    if (status == 0)
        return 0;
    regerror(status, regex, reason, sizeof reason);
    return message_usage("invalid regular expression '%s' for --%s: %s", text, option, reason);
}

static int compile_filters(struct show *s)
{
    const struct show_settings *settings = s->settings;

    if (settings->filter) {
        if (compile(&s->function, "filter", settings->filter) != 0)
            return STATUS_USAGE;
        s->has_function = true;
    }
    if (settings->file) {
        if (compile(&s->file, "file", settings->file) != 0)
            return STATUS_USAGE;
        s->has_file = true;
    }
    return 0;
}

static int check_contradictions(const struct show_settings *settings)
{
    if (settings->percent && settings->counts)
        return message_usage("--percent and --counts exclude each other");
    if (settings->json && *settings->json)
        return message_usage("--json takes no value, found '%s'; -o names a file", settings->json);
    if (settings->output && !*settings->output)
        return message_usage("empty file name for --output");
    return 0;
}

static int unknown_column(const char *option, const char *name, const char *what, char *names)
{
    int status = message_usage("%s '%s' for --%s; there are %s", what, name, option, names);

    free(names);
    return status;
}

/*
 * Calls `use` for each name of a comma-separated list, with `context`, until it returns other than
 * 0. Blanks around names are left out; an empty list is an error of `option`.
 */
static int each_name(const char *list, int (*use)(const char *name, void *context), void *context)
{
    char *copy = xstrdup(list), *rest = copy, *name;
    int status = 0;
    size_t n = 0;

    while (status == 0 && (name = strsep(&rest, ",")) != NULL) {
        name += strspn(name, " \t");
        name[strcspn(name, " \t")] = '\0';
        if (*name) {
            status = use(name, context);
            n++;
        }
    }
    free(copy);
    if (status == 0 && n == 0)
        return message_usage("no column in '%s' for --columns", list);
    return status;
}

static int check_known(const char *name, void *context)
{
    (void)context;
    if (column_is_known(name, false))
        return 0;
    return unknown_column("columns", name, "unknown column", column_known_names(false));
}

static void show_column(struct show *s, const struct column *column)
{
    s->shown = xreallocarray(s->shown, s->n_shown + 1, sizeof *s->shown);
    s->shown[s->n_shown++] = column;
}

static int show_named(const char *name, void *context)
{
    struct show *s = context;
    const struct column *column = columns_find(&s->columns, name);

    if (!column)
        return unknown_column("columns", name, "no column", columns_names(&s->columns, false));
    show_column(s, column);
    return 0;
}

/* What a view shows by itself: all events and the name; or the first event (and what rows are
 * sorted by), its share, name and place. */
static void choose_default(struct show *s)
{
    bool all = s->context->view == SHOW_CACHEGRIND || s->settings->json;
    bool sort_shown = false;

    for (size_t i = 0; i < s->profile->n_events && (all || i == 0); i++) {
        show_column(s, &s->columns.items[i]);
        sort_shown |= s->sort == &s->columns.items[i];
    }
    if (!sort_shown)
        show_column(s, s->sort);
    if (!all && !s->settings->percent && !s->settings->counts)
        show_column(s, columns_find(&s->columns, "%"));
    show_column(s, columns_find(&s->columns, "Function"));
    if (!all)
        show_column(s, columns_find(&s->columns, "Location"));
}

static int choose_columns(struct show *s)
{
    const struct show_settings *settings = s->settings;

    columns_load(&s->columns, s->profile);
    s->sort = settings->sort ? columns_find(&s->columns, settings->sort) : s->columns.items;
    if (!s->sort || s->sort->kind != COLUMN_COUNT)
        return unknown_column("sort", settings->sort ? settings->sort : "", "no column to sort by",
                              columns_names(&s->columns, true));
    if (settings->columns)
        return each_name(settings->columns, show_named, s);
    choose_default(s);
    return 0;
}

/* Checks the columns against the events that there will be, by way of a profile with nothing else.
 */
static int check_events(struct show *s)
{
    const struct show_context context = {.view = SHOW_CALLGRIND};
    char *copy = xstrdup(s->settings->events), *rest = copy, *name;
    struct cprof_event *events = NULL;
    struct cprof_profile profile = {.n_events = 0};
    int status;

    while ((name = strsep(&rest, " ")) != NULL) {
        if (!*name)
            continue;
        events = xreallocarray(events, profile.n_events + 1, sizeof *events);
        events[profile.n_events++] = (struct cprof_event){.name = name};
    }
    profile.events = events;
    s->profile = &profile;
    s->context = &context;
    status = choose_columns(s);
    free(s->shown);
    columns_free(&s->columns);
    free(events);
    free(copy);
    return status;
}

int show_check(const struct show_settings *settings)
{
    struct show s = {.settings = settings};
    int status = check_contradictions(settings);

    if (status == 0)
        status = compile_filters(&s);
    if (s.has_function)
        regfree(&s.function);
    if (s.has_file)
        regfree(&s.file);
    if (status == 0 && settings->events)
        return check_events(&s);
    if (status == 0 && settings->sort && !column_is_known(settings->sort, true))
        status = unknown_column("sort", settings->sort, "unknown column", column_known_names(true));
    if (status == 0 && settings->columns)
        status = each_name(settings->columns, check_known, NULL);
    return status;
}

/* Says what the library found odd, on standard error. */
static void say_warnings(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_warnings && i < WARNINGS_MAX; i++) {
        const struct cprof_warning *w = &p->warnings[i];
        char *text = text_clean(w->text, text_is_utf8());
        char *source = text_clean(p->source ? p->source : "profile", text_is_utf8());
        char *place = w->line ? xasprintf(", line %lu", w->line) : xstrdup("");
        char *times = w->count > 1 ? xasprintf(" (%lu times)", w->count) : xstrdup("");

        message_warning("'%s'%s: %s%s", source, place, text, times);
        free(text);
        free(source);
        free(place);
        free(times);
    }
    if (p->n_warnings > WARNINGS_MAX)
        message_warning("'%s': and %u more kinds of warnings", p->source ? p->source : "profile",
                        (unsigned)(p->n_warnings - WARNINGS_MAX));
}

static size_t limit_of(const struct show *s)
{
    long limit = s->settings->limit;

    if (limit == SHOW_LIMIT_DEFAULT)
        limit = s->settings->json ? 0 : SHOW_LIMIT_TABLE;
    return limit == 0 || (size_t)limit > s->rows.n ? s->rows.n : (size_t)limit;
}

static void write_table(const struct show *s, FILE *out, bool to_file)
{
    /* A file is as wide as COLUMNS says, not as the terminal that we were called from. */
    unsigned known = terminal_width(to_file ? -1 : STDOUT_FILENO);
    bool terminal = !to_file && isatty(STDOUT_FILENO);
    char *root = s->context->root ? xstrdup(s->context->root) : getcwd(NULL, 0);
    struct table t = {
        .rows = &s->rows,
        .n_shown = limit_of(s),
        .columns = s->shown,
        .n_columns = s->n_shown,
        .sort = s->sort,
        .percent = s->settings->percent,
        .filtered = s->has_function || s->has_file,
        .fixed = known > 0 || terminal,
        .width = known      ? known
                 : terminal ? WIDTH_TERMINAL
                            : WIDTH_FILE,
        .utf8 = text_is_utf8(),
        .root = root,
        .program = s->context->program,
        .qualities = s->context->qualities,
    };

    t.color = s->settings->color == COLOR_ALWAYS ||
              (s->settings->color == COLOR_AUTO && terminal && terminal_color(STDOUT_FILENO));
    if (s->context->view == SHOW_CACHEGRIND)
        table_cache_totals(&t, out);
    else
        table_total(&t, out);
    table_rows(&t, out);
    table_closing(&t, out);
    free(root);
}

static int load(struct show *s)
{
    int status = check_contradictions(s->settings);

    if (status == 0)
        status = compile_filters(s);
    if (status == 0 && s->profile->n_events == 0)
        status = message_error("no events in '%s'", s->profile->source);
    if (status == 0)
        status = choose_columns(s);
    if (status != 0)
        return status;
    rows_load(&s->rows, s->profile);
    rows_filter(&s->rows, s->has_function ? &s->function : NULL, s->has_file ? &s->file : NULL);
    rows_sort(&s->rows, s->sort);
    return 0;
}

static void unload(struct show *s)
{
    if (s->has_function)
        regfree(&s->function);
    if (s->has_file)
        regfree(&s->file);
    free(s->shown);
    columns_free(&s->columns);
    rows_free(&s->rows);
}

int show_begin(struct output_file *file, const struct show_settings *settings)
{
    setlocale(LC_CTYPE, ""); /* for the width of characters; numbers stay as they are */
    *file = (struct output_file){.stream = stdout};
    if (settings->output && file_begin(file, settings->output) != 0) {
        file->stream = NULL;
        return message_error("cannot write '%s': %s", settings->output, strerror(errno));
    }
    return 0;
}

int show_end(struct output_file *file, const struct show_settings *settings, int status)
{
    if (!settings->output || !file->stream)
        return status;
    if (status != 0) {
        file_abort(file);
        return status;
    }
    if (file_commit(file) != 0)
        return message_error("cannot write '%s': %s; nothing was left of it", settings->output,
                             strerror(errno));
    return 0;
}

int show_write(const struct cprof_profile *profile, const struct show_settings *settings,
               const struct show_context *context, FILE *out, bool to_file)
{
    struct show s = {.profile = profile, .settings = settings, .context = context};
    int status = load(&s);

    if (status == 0) {
        say_warnings(profile);
        if (!settings->json)
            write_table(&s, out, to_file);
        else if (json_write(&s.rows, limit_of(&s), s.shown, s.n_shown, context->program, out) != 0)
            status = message_error("cannot write JSON: %s", strerror(errno));
    }
    unload(&s);
    return status;
}

int show_profile(const struct cprof_profile *profile, const struct show_settings *settings,
                 const struct show_context *context)
{
    struct output_file file;
    int status = show_begin(&file, settings);

    if (status == 0)
        status = show_write(profile, settings, context, file.stream, settings->output != NULL);
    return show_end(&file, settings, status);
}
