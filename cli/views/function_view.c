#include <config.h>

#include "views/function_view.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "base/sort.h"
#include "calls/graph.h"
#include "names/name_forms.h"
#include "profiles/load.h"
#include "render/text/run_header.h"
#include "render/text/text.h"
#include "run/saved_profile.h"
#include "table/search.h"
#include "views/screen.h"
#include "views/show.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CANDIDATES_MAX = 10 };

/* Names what a text may mean, highest inclusive cost first. */
static int say_candidates(const struct function_view *v, const char *text,
                          const struct search *found)
{
    message_error("'%s' may mean any of %s functions; give one of them in full", text,
                  TEXT_COUNT(found->n));
    for (size_t i = 0; i < found->n && i < CANDIDATES_MAX; i++) {
        char *label = row_label(found->rows[i], true, v->root);

        message_note("  %s", label);
        free(label);
    }
    if (found->n > CANDIDATES_MAX)
        message_note("  %s more functions", TEXT_COUNT(found->n - CANDIDATES_MAX));
    return STATUS_ERROR;
}

/* Says which of the functions called `text` is meant: the one that is first. */
static void say_choice(const struct function_view *v, const char *text, const struct search *found)
{
    char *label = row_label(found->rows[0], true, v->root);

    message_note("'%s' is the name of %s functions; shown is %s, which cost most", text,
                 TEXT_COUNT(found->n), label);
    free(label);
}

/* True for what --profile-file takes. */
static bool is_profile(const char *text)
{
    char *path = saved_profile_find(text);
    bool is = path && access(path, R_OK) == 0;

    free(path);
    return is;
}

/* Says that nothing is called so. Returns an exit status. */
static int say_nothing(const struct function_view *v, const char *text)
{
    const char *colon = strrchr(text, ':');
    bool is_place = colon && colon > text && colon[-1] != ':' && colon[1] &&
                    !colon[1 + strspn(colon + 1, "0123456789")];
    char *profile = saved_profile_name(v->profile->source);
    int status;

    if (is_profile(text))
        status = message_error("no function '%s' in '%s'; --profile-file names the profile to look "
                               "at",
                               text, profile);
    else if (is_place)
        status = message_error("no code at '%s' ran in '%s'; 'cargo cprof report' lists functions "
                               "with their places",
                               text, profile);
    else
        status = message_error("no function '%s' in '%s'; 'cargo cprof report' lists them", text,
                               profile);
    free(profile);
    return status;
}

int function_find(const struct function_view *v, const char *text, size_t *function)
{
    struct search found;
    int status = 0;

    search_rows(&found, &v->rows, text);
    if (found.n == 0)
        status = say_nothing(v, text);
    else if (found.n > 1 && !found.whole)
        status = say_candidates(v, text, &found);
    /* The program took one of several implementations as it started. */
    if (found.n && found.implementation)
        message_note("'%s' stands for several implementations; shown is %s, which ran", text,
                     found.rows[0]->name);
    else if (found.n > 1 && found.whole)
        say_choice(v, text, &found);
    if (found.n && status == 0)
        *function = (size_t)(found.rows[0] - v->rows.items);
    search_free(&found);
    return status;
}

static int check_profile(const struct function_view *v, const struct function_command *command)
{
    const struct cprof_profile *p = v->profile;

    if (p->n_events == 0)
        return message_error("no events in '%s', so there is nothing to show; name another profile",
                             p->source);
    if (command->needs_contexts && !p->n_contexts)
        return message_error("no call paths in '%s'; %s%s", p->source, load_paths_hint(p),
                             p->n_calls ? ", of others see callers and callees" : "");
    if (!command->needs_no_calls && !graph_is_known(p))
        return message_error("no calls in '%s'; %s", p->source, load_calls_hint(p));
    return 0;
}

static void load_crates(struct function_view *v, const char *path)
{
    struct packages packages = {0};

    packages_find(&packages, path);
    crates_load(&v->crates, v->profile, &packages, NULL);
    packages_free(&packages);
}

