/* Trees that begin at own code, and inlined functions in one row. */
#include <config.h>

#include "../tap.h"
#include "fixture.h"
#include "paths/flame.h"
#include "paths/startup.h"
#include "paths/tree.h"
#include "render/text/path_tree.h"

#include <locale.h>
#include <stdlib.h>

enum { FUNCTIONS_MAX = 16 };

/* A context below `parent` that spends `ir`. */
static uint32_t put(struct fixture *m, uint32_t parent, const char *name, bool inlined, int64_t ir)
{
    uint32_t function;
    struct cprof_context context = {.parent = parent, .site_file = CPROF_NONE};
    struct cprof_cost cost = {.file = CPROF_NONE};

    m->object = parent == CPROF_NONE ? CPROF_NONE : m->program;
    function = fixture_function(m, name, NULL, NULL, 0);
    context.function = cost.function = function;
    context.inlined = inlined;
    context.calls = !inlined;
    return fixture_context(m, &context, ir ? &cost : NULL, ir);
}

static void begin(struct fixture *m)
{
    fixture_begin(m, CPROF_FORMAT_RAW, "Ir");
    fixture_program(m, "/bin/p");
}

/* Functions whose names begin with "own". */
static bool *own_of(const struct cprof_profile *p)
{
    bool *own = calloc(p->n_functions, sizeof *own);

    for (uint32_t i = 0; i < p->n_functions; i++)
        own[i] = !strncmp(p->functions[i].name, "own", 3);
    return own;
}

enum { THREADS = 1, CHAINS = 2, UNFOLDED = 4, OWN_ONLY = 8 };

static char *draw(const struct cprof_profile *p, double threshold, unsigned width, unsigned how)
{
    const char *labels[FUNCTIONS_MAX];
    bool *own = own_of(p);
    struct columns columns;
    struct tree tree;
    struct path_tree drawing = {.tree = &tree,
                                .labels = labels,
                                .threshold = threshold,
                                .screen = {.width = width},
                                .chains = how & CHAINS,
                                .own = own};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    for (uint32_t i = 0; i < p->n_functions && i < FUNCTIONS_MAX; i++)
        labels[i] = p->functions[i].name;
    columns_load(&columns, events_of(p));
    drawing.measure = columns.items;
    tree_load(&tree, p);
    if (!(how & UNFOLDED))
        startup_fold(&tree, own, how & THREADS);
    if (how & OWN_ONLY) {
        struct tree all = tree;

        own_tree_load(&tree, &all, own);
        tree_free(&all);
    }
    is_number(tree_inclusive(&tree, 0)[0], p->totals[0], "the costs add up to the total");
    tree_sort(&tree, drawing.measure);
    path_tree_write(&drawing, out);
    fclose(out);
    tree_free(&tree);
    columns_free(&columns);
    free(own);
    return text;
}

static void draws(const struct cprof_profile *p, double threshold, unsigned width, unsigned how,
                  const char *want, const char *what)
{
    char *text = draw(p, threshold, width, how);

    is_text(text, want, what);
    free(text);
}

