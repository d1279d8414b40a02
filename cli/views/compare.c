#include <config.h>

#include "views/compare.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "base/strbuf.h"
#include "diff/diff.h"
#include "diff/environment.h"
#include "diff/own_diff.h"
#include "diff/same_program.h"
#include "diff/why.h"
#include "options/column_selection.h"
#include "profiles/compared.h"
#include "render/json/json.h"
#include "render/text/diff.h"
#include "render/text/environment_table.h"
#include "render/text/markdown.h"
#include "render/text/section_table.h"
#include "table/share.h"
#include "views/html_output.h"
#include "views/screen.h"
#include "views/show_own.h"
#include "views/view_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*--- Own code ---*/

/* Zero-initialised is none. */
struct compare_own {
    bool loaded; /* there is own code, and it is wanted */
    struct own_diff own;
    struct crates crates[DIFF_SIDES];
};

/* True where own code is to be shown if there is some; if it is not asked for, if some of it
 * changed. What is of functions alone, columns and inclusive costs, has it left out unless it is
 * asked for. */
static bool is_wanted(const struct show_settings *show, const struct column *sort)
{
    if (show->parts == VIEW_FUNCTIONS)
        return false;
    if (show->json || show->parts != VIEW_UNSAID)
        return true;
    return column_adds_up(sort) && !show->columns;
}

/* Finds own code where the settings ask for it, filtered; `sort` is what functions are sorted by.
 * The diff must have labels, and neither be filtered nor sorted. Returns 0, or STATUS_USAGE after
 * having said why there is none to be shown. compare_own_free() in either case. */
static int compare_own_load(struct compare_own *own, const struct diff *diff,
                            const struct compare_input inputs[DIFF_SIDES],
                            const struct columns *columns, const struct column *sort,
                            const struct show_settings *show, const struct filters *filters)
{
    const struct crates *crates[DIFF_SIDES] = {&own->crates[DIFF_OLD], &own->crates[DIFF_NEW]};

    if (show->parts == VIEW_OWN && !column_adds_up(sort))
        return message_usage("--view own compares what your code is charged with, not '%s'; leave "
                             "out --inclusive, or take --view functions",
                             sort->name);
    for (int side = 0; side < DIFF_SIDES; side++)
        crates_load(&own->crates[side], inputs[side].profile, inputs[side].packages, NULL);
    if (!is_wanted(show, sort))
        return 0;
    own_diff_load(&own->own, diff, crates, &columns->items[sort->self]);
    own_diff_filter(&own->own, filters->has_function ? &filters->function : NULL,
                    filters->has_file ? &filters->file : NULL);
    own->loaded = own->own.n > 0 &&
                  (show->json || show->parts != VIEW_UNSAID || own_diff_changed(&own->own) > 0);
    show_own_note_none(show, own->loaded);
    return 0;
}

static void compare_own_free(struct compare_own *own)
{
    own_diff_free(&own->own);
    for (int side = 0; side < DIFF_SIDES; side++)
        crates_free(&own->crates[side]);
    *own = (struct compare_own){.loaded = false};
}

/* True where all functions are to be shown: own code is not, or they are asked for. */
static bool compare_shows_functions(const struct compare_own *own, const struct show_settings *show)
{
    return !own->loaded || show->parts == VIEW_BOTH || show->parts == VIEW_FUNCTIONS;
}

/*--- The comparison ---*/

enum {
    OFFENDERS_MAX = 20, /* that are named */
    UNDECIDED_MAX = 5,  /* that are named */
    OWN_LIMIT = 10,     /* functions of own code, without -n */
    WHY_LIMIT = 5       /* functions with reasons, without -n */
};

const struct option_def compare_options[] = {
    {.name = "fail-if",
     .kind = OPTION_LIST | OPTION_USUAL,
     .value = "EXPR",
     .help = "end with status 3 if this holds: 'ir>+2%', 'ir>+1% and time', 'a::*: ir>+1%', "
             "'incl(a::b): ...', 'sum(a::*): ...', 'section(a): ...'; also 'or'",
     .offset = offsetof(struct compare_settings, fail_if)},
    {.name = "lines",
     .kind = OPTION_FLAG,
     .help = "show the lines of each function whose cost changed, too",
     .offset = offsetof(struct compare_settings, lines)},
    {.name = "why",
     .kind = OPTION_FLAG,
     .help = "say why the total changed: causes that add up to it, also where --fail-if holds",
     .offset = offsetof(struct compare_settings, why)},
    {.name = NULL},
};

