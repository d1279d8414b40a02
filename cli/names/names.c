#include <config.h>

#include "names/names.h"

#include "base/memory.h"
#include "names/repeated.h"
#include "names/demangle.h"
#include "names/rust_name.h"
#include "cprof_internal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* How much of a name is shown: more only for those that would be equal otherwise. */
enum level {
    LEVEL_NAME,      /* the short name */
    LEVEL_ARGUMENTS, /* with its type arguments, short */
    LEVEL_EXACT,     /* with the full ones */
    LEVEL_FULL,      /* both in full */
    N_LEVELS
};

struct entry {
    uint32_t function;
    bool rust;
    char *readable;   /* what demangling made of the profile's name, or NULL */
    const char *full; /* that, or the profile's, which may be megabytes long */
    char *name;       /* as it will be shown; NULL: as `full` is */
    char *wanted;     /* as it would be at the level that is tried; NULL: as `full` is */
};

static const char *shown_name(const struct entry *e)
{
    return e->name ? e->name : e->full;
}

static const char *wanted_name(const struct entry *e)
{
    return e->wanted ? e->wanted : e->full;
}

static char *with_arguments(const char *name, const char *arguments, bool shorten)
{
    char *list = shorten ? rust_short_arguments(arguments) : xstrdup(arguments);
    const char *suffix = strstr(name, " [clone ");
    size_t size = suffix ? (size_t)(suffix - name) : strlen(name);
    char *text = xasprintf("%.*s::<%s>%s", (int)size, name, list, suffix ? suffix : "");

    free(list);
    return text;
}

/* The short name of a function that is not Rust's, or NULL. */
static char *short_other(const struct cprof_function *f, const char *full)
{
    return strstr(full, ">(") ? demangle_brief(f->mangled ? f->mangled : f->name) : NULL;
}

/* The name at a level, for the caller to free; NULL where it is the full one. */
static char *name_at(const struct cprof_profile *p, const struct entry *e, enum name_style style,
                     enum level level)
{
    const struct cprof_function *f = &p->functions[e->function];
    const char *arguments = f->arguments;
    bool is_short = style == NAME_SHORT && level != LEVEL_FULL;
    char *name = !is_short ? NULL : e->rust ? rust_short_name(e->full) : short_other(f, e->full);
    char *longer;

    if (level == LEVEL_NAME || !arguments || !e->rust)
        return name;
    longer = with_arguments(name ? name : e->full, arguments,
                            style == NAME_SHORT && level == LEVEL_ARGUMENTS);
    free(name);
    return longer;
}

