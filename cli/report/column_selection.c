#include <config.h>

#include "report/column_selection.h"

#include "base/memory.h"
#include "base/message.h"

#include <stdlib.h>
#include <string.h>

/* A profile of nothing but the events that there will be. */
struct plan {
    char *names;
    struct cprof_event *events;
    struct cprof_profile profile;
};

static void plan_load(struct plan *plan, const char *counted, const char *more, bool calls)
{
    char *rest, *name;

    *plan = (struct plan){.names = xasprintf("%s %s", counted, more),
                          .profile = {.n_calls = calls, .n_contexts = calls}};
    rest = plan->names;
    while ((name = strsep(&rest, " ")) != NULL) {
        if (!*name)
            continue;
        plan->events =
            xreallocarray(plan->events, plan->profile.n_events + 1, sizeof *plan->events);
        plan->events[plan->profile.n_events++] = (struct cprof_event){.name = name};
    }
    plan->profile.events = plan->events;
}

static void plan_free(struct plan *plan)
{
    free(plan->events);
    free(plan->names);
}

/* The option that has a column counted which `counted` is without, or NULL. */
static const char *missing_option(const char *counted, const char *name)
{
    static const struct {
        const char *option, *events;
    } options[] = {{"--cache-sim", "I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw"},
                   {"--branch-sim", "Bc Bcm Bi Bim"}};
    const char *found = NULL;

    for (size_t i = 0; counted && !found && i < sizeof options / sizeof *options; i++) {
        struct plan plan;
        struct columns columns;

        plan_load(&plan, counted, options[i].events, false);
        columns_load(&columns, &plan.profile);
        if (columns_find(&columns, name))
            found = options[i].option;
        columns_free(&columns);
        plan_free(&plan);
    }
    return found;
}