int compare_read_gates(const struct string_list *texts, struct gates *gates)
{
    struct gate_error error;

    *gates = (struct gates){.n = 0};
    for (size_t i = 0; i < texts->n; i++) {
        const char *text = texts->items[i];

        if (gate_parse(gates, text, &error) == 0)
            continue;
        return message_usage("cannot read --fail-if '%s': %s, at character %zu ('%.20s')", text,
                             error.text, error.at + 1, text + error.at);
    }
    return 0;
}

int compare_gates(const struct compare_settings *settings, struct gates *gates)
{
    int status = compare_read_gates(&settings->fail_if, gates);

    for (size_t i = 0; i < gates->n && !status; i++)
        if (gates->items[i].scope == GATE_BENCH || gates->items[i].scope == GATE_TEST)
            status = message_usage("'%s' for --fail-if is for 'cargo cprof %s'; functions are "
                                   "named by their patterns alone",
                                   gates->items[i].text,
                                   gates->items[i].scope == GATE_TEST ? "test" : "bench");
    return status;
}

/* The two profiles, and how their comparison is shown. */
struct comparison {
    struct diff diff;
    struct columns columns;
    const struct column *sort;
    struct column_selection selection;
    struct compare_own own;
    struct filters filters;
    struct gate_result result;
    const struct gates *gates;
    char *spread; /* why repeated runs of one side cannot be compared with; NULL: they can */
    char *orders; /* why the bands of both sides cannot be; NULL: they can, or there are none */
    size_t n_why;
    struct why *why; /* one for each event that is asked about */
    char *setup;     /* where the runs differ besides their counts; NULL: nowhere */
    struct environment_diff environment;
};

static bool differs(const struct comparison *c, const struct column *column)
{
    for (size_t i = 0; i < c->diff.n; i++)
        if (diff_is_changed(column, &c->diff.rows[i]))
            return true;
    return false;
}

/* Tells if it is a count that changed by more than misses do from run to run, which depend on where
 * the stack begins. */
static bool differs_much(const struct comparison *c, const struct column *column)
{
    double old = (double)column_value(column, c->diff.total.counts[DIFF_OLD]);
    double change = (double)diff_delta(column, &c->diff.total);

    return column_adds_up(column) && fabs(change) > 0.01 * fabs(old) && differs(c, column);
}

/*
 * A count that is the same in every function has no row to show, though others differ: a leak
 * allocates as much as before, a walk in another order executes as much.
 */
static const struct column *differing_sort(const struct comparison *c, const struct column *usual)
{
    static const char *const first[] = {"EndBytes", "PeakBytes"};
    const struct column *found = NULL;

    for (size_t i = 0; !found && i < sizeof first / sizeof *first; i++) {
        found = columns_find(&c->columns, first[i]);
        found = found && differs_much(c, found) ? found : NULL;
    }
    for (size_t i = 0; !found && i < c->columns.n; i++)
        found = differs_much(c, &c->columns.items[i]) ? &c->columns.items[i] : NULL;
    if (!found)
        return usual;
    message_note("%s is the same in every function; what follows is by %s", usual->name,
                 found->name);
    return found;
}

static const struct column *usual_sort(const struct comparison *c, const char *list)
{
    const struct column *usual = selection_usual_sort(&c->columns, c->diff.common.subject, list);

    return list || !column_adds_up(usual) || differs(c, usual) ? usual : differing_sort(c, usual);
}

static int choose_sort(struct comparison *c, const struct show_settings *show)
{
    const char *name = show->sort;
    int status;
    char *names;

    c->sort = name ? columns_find(&c->columns, name) : usual_sort(c, show->columns);
    if (c->sort && column_is_number(c->sort)) {
        if (show->inclusive && column_adds_up(c->sort))
            c->sort = columns_inclusive(&c->columns, c->sort);
        return c->sort ? 0
                       : message_usage("no inclusive costs for --inclusive: one of the two "
                                       "profiles has no calls; take profiles of callgrind");
    }
    names = columns_names(&c->columns, true);
    status = message_usage("'%s' is no column for --sort; both profiles have %s", name, names);
    free(names);
    return status;
}

