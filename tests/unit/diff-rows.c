#include <config.h>

#include "../tap.h"
#include "diff/diff.h"
#include "diff/diff_lines.h"
#include "diff/same_program.h"
#include "fixture.h"

#include <stdlib.h>

static void begin(struct fixture *m, const char *events, const char *creator, const char *program)
{
    fixture_begin(m, CPROF_FORMAT_CALLGRIND, events);
    builder_header(m->b)->creator = creator;
    builder_header(m->b)->program = program;
}

/* Ir and Dr of a line, as a function's own. */
static uint32_t put(struct fixture *m, const char *name, const char *mangled, const char *file,
                    uint32_t line, int64_t ir, int64_t dr)
{
    uint32_t function = fixture_function(m, name, mangled, file, 7);

    fixture_cost(m, function, file, line, (int64_t[]){ir, dr});
    return function;
}

static void call(struct fixture *m, uint32_t caller, uint32_t callee, uint64_t count, int64_t ir)
{
    struct cprof_call edge = {.caller = caller, .callee = callee, .count = count};

    fixture_call(m, edge, NULL, (int64_t[]){ir, 0});
}

static const struct noise *const no_noise[] = {NULL, NULL};

/* "NAME OLD>NEW" of each row. */
static void is_diff(const struct diff *d, const char *want, const char *what)
{
    char got[1024] = "";
    size_t size = 0;

    for (size_t i = 0; i < d->n; i++)
        size += (size_t)snprintf(got + size, sizeof got - size, "%s%s %lld>%lld", i ? ", " : "",
                                 d->rows[i].name, (long long)d->rows[i].counts[DIFF_OLD][0],
                                 (long long)d->rows[i].counts[DIFF_NEW][0]);
    is_text(got, want, what);
}

static void test_matching(void)
{
    struct fixture m;
    struct cprof_profile *old_profile, *new_profile;
    struct columns columns;
    struct diff d;
    regex_t regex;

    begin(&m, "Ir Dr", NULL, NULL);
    put(&m, "a::f", "_ZN1a1f17h1111111111111111E", "/a/f.rs", 1, 10, 1);
    put(&m, "a::f", "_ZN1a1f17h2222222222222222E", "/a/f.rs", 1, 5, 1);
    put(&m, "a::g::{{closure}}", "_ZN1a1g28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE",
        "/a/f.rs", 9, 7, 0);
    put(&m, "gone", NULL, NULL, 0, 3, 0);
    put(&m, "same", NULL, NULL, 0, 4, 0);
    old_profile = fixture_end(&m);
    begin(&m, "Dr Fish Ir", NULL, NULL);
    {
        int64_t values[3][3] = {{1, 9, 20}, {0, 9, 8}, {0, 0, 4}};
        const char *names[] = {"a::f::h3333333333333333", "_RNCNvC1a1g0B3_", "same"};

        for (int i = 0; i < 3; i++) {
            struct cprof_cost cost = {
                builder_function(m.b, names[i], NULL, CPROF_NONE, CPROF_NONE, 0), CPROF_NONE, 0, 0};

            builder_cost(m.b, &cost, values[i]);
        }
    }
    new_profile = fixture_end(&m);
    diff_load(&d, old_profile, new_profile, no_noise);
    is_number(d.common.n, 2, "events that both have");
    is_text(d.common.items[0].name, "Dr", "common events are in the order of the new profile");
    is_text(d.missing[DIFF_OLD], "Fish", "what the old one lacks");
    ok(d.missing[DIFF_NEW] == NULL, "the new profile lacks nothing");
    is_number(d.total.counts[DIFF_OLD][1], 29, "the old total");
    is_number(d.total.counts[DIFF_NEW][1], 32, "the new total");
    is_number((long long)d.n_loose, 1, "one is matched by the second key");
    columns_load(&columns, d.common);
    diff_sort(&d, columns_find(&columns, "ir"));
    is_text(d.rows[0].name, "a::f", "the greatest change is first");
    is_number(diff_delta(columns_find(&columns, "ir"), &d.rows[0]), 5,
              "the change of functions added up");
    is_text(d.rows[1].name, "gone", "one that is gone");
    ok(d.rows[1].in[DIFF_OLD] && !d.rows[1].in[DIFF_NEW], "a function that is gone is on one side");
    is_text(d.rows[2].name, "a::g::{closure#0}", "the closure has its new name");
    is_text(d.rows[2].file, NULL, "the closure has the place of the new profile");
    ok(!diff_is_changed(columns_find(&columns, "ir"), &d.rows[3]), "what did not change is last");
    regcomp(&regex, "^a::", REG_EXTENDED | REG_NOSUB);
    diff_filter(&d, &regex, NULL);
    regfree(&regex);
    is_number((long long)d.n, 2, "filtered");
    diff_free(&d);
    columns_free(&columns);
    cprof_free(old_profile);
    cprof_free(new_profile);
}