/* A main thread, two equal workers, and two threads without own code. */
static void test_threads(void)
{
    struct fixture m;
    struct cprof_profile *p;
    uint32_t at;

    begin(&m);
    at = put(&m, CPROF_NONE, "[thread 1]", false, 0);
    at = put(&m, at, "_start", false, 1);
    put(&m, at, "_dl_init", false, 4);
    at = put(&m, put(&m, at, "lang_start", false, 2), "catch", true, 3);
    at = put(&m, at, "own::main", false, 10);
    put(&m, put(&m, at, "sort", false, 5), "own::less", false, 15);
    for (int i = 2; i <= 3; i++) {
        at = put(&m, CPROF_NONE, i == 2 ? "[thread 2]" : "[thread 3]", false, 0);
        at = put(&m, at, "clone", false, 1);
        put(&m, at, "own::work", false, 10);
    }
    put(&m, put(&m, CPROF_NONE, "[thread 4]", false, 0), "clone", false, 20);
    put(&m, put(&m, CPROF_NONE, "[thread 5]", false, 0), "clone", false, 15);
    put(&m, put(&m, CPROF_NONE, "[more]", false, 0), "own::work", false, 3);
    p = fixture_end(&m);
    draws(p, 0, 80, 0,
          "    %  Self %    Calls  Call path\n"
          " 35.0     0.0           ├─ [other threads]\n"
          " 35.0    35.0        2  │  › clone\n"
          " 30.0    10.0        1  ├─ own::main\n"
          " 20.0     5.0        1  │  › sort\n"
          " 15.0    15.0        1  │  › own::less\n"
          " 20.0    20.0        2  ├─ own::work\n"
          " 12.0     0.0           ├─ [start-up]\n"
          " 10.0     1.0        1  │  ├─ _start\n"
          "  5.0     2.0        1  │  │  ├─ lang_start\n"
          "  3.0     3.0  inlined  │  │  │  › catch\n"
          "  4.0     4.0        1  │  │  └─ _dl_init\n"
          "  2.0     2.0        2  │  └─ clone\n"
          "  3.0     0.0        1  └─ [more]\n"
          "  3.0     3.0        1     › own::work\n"
          "14 call paths\n",
          "paths begin at own code, equal threads are one");
    draws(p, 0, 80, OWN_ONLY,
          "    %  Self %  Calls  Call path\n"
          " 35.0    35.0         ├─ [other threads]\n"
          " 30.0    15.0      1  ├─ own::main\n"
          " 15.0    15.0      1  │  › own::less\n"
          " 20.0    20.0      2  ├─ own::work\n"
          " 12.0    12.0         ├─ [start-up]\n"
          "  3.0     0.0      1  └─ [more]\n"
          "  3.0     3.0      1     › own::work\n"
          "7 call paths\n",
          "of own code alone, with what it called");
    cprof_free(p);
}

/* main calls a, in which b is inlined, in that c, beside which little is, and in that d and e. */
static struct cprof_profile *make_chain(void)
{
    struct fixture m;
    uint32_t at;

    begin(&m);
    at = put(&m, put(&m, CPROF_NONE, "[thread 1]", false, 0), "own::main", false, 10);
    at = put(&m, at, "a::function", false, 5);
    at = put(&m, at, "b::function", true, 3);
    put(&m, at, "little", false, 1);
    at = put(&m, at, "c::function", true, 2);
    put(&m, at, "d", true, 40);
    at = put(&m, at, "own::e", true, 29);
    put(&m, at, "f", true, 10);
    return fixture_end(&m);
}

static void test_chains(void)
{
    struct cprof_profile *p = make_chain();

    draws(p, 5, 80, CHAINS,
          "    %  Self %    Calls  Call path\n"
          "100.0    10.0        1  own::main\n"
          " 90.0    10.0        1  › a::function › b::function › c::function\n"
          " 40.0    40.0  inlined  ├─ d\n"
          " 39.0    39.0  inlined  └─ own::e › f\n"
          "7 of 8 call paths, from 5 % of Ir on (--threshold 0 shows all)\n",
          "inlined functions that are alone are one row, with their own cost");
    draws(p, 0, 80, CHAINS,
          "    %  Self %    Calls  Call path\n"
          "100.0    10.0        1  own::main\n"
          " 90.0     8.0        1  › a::function › b::function\n"
          " 81.0     2.0  inlined  ├─ c::function\n"
          " 40.0    40.0  inlined  │  ├─ d\n"
          " 39.0    39.0  inlined  │  └─ own::e › f\n"
          "  1.0     1.0        1  └─ little\n"
          "8 call paths\n",
          "but not where there is another one");
    draws(p, 5, 48, CHAINS,
          "    %  Self %    Calls  Call path\n"
          "100.0    10.0        1  own::main\n"
          " 90.0    10.0        1  › a::function › …\n"
          " 40.0    40.0  inlined  ├─ d\n"
          " 39.0    39.0  inlined  └─ own::e › f\n"
          "7 of 8 call paths, from 5 % of Ir on (--threshold 0 shows all)\n",
          "in little room: the first and the last");
    cprof_free(p);
}

/* Samples, whose paths begin with no thread. */
static void test_samples(void)
{
    struct fixture m;
    struct cprof_profile *p;
    uint32_t at;

    begin(&m);
    at = put(&m, CPROF_NONE, "_start", false, 2);
    put(&m, put(&m, at, "lang_start", false, 3), "own::main", false, 80);
    put(&m, CPROF_NONE, "page_fault", false, 10);
    put(&m, CPROF_NONE, "own::cut", false, 5);
    p = fixture_end(&m);
    p->sampled = 1;
    draws(p, 0, 80, 0,
          "    %  Self %  Call path\n"
          " 80.0    80.0  ├─ own::main\n"
          " 10.0    10.0  ├─ page_fault\n"
          "  5.0     0.0  ├─ [start-up]\n"
          "  5.0     2.0  │  › _start\n"
          "  3.0     3.0  │  › lang_start\n"
          "  5.0     5.0  └─ own::cut\n"
          "6 call paths\n",
          "samples: at own code, where it is on the path");
    cprof_free(p);
}