/* The shown columns: those of --columns, or else what rows are sorted by. */
static int choose_columns(struct comparison *c, const struct show_settings *show)
{
    struct show_settings functions = {.sort = c->sort->name, .columns = show->columns};

    if (show->columns)
        return selection_load_changes(&c->selection, c->diff.common, &functions);
    return selection_load_few(&c->selection, c->diff.common, &functions,
                              !show->percent && !show->counts);
}

/* Two profiles of other events; one of them may be exact. */
static int say_no_event(const struct diff *d)
{
    const struct cprof_profile *const *p = d->profile;

    if (p[DIFF_OLD]->sampled != p[DIFF_NEW]->sampled)
        return message_error("'%s' is exact and '%s' is sampled: 'cargo cprof time EXACT SAMPLED' "
                             "holds them side by side",
                             p[p[DIFF_OLD]->sampled ? DIFF_NEW : DIFF_OLD]->source,
                             p[p[DIFF_OLD]->sampled ? DIFF_OLD : DIFF_NEW]->source);
    return message_error(
        "no event is in both: '%s' has %s, '%s' has %s; compare profiles of one command",
        p[DIFF_OLD]->source, d->missing[DIFF_NEW] ? d->missing[DIFF_NEW] : "none",
        p[DIFF_NEW]->source, d->missing[DIFF_OLD] ? d->missing[DIFF_OLD] : "none");
}

/* Samples at different distances: their numbers do not compare, what they stand for does. */
static void note_periods(const struct comparison *c)
{
    const struct cprof_profile *const *p = c->diff.profile;
    int64_t period[DIFF_SIDES];

    if (strcmp(c->sort->name, "Samples") != 0)
        return;
    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++) {
        if (!share_is_sampled(p[side]) || p[side]->n_events != 2 || p[side]->totals[0] < 1 ||
            strcmp(p[side]->events[1].name, p[DIFF_OLD]->events[1].name) != 0)
            return;
        period[side] = p[side]->totals[1] / p[side]->totals[0];
    }
    if (period[DIFF_OLD] > period[DIFF_NEW] + period[DIFF_NEW] / 10 ||
        period[DIFF_NEW] > period[DIFF_OLD] + period[DIFF_OLD] / 10)
        message_note("numbers of samples do not compare here: one stands for %s of %s in the old "
                     "profile, for %s in the new one; --sort %s does",
                     TEXT_COUNT(period[DIFF_OLD]), p[DIFF_OLD]->events[1].name,
                     TEXT_COUNT(period[DIFF_NEW]), p[DIFF_OLD]->events[1].name);
}

static int prepare(struct comparison *c, const struct compare_input inputs[DIFF_SIDES],
                   const struct show_settings *show)
{
    const struct diff *d = &c->diff;
    int status;

    if (!d->common.n)
        return say_no_event(d);
    columns_load(&c->columns, d->common);
    columns_remove_ratios(&c->columns);
    status = choose_sort(c, show);
    if (!status)
        status = choose_columns(c, show);
    if (!status)
        status = filters_compile(&c->filters, show);
    if (status)
        return status;
    note_periods(c);
    diff_set_labels(&c->diff, (enum name_style)show->names.style);
    return compare_own_load(&c->own, d, inputs, &c->columns, c->sort, show, &c->filters);
}

/* The first rows that changed, after sorting. */
static size_t count_changed(const struct comparison *c)
{
    size_t n = 0;

    while (n < c->diff.n && diff_is_changed(c->sort, &c->diff.rows[n]))
        n++;
    return n;
}

/* For JSON, which has all events: what changed in any. */
static size_t drop_unchanged(struct diff *d)
{
    size_t kept = 0;

    for (size_t i = 0; i < d->n; i++) {
        struct diff_row row = d->rows[i];

        if (memcmp(row.counts[DIFF_OLD], row.counts[DIFF_NEW], d->width * sizeof(int64_t)) == 0)
            continue;
        d->rows[i] = d->rows[kept];
        d->rows[kept++] = row;
    }
    return kept;
}

/*--- Gates ---*/

