/* Call graphs: inclusive costs by the rule of graph.h, circles, calls as rows, finding functions.
 */
#include <config.h>

#include "../tap.h"
#include "calls/graph.h"
#include "fixture.h"
#include "paths/call_rows.h"
#include "table/search.h"

#include <stdlib.h>

#define FILE_NAME "/src/prog.c"

static void make(struct fixture *m)
{
    fixture_begin(m, CPROF_FORMAT_CALLGRIND, "Ir");
    m->object = builder_object(m->b, "/bin/prog", NULL);
    (void)fixture_file(m, FILE_NAME);
}

static uint32_t function(struct fixture *m, const char *name)
{
    return fixture_function(m, name, NULL, FILE_NAME, 1);
}

static void spend(struct fixture *m, const char *name, int64_t ir)
{
    fixture_cost(m, function(m, name), FILE_NAME, 2, &ir);
}

static void call(struct fixture *m, const char *caller, const char *callee, uint32_t line,
                 uint64_t count, int64_t ir)
{
    struct cprof_call c = {
        .caller = function(m, caller), .callee = function(m, callee), .line = line, .count = count};

    fixture_call(m, c, FILE_NAME, &ir);
}

static uint32_t find(const struct cprof_profile *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (!strcmp(p->functions[i].name, name))
            return i;
    return CPROF_NONE;
}

static void inclusive(const struct cprof_profile *p, const struct graph *g, const char *name,
                      int64_t want, int64_t calls)
{
    uint32_t i = find(p, name);

    ok(i != CPROF_NONE && g->inclusive[i] == want && g->calls[i] == calls,
       "%s: inclusive %lld, calls %lld", name, (long long)want, (long long)calls);
    if (i != CPROF_NONE && (g->inclusive[i] != want || g->calls[i] != calls))
        printf("#  got: %lld, %lld\n", (long long)g->inclusive[i], (long long)g->calls[i]);
}

static void test_chain(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct graph g;

    make(&m);
    spend(&m, "main", 10);
    spend(&m, "work", 70);
    spend(&m, "leaf", 20);
    call(&m, "main", "work", 3, 2, 85);
    call(&m, "main", "leaf", 4, 1, 5);
    call(&m, "work", "leaf", 7, 3, 15);
    p = fixture_end(&m);
    graph_load(&g, p);
    ok(g.known, "calls are known");
    inclusive(p, &g, "main", 100, 0);
    inclusive(p, &g, "work", 85, 2);
    inclusive(p, &g, "leaf", 20, 4);
    ok(!memchr(g.bounds, BOUND_TOTAL, p->n_functions) &&
           !memchr(g.bounds, BOUND_LEAST, p->n_functions),
       "no inclusive cost is capped or a lower bound");
    graph_free(&g);
    cprof_free(p);
}

/* work calls itself: that edge is no part of its inclusive cost. */
static void test_self_recursion(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct graph g;

    make(&m);
    spend(&m, "main", 10);
    spend(&m, "work", 90);
    call(&m, "main", "work", 3, 1, 90);
    call(&m, "work", "work", 7, 8, 320);
    p = fixture_end(&m);
    graph_load(&g, p);
    inclusive(p, &g, "main", 100, 0);
    inclusive(p, &g, "work", 90, 9);
    graph_free(&g);
    cprof_free(p);
}

static uint32_t root_function(struct fixture *m, const char *name)
{
    return builder_function(m->b, name, NULL, CPROF_NONE, CPROF_NONE, 0);
}

/* Adds a context of the function below the one with this index, and returns its index. */
static uint32_t context(struct fixture *m, uint32_t parent, uint32_t function, uint64_t calls)
{
    return builder_context(
        m->b, &(struct cprof_context){.parent = parent, .function = function, .calls = calls});
}

/* A handler, a fibre's first function, and one below a section call themselves: their contexts
 * have those calls, too. */
