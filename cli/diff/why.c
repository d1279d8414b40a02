#include <config.h>

#include "diff/why.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/words.h"
#include "cprof_internal.h"
#include "diff/matching.h"
#include "diff/same_program.h"
#include "names/crates.h"
#include "names/object_name.h"
#include "table/own.h"

#include <stdlib.h>
#include <string.h>

/*--- What can be asked ---*/

char *why_problem(const struct diff *d)
{
    for (int side = 0; side < DIFF_SIDES; side++) {
        const struct cprof_profile *p = d->profile[side];

        if (p->sampled)
            return xasprintf("'%s' is sampled, and samples do not tell calls apart", p->source);
        if (!p->n_contexts || !profile_paths(p).known)
            return xasprintf("'%s' has no call paths; count them with 'cargo cprof callgrind'",
                             p->source);
    }
    return d->common.inclusive ? NULL : xstrdup("the calls between functions are not known");
}

/*--- The walk ---*/

/* Two nodes that belong together, and what the walk knows of the path to them. */
struct place {
    uint32_t node[DIFF_SIDES];
    int64_t scaled;                /* what OLD's node would cost for NEW's calls */
    uint32_t compiled[DIFF_SIDES]; /* the nodes of the functions that they were compiled into */
    uint32_t group;                /* the id of the nearest own function */
    /* The reason for changes of the cost of code itself: one for the function that was compiled, or
     * own one that was inlined, and for foreign code that was inlined into that. */
    struct why_reason work;
    uint32_t within; /* the id of the function that allocates or frees, which it is a part of */
};

struct walk {
    struct why *why;
    const struct diff *diff;
    const struct crates *const *crates;
    struct why_ids ids;
    struct why_tree trees[DIFF_SIDES];
    struct why_pairs pairs;
    bool *allocates; /* by ids */
    size_t n, room;
    struct place *places;
    size_t reasons_room;
    size_t terms_room;
    struct term *terms;
};

/* A part of OLD's cost: its share of what the node would cost, and what division left. */
struct term {
    int64_t cost, scaled;
    __int128 rest;
    size_t index;
};

static __int128 divide(__int128 a, __int128 b, __int128 *rest)
{
    __int128 quotient = a / b;

    if (a % b < 0)
        quotient--;
    *rest = a - quotient * b;
    return quotient;
}

static int compare_rests(const void *a, const void *b)
{
    const struct term *x = a, *y = b;

    COMPARE(y->rest, x->rest);
    COMPARE(x->index, y->index);
    return 0;
}

static int compare_indices(const void *a, const void *b)
{
    const struct term *x = a, *y = b;

    COMPARE(x->index, y->index);
    return 0;
}

/* Scales costs by calls / old_calls so that they add up to `sum`. */
static void scale(struct term *terms, size_t n, uint64_t calls, uint64_t old_calls, int64_t sum)
{
    int64_t left = sum;

    for (size_t i = 0; i < n; i++) {
        terms[i].index = i;
        terms[i].scaled =
            (int64_t)divide((__int128)terms[i].cost * calls, old_calls, &terms[i].rest);
        left -= terms[i].scaled;
    }
    if (!left)
        return;
    sort_items(terms, n, sizeof *terms, compare_rests);
    for (size_t i = 0; i < n && left > 0; i++, left--)
        terms[i].scaled++;
    sort_items(terms, n, sizeof *terms, compare_indices);
}

/* The cost of a callee for so many calls, by what it costs in OLD. */
static int64_t cost_of_calls(const struct why_node *old, uint64_t calls)
{
    __int128 rest, cost = divide((__int128)old->inclusive * calls, old->calls, &rest);

    return (int64_t)(cost + (2 * rest >= (__int128)old->calls));
}

/*--- Parts ---*/

static void add_reason(struct walk *w, struct why_reason reason)
{
    struct why *why = w->why;

    if (!reason.change)
        return;
    APPEND(why->reasons, why->n_reasons, w->reasons_room) = reason;
}

static const struct why_node *node_of(const struct walk *w, const struct place *at,
                                      enum diff_side side)
{
    return &w->trees[side].nodes[at->node[side]];
}

static const struct cprof_object *object_of(const struct walk *w, enum diff_side side,
                                            uint32_t function)
{
    const struct cprof_profile *p = w->diff->profile[side];
    uint32_t object = p->functions[function].object;

    return object == CPROF_NONE ? NULL : &p->objects[object];
}

