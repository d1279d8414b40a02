#include <config.h>

#include "views/show.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "base/terminal.h"
#include "cprof_internal.h"
#include "options/column_selection.h"
#include "options/command.h"
#include "paths/tree.h"
#include "profiles/load.h"
#include "render/export/export.h"
#include "render/json/json.h"
#include "render/text/function_table.h"
#include "render/text/own_table.h"
#include "render/text/run_header.h"
#include "render/text/style.h"
#include "table/callers.h"
#include "table/columns.h"
#include "table/rows.h"
#include "table/share.h"
#include "views/html_output.h"
#include "views/screen.h"
#include "views/show_own.h"
#include "views/view_form.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*--- Settings that cannot be shown ---*/

/* Options of which a view takes some, in the order in which they are refused. */
static const struct {
    enum view_option option;
    const char *name, *advice;
} taken[] = {
    {VIEW_TAKES_BLAME, "--blame", ""},
    {VIEW_TAKES_BY, "--by", ""},
    {VIEW_TAKES_LAYOUT, "--layout", ""},
    {VIEW_TAKES_PAGE, "--html", ", or take '--view both', whose page has all views"},
    {VIEW_TAKES_PATHS, "--json=tree", ", or take --json"},
    {VIEW_TAKES_COLUMNS, "--columns", ", or take '--view functions', whose columns it chooses"},
    {VIEW_TAKES_INCLUSIVE, "--inclusive", ""},
    {VIEW_TAKES_FILTER, "--filter", ""},
    {VIEW_TAKES_FILE, "--file", ""},
    {VIEW_TAKES_CRATE, "--crate", ""},
};

/* The options above that were given; own code line by line is --by line itself. */
static unsigned options_given(const struct show_settings *s, enum view_id view)
{
    enum group_by usual = view == VIEW_OWN_LINES ? GROUP_LINE : GROUP_FUNCTION;

    return (s->blame ? VIEW_TAKES_BLAME : 0u) | (s->by > (int)usual ? VIEW_TAKES_BY : 0u) |
           (s->layout ? VIEW_TAKES_LAYOUT : 0u) | (s->html ? VIEW_TAKES_PAGE : 0u) |
           (s->json && *s->json ? VIEW_TAKES_PATHS : 0u) | (s->columns ? VIEW_TAKES_COLUMNS : 0u) |
           (s->inclusive ? VIEW_TAKES_INCLUSIVE : 0u) | (s->filter ? VIEW_TAKES_FILTER : 0u) |
           (s->file ? VIEW_TAKES_FILE : 0u) | (s->crate ? VIEW_TAKES_CRATE : 0u);
}

static int check_taken(const struct show_settings *s, enum view_id view)
{
    const struct view_kind *kind = &view_kinds[view];
    unsigned refused = options_given(s, view) & ~kind->takes;

    if (s->parts > VIEW_BOTH && s->parts != (int)view && s->parts != (int)kind->within)
        return message_usage(
            "%s and %s exclude each other, since each chooses what is shown; leave out one",
            kind->name, view_kinds[s->parts].name);
    if (view == VIEW_BOTH && s->format == FORMAT_CSV)
        return message_usage("%s takes no --format csv, which has one table; leave it out, or take "
                             "'--view own' or '--view functions'",
                             kind->name);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (refused & taken[i].option)
            return message_usage("%s takes no %s; leave it out%s", kind->name, taken[i].name,
                                 taken[i].advice);
    return 0;
}

/* Settings that exclude each other. Returns 0 or STATUS_USAGE, having said which. */
static int check_contradictions(const struct show_settings *settings)
{
    if (settings->percent && settings->counts)
        return message_usage("--percent and --counts exclude each other; leave out one");
    if (settings->json && *settings->json && strcmp(settings->json, "tree") != 0)
        return message_usage("--json takes no value but 'tree', found '%s'; -o names a file",
                             settings->json);
    if (settings->json && settings->format)
        return message_usage("--json and --format exclude each other; leave out one");
    if (settings->html && (settings->json || settings->format))
        return message_usage("--html and %s exclude each other; leave out one",
                             settings->json ? "--json" : "--format");
    if (settings->output && !*settings->output)
        return message_usage("empty file name for --output; name a file, or leave it out for "
                             "standard output");
    return check_taken(settings, show_view(settings));
}

