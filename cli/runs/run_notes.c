#include <config.h>

#include "runs/run_notes.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "calls/graph.h"
#include "run/machine.h"
#include "run/setup.h"
#include "table/share.h"
#include "views/view_form.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* Seconds of waiting that are worth a line. */
#define LEAST_WAITED 0.2

/* The exit status that stands for how the program ended, as a shell counts. */
int run_status(const struct run_outcome *outcome)
{
    if (outcome->ended_by)
        return STATUS_SIGNAL + outcome->ended_by;
    if (outcome->interrupted)
        return STATUS_SIGNAL + SIGINT;
    if (outcome->duration_over)
        return STATUS_OK;
    return WIFSIGNALED(outcome->wait_status) ? STATUS_SIGNAL + WTERMSIG(outcome->wait_status)
                                             : WEXITSTATUS(outcome->wait_status);
}

#define WHERE_NAMES_ARE                                                                            \
    "'cargo cprof callgrind -n 0 --names full' lists those that run, and what is inlined is none " \
    "of them; * and ? may stand for parts of a name"

/* "'a'", "'a' or 'b'", "'a', 'b' or 'c'": what no function that ran is called. The caller frees it;
 * NULL: there is nothing of that kind. */
static char *unmatched(const struct cprof_profile *p)
{
    struct strbuf text = {.text = NULL};
    uint32_t left = 0;

    for (uint32_t i = 0; i < p->n_toggles; i++)
        left += !p->toggles[i].n_functions;
    for (uint32_t i = 0; i < p->n_toggles; i++) {
        if (p->toggles[i].n_functions)
            continue;
        left--;
        strbuf_add_item(&text, left ? ", " : " or ", "");
        strbuf_addf(&text, "'%s'", p->toggles[i].pattern);
    }
    return text.text;
}

/* Counting that was to begin, and did not. */
static void note_beginning(const struct cprof_profile *p, bool counted)
{
    char *names = unmatched(p);

    if (names && !counted)
        message_warning("counting never began: no function %s ran; " WHERE_NAMES_ARE, names);
    else if (names)
        message_warning("no function %s ran, so nothing was counted for it; " WHERE_NAMES_ARE,
                        names);
    else if (!counted)
        message_warning("counting never began: the program did not ask for it; it can by "
                        "callgrind.h, or --toggle-collect names a function");
    free(names);
}

/* Collecting that was switched, and did not go as it was meant. */
static void note_sections(const struct measure *measure, const struct cprof_profile *p)
{
    bool off = measure_starts_off(measure);
    bool counted = p->n_events && p->totals[0];

    if (off)
        note_beginning(p, counted || p->sections_began > 0);
    if (off && p->sections_began > p->sections_ended)
        message_warning("counting never ended: it was switched on %s and off %s times, and the "
                        "program ended within a section",
                        TEXT_COUNT(p->sections_began), TEXT_COUNT(p->sections_ended));
    if ((p->sections_began > 0 || (!off && p->sections_ended > 0)) && p->n_events && !counted)
        message_warning("no instruction was counted: all of them ran while counting was off");
}

/* How far a run whose threads have a fixed order repeats. */
static const char *repeat_text(const struct cprof_profile *p, bool random)
{
    if (random)
        return "it repeats, unless random bytes decide what it does";
    return p->clock == CPROF_CLOCK_REAL ? "it repeats, unless the time that it asked for decides "
                                          "what it does; --clock fixed fixes that"
                                        : "it repeats exactly";
}

/* Threads, and what their order depends on. */
static void note_order(const struct cprof_profile *p, bool random)
{
    if (p->schedule == CPROF_SCHEDULE_FIXED && p->decisions > 0)
        message_note("real time decided %s %s on what the program did next, so counts may vary "
                     "from run to run%s",
                     TEXT_COUNT(p->decisions), p->decisions == 1 ? "time" : "times",
                     p->clock == CPROF_CLOCK_FIXED ? "" : "; --clock fixed fixes its clock");
    else if (p->threads >= 2 && p->schedule == CPROF_SCHEDULE_FIXED)
        message_note("the program ran %s threads in a fixed order: %s", TEXT_COUNT(p->threads),
                     repeat_text(p, random));
    else if (p->threads >= 2)
        message_note("the program ran %s threads, whose order may vary from run to run, and counts "
                     "with it; --schedule fixed fixes that",
                     TEXT_COUNT(p->threads));
}

