/* Paths that begin at own code: what is left of them, and what start-up costs. */
#include <config.h>

#include "../tap.h"
#include "cprof_internal.h"
#include "derive/short_paths.h"

#include <stdlib.h>

struct making {
    struct builder *b;
    uint32_t object;
};

static uint32_t put(struct making *m, uint32_t parent, const char *name, int64_t ir)
{
    uint32_t object = name[0] == '[' ? CPROF_NONE : m->object;
    struct cprof_context context = {.parent = parent,
                                    .function =
                                        builder_function(m->b, name, NULL, object, CPROF_NONE, 0),
                                    .site_file = CPROF_NONE,
                                    .site = 0x20,
                                    .calls = 1};
    struct cprof_cost cost = {context.function, CPROF_NONE, 0, 0x10};
    uint32_t index = builder_context(m->b, &context);

    if (ir)
        builder_context_cost(m->b, index, &cost, &ir);
    return index;
}

/* Two threads run own::work, each its own start-up, which calls malloc besides; a third runs no own
 * code, and a fourth path belongs to no thread. */
static struct cprof_profile *make(void)
{
    struct making m;
    struct cprof_error error = {.code = CPROF_OK};
    uint32_t at;

    m.b = builder_new(&error);
    builder_header(m.b)->format = CPROF_FORMAT_RAW;
    builder_event(m.b, "Ir");
    m.object = builder_object(m.b, "/tmp/program", NULL);
    at = put(&m, put(&m, CPROF_NONE, "[thread 1]", 0), "_start", 1);
    put(&m, at, "malloc", 2);
    put(&m, put(&m, put(&m, at, "own::work", 10), "malloc", 20), "own::work", 40);
    at = put(&m, put(&m, CPROF_NONE, "[thread 2: a]", 0), "clone", 100);
    put(&m, put(&m, at, "own::work", 200), "malloc", 400);
    put(&m, put(&m, CPROF_NONE, "[thread 3]", 0), "clone", 1000);
    put(&m, put(&m, CPROF_NONE, "lone", 2000), "own::work", 4000);
    return builder_finish(m.b);
}

static void put_path(char *text, size_t size, const struct cprof_profile *p, uint32_t i)
{
    const struct cprof_context *c = &p->contexts[i];
    size_t length;

    if (c->parent != CPROF_NONE)
        put_path(text, size, p, c->parent);
    length = strlen(text);
    snprintf(text + length, size - length, "%s%s", length ? ";" : "",
             p->functions[c->function].name);
}

/* The own cost of a path; -1: there is none. */
static int64_t of_path(const struct cprof_profile *p, const char *path)
{
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        char text[200] = "";
        int64_t sum = 0;

        put_path(text, sizeof text, p, i);
        if (strcmp(text, path) != 0)
            continue;
        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
            sum += cprof_context_values(p, k)[0];
        return sum;
    }
    return -1;
}

int main(void)
{
    static const struct {
        const char *path;
        int64_t cost;
    } paths[] = {{"[start-up]", 103},        {"own::work", 210},
                 {"own::work;malloc", 420},  {"own::work;malloc;own::work", 40},
                 {"[thread 3];clone", 1000}, {"lone;own::work", 4000},
                 {"[thread 1]", -1},         {"[thread 2: a]", -1}};
    struct cprof_profile *p = make(), *folded;
    struct cprof_error error;
    bool *own = calloc(p->n_functions, sizeof *own);

    for (uint32_t i = 0; i < p->n_functions; i++)
        own[i] = !strncmp(p->functions[i].name, "own", 3);
    folded = startup_profile(p, own, &error);
    ok(folded != NULL, "paths are folded");
    for (size_t i = 0; folded && i < sizeof paths / sizeof *paths; i++) {
        int64_t cost = of_path(folded, paths[i].path);

        ok(cost == paths[i].cost, "%s", paths[i].path);
        if (cost != paths[i].cost)
            printf("# got: %d\n", (int)cost);
    }
    ok(folded && folded->totals[0] == p->totals[0], "the total is as it was");
    cprof_free(folded);
    cprof_free(p);
    free(own);
    return tap_done();
}