static void test_recursion_below_roots(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct graph g;
    uint32_t main, root;
    int64_t *entries;

    make(&m);
    main = context(&m, context(&m, CPROF_NONE, root_function(&m, "[thread 1]"), 0),
                   function(&m, "main"), 1);
    for (int i = 0; i < 2; i++) {
        root = context(&m, main, root_function(&m, "[signal]"), 0);
        context(&m, root, function(&m, "handler"), 7);
    }
    root = context(&m, CPROF_NONE, root_function(&m, "[fibre]"), 0);
    context(&m, root, function(&m, "fibre"), 8);
    root = context(&m, main, root_function(&m, "[section parse]"), 3);
    context(&m, context(&m, root, function(&m, "main"), 0), function(&m, "parse"), 30);
    call(&m, "handler", "handler", 7, 12, 0);
    call(&m, "fibre", "fibre", 7, 7, 0);
    call(&m, "main", "parse", 7, 3, 0);
    call(&m, "parse", "parse", 7, 27, 0);
    p = fixture_end(&m);
    graph_load(&g, p);
    entries = graph_entries(p);
    inclusive(p, &g, "handler", 0, 14);
    inclusive(p, &g, "fibre", 0, 8);
    inclusive(p, &g, "parse", 0, 30);
    is_number(entries[find(p, "handler")], 2, "a handler is entered twice, by two signals");
    is_number(entries[find(p, "fibre")], 1, "a fibre's first function is entered once");
    is_number(entries[find(p, "parse")], 0, "a function that is called is not entered");
    free(entries);
    graph_free(&g);
    cprof_free(p);
}

/* a and b call each other; a has what main called it for, b its own cost and what it called. */
static void test_circle(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct graph g;
    uint32_t *cycles;

    make(&m);
    spend(&m, "main", 10);
    spend(&m, "a", 20);
    spend(&m, "b", 30);
    spend(&m, "leaf", 40);
    call(&m, "main", "a", 3, 1, 90);
    call(&m, "a", "b", 7, 5, 260);
    call(&m, "b", "a", 9, 4, 200);
    call(&m, "b", "leaf", 10, 5, 40);
    p = fixture_end(&m);
    cycles = cycles_find(p);
    ok(cycles[find(p, "a")] == cycles[find(p, "b")], "a circle of two");
    ok(cycles[find(p, "main")] != cycles[find(p, "a")] &&
           cycles[find(p, "leaf")] != cycles[find(p, "a")] &&
           cycles[find(p, "leaf")] != cycles[find(p, "main")],
       "main and leaf are outside of the circle");
    free(cycles);
    graph_load(&g, p);
    inclusive(p, &g, "main", 100, 0);
    inclusive(p, &g, "a", 90, 5);
    inclusive(p, &g, "b", 70, 5);
    inclusive(p, &g, "leaf", 40, 5);
    ok(g.bounds[find(p, "a")] == BOUND_LEAST && g.bounds[find(p, "b")] == BOUND_LEAST &&
           g.bounds[find(p, "leaf")] == BOUND_EXACT,
       "costs of functions in the circle are lower bounds");
    graph_free(&g);
    cprof_free(p);
}

/* As callgrind writes tail calls: each edge holds what came after. */
static void test_overlap(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct graph g;

    make(&m);
    spend(&m, "main", 10);
    spend(&m, "even'2", 90);
    call(&m, "main", "even'2", 3, 100, 263664);
    p = fixture_end(&m);
    graph_load(&g, p);
    inclusive(p, &g, "even'2", 100, 100);
    ok(g.bounds[find(p, "main")] == BOUND_TOTAL && g.bounds[find(p, "even'2")] == BOUND_TOTAL,
       "costs of both functions are capped at the total");
    graph_free(&g);
    cprof_free(p);
}

static void test_given(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct graph g;
    int64_t ir = 77;

    make(&m);
    spend(&m, "main", 100);
    builder_inclusive(m.b, function(&m, "main"), &ir);
    p = fixture_end(&m);
    graph_load(&g, p);
    inclusive(p, &g, "main", 77, 0);
    graph_free(&g);
    cprof_free(p);
    make(&m);
    spend(&m, "main", 100);
    p = fixture_end(&m);
    graph_load(&g, p);
    ok(!g.known, "without calls nothing is known");
    graph_free(&g);
    cprof_free(p);
}

/* A long chain that ends in a circle: no recursion of ours. */
static void test_deep(void)
{
    enum { N = 200000 };
    struct fixture m;
    struct cprof_profile *p;
    uint32_t *cycles, first, last;
    char name[2][16];

    make(&m);
    for (int i = 0; i < N; i++) {
        sprintf(name[0], "f%d", i);
        sprintf(name[1], "f%d", i + 1);
        call(&m, name[0], name[1], 1, 1, 0);
    }
    sprintf(name[0], "f%d", N - 10);
    call(&m, name[1], name[0], 1, 1, 0);
    p = fixture_end(&m);
    cycles = cycles_find(p);
    first = find(p, name[0]);
    last = find(p, name[1]);
    ok(cycles[first] == cycles[last] && cycles[find(p, "f0")] != cycles[last],
       "a chain of %d calls", N);
    free(cycles);
    cprof_free(p);
}

