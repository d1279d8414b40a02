/* Lines of C and C++ that allocate, and the types that they name. */
#include <config.h>

#include "../tap.h"
#include "source/allocation.h"

#include <stdlib.h>

/* "plain", "unclear", or the hints with a comma between; in memory of this function. */
static const char *hints(const char *text, const char *function, bool cxx)
{
    static char all[256];
    struct allocation a = allocation_read(text, function, cxx);

    all[0] = '\0';
    if (a.kind != ALLOCATION_HINTS)
        snprintf(all, sizeof all, "%s", a.kind == ALLOCATION_PLAIN ? "plain" : "unclear");
    else
        snprintf(all, sizeof all, "%s%s%s", a.hints[0], a.n > 1 ? ", " : "",
                 a.n > 1 ? a.hints[1] : "");
    allocation_free(&a);
    return all;
}

static void c_line(const char *text, const char *want)
{
    is_text(hints(text, NULL, false), want, text);
}

static void cxx_line(const char *text, const char *want)
{
    is_text(hints(text, NULL, true), want, text);
}

static void wrapper_line(const char *text, const char *function, const char *want)
{
    is_text(hints(text, function, false), want, text);
}

int main(void)
{
    c_line("p = malloc(sizeof(struct node));", "struct node");
    c_line("p = malloc(n * sizeof *p);", "*p");
    c_line("p = malloc(sizeof(*p) * n);", "*p");
    c_line("l->items = realloc(l->items, n * sizeof *l->items);", "*l->items");
    c_line("l.items = calloc(n, sizeof l.items[0]);", "l.items[0]");
    c_line("struct node *p = (struct node *)malloc(n);", "struct node");
    c_line("p = (node_t *)xmalloc(sizeof(node_t));", "node_t");
    c_line("p = (struct node *)calloc(n, sizeof *p);", "struct node, *p");
    c_line("if (!(p = malloc(sizeof(*p))))", "*p");
    c_line("p = aligned_alloc(64,\n    N * sizeof *p);", "*p");
    c_line("p = malloc(n);", "plain");
    c_line("p = (void *)malloc(n);", "plain");
    c_line("p = (char *)malloc(n * sizeof(char));", "plain");
    c_line("p = (struct node **)malloc(n);", "plain");
    c_line("return my_alloc(pool, sizeof(struct node));", "struct node");
    c_line("p = malloc(sizeof(struct a) + n * sizeof(struct b));", "struct a, struct b");
    c_line("p = malloc(sizeof(struct a) + sizeof(struct b) + sizeof(struct c));", "unclear");
    c_line("a = malloc(sizeof *a); b = malloc(sizeof *b);", "unclear");
    c_line(
        "v = malloc(n * sizeof *v); for (;;) v[i] = (struct vec *)pool_alloc(sizeof(struct vec));",
        "unclear");
    c_line("p = check_alloc(malloc(sizeof *p));", "*p");
    c_line("memset(p, 0, sizeof *p); q = malloc(100);", "plain");
    c_line("p = strdup(s);", "unclear");
    c_line("/* malloc(sizeof(struct node)) */ p = q;", "unclear");
    c_line("puts(\"malloc(sizeof(struct node))\");", "unclear");
    c_line("p =\n    malloc(sizeof *p);", "unclear");
    c_line("for (int i = 0; i < n; i++) a[i] = malloc(sizeof(L));", "L");
    c_line("p = malloc(sizeof(struct node", "struct node");
    c_line("", "unclear");
    c_line("malloc(", "plain");
    c_line("sizeof", "unclear");
    wrapper_line("p = grow(sizeof(struct node));", "grow", "struct node");
    wrapper_line("p = (struct node *)grow(n);", "grow", "struct node");
    wrapper_line("p = malloc(sizeof(struct node));", "grow", "unclear");
    wrapper_line("p = grow(n);", "grow", "plain");
    cxx_line("auto *p = new Node;", "Node");
    cxx_line("auto *p = new game::Node<int, long>[n];", "game::Node<int,long>");
    cxx_line("list.push(new Node{1, 2});", "Node");
    cxx_line("Node **p = new Node *[n];", "unclear");
    cxx_line("new (place) Node;", "unclear");
    cxx_line("f(new A, new B);", "unclear");
    cxx_line("auto *p = static_cast<Node *>(malloc(n));", "Node");
    cxx_line("auto *p = ::new Node;", "Node");
    c_line("new_node = malloc(sizeof *new_node);", "*new_node");
    return tap_done();
}
