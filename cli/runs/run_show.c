#include <config.h>

#include "runs/run_show.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "base/process.h"
#include "cprof_internal.h"
#include "derive/sections.h"
#include "options/open_file.h"
#include "profiles/compared.h"
#include "profiles/load.h"
#include "render/export/export.h"
#include "render/text/noise_table.h"
#include "render/text/run_header.h"
#include "render/text/text.h"
#include "run/saved_profile.h"
#include "runs/run_notes.h"
#include "table/columns.h"
#include "views/browse_profile.h"
#include "views/flame_output.h"
#include "views/screen.h"
#include "views/show.h"
#include "views/show_own.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*--- The profile ---*/

/* Says that the program's file has gone since the run, for what has no line below a table to say
 * so. */
static void run_warn_names(const struct cprof_profile *profile, const enum name_quality *qualities)
{
    if (load_lost_names(profile, qualities))
        message_warning("the profile has no names: '%s' cannot be read any more, or is another one "
                        "since the run",
                        profile->program);
}

/* Gives a raw profile names, and frees it. NULL after having said what is wrong. */
static struct cprof_profile *run_add_names(struct cprof_profile *raw,
                                           const struct show_settings *show,
                                           enum name_quality **qualities)
{
    struct resolve_settings names = show->names;
    struct cprof_error error;
    struct cprof_profile *profile;

    names.inlined_contexts = show_own_is_wanted(show);
    *qualities = xcalloc(raw->n_objects, sizeof **qualities);
    profile = load_resolve(raw, &names, *qualities, &error);
    cprof_free(raw);
    if (!profile)
        message_library_error(&error);
    return profile;
}

struct cprof_profile *run_load_pieces(const struct rawset *set, size_t first, size_t n)
{
    const struct raw_piece *begin = &set->items[first], *last = &set->items[first + n - 1];
    size_t end = last->offset + last->size;
    struct cprof_profile *profile = NULL;
    struct cprof_error error = {.code = CPROF_OK};
    char *bytes = MAP_FAILED;
    int fd = open(set->path, O_RDONLY | O_CLOEXEC);

    if (fd >= 0 && end)
        bytes = mmap(NULL, end, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) {
        message_error("cannot read '%s': %s; run it again", set->path, strerror(errno));
    } else {
        profile = profile_read_blocks(bytes + begin->offset, end - begin->offset,
                                      set->name ? set->name : "this run", 0, &error);
        munmap(bytes, end);
        if (!profile)
            message_library_error(&error);
    }
    if (fd >= 0)
        close(fd);
    return profile;
}

size_t run_count_left(const struct rawset *set)
{
    size_t n = 0;

    for (size_t i = 0; i < set->n; i++) {
        size_t last = i;
        struct cprof_profile *p;

        /* The piece of a program's end comes before its parts. */
        while (i + 1 < set->n && set->items[i + 1].pid == set->items[i].pid)
            if (!raw_piece_same_program(&set->items[++i], &set->items[last]))
                last = i;
        p = run_load_pieces(set, last, 1);
        n += p && p->exit == CPROF_EXIT_EXEC;
        cprof_free(p);
    }
    return n;
}

struct cprof_profile *run_load(const struct run_outcome *outcome, const struct show_settings *show,
                               enum name_quality **qualities)
{
    struct cprof_profile *profile = run_load_pieces(&outcome->raw, 0, outcome->raw.n);

    *qualities = NULL;
    return profile ? run_add_names(profile, show, qualities) : NULL;
}

/*--- In the background ---*/

int run_background_gates(struct run_background *background, const struct run_settings *s)
{
    int status = compare_gates(&s->compare, &background->gates);
    const struct gate *time = status ? NULL : gates_find_time(&background->gates);

    if (time && (s->sampling.pid || s->sampling.duration))
        status = message_usage("'%s' for --fail-if takes the time of whole runs; leave out %s",
                               time->text, s->sampling.pid ? "--pid" : "--duration");
    return status;
}

