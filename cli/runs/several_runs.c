#include <config.h>

#include "runs/several_runs.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "profiles/compared.h"
#include "profiles/load.h"
#include "run/jobs.h"

#include <stdlib.h>
#include <unistd.h>

int run_program(const struct run_settings *s, const struct job *job, const struct tempdir *dir,
                struct run_outcome *outcome)
{
    return s->sampling.on
               ? sampling_run(job->program, job->arguments, &s->sampling, &s->measure, dir, outcome)
               : valgrind_run(job->program, job->arguments, &s->measure, dir, outcome);
}

/* The runs beside the one that is shown. */
struct series {
    const struct run_settings *settings;
    const struct job *job;
    const struct tempdir *dir;
    struct run_background *background;
    int status;   /* of the first run that failed, or 0 */
    int ended_by; /* a signal that was to end the runs, or 0 */
};

/* One run, whose files lie in `dir` until its profile is read. */
static int run_once(struct series *r, const struct run_settings *settings,
                    const struct tempdir *dir, struct cprof_profile **profile)
{
    struct run_outcome outcome = {0};
    int status = run_program(settings, r->job, dir, &outcome);

    if (!status)
        status = run_background_read(&outcome, &settings->show, profile);
    r->ended_by = outcome.ended_by;
    run_outcome_free(&outcome);
    return status;
}

/*--- One after another ---*/

/* The next run needs the program. */
static int check_is_there(const struct series *r)
{
    const char *path = r->job->program->path;

    if (access(path, F_OK) == 0)
        return 0;
    return message_error(
        "no further run of '%s': it is gone since the run before; profile it once, "
        "without --repeat",
        path);
}

static int run_in_turn(struct series *r)
{
    long n = r->settings->repeat;

    for (long i = 1; i < n && !r->status; i++) {
        struct cprof_profile *profile = NULL;

        message_status("Running", "%ld of %ld", i, n);
        input_rewind(&r->job->input);
        r->status = run_once(r, r->settings, r->dir, &profile);
        tempdir_clear(r->dir, NULL);
        if (profile)
            run_background_add(r->background, profile);
        if (!r->status)
            r->status = check_is_there(r);
    }
    return r->status;
}

/*--- Side by side ---*/

/* The profile of a run is handed over as a file with its names. */
static char *handed_over(const struct series *r, size_t job)
{
    return xasprintf("%s/other.%zu", r->dir->path, job);
}

/* In a process of its own, which has an order of threads of its own where these are orders. */
static json_t *work(void *data, size_t job)
{
    struct series *r = data;
    struct run_settings settings = *r->settings;
    struct tempdir dir = {NULL, -1};
    struct cprof_profile *profile = NULL;
    int status = input_rewind_apart(&r->job->input);

    if (r->background->orders)
        settings.measure.schedule_seed = measure_seed(&settings.measure, (long)job + 1);
    if (!status)
        status = tempdir_make(&dir);
    if (!status)
        status = run_once(r, &settings, &dir, &profile);
    tempdir_remove(&dir);
    if (profile) {
        char *path = handed_over(r, job);

        status = save_profile(profile, path);
        cprof_free(profile);
        free(path);
    }
    return json_pack("{s:i, s:i}", "status", status, "ended by", r->ended_by);
}

static int take_in(struct series *r, size_t job)
{
    char *path = handed_over(r, job);
    struct cprof_profile *profile = load_named_profile(path, &load_compared_names, NULL);

    unlink(path);
    free(path);
    if (!profile)
        return STATUS_ERROR;
    r->background->others[job] = profile;
    return 0;
}

static void done(void *data, size_t job, json_t *result, const char *output)
{
    struct series *r = data;
    int status = result ? (int)json_integer_value(json_object_get(result, "status")) : STATUS_ERROR;

    (void)output;
    if (!r->ended_by)
        r->ended_by = (int)json_integer_value(json_object_get(result, "ended by"));
    json_decref(result);
    if (!status)
        status = take_in(r, job);
    if (!r->status)
        r->status = status;
}

/* Does `n` runs, and says so as `what` the runs are. */
static int run_side_by_side(struct series *r, long n, const char *what)
{
    const struct jobs jobs = {.n = (size_t)n,
                              .parallel = jobs_parallel(r->settings->parallel, (size_t)n),
                              .work = work,
                              .done = done,
                              .data = r};
    int status;

    /* Runs end in no certain order. */
    r->background->others = xcalloc((size_t)n, sizeof(struct cprof_profile *));
    r->background->n_others = (size_t)n;
    message_status("Running", "%s, %zu at once", what, jobs.parallel);
    status = jobs_run(&jobs);
    /* No run need be under way. */
    if (status > STATUS_SIGNAL)
        r->ended_by = status - STATUS_SIGNAL;
    return status ? status : r->status;
}

static void say_end(const struct series *r)
{
    if (r->ended_by)
        message_note("the runs were ended by %s: their profiles were dropped",
                     process_signal_name(r->ended_by));
}

int runs_repeat(const struct run_settings *s, const struct job *job, const struct tempdir *dir,
                struct run_background *background)
{
    struct series r = {.settings = s, .job = job, .dir = dir, .background = background};
    char *what = xasprintf("1 to %ld of %ld", s->repeat - 1, s->repeat);
    int status = s->parallel > 1 ? run_side_by_side(&r, s->repeat - 1, what) : run_in_turn(&r);

    free(what);
    say_end(&r);
    if (!status && s->repeat > 1)
        message_status("Running", "%ld of %ld", s->repeat, s->repeat);
    return status;
}

/*--- Orders of threads ---*/

bool runs_may_order(const struct run_settings *s)
{
    return !s->sampling.on && measure_fixes_schedule(&s->measure) && s->repeat < 2 &&
           s->orders != 1 && (s->baseline || s->save_baseline || s->orders != ORDERS_UNSET);
}

/* The counts of a run that failed are not those of another order. */
static int check_ends(const struct series *r, const struct cprof_profile *first)
{
    for (size_t i = 0; i < r->background->n_others; i++) {
        const struct cprof_profile *p = r->background->others[i];
        char *end = p->exit == CPROF_EXIT_CODE ? xasprintf("with status %d", p->exit_code)
                                               : xstrdup("otherwise");
        bool differs = p->exit != first->exit ||
                       (p->exit == CPROF_EXIT_CODE && p->exit_code != first->exit_code);

        if (differs)
            message_error("the program ended %s in another order of its threads, by "
                          "--schedule-seed %ld, and so there is no band; if its runs get in each "
                          "other's way, --parallel 1 has them one after another, and --orders 1 "
                          "one alone",
                          end, measure_seed(&r->settings->measure, (long)i + 1));
        free(end);
        if (differs)
            return STATUS_ERROR;
    }
    return 0;
}

int runs_order(const struct run_settings *s, const struct job *job,
               const struct cprof_profile *first, const struct tempdir *dir,
               struct run_background *background)
{
    struct series r = {.settings = s, .job = job, .dir = dir, .background = background};
    long n = run_background_orders(background, s);
    char *what;
    int status;

    if (!runs_may_order(s) || first->threads < 2 || first->schedule != CPROF_SCHEDULE_FIXED)
        return 0;
    background->orders = true;
    what = xasprintf("%ld other orders of its %ld threads", n - 1, first->threads);
    status = run_side_by_side(&r, n - 1, what);
    free(what);
    say_end(&r);
    return status ? status : check_ends(&r, first);
}
