#include <config.h>

#include "../tap.h"
#include "diff/diff.h"
#include "diff/gate.h"
#include "fixture.h"

#include <stdlib.h>

/* Reads an expression, and shows what was read as "SCOPE PATTERN COLUMN COMPARE LIMIT NUMBER/SCALE"
 * each, or where it is wrong. */
static void reads(const char *text, const char *want)
{
    static const char *const scopes[] = {"total",   "each",  "incl", "sum",
                                         "section", "bench", "test", "clock"};
    static const char *const compares[] = {">", ">=", "<", "<="};
    static const char *const limits[] = {"level", "change", "percent"};
    struct gates gates = {.n = 0};
    struct gate_error error;
    char got[1024] = "";
    size_t size = 0;

    if (gate_parse(&gates, text, &error) != 0)
        snprintf(got, sizeof got, "%zu: %s", error.at, error.text);
    for (size_t i = 0; i < gates.n; i++) {
        const struct gate *g = &gates.items[i];

        size += (size_t)snprintf(got + size, sizeof got - size, "%s%s %s %s %s %s %lld/%lld",
                                 g->joined ? " and "
                                 : i       ? "; "
                                           : "",
                                 scopes[g->scope], g->pattern ? g->pattern : "-", g->column,
                                 compares[g->compare], limits[g->limit], (long long)g->number,
                                 (long long)g->scale);
    }
    is_text(got, want, text);
    gates_free(&gates);
}

static void test_parser(void)
{
    reads("ir>+2%", "total - ir > percent 2/1");
    reads(" Ir >= + 2.5 % ", "total - Ir >= percent 25/10");
    reads("nnet::*: ir>+1%", "each nnet::* ir > percent 1/1");
    reads("nnet::*:ir>+1%", "each nnet::* ir > percent 1/1");
    reads("incl( nnet::train ) : ir>+1%", "incl nnet::train ir > percent 1/1");
    reads("sum(nnet::*): d1mr<-10", "sum nnet::* d1mr < change -10/1");
    reads("section(parse): ir>+1%", "section parse ir > percent 1/1");
    reads("bench(parse/*): ir>+1%", "bench parse/* ir > percent 1/1");
    reads("test(a::b): ir>+1", "test a::b ir > change 1/1");
    reads("d1mr>+1000", "total - d1mr > change 1000/1");
    reads("d1mr>+1_000k", "total - d1mr > change 1000000/1");
    reads("ir<=5G", "total - ir <= level 5000000000/1");
    reads("ir>+1.5k", "total - ir > change 1500/1");
    reads("ir>+0.000001%", "total - ir > percent 1/1000000");
    reads("ir>+2%;a: ir>1", "total - ir > percent 2/1; each a ir > level 1/1");
    reads("ir>+2%;", "total - ir > percent 2/1");
    reads("<[u8; 4] as a::B>::f: ir>+2%", "each <[u8; 4] as a::B>::f ir > percent 2/1");
    reads("<A as B>::f: ir>+2%", "each <A as B>::f ir > percent 2/1");
    reads("ir>9223372036854775807", "total - ir > level 9223372036854775807/1");
    reads("ir>+2% and d1mr>+10", "total - ir > percent 2/1 and total - d1mr > change 10/1");
    reads("a: ir>1 and b: ir>2 or c: ir>3;d: ir>4",
          "each a ir > level 1/1 and each b ir > level 2/1; each c ir > level 3/1; "
          "each d ir > level 4/1");
    reads("section(load and parse): ir>+1% or section(a or b): ir > 5M",
          "section load and parse ir > percent 1/1; section a or b ir > level 5000000/1");
    reads("ir >= + 2 % and ir<9", "total - ir >= percent 2/1 and total - ir < level 9/1");
    reads("time", "clock - time > level 0/0");
    reads("ir>+1% and Time or time",
          "total - ir > percent 1/1 and clock - time > level 0/0; clock - time > level 0/0");
    reads(" time  and a::b: time>1", "clock - time > level 0/0 and each a::b time > level 1/1");
    reads("time>+5%", "total - time > percent 5/1"); /* a count of others */
    /* Errors, and their places. */
    reads("", "0: expected the name of a count, as in 'ir>+2%'");
    reads(";", "0: expected the name of a count, as in 'ir>+2%'");
    reads("ir", "2: expected '>', '>=', '<' or '<=' behind the name of a count");
    reads("ir=3", "2: expected '>', '>=', '<' or '<=' behind the name of a count");
    reads("ir==3", "2: expected '>', '>=', '<' or '<=' behind the name of a count");
    reads("ir=>2", "2: expected '>=' or '<=', with the '=' last");
    reads("ir=<-2%", "2: expected '>=' or '<=', with the '=' last");
    reads("ir>", "3: expected a number");
    reads("ir>+", "4: expected a number");
    reads("ir>2%", "3: a percentage needs a sign: '+2%' is a growth by 2 %");
    reads("ir>+2.5", "3: expected a whole number, or one in %");
    reads("ir>+2.%", "6: expected a number");
    reads("ir>+2% x", "7: expected the end, or 'and', 'or' or ';' and another condition");
    reads("a: time", "7: expected '>', '>=', '<' or '<=' behind the name of a count");
    reads("times", "5: expected '>', '>=', '<' or '<=' behind the name of a count");
    reads("ir>+2% and", "10: expected the name of a count, as in 'ir>+2%'");
    reads("ir>+2% or ; ir>1", "10: expected the name of a count, as in 'ir>+2%'");
    reads("and ir>+2%", "4: expected '>', '>=', '<' or '<=' behind the name of a count");
    reads("ir>+2%; ir", "10: expected '>', '>=', '<' or '<=' behind the name of a count");
    reads("ir>9223372036854775808", "3: the number has too many digits");
    reads("ir>+9223372036854775807k", "4: the number is too large");
    reads("ir>+0.0000001%", "6: the number has too many digits");
    reads(": ir>+2%", "0: expected the name of a function, or a pattern");
    reads("incl(): ir>+2%", "5: expected the name of a function, or a pattern");
    reads("bench(other: ir>+1%", "11: ')' is missing");
    reads("sum( a::b : ir>+1%", "9: ')' is missing");
    reads("a::b ir>+2%",
          "0: expected the name of a count; behind a function stands ': ', as in 'a::*: ir>+2%'");
    reads("a::ir>+2%",
          "0: expected the name of a count; behind a function stands ': ', as in 'a::*: ir>+2%'");
    reads("ir>_1", "3: expected a number");
}

