#include <config.h>

#include "run/measure.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/strbuf.h"
#include "run/machine.h"

#include <stdlib.h>
#include <string.h>

/* The limits of the tool. */
enum { MAX_CONTEXTS_LEAST = 1000, MAX_CONTEXTS_MOST = 100000000 };
enum { SEED_MOST = 1000000, ARGUMENT_MOST = 6, COUNT_ARGS_MOST = 32, ALLOC_FUNCTIONS_MOST = 32 };

#define AT(member) offsetof(struct measure, member)

static const char *const caches_names[] = {"warm", "cold", NULL};
static const char *const rep_names[] = {"each", "one", NULL};
static const char *const engine_names[] = {"near", "vex", NULL};
static const char *const schedule_names[] = {"auto", "free", "fixed", NULL};
static const char *const clock_names[] = {"real", "fixed", NULL};
static const char *const machine_names[] = {"auto", "fixed", "host", NULL};
#ifdef __x86_64__
static const char *const class_names[] = {"auto", "v1", "v2", "v3", "v3-erms", NULL};
#else
static const char *const class_names[] = {"auto", "v8", NULL};
#endif
static const char *const on_off_names[] = {"yes", "no", NULL};

const struct option_def path_options[] = {
    {.name = "contexts",
     .kind = OPTION_FLAG,
     .offset = AT(contexts),
     .help = "count call paths, for callers, callees and tree; cachegrind is without them"},
    {.name = "no-contexts",
     .kind = OPTION_NO_FLAG,
     .offset = AT(contexts),
     .help = "no call paths: own costs only, with less memory"},
    {.name = "cache-sim",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .offset = AT(cache_sim),
     .help = "model the caches too, as cachegrind does"},
    {.name = NULL}};