/* "Ir 100 -> 110 (+10, +10.00 %)". The caller frees it. */
static char *change_text(const struct column *column, int64_t old, int64_t new)
{
    char change[TEXT_NUMBER], percent[TEXT_NUMBER];

    diff_change_text(change, count_change(old, new));
    diff_percent_text(percent, old, new);
    return xasprintf("%s %s -> %s (%s, %s%s)", column->name, TEXT_COUNT(old), TEXT_COUNT(new),
                     change, percent, diff_percent_unit(percent));
}

/* "time 20.1 ms -> 22.1 ms", of microseconds. The caller frees it. */
static char *time_text(int64_t old, int64_t new)
{
    return xasprintf("time %.1f ms -> %.1f ms", 1e-3 * (double)old, 1e-3 * (double)new);
}

/* "a::b: Ir 100 -> 110 (+10, +10.00 %)". The caller frees it. */
static char *offender_text(const struct gate_offender *o)
{
    int64_t old = o->count[DIFF_OLD].value, new = o->count[DIFF_NEW].value;
    char *change =
        o->gate->scope == GATE_TIME ? time_text(old, new) : change_text(o->column, old, new);
    char *text = xasprintf("%s: %s", o->name ? o->name : "the program", change);

    free(change);
    return text;
}

/* How the orders of both sides lie. */
static const char *orders_text(const struct gate_offender *o, bool failed)
{
    const struct gate_count *old = &o->count[DIFF_OLD], *new = &o->count[DIFF_NEW];

    if (new->least <= old->most && old->least <= new->most)
        return failed ? "it holds for each order of threads" : "orders of threads overlap";
    if (!failed)
        return "orders of threads vary by as much";
    return new->least > old->most ? "no order of threads of the old build costs as much"
                                  : "no order of threads of the old build costs as little";
}

char *compare_offence(const struct gate_offender *o, bool failed)
{
    const struct gate_count *old = &o->count[DIFF_OLD], *new = &o->count[DIFF_NEW];
    char *change = offender_text(o), *text;

    if (!gate_has_band(old, new))
        return change;
    text = xasprintf("%s; %s (old %s to %s, new %s to %s)", change, orders_text(o, failed),
                     TEXT_COUNT(old->least), TEXT_COUNT(old->most), TEXT_COUNT(new->least),
                     TEXT_COUNT(new->most));
    free(change);
    return text;
}

void compare_say_offence(const struct gate_offender *o, bool failed)
{
    char *text = compare_offence(o, failed);

    if (failed)
        message_error("'%s' holds: %s", o->gate->text, text);
    else
        message_warning("cannot tell if '%s' holds: %s", o->gate->text, text);
    free(text);
}

/* The names of counts that a gate can be about. The caller frees them. */
static char *counts_of(const struct columns *columns)
{
    struct strbuf names = {.text = NULL};

    for (size_t i = 0; i < columns->n; i++)
        if (gate_takes(&columns->items[i]))
            strbuf_add_item(&names, ", ", columns->items[i].name);
    return strbuf_take(&names);
}

int compare_no_count(const struct gate *gate, const char *who, const struct columns *columns)
{
    const struct column *column = columns_find(columns, gate->column);
    char *names = counts_of(columns);
    int status;

    if (gate_names_time(gate))
        status =
            message_error("cannot hold --fail-if '%s': time is of whole runs, and takes no "
                          "limit; write 'ir>+1%% and time', which holds where the new build is "
                          "slower for certain, too",
                          gate->text);
    else if (column && column_is_inclusive(column))
        status = message_error("cannot hold --fail-if '%s': inclusive cost is a function's, as in "
                               "'incl(NAME): %s>+2%%'",
                               gate->text, columns->items[column->self].name);
    else
        status = message_error(
            "cannot hold --fail-if '%s': %s no count '%s', but %s; name one that is there",
            gate->text, who, gate->column, names);
    free(names);
    return status;
}

/* Looks for repeated runs that differ too much for the gates, or else for any comparison. */
static void find_spread(struct comparison *c, const struct compare_input inputs[DIFF_SIDES])
{
    size_t n = c->gates->n ? c->gates->n : 1;

    for (size_t i = 0; i < n * DIFF_SIDES && !c->spread; i++) {
        const struct compare_input *input = &inputs[i % DIFF_SIDES];
        const struct gate *gate = c->gates->n ? &c->gates->items[i / DIFF_SIDES] : NULL;

        c->spread = spread_problem(input->noise, input->profile, gate);
        if (c->spread && gate && !c->result.broken) {
            c->result.broken = gate;
            c->result.problem = GATE_TOO_NOISY;
        }
    }
    if (c->spread && !c->gates->n)
        message_warning("no change can be told from noise: %s; " SPREAD_ADVICE, c->spread);
}