int show_check(const struct show_settings *settings)
{
    struct filters filters = {.has_function = false};
    int status = check_contradictions(settings);

    if (status == 0)
        status = filters_compile(&filters, settings);
    filters_free(&filters);
    if (status == 0 && settings->counted && !settings->counted->calls && settings->json &&
        *settings->json)
        status = message_usage("no call paths for --json=tree, since the run counts none; add "
                               "--contexts, or take callgrind");
    if (status == 0 && settings->counted && !settings->counted->calls &&
        show_view(settings) == VIEW_OWN_LINES)
        status = message_usage("no call paths for --blame, since the run counts none; add "
                               "--contexts, or take callgrind");
    if (status == 0)
        status = selection_check(settings);
    if (status == 0 && settings->output)
        status = output_check(settings->output);
    return status;
}

int show_check_plain(const struct show_settings *settings)
{
    if (settings->json && *settings->json)
        return message_usage("--json takes no value, found '%s'; -o names a file", settings->json);
    return show_check(settings);
}

/* Where --view asks for what the profile has not. Returns 0 or STATUS_ERROR. */
static int check_view(const struct cprof_profile *p, const struct show_settings *settings)
{
    enum view_id view = settings->layout ? VIEW_DATA : show_view(settings);
    uint32_t type;
    char *source, *lack;
    int status;

    if (view_exists(view, p))
        return settings->layout ? show_layout_find(p, settings->layout, &type) : 0;
    source = xasprintf("'%s'", p->source ? p->source : "profile");
    lack = view_lack(view, source);
    status = message_error("%s", lack);
    free(lack);
    free(source);
    return status;
}

/*--- One profile ---*/

/* One profile with what the settings come to for it. */
struct show {
    const struct cprof_profile *profile;
    const struct show_settings *settings;
    const struct show_context *context;
    enum view_id what;
    enum group_by by;
    struct filters filters;
    struct column_selection selection;
    struct crates crates;
    struct callers callers; /* where tables of memory are shown */
    struct rows rows;
    struct blame blame;
    struct show_own own;
};

static size_t limit_of(const struct show *s)
{
    size_t usual = show_is_data(s->settings)              ? 0
                   : s->settings->html                    ? HTML_LIMIT
                   : s->own.shown && !s->settings->format ? SHOW_LIMIT_BELOW
                                                          : SHOW_LIMIT_TABLE;

    return show_limit(s->settings, usual, s->rows.n);
}

/* Where a run has just ended on a terminal, its last lines are all that is seen: rows of all
 * functions give way, so that own code stays on the screen. */
static size_t rows_that_fit(const struct show *s)
{
    enum { LINES_BESIDE = 18, LINES_OF_CACHES = 12, ROWS_LEAST = 2 };
    bool gives_way = s->own.shown && s->settings->limit == SHOW_LIMIT_DEFAULT &&
                     !s->settings->format && !s->context->files && !s->settings->output;
    size_t height = gives_way ? terminal_height(STDOUT_FILENO) : 0, rows = limit_of(s), used;

    if (!height)
        return rows;
    used = LINES_BESIDE + own_table_shown(&s->own.own, s->own.measure) +
           (s->context->view == SHOW_CACHEGRIND ? LINES_OF_CACHES : 0);
    height = height > used + ROWS_LEAST ? height - used : ROWS_LEAST;
    return rows < height ? rows : height;
}

/* A table besides those of functions stands alone, or among functions of the whole program. */
static bool is_shown(const struct show *s, enum view_id view)
{
    bool among = s->what == VIEW_BOTH && view != VIEW_LAYOUT && !s->filters.has_function &&
                 !s->filters.has_file && !s->settings->crate && !view_is_within(view, s->profile);

    return view_forms[view] && view_exists(view, s->profile) && (s->what == view || among);
}

/* True where one of these tables is all that is asked for. */
static bool is_beside_only(const struct show *s)
{
    return view_forms[s->what] != NULL;
}

/* Without a table, places are not shown. */
static struct view_input input_of(const struct show *s, const struct function_table *t)
{
    return (struct view_input){.profile = s->profile,
                               .view = s->what,
                               .callers = &s->callers,
                               .crates = &s->crates,
                               .settings = s->settings,
                               .selection = &s->selection,
                               .filter = s->filters.has_function ? &s->filters.function : NULL,
                               .root = t ? t->root : NULL};
}

/* As Markdown where there is no screen. Where a table stands alone, the commands that look further
 * follow, as far as they mean the last run. */