/* Copies can do most that may be asked for, on x86-64; elsewhere none can be made. */
static void note_engine(const struct measure *measure, const struct cprof_profile *p)
{
#ifdef __x86_64__
    const char *reason = setup_vex_reason(p);

    if (reason && measure->engine == ENGINE_NEAR)
        message_note("Valgrind translated the program's code, which takes longer than copies of "
                     "it: %s",
                     measure->line_use ? "--line-use needs that" : reason);
#else
    (void)measure;
    (void)p;
#endif
}

static void note_counts(const struct measure *measure, const struct cprof_profile *p)
{
    bool full = false, random = p->random == CPROF_RANDOM_USED && !measure->deterministic;

    for (uint32_t i = 0; i < p->n_contexts && !full; i++)
        full = graph_is_overflow(p, i);
    if (full)
        message_note("there were more call paths than are told apart; the others are under "
                     "[more], --max-contexts N raises the bound");
    if (random)
        message_note("the program used random bytes, so counts may vary from run to run; "
                     "--deterministic fixes them");
    note_order(p, random);
    note_engine(measure, p);
}

/* "round2 (sha.c:3)", or the name alone. The caller frees it. */
static char *place_of(const char *function, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_functions; i++) {
        const struct cprof_function *f = &p->functions[i];

        if (!strcmp(f->name, function) && f->file != CPROF_NONE && f->line)
            return xasprintf("%s (%s:%u)", function, path_base(p->files[f->file]), f->line);
    }
    return xstrdup(function);
}

static void note_instruction(const struct valgrind_log *log, const struct cprof_profile *p)
{
    const char *extension = valgrind_log_extension(log->instruction);
    char *place = log->function ? place_of(log->function, p) : NULL;

    message_note("Valgrind does not know the instruction %s%s%s%s%s%s%s", log->instruction,
                 extension ? " (" : "", extension ? extension : "", extension ? ")" : "",
                 place ? " in " : "", place ? place : "",
                 log->copied ? ": it ran as it is, which --engine vex cannot do"
                             : "; build without -march=native (C, C++) or target-cpu=native "
                               "(Rust), and for an older processor");
    free(place);
}

/* Gaps of Valgrind that a program notices. */
static void note_gaps(const struct valgrind_log *log)
{
    for (size_t i = 0; i < log->n_calls; i++) {
        const char *name = valgrind_log_call_name(log->calls[i]);

        message_note("Valgrind lacks system call %ld%s%s%s: the program got ENOSYS for it, as from "
                     "an older kernel",
                     log->calls[i], name ? " (" : "", name ? name : "", name ? ")" : "");
    }
    if (log->unlike)
        message_note("Valgrind does not do as the processor does: '%s'; results, and counts with "
                     "them, may be others than without it",
                     log->unlike);
    if (log->refused)
        message_note(
            "Valgrind had no room for %lld GB of memory that the program reserved at once, "
            "as it has less than 64 GB for all: the call failed, which natively it may "
            "not; what the program did then may be something else",
            log->refused >> 30);
    if (log->gathers)
        message_note("gathers or scatters of AVX-512 ran: their data are in no count of accesses "
                     "and misses");
    if (log->extended)
        message_note("Valgrind computes long doubles with 64 bits, the processor with 80: results, "
                     "and counts with them, may be others than without it");
}

/* The program became another one, which nothing was counted of, however that one ended. */
static void note_exec(const struct run_outcome *outcome)
{
    int wait_status = outcome->wait_status;
    char *end;

    if (outcome->interrupted)
        end = xstrdup(", which was interrupted");
    else if (outcome->duration_over)
        end = xstrdup(", which was ended when --duration was over");
    else if (WIFSIGNALED(wait_status))
        end = xasprintf(", which was ended by %s", process_signal_name(WTERMSIG(wait_status)));
    else if (WEXITSTATUS(wait_status))
        end = xasprintf(", which exited with status %d", WEXITSTATUS(wait_status));
    else
        end = xstrdup("");
    message_note("the program replaced itself by another (exec)%s; the profile is of what ran "
                 "before the exec, and --trace-children follows it",
                 end);
    free(end);
}