static int find_profile(const struct function_view *v, char **path)
{
    if (v->settings->profile)
        return load_path(v->settings->profile, NULL, path);
    *path = saved_profile_last();
    return *path ? 0 : message_error("no run was kept here; name a profile with --profile-file");
}

/* True where this is not what the command needs, but another run of the program may be. */
static bool lacks_paths(const struct function_view *v, const struct function_command *command)
{
    const bool *asked =
        command->paths_if ? (const bool *)((const char *)v->settings + command->paths_if) : NULL;

    if (command->needs_contexts || (asked && *asked))
        return !v->profile->n_contexts;
    return !command->needs_no_calls && !graph_is_known(v->profile);
}

static int load(struct function_view *v, const struct function_command *command)
{
    struct resolve_settings names = load_brief(&v->settings->show.names);
    const struct column *inclusive;
    char *path;
    int status = find_profile(v, &path);

    if (status)
        return status;
    names.inlined_contexts = command->needs_no_calls;
    v->profile = load_named_profile(path, &names, &v->qualities);
    if (v->profile && !v->settings->profile && lacks_paths(v, command))
        (void)load_run_with_paths(&v->profile, &v->qualities, &path, &names);
    if (v->profile)
        load_crates(v, path);
    free(path);
    if (!v->profile)
        return STATUS_ERROR;
    load_note_end(v->profile);
    status = (command->needs_no_calls ? profile_warnings_again
                                      : profile_warnings)(v->profile, v->settings->show.strict);
    if (status == 0)
        status = check_profile(v, command);
    if (status != 0)
        return status;
    (command->needs_no_calls ? rows_load_inlined : rows_load)(&v->rows, v->profile);
    rows_set_crates(&v->rows, &v->crates);
    status = selection_load_measure(&v->selection, rows_events(&v->rows), &v->settings->show);
    if (status != 0)
        return status;
    v->root = getcwd(NULL, 0);
    inclusive = columns_inclusive(&v->selection.columns, v->selection.measure);
    rows_sort(&v->rows, inclusive ? inclusive : v->selection.measure, NULL);
    return 0;
}

static void unload(struct function_view *v)
{
    selection_free(&v->selection);
    rows_free(&v->rows);
    crates_free(&v->crates);
    free(v->root);
    free(v->qualities);
    cprof_free(v->profile);
}

void function_begin(const struct function_view *v, FILE *out)
{
    if (!v->settings->show.output && !v->settings->show.no_pager)
        pager_begin();
    if (!v->settings->show.json) {
        struct text_screen screen = show_screen(&v->settings->show);

        part_heading_write(v->profile, &screen, out);
    }
}

/*--- Instances of a generic function, which are shown as one ---*/

/* The name that a function's instances have in common; the caller frees it. */
static char *generic_name(const struct row *row)
{
    char *name = name_form(row->name, NAME_NO_ARGUMENTS);

    name[name_tail(name)] = '\0';
    return name;
}

/* The generic function that the operand means, by the name and place that its instances have in
 * common. */
struct generic {
    char *name; /* NULL: the operand means something else */
    char *file; /* NULL: not known */
    uint32_t line;
};

static void generic_free(struct generic *g)
{
    free(g->name);
    free(g->file);
    *g = (struct generic){NULL, NULL, 0};
}

static bool is_instance(const struct generic *g, const struct row *row)
{
    char *name = generic_name(row);
    bool is = !strcmp(name, g->name) && row->line == g->line && !compare_texts(row->file, g->file);

    free(name);
    return is;
}

/* Finds the generic function of which all that the operand means are instances. */
static struct generic generic_find(const struct function_view *v)
{
    struct generic g = {NULL, NULL, 0};
    struct search found;
    bool is_one;

    search_rows(&found, &v->rows, v->operand);
    is_one = found.n > 1 && !found.implementation;
    if (is_one)
        g = (struct generic){generic_name(found.rows[0]),
                             found.rows[0]->file ? xstrdup(found.rows[0]->file) : NULL,
                             found.rows[0]->line};
    for (size_t i = 1; is_one && i < found.n; i++)
        is_one = is_instance(&g, found.rows[i]);
    if (!is_one)
        generic_free(&g);
    search_free(&found);
    return g;
}

