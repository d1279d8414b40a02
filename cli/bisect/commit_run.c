#include <config.h>

#include "bisect/commit_run.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/words.h"
#include "options/show_options.h"
#include "profiles/compared.h"
#include "run/elf_check.h"
#include "run/jobs.h"
#include "run/saved_profile.h"
#include "run/tempdir.h"
#include "runs/run_notes.h"
#include "runs/several_runs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define ENDING ".cprof"

/*--- The folder ---*/

static int fail(const char *path)
{
    return message_error("cannot write to '%s': %s; %s", path, strerror(errno), file_advice(errno));
}

/* One bisect at a time, as all have one work tree. */
static int lock(struct commit_runs *runs)
{
    char *path = xasprintf("%s/lock", runs->folder);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666), status = 0;

    if (fd < 0) {
        status = fail(path);
    } else if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
        status = message_error("another bisect of this place is at work; wait for its end");
        close(fd);
    } else {
        runs->lock = fd;
    }
    free(path);
    return status;
}

/* Not below the package: cargo would take in settings and workspaces of the folders above. */
static int make_folder(struct commit_runs *runs)
{
    char *folders[2];
    int status = 0;

    saved_place_folders(folders);
    if (folders[1]) {
        runs->folder = xasprintf("%s/" SAVED_BISECT, folders[1]);
        runs->tree = xasprintf("%s/tree", runs->folder);
        runs->target = xasprintf("%s/target", runs->folder);
        runs->kept = xasprintf("%s/kept", runs->folder);
        status = folder_make(runs->kept, 0777) < 0 ? fail(runs->kept) : lock(runs);
    } else {
        status = message_error("there is no place for builds of commits: neither XDG_STATE_HOME "
                               "nor HOME names a folder; set one");
    }
    free(folders[0]);
    free(folders[1]);
    return status;
}

static char *profile_path(const struct commit_runs *runs, const char *commit)
{
    return xasprintf("%s/%s" ENDING, runs->kept, commit);
}

static void remove_profile(const char *profile)
{
    unlink(profile);
    (void)packages_keep(NULL, profile);
    (void)save_noise(NULL, profile);
}

int commit_runs_forget(const struct commit_runs *runs, const char *commit)
{
    DIR *folder = opendir(runs->kept);
    const struct dirent *entry;

    if (!folder)
        return fail(runs->kept);
    while ((entry = readdir(folder))) {
        char *path = xasprintf("%s/%s", runs->kept, entry->d_name);

        if (text_ends_in(entry->d_name, ENDING) && (!commit || !text_begins(entry->d_name, commit)))
            remove_profile(path);
        free(path);
    }
    closedir(folder);
    return 0;
}

/* Profiles of other words are no use. */
static int keep_words(const struct commit_runs *runs, const struct string_list *words)
{
    char *path = xasprintf("%s/words.json", runs->kept);
    json_t *array = json_array(), *before = json_load_file(path, 0, NULL);
    int status = 0;

    for (size_t i = 0; i < words->n; i++)
        json_array_append_new(array,
                              json_stringn_nocheck(words->items[i], strlen(words->items[i])));
    if (!before || !json_equal(array, before)) {
        status = commit_runs_forget(runs, NULL);
        if (!status && json_file_write(array, path) < 0)
            status = fail(path);
    }
    json_decref(before);
    json_decref(array);
    free(path);
    return status;
}

int commit_runs_begin(struct commit_runs *runs, const struct string_list *words)
{
    int status = make_folder(runs);

    if (!status)
        status = keep_words(runs, words);
    return status ? status : repository_tree_make(runs->repository, runs->tree);
}

/* Signals wait meanwhile, for git, too: one more of them would leave the tree. */
static void remove_tree(const struct commit_runs *runs)
{
    sigset_t held, before;

    pass_on_signals(&held);
    sigprocmask(SIG_BLOCK, &held, &before);
    repository_tree_remove(runs->repository, runs->tree);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

void commit_runs_end(struct commit_runs *runs)
{
    if (runs->lock >= 0) {
        remove_tree(runs);
        close(runs->lock);
    }
    free(runs->folder);
    free(runs->tree);
    free(runs->target);
    free(runs->kept);
}

/*--- One commit, in a process of its own ---*/

struct commit_job {
    const struct commit_runs *runs;
    const char *profile; /* where it goes */
    bool built;
    json_t *result;
    char *output;
};

/* Has a shell build, and names what it has built, below the current folder. */
static int build_by_command(const struct commit_runs *runs, struct program *program)
{
    const struct process_spec spec = {
        .argv = (const char *const[]){"/bin/sh", "-c", runs->command, NULL}, .no_input = true};
    struct build_request request = {.bin = NULL};
    char *here = getcwd(NULL, 0), *path;
    int error, status;
    pid_t pid;

    error = process_start(&spec, &pid);
    status = error ? process_refused(spec.argv[0], error) : process_wait(pid);
    path = *runs->build->bin == '/' ? xstrdup(runs->build->bin)
                                    : xasprintf("%s/%s", here, runs->build->bin);
    request.bin = path;
    if (!status && access(path, F_OK) < 0)
        status = message_error("the build leaves no '%s'", runs->build->bin);
    if (!status)
        status = program_find(&request, program);
    free(path);
    free(here);
    return status;
}

static int build_by_cargo(const struct commit_runs *runs, struct program *program)
{
    struct build_request request = *runs->build;

    if (!request.target_dir)
        request.target_dir = runs->target;
    return program_find(&request, program);
}

/* Builds in the work tree, and comes back. */
static int build(const struct commit_runs *runs, struct program *program)
{
    char *folder = xasprintf("%s/%s", runs->tree, runs->repository->folder);
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), status = 0;

    if (here < 0 || chdir(folder) < 0)
        status = message_error("there is no folder '%s'", runs->repository->folder);
    if (!status)
        status = runs->command ? build_by_command(runs, program) : build_by_cargo(runs, program);
    if (here >= 0 && fchdir(here) < 0)
        status = message_error("cannot go back: %s", strerror(errno));
    free(folder);
    return status;
}