const struct option_def measure_options[] = {
    {.name = "branch-sim",
     .kind = OPTION_FLAG,
     .offset = AT(branch_sim),
     .help = "model branch prediction: events Bc, Bcm, Bi and Bim"},
    {.name = "rep",
     .kind = OPTION_CHOICE,
     .offset = AT(rep),
     .choices = rep_names,
     .help = "how rep movs and other repeated string instructions count: each: every repetition is "
             "an instruction, as cachegrind counts, which is the default; one: all repetitions "
             "together are one, as the processor counts"},
    {.name = "max-contexts",
     .kind = OPTION_NUMBER,
     .value = "N",
     .offset = AT(max_contexts),
     .help = "at most N call paths, 1000 to 100000000; what comes after is counted under [more] "
             "(1000000)"},
    {.name = "toggle-collect",
     .kind = OPTION_LIST,
     .value = "FUNCTION",
     .offset = AT(toggles),
     .help = "count only while FUNCTION runs, with all that it calls; * and ? stand for any "
             "characters; may be given several times"},
    {.name = "count-arg",
     .kind = OPTION_LIST,
     .value = "FUNCTION=N[:log2]",
     .offset = AT(count_args),
     .help = "count which values FUNCTION's Nth argument has, an integer, by callers; log2: by "
             "powers of two; * and ? stand for any characters; may be given several times"},
    {.name = "collect-atstart",
     .kind = OPTION_CHOICE,
     .offset = AT(collect_at_start),
     .choices = on_off_names,
     .help = "no: count nothing until the program or --toggle-collect switches it on"},
    {.name = "instr-atstart",
     .kind = OPTION_CHOICE,
     .offset = AT(instr_at_start),
     .choices = on_off_names,
     .help = "no: count nothing until the program's CALLGRIND_START_INSTRUMENTATION"},
    {.name = "section-caches",
     .kind = OPTION_CHOICE,
     .offset = AT(section_caches),
     .choices = caches_names,
     .help = "begin each section that is within no other with the caches as the program left them, "
             "or empty"},
    {.name = "trace-children",
     .kind = OPTION_FLAG,
     .offset = AT(trace_children),
     .help = "profile the programs that the program starts, too"},
    {.name = "deterministic",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .offset = AT(deterministic),
     .help =
         "equal random bytes in every run, a fixed machine, threads in a fixed order, and of the "
         "environment only PATH and HOME, with LC_ALL=C.UTF-8 and TZ=UTC"},
    {.name = "schedule",
     .kind = OPTION_CHOICE,
     .offset = AT(schedule),
     .choices = schedule_names,
     .help = "fixed: let threads run in an order that depends on nothing but what they execute, so "
             "that counts repeat; free: as the system has it; auto: fixed with --deterministic, "
             "with baselines, and for bench and test, else free"},
    {.name = "schedule-seed",
     .kind = OPTION_NUMBER,
     .value = "N",
     .offset = AT(schedule_seed),
     .help = "another one of the orders that a fixed schedule may have, up to 1000000; 0: threads "
             "run as they become ready"},
    {.name = "clock",
     .kind = OPTION_CHOICE,
     .offset = AT(clock),
     .choices = clock_names,
     .help = "fixed: let the program see a clock of executed code, which begins at one date, and "
             "for which sleeping takes no time; real: this machine's, which is the default"},
    {.name = "machine",
     .kind = OPTION_CHOICE,
     .offset = AT(machine),
     .choices = machine_names,
     .help =
         "fixed: let the program see one machine, stack and path, wherever it runs, so that equal "
         "work has equal counts; host: this machine as it is; auto: fixed with --deterministic, "
         "with baselines, and for bench and test, else host"},
    {.name = "cpu-level",
     .kind = OPTION_CHOICE,
     .offset = AT(cpu_level),
     .choices = class_names,
     .help = "the class of processor that a fixed machine has; v1, v2, v3: x86-64-v3 and below; "
             "v3-erms: libc copies by repeated instructions, each byte of which counts; auto: v3, "
             "or what this machine has"},
    {.name = "engine",
     .kind = OPTION_CHOICE,
     .offset = AT(engine),
     .choices = engine_names,
     .help =
         "near: run copies of the program's code, with counters in them, where that can be done, "
         "which is the default; vex: have Valgrind translate all code; counts differ only by "
         "instructions just in front of a fault, which vex may leave out"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = AT(quiet),
     .help = "do not show how far a long run is, on a terminal"},
    {.name = "env",
     .kind = OPTION_LIST,
     .value = "NAME[=VALUE]",
     .offset = AT(environment),
     .help = "set a variable for the program; without a value, leave it as it is here"},
    {.name = "vg-opt",
     .kind = OPTION_LIST,
     .value = "OPTION",
     .offset = AT(vg_options),
     .help = "an option for Valgrind, handed over as it is: --vg-opt=--main-stacksize=8000000"},
    {.name = NULL}};

const struct option_def memory_options[] = {
    {.name = "data",
     .kind = OPTION_FLAG,
     .offset = AT(data),
     .help = "put each miss of D1 and LL to the data that missed: blocks of the heap, variables, "
             "stacks; with the model of the caches"},
    {.name = "heap",
     .kind = OPTION_FLAG,
     .offset = AT(heap),
     .help = "count what is allocated and freed, too, by call paths: Allocs, Bytes, PeakBytes, "
             "EndBytes and others"},
    {.name = "line-use",
     .kind = OPTION_FLAG,
     .offset = AT(line_use),
     .help = "count how many bytes of the lines that D1 fetches are read or written before they "
             "leave it, by who fetched them, and by the data where misses are put to it; with the "
             "model of the caches"},
    {.name = "miss-curves",
     .kind = OPTION_FLAG,
     .offset = AT(miss_curves),
     .help = "find the misses of every size of LL in bytes, were it fully associative, for the I1 "
             "and D1 that are simulated; with the model of the caches"},
    {.name = "alloc-function",
     .kind = OPTION_LIST,
     .value = "NAME[:size=N[:ptr=N]]",
     .offset = AT(alloc_functions),
     .help = "count this function as one that allocates: as many bytes as the Nth argument says "
             "(1); with ptr one that resizes the block at that argument; NAME:free=N: one that "
             "frees the block at the Nth; may be given several times"},
    {.name = NULL}};

