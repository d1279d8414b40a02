#include <config.h>

/*
 * Primary data structure: `entries`, one for each cost record that counts, with its place: the
 * subject itself or a call inlined in it, file and line. Sorted by place, neighbours add up to
 * lines, and neighbours of these to blocks.
 */
#include "annotate/annotation_loader.h"
#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

void loader_entry(struct loader *l, uint32_t call, uint32_t file, uint32_t line,
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
    loader_entry(l, site->call, site->file, site->line, NULL);
    return l->slots[i] = l->a->n_calls++;
}

/* Adds the costs of an inlined context, without those of the subject's functions, which are own
 * costs. */
static void add_inlined(struct loader *l, uint32_t call, const struct cprof_context *c)
{
    for (uint32_t i = c->first_cost; i < c->first_cost + c->n_costs; i++) {
        const struct cprof_cost *cost = &l->paths.costs[i];

        if (!l->subject->functions[cost->function])
            loader_entry(l, call, cost->file, cost->line, paths_values(&l->paths, i));
    }
}

static enum context_kind kind_of(const struct loader *l, uint32_t context)
{
    const struct cprof_context *c = &l->paths.contexts[context];

    if (!l->subject->functions || l->subject->functions[c->function])
        return ITSELF;
    return c->inlined && c->parent != CPROF_NONE && l->kinds[c->parent] != OUTSIDE ? INLINED
                                                                                   : OUTSIDE;
}

static void sum_inlined(struct loader *l, const struct cprof_context *c)
{
    for (uint32_t i = c->first_cost; i < c->first_cost + c->n_costs; i++)
        if (!l->subject->functions[l->paths.costs[i].function])
            counts_add(l->a->inlined, paths_values(&l->paths, i), l->profile->n_events);
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
    const struct paths *p = &l->paths;
    bool inlined = l->subject->functions && !l->subject->files;

    l->kinds = xcalloc(p->n, sizeof *l->kinds);
    l->calls = xreallocarray(NULL, p->n, sizeof *l->calls);
    if (inlined && l->subject->inlined)
        begin_calls(l, p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct cprof_context *c = &p->contexts[i];

        l->kinds[i] = (unsigned char)kind_of(l, i);
        l->calls[i] = CPROF_NONE;
        if (l->kinds[i] != INLINED || !inlined)
            continue;
        sum_inlined(l, c);
        if (l->subject->inlined) {
            struct inline_site site = {l->calls[c->parent], c->site_file,
                                       c->site_file == CPROF_NONE ? 0 : c->site_line, c->function};

            l->calls[i] = call_at(l, &site);
            add_inlined(l, l->calls[i], c);
        }
    }
    free(l->slots);
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
    size_t kept = 0, width = 2 * (size_t)n_events;

    sort_items(l->entries, l->n, sizeof *l->entries, compare_places);
    for (size_t i = 0; i < l->n; i++) {
        int64_t *sum;

        if (!kept || compare_places(&l->entries[kept - 1], &l->entries[i]) != 0) {
            l->entries[kept++] = l->entries[i];
            memset(a->counts + (kept - 1) * width, 0, width * sizeof *sum);
        }
        sum = a->counts + (kept - 1) * width;
        if (l->entries[i].counts)
            counts_add(sum, l->entries[i].counts, n_events);
    }
    l->n = kept;
    a->n_lines = (uint32_t)kept;
    a->lines = xreallocarray(NULL, kept, sizeof *a->lines);
    for (size_t i = 0; i < kept; i++)
        a->lines[i] = (struct annotation_line){
            .line = l->entries[i].line, .first_call = CPROF_NONE, .counts = a->counts + i * width};
}

/* Adds how often lines ran to those of the subject itself, which are in the order of places. */
static void add_runs(struct loader *l)
{
    const struct cprof_profile *p = l->profile;

    for (uint32_t i = 0; i < p->n_line_runs; i++) {
        const struct cprof_line_runs *runs = &p->line_runs[i];
        const struct cprof_cost cost = {runs->function, runs->file, runs->line, 0};
        const struct cost_entry place = {CPROF_NONE, runs->file,
                                         runs->file == CPROF_NONE ? 0 : runs->line, NULL};
        const struct cost_entry *found;

        if (!annotation_has(l->subject, &cost) || !l->n)
            continue;
        found = bsearch(&place, l->entries, l->n, sizeof *l->entries, compare_places);
        if (found)
            l->a->lines[found - l->entries].runs += runs->runs;
    }
}

static bool is_focus(const struct loader *l, uint32_t file)
{
    return l->a->callees != CALLEES_NONE &&
           (!l->subject->focus || (file != CPROF_NONE && l->subject->focus[file]));
}

/* Makes blocks of neighbouring lines, whose sums come after those of the lines. Returns their
 * number. */
