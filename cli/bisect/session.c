#include <config.h>

#include "bisect/session.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "base/process.h"
#include "base/terminal.h"
#include "bisect/bisect_report.h"
#include "bisect/commit_run.h"
#include "bisect/repository.h"
#include "options/column_selection.h"
#include "profiles/compared.h"
#include "profiles/load.h"
#include "render/text/style.h"
#include "run/tool.h"
#include "runs/run_settings.h"
#include "views/compare.h"
#include "views/screen.h"
#include "views/show.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*--- Settings ---*/

struct bisect_settings {
    struct run_settings common;
    const char *good, *bad;
    const char *by_shell;               /* the command that builds; NULL: cargo does */
    const struct option_group *counted; /* the options that say what runs, and what is counted */
};

#define AT(member) offsetof(struct bisect_settings, member)

static const struct option_def bisect_options[] = {
    {.name = "good",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "REV",
     .offset = AT(good),
     .help = "a revision at which --fail-if does not hold, and what changes are relative to"},
    {.name = "bad",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "REV",
     .offset = AT(bad),
     .help = "a later revision at which --fail-if holds (HEAD)"},
    RUN_OPTION_FAIL_IF(
        "call a commit bad if this holds: 'ir>+2%', 'a::*: ir>+1%', 'incl(a::b): ...', "
        "'sum(a::*): ...', 'd1mr>+1000'; more behind ';'"),
    {.name = "build",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "COMMAND",
     .offset = AT(by_shell),
     .help = "have the shell build each commit, in a clean work tree: 'make prog'; --bin is the "
             "path of the program there"},
    {.name = NULL}};

static const struct option_def count_options[] = {
    RUN_OPTIONS_ALIKE("model the caches too, for conditions on misses",
                      "count what is allocated, too, for conditions on allocations and bytes",
                      "commit"),
    {.name = NULL}};

static const struct option_def output_options[] = {
    SHOW_OPTION_LIMIT(RUN_AT(show), 0,
                      "show the first N functions that changed, 0 for all (20; JSON: all)"),
    SHOW_OPTIONS_WRITTEN(RUN_AT(show)),
    SHOW_OPTION_JSON(RUN_AT(show), "cprof-bisect/1", ""),
    {.name = NULL}};

struct session {
    const struct bisect_settings *settings;
    const struct run_settings *common; /* within these */
    struct repository repository;
    struct gates gates;
    char *good, *bad, *fork; /* commits; `fork`: where both ends come from, NULL: the good one */
    char *program;           /* --bin of --build, which has a '/' */
    struct commit_runs runs;
    struct diff_input base; /* the profile of the good end */
    struct bisection search;
    struct bisect_report report;
    size_t n_tried;
};

/*--- Checks ---*/

/* The program that a command builds is a file of the commit's. */
static int check_command(struct session *s, struct build_request *build)
{
    if (!build->bin || !*build->bin)
        return message_usage("--build needs the program that it builds; add --bin PATH");
    if (*build->bin == '/')
        return message_usage("'%s' for --bin is the same file for all commits; give its path "
                             "relative to here, as 'git ls-files' would",
                             build->bin);
    s->program = strchr(build->bin, '/') ? xstrdup(build->bin) : xasprintf("./%s", build->bin);
    build->bin = s->program;
    return 0;
}

/* Costs are of the program as people use it: optimised. */
static int check_cargo(struct build_request *build)
{
    if (build->bin && strchr(build->bin, '/'))
        return message_usage("nothing builds '%s' at each commit; add --build COMMAND", build->bin);
    build->release |= !build->profile;
    return 0;
}

static int check_counts(const struct session *s)
{
    char *events = run_events(&s->common->measure);
    const struct counted counted = {.events = events, .calls = s->common->measure.contexts};
    int status = 0;

    for (size_t i = 0; i < s->gates.n && !status; i++) {
        const struct gate *gate = &s->gates.items[i];

        status = gate_names_time(gate)
                     ? message_usage("'%s' for --fail-if asks for the time, and bisect compares "
                                     "counts; leave out 'time'",
                                     gate->text)
                     : selection_check_count("fail-if", gate->column, &counted);
    }
    free(events);
    return status;
}

