#include <config.h>

#include "diff/matching.h"

#include "base/memory.h"
#include "base/sort.h"
#include "names/normalise.h"

#include <stdlib.h>
#include <string.h>

void matching_add(struct matching *m, const struct cprof_profile *p, enum diff_side side,
                  matching_has_cost *has_cost, const void *context)
{
    bool foreign = p->creator && !strncmp(p->creator, "callgrind-", 10);

    m->functions = xreallocarray(m->functions, m->n + p->n_functions, sizeof *m->functions);
    for (uint32_t f = 0; f < p->n_functions; f++) {
        struct keyed_function *e = &m->functions[m->n];
        char *name;

        if (!has_cost(context, side, f))
            continue;
        *e = (struct keyed_function){.side = side, .function = f};
        name = xstrdup(p->functions[f].name);
        e->recursion = foreign && cut_recursion_mark(name);
        e->key = normalise_name(name, p->functions[f].mangled);
        free(name);
        m->n++;
    }
}

static int compare_keys(const void *a, const void *b)
{
    const struct keyed_function *x = a, *y = b;
    int order = strcmp(x->key, y->key);

    if (!order)
        order = (int)x->side - (int)y->side;
    return order ? order : (x->function > y->function) - (x->function < y->function);
}

static int compare_loose(const void *a, const void *b)
{
    const struct keyed_function *x = *(struct keyed_function *const *)a;
    const struct keyed_function *y = *(struct keyed_function *const *)b;
    int order = strcmp(x->loose_key, y->loose_key);

    return order ? order : compare_keys(x, y);
}

/* Gives functions with equal keys one group. Returns the sides of each group, a bit each. */
static unsigned char *group_by_key(struct matching *m)
{
    unsigned char *sides;

    sort_items(m->functions, m->n, sizeof *m->functions, compare_keys);
    for (size_t i = 0; i < m->n; i++) {
        bool equal = i && !strcmp(m->functions[i].key, m->functions[i - 1].key);

        m->functions[i].group = equal ? m->n_groups - 1 : m->n_groups++;
    }
    sides = xcalloc(m->n_groups + 1, 1);
    for (size_t i = 0; i < m->n; i++)
        sides[m->functions[i].group] |= (unsigned char)(1u << m->functions[i].side);
    return sides;
}

/* Makes one group of functions [begin, end) with one loose key, where both sides have some. */
static void match_groups(struct matching *m, struct keyed_function *const *begin,
                         struct keyed_function *const *end)
{
    unsigned sides = 0;

    for (struct keyed_function *const *e = begin; e < end; e++)
        sides |= 1u << (*e)->side;
    if (sides != 3)
        return;
    for (struct keyed_function *const *e = begin; e < end; e++)
        (*e)->group = (*begin)->group;
    m->n_loose++;
}

void matching_group(struct matching *m)
{
    unsigned char *sides = group_by_key(m);
    struct keyed_function **left = xreallocarray(NULL, m->n, sizeof *left);
    size_t n = 0, begin = 0;

    for (size_t i = 0; i < m->n; i++)
        if (sides[m->functions[i].group] != 3) {
            m->functions[i].loose_key = loose_key(m->functions[i].key);
            left[n++] = &m->functions[i];
        }
    sort_items(left, n, sizeof *left, compare_loose);
    for (size_t i = 1; i <= n; i++)
        if (i == n || strcmp(left[begin]->loose_key, left[i]->loose_key) != 0) {
            match_groups(m, left + begin, left + i);
            begin = i;
        }
    free(left);
    free(sides);
}

void matching_free(struct matching *m)
{
    for (size_t i = 0; i < m->n; i++) {
        free(m->functions[i].key);
        free(m->functions[i].loose_key);
    }
    free(m->functions);
    *m = (struct matching){.n = 0};
}

/*--- Own code ---*/

bool own_common_paths(const struct cprof_profile *const p[DIFF_SIDES],
                      struct paths paths[DIFF_SIDES])
{
    bool same;

    for (int side = 0; side < DIFF_SIDES; side++)
        paths[side] = profile_paths(p[side]);
    same = paths[DIFF_OLD].n && paths[DIFF_NEW].n && paths[DIFF_OLD].known == paths[DIFF_NEW].known;
    for (int side = 0; side < DIFF_SIDES && !same; side++)
        paths[side] = (struct paths){.profile = p[side]};
    return same && paths[DIFF_OLD].known;
}

void own_common_functions(bool *own[DIFF_SIDES], const struct cprof_profile *const p[DIFF_SIDES],
                          uint32_t *const group_of[DIFF_SIDES], size_t n_groups,
                          const struct crates *const crates[DIFF_SIDES], enum diff_side first)
{
    enum diff_side other = first == DIFF_OLD ? DIFF_NEW : DIFF_OLD;
    bool *known = xcalloc(n_groups + 1, sizeof *known), *is = xcalloc(n_groups + 1, sizeof *is);

    for (uint32_t f = 0; f < p[first]->n_functions; f++)
        if (group_of[first][f] != CPROF_NONE) {
            known[group_of[first][f]] = true;
            is[group_of[first][f]] |= crates[first]->own[f];
        }
    for (uint32_t f = 0; f < p[other]->n_functions; f++)
        if (group_of[other][f] != CPROF_NONE && !known[group_of[other][f]])
            is[group_of[other][f]] |= crates[other]->own[f];
    for (int side = 0; side < DIFF_SIDES; side++) {
        own[side] = xcalloc((size_t)p[side]->n_functions + 1, sizeof *own[side]);
        for (uint32_t f = 0; f < p[side]->n_functions; f++)
            own[side][f] =
                group_of[side][f] == CPROF_NONE ? crates[side]->own[f] : is[group_of[side][f]];
    }
    free(known);
    free(is);
}