static void matches(const char *pattern, const char *name, bool want)
{
    ok(gate_matches(pattern, name) == want, "%s %s %s", pattern, want ? "matches" : "is not", name);
}

static void test_patterns(void)
{
    char stars[128], letters[4096];

    matches("nnet::*", "nnet::matrix::Matrix::dot", true);
    matches("nnet::*", "nnet", false);
    matches("*::dot", "nnet::matrix::Matrix::dot", true);
    matches("*::dot", "nnet::dot::f", false);
    matches("n?et::main", "nnet::main", true);
    matches("main", "nnet::main", false);
    matches("gr??e*", "größe::f", true); /* two characters of two bytes */
    matches("gr????e*", "größe::f", false);
    matches("*?e", "größe", true);
    matches("*ß?", "größe", true);
    matches("a?c",
            "a\xff"
            "c",
            true); /* not UTF-8: a byte is a character */
    matches("*", "", true);
    matches("", "a", false);
    matches("a*b*c", "aXbbXc", true);
    memset(letters, 'a', sizeof letters - 1);
    letters[sizeof letters - 1] = '\0';
    for (size_t i = 0; i < sizeof stars - 1; i++)
        stars[i] = i % 2 ? 'a' : '*';
    strcpy(stars + sizeof stars - 2, "b");
    matches(stars, letters, false); /* in no time */
}

static struct cprof_profile *make(const int64_t counts[4])
{
    static const char *const names[] = {"a::f", "a::g", "b::f", "b::g"};
    struct fixture m;

    fixture_begin(&m, CPROF_FORMAT_CALLGRIND, "Ir");
    for (int i = 0; i < 4; i++)
        if (counts[i])
            fixture_cost(&m, fixture_function(&m, names[i], NULL, NULL, 0), NULL, 1, &counts[i]);
    return fixture_end(&m);
}

/* Tells the answer that `data` is, and counts how often. */
struct told {
    enum pace_answer answer;
    int n;
};

static struct pace tell(void *data)
{
    struct told *told = data;

    told->n++;
    return (struct pace){
        .answer = told->answer, .n_pairs = 8, .old_seconds = .5, .new_seconds = .75};
}

static const struct pace_source *now; /* for gates on time */

