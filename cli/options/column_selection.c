#include <config.h>

#include "options/column_selection.h"

#include "base/memory.h"
#include "base/message.h"
#include "table/heap.h"

#include <stdlib.h>
#include <string.h>

/* The events that there will be. */
struct plan {
    char *names;
    struct cprof_event *items;
    struct events events;
};

static void plan_load(struct plan *plan, const char *counted, const char *more, bool calls)
{
    char *rest, *name;

    *plan = (struct plan){.names = xasprintf("%s %s", counted, more),
                          .events = {.inclusive = calls,
                                     .paths = calls,
                                     .sampled = !strncmp(counted, "Samples ", 8)}};
    rest = plan->names;
    while ((name = strsep(&rest, " ")) != NULL) {
        if (!*name)
            continue;
        plan->items = xreallocarray(plan->items, plan->events.n + 1, sizeof *plan->items);
        plan->items[plan->events.n++] = (struct cprof_event){.name = name};
    }
    plan->events.items = plan->items;
}

static void plan_free(struct plan *plan)
{
    free(plan->items);
    free(plan->names);
}

/* The option that has a column counted which `counted` is without, or NULL. */
static const char *missing_option(const char *counted, const char *name)
{
    static const struct {
        const char *option, *events;
    } options[] = {{"--cache-sim", "I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw"},
                   {"--branch-sim", "Bc Bcm Bi Bim"},
                   {"--heap", HEAP_EVENTS}};
    const char *found = NULL;

    for (size_t i = 0; counted && !found && i < sizeof options / sizeof *options; i++) {
        struct plan plan;
        struct columns columns;

        plan_load(&plan, counted, options[i].events, false);
        columns_load(&columns, plan.events);
        if (columns_find(&columns, name))
            found = options[i].option;
        columns_free(&columns);
        plan_free(&plan);
    }
    return found;
}

/* `counted` as in struct column_selection. Takes over `names`. */
static int unknown_column(const char *option, const char *name, const char *counted, char *names)
{
    const char *missing = missing_option(counted, name);
    const char *one_of = strchr(names, ',') ? "one of " : "";
    int status =
        missing
            ? message_usage("'%s' is no column for --%s without %s; add that option, or take %s%s",
                            name, option, missing, one_of, names)
            : message_usage("'%s' is no column for --%s; it takes %s%s", name, option, one_of,
                            names);

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
        return message_usage("no column in '%s' for --columns; name one, such as Ir", list);
    return status;
}

struct column *selection_make(struct column_selection *selection, const struct column *column)
{
    struct column *copy = xmalloc(sizeof *copy);

    *copy = *column;
    selection->copies =
        xreallocarray(selection->copies, selection->n_copies + 1, sizeof *selection->copies);
    return selection->copies[selection->n_copies++] = copy;
}

/* The percentage of the last number that is shown, or else of what rows are sorted by. */
static const struct column *percent_of(struct column_selection *selection,
                                       const struct column *column)
{
    const struct column *number = selection->sort;
    struct column *percent = selection_make(selection, column);

    if (column_is_ratio(number))
        number = selection->measure;
    for (size_t i = 0; i < selection->n_shown; i++)
        if (column_is_number(selection->shown[i]))
            number = selection->shown[i];
    percent->n_terms = number->n_terms;
    memcpy(percent->terms, number->terms, sizeof percent->terms);
    return percent;
}

/* The names of groups under a head of their own. */
static const struct column *group_names(struct column_selection *selection,
                                        const struct column *column)
{
    static const char *const heads[] = {"Function", "Line", "File", "Crate", "Object"};
    struct column *names = selection_make(selection, column);

    names->header = heads[selection->by];
    return names;
}

void selection_show(struct column_selection *selection, const struct column *column)
{
    if (column_is_share(column) || column_is_interval(column))
        column = percent_of(selection, column);
    else if (column_is_name(column) && selection->by != GROUP_FUNCTION)
        column = group_names(selection, column);
    selection->shown =
        xreallocarray(selection->shown, selection->n_shown + 1, sizeof *selection->shown);
    selection->shown[selection->n_shown++] = column;
}

void selection_show_events(struct column_selection *selection, uint32_t n_events)
{
    for (uint32_t i = 0; i < n_events; i++)
        selection_show(selection, &selection->columns.items[i]);
}

/* True for a share behind a ratio, which has none. */
static bool follows_ratio(const struct column_selection *selection, const struct column *column)
{
    return selection->n_shown && (column_is_share(column) || column_is_interval(column)) &&
           column_is_ratio(selection->shown[selection->n_shown - 1]);
}

static int show_named(const char *name, void *context)
{
    struct column_selection *selection = context;
    const struct column *column = columns_find(&selection->columns, name);

    if (!column)
        return unknown_column("columns", name, selection->counted,
                              columns_names(&selection->columns, false));
    if (follows_ratio(selection, column))
        return message_usage("no share of '%s' for --columns: it is a ratio; put '%s' behind a "
                             "count",
                             selection->shown[selection->n_shown - 1]->name, column->name);
    selection_show(selection, column);
    return 0;
}

