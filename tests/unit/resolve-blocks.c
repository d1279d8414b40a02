/*
< * resolve-blocks FILE... - whether raw profiles say the same with the sections of their contexts
 * kept as with cost records of all contexts: to what they count in all, context by context, and as
 * whole profiles under every setting of names. One assertion for each file and setting.
> */
#include <config.h>

#include "../tap.h"
#include "cprof_internal.h"
#include "resolve/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cprof_profile *load(const char *path, bool keep)
{
    struct cprof_error error;
    struct cprof_profile *p =
        keep ? profile_load_blocks(path, 0, &error) : cprof_load(path, 0, &error);

    if (!p) {
        fprintf(stderr, "%s: %s\n", path, error.text);
        exit(1);
    }
    return p;
}

/* The costs of one context: a row of counts for each cost of the profile. */
struct grid {
    const struct cprof_profile *profile;
    int64_t *cells;
    size_t size; /* in bytes */
};

static struct grid new_grid(const struct cprof_profile *p)
{
    struct grid g = {p, NULL, ((size_t)p->n_costs * p->n_events + 1) * sizeof *g.cells};

    g.cells = malloc(g.size);
    if (!g.cells)
        exit(1);
    return g;
}

static void add(struct grid *g, uint32_t cost, uint32_t event, int64_t count)
{
    g->cells[(size_t)cost * g->profile->n_events + event] += count;
}

static void add_row(struct grid *g, uint32_t cost, const int64_t *row)
{
    for (uint32_t e = 0; e < g->profile->n_events; e++)
        add(g, cost, e, row[e]);
}

/* `count` executions of a basic block. */
static void add_block(struct grid *g, const struct blocks *s, uint32_t index, int64_t count)
{
    const struct block *block = &s->blocks[index];

    for (size_t k = block->first; k < block->first + block->size; k++)
        for (int e = 0; e < BLOCK_EVENTS; e++)
            if (s->events[e] != CPROF_NONE)
                add(g, s->instructions[k].cost, s->events[e], count * s->instructions[k].counts[e]);
}

/* The costs of the next context by the definition of basic blocks. `*miss` is where its misses
 * begin.
 */
static void fill_by_blocks(struct grid *g, uint32_t context, size_t *miss)
{
    const struct blocks *s = profile_blocks(g->profile);
    const struct block_run *run = blocks_first(s, context);

    memset(g->cells, 0, g->size);
    for (; run < blocks_end(s, context); run = block_next(run))
        for (uint32_t i = 0; i < run->size; i++)
            add_block(g, s, run->first + i, block_count(s, run, i));
    for (; *miss < s->n_misses && s->misses[*miss].context == context; ++*miss)
        add_row(g, s->misses[*miss].cost, s->miss_values + *miss * g->profile->n_events);
}

/* Costs of a raw profile are in the order of functions and addresses. */
static int compare_costs(const void *a, const void *b)
{
    const struct cprof_cost *x = a, *y = b;

    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return (x->address > y->address) - (x->address < y->address);
}

static void fill_by_records(struct grid *g, uint32_t context)
{
    const struct cprof_profile *p = g->profile;
    const struct cprof_context *c = &p->contexts[context];

    memset(g->cells, 0, g->size);
    for (uint32_t i = c->first_cost; i < c->first_cost + c->n_costs; i++) {
        const struct cprof_cost *cost =
            bsearch(&p->context_costs[i], p->costs, p->n_costs, sizeof *p->costs, compare_costs);

        if (!cost)
            exit(1);
        add_row(g, (uint32_t)(cost - p->costs), cprof_context_values(p, i));
    }
}

/* How many contexts differ. */
static uint32_t different(const struct cprof_profile *kept, const struct cprof_profile *expanded)
{
    struct grid a = new_grid(kept), b = new_grid(expanded);
    size_t miss = 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < kept->n_contexts; i++) {
        fill_by_blocks(&a, i, &miss);
        fill_by_records(&b, i);
        n += memcmp(a.cells, b.cells, a.size - sizeof *a.cells) != 0;
    }
    free(a.cells);
    free(b.cells);
    return n;
}

static void compare_raw(const char *name, const struct cprof_profile *kept,
                        const struct cprof_profile *expanded)
{
    int alike = kept->n_contexts == expanded->n_contexts && kept->n_costs == expanded->n_costs &&
                kept->n_events == expanded->n_events;

    ok(profile_blocks(kept) && !kept->n_context_costs, "%s: kept", name);
    ok(!profile_blocks(expanded) && expanded->n_context_costs, "%s: expanded", name);
    ok(alike && profile_blocks(kept) && !different(kept, expanded),
       "%s: the same costs in each of %u contexts, of %u events", name, kept->n_contexts,
       kept->n_events);
}

static int put_bytes(void *to, const void *data, size_t size)
{
    return fwrite(data, 1, size, to) == size ? 0 : -1;
}

/* All of a profile by names, as text. */
static char *named(const struct cprof_profile *raw, const struct resolve_settings *settings)
{
    struct cprof_error error;
    struct cprof_profile *p = resolve_profile(raw, settings, NULL, &error);
    char *text = NULL;
    size_t size;
    FILE *out = p ? open_memstream(&text, &size) : NULL;

    if (!out) {
        fprintf(stderr, "%s\n", p ? "out of memory" : error.text);
        exit(1);
    }
    cprof_write(p, put_bytes, out, NULL);
    fclose(out);
    cprof_free(p);
    return text;
}

/* The first line in which two texts differ, of each. */
static void show_difference(const char *a, const char *b)
{
    size_t line = 0;

    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '\n')
            line = i + 1;
    printf("# kept:     %.*s\n# expanded: %.*s\n", (int)strcspn(a + line, "\n"), a + line,
           (int)strcspn(b + line, "\n"), b + line);
}

static void compare_named(const char *name, const struct cprof_profile *kept,
                          const struct cprof_profile *expanded)
{
    static const struct {
        const char *what;
        struct resolve_settings settings;
    } ways[] = {
        {"by names", {.style = NAME_FULL}},
        {"without inlined functions", {.no_inlines = true, .style = NAME_RAW}},
        {"with generics folded", {.fold_generics = true}},
        {"in brief", {.brief_contexts = true}},
        {"in brief, without inlined functions", {.brief_contexts = true, .no_inlines = true}},
    };

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char *a = named(kept, &ways[i].settings), *b = named(expanded, &ways[i].settings);

        if (!ok(!strcmp(a, b), "%s: the same %s", name, ways[i].what))
            show_difference(a, b);
        free(a);
        free(b);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *slash = strrchr(argv[i], '/'), *name = slash ? slash + 1 : argv[i];
        struct cprof_profile *kept = load(argv[i], true);
        struct cprof_profile *expanded = load(argv[i], false);

        compare_raw(name, kept, expanded);
        compare_named(name, kept, expanded);
        cprof_free(kept);
        cprof_free(expanded);
    }
    return tap_done();
}