static int check_settings(struct session *s, struct bisect_settings *settings,
                          const struct option_result *result)
{
    int status = 0;

    if (result->operands.n)
        status = message_usage("unexpected '%s'; the program is named by --bin and the like, its "
                               "arguments stand after --",
                               result->operands.items[0]);
    else if (!settings->good)
        status = message_usage("there is no revision to begin at; add --good REV");
    else if (!settings->common.compare.fail_if.n)
        status =
            message_usage("nothing says what is bad; add --fail-if, as in --fail-if 'ir>+2%%'");
    if (!status)
        status = compare_gates(&settings->common.compare, &s->gates);
    if (!status)
        status = measure_check(&settings->common.measure);
    if (!status)
        status = check_counts(s);
    if (!status && settings->by_shell)
        status = check_command(s, &settings->common.build);
    if (!status)
        status = build_request_check(&settings->common.build);
    if (!status && !settings->by_shell)
        status = check_cargo(&settings->common.build);
    if (!status)
        status = show_check_plain(&settings->common.show);
    return status ? status : tool_check();
}

/*--- The two ends ---*/

/* Where neither is before the other, the commit that both come from has to be good, too. */
static int check_range(struct session *s)
{
    const struct bisect_settings *settings = s->settings;

    if (!strcmp(s->good, s->bad))
        return message_usage("--good '%s' and --bad '%s' are one commit; name two", settings->good,
                             settings->bad);
    if (repository_is_before(&s->repository, s->good, s->bad))
        return 0;
    if (repository_is_before(&s->repository, s->bad, s->good))
        return message_usage("--bad '%s' comes before --good '%s'; for a change that made it "
                             "cheaper, swap them and turn the condition round, 'ir<-2%%'",
                             settings->bad, settings->good);
    s->fork = repository_base(&s->repository, s->good, s->bad);
    return s->fork ? 0
                   : message_usage("--good '%s' and --bad '%s' have no commit in common; name two "
                                   "of one history",
                                   settings->good, settings->bad);
}

static int find_range(struct session *s)
{
    int status = repository_open(&s->repository);

    if (!status)
        status = repository_find(&s->repository, "good", s->settings->good, &s->good);
    if (!status)
        status = repository_find(&s->repository, "bad", s->settings->bad, &s->bad);
    if (!status)
        status = check_range(s);
    if (!status && repository_is_dirty(&s->repository))
        message_note("files here have changes that are in no commit, and are not looked at; "
                     "nothing here is changed");
    return status;
}

/*--- Verdicts ---*/

/* Holds a profile against the conditions, beside another one. */
struct holding {
    struct diff diff;
    struct columns columns;
    struct gate_result result;
};

static void hold(struct holding *h, const struct session *s, const struct diff_input *old,
                 const struct diff_input *new)
{
    const struct noise *const noise[] = {diff_input_noise(old), diff_input_noise(new)};

    diff_load(&h->diff, old->profile, new->profile, noise);
    columns_load(&h->columns, h->diff.common);
    columns_remove_ratios(&h->columns);
    diff_set_labels(&h->diff, NAME_SHORT);
    diff_set_aliases(&h->diff);
    gates_check(&h->result, &s->gates, &h->diff, &h->columns);
}

static void holding_free(struct holding *h)
{
    gate_result_free(&h->result);
    columns_free(&h->columns);
    diff_free(&h->diff);
}

static enum verdict verdict_of(const struct gate_result *result)
{
    return result->failed.n ? VERDICT_BAD : result->undecided.n ? VERDICT_SKIPPED : VERDICT_GOOD;
}

/* The function that a condition holds for, and how orders of threads lie, also where it cannot be
 * told. Of the program's count in one order a step has the rest. */
static char *note_of(const struct gate_result *result)
{
    const struct gate_offender *first = result->failed.items;
    char *offence, *note;

    if (result->failed.n)
        return first->name || gate_has_band(&first->count[DIFF_OLD], &first->count[DIFF_NEW])
                   ? compare_offence(first, true)
                   : NULL;
    if (!result->undecided.n)
        return NULL;
    offence = compare_offence(&result->undecided.items[0], false);
    note = xasprintf("it cannot be told: %s", offence);
    free(offence);
    return note;
}

/* A condition on a function that is not there yet does not hold. At the bad end it has to be there:
 * `must`. */
static int judge_counts(const struct session *s, const struct diff_input *input, bool must,
                        struct bisect_step *step)
{
    struct holding h;
    const struct column *column;
    int status = 0;

