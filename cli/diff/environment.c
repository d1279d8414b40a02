#include <config.h>

#include "diff/environment.h"

#include "base/clean.h"
#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "run/setup.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*--- Facts ---*/

/* A fact of the setup, or the build of a library. */
struct fact {
    const char *word, *what;
    const char *libraries[5]; /* how the names of its files begin */
    bool is_of_build;         /* it may change code */
};

static const struct fact facts[ENVIRONMENT_FACTS] = {
    {.word = SETUP_MACHINE, .what = "machine"},
    {.word = SETUP_KERNEL, .what = "kernel"},
    {.word = SETUP_COMPILER, .what = "compiler", .is_of_build = true},
    {.word = SETUP_FLAGS, .what = "flags of rustc", .is_of_build = true},
    {.word = SETUP_SETTINGS, .what = "settings of the build profile", .is_of_build = true},
    {.word = SETUP_LOCK, .what = "Cargo.lock", .is_of_build = true},
    {.word = SETUP_OPTIONS, .what = "options"},
    {.word = SETUP_VARIABLES, .what = "variables"},
    {.word = "libc", .what = "libc", .libraries = {"libc.so.", "libc-2."}},
    {.word = "loader", .what = "ld.so", .libraries = {"ld-linux", "ld-2.", "ld-musl", "ld.so"}}};

const char *environment_word(size_t fact)
{
    return facts[fact].word;
}

/* The build-id of the first object whose name begins so; NULL: there is none. */
static const char *build_id_of(const struct cprof_profile *p, const char *const *names)
{
    for (uint32_t i = 0; i < p->n_objects; i++)
        for (const char *const *name = names; *name; name++)
            if (p->objects[i].build_id && text_begins(path_base(p->objects[i].path), *name))
                return p->objects[i].build_id;
    return NULL;
}

void environment_load(struct environment *e, const struct cprof_profile *p)
{
    for (size_t i = 0; i < ENVIRONMENT_FACTS; i++)
        e->values[i] = *facts[i].libraries ? build_id_of(p, facts[i].libraries)
                                           : setup_value(p, facts[i].word);
}

void environment_load_build(struct environment *e, const struct cprof_profile *p)
{
    environment_load(e, p);
    for (size_t i = 0; i < ENVIRONMENT_FACTS; i++)
        if (!facts[i].is_of_build)
            e->values[i] = NULL;
}

/*--- Differences ---*/

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

static struct environment_change variables_change(const char *old, const char *new)
{
    struct environment_change c = {.old = variables_text(old), .new = variables_text(new)};

    if (!strcmp(c.old, c.new)) {
        free(c.new);
        c.new = xstrdup("others, of as many bytes");
    }
    return c;
}

static struct environment_change library_change(const char *old, const char *new)
{
    enum { DIGITS = 12 }; /* of a build-id */
    char *before = xasprintf("build %.*s", DIGITS, old), *after = xasprintf("%.*s", DIGITS, new);
    struct environment_change c = {.old = text_shown(before), .new = text_shown(after)};

    free(before);
    free(after);
    return c;
}

static struct environment_change change_of(const struct fact *fact, const char *old,
                                           const char *new)
{
    struct environment_change c;

    if (!strcmp(fact->word, SETUP_VARIABLES))
        c = variables_change(old, new);
    else if (*fact->libraries)
        c = library_change(old, new);
    else
        c = (struct environment_change){.old = text_shown(old), .new = text_shown(new)};
    c.what = fact->what;
    return c;
}

static bool is_there(const struct environment_diff *d, const char *what)
{
    for (size_t i = 0; i < d->n; i++)
        if (!strcmp(d->items[i].what, what))
            return true;
    return false;
}

void environment_diff_add(struct environment_diff *d, const struct environment *old,
                          const struct environment *new)
{
    for (size_t i = 0; i < ENVIRONMENT_FACTS; i++) {
        const char *before = old->values[i], *after = new->values[i];

        if (!before || !after || !strcmp(before, after) || is_there(d, facts[i].what))
            continue;
        d->items = xreallocarray(d->items, d->n + 1, sizeof *d->items);
        d->items[d->n++] = change_of(&facts[i], before, after);
    }
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

void environment_diff_note(const struct environment_diff *diff)
{
    char *text = environment_diff_text(diff);

    if (text)
        message_note("the two runs were made in different environments: %s", text);
    free(text);
}