static bool is_own(const struct walk *w, const struct why_node *node)
{
    return node->id < w->ids.n && w->ids.own[node->id];
}

/* True where both sides know the build of a file with a function's code, which is not the program.
 */
static bool is_of_library(const struct walk *w, const struct cprof_object *before,
                          const struct cprof_object *after)
{
    return before && after && before->build_id && after->build_id &&
           !is_program(w->diff->profile[DIFF_NEW], after->path);
}

/* The cause of a change in a function's own code, by its hash on both sides. */
static enum why_cause cause_by_code(const struct cprof_function *old,
                                    const struct cprof_function *new)
{
    if (!old->code || !new->code)
        return WHY_WORK;
    return (uint32_t)old->code == (uint32_t) new->code ? WHY_WORK_SAME
           : old->code >> 32 != new->code >> 32        ? WHY_WORK_OTHER
                                                       : WHY_WORK;
}

static uint32_t compiled_function(const struct walk *w, const struct place *at, enum diff_side side)
{
    return w->trees[side].nodes[at->compiled[side]].function;
}

/* True where the code that both nodes were compiled into may be another on either side. */
static bool code_may_differ(const struct walk *w, const struct place *at)
{
    uint32_t was = compiled_function(w, at, DIFF_OLD), is = compiled_function(w, at, DIFF_NEW);
    const struct cprof_object *before, *after;

    if (was == CPROF_NONE || is == CPROF_NONE)
        return false;
    before = object_of(w, DIFF_OLD, was);
    after = object_of(w, DIFF_NEW, is);
    return before && after && before->build_id && after->build_id &&
           strcmp(before->build_id, after->build_id) != 0 &&
           cause_by_code(&w->diff->profile[DIFF_OLD]->functions[was],
                         &w->diff->profile[DIFF_NEW]->functions[is]) != WHY_WORK_SAME;
}

/* The cause of a change in a function's own code, by what is known of that on both sides. Inlined
 * code is the same where all of the function is that it was compiled into. */
static enum why_cause cause_of_work(const struct walk *w, const struct place *at)
{
    const struct why_node *new = node_of(w, at, DIFF_NEW);
    uint32_t was, is;
    const struct cprof_object *before, *after;
    enum why_cause cause;

    if (new->id >= w->diff->n_all)
        return WHY_WORK;
    was = compiled_function(w, at, DIFF_OLD);
    is = compiled_function(w, at, DIFF_NEW);
    /* Code that was inlined where a part of a profile begins. */
    if (was == CPROF_NONE || is == CPROF_NONE)
        return w->why->versions[new->id] ? WHY_VERSION : WHY_WORK;
    before = object_of(w, DIFF_OLD, was);
    after = object_of(w, DIFF_NEW, is);
    cause = cause_by_code(&w->diff->profile[DIFF_OLD]->functions[was],
                          &w->diff->profile[DIFF_NEW]->functions[is]);
    if (before && after && before->build_id && after->build_id &&
        !strcmp(before->build_id, after->build_id))
        return WHY_WORK_SAME;
    if (cause == WHY_WORK_SAME)
        return cause;
    if (w->why->versions[new->id])
        return WHY_VERSION;
    if (is_of_library(w, before, after))
        return WHY_LIBRARY;
    return new->inlined ? WHY_WORK : cause;
}

/* True where recursion of a function has other numbers of calls. */
static bool is_entered_otherwise(const struct why_node *old, const struct why_node *new)
{
    return !new->inlined && (unsigned __int128)old->entered *new->calls !=
                                (unsigned __int128)new->entered * old->calls;
}

/* The reason for changes of the cost of a node itself, without any change. */
static struct why_reason reason_of_work(const struct walk *w, const struct place *at)
{
    static const enum why_cause causes[] = {[WHY_MARK_OUT] = WHY_INLINED_NO_LONGER,
                                            [WHY_MARK_IN] = WHY_INLINED_NOW,
                                            [WHY_MARK_SPLIT] = WHY_SPLIT,
                                            [WHY_MARK_JOINED] = WHY_JOINED,
                                            [WHY_MARK_RENAMED] = WHY_RENAMED,
                                            [WHY_MARK_VARIANT] = WHY_VARIANT,
                                            [WHY_MARK_VARIANT_MAYBE] = WHY_VARIANT_MAYBE};
    const struct why_node *old = node_of(w, at, DIFF_OLD), *new = node_of(w, at, DIFF_NEW);
    struct why_reason reason = {.group = at->group,
                                .cause = WHY_WORK,
                                .what = new->id,
                                .by = CPROF_NONE,
                                .inlined = CPROF_NONE,
                                .per = CPROF_NONE};

