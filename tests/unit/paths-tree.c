/* Call paths: contexts as a tree, and how it is drawn. */
#include <config.h>

#include "../tap.h"
#include "fixture.h"
#include "paths/tree.h"
#include "render/text/path_tree.h"
#include "table/columns.h"

#include <locale.h>
#include <stdlib.h>

static void make(struct fixture *m)
{
    fixture_begin(m, CPROF_FORMAT_RAW, "Ir");
    m->object = builder_object(m->b, "/bin/prog", NULL);
}

/* A context of `name` with its own cost. */
static uint32_t put(struct fixture *m, uint32_t parent, const char *name, uint64_t site,
                    uint64_t calls, int64_t ir)
{
    uint32_t function = fixture_function(m, name, NULL, NULL, 0);
    struct cprof_context context = {.parent = parent,
                                    .function = function,
                                    .site_file = CPROF_NONE,
                                    .site = site,
                                    .calls = calls};
    struct cprof_cost cost = {function, CPROF_NONE, 0, 0x10};

    return fixture_context(m, &context, &cost, ir);
}

/* main: a from two sites, each with b below it; c. */
static struct cprof_profile *make_profile(void)
{
    struct fixture m;
    uint32_t root, main_, a;

    make(&m);
    root = put(&m, CPROF_NONE, "[thread 1]", 0, 0, 0);
    main_ = put(&m, root, "main", 0, 1, 10);
    put(&m, main_, "c", 0x18, 4, 20);
    a = put(&m, main_, "a", 0x12, 1, 5);
    put(&m, a, "b", 0x22, 2, 15);
    a = put(&m, main_, "a", 0x14, 2, 10);
    put(&m, a, "b", 0x22, 6, 40);
    return fixture_end(&m);
}

static char *draw(const struct cprof_profile *p, uint32_t function, double threshold,
                  unsigned width)
{
    const char *labels[8];
    struct columns columns;
    struct tree tree;
    struct path_tree path_tree = {
        .tree = &tree, .labels = labels, .threshold = threshold, .screen = {.width = width}};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    for (uint32_t i = 0; i < p->n_functions && i < 8; i++)
        labels[i] = p->functions[i].name;
    columns_load(&columns, events_of(p));
    path_tree.measure = columns.items;
    if (function == CPROF_NONE)
        tree_load(&tree, p);
    else
        subtree_load_all(&tree, p, function);
    tree_sort(&tree, path_tree.measure);
    path_tree_write(&path_tree, out);
    fclose(out);
    tree_free(&tree);
    columns_free(&columns);
    return text;
}

static void draws(const struct cprof_profile *p, uint32_t function, double threshold, bool utf8,
                  const char *want, const char *what)
{
    char *text;

    setlocale(LC_CTYPE, utf8 ? "C.UTF-8" : "C");
    text = draw(p, function, threshold, 80);

    is_text(text, want, what);
    free(text);
}

static void test_tree(const struct cprof_profile *p)
{
    struct tree tree;
    uint32_t node;

    tree_load(&tree, p);
    is_number(tree.n, 6, "contexts that differ in their site are one");
    is_number(tree_inclusive(&tree, 0)[0], 100, "the root has all");
    node = tree.nodes[tree.nodes[tree.nodes[0].first_child].first_child].first_child;
    is_text(p->functions[tree.nodes[node].function].name, "c", "children in their order");
    node = tree.nodes[node].next;
    ok(tree.nodes[node].calls == 3 && tree_self(&tree, node)[0] == 15 &&
           tree_inclusive(&tree, node)[0] == 70,
       "calls and costs are added up");
    tree_free(&tree);
}

static void test_drawing(const struct cprof_profile *p)
{
    uint32_t a = 0;

    while (strcmp(p->functions[a].name, "a") != 0)
        a++;
    draws(p, CPROF_NONE, 0, true,
          "    %  Self %  Calls  Call path\n"
          "100.0     0.0      0  [thread 1]\n"
          "100.0    10.0      1  › main\n"
          " 70.0    15.0      3  ├─ a\n"
          " 55.0    55.0      8  │  › b\n"
          " 20.0    20.0      4  └─ c\n"
          "5 call paths\n",
          "paths that branch are indented");
    draws(p, CPROF_NONE, 0, false,
          "    %  Self %  Calls  Call path\n"
          "100.0     0.0      0  [thread 1]\n"
          "100.0    10.0      1  > main\n"
          " 70.0    15.0      3  |- a\n"
          " 55.0    55.0      8  |  > b\n"
          " 20.0    20.0      4  `- c\n"
          "5 call paths\n",
          "in ASCII");
    draws(p, CPROF_NONE, 60, true,
          "    %  Self %  Calls  Call path\n"
          "100.0     0.0      0  [thread 1]\n"
          "100.0    10.0      1  › main\n"
          " 70.0    15.0      3  › a\n"
          "3 of 5 call paths, from 60 % of Ir on (--threshold 0 shows all)\n",
          "what is below the threshold does not branch either");
    draws(p, a, 0, true,
          "    %  Self %  Calls  Call path\n"
          " 70.0    15.0      3  a\n"
          " 55.0    55.0      8  › b\n"
          "2 call paths\n",
          "below one function, in percent of the program");
}