static int compare_number(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_names(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(shown_name(x), shown_name(y));

    return order ? order : compare_number(x->function, y->function);
}

/* Whether rows of the two would look alike. */
static bool same_place(const struct cprof_profile *p, const struct entry *a, const struct entry *b)
{
    const struct cprof_function *x = &p->functions[a->function], *y = &p->functions[b->function];

    return x->file == y->file && x->line == y->line && x->object == y->object;
}

/* Whether one of `n` functions of the same name should be told from the others by more of it: by
 * arguments wherever it is, else only if the place does not tell. */
static bool is_alike(const struct cprof_profile *p, const struct entry *group, size_t n, size_t i,
                     enum level level)
{
    for (size_t k = 0; k < n; k++)
        if (k != i && strcmp(wanted_name(&group[k]), wanted_name(&group[i])) != 0 &&
            (level == LEVEL_ARGUMENTS || same_place(p, &group[k], &group[i])))
            return true;
    return false;
}

/* More than this share a name only in a hostile file: they keep it. */
enum { GROUP_MAX = 4096 };

/* Tries a level on functions of one name. */
static void tell_apart(const struct cprof_profile *p, struct entry *group, size_t n,
                       enum name_style style, enum level level)
{
    if (n < 2 || n > GROUP_MAX)
        return;
    for (size_t i = 0; i < n; i++)
        group[i].wanted = name_at(p, &group[i], style, level);
    for (size_t i = 0; i < n; i++) {
        if (!is_alike(p, group, n, i, level))
            continue;
        free(group[i].name);
        group[i].name = group[i].wanted ? xstrdup(group[i].wanted) : NULL;
    }
    for (size_t i = 0; i < n; i++) {
        free(group[i].wanted);
        group[i].wanted = NULL;
    }
}

static const char *entry_name(const void *owner, size_t i)
{
    return shown_name(&((const struct entry *)owner)[i]);
}

/* Puts entries whose name may be that of another first. Returns how many these are. */
static size_t find_alike(struct entry *entries, size_t n)
{
    bool *alike = alike_find(entry_name, entries, n);
    size_t found = 0;

    for (size_t i = 0; i < n; i++)
        if (alike[i]) {
            struct entry entry = entries[i];

            entries[i] = entries[found];
            entries[found++] = entry;
        }
    free(alike);
    return found;
}

static void tell_all_apart(const struct cprof_profile *p, struct entry *entries,
                           enum name_style style)
{
    size_t n, begin;

    for (enum level level = LEVEL_ARGUMENTS; level < N_LEVELS; level++) {
        n = find_alike(entries, p->n_functions);
        if (!n)
            return;
        qsort(entries, n, sizeof *entries, compare_names);
        begin = 0;
        for (size_t i = 1; i <= n; i++) {
            /* Before the names of the group change. */
            if (i < n && strcmp(shown_name(&entries[begin]), shown_name(&entries[i])) == 0)
                continue;
            tell_apart(p, entries + begin, i - begin, style, level);
            begin = i;
        }
    }
}

/* What is to be known of a function's name. One that another tool has demangled keeps its hash,
 * which tells Rust from C++. */
static void load(const struct cprof_profile *p, uint32_t function, enum name_style style,
                 struct entry *e)
{
    const struct cprof_function *f = &p->functions[function];

    e->function = function;
    e->readable = f->mangled ? NULL : demangle(f->name);
    e->full = e->readable ? e->readable : f->name;
    e->rust = f->mangled ? rust_is_mangled(f->mangled)
                         : e->readable && (rust_is_mangled(f->name) || rust_ends_in_hash(f->name));
    /* One that was folded has its name. */
    e->rust &= f->instances == 0;
    e->name = name_at(p, e, style, LEVEL_NAME);
}

static struct cprof_profile *apply_raw(struct cprof_profile *p, struct cprof_error *error)
{
    uint32_t n = p->n_functions;
    struct renaming r = renaming_begin(p);

    for (uint32_t i = 0; i < n; i++) {
        const struct cprof_function *f = renaming_function(&r, i);

        if (f->mangled)
            renaming_put(&r, i, f->mangled, NULL);
    }
    return renaming_finish(&r, error);
}

/* Takes over the name of an entry. */
static void apply(struct renaming *r, const struct entry *e)
{
    const struct cprof_function *f = renaming_function(r, e->function);
    const char *name = shown_name(e);

    if (strcmp(f->name, name) != 0)
        renaming_put(r, e->function, name, f->mangled ? f->mangled : f->name);
}

struct cprof_profile *names_apply(struct cprof_profile *p, enum name_style style,
                                  struct cprof_error *error)
{
    struct entry *entries;
    struct renaming r;
    uint32_t n = p->n_functions;

    if (style == NAME_RAW)
        return apply_raw(p, error);
    entries = xcalloc(n, sizeof *entries);
    for (uint32_t i = 0; i < n; i++)
        load(p, i, style, &entries[i]);
    if (n)
        tell_all_apart(p, entries, style);
    r = renaming_begin(p);
    for (uint32_t i = 0; i < n; i++) {
        apply(&r, &entries[i]);
        free(entries[i].readable);
        free(entries[i].name);
    }
    free(entries);
    return renaming_finish(&r, error);
}