static void write_besides(const struct show *s, const struct function_table *t,
                          const struct text_screen *screen, FILE *out)
{
    struct view_input input = input_of(s, t);
    struct next_views next = {.sort = NULL};

    for (enum view_id view = 0; view < N_VIEWS; view++) {
        if (!is_shown(s, view))
            continue;
        view_write(view, &input, &next, screen, out);
        if (!is_beside_only(s))
            fputc('\n', out);
    }
    if (screen && is_beside_only(s) && !s->context->file && s->context->files <= 1)
        other_views_write(s->profile, s->what, &next, screen, out);
    free(next.type);
}

/* True where own code is all that is shown: asked for, or of waits, where the table of all
 * functions is about threads that have nothing to do. */
static bool is_own_only(const struct show *s)
{
    const struct show_settings *set = s->settings;

    return s->own.shown && (set->parts == VIEW_OWN ||
                            (set->parts == VIEW_UNSAID && share_is_of_waits(s->profile) &&
                             !set->columns && !set->filter && set->limit == SHOW_LIMIT_DEFAULT));
}

/* Own code, the whole program's functions, and what to do next. */
static void write_text(const struct show *s, struct function_table *t,
                       const struct text_screen *screen, FILE *out)
{
    part_heading_write(s->profile, screen, out);
    if (s->own.shown) {
        show_own_write(&s->own, s->context, &s->selection.columns, screen, t, out);
        if (!is_own_only(s))
            fputc('\n', out);
    }
    write_besides(s, t, screen, out);
    if (!is_beside_only(s) && !is_own_only(s)) {
        if (s->own.shown && s->context->view == SHOW_CALLGRIND) {
            style_line(out, screen->color, STYLE_BOLD, "All functions", 0);
            fputc('\n', out);
        }
        if (s->context->view == SHOW_CACHEGRIND)
            totals_write(t, out);
        else if (!s->own.shown)
            totals_line(t->measure, t->rows->totals, screen, out);
        function_table_rows(t, out);
        closing_write(t, out);
    }
    if (s->own.shown)
        show_own_next(&s->own, s->context, &s->selection.columns, screen, out);
}

static void write_markdown(const struct show *s, struct function_table *t, FILE *out)
{
    bool own = s->own.shown && s->what == VIEW_OWN;

    part_heading_write(s->profile, NULL, out);
    write_besides(s, t, NULL, out);
    if (is_beside_only(s))
        return;
    if (!own)
        function_table_markdown(t, out);
    if (!own && s->own.shown)
        fputc('\n', out);
    if (s->own.shown)
        show_own_markdown(&s->own, t->root, out);
}

static void write_summary(const struct show *s, struct function_table *t)
{
    FILE *summary = summary_open();

    if (summary)
        write_markdown(s, t, summary);
    summary_close(summary);
}

static int write_page(const struct show *s, const struct function_table *t, FILE *out)
{
    struct view_input input = input_of(s, t);
    const struct html_subject page = {.table = t,
                                      .views = &input,
                                      .own = s->own.shown ? &s->own.own : NULL,
                                      .time = s->context->time,
                                      .command = s->context->command,
                                      .when = s->context->files ? s->context->when : time(NULL),
                                      .here = !s->context->file,
                                      .full_paths = s->settings->full_paths,
                                      .threads = s->settings->threads};

    return html_report(&page, out);
}

/*--- For programs to read ---*/

/* Fills the one table that is shown, which the caller frees. */
static void fill_shown(const struct show *s, const struct function_table *t, struct table *table)
{
    const struct own_table own = {.own = &s->own.own, .measure = t->measure, .whole_names = true};
    const struct view_input input = input_of(s, t);

    if (is_beside_only(s)) {
        view_fill(s->what, &input, table);
    } else if (s->what == VIEW_OWN) {
        own_table_fill(&own, table);
    } else {
        function_table_begin(t, table);
        for (size_t i = 0; i < t->n_shown; i++)
            table_put(table, &t->rows->items[i], CELL_PLAIN);
    }
}

/* Writes that table as CSV, or as JSON. */
static int write_data(const struct show *s, struct function_table *t, FILE *out)
{
    const struct json_table document = {
        .rows = t->rows, .columns = t->columns, .title = s->context->title};
    struct table table;
    int status;

    if (s->what == VIEW_OWN && !s->own.shown)
        return message_error("no own code in '%s'; --by crate shows whose code there is",
                             s->profile->source);
    t->root = NULL; /* paths are as the profile has them */
    fill_shown(s, t, &table);
    status = s->settings->json ? json_write_table(&document, s->what, &table, out)
                               : export_table(&table, out);
    table_free(&table);
    return status ? output_failed(out) : 0;
}