/* Adds ", NAME OLD NEW" of each, which `mark` stands before. */
static void put_offenders(char *got, size_t room, const struct gate_offenders *list,
                          const char *mark)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct gate_offender *o = &list->items[i];
        size_t size = strlen(got);

        snprintf(got + size, room - size, "%s%s%s %lld %lld", size ? ", " : "", mark,
                 o->name ? o->name : "-", (long long)o->count[DIFF_OLD].value,
                 (long long)o->count[DIFF_NEW].value);
    }
}

/* The counts that fail an expression: "NAME OLD NEW" each, and "?NAME OLD NEW" where that cannot be
 * told. */
static void holds(const struct diff *diff, const char *text, const char *want)
{
    struct gates gates = {.n = 0};
    struct gate_error error;
    struct gate_result result;
    struct columns columns;
    char got[512] = "";

    columns_load(&columns, diff->common);
    if (gate_parse(&gates, text, &error) != 0)
        ok(0, "%s: %s", text, error.text);
    gates.pace = now;
    gates_check(&result, &gates, diff, &columns);
    if (result.broken)
        snprintf(got, sizeof got, "problem %d", (int)result.problem);
    put_offenders(got, sizeof got, &result.failed, "");
    put_offenders(got, sizeof got, &result.undecided, "?");
    is_text(got, want, text);
    gate_result_free(&result);
    gates_free(&gates);
    columns_free(&columns);
}

/* A profile of main() and f(), which it calls, and which has that inclusive cost. */
static struct cprof_profile *make_call(int64_t of_main, int64_t of_f)
{
    struct fixture m;
    uint32_t main_function, f;

    fixture_begin(&m, CPROF_FORMAT_CALLGRIND, "Ir");
    main_function = fixture_function(&m, "a::main", NULL, NULL, 0);
    f = fixture_function(&m, "a::f", NULL, NULL, 0);
    fixture_cost(&m, main_function, NULL, 1, &of_main);
    fixture_cost(&m, f, NULL, 2, &of_f);
    fixture_call(&m, (struct cprof_call){.caller = main_function, .callee = f, .count = 1}, NULL,
                 &of_f);
    return fixture_end(&m);
}

static void test_inclusive_noise(void)
{
    struct cprof_profile *runs[] = {make_call(100, 1000), make_call(103, 1040)};
    struct noise noise;

    noise_measure(&noise, (const struct cprof_profile *const *)runs, 2, false);
    is_number(noise_spread(noise_find(&noise, "a::main"), 0), 3, "the spread of own costs");
    is_number(noise_spread(noise_find(&noise, "a::main"), 1), 43, "the spread of inclusive costs");
    noise_free(&noise);
    for (int i = 0; i < 2; i++)
        cprof_free(runs[i]);
}

static void test_gates(void)
{
    const struct noise *none[] = {NULL, NULL};
    struct cprof_profile *old = make((int64_t[]){1000, 2000, 500, 0});
    struct cprof_profile *new = make((int64_t[]){1030, 2000, 0, 100});
    struct diff diff;

    diff_load(&diff, old, new, none);
    holds(&diff, "a::*: ir>+2%", "a::f 1000 1030");
    holds(&diff, "a::*: ir>+3%", "");
    holds(&diff, "a::*: ir>=+3%", "a::f 1000 1030");
    holds(&diff, "a::*: ir>+2.999999%", "a::f 1000 1030");
    holds(&diff, "a::*: ir>+29", "a::f 1000 1030");
    holds(&diff, "*: ir>=2000", "a::g 2000 2000");
    holds(&diff, "ir>+10%", "");
    holds(&diff, "ir<-1%", "- 3500 3130");
    holds(&diff, "b::*: ir>+1%", "");            /* b::g is new */
    holds(&diff, "b::*: ir>+99", "b::g 0 100");  /* and counts from 0 */
    holds(&diff, "b::*: ir<-50%", "b::f 500 0"); /* b::f is gone */
    holds(&diff, "sum(b::*): ir<-1", "b::* 500 100");
    holds(&diff, "sum(a::*): ir>+0.9%", "a::* 3000 3030");
    holds(&diff, "sum(a::*): ir>+1%", "");
    holds(&diff, "c::*: ir>+1%", "problem 3");
    holds(&diff, "incl(a::*): ir>+1%", "problem 2");
    holds(&diff, "dr>+1%", "problem 1");
    holds(&diff, "sum(b::g): ir>+2%", "b::g 0 100"); /* from 0: more than any percentage */
    holds(&diff, "sum(b::g): ir>=+900000%", "b::g 0 100");
    holds(&diff, "sum(b::g): ir<+2%", "");
    holds(&diff, "ir>+1; a::f: ir>+1; sum(*): ir<-1", "a::f 1000 1030, * 3500 3130");
    holds(&diff, "a::f: ir>+1 and ir<-1", "a::f 1000 1030, - 3500 3130");
    holds(&diff, "a::f: ir>+1 and ir>+1", "");
    holds(&diff, "ir>+1 and a::f: ir>+1 or a::g: ir>1", "a::g 2000 2000");
    holds(&diff, "a::f: ir>+1 and dr>1", "problem 1");
    diff_free(&diff);
    cprof_free(old);
    cprof_free(new);
}