static void note_end(const struct run_outcome *outcome, const struct cprof_profile *p)
{
    int wait_status = outcome->wait_status;

    if (p->exit == CPROF_EXIT_EXEC && !rawset_goes_on(&outcome->raw))
        note_exec(outcome);
    else if (outcome->interrupted || (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGINT))
        message_note("the run was interrupted: the profile is of what ran before that");
    else if (outcome->duration_over)
        message_note("--duration is over, and the program was ended; the profile is of what ran "
                     "before that");
    else if (WIFSIGNALED(wait_status))
        message_note("the program was ended by %s; the profile is of what ran before that",
                     process_signal_name(WTERMSIG(wait_status)));
    else if (WEXITSTATUS(wait_status))
        message_note("the program exited with status %d; the profile is of the whole run",
                     WEXITSTATUS(wait_status));
    if (outcome->log.instruction &&
        (outcome->log.copied || WIFSIGNALED(wait_status))) /* others dealt with it */
        note_instruction(&outcome->log, p);
}

/* Daemons, and what a shell leaves in the background. */
static void note_going_on(const struct run_outcome *outcome)
{
    if (outcome->goes_on)
        message_note("the program has ended, and a process that it started is still running: %s",
                     outcome->sampled ? "samples of that one end here" : "that one is not counted");
}

static void note_processes(const struct rawset *set, bool apart)
{
    if (apart || set->n_programs < 2)
        return;
    if (set->n_programs == set->n_processes)
        message_note("%s processes are added up here; --processes shows each apart",
                     TEXT_COUNT(set->n_processes));
    else
        message_note("%s programs in %s process%s are added up here; --processes shows each apart",
                     TEXT_COUNT(set->n_programs), TEXT_COUNT(set->n_processes),
                     set->n_processes > 1 ? "es" : "");
}

/* Processes that went on as programs which are not in the profile. */
static void note_left(const struct cprof_profile *p)
{
    enum { MOST = 5 };
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->n_parts; i++)
        if (p->parts[i].left && n++ < MOST)
            message_note("process %ld went on without a profile, as %s", p->parts[i].pid,
                         p->parts[i].left);
    if (n > MOST)
        message_note("%s more processes went on without a profile", TEXT_COUNT(n - MOST));
}

/* Time that neither instructions nor samples of the processor show. */
static void note_waiting(const struct run_outcome *outcome)
{
    const struct child_times *times = &outcome->times;
    /* The time that others kept it from the processor is neither its work nor a wait; where there
     * is much of it, it is not known to the last bit. */
    double whole = times->whole - times->ready, waited = whole - times->processor;
    bool is_much = waited > LEAST_WAITED + times->ready / 5 && waited > whole / 2;

    if (is_much && !outcome->counted)
        message_note("the program waited %.0f %% of its %.1f s, which is in no %s here: 'cargo "
                     "cprof sample --off-cpu' shows where",
                     100 * waited / whole, whole, outcome->sampled ? "sample" : "count");
}

/* Shares of a few samples are nearly any. */
static void note_few(const struct run_outcome *outcome, const struct cprof_profile *p)
{
    enum { FEW = 5 };

    if (outcome->sampled && !outcome->counted && share_is_sampled(p) && p->totals[0] < FEW)
        message_note("only %s sample%s: too few to tell shares of the time; take a longer run, or "
                     "a higher --frequency",
                     TEXT_COUNT(p->totals[0]), p->totals[0] == 1 ? "" : "s");
}

/* The kernel ends who has used up what `ulimit -t` gave: by SIGXCPU, then by SIGKILL. */
static bool is_out_of_time(int signal)
{
    struct rlimit limit;

    return signal == SIGXCPU || (signal == SIGKILL && getrlimit(RLIMIT_CPU, &limit) == 0 &&
                                 limit.rlim_cur != RLIM_INFINITY);
}

/* Lost samples are in no count: says what leaves perf less to write. */
static void note_lost(const struct run_outcome *outcome, const struct cprof_profile *p)
{
    if (p->lost_samples && outcome->counted)
        message_note("perf could not write all samples: --every N keeps one in N, and --call-graph "
                     "fp writes less of each");
}

