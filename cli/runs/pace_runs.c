#include <config.h>

#include "runs/pace_runs.h"

#include "base/held_process.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "diff/diff.h"
#include "run/native.h"
#include "runs/run_notes.h"
#include "symbols/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const double enough = 5; /* seconds of runs, beyond which there are as few as can be */

/*--- The old build ---*/

/* The build-id of the program that was profiled; NULL: it is not known. */
static const char *id_of_program(const struct cprof_profile *p)
{
    for (uint32_t i = 0; p->program && i < p->n_objects; i++)
        if (!strcmp(p->objects[i].path, p->program))
            return p->objects[i].build_id;
    return NULL;
}

static bool has_id(const char *path, const char *id)
{
    Elf *elf;
    int fd = elf_file_open_plain(path, &elf);
    char *own;
    bool same;

    if (fd < 0)
        return false;
    own = elf_file_build_id(elf);
    same = own && !strcmp(own, id);
    free(own);
    elf_end(elf);
    close(fd);
    return same;
}

static bool same_bytes(const char *one, const char *other)
{
    FILE *a = fopen(one, "re"), *b = fopen(other, "re");
    char x[1 << 12], y[sizeof x];
    size_t n = 0;
    bool same = a && b;

    while (same && (n = fread(x, 1, sizeof x, a)) > 0)
        same = fread(y, 1, sizeof y, b) == n && !memcmp(x, y, n);
    same = same && !ferror(a) && fgetc(b) == EOF;
    if (a)
        fclose(a);
    if (b)
        fclose(b);
    return same;
}

/* Why the two builds cannot be held against each other, for the caller to free; NULL: they can. */
static char *find_problem(const struct pace_runs *r)
{
    const char *id = id_of_program(r->old);

    if (!r->old_program || access(r->old_program, F_OK) < 0)
        return xasprintf("the baseline '%s' has no copy of its program; --save-baseline keeps one",
                         r->baseline);
    if (id && !has_id(r->old_program, id))
        return xasprintf("'%s' is not the program of the baseline '%s'; save the baseline again",
                         r->old_program, r->baseline);
    if (same_bytes(r->old_program, r->job->program->path))
        return xstrdup("both builds are the same file");
    return NULL;
}

/*--- A run ---*/

static int status_of(int wait_status)
{
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/* Runs a program, which `spec` tells of, and takes its processor time. Returns why that says
 * nothing, for the caller to free, or NULL. */
static char *run_once(const struct pace_runs *r, const struct process_spec *spec, double *seconds)
{
    long most = 10 + 2 * (long)r->outcome->times.whole;
    struct child_times times;
    struct handlers handlers;
    struct passed_on signals;
    int error, status = 0;
    bool over = false;
    pid_t pid;

    input_rewind(&r->job->input);
    child_times_begin(&times);
    error = pass_on_start(&handlers, spec, &pid);
    if (!error)
        over = child_wait(pid, most, &status, &times);
    signals = pass_on_end(&handlers);
    if (signals.ended_by)
        (void)raise(signals.ended_by);
    if (error)
        return xasprintf("'%s' cannot be executed: %s", spec->path, strerror(error));
    if (over)
        return xasprintf("'%s' did not end within %ld s", spec->path, most);
    if (status_of(status) != run_status(r->outcome))
        return xasprintf("'%s' ended with status %d, and with %d where it was profiled", spec->path,
                         status_of(status), run_status(r->outcome));
    *seconds = times.processor;
    return NULL;
}

/*--- Pairs ---*/

/* Both builds in turn, the other one first each time. Runs before the first pair have their files
 * in memory for all that follow. */
static struct pace run_pairs(const struct pace_runs *r, struct process_spec *spec)
{
    const char *paths[DIFF_SIDES] = {r->old_program, r->job->program->path};
    double seconds[DIFF_SIDES][PACE_PAIRS_MOST + 1], begin = clock_seconds();
    size_t n = 0;

    while (n <= PACE_PAIRS_LEAST || (n <= PACE_PAIRS_MOST && clock_seconds() - begin < enough)) {
        for (size_t i = 0; i < DIFF_SIDES; i++) {
            enum diff_side side = (n + i) % DIFF_SIDES == 0 ? DIFF_OLD : DIFF_NEW;
            char *problem;

            spec->path = paths[side];
            problem = run_once(r, spec, &seconds[side][n]);
            if (problem)
                return pace_unknown(problem);
        }
        n++;
    }
    return pace_judge(seconds[DIFF_OLD] + 1, seconds[DIFF_NEW] + 1, n - 1);
}

struct pace pace_runs_ask(void *runs)
{
    const struct pace_runs *r = runs;
    struct string_list words, environment = {0};
    struct process_spec spec = {.no_input = !r->job->input.is_file, .errors_to_output = true};
    char *problem = find_problem(r);
    struct pace pace;

    if (problem)
        return pace_unknown(problem);
    spec.output = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (spec.output < 0)
        return pace_unknown(xasprintf("'/dev/null' cannot be opened: %s", strerror(errno)));
    message_status("Timing", "'%s' and that of the baseline '%s', in turn", r->job->program->name,
                   r->baseline);
    words = native_words(r->job->program, r->job->arguments);
    native_surroundings(&spec, r->job->program, r->measure, &environment);
    spec.argv = words.items;
    pace = run_pairs(r, &spec);
    string_list_free(&words);
    string_list_free_texts(&environment);
    close(spec.output);
    return pace;
}
