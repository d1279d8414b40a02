#include <config.h>

/* The command doctor: the state of the installation and the machine. */
#include "base/clean.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "render/json/json_value.h"
#include "render/text/style.h"
#include "run/cargo.h"
#include "run/machine.h"
#include "run/perf.h"
#include "run/program.h"
#include "run/setup.h"
#include "run/tool.h"
#include "runs/run_notes.h"
#include "source/source_file.h"
#include "symbols/forecast.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct doctor_settings {
    bool json;
};

static const struct option_def doctor_options[] = {
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(struct doctor_settings, json),
     .help = "JSON, of the schema cprof-doctor/1"},
    {.name = NULL}};

/* The first of the paths that is there, or NULL. */
static const char *first_there(const char *const *paths, int how)
{
    for (; *paths; paths++)
        if (access(*paths, how) == 0)
            return *paths;
    return NULL;
}

/*--- A run ---*/

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Copies execute the program, or VEX where they cannot be. */
static void judge_engine(struct findings *findings, const struct cprof_profile *profile)
{
    const char *reason = setup_vex_reason(profile);

    if (reason)
        findings_add(
            findings, "engine", FINDING_NOTE,
            xasprintf("Valgrind's translations, slower than copies of a program's code: %s",
                      reason),
            NULL);
    else if (setup_value(profile, SETUP_ENGINE))
        findings_add(findings, "engine", FINDING_OK,
                     xstrdup("copies of a program's code (--engine near)"), NULL);
}

static void judge_run(struct findings *findings, const struct program *program,
                      const struct run_outcome *outcome, double seconds)
{
    struct cprof_error error;
    struct cprof_profile *profile =
        outcome->raw.path ? cprof_load(outcome->raw.path, 0, &error) : NULL;
    const char *advice = NULL;

    if (profile) {
        findings_add(findings, "a run", FINDING_OK,
                     xasprintf("'%s' in %.1f s, %s instructions", program->path, seconds,
                               TEXT_COUNT(profile->n_events ? profile->totals[0] : 0)),
                     NULL);
        judge_engine(findings, profile);
    } else if (outcome->raw.path)
        findings_add(findings, "a run", FINDING_ERROR,
                     xasprintf("the profile of '/bin/true' cannot be read: %s", error.text),
                     "install cargo-cprof again");
    else {
        char *problem = run_problem(outcome, &advice);

        findings_add(findings, "a run", FINDING_ERROR, problem, advice);
    }
    cprof_free(profile);
}

static void run_program(struct findings *findings, const struct program *program,
                        const struct tempdir *dir)
{
    const struct measure measure = {
        .contexts = true, .max_contexts = CONTEXTS_UNSET, .quiet = true, .output_to_errors = true};
    struct run_outcome outcome = {0};
    double start = now();

    if (valgrind_run(program, NULL, &measure, dir, &outcome) == 0)
        judge_run(findings, program, &outcome, now() - start);
    else
        findings_add(findings, "a run", FINDING_ERROR, xstrdup("Valgrind cannot be started"),
                     "the message on standard error says what to do");
    run_outcome_free(&outcome);
}

/* Profiles a tiny program, where nothing is known that would keep it from that. */
static void try_run(struct findings *findings)
{
    static const char *const paths[] = {"/bin/true", "/usr/bin/true", NULL};
    const char *path = first_there(paths, X_OK);
    struct program program = {0};
    struct tempdir dir;

    if (findings_error(findings) || !path) {
        findings_add(findings, "a run", FINDING_NOTE,
                     xstrdup(path ? "not tried: the tool does not start"
                                  : "not tried: there is no '/bin/true'"),
                     NULL);
        return;
    }
    if (tempdir_make(&dir) != 0)
        return;
    program.path = xstrdup(path);
    program.name = xstrdup("true");
    run_program(findings, &program, &dir);
    program_free(&program);
    tempdir_remove(&dir);
}

/*--- What some runs and commands use ---*/

/* The first line of what a program says of its version, for the caller to free, or NULL. */
static char *version_of(const char *program)
{
    return process_line((const char *const[]){program, "--version", NULL});
}