/* The row of the generic function, where rows are of such; NULL: there is none. A place tells more
 * than a name, which may be written otherwise. */
static const struct row *generic_row(const struct function_view *v, const struct generic *g)
{
    for (size_t i = 0; i < v->rows.n; i++) {
        const struct row *row = &v->rows.items[i];

        if (row->instances > 1 && row->line == g->line && !compare_texts(row->file, g->file) &&
            (g->line || is_instance(g, row)))
            return row;
    }
    return NULL;
}

static int load_again(struct function_view *v, const struct function_command *command, bool fold)
{
    unload(v);
    *v = (struct function_view){.self = v->self, .settings = v->settings, .operand = v->operand};
    v->settings->show.names.fold_generics = fold;
    return load(v, command);
}

/* Makes the instances that the operand means one function, and the operand its name, for the caller
 * to free in `*label`; NULL where it means no instances. Returns an exit status. */
static int fold_instances(struct function_view *v, const struct function_command *command,
                          char **label)
{
    struct generic generic = generic_find(v);
    const struct row *row = NULL;
    int status = 0;

    *label = NULL;
    if (!generic.name || v->settings->show.names.fold_generics) {
        generic_free(&generic);
        return 0;
    }
    status = load_again(v, command, true);
    row = status == 0 ? generic_row(v, &generic) : NULL;
    if (row) {
        message_note("'%s' means %s instances of a generic function, which are shown as one",
                     v->operand, TEXT_COUNT(row->instances));
        v->operand = *label = row_label(row, false, NULL);
    } else if (status == 0) {
        status = load_again(v, command, false);
    }
    generic_free(&generic);
    return status;
}

static int show(const struct command *self, const struct function_command *command,
                struct function_settings *settings, const char *name)
{
    struct function_view v = {.self = self, .settings = settings, .operand = name};
    struct output_file file;
    size_t function = SIZE_MAX;
    int status = output_begin(&file, settings->show.output);
    char *label = NULL;

    if (status != 0)
        return status;
    status = load(&v, command);
    if (status == 0 && name)
        status = fold_instances(&v, command, &label);
    if (status == 0 && name && !command->finds_itself)
        status = function_find(&v, v.operand, &function);
    if (status == 0 && !command->finds_itself)
        function_begin(&v, file.stream);
    if (status == 0)
        status = command->write(&v, function, file.stream);
    unload(&v);
    free(label);
    return output_end(&file, settings->show.output, status);
}

/* Takes [FUNCTION] [FILE] from the operands. */
static int take_operands(const struct command *self, const struct function_command *command,
                         const struct string_list *operands, struct function_settings *settings,
                         const char **name)
{
    size_t max = settings->profile ? 1 : 2;

    *name = operands->n ? operands->items[0] : NULL;
    if (operands->n > max)
        return message_usage("unexpected '%s'; there is one function%s", operands->items[max],
                             max == 1 ? "" : " and one file");
    if (!*name && command->needs_function)
        return message_usage("no function given; 'cargo cprof %s -h' shows how", self->name);
    if (operands->n == 2)
        settings->profile = operands->items[1];
    return 0;
}

/* A command with its settings, as it runs. */
struct running {
    const struct command *self;
    const struct function_command *command;
    struct function_settings *settings;
};

static int work(void *data, struct option_result *result)
{
    const struct running *r = data;
    const char *name;
    int status;

    options_take_rest(result);
    status = show_check_plain(&r->settings->show);
    if (status == 0 && r->command->check)
        status = r->command->check(r->settings);
    if (status == 0)
        status = take_operands(r->self, r->command, &result->operands, r->settings, &name);
    return status ? status : show(r->self, r->command, r->settings, name);
}

int function_run(const struct command *self, const struct function_command *command,
                 struct function_settings *settings, int argc, char **argv)
{
    const struct option_group groups[] = {
        {.title = "Options", .defs = command->options, .settings = settings}, {.title = NULL}};
    struct running running = {self, command, settings};

    return command_run(self, groups, argc, argv, work, &running);
}
