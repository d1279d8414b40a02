#include <config.h>

#include "runs/run_repeats.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "profiles/load.h"
#include "profiles/save.h"
#include "run/jobs.h"
#include "runs/run_settings.h"

#include <stdlib.h>
#include <unistd.h>

struct repeats {
    const struct run_settings *settings;
    const struct program *program;
    char **arguments;
    const struct input *input;
    const struct tempdir *dir;
    struct run_background *background;
    int status;   /* of the first run that failed, or 0 */
    int ended_by; /* a signal that was to end the runs, or 0 */
};

/* One run, whose files lie in `dir` until its profile is read. */
static int run_once(struct repeats *r, const struct tempdir *dir, struct cprof_profile **profile)
{
    struct run_outcome outcome = {0};
    int status = run_program(r->settings, r->program, r->arguments, dir, &outcome);

    if (!status)
        status = run_background_read(&outcome, &r->settings->show, profile);
    r->ended_by = outcome.ended_by;
    run_outcome_free(&outcome);
    return status;
}

/*--- One after another ---*/

/* The next run needs the program. */
static int check_is_there(const struct repeats *r)
{
    const char *path = r->program->path;

    if (access(path, F_OK) == 0)
        return 0;
    return message_error(
        "no further run of '%s': it is gone since the run before; profile it once, "
        "without --repeat",
        path);
}

static int run_in_turn(struct repeats *r)
{
    long n = r->settings->repeat;

    for (long i = 1; i < n && !r->status; i++) {
        struct cprof_profile *profile = NULL;

        message_status("Running", "%ld of %ld", i, n);
        input_rewind(r->input);
        r->status = run_once(r, r->dir, &profile);
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
static char *handed_over(const struct repeats *r, size_t job)
{
    return xasprintf("%s/earlier.%zu", r->dir->path, job);
}

/* In a process of its own. */
static json_t *work(void *data, size_t job)
{
    struct repeats *r = data;
    struct tempdir dir = {NULL, -1};
    struct cprof_profile *profile = NULL;
    int status = input_rewind_apart(r->input);

    if (!status)
        status = tempdir_make(&dir);
    if (!status)
        status = run_once(r, &dir, &profile);
    tempdir_remove(&dir);
    if (profile) {
        char *path = handed_over(r, job);

        status = save_profile(profile, path);
        cprof_free(profile);
        free(path);
    }
    return json_pack("{s:i, s:i}", "status", status, "ended by", r->ended_by);
}

static int take_in(struct repeats *r, size_t job)
{
    enum name_quality *qualities;
    char *path = handed_over(r, job);
    struct cprof_profile *profile = load_named_profile(path, &load_compared_names, &qualities);

    free(qualities);
    unlink(path);
    free(path);
    if (!profile)
        return STATUS_ERROR;
    run_background_add(r->background, profile);
    return 0;
}

static void done(void *data, size_t job, json_t *result, const char *output)
{
    struct repeats *r = data;
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

static int run_side_by_side(struct repeats *r)
{
    long n = r->settings->repeat - 1, parallel = r->settings->parallel;
    const struct jobs jobs = {.n = (size_t)n,
                              .parallel = (size_t)(parallel < n ? parallel : n),
                              .work = work,
                              .done = done,
                              .data = r};
    int stopped;

    message_status("Running", "1 to %ld of %ld, %zu at once", n, n + 1, jobs.parallel);
    stopped = jobs_run(&jobs);
    if (stopped < 0)
        return STATUS_ERROR;
    /* No run need be under way. */
    if (stopped)
        r->ended_by = stopped;
    return stopped ? 128 + stopped : r->status;
}

int run_repeats(const struct run_settings *s, const struct program *program, char **arguments,
                const struct input *input, const struct tempdir *dir,
                struct run_background *background)
{
    struct repeats r = {.settings = s,
                        .program = program,
                        .arguments = arguments,
                        .input = input,
                        .dir = dir,
                        .background = background};
    int status = s->parallel > 1 ? run_side_by_side(&r) : run_in_turn(&r);

    if (r.ended_by)
        message_note("ended by %s: the profiles were dropped", process_signal_name(r.ended_by));
    if (!status && s->repeat > 1)
        message_status("Running", "%ld of %ld", s->repeat, s->repeat);
    return status;
}