static int check_gates(const struct gates *gates, const struct columns *columns)
{
    for (size_t i = 0; i < gates->n; i++) {
        const struct column *column = columns_find(columns, gates->items[i].column);

        if (gates->items[i].scope != GATE_TIME && (!column || !gate_takes(column)))
            return compare_no_count(&gates->items[i], "the baseline has", columns);
    }
    return 0;
}

/* The counts of two commands differ; that is told before a run, not after it. */
static int check_baseline(const struct cprof_profile *baseline, const struct gates *gates,
                          const struct run_settings *s)
{
    const char *sort = s->show.sort ? s->show.sort : columns_subject_event(s->subject);
    struct columns columns;
    int status;

    if (!baseline->n_events)
        return 0;
    columns_load(&columns, events_of(baseline));
    status = check_gates(gates, &columns);
    if (!status && sort && !columns_find(&columns, sort))
        status = message_error(
            "the baseline '%s' has no %s to compare: it is of another command; keep one with "
            "'cargo cprof %s --save-baseline NAME', or take --sort with what both count (%s)",
            s->baseline, sort, s->command, baseline->events[0].name);
    columns_free(&columns);
    return status;
}

/* A baseline of other orders of threads fails gates; that is told before the runs. */
static int check_orders(const struct run_background *background, const struct run_settings *s)
{
    long orders = !measure_fixes_schedule(&s->measure) || s->repeat > 1
                      ? 1
                      : run_background_orders(background, s);
    char *problem = orders_problem(
        diff_orders(background->baseline, background->has_noise ? &background->noise : NULL),
        (unsigned)orders);
    int status = 0;

    if (problem && background->gates.n)
        status = message_error("cannot hold --fail-if '%s': %s", background->gates.items[0].text,
                               problem);
    free(problem);
    return status;
}

int run_background_load(struct run_background *background, const struct run_settings *s,
                        const char *target)
{
    char *path;
    int status;

    if (!s->baseline)
        return 0;
    path = baseline_find(target, s->baseline);
    if (!path)
        return message_error("no baseline '%s'; --save-baseline '%s' keeps one, 'cargo cprof "
                             "baselines' lists what there is",
                             s->baseline, s->baseline);
    background->baseline = load_named_profile(path, &load_compared_names, NULL);
    packages_find(&background->packages, path);
    background->old_program = baseline_program_path(path);
    status = background->baseline && !load_check_whole(background->baseline)
                 ? load_noise(&background->noise, path, &background->has_noise)
                 : STATUS_ERROR;
    free(path);
    if (status)
        return status;
    load_note_end(background->baseline);
    status = check_orders(background, s);
    return status ? status : check_baseline(background->baseline, &background->gates, s);
}

int run_background_read(const struct run_outcome *outcome, const struct show_settings *show,
                        struct cprof_profile **profile)
{
    enum name_quality *qualities;

    if (outcome->ended_by)
        return run_status(outcome);
    if (!outcome->raw.path)
        return run_failure(outcome);
    *profile = run_load(outcome, show, &qualities);
    free(qualities);
    return *profile ? 0 : STATUS_ERROR;
}

long run_background_orders(const struct run_background *background, const struct run_settings *s)
{
    return measure_orders(
        s->orders, background->has_noise && background->noise.orders ? background->noise.runs : 0);
}

void run_background_add(struct run_background *background, struct cprof_profile *profile)
{
    background->others =
        xreallocarray(background->others, background->n_others + 1, sizeof profile);
    background->others[background->n_others++] = profile;
}

void run_background_measure(const struct run_background *background,
                            const struct cprof_profile *profile, struct noise *noise)
{
    size_t n = background->n_others;
    const struct cprof_profile **all = xreallocarray(NULL, n + 1, sizeof *all);

    all[0] = profile;
    for (size_t i = 0; i < n; i++)
        all[i + 1] = background->others[i];
    noise_measure(noise, all, n + 1, background->orders);
    free(all);
}

void run_background_free(struct run_background *background)
{
    for (size_t i = 0; i < background->n_others; i++)
        cprof_free(background->others[i]);
    free(background->others);
    free(background->old_program);
    cprof_free(background->baseline);
    packages_free(&background->packages);
    if (background->has_noise)
        noise_free(&background->noise);
    gates_free(&background->gates);
    *background = (struct run_background){.n_others = 0};
}