    hold(&h, s, &s->base, input);
    column = columns_find(&h.columns, s->gates.items[0].column);
    step->verdict = verdict_of(&h.result);
    step->note = note_of(&h.result);
    if (column)
        step->count = column_value(column, h.diff.total.counts[DIFF_NEW]);
    if (must && h.result.broken) {
        compare_no_gate(&h.result, &h.columns);
        status = STATUS_USAGE;
    }
    holding_free(&h);
    return status;
}

/* A run that ended otherwise did something else. */
static bool ends_alike(const struct session *s, const struct cprof_profile *profile)
{
    const struct cprof_profile *base = s->base.profile;

    return profile->exit == base->exit && profile->exit_code == base->exit_code;
}

static int judge(struct session *s, const char *path, bool must, struct bisect_step *step)
{
    struct diff_input input = {.told = true};
    int status = diff_input_load(&input, path, &load_compared_names);

    if (!status && ends_alike(s, input.profile)) {
        status = judge_counts(s, &input, must, step);
    } else if (!status) {
        step->verdict = VERDICT_SKIPPED;
        step->note = xasprintf("it ends with status %d, the good end with %d",
                               input.profile->exit_code, s->base.profile->exit_code);
    }
    diff_input_free(&input);
    return status;
}

/*--- Commits ---*/

/* The place of a commit in the search. */
enum role { ROLE_GOOD, ROLE_BAD, ROLE_FORK, ROLE_STEP };

static char *role_text(const struct session *s, enum role role)
{
    static const char *const words[] = {"good end", "bad end", "where both ends part"};

    if (role != ROLE_STEP)
        return xstrdup(words[role]);
    return xasprintf("%s of about %s", TEXT_COUNT(s->n_tried),
                     TEXT_COUNT(s->n_tried - 1 + bisection_left(&s->search)));
}

/* On a terminal, what is under way, until it is done. */
static void show_begin(const char *role, const struct bisect_step *step)
{
    if (terminal_color(STDERR_FILENO))
        fprintf(stderr, "%12s %s (%s)", "Trying", step->name.brief, role);
}

/* The function that a condition holds for, why the commit was skipped, or else its count; for the
 * caller to free. */
static char *found_text(const struct session *s, const struct bisect_step *step)
{
    return step->note ? xstrdup(step->note) : bisect_step_text(&s->report, step);
}