/* A program that counted nothing before: nothing is 0 %, growth is more than any percentage. */
static void test_from_nothing(void)
{
    const struct noise *none[] = {NULL, NULL};
    struct cprof_profile *old = make((int64_t[]){0, 0, 0, 0});
    struct cprof_profile *new = make((int64_t[]){1, 0, 0, 0});
    struct diff diff;

    diff_load(&diff, old, new, none);
    holds(&diff, "ir>+2%", "- 0 1");
    holds(&diff, "ir>=+1000000%", "- 0 1");
    holds(&diff, "ir<+2%", "");
    holds(&diff, "ir<=-2%", "");
    holds(&diff, "a::f: ir>+2%", ""); /* a new function */
    diff_free(&diff);
    diff_load(&diff, old, old, none);
    holds(&diff, "ir>+2%", "");
    holds(&diff, "ir>=+2%", "");
    holds(&diff, "ir>=+0%", "- 0 0");
    holds(&diff, "ir<+2%", "- 0 0");
    diff_free(&diff);
    cprof_free(old);
    cprof_free(new);
}

/* The counts that fail an expression where time has that answer, and how often it was asked. */
static void holds_in_time(const struct diff *diff, enum pace_answer answer, const char *text,
                          const char *want, int asked)
{
    struct told told = {.answer = answer};
    const struct pace_source pace = {tell, &told};

    now = &pace;
    holds(diff, text, want);
    is_number(told.n, asked, text);
    now = NULL;
}

static void test_time(void)
{
    const struct noise *none[] = {NULL, NULL};
    struct cprof_profile *old = make((int64_t[]){1000, 2000, 500, 0});
    struct cprof_profile *new = make((int64_t[]){1030, 2000, 500, 100});
    struct diff diff;

    diff_load(&diff, old, new, none);
    holds_in_time(&diff, PACE_SLOWER, "time", "- 500000 750000", 1);
    holds_in_time(&diff, PACE_FASTER, "time", "", 1);
    holds_in_time(&diff, PACE_UNKNOWN, "time", "", 1);
    holds_in_time(&diff, PACE_SLOWER, "time and ir>+1%", "- 3500 3630, - 500000 750000", 1);
    holds_in_time(&diff, PACE_UNKNOWN, "ir>+1% and time", "", 1);
    holds_in_time(&diff, PACE_SLOWER, "ir>+5% and time", "", 0);
    holds_in_time(&diff, PACE_SLOWER, "time and dr>1", "problem 1", 0);
    holds_in_time(&diff, PACE_UNKNOWN, "time or ir>+1% and time; ir>+1%", "- 3500 3630", 1);
    diff_free(&diff);
    cprof_free(old);
    cprof_free(new);
}

/* A profile with sections of these costs and entries; those of 0 entries it has not. */
static struct cprof_profile *make_sections(const int64_t costs[3], const uint64_t entries[3])
{
    static const char *const names[] = {"parse", "parse/field", "load"};
    const int64_t total = 5000;
    struct fixture m;

    fixture_begin(&m, CPROF_FORMAT_RAW, "Ir");
    fixture_cost(&m, fixture_function(&m, "main", NULL, NULL, 0), NULL, 1, &total);
    for (int i = 0; i < 3; i++) {
        uint32_t section;

        if (!entries[i])
            continue;
        section = builder_section(m.b, names[i]);
        builder_section_entries(m.b, section,
                                &(struct cprof_section){.began = entries[i], .ended = entries[i]});
        builder_section_cost(m.b, section, &costs[i]);
    }
    return fixture_end(&m);
}

