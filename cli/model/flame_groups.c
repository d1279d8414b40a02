#include <config.h>

#include "model/flame_groups.h"

#include "base/memory.h"
#include "model/demangle.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A group before it is known how dear it is. */
struct group {
    char *name;
    int64_t self;
};

/* The first part of a path of names: "alloc" of "<alloc::vec::Vec<T> as Drop>::drop"; 0: there is
 * none. */
static size_t first_part(const char *name, const char **part)
{
    size_t size;

    for (;;) {
        name += strspn(name, "<&*([ ");
        if (!strncmp(name, "mut ", 4) || !strncmp(name, "dyn ", 4))
            name += 4;
        else
            break;
    }
    for (size = 0; isalnum((unsigned char)name[size]) || name[size] == '_';)
        size++;
    *part = name;
    return !strncmp(name + size, "::", 2) ? size : 0;
}

static bool is_one_of(const char *name, size_t size, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == size && !strncmp(name, *list, size))
            return true;
    return false;
}

/* The name of its group, for the caller to free; NULL: it is in none. */
static char *group_of(const struct cprof_profile *p, const struct cprof_function *f)
{
    static const char *const std[] = {"std", "core", "alloc", "__rustc", NULL};
    static const char *const libc[] = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2",
                                       "libpthread.so.0", NULL};
    char *full = f->mangled ? demangle(f->mangled) : NULL; /* its name may be a short one */
    const char *part, *object;
    size_t size = first_part(full ? full : f->name, &part);
    char *group = !size ? NULL
                        : xstrndup(is_one_of(part, size, std) ? "std" : part,
                                   is_one_of(part, size, std) ? strlen("std") : size);

    free(full);
    if (group)
        return group;
    if (f->object == CPROF_NONE)
        return NULL;
    object = strrchr(p->objects[f->object].path, '/');
    object = object ? object + 1 : p->objects[f->object].path;
    return xstrdup(is_one_of(object, strlen(object), libc) ? "libc" : object);
}

static int by_self(const void *a, const void *b)
{
    const struct group *x = *(struct group *const *)a, *y = *(struct group *const *)b;

    if (x->self != y->self)
        return x->self > y->self ? -1 : 1;
    return strcmp(x->name, y->name);
}

struct grouping {
    struct group *items;
    size_t n;
    uint32_t *of_function;
};

/* Takes over `name`. One group after another is looked through: there are tens of them. */
static uint32_t intern(struct grouping *g, char *name)
{
    size_t i = 0;

    while (i < g->n && strcmp(g->items[i].name, name) != 0)
        i++;
    if (i < g->n) {
        free(name);
        return (uint32_t)i;
    }
    g->items = xreallocarray(g->items, g->n + 1, sizeof *g->items);
    g->items[g->n++] = (struct group){.name = name};
    return (uint32_t)i;
}

static void collect(struct grouping *g, const struct flame *flame)
{
    const struct cprof_profile *p = flame->profile;

    g->of_function = xreallocarray(NULL, p->n_functions, sizeof *g->of_function);
    memset(g->of_function, 0xff, p->n_functions * sizeof *g->of_function);
    for (size_t i = 1; i < flame->n; i++) {
        const struct flame_frame *frame = &flame->frames[i];
        uint32_t *group = &g->of_function[frame->function];

        if (*group == CPROF_NONE) {
            char *name = group_of(p, &p->functions[frame->function]);

            if (!name)
                continue;
            *group = intern(g, name);
        }
        /* Reversed, a function's own cost is the frame on the root. */
        g->items[*group].self += !flame->reversed    ? frame->self
                                 : frame->depth == 1 ? frame->value
                                                     : 0;
    }
}

/* The dearest ones have a colour each. */
static void rank(struct flame_groups *groups, struct grouping *g, uint32_t n_functions)
{
    struct group **order = xcalloc(g->n, sizeof(struct group *));
    unsigned char *ranks = xcalloc(g->n, 1);

    for (size_t i = 0; i < g->n; i++)
        order[i] = &g->items[i];
    if (g->n)
        qsort(order, g->n, sizeof *order, by_self);
    groups->n = g->n < FLAME_GROUPS ? g->n : FLAME_GROUPS;
    for (size_t i = 0; i < g->n; i++) {
        size_t at = i < FLAME_GROUPS - 1 || g->n == FLAME_GROUPS ? i : FLAME_GROUPS - 1;

        if (!groups->names[at])
            groups->names[at] = xstrdup(
                at == i && at < groups->n - (g->n > FLAME_GROUPS) ? order[i]->name : "others");
        groups->self[at] += order[i]->self;
        ranks[order[i] - g->items] = (unsigned char)at;
    }
    for (uint32_t i = 0; i < n_functions; i++)
        groups->of_function[i] =
            g->of_function[i] == CPROF_NONE ? FLAME_GROUP_NONE : ranks[g->of_function[i]];
    free(order);
    free(ranks);
}

void flame_groups_load(struct flame_groups *groups, const struct flame *flame)
{
    struct grouping g = {.n = 0};

    *groups = (struct flame_groups){.n = 0};
    groups->of_function = xcalloc(flame->profile->n_functions, 1);
    collect(&g, flame);
    rank(groups, &g, flame->profile->n_functions);
    for (size_t i = 0; i < g.n; i++)
        free(g.items[i].name);
    free(g.items);
    free(g.of_function);
}

void flame_groups_free(struct flame_groups *groups)
{
    for (size_t i = 0; i < groups->n; i++)
        free(groups->names[i]);
    free(groups->of_function);
    *groups = (struct flame_groups){.n = 0};
}