static int write_table(const struct show *s, FILE *out)
{
    struct text_screen screen = show_screen(s->settings);
    char *root = s->context->root ? xstrdup(s->context->root) : getcwd(NULL, 0);
    struct links links;
    int status = 0;
    struct function_table t = {
        .rows = &s->rows,
        .n_shown = rows_that_fit(s),
        .columns = selection_columns(&s->selection),
        .measure = s->selection.measure,
        .sort = s->selection.sort,
        .spare_paths = s->context->view == SHOW_CACHEGRIND && !s->settings->columns,
        .percent = s->settings->percent,
        .filtered = s->filters.has_function || s->filters.has_file || s->settings->crate,
        .by = s->what == VIEW_OWN_LINES ? GROUP_LINE : s->by,
        .whole_names = s->settings->names.style != NAME_SHORT,
        .root = root,
        .program = s->context->program,
        .qualities = s->context->qualities,
    };

    show_links(&links, &screen, s->profile);
    t.screen = screen;
    if (s->settings->summary)
        write_summary(s, &t);
    if (show_is_data(s->settings)) {
        status = write_data(s, &t, out);
    } else if (s->settings->html) {
        status = write_page(s, &t, out);
    } else if (s->settings->format == FORMAT_MARKDOWN) {
        write_markdown(s, &t, out);
    } else {
        write_text(s, &t, &screen, out);
    }
    links_free(&links);
    free(root);
    return status;
}

/* Where packages are not known and somebody asks for crates. */
static void note_guesses(const struct show *s)
{
    bool asked = s->by == GROUP_CRATE || s->settings->crate || s->what == VIEW_OWN_LINES;

    for (size_t i = 0; i < s->selection.n_shown; i++)
        asked |= column_is_crate(s->selection.shown[i]);
    if (asked && s->crates.guessed && !s->context->quiet)
        message_note("the packages that '%s' was built from are not known; crates are told by "
                     "paths and names, as far as they tell",
                     s->profile->source);
}

static bool has_crate(const struct crates *crates, const char *text)
{
    for (size_t i = 0; i < crates->n; i++)
        if (crate_matches(&crates->items[i], text))
            return true;
    return false;
}

static void load_blame(struct show *s)
{
    blame_load(&s->blame, &s->rows, profile_paths(s->profile), &s->crates, s->crates.own, false);
    blame_sort(&s->blame, s->selection.measure);
    blame_notes(&s->blame, &s->rows, s->selection.measure);
    if (!s->settings->json)
        blame_columns(&s->selection, s->profile->n_events);
}

/* True where a view is shown that needs them: JSON and a page have all that there are. */
static bool needs_callers(const struct show *s)
{
    bool all = s->settings->json || s->settings->html;

    for (enum view_id view = 0; view < N_VIEWS; view++)
        if (view_forms[view] && view_forms[view]->needs_callers &&
            (all ? view_exists(view, s->profile) : is_shown(s, view)))
            return true;
    return false;
}

/* Functions without a cost of their own, as callers of a probe are, come by inclusive cost. */
static void sort_rows(struct show *s)
{
    const struct column_selection *selection = &s->selection;
    bool blamed = s->what == VIEW_OWN_LINES;

    rows_sort(&s->rows, blamed ? selection->measure : selection->sort,
              blamed ? NULL : columns_inclusive(&selection->columns, selection->sort));
}

static int load_rows(struct show *s)
{
    bool blamed = s->what == VIEW_OWN_LINES, memory = needs_callers(s);

    crates_load(&s->crates, s->profile, s->context->packages, NULL);
    note_guesses(s);
    if (s->settings->crate && !has_crate(&s->crates, s->settings->crate))
        return message_error("no crate '%s' in '%s'; --by crate lists them", s->settings->crate,
                             s->profile->source);
    if (blamed && !s->profile->n_contexts)
        return message_error("no call paths in '%s' for --blame; %s", s->profile->source,
                             load_paths_hint(s->profile));
    if (blamed && !memchr(s->crates.own, true, s->profile->n_functions))
        return message_error("no own code in '%s' for --blame, which charges it with what others "
                             "cost for it; --by crate shows whose code there is",
                             s->profile->source);
    if (memory)
        callers_load(&s->callers, s->profile, s->crates.own);
    if (s->what <= VIEW_OWN)
        show_own_load(&s->own, s->profile, &s->crates, s->settings, &s->selection);
    show_own_note_none(s->settings,
                       s->own.shown || s->context->quiet || blamed || show_is_data(s->settings));
    if (blamed)
        load_blame(s);
    else
        groups_load(&s->rows, s->profile, &s->crates, s->by);
    if (s->settings->crate)
        rows_filter_crate(&s->rows, s->settings->crate);
    rows_filter(&s->rows, s->filters.has_function ? &s->filters.function : NULL,
                s->filters.has_file ? &s->filters.file : NULL);
    sort_rows(s);
    return 0;
}

