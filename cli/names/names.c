#include <config.h>

#include "names/names.h"

#include "base/array.h"
#include "base/memory.h"
#include "names/demangle.h"
#include "names/name_forms.h"
#include "names/normalise.h"
#include "names/rust_name.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*--- Things that look the same ---*/

struct search {
    const struct repeated *how;
    const void *owner;
};

/* Notes, for each slot of a table that is eight times as large, whether no text, one or more lead
 * there. Few share theirs by chance. The result has true wherever another text is equal, and now
 * and then where none is; the caller frees it. */
static bool *may_repeat(const struct search *s, size_t n)
{
    enum { ONE = 1, MORE = 2 };
    uint32_t *hashes = xreallocarray(NULL, n, sizeof *hashes);
    bool *repeats = xreallocarray(NULL, n, sizeof *repeats);
    unsigned char *slots;
    size_t mask = 1023;

    while (mask / 8 < n && mask < UINT32_MAX)
        mask = 2 * mask + 1;
    slots = xcalloc(mask + 1, 1);
    for (size_t i = 0; i < n; i++) {
        const char *item_text = s->how->text(s->owner, i);
        unsigned char *slot;

        hashes[i] = map_hash_bytes(item_text, strlen(item_text), 0);
        slot = &slots[hashes[i] & mask];
        *slot = *slot ? MORE : ONE;
    }
    for (size_t i = 0; i < n; i++)
        repeats[i] = slots[hashes[i] & mask] == MORE;
    free(slots);
    free(hashes);
    return repeats;
}

static int compare(const void *a, const void *b, void *search)
{
    const struct search *s = search;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = s->how->compare(s->owner, x, y);

    if (!order && s->how->order)
        order = s->how->order(s->owner, x, y);
    return order ? order : (x > y) - (x < y);
}

/* The numbers of all that may look like another; the caller frees them. */
static size_t *find(const struct search *s, size_t n, size_t *n_found)
{
    bool *repeats = s->how->text ? may_repeat(s, n) : NULL;
    size_t *items = xreallocarray(NULL, n, sizeof *items);

    *n_found = 0;
    for (size_t i = 0; i < n; i++)
        if (!repeats || repeats[i])
            items[(*n_found)++] = i;
    free(repeats);
    return items;
}

void repeated_each(const struct repeated *how, void *owner, size_t n)
{
    struct search s = {how, owner};
    size_t n_found, begin = 0, *items = find(&s, n, &n_found);

    if (n_found)
        qsort_r(items, n_found, sizeof *items, compare, &s);
    for (size_t i = 1; i <= n_found; i++) {
        /* Compared before the looks of the group change. */
        if (i < n_found && how->compare(owner, items[begin], items[i]) == 0)
            continue;
        if (i - begin > 1)
            how->use(owner, items + begin, i - begin);
        begin = i;
    }
    free(items);
}

/*--- Names of a profile ---*/

/*--- Equal names ---*/

static int same_name(const void *owner, uint32_t index, const void *key)
{
    return !strcmp(((const struct name_ids *)owner)->names[index], key);
}

/* Takes over `name`. */
static uint32_t intern(struct name_ids *ids, char *name)
{
    uint32_t hash = map_hash_bytes(name, strlen(name), 0);
    uint32_t found = map_find(&ids->map, hash, same_name, ids, name);

    if (found != MAP_NONE) {
        free(name);
        return found;
    }
    GROW(ids->names, ids->n, ids->room);
    ids->names[ids->n] = name;
    memory_check(map_add(&ids->map, hash, (uint32_t)ids->n));
    return (uint32_t)ids->n++;
}

uint32_t *name_ids_of(struct name_ids *ids, const struct cprof_profile *p)
{
    uint32_t *numbers = xreallocarray(NULL, p->n_functions, sizeof *numbers);

    for (uint32_t i = 0; i < p->n_functions; i++)
        numbers[i] = intern(ids, normalise_name(p->functions[i].name, p->functions[i].mangled));
    return numbers;
}

uint32_t *name_ids_first(const uint32_t *numbers, uint32_t n_functions)
{
    uint32_t *first = xreallocarray(NULL, n_functions, sizeof *first), *of_number, n = 0;

    for (uint32_t i = 0; i < n_functions; i++)
        if (numbers[i] >= n)
            n = numbers[i] + 1;
    of_number = new_indices(n);
    for (uint32_t i = 0; i < n_functions; i++) {
        if (of_number[numbers[i]] == CPROF_NONE)
            of_number[numbers[i]] = i;
        first[i] = of_number[numbers[i]];
    }
    free(of_number);
    return first;
}

