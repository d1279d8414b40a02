#include <config.h>

#include "bench/settings.h"

#include "base/message.h"
#include "base/output.h"
#include "bench/gates.h"
#include "bench/table.h"
#include "run/baseline.h"
#include "run/tool.h"
#include "views/compare.h"

#include <string.h>

#define AT(member) offsetof(struct session_settings, member)

static const char *const sort_names[] = {"listed", "cost", "name", "change", NULL};

const struct option_def session_bench_targets[] = {
    {.name = "bench",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "NAME",
     .offset = AT(build.bench),
     .help = "the benches of this target only"},
    {.name = "lib",
     .kind = OPTION_FLAG,
     .offset = AT(build.lib),
     .help = "the library's own benches only"},
    {.name = "benches",
     .kind = OPTION_FLAG,
     .offset = AT(build.benches),
     .help = "all benches of folders benches/ only"},
    {.name = "package",
     .letter = 'p',
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "SPEC",
     .offset = AT(build.package),
     .help = "the benches of this package only"},
    {.name = "workspace",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .offset = AT(build.workspace),
     .help = "the benches of all packages of the workspace"},
    {.name = NULL}};

const struct option_def session_test_targets[] = {
    {.name = "test",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "NAME",
     .offset = AT(build.test),
     .help = "this integration test only"},
    {.name = "lib",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .offset = AT(build.lib),
     .help = "the library's unit tests only"},
    {.name = "bin",
     .kind = OPTION_ONCE,
     .value = "NAME",
     .offset = AT(build.bin),
     .help = "the unit tests of this binary only"},
    {.name = "bins",
     .kind = OPTION_FLAG,
     .offset = AT(build.bins),
     .help = "the unit tests of all binaries only"},
    {.name = "doc", .kind = OPTION_FLAG, .offset = AT(build.doc), .help = "doc tests only"},
    {.name = "tests",
     .kind = OPTION_FLAG,
     .offset = AT(build.tests),
     .help = "all unit and integration tests"},
    {.name = "package",
     .letter = 'p',
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "SPEC",
     .offset = AT(build.package),
     .help = "the tests of this package only"},
    {.name = "workspace",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .offset = AT(build.workspace),
     .help = "the tests of all packages of the workspace"},
    {.name = NULL}};

#define CACHES                                                                                    \
    {                                                                                             \
        .name = "cache-sim", .kind = OPTION_FLAG | OPTION_USUAL, .offset = AT(measure.cache_sim), \
        .help = "model the caches too: D1 and LL misses"                                          \
    }
#define SORT(order)                                                                  \
    {                                                                                \
        .name = "sort", .kind = OPTION_CHOICE, .value = "ORDER", .offset = AT(sort), \
        .help = order, .choices = sort_names                                         \
    }
const struct option_def session_bench_options[] = {
    CACHES,
    {.name = "parallel",
     .kind = OPTION_NUMBER | OPTION_USUAL,
     .value = "N",
     .offset = AT(parallel),
     .help = "run so many benches side by side (as many as there are processors)"},
    {.name = "cycles",
     .kind = OPTION_FLAG,
     .offset = AT(cycles),
     .help = "estimate cycles, too: Ir + 10 first-level misses + 100 last-level misses; models "
             "the caches"},
    SORT("order of rows: as they are listed (usual), by cost, by name, or by change"),
    {.name = NULL}};
const struct option_def session_test_options[] = {
    CACHES,
    SORT("order of rows: by cost (usual), by name, by change, or as they are listed"),
    {.name = NULL}};

