/* Threads apart: what each one's functions cost with all that they called, where several share
 * them. */
#include <config.h>

#include "../tap.h"
#include "cprof_internal.h"
#include "derive/sections.h"

struct making {
    struct builder *b;
    struct cprof_error error;
    uint32_t object;
};

static uint32_t function(struct making *m, const char *name)
{
    return builder_function(m->b, name, NULL, name[0] == '[' ? CPROF_NONE : m->object, CPROF_NONE,
                            0);
}

static uint32_t put(struct making *m, uint32_t parent, const char *name, int64_t ir, uint64_t calls)
{
    struct cprof_context context = {.parent = parent,
                                    .function = function(m, name),
                                    .site_file = CPROF_NONE,
                                    .site = 0x20,
                                    .calls = calls};
    struct cprof_cost cost = {context.function, CPROF_NONE, 0, 0x10};
    uint32_t index = builder_context(m->b, &context);

    if (ir)
        builder_context_cost(m->b, index, &cost, &ir);
    return index;
}

static void call(struct making *m, const char *caller, const char *callee, uint64_t count,
                 int64_t ir)
{
    struct cprof_call c = {.caller = function(m, caller),
                           .callee = function(m, callee),
                           .file = CPROF_NONE,
                           .address = 0x20,
                           .count = count};

    builder_call(m->b, &c, &ir);
}

static void inclusive(struct making *m, const char *name, int64_t ir)
{
    builder_inclusive(m->b, function(m, name), &ir);
}

/*
 * In one thread main (1) calls walk (10), in the other work (2) does (20); walk calls leaf (100 and
 * 200). Alone: one (4) is called by main, mine (1000) by walk, other (8) by work. The threads are
 * contexts 0 and 4.
 */
static void make(struct making *m)
{
    uint32_t root, top, walk;

    *m = (struct making){.b = builder_new(&m->error)};
    builder_header(m->b)->format = CPROF_FORMAT_RAW;
    builder_event(m->b, "Ir");
    m->object = builder_object(m->b, "/tmp/program", NULL);
    root = put(m, CPROF_NONE, "[thread 1]", 0, 0);
    top = put(m, root, "main", 1, 1);
    walk = put(m, top, "walk", 10, 3);
    put(m, walk, "leaf", 100, 5);
    root = put(m, CPROF_NONE, "[thread 2]", 0, 0);
    top = put(m, root, "work", 2, 1);
    walk = put(m, top, "walk", 20, 2);
    put(m, walk, "leaf", 200, 7);
    put(m, 2, "mine", 1000, 9);
    put(m, 1, "one", 4, 1);
    put(m, 5, "other", 8, 1);
    inclusive(m, "main", 1115);
    inclusive(m, "work", 230);
    inclusive(m, "walk", 1330);
    inclusive(m, "leaf", 300);
    inclusive(m, "one", 4);
    inclusive(m, "other", 8);
    call(m, "main", "walk", 3, 1110);
    call(m, "walk", "mine", 9, 1000);
    inclusive(m, "mine", 1000);
    call(m, "work", "walk", 2, 220);
    call(m, "walk", "leaf", 12, 300);
    call(m, "main", "one", 1, 4);
    call(m, "work", "other", 1, 8);
}

static struct cprof_profile *thread(const struct cprof_profile *p, uint32_t root)
{
    struct cprof_error error;
    struct cprof_profile *t = thread_profile(p, root, &error);

    ok(t != NULL, "thread of context %u", root);
    return t;
}

static int64_t own(const struct cprof_profile *p)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < p->n_contexts; i++)
        for (uint32_t k = 0; k < p->contexts[i].n_costs; k++)
            sum += cprof_context_values(p, p->contexts[i].first_cost + k)[0];
    return sum;
}

/* The cost of the function with all it called; -1: that is not known. */
static int64_t of_function(const struct cprof_profile *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (!strcmp(p->functions[i].name, name))
            return p->inclusive ? cprof_inclusive_values(p, i)[0] : -1;
    return -1;
}

static void check_call(const struct cprof_profile *p, const char *caller, const char *callee,
                       uint64_t count, int64_t ir)
{
    uint64_t counted = 0;
    int64_t sum = 0;

    for (uint32_t i = 0; i < p->n_calls; i++) {
        const struct cprof_call *c = &p->calls[i];

        if (strcmp(p->functions[c->caller].name, caller) != 0 ||
            strcmp(p->functions[c->callee].name, callee) != 0)
            continue;
        counted += c->count;
        sum += cprof_call_values(p, i)[0];
    }
    ok(counted == count && sum == ir, "%s calls %s %d times, which costs %d", caller, callee,
       (int)count, (int)ir);
    if (counted != count || sum != ir)
        printf("# got: %d times, %d\n", (int)counted, (int)sum);
}

