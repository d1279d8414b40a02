#include <config.h>

#include "diff/environment.h"

#include "base/array.h"
#include "base/clean.h"
#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "run/setup.h"

#include <stdlib.h>
#include <string.h>

/* Takes over both texts. */
static void add(struct environment_diff *d, const char *what, char *old, char *new)
{
    d->items = xreallocarray(d->items, d->n + 1, sizeof *d->items);
    d->items[d->n++] = (struct environment_change){what, old, new};
}

/*--- Facts ---*/

/* "24 (1,203 bytes)" */
static char *variables_text(const char *value)
{
    char *end;
    long long n = strtoll(value, &end, 10), bytes = strtoll(end, NULL, 10);
    char *number = xstrdup(TEXT_COUNT(n)), *text;

    text = xasprintf("%s (%s bytes)", number, TEXT_COUNT(bytes));
    free(number);
    return text;
}

static void compare_variables(struct environment_diff *d, const char *old, const char *new)
{
    char *before = variables_text(old), *after = variables_text(new);

    if (!strcmp(before, after)) {
        free(after);
        after = xstrdup("others, of as many bytes");
    }
    add(d, "variables", before, after);
}

static void compare_facts(struct environment_diff *d, const struct cprof_profile *old,
                          const struct cprof_profile *new)
{
    static const struct {
        const char *word, *what;
    } facts[] = {{SETUP_MACHINE, "machine"},   {SETUP_KERNEL, "kernel"},
                 {SETUP_COMPILER, "compiler"}, {SETUP_FLAGS, "flags of rustc"},
                 {SETUP_LOCK, "Cargo.lock"},   {SETUP_OPTIONS, "options"}};
    const char *before, *after;

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        before = setup_value(old, facts[i].word);
        after = setup_value(new, facts[i].word);
        if (before && after && strcmp(before, after) != 0)
            add(d, facts[i].what, text_shown(before), text_shown(after));
    }
    before = setup_value(old, SETUP_VARIABLES);
    after = setup_value(new, SETUP_VARIABLES);
    if (before && after && strcmp(before, after) != 0)
        compare_variables(d, before, after);
}

/*--- Libraries ---*/

/* The build-id of the first object whose name begins so; NULL: there is none. */
static const char *build_id_of(const struct cprof_profile *p, const char *const *names)
{
    for (uint32_t i = 0; i < p->n_objects; i++)
        for (const char *const *name = names; *name; name++)
            if (p->objects[i].build_id && text_begins(path_base(p->objects[i].path), *name))
                return p->objects[i].build_id;
    return NULL;
}

static void compare_library(struct environment_diff *d, const char *what, const char *const *names,
                            const struct cprof_profile *old, const struct cprof_profile *new)
{
    enum { DIGITS = 12 }; /* of a build-id */
    const char *before = build_id_of(old, names), *after = build_id_of(new, names);

    if (before && after && strcmp(before, after) != 0)
        add(d, what, xasprintf("build %.*s", DIGITS, before), xasprintf("%.*s", DIGITS, after));
}

void environment_diff_load(struct environment_diff *diff, const struct cprof_profile *old,
                           const struct cprof_profile *new)
{
    static const char *const libc[] = {"libc.so.", "libc-2.", NULL};
    static const char *const loader[] = {"ld-linux", "ld-2.", "ld-musl", "ld.so", NULL};

    *diff = (struct environment_diff){.n = 0};
    compare_facts(diff, old, new);
    compare_library(diff, "libc", libc, old, new);
    compare_library(diff, "ld.so", loader, old, new);
}

void environment_diff_free(struct environment_diff *diff)
{
    for (size_t i = 0; i < diff->n; i++) {
        free(diff->items[i].old);
        free(diff->items[i].new);
    }
    free(diff->items);
    *diff = (struct environment_diff){.n = 0};
}

char *environment_diff_text(const struct environment_diff *diff)
{
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; i < diff->n; i++) {
        const struct environment_change *c = &diff->items[i];

        strbuf_add_item(&text, "; ", c->what);
        strbuf_addf(&text, " %s -> %s", c->old, c->new);
    }
    return text.text;
}
