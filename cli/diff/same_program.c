#include <config.h>

#include "diff/same_program.h"

#include "base/clean.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "diff/environment.h"
#include "run/setup.h"
#include "table/curves.h"

#include <stdlib.h>
#include <string.h>

enum { HASH_DIGITS = 16 };

/* The length without "-0123456789abcdef", which cargo puts behind the names of tests. */
static size_t size_without_hash(const char *name, size_t size)
{
    size_t hash = HASH_DIGITS + 1;

    if (size <= hash || name[size - hash] != '-' ||
        strspn(name + size - HASH_DIGITS, "0123456789abcdef") < HASH_DIGITS)
        return size;
    return size - hash;
}

char *program_name(const struct cprof_profile *p)
{
    const char *path = p->program ? p->program : p->command, *name = path;
    size_t size;

    if (!path)
        return NULL;
    /* A command line begins with the program. */
    size = p->program ? strlen(path) : strcspn(path, " ");
    for (const char *c = path; c < path + size; c++)
        if (*c == '/')
            name = c + 1;
    size -= (size_t)(name - path);
    if (!size)
        return NULL;
    return xstrndup(name, size_without_hash(name, size));
}

bool same_program(const struct cprof_profile *a, const struct cprof_profile *b)
{
    char *x = program_name(a), *y = program_name(b);
    bool same = !x || !y || !strcmp(x, y);

    free(x);
    free(y);
    return same;
}

void same_program_note(const struct cprof_profile *old, const struct cprof_profile *new)
{
    char *x, *y;

    if (same_program(old, new))
        return;
    x = program_name(old);
    y = program_name(new);
    message_warning("the profiles are of two programs: the old one is of '%s', the new one of '%s'",
                    x, y);
    free(x);
    free(y);
}

/*--- Setups ---*/

enum { LONGEST = 60 }; /* bytes of arguments, which would else be a page */

static void add(struct strbuf *text, const char *what, const char *old, const char *new)
{
    strbuf_add_item(text, "; ", what);
    strbuf_addf(text, " %s -> %s", old, new);
}

/*--- Arguments ---*/

static bool same_arguments(const struct cprof_profile *a, const struct cprof_profile *b)
{
    bool same = a->n_arguments == b->n_arguments;

    for (uint32_t i = 1; same && i < a->n_arguments; i++)
        same = !strcmp(a->arguments[i], b->arguments[i]);
    return same;
}

/* "--fast 1", from the argument `first` on. The caller frees it. */
static char *arguments_text(const struct cprof_profile *p, uint32_t first)
{
    struct strbuf text = {.text = NULL};
    char *whole, *shown;

    for (uint32_t i = first; i < p->n_arguments; i++) {
        char *word = shell_word(p->arguments[i]);

        strbuf_add_item(&text, " ", word);
        free(word);
    }
    if (!text.text)
        return xstrdup("(none)");
    if (text.size > LONGEST) {
        strbuf_cut(&text, LONGEST);
        strbuf_add(&text, "...");
    }
    whole = strbuf_take(&text);
    shown = text_shown(whole);
    free(whole);
    return shown;
}

static void compare_arguments(struct strbuf *text, const struct cprof_profile *old,
                              const struct cprof_profile *new)
{
    uint32_t first = 1;
    char *before, *after;

    if (!old->n_arguments || !new->n_arguments || same_arguments(old, new))
        return;
    /* Their common beginning might take all the room. */
    while (first < old->n_arguments && first < new->n_arguments &&
           !strcmp(old->arguments[first], new->arguments[first]))
        first++;
    before = arguments_text(old, first);
    after = arguments_text(new, first);
    add(text, first > 1 ? "last arguments" : "arguments", before, after);
    free(before);
    free(after);
}

/*--- Facts that the profiles keep ---*/

