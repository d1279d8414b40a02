#include <config.h>

#include "annotate/annotation.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "calls/graph.h"
#include "cprof_internal.h"
#include "names/location.h"

#include <stdlib.h>
#include <string.h>

/*--- While it is made ---*/

/* A cost record that counts, or a call, with its place. */
struct cost_entry {
    uint32_t call; /* the inlined call that it belongs to; CPROF_NONE: the subject itself */
    uint32_t file, line;
    const int64_t *counts; /* NULL: the line has a call only */
};

/* The call site of an inlined call. */
struct inline_site {
    uint32_t call, file, line, function;
};

/* A context's relation to the subject. */
enum context_kind { OUTSIDE, ITSELF, INLINED };

struct loader {
    struct annotation *a;
    const struct cprof_profile *profile;
    struct paths paths; /* without call paths, what was inlined */
    const struct annotation_subject *subject;
    const struct column *measure;
    size_t n, room;
    struct cost_entry *entries; /* sorted and each place once, when the lines are made */
    struct inline_site *sites;  /* the site of each call */
    struct map call_map;        /* calls by their site */
    unsigned char *kinds;       /* of each context: enum context_kind; NULL: not asked for */
    uint32_t *calls; /* of each context: the inlined call that it belongs to, or CPROF_NONE */
};

/*--- Subjects ---*/

bool *annotation_functions(const struct cprof_profile *p, const struct row *row)
{
    const struct cprof_function *asked = &p->functions[row->function];
    bool *functions = xcalloc(p->n_functions, sizeof *functions);

    functions[row->function] = true;
    for (uint32_t i = 0; p->format == CPROF_FORMAT_CACHEGRIND && i < p->n_functions; i++) {
        const struct cprof_function *f = &p->functions[i];

        functions[i] |= f->object == asked->object && !strcmp(f->name, asked->name) &&
                        !compare_texts(f->mangled, asked->mangled);
    }
    return functions;
}

/* Returns true where `path` ends with whole segments that are `text`. */
static bool ends_with(const char *path, const char *text)
{
    size_t size = strlen(path), end = strlen(text);

    return end && size >= end && !strcmp(path + size - end, text) &&
           (size == end || path[size - end - 1] == '/' || *text == '/');
}

enum how { BY_PATH, BY_END, BY_SHORT, N_HOWS };

/* Returns true where `text` means a file of this path, which is shown as `shown`. */
static bool fits(const char *path, const char *shown, const char *text, const char *root,
                 enum how how)
{
    char *brief;
    bool does;

    if (how == BY_PATH)
        return !strcmp(path, text) || !strcmp(shown, text);
    if (how == BY_END)
        return ends_with(path, text) || ends_with(shown, text);
    brief = location_short(path, root);
    does = ends_with(brief, text);
    free(brief);
    return does;
}

size_t annotation_files(const struct cprof_profile *p, const char *text, const char *root,
                        bool **files)
{
    char **shown = xcalloc(p->n_files, sizeof *shown);
    size_t n = 0;

    *files = xcalloc(p->n_files, sizeof **files);
    for (uint32_t i = 0; i < p->n_files; i++)
        shown[i] = location_path(p->files[i], root);
    while (!strncmp(text, "./", 2))
        text += 2;
    for (enum how how = 0; how < N_HOWS && n == 0 && *text; how++)
        for (uint32_t i = 0; i < p->n_files; i++) {
            bool known = false;

            if (!fits(p->files[i], shown[i], text, root, how))
                continue;
            (*files)[i] = true;
            for (uint32_t j = 0; j < i && !known; j++)
                known = (*files)[j] && !strcmp(shown[j], shown[i]);
            n += !known;
        }
    for (uint32_t i = 0; i < p->n_files; i++)
        free(shown[i]);
    free(shown);
    return n;
}

/*--- Costs with callees ---*/

/*
 * Costs with callees.
 *
 * With call paths: a walk over all contexts, parents before children. The site of a context is the
 * line that it was called from; while the walk is below it, the line is active. A line gets the
 * inclusive cost of the contexts that it calls, and its own cost, but not while it is active: so
 * each instruction counts once.
 */

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

/* Adds an entry. Without a file there is no line. */
static void loader_entry(struct loader *l, uint32_t call, uint32_t file, uint32_t line,
                         const int64_t *counts)
{
    APPEND(l->entries, l->n, l->room) =
        (struct cost_entry){call, file, file == CPROF_NONE ? 0 : line, counts};
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

/* Finds out what is known of callees, and adds an entry for each line that calls. */
static void callees_find(struct loader *l)
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
    uint32_t n;         /* events */
    uint32_t *sites;    /* of each context: the line that called it; CPROF_NONE: none shown */
    uint32_t *charged;  /* of each context: the nearest such line in focus */
    int64_t *inclusive; /* of each context: n */
    uint32_t *lines, *blocks, *calls; /* how often each is active */
    uint32_t subject;
};