const struct option_def cache_options[] = {
    {.name = "I1",
     .kind = OPTION_STRING,
     .value = "SIZE,WAYS,LINE",
     .offset = AT(i1),
     .help = "the first-level instruction cache, in bytes, ways and bytes; else this machine's"},
    {.name = "D1",
     .kind = OPTION_STRING,
     .value = "SIZE,WAYS,LINE",
     .offset = AT(d1),
     .help = "the first-level data cache"},
    {.name = "LL",
     .kind = OPTION_STRING,
     .value = "SIZE,WAYS,LINE",
     .offset = AT(ll),
     .help = "the last-level cache; else the machine's, as the kernel has it"},
    {.name = NULL}};

static int check_caches(const struct measure *m)
{
    int status = m->i1 ? geometry_check("I1", m->i1) : 0;

    if (!status && m->d1)
        status = geometry_check("D1", m->d1);
    if (!status && m->ll)
        status = geometry_check("LL", m->ll);
    if (!status && !m->cache_sim && (m->i1 || m->d1 || m->ll))
        status =
            message_usage("--%s is for the model of the caches; add --cache-sim", m->i1   ? "I1"
                                                                                  : m->d1 ? "D1"
                                                                                          : "LL");
    if (!status && m->line_use && m->d1 &&
        strtol(strrchr(m->d1, ',') + 1, NULL, 10) != CPROF_LINE_SIZE)
        status = message_usage("--line-use is for lines of %d bytes, and --D1=%s has others; leave "
                               "out one of the two options",
                               CPROF_LINE_SIZE, m->d1);
    return status;
}

/* True for FUNCTION=N and FUNCTION=N:log2. */
static bool is_count_arg(const char *text)
{
    const char *equals = strrchr(text, '=');

    return equals && equals > text && equals[1] >= '1' && equals[1] <= '0' + ARGUMENT_MOST &&
           (!equals[2] || !strcmp(equals + 2, ":log2"));
}

static int check_count_args(const struct measure *m)
{
    for (size_t i = 0; i < m->count_args.n; i++)
        if (!is_count_arg(m->count_args.items[i]))
            return message_usage("'%s' is no value for --count-arg; it takes FUNCTION=N or "
                                 "FUNCTION=N:log2, and N is 1 to %d",
                                 m->count_args.items[i], ARGUMENT_MOST);
    if (m->count_args.n > COUNT_ARGS_MOST)
        return message_usage("--count-arg may be given %d times, found %zu; leave out some",
                             COUNT_ARGS_MOST, m->count_args.n);
    if (m->count_args.n && !m->contexts)
        return message_usage("--count-arg is for calls, which go with call paths, and there are "
                             "none; leave it out, or take callgrind or --contexts");
    return 0;
}

enum { ALLOC_SIZE, ALLOC_PTR, ALLOC_FREE, N_ALLOC };

/* "size", "ptr" or "free", with "=N" or without: stores N, or 1. Returns what is behind it; NULL:
 * it is none. */
static const char *alloc_argument(const char *at, int *numbers)
{
    static const char *const names[N_ALLOC] = {"size", "ptr", "free"};

    for (size_t i = 0; i < N_ALLOC; i++) {
        size_t size = strlen(names[i]);

        if (strncmp(at, names[i], size) != 0)
            continue;
        at += size;
        numbers[i] = 1;
        if (*at == '=') {
            if (at[1] < '1' || at[1] > '0' + ARGUMENT_MOST)
                return NULL;
            numbers[i] = at[1] - '0';
            at += 2;
        }
        return !*at || *at == ':' ? at : NULL;
    }
    return NULL;
}

/* A name may have colons itself: "pool::get". */
static bool is_alloc_function(const char *text)
{
    int n[N_ALLOC] = {0};
    const char *at = text;

    while (*at && (*at != ':' || at[1] == ':' || (at > text && at[-1] == ':')))
        at++;
    if (at == text)
        return false;
    while (at && *at == ':')
        at = alloc_argument(at + 1, n);
    if (!at)
        return false;
    return n[ALLOC_FREE] ? !n[ALLOC_SIZE] && !n[ALLOC_PTR]
                         : !n[ALLOC_PTR] || (n[ALLOC_SIZE] && n[ALLOC_SIZE] != n[ALLOC_PTR]);
}