/* Reads the first run's profile. What a signal ended is none. */
static int read_run(const struct run_outcome *outcome, const struct show_settings *show,
                    struct cprof_profile **profile)
{
    int status = run_background_read(outcome, show, profile);

    if (!status && run_status(outcome) > STATUS_SIGNAL)
        status = message_error("the run was ended by %s",
                               process_signal_name(run_status(outcome) - STATUS_SIGNAL));
    return status;
}

static int keep(const struct cprof_profile *profile, const struct run_background *background,
                const struct program *program, const char *path)
{
    struct noise noise;
    int status = save_packed(profile, &program->packages, path);

    if (status || !background->n_others)
        return status ? status : save_noise(NULL, path);
    run_background_measure(background, profile, &noise);
    status = save_noise(&noise, path);
    noise_free(&noise);
    return status;
}

/* Runs the program, in several orders of its threads where it has some. */
static int run(const struct commit_job *job, const struct program *program)
{
    const struct commit_runs *runs = job->runs;
    const struct run_settings settings = {
        .measure = *runs->measure, .show = SHOW_SETTINGS_INIT, .orders = ORDERS_USUAL};
    const struct job one = {program, (char **)runs->arguments, runs->input};
    struct run_background background = {.n_others = 0};
    struct cprof_profile *profile = NULL;
    struct run_outcome outcome = {0};
    struct tempdir dir = {NULL, -1};
    int status = elf_check(program->path);

    input_rewind(&runs->input);
    if (!status)
        status = tempdir_make(&dir);
    if (!status)
        status = run_program(&settings, &one, &dir, &outcome);
    if (!status)
        status = read_run(&outcome, &settings.show, &profile);
    if (!status)
        status = runs_order(&settings, &one, profile, &dir, &background);
    if (!status)
        status = keep(profile, &background, program, job->profile);
    cprof_free(profile);
    run_background_free(&background);
    tempdir_remove(&dir);
    run_outcome_free(&outcome);
    return status;
}

static json_t *work(void *data, size_t n)
{
    const struct commit_job *job = data;
    struct program program = {0};
    bool built = !build(job->runs, &program), ran = built && !run(job, &program);

    (void)n;
    program_free(&program);
    return json_pack("{s:b, s:b}", "built", built, "ran", ran);
}

static void done(void *data, size_t n, json_t *result, const char *output)
{
    struct commit_job *job = data;

    (void)n;
    job->result = result;
    job->output = output && *output ? xstrdup(output) : NULL;
}

/*--- What came of it ---*/

#define SAID "cargo-cprof: error: "

/* For people, the line of what failed that says why: of a run our own, of a build the first with an
 * error, or else the last. The caller frees it; NULL: nothing says so. */
static char *reason(const char *output, bool built)
{
    char *copy = xstrdup(output), *rest = copy, *line, *why;
    const char *found = NULL;
    bool is_sure = false;

    while ((line = strsep(&rest, "\n")) && !is_sure) {
        bool said = text_begins(line, SAID);

        if (*line && (!built || said))
            found = said ? line + strlen(SAID) : line;
        is_sure = !built && !said && strstr(line, "error");
    }
    why = found ? xstrdup(found + strspn(found, " \t")) : NULL;
    free(copy);
    return why;
}

static void judge(struct commit_job *job, int status, struct commit_result *result)
{
    bool ran = json_is_true(json_object_get(job->result, "ran"));
    bool built = json_is_true(json_object_get(job->result, "built"));

    result->status = status;
    result->state = status  ? COMMIT_FAILED
                    : ran   ? COMMIT_MEASURED
                    : built ? COMMIT_NOT_RUN
                            : COMMIT_NOT_BUILT;
    if (result->state != COMMIT_MEASURED)
        remove_profile(result->profile);
    result->output = job->output;
    if (result->output && !ran)
        result->why = reason(result->output, built);
}

void commit_run(const struct commit_runs *runs, const char *commit, bool anew,
                struct commit_result *result)
{
    struct commit_job job = {.runs = runs};
    const struct jobs jobs = {
        .n = 1, .parallel = 1, .capture = true, .work = work, .done = done, .data = &job};

    *result = (struct commit_result){.profile = profile_path(runs, commit)};
    job.profile = result->profile;
    if (!anew && access(result->profile, R_OK) == 0)
        return;
    if (repository_tree_set(runs->tree, commit)) {
        result->state = COMMIT_FAILED;
        result->status = STATUS_ERROR;
        return;
    }
    judge(&job, jobs_run(&jobs), result);
    json_decref(job.result);
}

void commit_result_free(struct commit_result *result)
{
    free(result->profile);
    free(result->output);
    free(result->why);
}