static void compare_build(struct strbuf *text, const struct cprof_profile *old,
                          const struct cprof_profile *new)
{
    const char *profiles[] = {setup_value(old, SETUP_PROFILE), setup_value(new, SETUP_PROFILE)};
    const char *features[] = {setup_value(old, SETUP_FEATURES), setup_value(new, SETUP_FEATURES)};

    /* A program that cargo did not build has neither. */
    if (!profiles[0] || !profiles[1])
        return;
    if (strcmp(profiles[0], profiles[1]) != 0)
        add(text, "build profile", profiles[0], profiles[1]);
    for (int i = 0; i < 2; i++)
        features[i] = features[i] ? features[i] : "as usual";
    if (strcmp(features[0], features[1]) != 0)
        add(text, "features", features[0], features[1]);
}

static void compare_input(struct strbuf *text, const struct cprof_profile *old,
                          const struct cprof_profile *new)
{
    const char *before = setup_value(old, SETUP_INPUT), *after = setup_value(new, SETUP_INPUT);
    long long sizes[2];

    if (!before || !after || !strcmp(before, after))
        return;
    sizes[0] = strtoll(before, NULL, 10);
    sizes[1] = strtoll(after, NULL, 10);
    if (sizes[0] != sizes[1])
        strbuf_add_item(text, "; ", "bytes of standard input ");
    else
        strbuf_add_item(text, "; ", "standard input has other bytes, as many as before: ");
    if (sizes[0] != sizes[1])
        strbuf_addf(text, "%s -> %s", TEXT_COUNT(sizes[0]), TEXT_COUNT(sizes[1]));
    else
        strbuf_add(text, TEXT_COUNT(sizes[0]));
}

/*--- The model of the caches ---*/

static void compare_cache(struct strbuf *text, const struct cprof_cache *a,
                          const struct cprof_cache *b)
{
    char *before, *after, *what;

    if (a->size == b->size && a->ways == b->ways && a->line_size == b->line_size)
        return;
    before = curve_size_text(a->size);
    after = curve_size_text(b->size);
    what = xasprintf("cache %s", a->name);
    if (a->size != b->size)
        add(text, what, before, after);
    else
        strbuf_addf(text, "%s%s of other ways or lines", text->size ? "; " : "", what);
    free(before);
    free(after);
    free(what);
}

static void compare_caches(struct strbuf *text, const struct cprof_profile *old,
                           const struct cprof_profile *new)
{
    for (uint32_t i = 0; i < old->n_caches; i++)
        for (uint32_t k = 0; k < new->n_caches; k++)
            if (!strcmp(old->caches[i].name, new->caches[k].name))
                compare_cache(text, &old->caches[i], &new->caches[k]);
}

static const char *rep_word(const struct cprof_profile *p)
{
    return p->rep_one ? "one" : "each";
}

static void compare_rep(struct strbuf *text, const struct cprof_profile *old,
                        const struct cprof_profile *new)
{
    /* Options that both are known to have had are compared with the environment. */
    if (setup_value(old, SETUP_OPTIONS) && setup_value(new, SETUP_OPTIONS))
        return;
    if (!old->rep_one != !new->rep_one)
        add(text, "instructions of each repetition or one, --rep", rep_word(old), rep_word(new));
}

char *setup_differences(const struct cprof_profile *old, const struct cprof_profile *new)
{
    struct strbuf text = {.text = NULL};

    compare_arguments(&text, old, new);
    compare_input(&text, old, new);
    compare_build(&text, old, new);
    compare_caches(&text, old, new);
    compare_rep(&text, old, new);
    return text.text;
}

char *setup_build_differences(const struct cprof_profile *old, const struct cprof_profile *new)
{
    struct environment before, after;
    struct environment_diff diff = {.n = 0};
    struct strbuf text = {.text = NULL};
    char *environment;

    compare_build(&text, old, new);
    environment_load_build(&before, old);
    environment_load_build(&after, new);
    environment_diff_add(&diff, &before, &after);
    environment = environment_diff_text(&diff);
    if (environment)
        strbuf_add_item(&text, "; ", environment);
    environment_diff_free(&diff);
    free(environment);
    return text.text;
}

char *setup_warn(const struct cprof_profile *old, const struct cprof_profile *new)
{
    char *text = setup_differences(old, new);

    if (text)
        message_warning("the two runs were given different things: %s", text);
    return text;
}