#define BASELINES(gate)                                                                          \
    {                                                                                            \
        {.name = "save-baseline",                                                                \
         .kind = OPTION_STRING | OPTION_USUAL,                                                   \
         .value = "NAME",                                                                        \
         .offset = AT(save_baseline),                                                            \
         .help = "keep the counts under a name, for --baseline"},                                \
            {.name = "baseline",                                                                 \
             .kind = OPTION_STRING | OPTION_USUAL,                                               \
             .value = "NAME",                                                                    \
             .offset = AT(baseline),                                                             \
             .help = "compare with the counts of that name"},                                    \
            {.name = "fail-if",                                                                  \
             .kind = OPTION_LIST | OPTION_USUAL,                                                 \
             .value = "EXPR",                                                                    \
             .offset = AT(fail_if),                                                              \
             .help = "end with status 3 if this holds: '" gate "(parse*): ir>+1%', or 'ir>+1%' " \
                     "for all of them together; more behind ';'"},                               \
        {                                                                                        \
            .name = NULL                                                                         \
        }                                                                                        \
    }
const struct option_def session_bench_baselines[] = BASELINES("bench");
const struct option_def session_test_baselines[] = BASELINES("test");

const struct option_def session_output_options[] = {
    {.name = "limit",
     .letter = 'n',
     .kind = OPTION_NUMBER,
     .value = "N",
     .offset = AT(show.limit),
     .help = "show N rows; 0 shows all"},
    {.name = "color",
     .kind = OPTION_CHOICE,
     .value = "WHEN",
     .offset = AT(show.color),
     .help = "colours: auto (on a terminal without NO_COLOR), always, never",
     .choices = show_color_names},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_STRING,
     .value = "FILE",
     .offset = AT(show.output),
     .help = "write to a file, whole or not at all"},
    {.name = "format",
     .kind = OPTION_CHOICE,
     .value = "FORMAT",
     .offset = AT(show.format),
     .help = "write a table for people, or one of Markdown: table, md",
     .choices = show_format_names},
    {.name = "summary",
     .kind = OPTION_FLAG,
     .offset = AT(show.summary),
     .help = "append it as Markdown to the file that $GITHUB_STEP_SUMMARY names, too"},
    {.name = "json",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .offset = AT(json),
     .help = "write JSON (schema cprof-bench/1) instead of a table"},
    {.name = NULL}};

int session_check(const struct session_settings *s, const struct option_result *result,
                  struct gates *gates)
{
    const char *names[] = {s->baseline, s->save_baseline};
    int status = 0;

    if (result->operands.n > 1)
        return message_usage(
            "'%s' and '%s' are two filters; give one, which is a part of the names "
            "of the %s that are wanted",
            result->operands.items[0], result->operands.items[1], s->tests ? "tests" : "benches");
    if (result->rest && *result->rest && !s->tests)
        return message_usage("'%s' behind --: a bench gets no arguments but those that run it once",
                             *result->rest);
    for (size_t i = 0; i < 2 && !status; i++) {
        const char *problem = names[i] ? baseline_name_problem(names[i]) : NULL;

        if (problem)
            status = message_usage("'%s' is no name for a baseline: %s", names[i], problem);
    }
    if (!status && s->build.doc &&
        (s->build.test || s->build.lib || s->build.bin || s->build.bins || s->build.tests))
        status = message_usage("--doc is for doc tests alone; leave it out, or the other");
    if (!status && s->build.package && s->build.workspace)
        status = message_usage("--package and --workspace exclude each other; choose one");
    if (!status && !s->baseline && (s->fail_if.n || s->sort == SORT_CHANGE))
        status = message_usage("%s needs --baseline, the counts to compare with",
                               s->fail_if.n ? "--fail-if" : "--sort change");
    if (!status)
        status = build_request_check(&s->build);
    if (!status)
        status = measure_check(&s->measure);
    if (!status && s->measure.count_args.n)
        status = message_usage("--count-arg is not for rows of %s; take 'cargo cprof callgrind %s'",
                               s->tests ? "tests" : "benches",
                               s->tests ? "--test NAME" : "--bench NAME");
    if (!status && s->show.output)
        status = output_check(s->show.output);
    if (!status)
        status = compare_read_gates(&s->fail_if, gates);
    if (!status)
        status = bench_gates_check(gates, s->tests);
    return status ? status : tool_check();
}