static void test_sections(void)
{
    const struct noise *none[] = {NULL, NULL};
    struct cprof_profile *old = make_sections((int64_t[]){1000, 400, 30}, (uint64_t[]){10, 20, 1});
    struct cprof_profile *new = make_sections((int64_t[]){1010, 300, 0}, (uint64_t[]){11, 20, 0});
    struct diff diff;

    diff_load(&diff, old, new, none);
    holds(&diff, "section(parse): ir>+1%", "");
    holds(&diff, "section(parse): ir>=+1%", "parse 1000 1010");
    holds(&diff, "section(parse): ir>+9", "parse 1000 1010");
    holds(&diff, "section(parse): ir>1009", "parse 1000 1010");
    holds(&diff, "section(parse*): ir<-20%", "parse/field 400 300");
    holds(&diff, "section(*): ir>0", "parse 1000 1010, parse/field 400 300");
    holds(&diff, "section(load): ir<-50%", "load 30 0"); /* gone */
    holds(&diff, "section(nothing): ir>1", "problem 4");
    holds(&diff, "section(main): ir>1", "problem 4"); /* a function is none */
    holds(&diff, "parse: ir>1", "problem 3");         /* and a section no function */
    diff_free(&diff);
    diff_load(&diff, new, old, none);
    holds(&diff, "section(load): ir>+1%", ""); /* new: no percentage relates to it */
    holds(&diff, "section(load): ir>+29", "load 0 30");
    diff_free(&diff);
    cprof_free(old);
    cprof_free(new);
}

/* Runs that differ: what they differ by is no change. */
static void test_floors(void)
{
    struct cprof_profile *runs[] = {make((int64_t[]){1000, 2000, 500, 0}),
                                    make((int64_t[]){1040, 2000, 490, 0})};
    struct cprof_profile *new = make((int64_t[]){1045, 2041, 0, 100});
    struct noise noise;
    const struct noise *old_side[] = {&noise, NULL}, *new_side[] = {NULL, &noise};
    struct diff diff;

    noise_measure(&noise, (const struct cprof_profile *const *)runs, 2, false);
    is_number(noise_spread(noise_find(&noise, "a::f"), 0), 40, "the spread of a function");
    is_number(noise_spread(&noise.total, 0), 30, "the spread of the program");
    ok(noise_find(&noise, "nothing") == NULL, "the spread of what is no function");
    diff_load(&diff, runs[1], new, old_side);
    holds(&diff, "a::*: ir>+0", "a::g 2000 2041");
    holds(&diff, "a::*: ir>=1045", "a::f 1040 1045, a::g 2000 2041");
    holds(&diff, "sum(a::*): ir>+0", "a::* 3040 3086");
    holds(&diff, "sum(a::f): ir>+0", "");           /* 5 more, where runs differ by 40 */
    holds(&diff, "sum(b::f): ir<-1", "b::f 490 0"); /* and 490 less */
    is_number(diff.runs, 2, "how many runs");
    diff_free(&diff);
    diff_load(&diff, runs[0], new, new_side);
    holds(&diff, "a::f: ir>+0", "a::f 1000 1045");
    holds(&diff, "sum(a::f): ir>+0", "a::f 1000 1045");
    diff_free(&diff);
    noise_free(&noise);
    for (int i = 0; i < 2; i++)
        cprof_free(runs[i]);
    cprof_free(new);
}

/* The noise of `n` profiles, each of which has another order of threads. */
static void measure_orders(struct noise *noise, struct cprof_profile *const *profiles, size_t n)
{
    noise_measure(noise, (const struct cprof_profile *const *)profiles, n, true);
}

/* Holds what is gone up by `grown` in a::f, of which the first order has 1020, against gates. The
 * other orders are `moved` further or nearer. */
static void holds_moved(int64_t grown, int64_t moved, const char *text, const char *want)
{
    struct cprof_profile *old[] = {make((int64_t[]){1020, 2000, 500, 0}),
                                   make((int64_t[]){1000, 2000, 500, 0}),
                                   make((int64_t[]){1040, 2000, 490, 0})};
    struct cprof_profile *new[] = {
        make((int64_t[]){1020 + grown, 2000, 500, 0}),
        make((int64_t[]){1000 + grown + moved, 2000, 500, 0}),
        make((int64_t[]){1040 + grown - moved, 2000, 490 + moved / 2, 0})};
    struct noise noise[DIFF_SIDES];
    struct diff diff;

    measure_orders(&noise[DIFF_OLD], old, 3);
    measure_orders(&noise[DIFF_NEW], new, 3);
    diff_load(&diff, old[0], new[0], (const struct noise *[]){&noise[DIFF_OLD], &noise[DIFF_NEW]});
    holds(&diff, text, want);
    diff_free(&diff);
    for (int side = 0; side < DIFF_SIDES; side++)
        noise_free(&noise[side]);
    for (int i = 0; i < 3; i++) {
        cprof_free(old[i]);
        cprof_free(new[i]);
    }
}