static void look_for_program(struct findings *findings, const char *name, const char *path,
                             const char *advice)
{
    char *version = version_of(path);

    if (version)
        findings_add(findings, name, FINDING_OK, version, NULL);
    else
        findings_add(findings, name, FINDING_OPTIONAL, xasprintf("cannot execute '%s'", path),
                     advice);
}

/* Samples need no Valgrind, but perf and the kernel's leave. */
static void look_for_perf(struct findings *findings)
{
    const char *advice, *problem = perf_events_problem(&advice);
    char *version = version_of("perf");

    if (!version)
        findings_add(findings, "perf", FINDING_OPTIONAL, xstrdup("cannot execute 'perf'"),
                     "install it for sample and time: 'sudo apt install linux-perf' on Debian");
    else if (problem)
        findings_add(findings, "perf", FINDING_OPTIONAL, xstrdup(problem), advice);
    else
        findings_add(findings, "perf", FINDING_OK,
                     xasprintf("%s, samples by %s", version,
                               perf_events_have_cycles()
                                   ? "the processor's cycles"
                                   : "a clock: nothing counts cycles here, as in most virtual "
                                     "machines"),
                     NULL);
    free(version);
}

static void look_for_rust_sources(struct findings *findings)
{
    struct string_list paths = {0};
    char *sysroot, *commit;
    const char *there = NULL;

    source_ask_rustc(&sysroot, &commit);
    if (sysroot)
        source_std_paths(&paths, "/rustc/0/library/std/src/lib.rs", sysroot);
    for (size_t i = 0; i < paths.n && !there; i++)
        there = access(paths.items[i], R_OK) == 0 ? paths.items[i] : NULL;
    if (there)
        findings_add(findings, "rust-src", FINDING_OK,
                     xasprintf("%.*s", (int)(strstr(there, "/library/") - there), there), NULL);
    else
        findings_add(findings, "rust-src", FINDING_OPTIONAL,
                     xstrdup("missing: annotate and pages lack the standard library's source"),
                     "rustup component add rust-src, or Debian's package rust-src");
    string_list_free_texts(&paths);
    free(sysroot);
    free(commit);
}

static void look_at_libc(struct findings *findings)
{
    static const char *const paths[] = {PROCESSOR_LIBRARIES "/libc.so.6", "/lib64/libc.so.6",
                                        "/usr/lib/libc.so.6", PROCESSOR_MUSL, NULL};
    const char *path = first_there(paths, R_OK);

    if (!path)
        findings_add(findings, "libc's names", FINDING_NOTE,
                     xstrdup("no C library where they are usually"), NULL);
    else if (forecast_look(path) >= FORECAST_NO_LINES)
        findings_add(
            findings, "libc's names", FINDING_OPTIONAL,
            xasprintf("'%s' has no debug information: most of its functions are addresses", path),
            "install it: Debian's package libc6-dbg, of others glibc's or musl's debug "
            "package");
    else
        findings_add(findings, "libc's names", FINDING_OK,
                     xasprintf("debug information of %s", path), NULL);
}

static void look_at_terminal(struct findings *findings)
{
    const char *term = getenv("TERM"), *color = getenv("COLORTERM");
    char *text;

    if (!isatty(STDOUT_FILENO)) {
        findings_add(findings, "terminal", FINDING_NOTE,
                     xstrdup("standard output is no terminal: no colours, no browser"), NULL);
        return;
    }
    if (!term || !*term || !strcmp(term, "dumb")) {
        findings_add(
            findings, "terminal", FINDING_OPTIONAL,
            xasprintf("TERM is %s: no colours, no browser", term && *term ? "'dumb'" : "not set"),
            "set it to the terminal's kind: TERM=xterm-256color");
        return;
    }
    text = xasprintf("TERM=%s, COLORTERM%s%s, %u columns, %s", term, color ? "=" : " not set",
                     color ? color : "", terminal_width(STDOUT_FILENO),
                     text_sign("UTF-8", "no UTF-8"));
    findings_add(findings, "terminal", FINDING_OK, text, NULL);
}

/*--- Writing ---*/