/* Functions of a chain that share a frame add up; another crate begins a frame. */
static void test_frames(void)
{
    struct cprof_profile *p = make_chain();
    bool *own = own_of(p);
    struct crate items[2] = {{.name = "a"}, {.name = "c"}};
    uint32_t *crate_of = calloc(p->n_functions, sizeof *crate_of);
    const struct crates crates = {.items = items, .of_function = crate_of, .own = own};
    struct columns columns;
    struct tree tree;
    struct flame flame;

    columns_load(&columns, events_of(p));
    tree_load(&tree, p);
    startup_fold(&tree, own, false);
    flame_load_chains(&flame, &tree, columns.items, 5, &crates);
    is_number((long long)flame.n, 5, "the root, and four frames");
    is_text(p->functions[flame.frames[2].function].name, "a::function", "the first of a chain");
    ok(flame.frames[2].n_chained == 2 &&
           !strcmp(p->functions[flame.chained[flame.frames[2].first_chained]].name,
                   "b::function") &&
           flame.n_chained == 3,
       "two share its frame");
    ok(flame.frames[2].value == 90 && flame.frames[2].self == 10 && flame.frames[2].hidden == 1 &&
           flame.frames[2].n_hidden == 1,
       "a shared frame has own and hidden costs of both");
    ok(flame.frames[3].value == 40 && flame.frames[4].value == 39 && flame.n_levels == 4,
       "what is on the last of them is on it");
    flame_free(&flame);
    for (uint32_t i = 0; i < p->n_functions; i++)
        crate_of[i] = !strcmp(p->functions[i].name, "c::function");
    flame_load_chains(&flame, &tree, columns.items, 5, &crates);
    ok(flame.n == 6 && flame.frames[2].n_chained == 1 && flame.frames[3].value == 81,
       "one of another crate is on its own");
    flame_free(&flame);
    tree_free(&tree);
    columns_free(&columns);
    free(own);
    free(crate_of);
    cprof_free(p);
}

static void test_whole(void)
{
    struct cprof_profile *p = make_chain();

    draws(p, 50, 80, UNFOLDED,
          "    %  Self %    Calls  Call path\n"
          "100.0     0.0        1  [thread 1]\n"
          "100.0    10.0        1  › own::main\n"
          " 90.0     5.0        1  › a::function\n"
          " 85.0     3.0  inlined  › b::function\n"
          " 81.0     2.0  inlined  › c::function\n"
          "5 of 9 call paths, from 50 % of Ir on (--threshold 0 shows all)\n",
          "all of it, each in a row");
    draws(p, 95, 80, THREADS,
          "    %  Self %  Calls  Call path\n"
          "100.0     0.0      0  [thread 1]\n"
          "100.0    10.0      1  › own::main\n"
          "2 of 9 call paths, from 95 % of Ir on (--threshold 0 shows all)\n",
          "with threads; start-up that cost nothing is no node");
    cprof_free(p);
}

static void test_foreign(void)
{
    struct fixture m;
    struct cprof_profile *p;

    begin(&m);
    put(&m, put(&m, CPROF_NONE, "[thread 1]", false, 0), "main", false, 10);
    put(&m, put(&m, CPROF_NONE, "[thread 2]", false, 0), "clone", false, 5);
    p = fixture_end(&m);
    draws(p, 0, 80, 0,
          "    %  Self %  Calls  Call path\n"
          " 66.7     0.0      1  ├─ [thread 1]\n"
          " 66.7    66.7      1  │  › main\n"
          " 33.3     0.0      1  └─ [thread 2]\n"
          " 33.3    33.3      1     › clone\n"
          "4 call paths\n",
          "without own code all is as it is");
    cprof_free(p);
}

int main(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    test_threads();
    test_chains();
    test_samples();
    test_frames();
    test_whole();
    test_foreign();
    return tap_done();
}
