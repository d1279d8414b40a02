#include <config.h>

/*
 * Costs with callees.
 *
 * With call paths: a walk over all contexts, parents before children. The site of a context is the
 * line that it was called from; while the walk is below it, the line is active. A line gets the
 * inclusive cost of the contexts that it calls, and its own cost, but not while it is active: so
 * each instruction counts once.
 */
#include "annotate/annotation_loader.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "calls/graph.h"

#include <stdlib.h>
#include <string.h>

enum { RECENT = 1024 /* sites remembered, so that not each context makes an entry */ };

/*--- What is known, and the lines that call ---*/

static enum annotation_callees known_callees(const struct loader *l)
{
    const struct cprof_profile *p = l->profile;

    for (uint32_t i = 0; i < l->paths.n; i++)
        if (l->paths.contexts[i].parent != CPROF_NONE && !l->paths.contexts[i].inlined)
            return CALLEES_ALL;
    if (l->paths.n)
        return CALLEES_INLINED;
    for (uint32_t i = 0; i < p->n_calls; i++)
        if (!p->calls[i].inlined)
            return CALLEES_ALL;
    return p->n_calls ? CALLEES_INLINED : CALLEES_NONE;
}

/* Tells whether calls from a place are shown. What several functions call from nowhere is at no
 * line: it would be most of the program. */
static bool has_place(const struct annotation_subject *subject, uint32_t file)
{
    if (file == CPROF_NONE)
        return subject->functions && !subject->files;
    return !subject->files || subject->files[file];
}

/* Tells whether the subject, or code inlined in it whose lines are shown, called context `c`. */
static bool is_called(const struct loader *l, const struct cprof_context *c)
{
    if (c->parent == CPROF_NONE || l->kinds[c->parent] == OUTSIDE)
        return false;
    if (l->kinds[c->parent] == INLINED && l->calls[c->parent] == CPROF_NONE)
        return false;
    return has_place(l->subject, c->site_file);
}

static void find_sites(struct loader *l)
{
    const struct paths *p = &l->paths;
    struct cost_entry *recent = xcalloc(RECENT, sizeof *recent); /* line 0: none */

    for (uint32_t i = 0; i < p->n; i++) {
        const struct cprof_context *c = &p->contexts[i];
        struct cost_entry *slot;
        uint32_t call;

        if (!is_called(l, c))
            continue;
        call = l->calls[c->parent];
        slot = &recent[(c->site_line * 31 + c->site_file * 7 + call) % RECENT];
        if (slot->line && slot->line == c->site_line && slot->file == c->site_file &&
            slot->call == call)
            continue;
        *slot = (struct cost_entry){call, c->site_file, c->site_line, NULL};
        loader_entry(l, call, c->site_file, c->site_line, NULL);
    }
    free(recent);
}

/* Tells whether the subject makes the call. */
static bool is_made(const struct loader *l, const struct cprof_call *call)
{
    return (!l->subject->functions || l->subject->functions[call->caller]) &&
           has_place(l->subject, call->file);
}

static void find_calls(struct loader *l)
{
    const struct cprof_profile *p = l->profile;

    for (uint32_t i = 0; i < p->n_calls; i++)
        if (is_made(l, &p->calls[i]))
            loader_entry(l, CPROF_NONE, p->calls[i].file, p->calls[i].line, NULL);
}

void callees_find(struct loader *l)
{
    l->a->callees = known_callees(l);
    l->a->sampled = l->profile->sampled;
    if (l->paths.n)
        find_sites(l);
    else
        find_calls(l);
}

/*--- With call paths ---*/

struct walk {
    struct loader *l;
    uint32_t n;             /* events */
    uint32_t *first, *next; /* the children of each context */
    uint32_t *sites;        /* of each context: the line that called it; CPROF_NONE: none shown */
    uint32_t *charged;      /* of each context: the nearest such line in focus */
    int64_t *inclusive;     /* of each context: n */
    uint32_t *lines, *blocks, *calls; /* how often each is active */
    uint32_t subject;
};

/* The row of costs with callees that follows own costs. */
static int64_t *with(const struct walk *w, const int64_t *counts)
{
    /* all counts are in memory of the annotation's */
    return w->l->a->counts + (counts - w->l->a->counts) + w->n;
}

static bool in_focus(const struct walk *w, uint32_t line)
{
    const struct annotation *a = w->l->a;

    return w->l->entries[line].call == CPROF_NONE && a->blocks[a->lines[line].block].focus;
}

/* The compiler's code is nothing to look at: what it costs belongs to the lines that call it. */
static bool is_derived(const struct walk *w, uint32_t context)
{
    const struct loader *l = w->l;

    return l->subject->crates &&
           crates_owner(l->subject->crates, l->paths.contexts[context].function) == OWNER_DERIVED;
}