void name_ids_free(struct name_ids *ids)
{
    for (size_t i = 0; i < ids->n; i++)
        free(ids->names[i]);
    free(ids->names);
    map_release(&ids->map);
    *ids = (struct name_ids){.n = 0};
}

/*--- Full names ---*/

struct full_name full_name_of(const struct cprof_function *f)
{
    char *text = f->mangled ? NULL : demangle(f->name);

    return (struct full_name){.linkage = f->mangled ? f->mangled : f->name,
                              .text = text ? text : f->name,
                              .demangled = text != NULL};
}

struct full_name full_name_anew(const struct cprof_function *f)
{
    char *text = f->mangled ? demangle(f->mangled) : NULL;

    if (!text)
        return full_name_of(f);
    return (struct full_name){.linkage = f->mangled, .text = text, .demangled = true};
}

void full_name_free(struct full_name *name)
{
    if (name->demangled)
        free((char *)name->text);
    *name = (struct full_name){.text = NULL};
}

/*--- Names that are shown ---*/

/* The amount of a name that is shown: more only of names that would be equal otherwise. */
enum level {
    LEVEL_NAME,      /* the short name */
    LEVEL_ARGUMENTS, /* the short name with its type arguments, short */
    LEVEL_EXACT,     /* the short name with its type arguments in full */
    LEVEL_FULL,      /* name and arguments in full */
    N_LEVELS
};

struct entry {
    struct full_name full;
    bool rust;
    char *name;   /* as it will be shown; NULL: in full */
    char *wanted; /* as it would be at the level that is tried; NULL: in full */
};

/* The names of a profile, one for each function. */
struct naming {
    const struct cprof_profile *profile;
    enum name_style style;
    enum level level; /* that is tried */
    struct entry *entries;
};

static const char *shown_name(const struct entry *e)
{
    return e->name ? e->name : e->full.text;
}

static const char *wanted_name(const struct entry *e)
{
    return e->wanted ? e->wanted : e->full.text;
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
static char *short_other(const struct full_name *full)
{
    char *brief = strstr(full->text, ">(") ? demangle_brief(full->linkage) : NULL;
    char *shorter = cplusplus_short_name(brief ? brief : full->text);

    if (!shorter)
        return brief;
    free(brief);
    return shorter;
}

/* Full names of C++ that are longer tell nobody apart: functions that are alike in all else get
 * numbers (rows.h). */
enum { FULL_MOST = 2 * CPLUSPLUS_SHORT };

/* The name of function `i` at a level, for the caller to free; NULL where it is the full one. */
static char *name_at(const struct naming *n, size_t i, enum level level)
{
    const struct entry *e = &n->entries[i];
    const char *arguments = n->profile->functions[i].arguments;
    bool too_long = !e->rust && strlen(e->full.text) > FULL_MOST;
    bool is_short = n->style == NAME_SHORT && (level != LEVEL_FULL || too_long);
    char *name = !is_short ? NULL : e->rust ? rust_short_name(e->full.text) : short_other(&e->full);
    char *longer;

    if (level == LEVEL_NAME || !arguments || !e->rust)
        return name;
    longer = with_arguments(name ? name : e->full.text, arguments,
                            n->style == NAME_SHORT && level == LEVEL_ARGUMENTS);
    free(name);
    return longer;
}

/*--- Functions of one name ---*/

static const char *entry_name(const void *naming, size_t i)
{
    const struct naming *n = naming;

    return shown_name(&n->entries[i]);
}

static int compare_names(const void *naming, size_t a, size_t b)
{
    return strcmp(entry_name(naming, a), entry_name(naming, b));
}

/* Tells whether rows of the two would look the same. */
static bool same_place(const struct cprof_profile *p, size_t a, size_t b)
{
    const struct cprof_function *x = &p->functions[a], *y = &p->functions[b];

    return x->file == y->file && x->line == y->line && x->object == y->object;
}

/* Tells whether function `i`, one of `n` of the same name, should be told from the others by more
 * of it: by arguments wherever it is, else only if the place does not tell. */
static bool needs_more(const struct naming *m, size_t i, const size_t *functions, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        size_t other = functions[k];

        if (other != i &&
            strcmp(wanted_name(&m->entries[other]), wanted_name(&m->entries[i])) != 0 &&
            (m->level == LEVEL_ARGUMENTS || same_place(m->profile, other, i)))
            return true;
    }
    return false;
}