    if (at->within != CPROF_NONE) {
        reason.cause = cause_of_work(w, at);
        if (reason.cause == WHY_WORK_SAME)
            reason.cause = WHY_ALLOCATOR;
        if (reason.cause != WHY_VERSION)
            reason.what = at->within;
    } else if (new->mark == WHY_MARK_SPLIT || new->mark == WHY_MARK_JOINED) {
        reason.cause = causes[new->mark];
        reason.what = new->other;
    } else if (new->mark) {
        reason.cause = causes[new->mark];
        reason.by = new->other;
    } else if (new->flip) {
        reason.cause = causes[new->flip];
        reason.what = new->flipped;
        reason.by = new->id;
    } else if (is_entered_otherwise(old, new)) {
        reason.cause = WHY_RECURSION;
        reason.calls[DIFF_OLD] = old->entered;
        reason.calls[DIFF_NEW] = new->entered;
        reason.callers[DIFF_OLD] = old->calls;
        reason.callers[DIFF_NEW] = new->calls;
    } else {
        reason.cause = cause_of_work(w, at);
    }
    return reason;
}

/* Adds a change of the cost of code itself, or of `node`, foreign code that was inlined there. */
static void add_work(struct walk *w, const struct place *at, const struct why_node *node,
                     int64_t change)
{
    struct why_reason reason = at->work;

    reason.change = change;
    if (node->inlined && !is_own(w, node) && !node->mark) {
        reason.inlined = node->id;
        reason.inlined_change = change;
    }
    add_reason(w, reason);
}

/* The part of a child that only one side has. */
static enum why_cause cause_of_one(const struct walk *w, enum diff_side side,
                                   const struct why_node *child)
{
    bool in_both = why_id_is_in(&w->ids, child->id, side == DIFF_OLD ? DIFF_NEW : DIFF_OLD);

    if (child->inlined)
        return side == DIFF_NEW ? WHY_CODE_NOW : WHY_CODE_NO_LONGER;
    if (side == DIFF_NEW)
        return in_both ? WHY_CALLS_NOW : WHY_CALLS_NEW;
    return in_both ? WHY_CALLS_NO_LONGER : WHY_CALLS_GONE;
}

/* True where a child is a part of what a node does itself: of what allocates, of a variant of a
 * function of libc, or foreign code that was inlined. */
static bool is_part_of_work(const struct walk *w, const struct place *at,
                            const struct why_node *child)
{
    return at->within != CPROF_NONE || (child->inlined && !is_own(w, child)) ||
           ((at->work.cause == WHY_VARIANT || at->work.cause == WHY_VARIANT_MAYBE) &&
            child->id < w->ids.n && w->ids.libc[child->id]);
}

/* The function that NEW's code was compiled into, if that is another than the nearest own one. */
static uint32_t compiled_id(const struct walk *w, const struct place *at)
{
    uint32_t id = w->trees[DIFF_NEW].nodes[at->compiled[DIFF_NEW]].id;

    return id == at->group ? CPROF_NONE : id;
}

static void add_calls(struct walk *w, const struct place *at, const struct why_pair *pair,
                      int64_t change)
{
    const struct why_node *parent = node_of(w, at, DIFF_NEW), *child = NULL;
    struct why_reason reason = {.group = at->group,
                                .cause = WHY_CALLS,
                                .by = CPROF_NONE,
                                .change = change,
                                .inlined = CPROF_NONE,
                                .per = CPROF_NONE};

    if (parent->id != at->group && !parent->inlined)
        reason.by = parent->id;
    for (int side = 0; side < DIFF_SIDES; side++) {
        if (pair->node[side] == CPROF_NONE)
            continue;
        child = &w->trees[side].nodes[pair->node[side]];
        reason.calls[side] = child->calls;
        reason.what = child->id;
    }
    for (int side = 0; side < DIFF_SIDES; side++) {
        reason.callers[side] = node_of(w, at, (enum diff_side)side)->calls;
        if (pair->node[side] == CPROF_NONE)
            reason.cause = cause_of_one(w, side == DIFF_OLD ? DIFF_NEW : DIFF_OLD, child);
    }
    if (is_part_of_work(w, at, child)) {
        add_work(w, at, child, change);
        return;
    }
    if (reason.cause == WHY_CALLS && parent->inlined)
        reason.per = compiled_id(w, at);
    add_reason(w, reason);
}