static const struct {
    const char *word, *style;
} states[] = {[FINDING_OK] = {"ok", "32"},
              [FINDING_ERROR] = {"error", "1;31"},
              [FINDING_OPTIONAL] = {"optional", "33"},
              [FINDING_NOTE] = {"note", STYLE_BOLD}};

/* Columns of a state's word with the blanks behind it; columns between name and text. */
enum { STATE_WIDTH = 10, GAP = 2 };

/* Writes aligned findings, a line each. A line longer than `width` goes on below its text; 0: lines
 * have no limit. */
static void findings_write(const struct findings *findings, unsigned width, bool color, FILE *out)
{
    size_t longest = 0;

    for (size_t i = 0; i < findings->n; i++)
        if (strlen(findings->items[i].name) > longest)
            longest = strlen(findings->items[i].name);
    for (size_t i = 0; i < findings->n; i++) {
        const struct finding *f = &findings->items[i];
        char *text = f->advice ? xasprintf("%s; %s", f->text, f->advice) : xstrdup(f->text);
        char *clean = text_clean(text);

        style_put(out, color, states[f->state].style, states[f->state].word);
        fprintf(out, "%*s%-*s", (int)(STATE_WIDTH - strlen(states[f->state].word)), "",
                (int)longest + GAP, f->name);
        wrap_put(out, clean, STATE_WIDTH + (unsigned)longest + GAP, width ? width : UINT_MAX);
        fputc('\n', out);
        free(clean);
        free(text);
    }
}

static int findings_write_json(const struct findings *findings, FILE *out)
{
    json_t *checks = json_array(), *document;

    for (size_t i = 0; i < findings->n; i++) {
        const struct finding *f = &findings->items[i];

        json_array_append_new(checks, json_pack("{s:s, s:s, s:o, s:o}", "name", f->name, "state",
                                                states[f->state].word, "text", json_text(f->text),
                                                "advice", json_text(f->advice)));
    }
    document = json_pack("{s:s, s:b, s:o}", "schema", "cprof-doctor/1", "ready",
                         !findings_error(findings), "checks", checks);
    return json_finish(document, out);
}

/*--- The command ---*/

static void look(struct findings *findings)
{
    findings_add(findings, PACKAGE, FINDING_OK,
                 xasprintf("%s, built with %s (%s)", VERSION, VG_VERSION, tool_licence()), NULL);
    tool_look(findings);
    machine_temporary(findings);
    try_run(findings);
    machine_calls(findings);
    machine_processor(findings);
    look_for_program(findings, "cargo", cargo_path(),
                     "install Rust with cargo; without it --bin PATH profiles what is built");
    look_for_program(findings, "rustc", environment_or("RUSTC", "rustc"),
                     "install Rust; cargo builds by it");
    look_for_rust_sources(findings);
    look_at_libc(findings);
    look_for_program(findings, "objdump", "objdump", "install binutils, for annotate --asm");
    look_for_perf(findings);
    look_at_terminal(findings);
    machine_kept(findings);
}

static int show(const struct doctor_settings *settings)
{
    struct findings findings = {0};
    bool ready;

    look(&findings);
    ready = !findings_error(&findings);
    if (settings->json) {
        findings_write_json(&findings, stdout); /* output_close() says what failed */
    } else {
        findings_write(&findings, terminal_width(STDOUT_FILENO), terminal_color(STDOUT_FILENO),
                       stdout);
        puts(ready ? "all that a run needs is there" : "no run works until the errors are gone");
    }
    findings_free(&findings);
    return ready ? STATUS_OK : STATUS_ERROR;
}

static int work(void *settings, struct option_result *result)
{
    if (result->operands.n)
        return message_usage("unexpected '%s'; doctor takes no operand, --bin PATH of callgrind "
                             "checks a program",
                             result->operands.items[0]);
    return show(settings);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct doctor_settings settings = {false};

    return command_run_plain(self, doctor_options, argc, argv, work, &settings);
}

const struct command command_doctor = {
    .name = "doctor",
    .summary = "check that all is there that a run needs, and say what to do",
    .usage = "[OPTIONS]",
    .examples = "  cargo cprof doctor           a line for each; status 1 where no run works\n"
                "  cargo cprof doctor --json    JSON for programs\n",
    .run = run,
};
