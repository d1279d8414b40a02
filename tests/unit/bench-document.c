#include <config.h>

#include "../tap.h"
#include "bench/document.h"
#include "bench/gates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW(name, iterations, counts)                      \
    "{\"package\":\"p\",\"target\":\"t\",\"name\":\"" name \
    "\",\"harness\":\"libtest\",\"iterations\":" iterations ",\"counts\":" counts "}"
#define DOCUMENT(events, rows) \
    "{\"schema\":\"cprof-bench/1\",\"events\":" events ",\"rows\":[" rows "]}"

static json_t *parse(const char *text)
{
    return json_loads(text, 0, NULL);
}

static void is_refused(const char *text, const char *name)
{
    json_t *document = parse(text);
    struct bench_rows rows;
    bool read = bench_rows_read(&rows, document);

    ok(!read, "%s", name);
    if (read)
        bench_rows_free(&rows);
    json_decref(document);
}

static void test_reading(void)
{
    json_t *document =
        parse(DOCUMENT("[\"Ir\"]", ROW("a", "1", "{\"Ir\":7}") "," ROW(
                                       "b", "4", "{\"Ir\":10}") "," ROW("c", "4", "{\"Ir\":9}")));
    struct bench_rows rows;

    ok(bench_rows_read(&rows, document) && rows.n == 3, "rows");
    is_number(rows.items[0].counts[0], 7, "one iteration");
    is_number(rows.items[1].counts[0], 3, "a mean, rounded up");
    is_number(rows.items[2].counts[0], 2, "a mean, rounded down");
    bench_rows_free(&rows);
    json_decref(document);
    is_refused("[]", "no object");
    is_refused("{\"schema\":\"cprof-diff/1\",\"events\":[],\"rows\":[]}", "another schema");
    is_refused(DOCUMENT("[1]", ""), "an event without a name");
    is_refused(DOCUMENT("[\"Ir\"]", ROW("a", "0", "{\"Ir\":7}")), "no iteration");
    is_refused(DOCUMENT("[\"Ir\"]", ROW("a", "1", "{\"Ir\":-7}")), "a count below 0");
    is_refused(DOCUMENT("[\"Ir\"]", ROW("a", "1", "{\"Dr\":7}")), "a count that is missing");
    is_refused(DOCUMENT("[\"Ir\"]", "{\"name\":\"a\"}"), "a row without its target");
}

static int hold(const char *text, const struct bench_rows *rows, const struct bench_rows *old)
{
    struct gates gates = {.n = 0};
    struct gate_error error;
    int status;

    if (gate_parse(&gates, text, &error))
        return -1;
    status = bench_gates_hold(&gates, rows, old);
    gates_free(&gates);
    return status;
}

static void test_comparing(void)
{
    json_t *now = parse(DOCUMENT("[\"Ir\",\"Dr\"]", ROW("a", "1", "{\"Ir\":110,\"Dr\":1}") "," ROW(
                                                        "new", "1", "{\"Ir\":500,\"Dr\":1}")));
    json_t *then = parse(
        DOCUMENT("[\"Ir\"]", ROW("a", "2", "{\"Ir\":200}") "," ROW("gone", "1", "{\"Ir\":900}")));
    struct bench_rows rows, old;
    int64_t before, after;

    ok(bench_rows_read(&rows, now) && bench_rows_read(&old, then), "two documents");
    is_number((int64_t)bench_rows_compare(&rows, &old), 1, "one row is gone");
    ok(bench_change(&rows, &rows.items[0], "ir", &before, &after) && before == 100 && after == 110,
       "a change of one iteration");
    ok(!bench_change(&rows, &rows.items[0], "Dr", &before, &after), "an event that one side lacks");
    ok(!bench_change(&rows, &rows.items[1], "Ir", &before, &after), "a row that is new");
    is_number(hold("bench(a): ir>+9%", &rows, &old), 3, "a gate that holds");
    is_number(hold("bench(a): ir>+10%", &rows, &old), 0, "one that does not");
    is_number(hold("bench(*): ir>+400", &rows, &old), 3, "a limit that counts new ones from 0");
    is_number(hold("bench(n*): ir>+1%", &rows, &old), 0, "one that has nothing to be relative to");
    is_number(hold("ir>+10", &rows, &old), 0, "the sum of the rows that both have");
    is_number(hold("ir>+9", &rows, &old), 3, "a limit below the growth of that sum, 10, holds");
    is_number(hold("bench(x): ir>+1", &rows, &old), 1, "a pattern that matches nothing");
    is_number(hold("bench(a): dr>+1", &rows, &old), 1, "a count that the baseline lacks");
    is_number(hold("bench(a): ir>+9% and bench(a): ir>+9", &rows, &old), 3,
              "joined gates that hold both");
    is_number(hold("bench(a): ir>+9% and bench(a): ir>+10", &rows, &old), 0,
              "joined gates of which one does not hold");
    is_number(hold("bench(*): ir>+9% and bench(*): ir>+400", &rows, &old), 0,
              "joined gates of one pattern, each of which another row fails");
    is_number(hold("bench(a): ir>+9% and bench(new): ir>+400", &rows, &old), 3,
              "joined gates of two patterns, each of which some row fails");
    is_number(hold("bench(a): ir>+9% and ir>+10", &rows, &old), 0,
              "a row that fails, and all together, which do not");
    is_number(hold("bench(a): ir>+9% and ir>+10 or ir>+9", &rows, &old), 3,
              "joined gates that do not hold, or one that does");
    is_number(hold("bench(a): ir>+9% and bench(x): ir>+1", &rows, &old), 1,
              "a joined gate whose pattern matches nothing");
    bench_rows_free(&rows);
    bench_rows_free(&old);
    json_decref(now);
    json_decref(then);
}

