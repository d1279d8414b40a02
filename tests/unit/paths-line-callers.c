/* The callers of a line, and what it cost for each. */
#include <config.h>

#include "../tap.h"
#include "fixture.h"
#include "paths/line_callers.h"

#include <stdlib.h>

struct program {
    struct fixture fixture;
    struct cprof_profile *profile;
    struct columns columns;
};

/* A context below `parent`, called from `site` of a.c, that spends `ir` at `line` of a.c. */
static uint32_t put(struct fixture *f, uint32_t parent, const char *name, uint32_t site,
                    bool inlined, uint32_t line, int64_t ir)
{
    uint32_t function, file = fixture_file(f, "a.c");
    struct cprof_context context = {.parent = parent, .site_file = CPROF_NONE};
    struct cprof_cost cost = {.file = file, .line = line};

    f->object = parent == CPROF_NONE ? CPROF_NONE : f->program;
    function = fixture_function(f, name, NULL, "a.c", 1);
    context.function = cost.function = function;
    if (site) {
        context.site_file = file;
        context.site_line = site;
    }
    context.inlined = inlined;
    context.calls = inlined ? 0 : 2;
    return fixture_context(f, &context, ir ? &cost : NULL, ir);
}

/* The callers as "CALLER:LINE=IR*CALLS", inlined ones with "i". */
static char *callers_of(const struct program *p, const char *name, const char *file, uint32_t line)
{
    bool *functions = calloc(p->profile->n_functions, sizeof *functions);
    struct line_callers callers;
    char *text = calloc(1, 1024);

    for (uint32_t i = 0; i < p->profile->n_functions; i++)
        functions[i] = !strcmp(p->profile->functions[i].name, name);
    line_callers_load(&callers, p->profile, functions, file, line, p->columns.items);
    for (size_t i = 0; i < callers.n; i++) {
        const struct line_caller *c = &callers.items[i];
        const char *caller =
            c->function == CPROF_NONE ? "none" : p->profile->functions[c->function].name;

        sprintf(text + strlen(text), "%s%s:%u=%lld*%llu%s", i ? " " : "", caller, c->line,
                (long long)c->counts[0], (unsigned long long)c->calls, c->inlined ? "i" : "");
    }
    line_callers_free(&callers);
    free(functions);
    return text;
}

static void finds(const struct program *p, const char *name, uint32_t line, const char *want,
                  const char *what)
{
    char *text = callers_of(p, name, line ? "a.c" : NULL, line);

    is_text(text, want, what);
    free(text);
}

static void end(struct program *p)
{
    columns_free(&p->columns);
    cprof_free(p->profile);
}

static void finish(struct program *p)
{
    p->profile = fixture_end(&p->fixture);
    columns_load(&p->columns, events_of(p->profile));
}

/* main calls f from lines 1 and 2, and g, in which f is inlined; f calls leaf from line 10. */
static void test_callers(void)
{
    struct program p;
    struct fixture *f = &p.fixture;
    uint32_t root, at;

    fixture_begin(f, CPROF_FORMAT_RAW, "Ir");
    fixture_program(f, "/bin/p");
    root = put(f, CPROF_NONE, "main", 0, false, 1, 1);
    at = put(f, root, "f", 1, false, 10, 5);
    put(f, at, "leaf", 10, false, 30, 40);
    put(f, at, "leaf", 11, false, 30, 2);
    at = put(f, root, "f", 2, false, 11, 100);
    put(f, at, "leaf", 10, false, 30, 7);
    at = put(f, root, "g", 3, false, 20, 3);
    at = put(f, at, "f", 21, true, 10, 9);
    put(f, at, "other", 12, false, 40, 1000);
    finish(&p);
    finds(&p, "f", 10, "main:1=45*2 g:21=9*0i main:2=7*2",
          "the line's own cost and that of its calls, by call site");
    finds(&p, "f", 11, "main:2=100*2 main:1=2*2", "another line");
    finds(&p, "f", 13, "", "a line that cost nothing");
    finds(&p, "f", 0, "g:21=1009*0i main:2=107*2 main:1=47*2", "the whole function");
    finds(&p, "leaf", 30, "f:10=47*4 f:11=2*2", "callers on several paths are one");
    finds(&p, "main", 1, "none:0=48*2", "the root of the paths has none");
    end(&p);
}

/* A function that comes back below its own line counts each instruction once. */
static void test_nested(void)
{
    struct program p;
    struct fixture *f = &p.fixture;
    uint32_t at;

    fixture_begin(f, CPROF_FORMAT_RAW, "Ir");
    fixture_program(f, "/bin/p");
    at = put(f, CPROF_NONE, "main", 0, false, 1, 1);
    at = put(f, at, "f", 1, false, 10, 5);
    at = put(f, at, "g", 10, false, 20, 3);
    put(f, at, "f", 20, true, 10, 7);
    finish(&p);
    finds(&p, "f", 10, "main:1=15*2", "code inlined below the line is part of its cost");
    finds(&p, "f", 0, "main:1=15*2", "code inlined below the line is part of the function's cost");
    end(&p);
}

int main(void)
{
    test_callers();
    test_nested();
    return tap_done();
}