void run_notes(const struct measure *measure, const struct run_outcome *outcome,
               const struct cprof_profile *profile, bool apart)
{
    output_flush();
    note_sections(measure, profile);
    note_counts(measure, profile);
    note_processes(&outcome->raw, apart);
    note_gaps(&outcome->log);
    note_going_on(outcome);
    note_left(profile);
    if (!outcome->sampled)
        section_note_unused(profile);
    argument_notes(profile);
    heap_notes(profile);
    note_lost(outcome, profile);
    note_few(outcome, profile);
    note_waiting(outcome);
    note_end(outcome, profile);
}

void run_note_missing(const struct cprof_profile *profile, const enum name_quality *qualities)
{
    bool *ran = xcalloc(profile->n_objects, sizeof *ran);

    for (uint32_t i = 0; i < profile->n_costs; i++) {
        uint32_t object = profile->functions[profile->costs[i].function].object;

        if (object != CPROF_NONE)
            ran[object] = true;
    }
    for (uint32_t i = 0; i < profile->n_objects; i++)
        if (ran[i] && (qualities[i] == NAMES_MISSING || qualities[i] == NAMES_KEPT) &&
            profile->objects[i].path[0] != '[')
            message_note("no %s for what ran in '%s': it is gone or has changed since the run",
                         qualities[i] == NAMES_KEPT ? "lines" : "names", profile->objects[i].path);
    free(ran);
}

char *run_problem(const struct run_outcome *outcome, const char **advice)
{
    static const char look[] = "'cargo cprof doctor' looks for what is missing";
    const char *complaint = outcome->log.complaint;
    char *denied = denied_calls();

    *advice = DENIED_ADVICE;
    if (denied)
        return denied;
    if (complaint && strstr(complaint, "profile")) {
        *advice = strstr(complaint, "size limit") ? "raise the limit (ulimit -f)"
                                                  : "set TMPDIR to a folder with room";
        return xstrdup(complaint);
    }
    if (complaint) {
        *advice = limits_advice(strstr(complaint, "memory") ? "run it with more memory" : look);
        return xasprintf("Valgrind says: %s", complaint);
    }
    if (WIFSIGNALED(outcome->wait_status)) {
        if (WTERMSIG(outcome->wait_status) == SIGXFSZ)
            *advice = "it is the limit of a file's size: raise it (ulimit -f)";
        else if (is_out_of_time(WTERMSIG(outcome->wait_status)))
            *advice = "it may be the limit of processor time: raise it (ulimit -t)";
        else if (WTERMSIG(outcome->wait_status) != SIGSYS)
            *advice = limits_advice("run it again, with more memory if there was too little");
        return xasprintf("Valgrind was ended by %s before it wrote one",
                         process_signal_name(WTERMSIG(outcome->wait_status)));
    }
    *advice = outcome->had_options ? "try it without --vg-opt" : limits_advice(look);
    return xasprintf("Valgrind ended with status %d and wrote none",
                     WEXITSTATUS(outcome->wait_status));
}

/* There is no profile: says why, as far as can be known. */
int run_failure(const struct run_outcome *outcome)
{
    int wait_status = outcome->wait_status;
    const char *advice;
    char *text;

    if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGINT) {
        message_error("the run was interrupted before the profile was whole, and the profile was "
                      "dropped; run it again");
        return STATUS_SIGNAL + SIGINT;
    }
    if (outcome->waits) {
        message_error("no wait of the process ended while it was looked at: it ran, or waited all "
                      "the time for one thing; take a longer --duration, or see where it is by "
                      "'gdb -p %ld -batch -ex bt'",
                      (long)outcome->pid);
        return STATUS_ERROR;
    }
    if (outcome->counted) {
        message_error("nothing was counted: no event of those that were asked for happened in the "
                      "run; take a longer run, or other events");
        return run_status(outcome) ? run_status(outcome) : STATUS_ERROR;
    }
    if (outcome->sampled) {
        message_error("no samples were taken: the program used too little processor time; take a "
                      "longer run, or a higher --frequency");
        return run_status(outcome) ? run_status(outcome) : STATUS_ERROR;
    }
    text = run_problem(outcome, &advice);
    message_error("no profile: %s; %s", text, advice);
    free(text);
    /* SIGSYS is a filter's doing, not the program's end. */
    if (!WIFSIGNALED(wait_status) || WTERMSIG(wait_status) == SIGSYS || outcome->log.complaint)
        return STATUS_ERROR;
    return STATUS_SIGNAL + WTERMSIG(wait_status);
}
