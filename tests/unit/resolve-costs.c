/*
 * From raw profiles to named ones, where no object file is needed: what each context costs, with
 * basic blocks kept and with cost records; and which instances --fold-generics takes for one
 * function.
 */
#include <config.h>

#include "../tap.h"
#include "cprof_internal.h"
#include "resolve/resolve.h"

#include <stdlib.h>

/* One basic block runs in three contexts that follow each other, and again in one of them. */
static const char raw[] = "cprof-raw 2\n"
                          "events: Ir Dr\n"
                          "o 0 - /nowhere\n"
                          "s 0 0 1000 i +1 ir\n"
                          "s 1 0 1010 i\n"
                          "t 0 - [thread 1]\n"
                          "n 1 0 0 1000 - 0 1\n"
                          "k 0 5\n"
                          "n 2 1 0 1000 0 1008 1\n"
                          "k 0 70\n"
                          "k 0 2\n"
                          "n 3 0 0 1000 - 0 1\n"
                          "n 4 3 0 1000 0 1008 1\n"
                          "k 0 900\n"
                          "k 1 1\n"
                          "end 15\n";

static void check_contexts(bool keep, bool brief, const char *what)
{
    static const int64_t want[][2] = {{0, 0}, {10, 5}, {144, 72}, {0, 0}, {1801, 900}};
    struct resolve_settings settings = {.brief_contexts = brief, .style = NAME_SHORT};
    struct cprof_error error;
    struct cprof_profile *from = keep ? profile_read_blocks(raw, sizeof raw - 1, "made", 0, &error)
                                      : cprof_read(raw, sizeof raw - 1, "made", 0, &error);
    struct cprof_profile *p = from ? resolve_profile(from, &settings, NULL, &error) : NULL;

    if (!ok(p != NULL, "%s: named %s", what, p ? "" : error.text))
        return;
    is_number(p->n_contexts, 5, "contexts are those of the raw profile");
    for (uint32_t i = 0; i < p->n_contexts && i < 5; i++) {
        const struct cprof_context *c = &p->contexts[i];
        int64_t sum[2] = {0, 0};

        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
            for (int e = 0; e < 2; e++)
                sum[e] += cprof_context_values(p, k)[e];
        ok(sum[0] == want[i][0] && sum[1] == want[i][1], "%s: context %u cost %lld and %lld", what,
           (unsigned)i, (long long)sum[0], (long long)sum[1]);
    }
    ok(p->totals[0] == 1955 && p->totals[1] == 977, "%s: totals", what);
    cprof_free(p);
    cprof_free(from);
}

static void put(struct builder *b, const char *name, const char *object, const char *file,
                uint32_t line)
{
    struct cprof_cost cost = {builder_function(b, name, NULL, builder_object(b, object, NULL),
                                               builder_file(b, file), line),
                              CPROF_NONE, 0, 0};
    int64_t ir = 1;

    builder_cost(b, &cost, &ir);
}

/* Instances of one generic function have its name, and are defined in one place. */
static void check_folds(void)
{
    struct resolve_settings settings = {.fold_generics = true, .style = NAME_SHORT};
    struct cprof_error error;
    struct builder *b = builder_new(&error);
    struct cprof_profile *p;
    char got[256] = "";

    builder_header(b)->format = CPROF_FORMAT_CALLGRIND;
    builder_event(b, "Ir");
    put(b, "_ZN1AIiE1gEv", "/a", "a.h", 3);
    put(b, "_ZN1AIlE1gEv", "/a", "a.h", 3);
    put(b, "_ZN1AIcE1gEv", "/a", "b.h", 3);
    put(b, "_ZN1AIsE1gEv", "/a", "b.h", 4);
    put(b, "_ZN1AIsE1gEv", "/b", "a.h", 3);
    put(b, "plain(int)", "/a", "a.h", 9);
    put(b, "_ZN1BIiEclEv", "/a", "a.h", 12);
    put(b, "_ZN1BIlEclEv", "/a", "a.h", 12);
    put(b, "_ZNK1CclIiEEbT_", "/a", "a.h", 15);
    put(b, "_ZNK1CclIlEEbT_", "/a", "a.h", 15);
    p = resolve_names(builder_finish(b), &settings, &error);
    for (uint32_t i = 0; p && i < p->n_costs; i++) {
        const struct cprof_function *f = &p->functions[p->costs[i].function];

        sprintf(got + strlen(got), "%s%s %s%s:%u x%lld", i ? ", " : "", f->name,
                p->objects[f->object].path, p->files[f->file], (unsigned)f->line,
                (long long)cprof_cost_values(p, i)[0]);
    }
    is_text(got,
            "A::g /aa.h:3 x2, A<char>::g() /ab.h:3 x1, A<short>::g() /ab.h:4 x1, A<short>::g() "
            "/ba.h:3 x1, "
            "plain(int) /aa.h:9 x1, B::operator() /aa.h:12 x2, C::operator() /aa.h:15 x2",
            "instances are one where object, file and line are one");
    cprof_free(p);
}

int main(void)
{
    check_contexts(true, false, "basic blocks");
    check_contexts(true, true, "basic blocks, in brief");
    check_contexts(false, false, "cost records");
    check_folds();
    return tap_done();
}
