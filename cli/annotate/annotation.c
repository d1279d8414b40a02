#include <config.h>

/*
 * Primary data structure: `entries`, one for each cost record that counts, with its place: the
 * subject itself or a call inlined in it, file and line. Sorted by place, neighbours add up to
 * lines, and neighbours of these to blocks.
 */
#include "annotate/annotation.h"
#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* `call` is CPROF_NONE for the subject itself. */
struct cost_entry {
    uint32_t call, file, line;
    const int64_t *counts; /* NULL: the line has an inlined call only */
};

/* The call site of an inlined call. */
struct inline_site {
    uint32_t call, file, line, function;
};

struct loader {
    struct annotation *a;
    const struct cprof_profile *profile;
    const struct annotation_subject *subject;
    const struct column *measure;
    size_t n, room;
    struct cost_entry *entries;
    struct inline_site *sites; /* the site of each call */
    /* Calls by their site: open addressing, at most half full; CPROF_NONE: free. */
    uint32_t mask, *slots;
};

static void add_entry(struct loader *l, uint32_t call, uint32_t file, uint32_t line,
                      const int64_t *counts)
{
    GROW(l->entries, l->n, l->room);
    l->entries[l->n++] = (struct cost_entry){call, file, file == CPROF_NONE ? 0 : line, counts};
}

/*--- What was inlined ---*/

static uint32_t call_at(struct loader *l, const struct inline_site *site)
{
    uint64_t key = ((uint64_t)site->call << 32 | site->function) * UINT64_C(0x9e3779b97f4a7c15) +
                   ((uint64_t)site->file << 32 | site->line) * UINT64_C(0xff51afd7ed558ccd);
    uint32_t i = (uint32_t)((key ^ key >> 29) >> 16) & l->mask;

    for (; l->slots[i] != CPROF_NONE; i = (i + 1) & l->mask)
        if (!memcmp(&l->sites[l->slots[i]], site, sizeof *site))
            return l->slots[i];
    l->sites[l->a->n_calls] = *site;
    l->a->calls[l->a->n_calls] =
        (struct annotation_call){.function = site->function, .next = CPROF_NONE};
    add_entry(l, site->call, site->file, site->line, NULL);
    return l->slots[i] = l->a->n_calls++;
}

/* Adds the costs of an inlined context, without those of the subject's functions, which are own
 * costs. */
static void add_inlined(struct loader *l, uint32_t call, const struct cprof_context *c)
{
    for (uint32_t i = c->first_cost; i < c->first_cost + c->n_costs; i++) {
        const struct cprof_cost *cost = &l->profile->context_costs[i];

        if (!l->subject->functions[cost->function])
            add_entry(l, call, cost->file, cost->line, cprof_context_values(l->profile, i));
    }
}

/* A context's relation to the subject. */
enum kind { OUTSIDE, ITSELF, INLINED };

static enum kind kind_of(const struct loader *l, uint32_t context, const unsigned char *kinds)
{
    const struct cprof_context *c = &l->profile->contexts[context];

    if (l->subject->functions[c->function])
        return ITSELF;
    return c->inlined && c->parent != CPROF_NONE && kinds[c->parent] != OUTSIDE ? INLINED : OUTSIDE;
}

static void sum_inlined(struct loader *l, const struct cprof_context *c)
{
    for (uint32_t i = c->first_cost; i < c->first_cost + c->n_costs; i++)
        if (!l->subject->functions[l->profile->context_costs[i].function])
            counts_add(l->a->inlined, cprof_context_values(l->profile, i), l->profile->n_events);
}

/* Makes room for one call for each context, and a hash table of twice that. */
static void begin_calls(struct loader *l, uint32_t n)
{
    l->mask = 15;
    while (l->mask / 2 < n && l->mask < UINT32_MAX / 2)
        l->mask = l->mask * 2 + 1;
    l->slots = xreallocarray(NULL, (size_t)l->mask + 1, sizeof *l->slots);
    memset(l->slots, 0xff, ((size_t)l->mask + 1) * sizeof *l->slots);
    l->sites = xreallocarray(NULL, n, sizeof *l->sites);
    l->a->calls = xreallocarray(NULL, n, sizeof *l->a->calls);
}