/*--- Showing ---*/

/* Profiles one after another in one output. */
struct shower {
    const struct run_settings *settings;
    const struct program *program;
    const struct run_outcome *outcome;
    const struct run_background *background;
    const struct noise *spread; /* how far the runs differ; NULL: there is one */
    struct output_file file;
    size_t n_shown;
    bool folded; /* some thread has no calls shown */
};

static struct show_context context_of(const struct shower *w, const enum name_quality *qualities)
{
    return (struct show_context){.view = w->settings->measure.cache_sim ? SHOW_CACHEGRIND
                                                                        : SHOW_CALLGRIND,
                                 .program = w->program->name,
                                 .root = w->program->root,
                                 .qualities = qualities,
                                 .packages = &w->program->packages,
                                 .command = w->settings->command_line};
}

/* Parts the tables from what the program wrote, where both are on standard output. */
static void part_from_output(const struct shower *w)
{
    const struct show_settings *show = &w->settings->show;
    struct text_screen screen = show_screen(show);

    if (!show->output && !show->json && show->format == FORMAT_TABLE)
        run_header_rule(&screen, w->file.stream);
}

static int show_one(struct shower *w, const struct cprof_profile *profile,
                    const enum name_quality *qualities, const char *title)
{
    const struct run_settings *s = w->settings;
    struct show_context context = context_of(w, qualities);

    context.title = title;
    if (!w->n_shown)
        part_from_output(w);
    if (title && !s->show.json) {
        char *clean = text_clean(title);

        fprintf(w->file.stream, "%s==> %s <==\n\n", w->n_shown ? "\n" : "", clean);
        free(clean);
    }
    w->n_shown++;
    return show_write(profile, &s->show, &context, w->file.stream);
}

static int show_thread(struct shower *w, const struct cprof_profile *profile, uint32_t root,
                       const enum name_quality *qualities, const char *title)
{
    const char *name = profile->functions[profile->contexts[root].function].name;
    char *both = xasprintf("%s%s%s", title ? title : "", title ? ", " : "", name);
    struct cprof_error error;
    struct cprof_profile *thread = thread_profile(profile, root, &error);
    int status;

    if (thread) {
        w->folded |= !thread->inclusive;
        status = show_one(w, thread, qualities, both);
    } else {
        status = message_library_error(&error);
    }
    free(both);
    cprof_free(thread);
    return status;
}

/* By name, numbers in it by their value: threads come to run in no certain order. */
static int compare_roots(const void *a, const void *b, void *data)
{
    const struct cprof_profile *p = data;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = strverscmp(p->functions[p->contexts[x].function].name,
                           p->functions[p->contexts[y].function].name);

    return order ? order : (x > y) - (x < y);
}

/* Each root of the call paths apart. */
static int show_threads(struct shower *w, const struct cprof_profile *profile,
                        const enum name_quality *qualities, const char *title)
{
    uint32_t *roots = xreallocarray(NULL, profile->n_contexts, sizeof *roots);
    size_t n = 0;
    int status = 0;

    for (uint32_t i = 0; i < profile->n_contexts; i++)
        if (profile->contexts[i].parent == CPROF_NONE)
            roots[n++] = i;
    qsort_r(roots, n, sizeof *roots, compare_roots, (void *)(uintptr_t)profile);
    for (size_t i = 0; i < n && !status; i++)
        status = show_thread(w, profile, roots[i], qualities, title);
    free(roots);
    return status;
}

static int browse_last(const struct shower *w, const struct cprof_profile *profile)
{
    const struct run_background *b = w->background;
    struct browse_settings settings = {.path = w->outcome->raw.path,
                                       .root = w->program->root,
                                       .old = b->baseline,
                                       .noise = {b->has_noise ? &b->noise : NULL, w->spread},
                                       .names = w->settings->show.names,
                                       .sort = w->settings->show.sort,
                                       .packages = &w->program->packages};

    return browse_profile(profile, &settings);
}