static void test_calls(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct rows rows, calls;
    struct search found;

    make(&m);
    spend(&m, "main", 10);
    spend(&m, "other", 30);
    spend(&m, "leaf", 60);
    call(&m, "main", "leaf", 3, 1, 20);
    call(&m, "main", "leaf", 5, 2, 50);
    call(&m, "other", "leaf", 9, 1, 10);
    p = fixture_end(&m);
    rows_load(&rows, p);
    search_rows(&found, &rows, "leaf");
    is_number((long long)found.n, 1, "a function by its name");
    call_rows_load(&calls, &rows, (size_t)(found.rows[0] - rows.items), true);
    is_number((long long)calls.n, 3, "a function's callers, by line");
    ok(!strcmp(calls.items[0].name, "main") && calls.items[0].line == 3 &&
           calls.items[0].counts[1] == 20 && calls.items[0].counts[2] == 1,
       "who, where, at what cost, how often");
    is_number(calls.items[1].counts[1], 50, "no less than that");
    rows_free(&calls);
    search_free(&found);
    search_rows(&found, &rows, "main");
    call_rows_load(&calls, &rows, (size_t)(found.rows[0] - rows.items), false);
    is_number((long long)calls.n, 2, "a function's callees");
    is_text(calls.items[0].name, "leaf", "a function's callees, by name");
    rows_free(&calls);
    search_free(&found);
    rows_free(&rows);
    cprof_free(p);
}

/* A program may call a function of its own as the contexts that the tool had no room for. */
static void test_overflow(void)
{
    struct fixture m;
    struct cprof_profile *p;
    uint32_t more;

    make(&m);
    more = builder_function(m.b, "[more]", NULL, CPROF_NONE, CPROF_NONE, 0);
    builder_context(m.b, &(struct cprof_context){.parent = CPROF_NONE, .function = more});
    builder_context(m.b, &(struct cprof_context){.function = function(&m, "[more]")});
    builder_context(m.b, &(struct cprof_context){.function = function(&m, "main")});
    p = fixture_end(&m);
    ok(graph_is_overflow(p, 0), "what there was no room for");
    ok(!graph_is_overflow(p, 1), "a function of that name");
    ok(!graph_is_overflow(p, 2), "another function");
    cprof_free(p);
}

static void found_are(const struct rows *rows, const char *text, const char *want)
{
    struct search found;
    char names[256] = "";

    search_rows(&found, rows, text);
    for (size_t i = 0; i < found.n; i++) {
        char *label = row_label(found.rows[i], true, "/src");

        sprintf(names + strlen(names), "%s%s", i ? ", " : "", label);
        free(label);
    }
    is_text(names, want, text);
    search_free(&found);
}

static void test_find(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct rows rows;
    uint32_t other;
    int64_t one = 1;

    make(&m);
    spend(&m, "exp", 1);
    spend(&m, "exp_fma", 1);
    spend(&m, "nnet::learn", 1);
    spend(&m, "sums::columns", 1);
    spend(&m, "sums::columns::{closure}", 1);
    spend(&m, "for_each::<sums::columns>", 1);
    other = builder_file(m.b, "/src/other.c");
    builder_cost(m.b,
                 &(struct cprof_cost){
                     builder_function(m.b, "nnet::learn", "_ZN4nnet5learnE", m.object, other, 8),
                     other, 9, 0},
                 &one);
    p = fixture_end(&m);
    rows_load(&rows, p);
    found_are(&rows, "exp", "exp (prog.c:1)");
    found_are(&rows, "fma", "exp_fma (prog.c:1)");
    found_are(&rows, "xp", "exp (prog.c:1), exp_fma (prog.c:1)");
    found_are(&rows, "nnet::learn", "nnet::learn (prog.c:1), nnet::learn (other.c:8)");
    found_are(&rows, "nnet::learn (other.c:8)", "nnet::learn (other.c:8)");
    found_are(&rows, "_ZN4nnet5learnE", "nnet::learn (other.c:8)");
    found_are(&rows, "columns", "sums::columns (prog.c:1)");
    found_are(&rows, "olumns::{closure}", "sums::columns::{closure} (prog.c:1)");
    found_are(&rows, "nothing", "");
    rows_free(&rows);
    cprof_free(p);
}

int main(void)
{
    test_chain();
    test_self_recursion();
    test_recursion_below_roots();
    test_circle();
    test_overlap();
    test_given();
    test_deep();
    test_calls();
    test_overflow();
    test_find();
    return tap_done();
}
