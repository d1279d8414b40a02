#include <config.h>

#include "bench/plan.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/message.h"
#include "bench/doc_tests.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT_BYTES = 150 }; /* of a file's name, which may have 255 */

/* A name for a file, of the executable's and the bench's: letters that mean something to a shell or
 * in a path become "-". */
static char *file_name(const struct cargo_executable *e, const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+";
    const char *kind = !strcmp(e->kind, "bin") || !strcmp(e->kind, "example") ? e->kind : "";
    char *text = xasprintf("%s%s%s%s%s", e->program.name, *kind ? "-" : "", kind, name ? "." : "",
                           name ? name : "");
    size_t kept = 0;

    for (const char *c = text; *c; c++) {
        bool is_plain = strchr(plain, *c) != NULL;

        if (is_plain || (kept && text[kept - 1] != '-'))
            text[kept++] = (char)(is_plain ? *c : '-');
    }
    while (kept > 1 && (text[kept - 1] == '-' || kept > KEPT_BYTES))
        kept--;
    text[kept] = '\0';
    return text;
}

static bool is_taken(const struct plan *plan, const char *kept)
{
    for (size_t i = 0; i < plan->n; i++)
        if (!strcmp(plan->items[i].kept, kept))
            return true;
    return false;
}

static void add(struct plan *plan, const struct bench_run *pattern, const char *name)
{
    char *stem = file_name(pattern->executable, name), *kept = xstrdup(stem);
    struct bench_run run = *pattern;

    for (unsigned i = 2; is_taken(plan, kept); i++) {
        free(kept);
        kept = xasprintf("%s-%u", stem, i);
    }
    free(stem);
    run.name = name ? xstrdup(name) : NULL;
    run.kept = kept;
    GROW(plan->items, plan->n, plan->room);
    plan->items[plan->n++] = run;
}

static int add_executable(struct plan *plan, struct bench_run *pattern, const char *filter)
{
    const struct cargo_executable *e = pattern->executable;
    const struct harness *h = harness_find(e->program.path);
    struct string_list names;
    int status;

    /* Unit tests, which cargo bench builds with the rest, have libtest or nothing. */
    if (h->list == LIST_NONE && strcmp(e->kind, "bench") != 0)
        return 0;
    if (h->own_runner) {
        message_note("'%s' is not profiled: it is a bench of %s, which starts itself again under "
                     "%s",
                     e->program.name, h->name, h->own_runner);
        return 0;
    }
    pattern->harness = h;
    status = harness_names(h, &e->program, &names);
    plan->n_benches += names.n;
    for (size_t i = 0; i < names.n && !status; i++)
        if (!filter || strstr(names.items[i], filter))
            add(plan, pattern, names.items[i]);
    if (!status)
        harness_names_free(&names);
    return status;
}

int plan_benches(struct plan *plan, const struct bench_run *pattern, const char *filter)
{
    struct bench_run run = *pattern;
    int status = 0;

    *plan = (struct plan){.n = 0};
    for (size_t i = 0; i < pattern->built->n && !status; i++) {
        run.executable = &pattern->built->items[i];
        status = add_executable(plan, &run, filter);
    }
    return status;
}

static void plan_doc_tests(struct plan *plan, const struct bench_run *pattern,
                           const struct build_request *doc)
{
    struct bench_run run = *pattern;
    bool can = doc_tests_can_run();

    run.doc = doc;
    for (size_t i = 0; i < pattern->built->n; i++) {
        run.executable = &pattern->built->items[i];
        if (strcmp(run.executable->kind, "lib") != 0)
            continue;
        if (can)
            add(plan, &run, NULL);
        else
            message_note("the doc tests of '%s' are not profiled: this rustdoc knows no stable "
                         "--test-runtool; 'cargo test --doc' runs them",
                         run.executable->program.name);
    }
}

void plan_tests(struct plan *plan, const struct bench_run *pattern, const struct build_request *doc,
                bool only_doc)
{
    struct bench_run run = *pattern;

    *plan = (struct plan){.n = 0};
    for (size_t i = 0; i < pattern->built->n && !only_doc; i++) {
        const struct harness *h = harness_find(pattern->built->items[i].program.path);

        run.executable = &pattern->built->items[i];
        if (!strcmp(h->name, "libtest"))
            add(plan, &run, NULL);
        else
            message_note("'%s' is not profiled: its tests have a harness of their own, '%s' "
                         "profiles it as a whole",
                         run.executable->program.name, "cargo cprof callgrind --test");
    }
    if (doc)
        plan_doc_tests(plan, pattern, doc);
}

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->n; i++) {
        free((char *)plan->items[i].name);
        free(plan->items[i].kept);
    }
    free(plan->items);
    *plan = (struct plan){.n = 0};
}