/* Libc's tunables are a part of the machine. */
static int check_machine(const struct measure *m)
{
    static const char tunables[] = "GLIBC_TUNABLES";

    if (m->cpu_level && !measure_fixes_machine(m))
        return message_usage("--cpu-level is for a machine that is fixed; add --machine fixed");
    for (size_t i = 0; i < m->environment.n && measure_fixes_machine(m); i++)
        if (!strncmp(m->environment.items[i], tunables, strlen(tunables)))
            return message_usage("--env %s has no effect on a fixed machine; add --machine host",
                                 tunables);
    return 0;
}

static int check_schedule(const struct measure *m)
{
    if (m->schedule_seed && !measure_fixes_schedule(m))
        return message_usage(
            "--schedule-seed is for a schedule that is fixed; add --schedule fixed");
    if (m->schedule_seed > SEED_MOST)
        return message_usage("'%ld' is no value for --schedule-seed; it takes 0 to %d",
                             m->schedule_seed, SEED_MOST);
    return 0;
}

static int check_heap(const struct measure *m)
{
    if (m->miss_curves && !m->cache_sim)
        return message_usage("--miss-curves is about the model of the caches; add --cache-sim");
    if (m->data && !m->cache_sim)
        return message_usage("--data is about the model of the caches; add --cache-sim");
    if (m->line_use && !m->cache_sim)
        return message_usage("--line-use is about the model of the caches; add --cache-sim");
    if (m->heap && !m->contexts)
        return message_usage("--heap is counted by call paths; leave out --no-contexts");
    if (m->alloc_functions.n && !m->heap)
        return message_usage("--alloc-function is for --heap; add --heap");
    for (size_t i = 0; i < m->alloc_functions.n; i++)
        if (!is_alloc_function(m->alloc_functions.items[i]))
            return message_usage("'%s' is no value for --alloc-function; it takes NAME, "
                                 "NAME:size=N, NAME:size=N:ptr=N or NAME:free=N, and N is 1 to %d",
                                 m->alloc_functions.items[i], ARGUMENT_MOST);
    if (m->alloc_functions.n > ALLOC_FUNCTIONS_MOST)
        return message_usage("--alloc-function may be given %d times, found %zu; leave out some",
                             ALLOC_FUNCTIONS_MOST, m->alloc_functions.n);
    return 0;
}

int measure_check(const struct measure *m)
{
    int status;

    if (m->max_contexts != CONTEXTS_UNSET && !m->contexts)
        return message_usage("--max-contexts is for call paths, and there are none; leave it out, "
                             "or take callgrind or --contexts");
    if (m->max_contexts != CONTEXTS_UNSET &&
        (m->max_contexts < MAX_CONTEXTS_LEAST || m->max_contexts > MAX_CONTEXTS_MOST))
        return message_usage("'%ld' is no value for --max-contexts; it takes %d to %d",
                             m->max_contexts, MAX_CONTEXTS_LEAST, MAX_CONTEXTS_MOST);
    for (size_t i = 0; i < m->toggles.n; i++)
        if (!*m->toggles.items[i])
            return message_usage("'' is no value for --toggle-collect; it takes a function");
    for (size_t i = 0; i < m->environment.n; i++)
        if (!*m->environment.items[i] || *m->environment.items[i] == '=')
            return message_usage("'%s' is no value for --env; it takes NAME or NAME=VALUE",
                                 m->environment.items[i]);
    if (m->section_caches == CACHES_COLD && !m->cache_sim)
        return message_usage("--section-caches is for the model of the caches; add --cache-sim");
    status = check_count_args(m);
    if (!status)
        status = check_machine(m);
    if (!status)
        status = check_schedule(m);
    if (!status)
        status = check_heap(m);
    return status ? status : check_caches(m);
}

bool measure_runs_copies(const struct measure *m)
{
    return m->engine == ENGINE_NEAR && !m->line_use;
}