/* callgrind's levels of recursion are one function, whose inclusive cost is not their sum. */
static void test_calls(void)
{
    struct fixture m;
    struct cprof_profile *p[2];
    struct diff d;

    for (int i = 0; i < 2; i++) {
        uint32_t main, f, f2;

        begin(&m, "Ir Dr", "callgrind-3.19.0", NULL);
        main = put(&m, "main", NULL, NULL, 0, 10, 0);
        f = put(&m, "f", NULL, NULL, 0, 20 + i, 0);
        f2 = put(&m, "f'2", NULL, NULL, 0, 30, 0);
        call(&m, main, f, 1, 50 + i);
        call(&m, f, f2, 3, 30);
        p[i] = fixture_end(&m);
    }
    diff_load(&d, p[0], p[1], no_noise);
    is_diff(&d, "f 50>51, main 10>10", "levels of recursion are one row");
    is_number((long long)d.width, 5, "levels of recursion have inclusive costs and calls");
    is_number(d.rows[0].counts[DIFF_OLD][2], 50, "inclusive cost counts once");
    is_number(d.rows[0].counts[DIFF_OLD][4], 4, "calls are added up");
    is_number(d.rows[1].counts[DIFF_NEW][2], 61, "that of the caller");
    diff_free(&d);
    cprof_free(p[0]);
    cprof_free(p[1]);
}

/* Two instances of a function, one below the other: together they cost no more than the program. */
static void test_overlap(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct diff d;
    uint32_t main, upper, lower;

    begin(&m, "Ir Dr", NULL, NULL);
    main = put(&m, "main", NULL, NULL, 0, 10, 1);
    upper = put(&m, "a::f", "_ZN1a1f17h1111111111111111E", NULL, 0, 20, 0);
    lower = put(&m, "a::f", "_ZN1a1f17h2222222222222222E", NULL, 0, 70, 0);
    call(&m, main, upper, 1, 90);
    call(&m, upper, lower, 1, 70);
    p = fixture_end(&m);
    diff_load(&d, p, p, no_noise);
    is_diff(&d, "a::f 90>90, main 10>10", "instances are one row");
    is_number(d.rows[0].counts[DIFF_OLD][2], 100, "that costs at most what the program does");
    is_number(d.rows[0].counts[DIFF_NEW][4], 2, "instances of one name have all their calls");
    diff_free(&d);
    cprof_free(p);
}

static void test_nothing(void)
{
    struct fixture m;
    struct cprof_profile *a, *b;
    struct diff d;

    begin(&m, "Ir", NULL, NULL);
    a = fixture_end(&m);
    begin(&m, "Time", NULL, NULL);
    b = fixture_end(&m);
    diff_load(&d, a, b, no_noise);
    is_number(d.common.n, 0, "no event in common");
    is_number((long long)d.n, 0, "no event in common: no rows");
    diff_free(&d);
    diff_load(&d, a, a, no_noise);
    is_number((long long)d.n, 0, "no functions, no rows");
    diff_free(&d);
    cprof_free(a);
    cprof_free(b);
}

/* One line more at the top moves all others; one that costs more is all there is to see. */
static void test_lines(void)
{
    static const int64_t costs[] = {100, 20, 30, 20, 50};
    struct fixture m;
    struct cprof_profile *old_profile, *new_profile;
    struct columns columns;
    struct diff_lines lines;
    struct diff d;

    begin(&m, "Ir Dr", NULL, "/home/a/w/target/release/w");
    for (uint32_t i = 0; i < 5; i++)
        put(&m, "f", NULL, "/home/a/w/src/f.rs", 10 + i, costs[i], 1);
    put(&m, "other", NULL, "/home/a/w/src/f.rs", 11, 1000, 1);
    old_profile = fixture_end(&m);
    begin(&m, "Ir Dr", NULL, "/home/b/w/target/release/w");
    put(&m, "f", NULL, "/home/b/w/src/f.rs", 10, 5, 1);
    for (uint32_t i = 0; i < 5; i++)
        put(&m, "f", NULL, "/home/b/w/src/f.rs", 11 + i, i == 2 ? 33 : costs[i], 1);
    new_profile = fixture_end(&m);
    diff_load(&d, old_profile, new_profile, no_noise);
    columns_load(&columns, d.common);
    diff_sort(&d, columns_find(&columns, "dr")); /* "f" grew by one Dr, "other" is gone */
    is_number((long long)d.n, 2, "two rows");
    {
        const struct diff_row *f = &d.rows[strcmp(d.rows[0].name, "f") != 0];

        diff_lines_load(&lines, &d, f, columns_find(&columns, "ir"));
    }
    is_number((long long)lines.n, 2, "two lines changed");
    ok(!lines.items[0].in[DIFF_OLD] && lines.items[0].line[DIFF_NEW] == 10, "one is new");
    is_number(lines.items[1].line[DIFF_OLD], 12, "one moved from here");
    is_number(lines.items[1].line[DIFF_NEW], 13, "to here");
    is_number(lines.items[1].counts[DIFF_NEW][0] - lines.items[1].counts[DIFF_OLD][0], 3,
              "a line that moved to here costs more");
    diff_lines_free(&lines);
    diff_free(&d);
    columns_free(&columns);
    cprof_free(old_profile);
    cprof_free(new_profile);
}