static void check_shared(void)
{
    struct making m;
    struct cprof_profile *p, *t;

    make(&m);
    p = builder_finish(m.b);
    t = thread(p, 0);
    is_number(own(t), 1115, "the first thread's instructions");
    is_number(of_function(t, "main"), 1115, "main is of it alone");
    is_number(of_function(t, "walk"), 1110,
              "walk, which the other thread runs, too, has the one thread's cost");
    is_number(of_function(t, "leaf"), 100, "what both call there");
    is_number(of_function(t, "work"), 0, "what the other thread alone runs");
    check_call(t, "main", "walk", 3, 1110);
    check_call(t, "walk", "mine", 9, 1000);
    check_call(t, "walk", "leaf", 5, 100);
    check_call(t, "main", "one", 1, 4);
    check_call(t, "work", "walk", 0, 0);
    cprof_free(t);
    t = thread(p, 4);
    is_number(own(t), 230, "the second thread's instructions");
    is_number(of_function(t, "walk"), 220, "walk in the second thread");
    is_number(of_function(t, "leaf"), 200, "leaf in the second thread");
    is_number(of_function(t, "one"), 0, "what the first thread alone runs");
    check_call(t, "work", "walk", 2, 220);
    check_call(t, "walk", "leaf", 7, 200);
    check_call(t, "work", "other", 1, 8);
    cprof_free(t);
    cprof_free(p);
}

/* Neither thread's inclusive costs are known: paths do not tell which of them the folded calls are
 * of. */
static void check_hidden(const struct cprof_profile *p, const char *what)
{
    static const uint32_t roots[] = {0, 4};

    for (int i = 0; i < 2; i++) {
        struct cprof_profile *t = thread(p, roots[i]);

        ok(!t->inclusive && !t->n_calls, "%s: hides what thread %d's calls cost", what, i + 1);
        is_number(own(t), i ? 230 : 1115, "own costs of each thread are known");
        cprof_free(t);
    }
}

static void check_recursion(void)
{
    struct making m;
    struct cprof_profile *p;

    make(&m);
    call(&m, "walk", "walk", 4, 50);
    p = builder_finish(m.b);
    check_hidden(p, "a function that calls itself in both threads");
    cprof_free(p);

    make(&m);
    call(&m, "leaf", "walk", 4, 50);
    p = builder_finish(m.b);
    check_hidden(p, "two that call each other");
    cprof_free(p);
}

/* A recursion of one thread hides nothing: its costs are those of the whole. */
static void check_own_recursion(void)
{
    struct making m;
    struct cprof_profile *p, *t;

    make(&m);
    call(&m, "one", "one", 6, 3);
    call(&m, "other", "work", 2, 5);
    p = builder_finish(m.b);
    t = thread(p, 0);
    is_number(of_function(t, "walk"), 1110, "walk beside one that calls itself");
    check_call(t, "one", "one", 6, 3);
    check_call(t, "other", "work", 0, 0);
    cprof_free(t);
    t = thread(p, 4);
    is_number(of_function(t, "walk"), 220, "walk beside two that call each other");
    check_call(t, "other", "work", 2, 5);
    check_call(t, "one", "one", 0, 0);
    cprof_free(t);
    cprof_free(p);
}

/* Shared functions may be in a circle that one thread alone closes, by a function of its own. */
static void check_circle(void)
{
    struct making m;
    struct cprof_profile *p, *t;

    make(&m);
    call(&m, "leaf", "work", 2, 5);
    p = builder_finish(m.b);
    t = thread(p, 0);
    is_number(of_function(t, "walk"), 1110, "walk in a circle that the other thread closes");
    check_call(t, "leaf", "work", 0, 0);
    cprof_free(t);
    t = thread(p, 4);
    is_number(of_function(t, "walk"), 220, "walk in a circle by a function of the thread alone");
    check_call(t, "leaf", "work", 2, 5);
    cprof_free(t);
    cprof_free(p);
}

int main(void)
{
    check_shared();
    check_circle();
    check_recursion();
    check_own_recursion();
    return tap_done();
}