static int load(struct show *s)
{
    int status = check_contradictions(s->settings);

    if (status == 0)
        status = filters_compile(&s->filters, s->settings);
    if (status == 0 && s->profile->n_events == 0)
        status =
            message_error("no events in '%s', so there is nothing to show; name another profile",
                          s->profile->source);
    if (status == 0)
        status =
            selection_load(&s->selection, events_of(s->profile), s->settings, s->context->view);
    if (status == 0)
        status = check_view(s->profile, s->settings);
    return status ? status : load_rows(s);
}

static void unload(struct show *s)
{
    filters_free(&s->filters);
    selection_free(&s->selection);
    rows_free(&s->rows);
    blame_free(&s->blame);
    show_own_free(&s->own);
    callers_free(&s->callers);
    crates_free(&s->crates);
}

/* Fills the tables of views that JSON has no member of its own for. */
static void fill_others(const struct show *s, struct table tables[N_VIEWS])
{
    const struct view_input input = input_of(s, NULL);

    for (enum view_id view = 0; view < N_VIEWS; view++)
        if (view_forms[view] && view_kinds[view].member && !json_has_member(view) &&
            view_exists(view, s->profile))
            view_fill(view, &input, &tables[view]);
}

/* True where JSON is of one view alone. */
static bool is_one_view(const struct show *s)
{
    return s->what == VIEW_OWN || is_beside_only(s);
}

static int write_json(const struct show *s, FILE *out)
{
    bool has_heap = view_exists(VIEW_HEAP, s->profile) && s->what < VIEW_OWN_LINES;
    struct view_input input = input_of(s, NULL);
    struct show_heap heap;
    uint32_t layout = CPROF_NONE;
    struct table tables[N_VIEWS] = {{.n_rows = 0}};
    const struct json_table table = {.rows = &s->rows,
                                     .n_shown = limit_of(s),
                                     .columns = selection_columns(&s->selection),
                                     .own_code = s->crates.own,
                                     .callers = &s->callers,
                                     .heap = has_heap ? &heap.own : NULL,
                                     .layout = s->settings->layout ? &layout : NULL,
                                     .tables = tables,
                                     .title = s->context->title};
    struct tree tree;
    bool paths = *s->settings->json;
    int status;

    if (s->settings->layout && show_layout_find(s->profile, s->settings->layout, &layout) != 0)
        return STATUS_ERROR;
    if (paths && !s->profile->n_contexts)
        return message_error("no call paths in '%s' for --json=tree; %s", s->profile->source,
                             load_paths_hint(s->profile));
    if (has_heap)
        show_heap_load(&heap, &input);
    fill_others(s, tables);
    if (paths) {
        tree_load(&tree, s->profile);
        tree_sort(&tree, s->selection.measure);
    }
    if (s->what == VIEW_OWN_LINES)
        status = json_write_blame(&table, &s->blame, out);
    else if (s->by != GROUP_FUNCTION)
        status = json_write_groups(&table, s->by, out);
    else
        status = json_write(&table, paths ? &tree : NULL, s->own.shown ? &s->own.own : NULL,
                            s->context->program, out);
    if (has_heap)
        show_heap_free(&heap);
    for (enum view_id view = 0; view < N_VIEWS; view++)
        table_free(&tables[view]);
    if (paths)
        tree_free(&tree);
    return status ? output_failed(out) : 0;
}

int show_write(const struct cprof_profile *profile, const struct show_settings *settings,
               const struct show_context *context, FILE *out)
{
    struct show s = {.profile = profile,
                     .settings = settings,
                     .context = context,
                     .what = show_view(settings),
                     .by = show_by(settings)};
    int status = load(&s);

    if (status == 0 && !context->quiet)
        status = (context->files && !settings->html ? profile_warnings_again
                                                    : profile_warnings)(profile, settings->strict);
    if (status == 0 && !context->quiet)
        section_warnings(profile);
    if (status == 0) {
        if (settings->json && !is_one_view(&s))
            status = write_json(&s, out);
        else
            status = write_table(&s, out);
    }
    unload(&s);
    return status;
}