/* Adds up the costs of inlined code, and makes the calls where they are wanted. */
static void find_inlined(struct loader *l)
{
    const struct cprof_profile *p = l->profile;
    unsigned char *kinds = xcalloc(p->n_contexts, sizeof *kinds);
    uint32_t *calls = xreallocarray(NULL, p->n_contexts, sizeof *calls);

    if (l->subject->inlined)
        begin_calls(l, p->n_contexts);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        kinds[i] = (unsigned char)kind_of(l, i, kinds);
        calls[i] = CPROF_NONE;
        if (kinds[i] != INLINED)
            continue;
        sum_inlined(l, c);
        if (l->subject->inlined) {
            struct inline_site site = {calls[c->parent], c->site_file,
                                       c->site_file == CPROF_NONE ? 0 : c->site_line, c->function};

            calls[i] = call_at(l, &site);
            add_inlined(l, calls[i], c);
        }
    }
    free(l->slots);
    free(kinds);
    free(calls);
}

/*--- From entries to lines and blocks ---*/

static int compare_number(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* Compares places: the subject's own come first, then those of each call. */
static int compare_places(const void *a, const void *b)
{
    const struct cost_entry *x = a, *y = b;
    int order = compare_number(x->call + 1, y->call + 1);

    if (!order)
        order = compare_number(x->file, y->file);
    return order ? order : compare_number(x->line, y->line);
}

/* Adds up entries of one place: from here on, each line has one. */
static void make_lines(struct loader *l)
{
    struct annotation *a = l->a;
    uint32_t n_events = l->profile->n_events;
    size_t kept = 0;

    if (l->n)
        qsort(l->entries, l->n, sizeof *l->entries, compare_places);
    for (size_t i = 0; i < l->n; i++) {
        int64_t *sum;

        if (!kept || compare_places(&l->entries[kept - 1], &l->entries[i]) != 0) {
            l->entries[kept++] = l->entries[i];
            sum = a->counts + (kept - 1) * n_events;
            memset(sum, 0, n_events * sizeof *sum);
        }
        sum = a->counts + (kept - 1) * n_events;
        if (l->entries[i].counts)
            counts_add(sum, l->entries[i].counts, n_events);
    }
    l->n = kept;
    a->n_lines = (uint32_t)kept;
    a->lines = xreallocarray(NULL, kept, sizeof *a->lines);
    for (size_t i = 0; i < kept; i++)
        a->lines[i] =
            (struct annotation_line){l->entries[i].line, CPROF_NONE, a->counts + i * n_events};
}

/* Makes blocks of neighbouring lines, whose sums come after those of the lines. Returns their
 * number. */
static uint32_t make_blocks(struct loader *l)
{
    struct annotation *a = l->a;
    uint32_t n_events = l->profile->n_events, n = 0;
    int64_t *sum = a->counts + (size_t)a->n_lines * n_events;

    a->blocks = xreallocarray(NULL, a->n_lines, sizeof *a->blocks);
    for (uint32_t i = 0; i < a->n_lines; i++) {
        const struct cost_entry *e = &l->entries[i], *before = i ? e - 1 : NULL;

        if (!before || before->call != e->call || before->file != e->file) {
            if (n)
                sum += n_events;
            memset(sum, 0, n_events * sizeof *sum);
            a->blocks[n] = (struct annotation_block){e->file, i, 0, sum};
            if (e->call == CPROF_NONE)
                a->n_blocks++;
            else if (!a->calls[e->call].n_blocks++)
                a->calls[e->call].first_block = n;
            n++;
        }
        a->blocks[n - 1].n++;
        counts_add(sum, a->lines[i].counts, n_events);
    }
    return n;
}

/* Adds up the subject's own costs, and those of calls with all that is inlined in them. */
static void add_up(struct loader *l, int64_t *sums)
{
    struct annotation *a = l->a;
    uint32_t n_events = l->profile->n_events;

    for (uint32_t b = 0; b < a->n_blocks; b++)
        counts_add(a->own, a->blocks[b].counts, n_events);
    memset(sums, 0, (size_t)a->n_calls * n_events * sizeof *sums);
    for (uint32_t c = a->n_calls; c-- > 0;) {
        struct annotation_call *call = &a->calls[c];
        int64_t *sum = sums + (size_t)c * n_events;
        uint32_t parent = l->sites[c].call;

        call->counts = sum;
        for (uint32_t b = call->first_block; b < call->first_block + call->n_blocks; b++)
            counts_add(sum, a->blocks[b].counts, n_events);
        if (parent != CPROF_NONE)
            counts_add(sums + (size_t)parent * n_events, sum, n_events);
    }
}

static int compare_blocks(const void *a, const void *b, void *data)
{
    const struct annotation_block *x = a, *y = b;
    const struct loader *l = data;
    int64_t left = column_value(l->measure, x->counts), right = column_value(l->measure, y->counts);

    if (left != right)
        return left > right ? -1 : 1;
    if (x->file == CPROF_NONE || y->file == CPROF_NONE)
        return compare_number(x->file, y->file);
    return strcmp(l->profile->files[x->file], l->profile->files[y->file]);
}

static void sort_blocks(struct loader *l, uint32_t first, uint32_t n)
{
    if (n)
        qsort_r(l->a->blocks + first, n, sizeof *l->a->blocks, compare_blocks, l);
}

/* Compares calls: highest cost first; equal ones by name, then in the order of contexts. */
static int compare_calls(const void *a, const void *b, void *data)
{
    const struct loader *l = data;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const struct annotation_call *x = &l->a->calls[i], *y = &l->a->calls[j];
    int64_t left = column_value(l->measure, x->counts), right = column_value(l->measure, y->counts);
    int order;

    if (left != right)
        return left > right ? -1 : 1;
    order =
        strcmp(l->profile->functions[x->function].name, l->profile->functions[y->function].name);
    return order ? order : compare_number(i, j);
}

/* Links each call to the line of its site, which has an entry. */
static void link_calls(struct loader *l)
{
    struct annotation *a = l->a;
    uint32_t *order = xreallocarray(NULL, a->n_calls, sizeof *order);

    for (uint32_t i = 0; i < a->n_calls; i++)
        order[i] = i;
    if (a->n_calls)
        qsort_r(order, a->n_calls, sizeof *order, compare_calls, l);
    for (uint32_t i = a->n_calls; i-- > 0;) {
        const struct inline_site *site = &l->sites[order[i]];
        struct cost_entry key = {site->call, site->file, site->line, NULL};
        const struct cost_entry *found =
            bsearch(&key, l->entries, l->n, sizeof *l->entries, compare_places);
        struct annotation_line *line = &a->lines[found - l->entries];

        a->calls[order[i]].next = line->first_call;
        line->first_call = order[i];
    }
    free(order);
}

void annotation_load(struct annotation *a, const struct cprof_profile *p,
                     const struct annotation_subject *subject, const struct column *measure)
{
    struct loader l = {.a = a, .profile = p, .subject = subject, .measure = measure};
    uint32_t n_blocks;

    *a = (struct annotation){.profile = p};
    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];

        if (annotation_has(subject, c))
            add_entry(&l, CPROF_NONE, c->file, c->line, cprof_cost_values(p, i));
    }
    a->own = xcalloc(p->n_events, sizeof *a->own);
    a->inlined = xcalloc(p->n_events, sizeof *a->inlined);
    if (subject->functions && !subject->files)
        find_inlined(&l);
    /* at most a line and a block for each entry */
    a->counts = xreallocarray(NULL, (2 * l.n + a->n_calls) * p->n_events + 1, sizeof *a->counts);
    make_lines(&l);
    n_blocks = make_blocks(&l);
    add_up(&l, a->counts + ((size_t)a->n_lines + n_blocks) * p->n_events);
    link_calls(&l);
    sort_blocks(&l, 0, a->n_blocks);
    for (uint32_t i = 0; i < a->n_calls; i++)
        sort_blocks(&l, a->calls[i].first_block, a->calls[i].n_blocks);
    free(l.entries);
    free(l.sites);
}

void annotation_free(struct annotation *a)
{
    free(a->blocks);
    free(a->lines);
    free(a->calls);
    free(a->own);
    free(a->inlined);
    free(a->counts);
    *a = (struct annotation){.n_blocks = 0};
}