/* More than this share a name only in a hostile file: they keep it. */
enum { GROUP_MAX = 4096 };

/* Tries a level on functions of one name. */
static void tell_apart(void *naming, const size_t *functions, size_t n)
{
    struct naming *m = naming;

    if (n > GROUP_MAX)
        return;
    for (size_t i = 0; i < n; i++)
        m->entries[functions[i]].wanted = name_at(m, functions[i], m->level);
    for (size_t i = 0; i < n; i++) {
        struct entry *e = &m->entries[functions[i]];

        if (!needs_more(m, functions[i], functions, n))
            continue;
        free(e->name);
        e->name = e->wanted ? xstrdup(e->wanted) : NULL;
    }
    for (size_t i = 0; i < n; i++) {
        struct entry *e = &m->entries[functions[i]];

        free(e->wanted);
        e->wanted = NULL;
    }
}

static void tell_all_apart(struct naming *n)
{
    static const struct repeated equal_names = {
        .text = entry_name, .compare = compare_names, .use = tell_apart};

    for (n->level = LEVEL_ARGUMENTS; n->level < N_LEVELS; n->level++)
        repeated_each(&equal_names, n, n->profile->n_functions);
}

/*--- All ---*/

/* Tells whether a name is Rust's. One that another tool has demangled keeps its hash, which tells
 * it from C++. */
static bool is_rust(const struct cprof_function *f, const struct full_name *full)
{
    bool rust =
        f->mangled ? rust_is_mangled(f->mangled) : full->demangled && rust_is_linkage(f->name);

    return rust && f->instances == 0; /* one that was folded has its name */
}

/* Fills in what there is to know of a function's name. */
static void load(struct naming *n, uint32_t function, struct full_name full)
{
    struct entry *e = &n->entries[function];

    e->full = full;
    e->rust = is_rust(&n->profile->functions[function], &full);
    e->name = name_at(n, function, LEVEL_NAME);
}

static void free_entries(struct naming *n, uint32_t n_functions)
{
    for (uint32_t i = 0; i < n_functions; i++) {
        full_name_free(&n->entries[i].full);
        free(n->entries[i].name);
    }
    free(n->entries);
}

static void name_raw(const void *data, uint32_t function, const char **name, const char **mangled)
{
    (void)data;
    (void)function;
    *name = *mangled ? *mangled : *name;
    *mangled = NULL;
}

/* Gives a function the name of its entry. */
static void name_shown(const void *entries, uint32_t function, const char **name,
                       const char **mangled)
{
    const struct entry *e = (const struct entry *)entries + function;

    if (!strcmp(*name, shown_name(e)))
        return;
    *name = shown_name(e);
    *mangled = e->full.linkage;
}

struct cprof_profile *names_apply(struct cprof_profile *p, enum name_style style,
                                  struct cprof_error *error)
{
    struct naming n = {.profile = p, .style = style};
    uint32_t n_functions = p->n_functions;

    if (style == NAME_RAW)
        return profile_rename(p, name_raw, NULL, error);
    n.entries = xcalloc(n_functions, sizeof *n.entries);
    for (uint32_t i = 0; i < n_functions; i++)
        load(&n, i, full_name_of(&p->functions[i]));
    tell_all_apart(&n);
    p = profile_rename(p, name_shown, n.entries, error);
    free_entries(&n, n_functions);
    return p;
}

/*--- Of profiles that keep theirs ---*/

char **names_short(const struct cprof_profile *p)
{
    struct naming n = {.profile = p, .style = NAME_SHORT};
    char **names = xcalloc(p->n_functions, sizeof *names);

    n.entries = xcalloc(p->n_functions, sizeof *n.entries);
    for (uint32_t i = 0; i < p->n_functions; i++)
        load(&n, i, full_name_anew(&p->functions[i]));
    tell_all_apart(&n);
    for (uint32_t i = 0; i < p->n_functions; i++)
        names[i] = xstrdup(shown_name(&n.entries[i]));
    free_entries(&n, p->n_functions);
    return names;
}

char *names_short_one(const struct cprof_function *f)
{
    struct full_name full = full_name_anew(f);
    char *name = is_rust(f, &full) ? rust_short_name(full.text) : short_other(&full);

    if (!name)
        name = xstrdup(full.text);
    full_name_free(&full);
    return name;
}