static uint32_t make_blocks(struct loader *l)
{
    struct annotation *a = l->a;
    uint32_t n_events = l->profile->n_events, n = 0;
    size_t width = 2 * (size_t)n_events;
    int64_t *sum = a->counts + a->n_lines * width;

    a->blocks = xreallocarray(NULL, a->n_lines, sizeof *a->blocks);
    for (uint32_t i = 0; i < a->n_lines; i++) {
        const struct cost_entry *e = &l->entries[i], *before = i ? e - 1 : NULL;

        if (!before || before->call != e->call || before->file != e->file) {
            if (n)
                sum += width;
            memset(sum, 0, width * sizeof *sum);
            a->blocks[n] = (struct annotation_block){
                .file = e->file, .first = i, .focus = is_focus(l, e->file), .counts = sum};
            if (e->call == CPROF_NONE)
                a->n_blocks++;
            else if (!a->calls[e->call].n_blocks++)
                a->calls[e->call].first_block = n;
            n++;
        }
        a->blocks[n - 1].n++;
        a->lines[i].block = n - 1;
        counts_add(sum, a->lines[i].counts, n_events);
    }
    return n;
}

/* Adds up the subject's own costs, and those of calls with all that is inlined in them. */
static void add_up(struct loader *l, int64_t *sums)
{
    struct annotation *a = l->a;
    uint32_t n_events = l->profile->n_events;
    size_t width = 2 * (size_t)n_events;

    for (uint32_t b = 0; b < a->n_blocks; b++)
        counts_add(a->own, a->blocks[b].counts, n_events);
    memset(sums, 0, a->n_calls * width * sizeof *sums);
    for (uint32_t c = a->n_calls; c-- > 0;) {
        struct annotation_call *call = &a->calls[c];
        int64_t *sum = sums + c * width;
        uint32_t parent = l->sites[c].call;

        call->counts = sum;
        for (uint32_t b = call->first_block; b < call->first_block + call->n_blocks; b++)
            counts_add(sum, a->blocks[b].counts, n_events);
        if (parent != CPROF_NONE)
            counts_add(sums + parent * width, sum, n_events);
    }
}

static int compare_blocks(const void *a, const void *b, void *data)
{
    const struct annotation_block *x = a, *y = b;
    const struct loader *l = data;
    uint32_t with = x->focus ? l->profile->n_events : 0;
    int64_t left, right;

    if (x->focus != y->focus)
        return x->focus ? -1 : 1;
    left = column_value(l->measure, x->counts + with);
    right = column_value(l->measure, y->counts + with);
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

uint32_t loader_line(const struct loader *l, uint32_t call, uint32_t file, uint32_t line)
{
    struct cost_entry key = {call, file, file == CPROF_NONE ? 0 : line, NULL};
    const struct cost_entry *found =
        l->n ? bsearch(&key, l->entries, l->n, sizeof key, compare_places) : NULL;

    return found ? (uint32_t)(found - l->entries) : CPROF_NONE;
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
        struct annotation_line *line =
            &a->lines[loader_line(l, site->call, site->file, site->line)];

        a->calls[order[i]].next = line->first_call;
        line->first_call = order[i];
    }
    free(order);
}

/* The blocks have moved: tells each line its own. */
static void number_blocks(struct annotation *a, uint32_t n)
{
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t i = a->blocks[b].first; i < a->blocks[b].first + a->blocks[b].n; i++)
            a->lines[i].block = b;
}

static void find_own(struct loader *l)
{
    const struct cprof_profile *p = l->profile;

    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];

        if (annotation_has(l->subject, c))
            loader_entry(l, CPROF_NONE, c->file, c->line, cprof_cost_values(p, i));
    }
}

void annotation_load(struct annotation *a, const struct cprof_profile *p,
                     const struct annotation_subject *subject, const struct column *measure)
{
    struct loader l = {
        .a = a, .profile = p, .paths = profile_paths(p), .subject = subject, .measure = measure};
    size_t width = 2 * (size_t)p->n_events;
    uint32_t n_blocks;

    *a = (struct annotation){.profile = p, .wants_callees = subject->callees};
    a->own = xcalloc(width, sizeof *a->own);
    a->inlined = xcalloc(p->n_events, sizeof *a->inlined);
    find_own(&l);
    if (subject->callees || (subject->functions && !subject->files))
        find_inlined(&l);
    if (subject->callees)
        callees_find(&l);
    /* at most a line and a block for each entry */
    a->counts = xreallocarray(NULL, (2 * l.n + a->n_calls) * width + 1, sizeof *a->counts);
    make_lines(&l);
    add_runs(&l);
    n_blocks = make_blocks(&l);
    add_up(&l, a->counts + ((size_t)a->n_lines + n_blocks) * width);
    link_calls(&l);
    if (subject->callees)
        callees_add(&l, n_blocks);
    sort_blocks(&l, 0, a->n_blocks);
    for (uint32_t i = 0; i < a->n_calls; i++)
        sort_blocks(&l, a->calls[i].first_block, a->calls[i].n_blocks);
    number_blocks(a, n_blocks);
    free(l.entries);
    free(l.sites);
    free(l.kinds);
    free(l.calls);
}

void annotation_free(struct annotation *a)
{
    free(a->blocks);
    free(a->lines);
    free(a->calls);
    free(a->own);
    free(a->charged);
    free(a->inlined);
    free(a->counts);
    *a = (struct annotation){.n_blocks = 0};
}