/* Looks for bands of other numbers of orders. */
static void find_orders(struct comparison *c, const struct compare_input inputs[DIFF_SIDES])
{
    c->orders = orders_problem(diff_orders(inputs[DIFF_OLD].profile, inputs[DIFF_OLD].noise),
                               diff_orders(inputs[DIFF_NEW].profile, inputs[DIFF_NEW].noise));
    if (c->orders && !c->gates->n) {
        message_note("no change can be told from the order of threads: %s", c->orders);
    } else if (c->orders && !c->result.broken) {
        c->result.broken = &c->gates->items[0];
        c->result.problem = GATE_OTHER_ORDERS;
    }
}

int compare_no_gate(const struct gate_result *r, const struct columns *columns)
{
    const struct gate *gate = r->broken;

    if (r->problem == GATE_NO_COLUMN)
        return compare_no_count(gate, "both profiles have", columns);
    if (r->problem == GATE_NO_CALLS)
        return message_error("cannot hold --fail-if '%s': one of the two profiles has no calls; "
                             "take profiles of callgrind",
                             gate->text);
    if (r->problem == GATE_NO_SECTION)
        return message_error("cannot hold --fail-if '%s': no section matches '%s'; 'cargo cprof "
                             "report --view sections' lists them",
                             gate->text, gate->pattern);
    if (r->problem == GATE_NO_OWN)
        return message_error("cannot hold --fail-if '%s': no function that matches '%s' allocates "
                             "itself, but by malloc and the like; 'incl(%s): ...' is about what it "
                             "has allocated",
                             gate->text, gate->pattern, gate->pattern);
    return message_error("cannot hold --fail-if '%s': no function matches '%s'; 'cargo cprof diff "
                         "--view functions -n 0' lists those that changed",
                         gate->text, gate->pattern);
}

static int say_problem(const struct comparison *c)
{
    const struct gate_result *r = &c->result;

    if (r->problem == GATE_TOO_NOISY)
        return message_error("cannot hold --fail-if '%s': %s; " SPREAD_ADVICE, r->broken->text,
                             c->spread);
    if (r->problem == GATE_OTHER_ORDERS)
        return message_error("cannot hold --fail-if '%s': %s", r->broken->text, c->orders);
    return compare_no_gate(r, &c->columns);
}

static void say_failed(const struct gate_offenders *list)
{
    for (size_t i = 0; i < list->n && i < OFFENDERS_MAX; i++)
        compare_say_offence(&list->items[i], true);
    if (list->n > OFFENDERS_MAX)
        message_error("--fail-if holds in %s more cases, which are not listed",
                      TEXT_COUNT(list->n - OFFENDERS_MAX));
}

static void say_undecided(const struct gate_offenders *list)
{
    for (size_t i = 0; i < list->n && i < UNDECIDED_MAX; i++)
        compare_say_offence(&list->items[i], false);
    if (list->n > UNDECIDED_MAX)
        message_warning("--fail-if cannot be told in %s more cases, which are not listed",
                        TEXT_COUNT(list->n - UNDECIDED_MAX));
}

/* "Ir 100 -> 110 (+10, +10.00 %); time: slower by 1.9 to 3.1 % (20 pairs of runs)", for the caller
 * to free; NULL: no gate asked for the time. */
static char *pace_line(const struct comparison *c)
{
    const struct column *first = &c->columns.items[0];
    const struct diff_row *total = &c->diff.total;
    char *change, *pace, *line;

    if (c->result.pace.answer == PACE_NOT_ASKED)
        return NULL;
    change = change_text(first, column_value(first, total->counts[DIFF_OLD]),
                         column_value(first, total->counts[DIFF_NEW]));
    pace = pace_text(&c->result.pace);
    line = xasprintf("%s; time: %s", change, pace);
    free(change);
    free(pace);
    return line;
}