static int show_whole(struct shower *w, const struct cprof_profile *profile,
                      const enum name_quality *qualities, const char *title)
{
    if (w->settings->tui)
        return browse_last(w, profile);
    return w->settings->threads && profile->n_contexts ? show_threads(w, profile, qualities, title)
                                                       : show_one(w, profile, qualities, title);
}

/* "process 4711, nnet, part 2 (a request)". The caller frees it. */
static char *title_of(const struct run_settings *s, const struct cprof_profile *p)
{
    const struct cprof_part *part = p->n_parts ? &p->parts[0] : NULL;
    const char *slash = p->program ? strrchr(p->program, '/') : NULL;
    char *process = xasprintf("process %ld, %s", p->pid, slash ? slash + 1 : "?"), *text;

    if (!s->parts)
        return process;
    text = xasprintf("%s%spart %ld (%s)", s->processes ? process : "", s->processes ? ", " : "",
                     part && part->part > 0 ? part->part : 1,
                     part && part->trigger ? part->trigger : "to the end");
    free(process);
    return text;
}

static int show_pieces(struct shower *w, size_t first, size_t n)
{
    struct cprof_profile *profile = run_load_pieces(&w->outcome->raw, first, n);
    enum name_quality *qualities = NULL;
    int status = STATUS_ERROR;

    if (profile)
        profile = run_add_names(profile, &w->settings->show, &qualities);
    if (profile) {
        char *title = title_of(w->settings, profile);

        status = show_whole(w, profile, qualities, title);
        free(title);
    }
    cprof_free(profile);
    free(qualities);
    return status;
}

/* Each process apart (each of its programs), or each part of each. The piece of the end is the last
 * part. */
static int show_apart(struct shower *w)
{
    const struct rawset *set = &w->outcome->raw;
    size_t n;
    int status = 0;

    for (size_t i = 0; i < set->n && !status; i += n) {
        for (n = 1; i + n < set->n && raw_piece_same_program(&set->items[i + n], &set->items[i]);)
            n++;
        if (!w->settings->parts) {
            status = show_pieces(w, i, n);
            continue;
        }
        for (size_t k = 0; k < n && !status; k++)
            status = show_pieces(w, i + (set->items[i].part ? k : (k + 1) % n), 1);
    }
    return status;
}

/*--- The run as a whole ---*/

/* Writes the standard file of this view into the current folder, whole or not at all. */
static int keep_profile(const struct cprof_profile *profile, enum show_view view)
{
    const char *name = view == SHOW_CALLGRIND ? "callgrind.out" : "cachegrind.out";
    struct output_file file;
    int failed;

    if (file_begin(&file, name) < 0)
        return message_error("cannot write '%s' here: %s; go to another folder", name,
                             strerror(errno));
    failed = view == SHOW_CALLGRIND ? export_callgrind(profile, file.stream)
                                    : export_cachegrind(profile, file.stream);
    if (file_end(&file, failed) < 0)
        return message_error("cannot write '%s': %s; nothing was left of it", name,
                             strerror(errno));
    message_status("Wrote", "%s", name);
    return 0;
}

/* Draws the whole run by the cost that its table is sorted by. */
static int draw_flamegraph(const struct shower *w, const struct cprof_profile *profile)
{
    const struct run_settings *s = w->settings;
    struct flame_settings flame = {.measure = s->show.sort,
                                   .output = s->flamegraph,
                                   .full_paths = s->show.full_paths,
                                   .threads = s->threads};
    struct crates crates;
    int status;

    crates_load(&crates, profile, &w->program->packages, NULL);
    status =
        flame_write_file(&(struct flame_subject){profile, NULL, &crates, w->program->name}, &flame);
    crates_free(&crates);
    if (status == 0)
        message_status("Wrote", "%s", s->flamegraph);
    return status;
}

/* The standard formats have functions as the symbol table has them; what was inlined into these
 * they tell by file and line. */
static int keep_standard(const struct shower *w)
{
    struct show_settings show = w->settings->show;
    enum name_quality *qualities = NULL;
    struct cprof_profile *profile = run_load_pieces(&w->outcome->raw, 0, w->outcome->raw.n);
    int status = STATUS_ERROR;

    show.names.no_inlines = true;
    if (profile && (profile = run_add_names(profile, &show, &qualities))) {
        run_warn_names(profile, qualities);
        status = keep_profile(profile, w->settings->view);
    }
    cprof_free(profile);
    free(qualities);
    return status;
}