/* The row of costs with callees that follows own costs. */
static int64_t *with(const struct loader *l, const int64_t *counts)
{
    /* all counts are in memory of the annotation's */
    return l->a->counts + (counts - l->a->counts) + l->profile->n_events;
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

/* The line of a place, or CPROF_NONE. The lines are made. */
static uint32_t loader_line(const struct loader *l, uint32_t call, uint32_t file, uint32_t line)
{
    struct cost_entry key = {call, file, file == CPROF_NONE ? 0 : line, NULL};
    const struct cost_entry *found =
        l->n ? bsearch(&key, l->entries, l->n, sizeof key, compare_places) : NULL;

    return found ? (uint32_t)(found - l->entries) : CPROF_NONE;
}

static void find_charged(struct walk *w)
{
    const struct paths *p = &w->l->paths;

    w->sites = xreallocarray(NULL, p->n, sizeof *w->sites);
    w->charged = xreallocarray(NULL, p->n, sizeof *w->charged);
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
}

/* Adds counts to a line, its block and the subject, as far as they are not active. */
static void add_to_line(struct walk *w, uint32_t line, const int64_t *counts)
{
    struct annotation *a = w->l->a;
    uint32_t block = a->lines[line].block;

    if (!w->lines[line])
        counts_add(with(w->l, a->lines[line].counts), counts, w->n);
    if (!w->blocks[block])
        counts_add(with(w->l, a->blocks[block].counts), counts, w->n);
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

static bool enter(void *data, uint32_t i)
{
    struct walk *w = data;
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
        counts_add(with(w->l, w->l->a->calls[call].counts), inclusive, w->n);
    for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++) {
        const int64_t *counts = paths_values(p, k);
        uint32_t line = line_of_cost(w, i, &p->costs[k]);

        if (line != CPROF_NONE)
            add_to_line(w, line, counts);
        charge(w,
               line != CPROF_NONE && in_focus(w, line) && !is_derived(w, i) ? line : w->charged[i],
               counts);
    }
    return true;
}

static void leave(void *data, uint32_t i)
{
    struct walk *w = data;
    uint32_t site = w->sites[i], call = w->l->calls[i];

    if (call != CPROF_NONE)
        w->calls[call]--;
    if (site == CPROF_NONE)
        return;
    w->lines[site]--;
    w->blocks[w->l->a->lines[site].block]--;
    w->subject--;
}

static void add_paths(struct loader *l, uint32_t n_blocks)
{
    struct annotation *a = l->a;
    struct walk w = {.l = l, .n = l->profile->n_events};

    find_charged(&w);
    w.inclusive = path_sums(&l->paths);
    w.lines = xcalloc(a->n_lines, sizeof *w.lines);
    w.blocks = xcalloc(n_blocks, sizeof *w.blocks);
    w.calls = xcalloc(a->n_calls, sizeof *w.calls);
    paths_walk(&l->paths, enter, leave, &w);
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

    COMPARE(x->line, y->line);
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
        int64_t *sum = with(l, block->counts);

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
        raise_to(with(l, a->lines[parts[i].line].counts), sum, p->totals, n_events);
        memset(sum, 0, n_events * sizeof *sum);
    }
    for (uint32_t i = 0; i < a->n_lines; i++) {
        const int64_t *counts = a->lines[i].counts;

        raise_to(with(l, counts), counts, p->totals, n_events);
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

/* Adds up costs with callees, as far as they are known, of lines, of `n_blocks` blocks, of inlined
 * calls and of the subject, and charges the lines. Blocks are not sorted yet. */
static void callees_add(struct loader *l, uint32_t n_blocks)
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

/*--- Lines ---*/

/*
 * Primary data structure: `entries`, one for each cost record that counts, with its place: the
 * subject itself or a call inlined in it, file and line. Sorted by place, neighbours add up to
 * lines, and neighbours of these to blocks.
 */

/*--- What was inlined ---*/

static int equal_site(const void *owner, uint32_t index, const void *key)
{
    return !memcmp((const struct inline_site *)owner + index, key, sizeof(struct inline_site));
}

static uint32_t call_at(struct loader *l, const struct inline_site *site)
{
    uint32_t hash = map_hash(map_mix((uint64_t)site->call << 32 | site->function,
                                     (uint64_t)site->file << 32 | site->line));
    uint32_t found = map_find(&l->call_map, hash, equal_site, l->sites, site);

    if (found != MAP_NONE)
        return found;
    memory_check(map_add(&l->call_map, hash, l->a->n_calls));
    l->sites[l->a->n_calls] = *site;
    l->a->calls[l->a->n_calls] =
        (struct annotation_call){.function = site->function, .next = CPROF_NONE};
    loader_entry(l, site->call, site->file, site->line, NULL);
    return l->a->n_calls++;
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

/* Adds up the costs of inlined code, and makes the calls where they are wanted. */
static void find_inlined(struct loader *l)
{
    const struct paths *p = &l->paths;
    bool inlined = l->subject->functions && !l->subject->files;

    l->kinds = xcalloc(p->n, sizeof *l->kinds);
    l->calls = xreallocarray(NULL, p->n, sizeof *l->calls);
    /* At most one call for each context. */
    l->sites = xreallocarray(NULL, p->n, sizeof *l->sites);
    l->a->calls = xreallocarray(NULL, p->n, sizeof *l->a->calls);
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
    map_release(&l->call_map);
}

/*--- From entries to lines and blocks ---*/

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
        uint32_t line = annotation_has(l->subject, &cost)
                            ? loader_line(l, CPROF_NONE, runs->file, runs->line)
                            : CPROF_NONE;

        if (line != CPROF_NONE)
            l->a->lines[line].runs += runs->runs;
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
    COMPARE(right, left);
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

    COMPARE(right, left);
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