/* How the environments of two documents differ. The caller frees it. */
static char *environments(const char *new_text, const char *old_text)
{
    json_t *now = parse(new_text), *then = parse(old_text);
    struct environment_diff diff = {.n = 0};
    struct bench_rows rows, old;
    char *text = NULL;

    if (bench_rows_read(&rows, now)) {
        if (bench_rows_read(&old, then)) {
            bench_rows_compare(&rows, &old);
            bench_environments(&rows, &diff);
            text = environment_diff_text(&diff);
            environment_diff_free(&diff);
            bench_rows_free(&old);
        }
        bench_rows_free(&rows);
    }
    json_decref(now);
    json_decref(then);
    return text;
}

#define PLACED(environments, a, b)                                                     \
    "{\"schema\":\"cprof-bench/1\",\"events\":[\"Ir\"],\"environments\":" environments \
    ",\"rows\":[" PLACED_ROW("a", a) "," PLACED_ROW("b", b) "]}"
#define PLACED_ROW(name, environment)                                    \
    "{\"package\":\"p\",\"target\":\"t\",\"name\":\"" name               \
    "\",\"harness\":\"libtest\",\"iterations\":1,\"counts\":{\"Ir\":1}," \
    "\"environment\":" environment "}"

static void test_environments(void)
{
    static const struct {
        const char *now, *then, *text, *name;
    } cases[] = {
        {PLACED("[{\"kernel\":\"6.2\",\"libc\":\"0123456789abcdef\"}]", "0", "0"),
         PLACED("[{\"kernel\":\"6.1\",\"libc\":\"fedcba9876543210\"}]", "0", "0"),
         "kernel 6.1 -> 6.2; libc build fedcba987654 -> 0123456789ab",
         "what differs in each row is told once"},
        {PLACED("[{\"kernel\":\"6.1\"},{\"kernel\":\"6.2\"}]", "1", "0"),
         PLACED("[{\"kernel\":\"6.1\"},{\"kernel\":\"6.2\"}]", "1", "0"), NULL,
         "rows are compared with their own environments"},
        {PLACED("[{\"lock\":\"1\"},{\"lock\":\"2\"}]", "0", "1"),
         PLACED("[{\"lock\":\"1\"}]", "0", "0"), "Cargo.lock 1 -> 2",
         "one row of another environment"},
        {PLACED("[{\"kernel\":\"6.2\"}]", "0", "0"), PLACED("[{\"lock\":\"1\"}]", "0", "0"), NULL,
         "a fact that one side lacks"},
        {PLACED("[{\"kernel\":\"6.2\"}]", "-1", "1"), PLACED("[{\"kernel\":\"6.1\"}]", "0", "0"),
         NULL, "environments that are not there"},
        {PLACED("[{\"kernel\":\"6.2\"}]", "0", "0"),
         DOCUMENT("[\"Ir\"]", ROW("a", "1", "{\"Ir\":1}")), NULL,
         "a baseline without environments"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = environments(cases[i].now, cases[i].then);

        is_text(text, cases[i].text, cases[i].name);
        free(text);
    }
}

int main(void)
{
    test_reading();
    test_comparing();
    test_environments();
    return tap_done();
}
