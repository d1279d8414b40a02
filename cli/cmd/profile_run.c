#include <config.h>

#include "cmd/profile_run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "base/process.h"
#include "model/resolve.h"
#include "out/export.h"
#include "run/elf_check.h"
#include "run/program.h"
#include "run/valgrind.h"

struct run_settings {
    struct build_request build;
    struct measure measure;
    bool keep;
    struct show_settings show;
};

#define KEEP_HELP(name) "leave the profile as a standard " name " in the current folder"
static const struct option_def keep_callgrind[] = {{.name = "keep",
                                                    .kind = OPTION_FLAG,
                                                    .offset = offsetof(struct run_settings, keep),
                                                    .help = KEEP_HELP("callgrind.out")},
                                                   {.name = NULL}};
static const struct option_def keep_cachegrind[] = {{.name = "keep",
                                                     .kind = OPTION_FLAG,
                                                     .offset = offsetof(struct run_settings, keep),
                                                     .help = KEEP_HELP("cachegrind.out")},
                                                    {.name = NULL}};

/*--- Before the run ---*/

/* What the tool counts, for checking columns before the program runs. */
static const char *counted_events(const struct measure *measure)
{
    if (measure->cache_sim)
        return measure->branch_sim ? "Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw Bc Bcm Bi Bim"
                                   : "Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw";
    return measure->branch_sim ? "Ir Bc Bcm Bi Bim" : "Ir";
}

/* With --json the program's standard output would spoil ours. */
static bool json_on_output(const struct show_settings *show)
{
    return show->json && !show->output;
}

static int check_settings(const struct run_settings *s, const struct option_result *result)
{
    int status;

    if (result->operands.n)
        return message_usage("unexpected '%s'; the program is named by --bin and the like, its "
                             "arguments stand after --",
                             result->operands.items[0]);
    status = build_request_check(&s->build);
    if (!status)
        status = measure_check(&s->measure);
    if (!status)
        status = show_check(&s->show);
    if (!status && s->keep && access(".", W_OK) < 0)
        status = message_error("--keep cannot write to the current folder: %s; go to another",
                               strerror(errno));
    if (!status)
        status = valgrind_check();
    return status;
}

/* One line on names that will be missing. */
static void note_names(const struct program *program, const struct elf_facts *facts)
{
    if (!facts->symbols)
        message_note(
            "'%s' is stripped: its functions have no names or lines, only those it exports "
            "have; build it without strip",
            program->name);
    else if (!facts->lines)
        message_note("'%s' has no debug information: no lines and no inlined functions; build it "
                     "with debug=1 (-g)",
                     program->name);
}

static int prepare(const struct run_settings *s, struct program *program)
{
    struct elf_facts facts;
    int status = program_find(&s->build, program);

    if (!status)
        status = elf_check(program->path, &facts);
    if (status)
        return status;
    message_status("Profiling", "%s%s", program->name,
                   program->debug_on ? " (debug=1 switched on for names; --no-debuginfo leaves the "
                                       "build alone)"
                                     : "");
    note_names(program, &facts);
    return 0;
}

/*--- After it ---*/

/* The exit status that stands for how the program ended, as a shell counts. */
static int program_status(const struct run_outcome *outcome)
{
    if (outcome->ended_by)
        return 128 + outcome->ended_by;
    return WIFSIGNALED(outcome->wait_status) ? 128 + WTERMSIG(outcome->wait_status)
                                             : WEXITSTATUS(outcome->wait_status);
}

/* Said after the table. */
static void note_end(const struct run_outcome *outcome, const struct cprof_profile *profile)
{
    int wait_status = outcome->wait_status;

    output_flush();
    if (profile->exit == CPROF_EXIT_EXEC)
        message_note("the program replaced itself by another (exec); the profile is of what ran "
                     "before that");
    if (outcome->others)
        message_note("%u other process%s that the program started %s left out", outcome->others,
                     outcome->others == 1 ? "" : "es", outcome->others == 1 ? "is" : "are");
    if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGINT)
        message_note("interrupted: the profile so far");
    else if (WIFSIGNALED(wait_status))
        message_note("program was ended by %s; the profile is of what ran before that",
                     process_signal_name(WTERMSIG(wait_status)));
    else if (WEXITSTATUS(wait_status))
        message_note("program exited with status %d; the profile is of the whole run",
                     WEXITSTATUS(wait_status));
    if (outcome->unknown_instruction)
        message_note("Valgrind met an instruction that it does not know; build without "
                     "target-cpu=native (AVX-512)");
}

/* There is no profile: says why, as far as can be known. */
static int fail_without_raw(const struct run_outcome *outcome)
{
    int wait_status = outcome->wait_status;

    if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGINT) {
        message_error("interrupted before the profile was whole; what there was of it was dropped, "
                      "run it again");
        return 128 + SIGINT;
    }
    if (outcome->complaint && strstr(outcome->complaint, "profile"))
        return message_error("no profile: %s; %s", outcome->complaint,
                             strstr(outcome->complaint, "size limit")
                                 ? "raise the limit (ulimit -f)"
                                 : "set TMPDIR to a folder with room");
    if (outcome->complaint)
        return message_error("no profile: Valgrind says: %s", outcome->complaint);
    if (WIFSIGNALED(wait_status)) {
        message_error("no profile: Valgrind was ended by %s before it wrote one; run it "
                      "again, with more memory if there was too little",
                      process_signal_name(WTERMSIG(wait_status)));
        return 128 + WTERMSIG(wait_status);
    }
    return message_error("no profile: Valgrind ended with status %d and wrote none; try it without "
                         "--vg-opt",
                         WEXITSTATUS(wait_status));
}