/*--- The identity ---*/

/* Goes on at a pair of children later. */
static void visit(struct walk *w, const struct place *at, const struct why_pair *pair,
                  int64_t scaled)
{
    const struct why_node *new = &w->trees[DIFF_NEW].nodes[pair->node[DIFF_NEW]];
    struct place place = *at;

    place.node[DIFF_OLD] = pair->node[DIFF_OLD];
    place.node[DIFF_NEW] = pair->node[DIFF_NEW];
    place.scaled = scaled;
    for (int side = 0; side < DIFF_SIDES && !new->inlined; side++)
        place.compiled[side] = place.node[side];
    if (is_own(w, new) && new->mark != WHY_MARK_OUT &&new->mark != WHY_MARK_IN) {
        place.group = new->id;
        place.within = CPROF_NONE;
    } else if (root_is_thread(&w->trees[DIFF_NEW].profile->functions[new->function])) {
        place.group =
            w->why->n_ids +
            (new->id == w->diff->n_all + WHY_ID_THREADS ? BLAME_ELSEWHERE : BLAME_FIRST_THREAD);
    } else if (place.within == CPROF_NONE && new->id < w->ids.n && w->allocates[new->id]) {
        place.within = new->id;
    }
    APPEND(w->places, w->n, w->room) = place;
}

/* The reasons of one node. */
static void compare_nodes(struct walk *w, struct place *at)
{
    const struct why_node *old, *new;
    const struct why_pairs *pairs = &w->pairs;

    why_pairs_find(&w->pairs, &w->ids, w->trees, at->node, code_may_differ(w, at));
    old = node_of(w, at, DIFF_OLD);
    new = node_of(w, at, DIFF_NEW);
    if (w->terms_room < pairs->n + 1) {
        w->terms_room = 2 * pairs->n + 16;
        w->terms = xreallocarray(w->terms, w->terms_room, sizeof *w->terms);
    }
    w->terms[pairs->n] = (struct term){.cost = old->self};
    for (size_t i = 0; i < pairs->n; i++) {
        uint32_t child = pairs->items[i].node[DIFF_OLD];

        w->terms[i] = (struct term){
            .cost = child == CPROF_NONE ? 0 : w->trees[DIFF_OLD].nodes[child].inclusive};
    }
    scale(w->terms, pairs->n + 1, new->calls, old->calls, at->scaled);
    if (!new->inlined || is_own(w, new) || new->mark)
        at->work = reason_of_work(w, at);
    add_work(w, at, new, new->self - w->terms[pairs->n].scaled);
    for (size_t i = 0; i < pairs->n; i++) {
        const struct why_pair *pair = &pairs->items[i];
        const struct why_node *a = NULL, *b = NULL;
        int64_t cost = 0;

        if (pair->node[DIFF_OLD] != CPROF_NONE)
            a = &w->trees[DIFF_OLD].nodes[pair->node[DIFF_OLD]];
        if (pair->node[DIFF_NEW] != CPROF_NONE)
            b = &w->trees[DIFF_NEW].nodes[pair->node[DIFF_NEW]];
        if (a && b)
            cost = (__int128)a->calls * new->calls == (__int128)b->calls * old->calls
                       ? w->terms[i].scaled
                       : cost_of_calls(a, b->calls);
        else if (b)
            cost = b->inclusive;
        add_calls(w, at, pair, cost - w->terms[i].scaled);
        if (a && b)
            visit(w, at, pair, cost);
    }
}

static void find_allocators(struct walk *w)
{
    static const char names[] = "malloc calloc realloc free cfree memalign posix_memalign "
                                "aligned_alloc valloc pvalloc reallocarray";

    w->allocates = xcalloc(w->ids.n, sizeof *w->allocates);
    for (uint32_t i = 0; i < w->diff->n_all; i++) {
        const char *name = w->diff->rows[i].name;

        if (!strncmp(name, "__libc_", 7))
            name += 7;
        w->allocates[i] = w->ids.libc[i] && text_is_word_of(names, name, strlen(name));
    }
}