static bool is_for_comparison(const struct measure *m)
{
    return m->deterministic || m->is_compared;
}

bool measure_fixes_machine(const struct measure *m)
{
    return m->machine == MACHINE_FIXED || (m->machine == MACHINE_AUTO && is_for_comparison(m));
}

bool measure_fixes_schedule(const struct measure *m)
{
    return m->schedule == SCHEDULE_FIXED || (m->schedule == SCHEDULE_AUTO && is_for_comparison(m));
}

int measure_check_orders(const struct measure *m, long orders)
{
    if (orders == ORDERS_UNSET)
        return 0;
    if (orders != 1 && (orders < ORDERS_LEAST || orders > ORDERS_MOST))
        return message_usage("'%ld' is no value for --orders; it takes 1, or %d to %d", orders,
                             ORDERS_LEAST, ORDERS_MOST);
    if (!measure_fixes_schedule(m))
        return message_usage("--orders is for a schedule that is fixed; add --schedule fixed");
    return 0;
}

long measure_orders(long wanted, size_t kept)
{
    if (wanted != ORDERS_UNSET)
        return wanted;
    return kept && kept <= ORDERS_MOST ? (long)kept : ORDERS_USUAL;
}

long measure_seed(const struct measure *m, long n)
{
    return (m->schedule_seed + n) % (SEED_MOST + 1);
}

bool measure_starts_off(const struct measure *m)
{
    return m->toggles.n || m->collect_at_start == SWITCH_OFF || m->instr_at_start == SWITCH_OFF;
}

static void add_pair(struct string_list *words, const char *option, const char *value)
{
    if (value)
        string_list_add(words, xasprintf("--%s=%s", option, value));
}

/* The last level that the kernel knows: the tool would ask the processor, of which virtual machines
 * often make up the answer. */
static void add_last_level(struct string_list *words)
{
    struct geometry last;

    if (geometry_last_level(GEOMETRY_FOLDER, &last))
        string_list_add(words, xasprintf("--LL=%llu,%llu,%llu", last.size, last.ways, last.line));
}

void measure_words(const struct measure *m, struct string_list *words)
{
    add_pair(words, "cache-sim", m->cache_sim ? "yes" : "no");
    add_pair(words, "contexts", m->contexts ? "yes" : "no");
    add_pair(words, "branch-sim", m->branch_sim ? "yes" : NULL);
    add_pair(words, "rep", m->rep == REP_ONE ? "one" : NULL);
    if (m->max_contexts != CONTEXTS_UNSET)
        string_list_add(words, xasprintf("--max-contexts=%ld", m->max_contexts));
    add_pair(words, "I1", m->i1);
    add_pair(words, "D1", m->d1);
    add_pair(words, "LL", m->ll);
    if (m->cache_sim && !m->ll)
        add_last_level(words);
    for (size_t i = 0; i < m->toggles.n; i++)
        add_pair(words, "toggle-collect", m->toggles.items[i]);
    for (size_t i = 0; i < m->count_args.n; i++)
        add_pair(words, "count-arg", m->count_args.items[i]);
    add_pair(words, "heap", m->heap ? "yes" : NULL);
    add_pair(words, "data", m->data ? "yes" : NULL);
    add_pair(words, "line-use", m->line_use ? "yes" : NULL);
    add_pair(words, "miss-curves", m->miss_curves ? "yes" : NULL);
    add_pair(words, "subject", m->subject);
    for (size_t i = 0; i < m->alloc_functions.n; i++)
        add_pair(words, "alloc-function", m->alloc_functions.items[i]);
    add_pair(words, "collect-atstart", m->collect_at_start == SWITCH_OFF ? "no" : NULL);
    add_pair(words, "instr-atstart", m->instr_at_start == SWITCH_OFF ? "no" : NULL);
    add_pair(words, "section-caches", m->section_caches == CACHES_COLD ? "cold" : NULL);
    add_pair(words, "engine", m->engine == ENGINE_VEX ? "vex" : NULL);
    add_pair(words, "trace-children", m->trace_children ? "yes" : NULL);
    add_pair(words, "deterministic", m->deterministic ? "yes" : NULL);
    add_pair(words, "fixed-schedule", measure_fixes_schedule(m) ? "yes" : NULL);
    if (m->schedule_seed)
        string_list_add(words, xasprintf("--schedule-seed=%ld", m->schedule_seed));
    add_pair(words, "fixed-clock", m->clock == CLOCK_FIXED ? "yes" : NULL);
    add_pair(words, "fixed-machine", measure_fixes_machine(m) ? "yes" : NULL);
    add_pair(words, "cpu-level", m->cpu_level ? class_names[m->cpu_level] : NULL);
    for (size_t i = 0; i < m->vg_options.n; i++)
        string_list_add(words, xstrdup(m->vg_options.items[i]));
}