/* Writes the standard file of this view into the current folder, whole or not at all. */
static int keep_profile(const struct cprof_profile *profile, enum show_view view)
{
    const char *name = view == SHOW_CALLGRIND ? "callgrind.out" : "cachegrind.out";
    struct output_file file;
    int failed = 0;

    if (file_begin(&file, name) < 0)
        return message_error("cannot write '%s' here: %s; go to another folder", name,
                             strerror(errno));
    if (view == SHOW_CALLGRIND)
        failed = export_callgrind(profile, file.stream);
    else
        failed = export_cachegrind(profile, file.stream);
    if (failed)
        file_abort(&file);
    else
        failed = file_commit(&file);
    if (failed)
        return message_error("cannot write '%s': %s; nothing was left of it", name,
                             strerror(errno));
    message_status("Wrote", "%s", name);
    return 0;
}

/* The profile with names, of the raw one in the temporary folder; NULL after having said why. */
static struct cprof_profile *load_profile(const char *raw_path, enum name_quality **qualities)
{
    struct cprof_error error;
    struct cprof_profile *raw = cprof_load(raw_path, 0, &error), *profile;

    *qualities = NULL;
    if (!raw) {
        message_library_error(&error);
        return NULL;
    }
    *qualities = xcalloc(raw->n_objects, sizeof **qualities);
    profile = resolve_profile(raw, *qualities, &error);
    cprof_free(raw);
    if (!profile)
        message_library_error(&error);
    return profile;
}

static int show_run(const struct run_settings *s, enum show_view view,
                    const struct program *program, const struct run_outcome *outcome,
                    struct tempdir *dir)
{
    struct show_context context = {.view = view, .program = program->name, .root = program->root};
    enum name_quality *qualities;
    struct cprof_profile *profile;
    int status, kept = 0;

    if (outcome->ended_by) {
        message_note("ended by %s: the profile was dropped",
                     process_signal_name(outcome->ended_by));
        return program_status(outcome);
    }
    if (!outcome->raw)
        return fail_without_raw(outcome);
    profile = load_profile(outcome->raw, &qualities);
    tempdir_remove(dir);
    if (!profile) {
        free(qualities);
        return STATUS_ERROR;
    }
    context.qualities = qualities;
    status = show_profile(profile, &s->show, &context);
    if (s->keep)
        kept = keep_profile(profile, view);
    note_end(outcome, profile);
    cprof_free(profile);
    free(qualities);
    return status ? status : kept ? kept : program_status(outcome);
}

static int run_and_show(const struct run_settings *s, enum show_view view,
                        const struct program *program, char **arguments)
{
    struct tempdir dir = {NULL};
    struct run_outcome outcome = {0};
    int status = tempdir_make(&dir);

    if (!status)
        status = valgrind_run(program, arguments, &s->measure, &dir, &outcome);
    if (!status) {
        const char *name = outcome.raw ? strrchr(outcome.raw, '/') + 1 : NULL;

        /* From here on a signal may end us, and can remove what it knows of: this one file. */
        if (outcome.raw)
            cleanup_add(outcome.raw);
        tempdir_clear(&dir, name);
        status = show_run(s, view, program, &outcome, &dir);
        if (outcome.raw)
            cleanup_forget(outcome.raw);
    }
    tempdir_remove(&dir);
    run_outcome_free(&outcome);
    return status;
}

int profile_run(const struct command *self, int argc, char **argv, enum show_view view)
{
    bool caches = view == SHOW_CACHEGRIND;
    struct run_settings s = {.measure = {.cache_sim = caches}, .show = SHOW_SETTINGS_INIT};
    const struct option_group groups[] = {
        {"What to run", program_options, &s.build},
        {"How it is built", build_options, &s.build},
        {"What is counted", measure_options, &s.measure},
        {"What is shown (with --json the program's standard output goes to standard error)",
         show_options, &s.show},
        {"What is kept", caches ? keep_cachegrind : keep_callgrind, &s},
        {caches ? "The caches" : NULL, cache_options, &s.measure},
        {NULL, NULL, NULL}};
    struct option_result result;
    struct program program = {0};
    int status = options_parse(self->name, argc, argv, groups, &result);

    if (!status && result.help) {
        status = command_help_of(self, groups);
    } else if (!status) {
        s.show.events = counted_events(&s.measure);
        s.measure.output_to_errors = json_on_output(&s.show);
        status = check_settings(&s, &result);
        if (!status)
            status = prepare(&s, &program);
        if (!status)
            status = run_and_show(&s, view, &program, result.rest);
    }
    program_free(&program);
    string_list_free(&result.operands);
    string_list_free(&s.build.features);
    string_list_free(&s.measure.vg_options);
    return status;
}