/* `counted` as in struct choice. Takes over `names`. */
static int unknown_column(const char *option, const char *name, const char *counted, char *names)
{
    const char *missing = missing_option(counted, name);
    const char *one_of = strchr(names, ',') ? "one of " : "";
    int status = missing ? message_usage("'%s' is no column for --%s without %s; add that, or take "
                                         "%s%s",
                                         name, option, missing, one_of, names)
                         : message_usage("'%s' is no column for --%s; it takes %s%s", name, option,
                                         one_of, names);

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

struct column *choice_make(struct choice *choice, const struct column *column)
{
    struct column *copy = xmalloc(sizeof *copy);

    *copy = *column;
    choice->made = xreallocarray(choice->made, choice->n_made + 1, sizeof *choice->made);
    return choice->made[choice->n_made++] = copy;
}

/* The percentage of the last number that is shown, or else of what rows are sorted by. */
static const struct column *percent_of(struct choice *choice, const struct column *column)
{
    const struct column *of = choice->sort;
    struct column *percent = choice_make(choice, column);

    for (size_t i = 0; i < choice->n_shown; i++)
        if (column_is_number(choice->shown[i]))
            of = choice->shown[i];
    percent->n_terms = of->n_terms;
    memcpy(percent->terms, of->terms, sizeof percent->terms);
    return percent;
}

/* The names of groups under a head of their own. */
static const struct column *group_names(struct choice *choice, const struct column *column)
{
    static const char *const heads[] = {"Function", "Line", "File", "Crate", "Object"};
    struct column *names = choice_make(choice, column);

    names->header = heads[choice->by];
    return names;
}

void choice_show(struct choice *choice, const struct column *column)
{
    if (column->kind == COLUMN_PERCENT)
        column = percent_of(choice, column);
    else if (column->kind == COLUMN_FUNCTION && choice->by != GROUP_FUNCTION)
        column = group_names(choice, column);
    choice->shown = xreallocarray(choice->shown, choice->n_shown + 1, sizeof *choice->shown);
    choice->shown[choice->n_shown++] = column;
}

void choice_show_events(struct choice *choice, uint32_t n_events)
{
    for (uint32_t i = 0; i < n_events; i++)
        choice_show(choice, &choice->columns.items[i]);
}

static int show_named(const char *name, void *context)
{
    struct choice *choice = context;
    const struct column *column = columns_find(&choice->columns, name);

    if (!column)
        return unknown_column("columns", name, choice->counted,
                              columns_names(&choice->columns, false));
    choice_show(choice, column);
    return 0;
}

static void show_own(struct choice *choice, const char *name)
{
    choice_show(choice, columns_find(&choice->columns, name));
}

/* All events, and what rows are sorted by; in a table also what they are with all that was called,
 * and how often: for JSON and the cache table. */
static void choose_all(struct choice *choice, uint32_t n_events, bool is_table)
{
    const struct column *inclusive = columns_inclusive(&choice->columns, choice->measure);
    const struct column *calls = columns_find(&choice->columns, "Calls");

    choice_show_events(choice, n_events);
    if (choice->sort >= choice->columns.items + n_events)
        choice_show(choice, choice->sort);
    if (is_table && inclusive && inclusive != choice->sort)
        choice_show(choice, inclusive);
    if (is_table && inclusive && calls && calls != choice->sort)
        choice_show(choice, calls);
    show_own(choice, "Function");
}

/* The branches, where they were counted: somebody asked for them. */
static void show_branches(struct choice *choice, uint32_t n_events)
{
    static const char *const names[] = {"Bc", "Bcm", "Bi", "Bim"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct column *column = columns_find(&choice->columns, names[i]);

        if (column && column < choice->columns.items + n_events && column != choice->measure)
            choice_show(choice, column);
    }
}

/* The first event, what rows are sorted by, its share; the same with all that was called; how
 * often; branches; name and place. */
static void choose_few(struct choice *choice, uint32_t n_events, bool percents)
{
    const struct column *inclusive = columns_inclusive(&choice->columns, choice->measure);

    choice_show(choice, choice->columns.items);
    if (choice->measure != choice->columns.items)
        choice_show(choice, choice->measure);
    if (percents)
        show_own(choice, "%");
    if (inclusive) {
        choice_show(choice, inclusive);
        if (percents)
            show_own(choice, "%");
        if (columns_find(&choice->columns, "Calls"))
            show_own(choice, "Calls");
    }
    show_branches(choice, n_events);
    show_own(choice, "Function");
    if (choice->by == GROUP_FUNCTION)
        show_own(choice, "Location");
}

/* Sorting by what was spent with all that was called, of the column that --sort names. */
static int sort_inclusive(struct choice *choice)
{
    choice->sort = columns_inclusive(&choice->columns, choice->measure);
    return choice->sort
               ? 0
               : message_usage("no inclusive costs for --inclusive: calls are not known here");
}

int choice_load_measure(struct choice *choice, const struct cprof_profile *profile,
                        const struct show_settings *settings)
{
    const char *sort = settings->sort;
    enum group_by by = (enum group_by)settings->by;
    struct cprof_profile view = groups_view(profile, by);

    *choice =
        (struct choice){.by = by, .counted = settings->counted ? settings->counted->events : NULL};
    columns_load(&choice->columns, &view);
    if (by == GROUP_LINE || by == GROUP_FILE)
        columns_remove(&choice->columns, COLUMN_CALLS);
    choice->sort = sort ? columns_find(&choice->columns, sort) : choice->columns.items;
    if (!choice->sort || !column_is_number(choice->sort))
        return unknown_column("sort", sort ? sort : "", choice->counted,
                              columns_names(&choice->columns, true));
    choice->measure = &choice->columns.items[choice->sort->self];
    return settings->inclusive ? sort_inclusive(choice) : 0;
}

int choice_load(struct choice *choice, const struct cprof_profile *profile,
                const struct show_settings *settings, enum show_view view)
{
    int status = choice_load_measure(choice, profile, settings);

    if (status != 0)
        return status;
    if (settings->columns)
        return each_name(settings->columns, show_named, choice);
    if (view == SHOW_CACHEGRIND || settings->json)
        choose_all(choice, profile->n_events, !settings->json);
    else
        choose_few(choice, profile->n_events, !settings->percent && !settings->counts);
    return 0;
}

void choice_free(struct choice *choice)
{
    for (size_t i = 0; i < choice->n_made; i++)
        free(choice->made[i]);
    free(choice->made);
    free(choice->shown);
    columns_free(&choice->columns);
    *choice = (struct choice){.n_shown = 0};
}

/* Against the events that there will be. */
static int check_events(const struct show_settings *settings)
{
    struct plan plan;
    struct choice choice;
    int status;

    plan_load(&plan, settings->counted->events, "", settings->counted->calls);
    status = choice_load(&choice, &plan.profile, settings, SHOW_CALLGRIND);
    choice_free(&choice);
    plan_free(&plan);
    return status;
}

static int check_known(const char *name, void *context)
{
    (void)context;
    if (column_is_known(name, false))
        return 0;
    return unknown_column("columns", name, NULL, column_known_names(false));
}

int choice_check(const struct show_settings *settings)
{
    if (settings->counted)
        return check_events(settings);
    if (settings->sort && !column_is_known(settings->sort, true))
        return unknown_column("sort", settings->sort, NULL, column_known_names(true));
    return settings->columns ? each_name(settings->columns, check_known, NULL) : 0;
}