/* Without paths every function is a path; several that are to be the same are one. */
static void test_flat(void)
{
    static const char *const names[] = {"f", "g", "f2"};
    static const uint32_t same[] = {0, 1, 0};
    struct fixture m;
    struct cprof_profile *p;
    struct rows rows;
    struct tree tree;
    uint32_t object, node;
    int64_t ir = 10;

    make(&m);
    object = builder_object(m.b, "/bin/prog", NULL);
    for (uint32_t i = 0; i < 3; i++) {
        struct cprof_cost cost = {builder_function(m.b, names[i], NULL, object, CPROF_NONE, 0),
                                  CPROF_NONE, 0, 0};

        builder_cost(m.b, &cost, &ir);
    }
    for (uint32_t i = 0; i < 3; i += 2) {
        struct cprof_call call = {.caller = 1, .callee = i, .file = CPROF_NONE, .count = 3 + i};

        builder_call(m.b, &call, &ir);
    }
    p = fixture_end(&m);
    rows_load(&rows, p);
    tree_load_flat(&tree, &rows);
    is_number(tree.n, 4, "without paths every function stands alone");
    tree_free(&tree);
    tree_load_same(&tree, &rows, same);
    is_number(tree.n, 3, "two that are the same are one");
    for (node = 1; tree.nodes[node].function != 0;)
        node++;
    is_number((long long)tree.nodes[node].calls, 8,
              "two equal children are one, with the calls of both");
    is_number(tree_self(&tree, node)[0], 20, "two equal children are one, with the costs of both");
    tree_free(&tree);
    rows_free(&rows);
    cprof_free(p);
}

/* main: f, which calls g, which calls f again and h; k, which calls f, which calls g and h. */
static void test_below(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct tree whole;
    struct subtree below;
    uint32_t main_, f, g, node;

    make(&m);
    main_ = put(&m, CPROF_NONE, "main", 0, 1, 1);
    f = put(&m, main_, "f", 0x10, 1, 2);
    g = put(&m, f, "g", 0x20, 2, 4);
    put(&m, put(&m, g, "f", 0x30, 3, 8), "k", 0x38, 1, 16);
    put(&m, g, "h", 0x34, 4, 32);
    f = put(&m, put(&m, main_, "k", 0x14, 1, 64), "f", 0x40, 5, 128);
    put(&m, put(&m, f, "g", 0x20, 6, 256), "h", 0x34, 7, 512);
    put(&m, f, "h", 0x24, 8, 1024);
    p = fixture_end(&m);
    tree_load(&whole, p);
    subtree_load(&below, &whole, 1);
    is_text(p->functions[1].name, "f", "the function");
    is_number(below.n_reached, 2, "paths reach a function without those through itself");
    is_number(below.tree.n, 2, "nothing is made before it is asked for");
    is_number(tree_inclusive(&below.tree, 0)[0], 1982,
              "the cost of the paths below a function is known at once");
    subtree_open(&below, 1);
    is_number(below.tree.n, 4, "children are made when they are asked for");
    subtree_open(&below, 1);
    is_number(below.tree.n, 4, "once");
    node = below.tree.nodes[1].first_child;
    if (below.tree.nodes[node].function != 2)
        node = below.tree.nodes[node].next;
    ok(below.tree.nodes[node].calls == 8 && tree_self(&below.tree, node)[0] == 260 &&
           tree_inclusive(&below.tree, node)[0] == 828,
       "one stands for all that the same path leads to");
    subtree_free(&below);
    tree_free(&whole);
    draws(p, 1, 0, false,
          "    %  Self %  Calls  Call path\n"
          " 96.8     6.4      6  f\n"
          " 50.0    50.0      8  |- h\n"
          " 40.4    12.7      8  `- g\n"
          " 26.6    26.6     11     |- h\n"
          "  1.2     0.4      3     `- f\n"
          "  0.8     0.8      1        > k\n"
          "6 call paths\n",
          "all that is below a function, a call of itself as well");
    cprof_free(p);
}

/* Depth beyond any width, each level with a branch. */
static void test_depth(void)
{
    struct fixture m;
    struct cprof_profile *p;
    uint32_t parent = CPROF_NONE;
    char *text, *line;
    size_t widest = 0;

    make(&m);
    for (int i = 0; i < 3000; i++) {
        uint32_t node = put(&m, parent, i % 2 ? "f" : "g", 0, 1, 1);

        put(&m, node, "leaf", 0, 1, 1);
        parent = node;
    }
    p = fixture_end(&m);
    text = draw(p, CPROF_NONE, 0, 60);
    for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (!strstr(line, "call paths") && strlen(line) > widest)
            widest = strlen(line);
    ok(widest <= 60, "3000 levels fit in 60 columns: %zu", widest);
    free(text);
    cprof_free(p);
}

static void test_copy(const struct cprof_profile *p)
{
    struct tree tree, copy;
    size_t nodes, costs;

    tree_load(&tree, p);
    tree_copy(&copy, &tree);
    nodes = tree.n * sizeof *tree.nodes;
    costs = tree.n * p->n_events * sizeof *tree.self;
    ok(copy.profile == p && copy.n == tree.n && !memcmp(copy.nodes, tree.nodes, nodes) &&
           !memcmp(copy.self, tree.self, costs) && !memcmp(copy.inclusive, tree.inclusive, costs),
       "a copy is equal");
    ok(copy.nodes != tree.nodes && copy.self != tree.self && copy.inclusive != tree.inclusive,
       "a copy has memory of its own");
    tree_free(&copy);
    tree_free(&tree);
}

int main(void)
{
    struct cprof_profile *p = make_profile();

    test_tree(p);
    test_drawing(p);
    test_copy(p);
    cprof_free(p);
    test_flat();
    test_below();
    test_depth();
    return tap_done();
}