/* How far the runs differ, after the table and before what is kept. */
static void show_spread(struct shower *w, const struct noise *noise)
{
    const struct show_settings *show = &w->settings->show;
    struct text_screen screen = show_screen(show);
    struct noise_table view = {.noise = noise,
                               .n_shown = show->limit == SHOW_LIMIT_DEFAULT ? NOISE_TABLE_SHOWN
                                                                            : (size_t)show->limit,
                               .markdown = show->format == FORMAT_MARKDOWN,
                               .screen = screen};

    if (show_is_data(show)) {
        char *text = noise_table_summary(noise);

        message_note("%s", text);
        free(text);
    } else {
        noise_table_write(&view, w->file.stream);
    }
}

/* Compares with the baseline, as `show` says; where there is one. Files are named from where the
 * tables name them from. */
static int compare(const struct shower *w, const struct cprof_profile *profile,
                   const struct show_settings *show, const struct gates *gates, FILE *out)
{
    const struct run_background *b = w->background;
    const struct compare_input inputs[] = {
        {b->baseline, b->has_noise ? &b->noise : NULL, &b->packages},
        {profile, w->spread, &w->program->packages}};
    char *here = w->program->root ? NULL : getcwd(NULL, 0);
    int status = compare_profiles(inputs, show, &w->settings->compare, gates,
                                  here ? here : w->program->root, out);

    free(here);
    return status;
}

/* Keeps the run as a baseline, unless the runs before it did other work. */
static int keep_baseline(const struct shower *w, const struct cprof_profile *profile)
{
    const char *name = w->settings->save_baseline;
    char *problem = spread_problem(w->spread, profile, NULL);
    int status;

    if (problem)
        status =
            message_error("the baseline '%s' was not saved: %s; " SPREAD_ADVICE, name, problem);
    else
        status = save_baseline(profile, w->spread, w->program, name);
    free(problem);
    return status;
}

/* Shows a run with all that is known beside it, and keeps it as a baseline unless a gate failed. */
static int show_run(struct shower *w, const struct cprof_profile *profile,
                    const enum name_quality *qualities)
{
    const struct run_settings *s = w->settings;
    int status = w->background->baseline && !s->tui
                     ? compare(w, profile, &s->show, &w->background->gates, w->file.stream)
                     : show_whole(w, profile, qualities, NULL);

    if (w->spread && (!status || status == STATUS_GATE))
        show_spread(w, w->spread);
    if (s->save_baseline && !status)
        status = keep_baseline(w, profile);
    else if (s->save_baseline && status == STATUS_GATE)
        message_note("the baseline '%s' was left as it is, since --fail-if held", s->save_baseline);
    return status;
}

/* The whole run as a page, or what changed; what is odd in it has been said with the table. */
static int write_page(const struct shower *w, const struct cprof_profile *profile,
                      const enum name_quality *qualities)
{
    const struct gates none = {.n = 0};
    struct show_context context = context_of(w, qualities);
    struct show_settings show = w->settings->show;
    struct output_file file;
    int status;

    show.html = true;
    show.threads = w->settings->threads;
    show.output = w->settings->html;
    show.json = NULL;
    show.summary = false;
    show.parts = VIEW_UNSAID;        /* as are --view */
    show.layout = NULL;              /* and --layout */
    show.limit = SHOW_LIMIT_DEFAULT; /* -n is the rows of the table */
    context.quiet = true;
    status = output_begin(&file, show.output);
    if (!status)
        status = w->background->baseline ? compare(w, profile, &show, &none, file.stream)
                                         : show_write(profile, &show, &context, file.stream);
    status = output_end(&file, show.output, status);
    if (!status)
        message_status("Wrote", "%s", show.output);
    return status;
}