/* Adds "--NAME", or "--NAME=VALUE". */
static void add_change(struct strbuf *text, const char *name, const char *value, bool is_given)
{
    if (!is_given)
        return;
    strbuf_add_item(text, " ", "--");
    strbuf_add(text, name);
    if (value)
        strbuf_addf(text, "=%s", value);
}

char *measure_changes(const struct measure *m)
{
    struct strbuf text = {.text = NULL};

    add_change(&text, "rep", "one", m->rep == REP_ONE);
    add_change(&text, "deterministic", NULL, m->deterministic);
    add_change(&text, "schedule", "fixed", measure_fixes_schedule(m));
    add_change(&text, "clock", "fixed", m->clock == CLOCK_FIXED);
    add_change(&text, "collect-atstart", "no", m->collect_at_start == SWITCH_OFF);
    add_change(&text, "instr-atstart", "no", m->instr_at_start == SWITCH_OFF);
    add_change(&text, "section-caches", "cold", m->section_caches == CACHES_COLD);
    add_change(&text, "trace-children", NULL, m->trace_children);
    for (size_t i = 0; i < m->toggles.n; i++)
        add_change(&text, "toggle-collect", m->toggles.items[i], true);
    for (size_t i = 0; i < m->vg_options.n; i++)
        add_change(&text, "vg-opt", m->vg_options.items[i], true);
    return text.text ? text.text : xstrdup("none");
}

/* One variable, instead of an older one of that name. */
static void set_variable(struct string_list *environment, const char *name, size_t size,
                         const char *value)
{
    char *text = xasprintf("%.*s=%s", (int)size, name, value);

    for (size_t i = 0; i < environment->n; i++)
        if (!strncmp(environment->items[i], text, size + 1)) {
            free((char *)environment->items[i]);
            environment->items[i] = text;
            return;
        }
    string_list_add(environment, text);
}

static void keep_variable(struct string_list *environment, const char *name)
{
    const char *value = getenv(name);

    if (value)
        set_variable(environment, name, strlen(name), value);
}

void measure_environment(const struct measure *m, struct string_list *environment)
{
    if (m->deterministic) {
        keep_variable(environment, "PATH");
        keep_variable(environment, "HOME");
        set_variable(environment, "LC_ALL", 6, "C.UTF-8");
        set_variable(environment, "TZ", 2, "UTC");
    }
    for (size_t i = 0; i < m->environment.n; i++) {
        const char *text = m->environment.items[i], *value = strchr(text, '=');

        if (value)
            set_variable(environment, text, (size_t)(value - text), value + 1);
        else
            keep_variable(environment, text);
    }
}

bool measure_names(const struct string_list *environment, const char *variable)
{
    size_t size = strcspn(variable, "=");

    for (size_t i = 0; i < environment->n; i++)
        if (!strncmp(environment->items[i], variable, size) &&
            (!environment->items[i][size] || environment->items[i][size] == '='))
            return true;
    return false;
}

void measure_default(struct string_list *environment, const char *variable)
{
    if (!measure_names(environment, variable))
        string_list_add(environment, xstrdup(variable));
}

void measure_free(struct measure *measure)
{
    string_list_free(&measure->vg_options);
    string_list_free(&measure->toggles);
    string_list_free(&measure->count_args);
    string_list_free(&measure->alloc_functions);
    string_list_free(&measure->environment);
}