static void link_contexts(struct walk *w)
{
    const struct paths *p = &w->l->paths;

    w->first = xreallocarray(NULL, p->n, sizeof *w->first);
    w->next = xreallocarray(NULL, p->n, sizeof *w->next);
    w->sites = xreallocarray(NULL, p->n, sizeof *w->sites);
    w->charged = xreallocarray(NULL, p->n, sizeof *w->charged);
    memset(w->first, 0xff, p->n * sizeof *w->first);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct cprof_context *c = &p->contexts[i];
        bool called = is_called(w->l, c);

        w->sites[i] = called ? loader_line(w->l, w->l->calls[c->parent], c->site_file, c->site_line)
                             : CPROF_NONE;
        if (called && in_focus(w, w->sites[i]) && !is_derived(w, c->parent))
            w->charged[i] = w->sites[i];
        else
            w->charged[i] = c->parent == CPROF_NONE ? CPROF_NONE : w->charged[c->parent];
    }
    for (uint32_t i = p->n; i-- > 0;) {
        uint32_t parent = p->contexts[i].parent;

        if (parent == CPROF_NONE)
            continue;
        w->next[i] = w->first[parent];
        w->first[parent] = i;
    }
}

/* Adds counts to a line, its block and the subject, as far as they are not active. */
static void add_to_line(struct walk *w, uint32_t line, const int64_t *counts)
{
    struct annotation *a = w->l->a;
    uint32_t block = a->lines[line].block;

    if (!w->lines[line])
        counts_add(with(w, a->lines[line].counts), counts, w->n);
    if (!w->blocks[block])
        counts_add(with(w, a->blocks[block].counts), counts, w->n);
    if (!w->subject)
        counts_add(a->own + w->n, counts, w->n);
}

static void charge(struct walk *w, uint32_t line, const int64_t *counts)
{
    int64_t value = column_value(w->l->measure, counts);

    if (line != CPROF_NONE)
        counts_add(&w->l->a->charged[line], &value, 1);
}

/* The line that a cost record is shown at, or CPROF_NONE. */
static uint32_t line_of_cost(const struct walk *w, uint32_t context, const struct cprof_cost *cost)
{
    const struct loader *l = w->l;

    if (annotation_has(l->subject, cost))
        return loader_line(l, CPROF_NONE, cost->file, cost->line);
    return l->calls[context] == CPROF_NONE
               ? CPROF_NONE
               : loader_line(l, l->calls[context], cost->file, cost->line);
}

static void enter(struct walk *w, uint32_t i)
{
    const struct paths *p = &w->l->paths;
    const struct cprof_context *c = &p->contexts[i];
    const int64_t *inclusive = w->inclusive + (size_t)i * w->n;
    uint32_t site = w->sites[i], call = w->l->calls[i];

    if (site != CPROF_NONE) {
        add_to_line(w, site, inclusive);
        w->lines[site]++;
        w->blocks[w->l->a->lines[site].block]++;
        w->subject++;
    }
    if (call != CPROF_NONE && !w->calls[call]++)
        counts_add(with(w, w->l->a->calls[call].counts), inclusive, w->n);
    for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++) {
        const int64_t *counts = paths_values(p, k);
        uint32_t line = line_of_cost(w, i, &p->costs[k]);

        if (line != CPROF_NONE)
            add_to_line(w, line, counts);
        charge(w,
               line != CPROF_NONE && in_focus(w, line) && !is_derived(w, i) ? line : w->charged[i],
               counts);
    }
}

static void leave(struct walk *w, uint32_t i)
{
    uint32_t site = w->sites[i], call = w->l->calls[i];

    if (call != CPROF_NONE)
        w->calls[call]--;
    if (site == CPROF_NONE)
        return;
    w->lines[site]--;
    w->blocks[w->l->a->lines[site].block]--;
    w->subject--;
}

/* Walks over a root and all below it. */
static void walk_from(struct walk *w, uint32_t root)
{
    const struct cprof_context *contexts = w->l->paths.contexts;
    uint32_t i = root;

    enter(w, i);
    for (;;) {
        if (w->first[i] != CPROF_NONE) {
            i = w->first[i];
            enter(w, i);
            continue;
        }
        while (i != root && w->next[i] == CPROF_NONE) {
            leave(w, i);
            i = contexts[i].parent;
        }
        leave(w, i);
        if (i == root)
            return;
        i = w->next[i];
        enter(w, i);
    }
}

static void add_paths(struct loader *l, uint32_t n_blocks)
{
    struct annotation *a = l->a;
    struct walk w = {.l = l, .n = l->profile->n_events};

    link_contexts(&w);
    w.inclusive = path_sums(&l->paths);
    w.lines = xcalloc(a->n_lines, sizeof *w.lines);
    w.blocks = xcalloc(n_blocks, sizeof *w.blocks);
    w.calls = xcalloc(a->n_calls, sizeof *w.calls);
    for (uint32_t i = 0; i < l->paths.n; i++)
        if (l->paths.contexts[i].parent == CPROF_NONE)
            walk_from(&w, i);
    free(w.first);
    free(w.next);
    free(w.sites);
    free(w.charged);
    free(w.inclusive);
    free(w.lines);
    free(w.blocks);
    free(w.calls);
}

/*--- With calls alone ---*/