static void show_own(struct column_selection *selection, const char *name)
{
    selection_show(selection, columns_find(&selection->columns, name));
}

/* True for events that a table has where they are asked for: those of the heap are many. */
static bool is_rare(const struct column *column)
{
    return heap_is_column(column->name) || !strcmp(column->name, "Rep");
}

static void show_events(struct column_selection *selection, uint32_t n_events, bool is_table)
{
    for (uint32_t i = 0; i < n_events; i++) {
        const struct column *column = &selection->columns.items[i];

        if (!is_table || column == selection->sort || !is_rare(column))
            selection_show(selection, column);
    }
}

/* All events, and what rows are sorted by; in a table also what they are with all that was called,
 * and how often: for JSON and the cache table. */
static void choose_all(struct column_selection *selection, uint32_t n_events, bool is_table)
{
    const struct column *inclusive = columns_inclusive(&selection->columns, selection->measure);
    const struct column *calls = columns_find(&selection->columns, "Calls");

    show_events(selection, n_events, is_table);
    if (selection->sort >= selection->columns.items + n_events)
        selection_show(selection, selection->sort);
    if (is_table && inclusive && inclusive != selection->sort)
        selection_show(selection, inclusive);
    if (is_table && inclusive && calls && calls != selection->sort)
        selection_show(selection, calls);
    for (size_t i = 0; i < selection->columns.n && !is_table; i++)
        if (column_is_ratio(&selection->columns.items[i]) &&
            &selection->columns.items[i] != selection->sort)
            selection_show(selection, &selection->columns.items[i]);
    show_own(selection, "Function");
}

/* The branches, where they were counted: somebody asked for them. */
static void show_branches(struct column_selection *selection, uint32_t n_events)
{
    static const char *const names[] = {"Bc", "Bcm", "Bi", "Bim"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct column *column = columns_find(&selection->columns, names[i]);

        if (column && column < selection->columns.items + n_events && column != selection->measure)
            selection_show(selection, column);
    }
}

/* Shows the events that perf took beside the first, where somebody asked for several. */
static void show_taken(struct column_selection *selection, const struct events *events)
{
    if (!events->sampled || !events->perf || !strcmp(events->items[0].name, "Samples"))
        return;
    for (uint32_t i = 1; i < events->n; i++)
        if (&selection->columns.items[i] != selection->measure &&
            strcmp(events->items[i].name, "Samples") != 0)
            selection_show(selection, &selection->columns.items[i]);
}

/* How many blocks were allocated, beside another count of the heap. */
static void show_blocks(struct column_selection *selection)
{
    const struct column *blocks = columns_find(&selection->columns, "Blocks");

    if (blocks && blocks != selection->measure)
        selection_show(selection, blocks);
}

/* The first event, or blocks where the profile is about the heap, what rows are sorted by, its
 * share; the same with all that was called; how often; branches; name and place. */
static void choose_few(struct column_selection *selection, const struct events *events,
                       bool percents)
{
    bool about_heap = events->subject == CPROF_SUBJECT_HEAP;
    const struct column *inclusive = columns_inclusive(&selection->columns, selection->measure);

    if (selection->measure != selection->columns.items && !about_heap)
        selection_show(selection, selection->columns.items);
    selection_show(selection, selection->measure);
    if (percents)
        show_own(selection, "%");
    if (percents && columns_find(&selection->columns, "CI"))
        show_own(selection, "CI");
    if (about_heap)
        show_blocks(selection);
    if (inclusive) {
        selection_show(selection, inclusive);
        if (percents)
            show_own(selection, "%");
        if (columns_find(&selection->columns, "Calls"))
            show_own(selection, "Calls");
    }
    show_branches(selection, events->n);
    show_taken(selection, events);
    show_own(selection, "Function");
    if (selection->by == GROUP_FUNCTION)
        show_own(selection, "Location");
}

/* Sorting by what was spent with all that was called, of the column that --sort names. */
static int sort_inclusive(struct column_selection *selection)
{
    selection->sort = columns_inclusive(&selection->columns, selection->measure);
    return selection->sort ? 0
                           : message_usage("no inclusive costs for --inclusive, since no calls are "
                                           "known; take a profile of callgrind");
}

const struct column *selection_usual_sort(const struct columns *columns, enum cprof_subject subject,
                                          const char *list)
{
    const struct column *first = NULL;
    char *copy = list ? xstrdup(list) : NULL, *rest = copy, *name;

    while (!first && (name = strsep(&rest, ", \t")) != NULL) {
        const struct column *column = *name ? columns_find(columns, name) : NULL;

        if (column && column_is_number(column))
            first = column;
    }
    free(copy);
    return first && column_is_inclusive(first) ? first : columns_subject(columns, subject);
}