/* Says on standard error which gates fail, and which cannot be told. */
static int say_gates(const struct comparison *c)
{
    const struct gate_result *r = &c->result;
    char *pace = pace_line(c);

    output_flush();
    say_failed(&r->failed);
    if (r->problem != GATE_OTHER_ORDERS)
        say_undecided(&r->undecided);
    if (pace)
        message_note("%s", pace);
    free(pace);
    if (r->n_new)
        message_note("%s new function%s nothing that a limit in %% could be relative to; a limit "
                     "such as +1000, sum() and the total see them",
                     TEXT_COUNT(r->n_new), r->n_new == 1 ? " has" : "s have");
    if (r->broken)
        return say_problem(c);
    return r->failed.n ? STATUS_GATE : 0;
}

static void put_offenders(const struct gate_offenders *list, bool failed, FILE *out)
{
    for (size_t i = 0; i < list->n && i < OFFENDERS_MAX; i++) {
        char *offence = compare_offence(&list->items[i], failed);

        fputs(failed ? "- **Failed**: " : "- **Cannot tell**: ", out);
        markdown_put_code(out, list->items[i].gate->text);
        fputs(": ", out);
        markdown_put_text(out, offence);
        fputc('\n', out);
        free(offence);
    }
}

static void put_gates(const struct comparison *c, FILE *out)
{
    const struct gate_result *r = &c->result;
    bool untimed = r->pace.answer == PACE_UNKNOWN;
    char *pace = pace_line(c);

    if (!c->gates->n)
        return;
    if (r->broken) {
        fputs("**Failed**: ", out);
        markdown_put_code(out, r->broken->text);
        fputs(" could not be checked\n\n", out);
    }
    if (!r->failed.n && !r->undecided.n && !r->broken && !untimed)
        fprintf(out, "**Passed**: %zu condition%s\n\n", c->gates->n, c->gates->n == 1 ? "" : "s");
    put_offenders(&r->failed, true, out);
    put_offenders(&r->undecided, false, out);
    if (pace) {
        fputs("- ", out);
        markdown_put_text(out, pace);
        fputc('\n', out);
    }
    if (r->failed.n || r->undecided.n || pace)
        fputc('\n', out);
    free(pace);
}

/*--- Why ---*/

/* Adds why a count changed, but once. */
static void add_why(struct comparison *c, const struct column *column)
{
    const struct crates *const crates[] = {&c->own.crates[DIFF_OLD], &c->own.crates[DIFF_NEW]};
    const struct column *measure;

    if (!column_adds_up(column))
        return;
    measure = &c->columns.items[column->self];
    for (size_t i = 0; i < c->n_why; i++)
        if (c->why[i].measure == measure)
            return;
    c->why = xreallocarray(c->why, c->n_why + 1, sizeof *c->why);
    why_load(&c->why[c->n_why++], &c->diff, crates, measure);
}

/* Finds why totals changed: of what is shown, if that is asked for, and of what fails a gate. */
static void find_why(struct comparison *c, const struct compare_settings *settings)
{
    char *problem;

    if (!settings->why && !c->result.failed.n)
        return;
    problem = why_problem(&c->diff);
    if (problem && settings->why) {
        message_note("why it changed is not known: %s", problem);
    } else if (!problem) {
        if (settings->why)
            add_why(c, c->sort);
        for (size_t i = 0; i < c->result.failed.n; i++)
            add_why(c, c->result.failed.items[i].column);
    }
    free(problem);
}

/*--- Showing ---*/

static void write_markdown(const struct comparison *c, const struct diff_view *view, FILE *out)
{
    if (c->setup) {
        fputs("**These runs were given different things**: ", out);
        markdown_put_text(out, c->setup);
        fputs("\n\n", out);
    }
    environment_write(&c->environment, out);
    put_gates(c, out);
    section_diff_write(&c->diff, c->sort, NULL, out);
    diff_write(view, NULL, out);
}

/* The comparison as it is shown. */
static struct diff_view view_of(const struct comparison *c, const struct show_settings *show)
{
    struct diff_view view = {
        .diff = &c->diff,
        .columns = &c->columns,
        .sort = c->sort,
        .shown = selection_columns(&c->selection),
        .percent = show->percent,
        .counts = show->counts,
        .own = c->own.loaded ? &c->own.own : NULL,
        .functions = compare_shows_functions(&c->own, show),
        .n_changed = count_changed(c),
        .filtered = c->filters.has_function || c->filters.has_file,
        .setup = c->setup,
        .environment = &c->environment,
        .crates = {&c->own.crates[DIFF_OLD], &c->own.crates[DIFF_NEW]},
    };
    size_t usual = view.own && view.functions ? SHOW_LIMIT_BELOW : SHOW_LIMIT_TABLE;