/* Where two lines stand for one, the one of about its cost is that one. */
static void test_nearest(void)
{
    static const int64_t costs[2][4] = {{100, 7, 2000, 50}, {100, 9, 30, 2100}};
    struct fixture m;
    struct cprof_profile *p[2];
    struct columns columns;
    struct diff_lines lines;
    struct diff d;

    for (int side = 0; side < 2; side++) {
        begin(&m, "Ir Dr", NULL, "/s/f");
        for (uint32_t i = 0; i < (side ? 4 : 3); i++)
            put(&m, "f", NULL, "/s/f.c", 10 + i, costs[side][i], 1);
        put(&m, "f", NULL, "/s/f.c", 20, 50, 1);
        p[side] = fixture_end(&m);
    }
    diff_load(&d, p[0], p[1], no_noise);
    columns_load(&columns, d.common);
    diff_lines_load(&lines, &d, &d.rows[0], columns_find(&columns, "ir"));
    is_number((long long)lines.n, 3, "three lines changed");
    ok(lines.items[0].line[DIFF_OLD] == 12 && lines.items[0].line[DIFF_NEW] == 13,
       "the costly one moved by a line");
    ok(!lines.items[1].in[DIFF_OLD] && lines.items[1].line[DIFF_NEW] == 12, "a cheap one is new");
    ok(lines.items[2].line[DIFF_OLD] == 11 && lines.items[2].line[DIFF_NEW] == 11,
       "the line before a new one is where it was");
    diff_lines_free(&lines);
    diff_free(&d);
    columns_free(&columns);
    cprof_free(p[0]);
    cprof_free(p[1]);
}

/* Lines are those of a file: one that is gone there is not the one that is new in another. */
static void test_files(void)
{
    static const char *const files[2][2] = {{"/s/a.c", "/s/b.h"}, {"/s/a.c", "/s/a.c"}};
    struct fixture m;
    struct cprof_profile *p[2];
    struct columns columns;
    struct diff_lines lines;
    struct diff d;

    for (int i = 0; i < 2; i++) {
        begin(&m, "Ir Dr", NULL, "/s/f");
        for (uint32_t k = 0; k < 2; k++) {
            struct cprof_cost cost = {
                builder_function(m.b, "f", NULL, CPROF_NONE, builder_file(m.b, "/s/a.c"), 7),
                builder_file(m.b, files[i][k]), 10 + k, 0};
            int64_t values[2] = {5 + 2 * k, i};

            builder_cost(m.b, &cost, values);
        }
        p[i] = fixture_end(&m);
    }
    diff_load(&d, p[0], p[1], no_noise);
    columns_load(&columns, d.common);
    diff_lines_load(&lines, &d, &d.rows[0], columns_find(&columns, "ir"));
    is_number((long long)lines.n, 2, "a line is gone and one is new");
    ok(lines.n == 2 && lines.items[0].in[DIFF_OLD] != lines.items[1].in[DIFF_OLD] &&
           lines.items[0].in[DIFF_NEW] != lines.items[1].in[DIFF_NEW],
       "a line that is gone and a new one are on one side each");
    diff_lines_free(&lines);
    diff_free(&d);
    columns_free(&columns);
    cprof_free(p[0]);
    cprof_free(p[1]);
}

static void names_program(const char *path, const char *want, const char *what)
{
    struct cprof_profile p = {.program = path};
    char *name = program_name(&p);

    is_text(name, want, what);
    free(name);
}

static void test_program_names(void)
{
    names_program("/t/deps/app-0123456789abcdef", "app", "a program without the hash of cargo");
    names_program("/t/deps/app-0123456789abcdeg", "app-0123456789abcdeg", "a name without a hash");
}

int main(void)
{
    test_matching();
    test_calls();
    test_overlap();
    test_nothing();
    test_lines();
    test_nearest();
    test_files();
    test_program_names();
    return tap_done();
}