static void holds_grown(int64_t grown, const char *text, const char *want)
{
    holds_moved(grown, 10, text, want);
}

/* Bands over orders of threads: a gate fails where it holds for each order, and passes where it
 * holds for none. */
static void test_orders(void)
{
    struct told told = {.answer = PACE_SLOWER};
    const struct pace_source pace = {tell, &told};

    holds_grown(0, "a::f: ir>+0", "?a::f 1020 1020");  /* 1000 to 1040, now 1010 to 1030 */
    holds_grown(0, "a::g: ir>+0", "");                 /* each order is equal */
    holds_grown(0, "a::f: ir>+30", "");                /* in no order */
    holds_grown(20, "a::f: ir>+0", "?a::f 1020 1040"); /* now 1030 to 1050 */
    holds_grown(60, "a::f: ir>+0", "?a::f 1020 1080"); /* now 1070 to 1090: 30 from 1040 */
    holds_grown(61, "a::f: ir>+0", "a::f 1020 1081");  /* half of both bands away, and more */
    holds_grown(61, "a::f: ir>+1", "?a::f 1020 1081"); /* which a limit is added to */
    holds_grown(61, "a::f: ir>=+1", "a::f 1020 1081");
    holds_grown(90, "a::f: ir>+2%", "a::f 1020 1110"); /* 1050 to 1060, by the wider bands 2.9 % */
    holds_grown(-61, "a::f: ir<-0", "a::f 1020 959");
    holds_grown(-60, "a::f: ir<-0", "?a::f 1020 960");
    holds_grown(0, "a::f: ir>1030", ""); /* of NEW alone */
    holds_grown(0, "a::f: ir>1029", "?a::f 1020 1020");
    holds_grown(0, "a::f: ir>999", "a::f 1020 1020");
    holds_grown(100, "ir>+0", "- 3520 3620");
    holds_grown(35, "ir>+0", "?- 3520 3555");
    holds_grown(66, "sum(a::*): ir>+0", "a::* 3020 3086");
    holds_grown(60, "a::f: ir>+0 and a::f: ir>1000", "?a::f 1020 1080"); /* the other fails */
    holds_grown(60, "a::f: ir>+0 and a::g: ir>+0", "");                  /* the other passes */
    now = &pace;
    holds_grown(60, "a::f: ir>+0 and time", "?a::f 1020 1080");
    told.answer = PACE_FASTER;
    holds_grown(60, "a::f: ir>+0 and time", "");
    now = NULL;
}

/* Where all orders change by one number, the least change is seen, whatever the band. */
static void test_orders_alike(void)
{
    holds_moved(1, 0, "ir>+0", "- 3520 3521");
    holds_moved(1, 0, "a::f: ir>+0", "a::f 1020 1021");
    holds_moved(-1, 0, "a::f: ir<-0", "a::f 1020 1019");
    holds_moved(1, 0, "sum(a::*): ir>+0", "a::* 3020 3021");
    holds_moved(0, 0, "ir>+0; a::*: ir>+0; incl(a::*): ir>+0", "problem 2");
    holds_moved(0, 0, "ir>+0; a::*: ir>+0; sum(b::*): ir>+0", "");
    holds_moved(10, 0, "a::f: ir>+0.97%", "?a::f 1020 1030"); /* 1.00, 0.98 and 0.96 % */
    holds_moved(10, 0, "a::f: ir>+0.96%", "a::f 1020 1030");
    holds_moved(10, 0, "a::f: ir>+1%", "");
    holds_moved(0, 0, "a::f: ir>1000", "?a::f 1020 1020");
}

int main(void)
{
    test_parser();
    test_patterns();
    test_gates();
    test_from_nothing();
    test_inclusive_noise();
    test_floors();
    test_orders();
    test_orders_alike();
    test_sections();
    test_time();
    return tap_done();
}