/* A cost or a call at a line, of one function. */
struct part {
    uint32_t line, function;
    const int64_t *counts;
};

static int compare_parts(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->function > y->function) - (x->function < y->function);
}

/* The subject's costs, and its calls out of their cycles. */
static size_t find_parts(struct loader *l, const uint32_t *cycles, struct part *parts)
{
    const struct cprof_profile *p = l->profile;
    size_t n = 0;

    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];

        if (annotation_has(l->subject, c))
            parts[n++] = (struct part){loader_line(l, CPROF_NONE, c->file, c->line), c->function,
                                       cprof_cost_values(p, i)};
    }
    for (uint32_t i = 0; i < p->n_calls; i++) {
        const struct cprof_call *c = &p->calls[i];

        if (is_made(l, c) && cycles[c->caller] != cycles[c->callee])
            parts[n++] = (struct part){loader_line(l, CPROF_NONE, c->file, c->line), c->caller,
                                       cprof_call_values(p, i)};
    }
    return n;
}

static void raise_to(int64_t *counts, const int64_t *least, const int64_t *most, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        int64_t value = most[i] > 0 && least[i] > most[i] ? most[i] : least[i];

        if (counts[i] < value)
            counts[i] = value;
    }
}

/* Gives blocks and the subject what their lines have: the sum where they are of one function, else
 * the highest. */
static void add_blocks(struct loader *l, bool single)
{
    struct annotation *a = l->a;
    uint32_t n = l->profile->n_events;
    const int64_t *totals = l->profile->totals;

    for (uint32_t b = 0; b < a->n_blocks; b++) {
        const struct annotation_block *block = &a->blocks[b];
        int64_t *sum = a->counts + (block->counts - a->counts) + n;

        for (uint32_t i = block->first; i < block->first + block->n; i++)
            if (single)
                counts_add(sum, a->lines[i].counts + n, n);
            else
                raise_to(sum, a->lines[i].counts + n, totals, n);
        raise_to(sum, block->counts, totals, n);
        if (single)
            counts_add(a->own + n, sum, n);
        else
            raise_to(a->own + n, sum, totals, n);
    }
    raise_to(a->own + n, a->own, totals, n);
}

static bool is_single(const struct loader *l)
{
    uint32_t n = 0;

    for (uint32_t i = 0; l->subject->functions && i < l->profile->n_functions; i++)
        n += l->subject->functions[i];
    return n == 1;
}

static void add_calls(struct loader *l, const uint32_t *cycles)
{
    const struct cprof_profile *p = l->profile;
    struct annotation *a = l->a;
    uint32_t n_events = p->n_events;
    struct part *parts = xreallocarray(NULL, (size_t)p->n_costs + p->n_calls + 1, sizeof *parts);
    size_t n = find_parts(l, cycles, parts);
    int64_t *sum = xcalloc(n_events, sizeof *sum);
    bool single = is_single(l);

    a->least = !single;
    sort_items(parts, n, sizeof *parts, compare_parts);
    for (size_t i = 0; i < n; i++) {
        counts_add(sum, parts[i].counts, n_events);
        if (i + 1 < n && !compare_parts(&parts[i], &parts[i + 1]))
            continue;
        raise_to(a->counts + (a->lines[parts[i].line].counts - a->counts) + n_events, sum,
                 p->totals, n_events);
        memset(sum, 0, n_events * sizeof *sum);
    }
    for (uint32_t i = 0; i < a->n_lines; i++) {
        const int64_t *counts = a->lines[i].counts;

        raise_to(a->counts + (counts - a->counts) + n_events, counts, p->totals, n_events);
        a->charged[i] = column_value(l->measure, single ? counts + n_events : counts);
    }
    add_blocks(l, single);
    free(sum);
    free(parts);
}

/*--- Either ---*/

/* Tells whether calls of the subject's lead back to a function that is active. */
static bool is_recursive(const struct loader *l, const uint32_t *cycles)
{
    const struct cprof_profile *p = l->profile;

    for (uint32_t i = 0; i < p->n_calls; i++)
        if (is_made(l, &p->calls[i]) && cycles[p->calls[i].caller] == cycles[p->calls[i].callee])
            return true;
    return false;
}

/* Charges each line with its own cost: nothing more is known. */
static void charge_own(struct loader *l)
{
    for (uint32_t i = 0; i < l->a->n_lines; i++)
        if (l->entries[i].call == CPROF_NONE)
            l->a->charged[i] = column_value(l->measure, l->a->lines[i].counts);
}

void callees_add(struct loader *l, uint32_t n_blocks)
{
    uint32_t *cycles;

    l->a->charged = xcalloc(l->a->n_lines, sizeof *l->a->charged);
    if (l->a->callees == CALLEES_NONE) {
        charge_own(l);
        return;
    }
    cycles = cycles_find(l->profile);
    l->a->recursive = is_recursive(l, cycles);
    if (l->paths.n)
        add_paths(l, n_blocks);
    else
        add_calls(l, cycles);
    free(cycles);
}