/* Finds the functions of crates of which both sides have one version, and not the same. */
static void find_versions(struct walk *w)
{
    const struct diff *d = w->diff;
    const struct crate **was = xcalloc(w->ids.n, sizeof *was);

    w->why->versions = xcalloc(w->ids.n, sizeof *w->why->versions);
    for (uint32_t f = 0; f < d->profile[DIFF_OLD]->n_functions; f++)
        if (d->row_of[DIFF_OLD][f] != CPROF_NONE)
            was[d->row_of[DIFF_OLD][f]] = crates_of(w->crates[DIFF_OLD], f);
    for (uint32_t f = 0; f < d->profile[DIFF_NEW]->n_functions; f++) {
        uint32_t id = d->row_of[DIFF_NEW][f];
        const struct crate *is = crates_of(w->crates[DIFF_NEW], f);

        if (id != CPROF_NONE && was[id] && !w->why->versions[id] && was[id]->version &&
            is->version && !strcmp(was[id]->name, is->name) &&
            strcmp(was[id]->version, is->version) != 0)
            w->why->versions[id] =
                xasprintf("%s %s -> %s", is->name, was[id]->version, is->version);
    }
    free(was);
}

static void find_reasons(struct walk *w)
{
    APPEND(w->places, w->n, w->room) =
        (struct place){.scaled = w->trees[DIFF_OLD].nodes[0].inclusive,
                       .group = w->why->n_ids + BLAME_ELSEWHERE,
                       .within = CPROF_NONE};
    while (w->n) {
        struct place at = w->places[--w->n];

        compare_nodes(w, &at);
    }
}

/*--- Groups ---*/

static int compare_reasons(const void *a, const void *b)
{
    const struct why_reason *x = a, *y = b;

    COMPARE(x->group, y->group);
    COMPARE(x->cause, y->cause);
    COMPARE(x->what, y->what);
    COMPARE(x->by, y->by);
    COMPARE(x->per, y->per);
    return 0;
}

static int compare_inlined(const void *a, const void *b)
{
    const struct why_reason *x = a, *y = b;
    int order = compare_reasons(a, b);

    return order ? order : (x->inlined > y->inlined) - (x->inlined < y->inlined);
}

/* Adds a reason that says as much; the inlined code with the greater change stays. */
static void merge_reasons(struct why_reason *to, const struct why_reason *reason)
{
    count_add(&to->change, reason->change);
    for (int side = 0; side < DIFF_SIDES; side++) {
        calls_add(&to->calls[side], reason->calls[side]);
        calls_add(&to->callers[side], reason->callers[side]);
    }
    if (to->inlined == reason->inlined) {
        count_add(&to->inlined_change, reason->inlined_change);
    } else if (count_size(reason->inlined_change) > count_size(to->inlined_change)) {
        to->inlined = reason->inlined;
        to->inlined_change = reason->inlined_change;
    }
}

/* Makes one of neighbours that are equal. */
static void merge_equal(struct why *why, int (*compare)(const void *, const void *))
{
    size_t n = 0;

    for (size_t i = 0; i < why->n_reasons; i++) {
        if (n && compare(&why->reasons[n - 1], &why->reasons[i]) == 0)
            merge_reasons(&why->reasons[n - 1], &why->reasons[i]);
        else
            why->reasons[n++] = why->reasons[i];
    }
    why->n_reasons = n;
}

/* Makes one reason of those that say one thing. */
static void sum_reasons(struct why *why)
{
    sort_items(why->reasons, why->n_reasons, sizeof *why->reasons, compare_inlined);
    merge_equal(why, compare_inlined);
    merge_equal(why, compare_reasons);
    for (size_t i = 0; i < why->n_reasons; i++) {
        struct why_reason *r = &why->reasons[i];

        if ((r->inlined_change < 0) != (r->change < 0) ||
            count_size(r->inlined_change) < count_size(r->change) / 2)
            r->inlined = CPROF_NONE;
    }
}

static int by_change(const void *a, const void *b)
{
    const struct why_reason *x = a, *y = b;

    COMPARE(x->group, y->group);
    COMPARE(count_size(y->change), count_size(x->change));
    return compare_reasons(a, b);
}