static void show_end(const struct session *s, const char *role, const struct bisect_step *step)
{
    static const char *const verbs[] = {"Good", "Bad", "Skipped"};
    char *text = found_text(s, step);

    if (terminal_color(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    message_status(verbs[step->verdict], "%s (%s): %s; %s", step->name.brief, role, text,
                   step->name.subject);
    free(text);
}

/* Notes why a commit has no profile. An end has to have one. */
static int skip(struct bisect_step *step, const struct commit_result *result, enum role role)
{
    const char *what = result->state == COMMIT_NOT_BUILT ? "its build fails" : "its run fails";

    step->verdict = VERDICT_SKIPPED;
    step->note = result->why ? xasprintf("%s: %s", what, result->why) : xstrdup(what);
    if (role == ROLE_STEP)
        return 0;
    if (result->output)
        fputs(result->output, stderr);
    return message_usage("nothing can be compared with %s (%s), as %s; name another revision",
                         role == ROLE_GOOD  ? "the good end"
                         : role == ROLE_BAD ? "the bad end"
                                            : "the commit where both ends part",
                         step->name.brief, what);
}

/* The good end always runs: where it is not as it was kept, the machine, the compiler or the input
 * are others, and nothing that was kept is of use. */
static bool is_as_kept(const struct diff_input *old, const struct diff_input *new)
{
    const struct cprof_profile *a = old->profile, *b = new->profile;

    if (!a || !b || a->n_events != b->n_events)
        return false;
    for (uint32_t i = 0; i < a->n_events; i++)
        if (strcmp(a->events[i].name, b->events[i].name) != 0)
            return false;
    return !memcmp(a->totals, b->totals, a->n_events * sizeof *a->totals);
}

static int take_base(struct session *s, const struct diff_input *kept, const char *path)
{
    int status = diff_input_load(&s->base, path, &load_compared_names);
    struct columns columns;

    if (!status) {
        columns_load(&columns, events_of(s->base.profile));
        s->report.measure = xstrdup(columns_find(&columns, s->gates.items[0].column)->name);
        columns_free(&columns);
    }
    if (!status && !is_as_kept(kept, &s->base))
        status = commit_runs_forget(&s->runs, s->good);
    return status;
}

/* Runs a commit, and judges it, into the step. Returns 0, or a status that ends the search. */
static int run_step(struct session *s, enum role role, struct bisect_step *step)
{
    struct diff_input kept = {.told = true};
    struct commit_result result;
    char *path = role == ROLE_GOOD ? xasprintf("%s/%s.cprof", s->runs.kept, s->good) : NULL;
    int status = 0;

    if (path && access(path, R_OK) == 0)
        (void)diff_input_load(&kept, path, &load_compared_names);
    commit_run(&s->runs, step->commit, role == ROLE_GOOD, &result);
    if (result.state == COMMIT_FAILED)
        status = result.status;
    else if (result.state != COMMIT_MEASURED)
        status = skip(step, &result, role);
    else if (role == ROLE_GOOD)
        status = take_base(s, &kept, result.profile);
    if (!status && result.state == COMMIT_MEASURED)
        status = judge(s, result.profile, role == ROLE_BAD, step);
    commit_result_free(&result);
    diff_input_free(&kept);
    free(path);
    return status;
}

static struct bisect_step *add_step(struct session *s, const char *commit)
{
    struct bisect_report *r = &s->report;

    GROW(r->steps, r->n, r->room);
    r->steps[r->n] = (struct bisect_step){.commit = xstrdup(commit)};
    commit_name_load(&r->steps[r->n].name, &s->repository, commit);
    return &r->steps[r->n++];
}

/* The last step. */
static struct bisect_step *last_step(struct session *s)
{
    return &s->report.steps[s->report.n - 1];
}

static int look(struct session *s, const char *commit, enum role role)
{
    struct bisect_step *step = add_step(s, commit);
    char *text = role_text(s, role);
    int status;

    show_begin(text, step);
    status = run_step(s, role, step);
    if (!status)
        show_end(s, text, step);
    else if (terminal_color(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    free(text);
    return status;
}

/*--- The search ---*/

/* Says what is wrong where an end is not as the user says. */
static int check_end(struct session *s, const char *commit, enum role role)
{
    int status = look(s, commit, role);
    const struct bisect_step *step = last_step(s);
    char *found = status ? NULL : found_text(s, step);

    if (!status && role == ROLE_GOOD && step->verdict != VERDICT_GOOD)
        status = message_usage("--fail-if holds at the good end already (%s): %s; name an older "
                               "revision, or another condition",
                               step->name.brief, found);
    else if (!status && role == ROLE_BAD && step->verdict == VERDICT_GOOD)
        status = message_usage("--fail-if does not hold at the bad end (%s): %s beside the good "
                               "end; name a later revision, or a smaller change",
                               step->name.brief, found);
    else if (!status && role == ROLE_BAD && step->verdict == VERDICT_SKIPPED)
        status = message_usage("nothing can be compared with the bad end (%s): %s",
                               step->name.brief, found);
    else if (!status && role == ROLE_FORK && step->verdict != VERDICT_GOOD)
        status = message_usage("--fail-if holds at %s already, where the two ends part: %s; the "
                               "good end has become cheaper since, so give --good %s",
                               step->name.brief, found, step->name.brief);
    free(found);
    return status;
}

static int check_ends(struct session *s)
{
    int status = check_end(s, s->good, ROLE_GOOD);

    if (!status)
        status = check_end(s, s->bad, ROLE_BAD);
    if (!status && s->fork)
        status = check_end(s, s->fork, ROLE_FORK);
    return status;
}

static int look_at_next(struct session *s, const char *next)
{
    const struct bisect_step *step;
    int status;

    s->n_tried++;
    status = look(s, next, ROLE_STEP);
    if (status)
        return status;
    step = last_step(s);
    if (step->verdict == VERDICT_BAD)
        s->search.bad = step->commit;
    else
        string_list_add(step->verdict == VERDICT_GOOD ? &s->search.good : &s->search.skipped,
                        step->commit);
    return 0;
}

static int search(struct session *s)
{
    const char *next;
    int status = 0;

    s->search = (struct bisection){.repository = &s->repository, .bad = s->bad};
    string_list_add(&s->search.good, s->good);
    if (s->fork)
        string_list_add(&s->search.good, s->fork);
    next = bisection_next(&s->search);
    s->report.n_range = s->search.range.n;
    if (next)
        message_status("Searching", "%s commits, in about %u step%s", TEXT_COUNT(s->report.n_range),
                       bisection_left(&s->search), bisection_left(&s->search) == 1 ? "" : "s");
    while (next && !status) {
        status = look_at_next(s, next);
        next = bisection_next(&s->search);
    }
    s->report.left = s->search.range;
    return status;
}

/*--- What came of it ---*/

/* Finds the profile that the first bad commit is compared with: its parent's, or where there is
 * none the last good commit's. Returns 0 with its path, for the caller to free, or a status that
 * ends the search. */
static int find_before(struct session *s, char **path)
{
    const struct string_list *good = &s->search.good;
    char *parent = s->report.left.n == 1 ? repository_parent(&s->repository, s->search.bad) : NULL;
    struct commit_result result = {.state = COMMIT_NOT_RUN};

    if (parent)
        commit_run(&s->runs, parent, false, &result);
    s->report.before = xstrdup(result.state == COMMIT_MEASURED ? parent : good->items[good->n - 1]);
    *path = xasprintf("%s/%s.cprof", s->runs.kept, s->report.before);
    commit_result_free(&result);
    free(parent);
    return result.status;
}

/* Costs may have grown in small steps. */
static void note_small(const struct session *s, const struct diff_input *old,
                       const struct diff_input *new)
{
    struct holding h;

    hold(&h, s, old, new);
    if (!h.result.failed.n)
        message_note("the commit alone changes less than --fail-if asks for: since the good end "
                     "costs grew in several steps");
    holding_free(&h);
}

static int compare(const struct session *s, const char *before, FILE *out)
{
    const struct compare_settings why = {.why = true};
    const struct gates none = {.n = 0};
    struct show_settings show = s->common->show;
    struct diff_input old = {.told = true}, new = {.told = true};
    char *path = xasprintf("%s/%s.cprof", s->runs.kept, s->search.bad);
    int status = diff_input_load(&old, before, &load_compared_names);

    if (!status)
        status = diff_input_load(&new, path, &load_compared_names);
    if (!status) {
        const struct compare_input inputs[] = {
            {old.profile, diff_input_noise(&old), &old.packages},
            {new.profile, diff_input_noise(&new), &new.packages}};

        show.sort = s->gates.items[0].column;
        if (s->report.left.n == 1)
            note_small(s, &old, &new);
        status = compare_profiles(inputs, &show, &why, &none, s->runs.tree, out);
    }
    diff_input_free(&old);
    diff_input_free(&new);
    free(path);
    return status;
}

static int write_json(const struct session *s, const char *before, FILE *out)
{
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    int status = memory ? compare(s, before, memory) : STATUS_ERROR;

    if (memory)
        fclose(memory);
    if (!status && bisect_json_write(&s->report, text, out) != 0)
        status = output_failed(out);
    free(text);
    return status;
}

static int write_text(const struct session *s, const char *before, FILE *out)
{
    const struct show_settings *show = &s->common->show;
    const struct text_screen screen = show_screen(show);
    const struct text_screen *to = show->format == FORMAT_MARKDOWN ? NULL : &screen;
    FILE *summary = show->summary ? summary_open() : NULL;
    struct commit_name name;

    if (summary)
        bisect_report_write(&s->report, NULL, summary);
    summary_close(summary);
    bisect_report_write(&s->report, to, out);
    commit_name_load(&name, &s->repository, s->report.before);
    if (to)
        fputc('\n', out);
    table_take_line(xasprintf("What changed since %s:", name.brief), STYLE_BOLD, "\n", to, out);
    commit_name_free(&name);
    return compare(s, before, out);
}

/* The comparison is shown, too, where the commit itself is not known. */
static int finish(struct session *s)
{
    const struct show_settings *show = &s->common->show;
    char *before;
    struct output_file file;
    int status = find_before(s, &before);

    /* Links would lead to sources that go with the work tree. */
    setenv("TERM_URLS", "no", 1);
    if (!status)
        status = output_begin(&file, show->output);
    if (!status) {
        status =
            show->json ? write_json(s, before, file.stream) : write_text(s, before, file.stream);
        status = output_end(&file, show->output, status);
    }
    free(before);
    if (!status && s->report.left.n > 1)
        status = message_error("skipped commits hide which of %s is the first bad one; mend their "
                               "build, or name other ends",
                               TEXT_COUNT(s->report.left.n));
    return status;
}

/*--- In their order ---*/

/* All that a kept profile depends on, but for the machine. */
static void add_words(const struct session *s, const struct option_result *result,
                      struct string_list *words)
{
    char *digest = input_digest();

    string_list_add(words, xstrdup(VERSION));
    string_list_add(words, xstrdup(s->good));
    string_list_add(words, xstrdup(s->repository.folder));
    string_list_add(words, xstrdup(s->settings->by_shell ? s->settings->by_shell : ""));
    option_words(s->settings->counted, result, words);
    string_list_add(words, digest ? digest : xstrdup(""));
    for (char *const *word = result->rest; word && *word; word++)
        string_list_add(words, xstrdup(*word));
}

static int begin_runs(struct session *s, const struct option_result *result)
{
    struct string_list words = {0};
    int status;

    input_drop_terminal();
    status = input_keep(&s->runs.input);
    if (status)
        return status;
    add_words(s, result, &words);
    status = commit_runs_begin(&s->runs, &words);
    string_list_free_texts(&words);
    return status;
}

static void session_free(struct session *s)
{
    commit_runs_end(&s->runs);
    bisect_report_free(&s->report);
    bisection_free(&s->search);
    diff_input_free(&s->base);
    gates_free(&s->gates);
    repository_free(&s->repository);
    free(s->good);
    free(s->bad);
    free(s->fork);
    free(s->program);
}

static int begin(void *data, struct option_result *result)
{
    struct bisect_settings *settings = data;
    struct session s = {.settings = settings,
                        .common = &settings->common,
                        .runs = {.build = &settings->common.build,
                                 .command = settings->by_shell,
                                 .arguments = result->rest,
                                 .measure = &settings->common.measure,
                                 .lock = -1}};
    int status = check_settings(&s, settings, result);

    if (!settings->bad)
        settings->bad = "HEAD";
    s.runs.repository = &s.repository;
    if (!status)
        status = find_range(&s);
    if (!status)
        status = begin_runs(&s, result);
    s.report.command_line = settings->common.command_line;
    s.report.conditions = &settings->common.compare.fail_if;
    if (!status)
        status = check_ends(&s);
    if (!status)
        status = search(&s);
    if (!status)
        status = finish(&s);
    if (status > STATUS_SIGNAL)
        message_note("the search was ended by %s; what has run is kept for the next one",
                     process_signal_name(status - STATUS_SIGNAL));
    session_free(&s);
    return status;
}

/* The texts of options that are used otherwise here. */
static const struct option_text program_texts[] = {
    {"bin", "this binary of the package; with --build the path of the program, relative to here"},
    {NULL, NULL}};
static const struct option_text build_texts[] = {
    {"release", "build with optimisations, as without --profile"},
    {"target-dir", "where cargo builds all commits, relative to the work tree of a commit"},
    {NULL, NULL}};

int bisect_session(const struct command *self, int argc, char **argv)
{
    struct bisect_settings s = {.common = {.measure = RUN_MEASURE_ALIKE, RUN_SETTINGS_INIT}};
    const struct option_group counted[] = {
        {.title = "Program",
         .defs = program_options,
         .settings = &s.common.build,
         .texts = program_texts},
        {.title = "Build",
         .defs = build_options,
         .settings = &s.common.build,
         .texts = build_texts},
        {.title = "More counts", .defs = count_options, .settings = &s},
        {.title = "Counts", .defs = measure_options, .settings = &s.common.measure},
        {.title = "Caches", .defs = cache_options, .settings = &s.common.measure},
        {.title = NULL}};
    const struct option_group groups[] = {
        {.title = "Search", .defs = bisect_options, .settings = &s},
        counted[0],
        counted[1],
        counted[2],
        counted[3],
        counted[4],
        {.title = "Output", .defs = output_options, .settings = &s},
        {.title = NULL}};

    s.counted = counted;
    return run_by_options(self, groups, argc, argv, begin, &s.common);
}
