#include <config.h>

#include "bench/ending.h"

#include "base/memory.h"
#include "names/crates.h"
#include "symbols/symbol_table.h"

#include <stdlib.h>
#include <string.h>

/* Part of the name of the function that writes the result of libtest, and the same as both
 * manglings have it. */
#define FINISH "write_run_finish"
static const char *const finish_symbol = "16" FINISH;

/* True where code of the run could have called it under its name: the program's, or libtest's as a
 * library. */
static bool has_finish(const struct cprof_profile *p)
{
    if (p->program && symbol_search(p->program, &finish_symbol, 1) == 0)
        return true;
    for (uint32_t i = 0; i < p->n_objects; i++)
        if (strstr(p->objects[i].path, "/libtest-") &&
            symbol_search(p->objects[i].path, &finish_symbol, 1) == 0)
            return true;
    return false;
}

static enum ending ending_of_libtest(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_contexts; i++)
        if (strstr(p->functions[p->contexts[i].function].name, FINISH))
            return ENDING_OWN;
    return has_finish(p) ? ENDING_EARLY : ENDING_UNKNOWN;
}

/* Not _exit(), which a child calls whose program cannot be executed, as where criterion looks for
 * gnuplot; its paths are among these. */
static bool is_exit(const char *function)
{
    static const char *const names[] = {"exit", "quick_exit", "std::process::exit"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(function, names[i]))
            return true;
    return false;
}

/* True where exit() was called below the harness, or on a thread that is not the first. */
static bool exits_below(const struct cprof_profile *p, const struct crates *crates,
                        const char *crate)
{
    bool *below = xcalloc(p->n_contexts + 1, sizeof *below), found = false;

    for (uint32_t i = 0; i < p->n_contexts && !found; i++) {
        const struct cprof_context *x = &p->contexts[i];
        const char *name = p->functions[x->function].name;

        if (x->parent == CPROF_NONE)
            below[i] = root_is_thread(&p->functions[x->function]) &&
                       !root_is_first_thread(&p->functions[x->function]);
        else
            below[i] = below[x->parent] || !strcmp(crates_of(crates, x->function)->name, crate);
        found = below[i] && is_exit(name);
    }
    free(below);
    return found;
}

enum ending ending_of(const struct cprof_profile *profile, const struct crates *crates,
                      const struct harness *harness)
{
    const char *crate = harness ? harness->crate : "test";

    if (!crate)
        return ENDING_UNKNOWN;
    if (!strcmp(crate, "test"))
        return ending_of_libtest(profile);
    return profile->exit == CPROF_EXIT_EXEC || exits_below(profile, crates, crate) ? ENDING_EARLY
                                                                                   : ENDING_OWN;
}
