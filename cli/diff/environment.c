#include <config.h>

#include "diff/environment.h"

#include "base/clean.h"
#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/options.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "run/setup.h"
#include "symbols/compiler_flags.h"

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
    {.word = SETUP_CFLAGS, .what = "flags of C/C++", .is_of_build = true},
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

/*--- Flags of C and C++ ---*/

/* The parts of a text between gaps, for string_list_free_texts(). */
static struct string_list parts_of(const char *text, const char *gap)
{
    struct string_list parts = {0};
    const char *end;

    for (; (end = strstr(text, gap)) != NULL; text = end + strlen(gap))
        string_list_add(&parts, xstrndup(text, (size_t)(end - text)));
    string_list_add(&parts, xstrdup(text));
    return parts;
}

/* The flags of the compilations that only `a` has. */
static struct string_list other_flags(const struct string_list *a, const struct string_list *b)
{
    struct strbuf text = {.text = NULL};
    struct string_list words = {0};

    for (size_t i = 0; i < a->n; i++)
        if (!string_list_has(b, a->items[i]))
            strbuf_add_item(&text, " ", a->items[i]);
    if (text.text)
        words = parts_of(text.text, " ");
    strbuf_free(&text);
    return words;
}

/* The flags that only `a` has; "none". */
static char *flags_text(const struct string_list *a, const struct string_list *b)
{
    enum { LONGEST = 60 }; /* bytes, behind which no flag begins: -march=native stands for many */
    struct strbuf text = {.text = NULL};
    size_t more = 0;
    char *shown;

    for (size_t i = 0; i < a->n; i++) {
        if (string_list_has(b, a->items[i]))
            continue;
        if (text.size < LONGEST)
            strbuf_add_item(&text, " ", a->items[i]);
        else
            more++;
    }
    if (more)
        strbuf_addf(&text, " and %s more", TEXT_COUNT(more));
    shown = text_shown(text.text ? text.text : "none");
    strbuf_free(&text);
    return shown;
}

static struct environment_change cflags_change(const char *old, const char *new)
{
    struct string_list before = parts_of(old, COMPILER_FLAGS_GAP),
                       after = parts_of(new, COMPILER_FLAGS_GAP),
                       gone = other_flags(&before, &after), came = other_flags(&after, &before);
    struct environment_change c = {.old = flags_text(&gone, &came),
                                   .new = flags_text(&came, &gone)};

    if (!strcmp(c.old, c.new)) {
        free(c.new);
        c.new = xstrdup("as before, in another order");
    }
    string_list_free_texts(&before);
    string_list_free_texts(&after);
    string_list_free_texts(&gone);
    string_list_free_texts(&came);
    return c;
}

static struct environment_change change_of(const struct fact *fact, const char *old,
                                           const char *new)
{
    struct environment_change c;

    if (!strcmp(fact->word, SETUP_VARIABLES))
        c = variables_change(old, new);
    else if (!strcmp(fact->word, SETUP_CFLAGS))
        c = cflags_change(old, new);
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