    if (view.own) {
        view.n_own_changed = own_diff_changed(view.own);
        view.n_own = show_limit(show, show->html ? HTML_LIMIT : OWN_LIMIT, view.n_own_changed);
    }
    view.n_shown = show_limit(show, show->html ? HTML_LIMIT : usual, view.n_changed);
    return view;
}

static int write_all(struct comparison *c, const struct show_settings *show,
                     const struct compare_settings *settings, const char *root, FILE *out)
{
    struct text_screen screen = show_screen(show);
    struct diff_view view = view_of(c, show);
    struct links links;
    int status = 0;

    show_links(&links, &screen, c->diff.profile[DIFF_NEW]);
    view.lines = settings->lines;
    view.n_why = c->n_why;
    view.why = c->why;
    view.n_why_groups = show_limit(show, show->html ? HTML_LIMIT : WHY_LIMIT, SIZE_MAX);
    view.root = root;
    if (show->summary) {
        FILE *summary = summary_open();

        if (summary)
            write_markdown(c, &view, summary);
        summary_close(summary);
    }
    if (show->json) {
        view.n_shown = show_limit(show, 0, drop_unchanged(&c->diff));
        status = json_write_diff(&view, &c->result, out) ? output_failed(out) : 0;
    } else if (show->html) {
        status = html_report_diff(&view, out);
    } else if (show->format == FORMAT_MARKDOWN) {
        write_markdown(c, &view, out);
    } else {
        section_diff_write(&c->diff, c->sort, &screen, out);
        diff_write(&view, &screen, out);
    }
    links_free(&links);
    return status;
}

/* Has the rows' other names found where some gate is about functions. */
static void name_for_gates(struct diff *diff, const struct gates *gates)
{
    bool patterns = false;

    for (size_t i = 0; i < gates->n; i++)
        patterns |= gates->items[i].pattern != NULL;
    if (patterns)
        diff_set_aliases(diff);
}

static void compare_environments(struct environment_diff *diff, const struct cprof_profile *old,
                                 const struct cprof_profile *new)
{
    struct environment before, after;

    environment_load(&before, old);
    environment_load(&after, new);
    environment_diff_add(diff, &before, &after);
    environment_diff_note(diff);
}

int compare_profiles(const struct compare_input inputs[2], const struct show_settings *show,
                     const struct compare_settings *settings, const struct gates *gates,
                     const char *root, FILE *out)
{
    const struct cprof_profile *old = inputs[DIFF_OLD].profile, *new = inputs[DIFF_NEW].profile;
    const struct noise *const noise[] = {inputs[DIFF_OLD].noise, inputs[DIFF_NEW].noise};
    struct comparison c = {.gates = gates};
    int status, held = 0;

    same_program_note(old, new);
    c.setup = setup_warn(old, new);
    compare_environments(&c.environment, old, new);
    section_warn_vanished(old, new);
    diff_load(&c.diff, old, new, noise);
    status = prepare(&c, inputs, show);
    if (!status) {
        name_for_gates(&c.diff, gates);
        gates_check(&c.result, gates, &c.diff, &c.columns);
        find_spread(&c, inputs);
        find_orders(&c, inputs);
        find_why(&c, settings);
        diff_filter(&c.diff, c.filters.has_function ? &c.filters.function : NULL,
                    c.filters.has_file ? &c.filters.file : NULL);
        diff_sort(&c.diff, c.sort);
        status = write_all(&c, show, settings, root, out);
        held = say_gates(&c);
    }
    for (size_t i = 0; i < c.n_why; i++)
        why_free(&c.why[i]);
    free(c.why);
    free(c.setup);
    environment_diff_free(&c.environment);
    free(c.spread);
    free(c.orders);
    gate_result_free(&c.result);
    compare_own_free(&c.own);
    selection_free(&c.selection);
    filters_free(&c.filters);
    columns_free(&c.columns);
    diff_free(&c.diff);
    return status ? status : held;
}