/* Ratios are of functions. */
static int load_measure(struct column_selection *selection, struct events events,
                        const struct show_settings *settings, bool ratios)
{
    const char *sort = settings->sort;
    enum group_by by = show_by(settings);

    *selection = (struct column_selection){
        .by = by, .counted = settings->counted ? settings->counted->events : NULL};
    columns_load(&selection->columns, groups_events(events, by));
    if (by == GROUP_LINE || by == GROUP_FILE)
        columns_remove_calls(&selection->columns);
    if (!ratios || by != GROUP_FUNCTION || show_view(settings) == VIEW_OWN_LINES)
        columns_remove_ratios(&selection->columns);
    selection->sort =
        sort ? columns_find(&selection->columns, sort)
             : selection_usual_sort(&selection->columns, events.subject, settings->columns);
    if (!selection->sort ||
        (!column_is_number(selection->sort) && !column_is_ratio(selection->sort)))
        return unknown_column("sort", sort ? sort : "", selection->counted,
                              columns_names(&selection->columns, true));
    selection->measure = &selection->columns.items[selection->sort->self];
    return settings->inclusive ? sort_inclusive(selection) : 0;
}

int selection_load_measure(struct column_selection *selection, struct events events,
                           const struct show_settings *settings)
{
    return load_measure(selection, events, settings, false);
}

static bool is_shown(const struct column_selection *selection, const struct column *column)
{
    for (size_t i = 0; i < selection->n_shown; i++)
        if (selection->shown[i] == column)
            return true;
    return false;
}

/* JSON has a count by the name of its event, own and inclusive side by side. */
static void show_events_of_inclusive(struct column_selection *selection)
{
    for (size_t i = 0, n = selection->n_shown; i < n; i++) {
        const struct column *shown = selection->shown[i];

        if (column_is_inclusive(shown) &&
            !is_shown(selection, &selection->columns.items[shown->self]))
            selection_show(selection, &selection->columns.items[shown->self]);
    }
}

/* Shows what --columns asks for. */
static int show_list(struct column_selection *selection, const struct show_settings *settings)
{
    int status = each_name(settings->columns, show_named, selection);

    if (status == 0 && settings->json)
        show_events_of_inclusive(selection);
    return status;
}

int selection_load_changes(struct column_selection *selection, struct events events,
                           const struct show_settings *settings)
{
    int status = load_measure(selection, events, settings, false);

    return status ? status : show_list(selection, settings);
}

int selection_load(struct column_selection *selection, struct events events,
                   const struct show_settings *settings, enum show_view view)
{
    int status = load_measure(selection, events, settings, true);

    if (status == 0 && settings->columns)
        return show_list(selection, settings);
    if (status != 0)
        return status;
    if (view == SHOW_CACHEGRIND || settings->json)
        choose_all(selection, events.n, !settings->json);
    else
        choose_few(selection, &events, !settings->percent && !settings->counts);
    return 0;
}

int selection_load_few(struct column_selection *selection, struct events events,
                       const struct show_settings *settings, bool percent)
{
    int status = selection_load_measure(selection, events, settings);

    if (status != 0)
        return status;
    selection_show(selection, selection->sort);
    if (percent)
        show_own(selection, "%");
    if (events.subject == CPROF_SUBJECT_HEAP)
        show_blocks(selection);
    show_own(selection, "Function");
    show_own(selection, "Location");
    return 0;
}

void selection_free(struct column_selection *selection)
{
    for (size_t i = 0; i < selection->n_copies; i++)
        free(selection->copies[i]);
    free(selection->copies);
    free(selection->shown);
    columns_free(&selection->columns);
    *selection = (struct column_selection){.n_shown = 0};
}

/* Against the events that there will be. */
static int check_events(const struct show_settings *settings)
{
    struct plan plan;
    struct column_selection selection;
    int status;

    plan_load(&plan, settings->counted->events, "", settings->counted->calls);
    status = selection_load(&selection, plan.events, settings, SHOW_CALLGRIND);
    selection_free(&selection);
    plan_free(&plan);
    return status;
}

int selection_check(const struct show_settings *settings)
{
    return settings->counted ? check_events(settings) : 0;
}

int selection_check_count(const char *option, const char *name, const struct counted *counted)
{
    const struct column *column;
    struct columns columns;
    struct plan plan;
    int status = 0;

    plan_load(&plan, counted->events, "", counted->calls);
    columns_load(&columns, plan.events);
    column = columns_find(&columns, name);
    if (!column)
        status = unknown_column(option, name, counted->events, columns_names(&columns, true));
    else if (column_is_inclusive(column))
        status = message_usage("'%s' for --%s is a function's: 'incl(NAME): %s>+2%%'", name, option,
                               columns.items[column->self].name);
    columns_free(&columns);
    plan_free(&plan);
    return status;
}