static int by_group_change(const void *a, const void *b)
{
    const struct why_group *x = a, *y = b;

    COMPARE(count_size(y->change), count_size(x->change));
    COMPARE(x->id, y->id);
    return 0;
}

static void make_groups(struct why *why)
{
    size_t kept = 0;

    sum_reasons(why);
    for (size_t i = 0; i < why->n_reasons; i++)
        if (why->reasons[i].change)
            why->reasons[kept++] = why->reasons[i];
    why->n_reasons = kept;
    sort_items(why->reasons, why->n_reasons, sizeof *why->reasons, by_change);
    why->groups = xcalloc(why->n_reasons + 1, sizeof *why->groups);
    for (size_t i = 0; i < why->n_reasons; i++) {
        if (!i || why->reasons[i].group != why->reasons[i - 1].group)
            why->groups[why->n++] =
                (struct why_group){.id = why->reasons[i].group, .reasons = &why->reasons[i]};
        why->groups[why->n - 1].n++;
        count_add(&why->groups[why->n - 1].change, why->reasons[i].change);
    }
    sort_items(why->groups, why->n, sizeof *why->groups, by_group_change);
}

/*--- The whole ---*/

static void take_names(struct why *why, const struct diff *d)
{
    why->n_ids = (uint32_t)d->n_all + WHY_IDS_MORE;
    why->names = xcalloc((size_t)why->n_ids + 1, sizeof *why->names);
    for (uint32_t i = 0; i < d->n_all; i++)
        why->names[i] = d->rows[i].object && crates_is_libc(d->rows[i].object)
                            ? xstrdup(d->rows[i].name)
                            : xstrdup(d->rows[i].label);
    why->names[d->n_all + WHY_ID_THREADS] = xstrdup("[other threads]");
    why->names[d->n_all + WHY_ID_OTHERS] = xstrdup("[code without cost]");
}

/* Both profiles count each repetition as an instruction, and know how many there are. */
static void find_repetitions(struct why *why, const struct diff *d)
{
    const struct cprof_profile *const *p = d->profile;
    uint32_t rep[DIFF_SIDES];

    for (int side = 0; side < DIFF_SIDES; side++) {
        rep[side] = cprof_find_event(p[side], "Rep");
        if (rep[side] == CPROF_NONE || p[side]->rep_one || strcmp(why->measure->name, "Ir") != 0)
            return;
    }
    for (int side = 0; side < DIFF_SIDES; side++)
        why->repetitions[side] = p[side]->totals[rep[side]];
}

void why_load(struct why *why, const struct diff *d, const struct crates *const crates[DIFF_SIDES],
              const struct column *measure)
{
    struct walk w = {.why = why, .diff = d, .crates = crates};
    bool *own[DIFF_SIDES];

    *why = (struct why){.measure = measure};
    take_names(why, d);
    own_common_functions(own, d->profile, d->row_of, d->n_all, crates, DIFF_NEW);
    why_ids_load(&w.ids, d, own);
    find_allocators(&w);
    find_versions(&w);
    for (int side = 0; side < DIFF_SIDES; side++) {
        why_tree_load(&w.trees[side], d, (enum diff_side)side, measure, own[side]);
        why->total[side] = w.trees[side].nodes[0].inclusive;
        free(own[side]);
    }
    why->builds = setup_build_differences(d->profile[DIFF_OLD], d->profile[DIFF_NEW]);
    why_misses_load(&why->misses, d, measure->name, why->total[DIFF_OLD], why->total[DIFF_NEW]);
    find_repetitions(why, d);
    find_reasons(&w);
    make_groups(why);
    for (int side = 0; side < DIFF_SIDES; side++)
        why_tree_free(&w.trees[side]);
    why_ids_free(&w.ids);
    free(w.pairs.items);
    free(w.allocates);
    free(w.places);
    free(w.terms);
}

void why_free(struct why *why)
{
    for (uint32_t i = 0; i < why->n_ids; i++) {
        free(why->names[i]);
        free(why->versions[i]);
    }
    free(why->builds);
    free(why->names);
    free(why->versions);
    free(why->reasons);
    free(why->groups);
    *why = (struct why){.n = 0};
}

const char *why_name(const struct why *why, uint32_t id)
{
    return id < why->n_ids ? why->names[id]
                           : blame_outside_name(true, (enum blame_outside)(id - why->n_ids));
}