/* Writes the files beside the table. */
static int write_files(const struct shower *w, const struct cprof_profile *whole,
                       const enum name_quality *qualities)
{
    const struct run_settings *s = w->settings;
    int status = s->keep ? keep_standard(w) : 0;

    if (!status && s->flamegraph)
        status = draw_flamegraph(w, whole);
    if (!status && s->html)
        status = write_page(w, whole, qualities);
    if (!status && s->open)
        status = open_file(s->html ? s->html : s->flamegraph);
    return status;
}

/* The program's own status. With --fail-if 3 says that a gate failed, and nothing else: `held`. */
static int status_of_run(const struct shower *w, int held)
{
    int status = run_status(w->outcome);

    if (status != STATUS_GATE || !w->settings->compare.fail_if.n)
        return status;
    message_note("status %d is kept for --fail-if, so that of the program is %d here", STATUS_GATE,
                 STATUS_ERROR);
    return held ? held : STATUS_ERROR;
}

/* Shows the run as a whole or its pieces, into the file that was begun, and writes what else is
 * wanted. */
static int show_loaded(struct shower *w, const struct cprof_profile *whole,
                       const enum name_quality *qualities, bool apart)
{
    const struct run_settings *s = w->settings;
    struct noise noise;
    int status, written, held = 0;

    if (w->background->n_others) {
        run_background_measure(w->background, whole, &noise);
        w->spread = &noise;
    }
    status = apart ? show_apart(w) : show_run(w, whole, qualities);
    if (status == STATUS_GATE && s->compare.fail_if.n) {
        held = status; /* what fails a gate is shown all the same */
        status = 0;
    }
    status = output_end(&w->file, s->show.output, status);
    if (s->save_baseline || s->html || s->flamegraph || s->show.json)
        run_warn_names(whole, qualities);
    written = write_files(w, whole, qualities);
    run_notes(&s->measure, w->outcome, whole, s->processes);
    if (qualities && (s->show.json || s->show.format || w->background->baseline))
        run_note_missing(whole, qualities);
    if (w->folded)
        message_note("some threads have no calls and inclusive costs here: they share recursive "
                     "functions; without --threads there are");
    if (w->spread)
        noise_free(&noise);
    w->spread = NULL;
    if (!status)
        status = written ? written : status_of_run(w, held);
    return status ? status : held;
}

static int show_all(struct shower *w, struct cprof_profile *whole)
{
    const struct run_settings *s = w->settings;
    bool apart =
        (s->processes && w->outcome->raw.n_programs > 1) || (s->parts && w->outcome->raw.n > 1);
    bool named = !apart || s->flamegraph || s->html;
    enum name_quality *qualities = NULL;
    int status = output_begin(&w->file, s->show.output);

    if (!status && named && !(whole = run_add_names(whole, &s->show, &qualities)))
        status = output_end(&w->file, s->show.output, STATUS_ERROR);
    else if (!status)
        status = show_loaded(w, whole, qualities, apart);
    cprof_free(whole);
    free(qualities);
    return status;
}

int run_keep(const struct run_settings *settings, const struct program *program,
             struct run_outcome *outcome, struct cprof_profile **whole)
{
    if (outcome->ended_by) {
        message_note("the run was ended by %s: the profile was dropped; SIGINT, as of Ctrl-C or "
                     "'timeout -s INT', ends a run with what it has counted",
                     process_signal_name(outcome->ended_by));
        return run_status(outcome);
    }
    if (!outcome->raw.path)
        return run_failure(outcome);
    outcome->raw.name = saved_profile_keep(outcome->raw.path, program->target, program->name,
                                           settings->command, &program->packages);
    if (!outcome->raw.name)
        outcome->raw.name = xstrdup(program->name);
    *whole = run_load_pieces(&outcome->raw, 0, outcome->raw.n);
    return *whole ? 0 : STATUS_ERROR;
}

int run_show(const struct run_settings *settings, const struct program *program,
             const struct run_outcome *outcome, const struct run_background *background,
             struct tempdir *dir, struct cprof_profile *whole)
{
    struct shower w = {
        .settings = settings, .program = program, .outcome = outcome, .background = background};
    int status = show_all(&w, whole);

    tempdir_remove(dir);
    return status;
}
