#include <config.h>

#include "diff/why_pair.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "names/crates.h"
#include "names/normalise.h"
#include "names/object_name.h"

#include <stdlib.h>
#include <string.h>

/*--- What is known of ids ---*/

/* A function's name without what differs between instances, or variants. */
static char *family_name(const struct diff_row *row, bool libc)
{
    char *plain, *key;

    if (libc) {
        plain = libc_plain_name(row->name);
        key = xstrdup(plain);
        free(plain);
        return key;
    }
    return loose_key(row->name);
}

/* Equal numbers to equal names, as of rows that sort_texts() has put in order. */
static void number_families(struct why_ids *ids, char **names)
{
    uint32_t n = (uint32_t)ids->diff->n_all;
    struct sorted *order = xcalloc((size_t)n + 1, sizeof *order);

    for (uint32_t i = 0; i < n; i++)
        order[i] = (struct sorted){.text = names[i], .index = i};
    sort_texts(order, n, NULL, NULL);
    for (uint32_t i = 0; i < n; i++) {
        bool equal = i && !strcmp(names[order[i].index], names[order[i - 1].index]);

        ids->family[order[i].index] = equal ? ids->family[order[i - 1].index] : i;
    }
    free(order);
}

/* The file that has the name of another one; NULL: there is none. */
static const struct cprof_object *find_object(const struct cprof_profile *p, const char *path)
{
    for (uint32_t i = 0; i < p->n_objects; i++)
        if (!strcmp(object_name(p->objects[i].path), object_name(path)))
            return &p->objects[i];
    return NULL;
}

static bool is_one_libc(const struct diff *d)
{
    const struct cprof_profile *new = d->profile[DIFF_NEW];

    for (uint32_t i = 0; i < new->n_objects; i++) {
        const struct cprof_object *now = &new->objects[i], *before;

        if (!crates_is_libc(now->path))
            continue;
        before = find_object(d->profile[DIFF_OLD], now->path);
        if (!before || !before->build_id || !now->build_id ||
            strcmp(before->build_id, now->build_id) != 0)
            return false;
    }
    return true;
}

void why_ids_load(struct why_ids *ids, const struct diff *d, bool *const own[DIFF_SIDES])
{
    uint32_t n = (uint32_t)d->n_all + WHY_IDS_MORE;
    char **names = xcalloc(n, sizeof *names);
    char *roots[DIFF_SIDES] = {profile_root(d->profile[DIFF_OLD]),
                               profile_root(d->profile[DIFF_NEW])};

    *ids = (struct why_ids){.diff = d, .n = n, .one_libc = is_one_libc(d)};
    ids->own = xcalloc(n, sizeof *ids->own);
    ids->libc = xcalloc(n, sizeof *ids->libc);
    ids->family = new_indices(n);
    ids->files = xcalloc(n, sizeof *ids->files);
    ids->slots = new_indices(2 * (size_t)n);
    for (int side = 0; side < DIFF_SIDES; side++)
        for (uint32_t f = 0; f < d->profile[side]->n_functions; f++)
            if (d->row_of[side][f] != CPROF_NONE)
                ids->own[d->row_of[side][f]] |= own[side][f];
    for (uint32_t i = 0; i < d->n_all; i++) {
        const struct diff_row *row = &d->rows[i];

        ids->libc[i] = row->object && crates_is_libc(row->object);
        ids->files[i] = row->file ? normalise_file(row->file, roots[row->side]) : NULL;
        names[i] = family_name(row, ids->libc[i]);
    }
    number_families(ids, names);
    for (uint32_t i = 0; i < d->n_all; i++)
        free(names[i]);
    free(names);
    free(roots[DIFF_OLD]);
    free(roots[DIFF_NEW]);
}

void why_ids_free(struct why_ids *ids)
{
    for (uint32_t i = 0; i < ids->n; i++)
        free(ids->files[i]);
    free(ids->files);
    free(ids->own);
    free(ids->libc);
    free(ids->family);
    free(ids->slots);
    *ids = (struct why_ids){.n = 0};
}

bool why_id_is_in(const struct why_ids *ids, uint32_t id, enum diff_side side)
{
    return id >= ids->diff->n_all || ids->diff->rows[id].in[side];
}

/*--- Pairs ---*/

/* Two nodes whose children are looked at. */
struct pairing {
    struct why_pairs *pairs;
    const struct why_ids *ids;
    struct why_tree *trees;
    const uint32_t *nodes;
};

static struct why_node *node_of(const struct pairing *p, enum diff_side side, uint32_t node)
{
    return &p->trees[side].nodes[node];
}

static struct why_node *parent_of(const struct pairing *p, enum diff_side side)
{
    return node_of(p, side, p->nodes[side]);
}

static uint32_t *slot_of(const struct pairing *p, const struct why_node *node)
{
    return &p->ids->slots[2 * (size_t)node->id + node->inlined];
}

/* Puts the children of one side into their slots, or takes them out. */
static void set_slots(const struct pairing *p, enum diff_side side, bool in)
{
    const struct why_tree *t = &p->trees[side];

    for (uint32_t c = parent_of(p, side)->first_child; c != CPROF_NONE; c = t->nodes[c].next)
        *slot_of(p, &t->nodes[c]) = in ? c : CPROF_NONE;
}

/* True where one cost for so many calls is at least another one for so many. */
static bool costs_as_much(int64_t cost, uint64_t calls, int64_t other, uint64_t other_calls)
{
    return (__int128)cost * other_calls >= (__int128)other * calls;
}

/* True where `child`, which is called, is inlined in the other profile, and no longer, or not yet,
 * to that degree here. */
static bool is_flipped(const struct pairing *p, enum diff_side side, const struct why_node *child)
{
    enum diff_side other = side == DIFF_OLD ? DIFF_NEW : DIFF_OLD;
    const struct why_tree *t = &p->trees[side];
    uint32_t called = p->ids->slots[2 * (size_t)child->id];
    uint32_t inlined = p->ids->slots[2 * (size_t)child->id + 1];

    if (called != CPROF_NONE || inlined == CPROF_NONE)
        return false;
    for (uint32_t c = parent_of(p, side)->first_child; c != CPROF_NONE; c = t->nodes[c].next)
        if (t->nodes[c].id == child->id && t->nodes[c].inlined)
            return !costs_as_much(t->nodes[c].inclusive, parent_of(p, side)->calls,
                                  node_of(p, other, inlined)->inclusive,
                                  parent_of(p, other)->calls);
    return true;
}

/* Notes at the parent, in NEW, that a child was inlined or is so no longer. */
static void note_flip(const struct pairing *p, const struct why_node *child, unsigned char mark)
{
    struct why_node *parent = parent_of(p, DIFF_NEW);

    if (parent->flip && parent->flip_cost >= child->self)
        return;
    parent->flip = mark;
    parent->flipped = child->id;
    parent->flip_cost = child->self;
}

/* Makes inlined what is so on the other side. */
static void flip(const struct pairing *p, enum diff_side side)
{
    enum diff_side other = side == DIFF_OLD ? DIFF_NEW : DIFF_OLD;
    struct why_tree *t = &p->trees[side];
    uint32_t child;

    set_slots(p, other, true);
    do {
        child = parent_of(p, side)->first_child;
        while (child != CPROF_NONE &&
               (t->nodes[child].inlined || !is_flipped(p, side, &t->nodes[child])))
            child = t->nodes[child].next;
        if (child != CPROF_NONE) {
            uint32_t id = t->nodes[child].id;
            uint32_t partner = p->ids->slots[2 * (size_t)id + 1];
            unsigned char mark = side == DIFF_NEW ? WHY_MARK_OUT : WHY_MARK_IN;

            child = why_tree_inline(t, p->nodes[side], child, p->ids->own[id]);
            t->nodes[child].mark = node_of(p, other, partner)->mark = mark;
            note_flip(p, node_of(p, other, partner), mark);
        }
    } while (child != CPROF_NONE);
    set_slots(p, other, false);
}

static void add_pair(struct why_pairs *pairs, uint32_t old_node, uint32_t new_node)
{
    APPEND(pairs->items, pairs->n, pairs->room) = (struct why_pair){{old_node, new_node}};
}

/* Pairs nodes of one id; others are pairs with none. */
static void pair_equal(const struct pairing *p)
{
    const struct why_tree *old = &p->trees[DIFF_OLD], *new = &p->trees[DIFF_NEW];

    p->pairs->n = 0;
    set_slots(p, DIFF_OLD, true);
    for (uint32_t c = parent_of(p, DIFF_NEW)->first_child; c != CPROF_NONE;
         c = new->nodes[c].next) {
        uint32_t *slot = slot_of(p, &new->nodes[c]);

        add_pair(p->pairs, *slot, c);
        *slot = CPROF_NONE;
    }
    for (uint32_t c = parent_of(p, DIFF_OLD)->first_child; c != CPROF_NONE; c = old->nodes[c].next)
        if (*slot_of(p, &old->nodes[c]) != CPROF_NONE)
            add_pair(p->pairs, c, CPROF_NONE);
    set_slots(p, DIFF_OLD, false);
}

/*--- What is left ---*/

typedef bool fits(const struct pairing *p, const struct why_node *old, const struct why_node *new);

static bool is_of_family(const struct pairing *p, const struct why_node *old,
                         const struct why_node *new)
{
    uint32_t family = p->ids->family[old->id];

    return family != CPROF_NONE && family == p->ids->family[new->id];
}

static bool is_twice(int64_t cost, uint64_t calls, int64_t other, uint64_t other_calls)
{
    return costs_as_much(cost / 2, calls, other, other_calls);
}

/* The hash of a function's code, for the same code only; 0: not known. */
static uint32_t code_of(const struct pairing *p, enum diff_side side, const struct why_node *node)
{
    return (uint32_t)p->trees[side].profile->functions[node->function].code;
}

static bool is_renamed(const struct pairing *p, const struct why_node *old,
                       const struct why_node *new)
{
    const struct why_ids *ids = p->ids;
    const char *file = ids->files[old->id], *other = ids->files[new->id];
    __int128 before = (__int128)old->calls * parent_of(p, DIFF_NEW)->calls;

    if (code_of(p, DIFF_OLD, old) && code_of(p, DIFF_OLD, old) == code_of(p, DIFF_NEW, new))
        return !why_id_is_in(ids, old->id, DIFF_NEW) && !why_id_is_in(ids, new->id, DIFF_OLD);
    return ids->own[old->id] && ids->own[new->id] && file && other && !strcmp(file, other) &&
           !why_id_is_in(ids, old->id, DIFF_NEW) && !why_id_is_in(ids, new->id, DIFF_OLD) &&
           before == (__int128)new->calls *parent_of(p, DIFF_OLD)->calls &&
           !is_twice(old->inclusive, old->calls, new->inclusive, new->calls) &&
           !is_twice(new->inclusive, new->calls, old->inclusive, old->calls);
}

/* The mark of two functions of libc with one name without its variant. One build calls another
 * variant only where it chose that; two builds may have different names of one. */
static enum why_mark mark_of_variants(const struct pairing *p, const struct why_node *old,
                                      const struct why_node *new)
{
    if (!strcmp(p->ids->diff->rows[old->id].name, p->ids->diff->rows[new->id].name))
        return WHY_MARK_NONE;
    return p->ids->one_libc ? WHY_MARK_VARIANT : WHY_MARK_VARIANT_MAYBE;
}

static void join_pairs(const struct pairing *p, size_t old, size_t new, enum why_mark mark)
{
    uint32_t node = p->pairs->items[old].node[DIFF_OLD];
    const struct why_node *from = node_of(p, DIFF_OLD, node);
    struct why_node *to = node_of(p, DIFF_NEW, p->pairs->items[new].node[DIFF_NEW]);

    if (mark == WHY_MARK_NONE && p->ids->libc[to->id])
        mark = mark_of_variants(p, from, to);
    if (mark) {
        to->mark = (unsigned char)mark;
        to->other = from->id;
    }
    p->pairs->items[new].node[DIFF_OLD] = node;
    p->pairs->items[old] = p->pairs->items[--p->pairs->n];
}

/* Pairs what fits and has no partner. Pairs without a node of NEW stand last. */
static void pair_left(const struct pairing *p, fits *fit, enum why_mark mark)
{
    struct why_pairs *pairs = p->pairs;

    for (size_t i = 0; i < pairs->n && pairs->items[i].node[DIFF_NEW] != CPROF_NONE; i++) {
        const struct why_node *new = node_of(p, DIFF_NEW, pairs->items[i].node[DIFF_NEW]);

        for (size_t k = i + 1; pairs->items[i].node[DIFF_OLD] == CPROF_NONE && k < pairs->n; k++) {
            const struct why_node *old;

            if (pairs->items[k].node[DIFF_NEW] != CPROF_NONE)
                continue;
            old = node_of(p, DIFF_OLD, pairs->items[k].node[DIFF_OLD]);
            if (old->id < p->ids->diff->n_all && new->id < p->ids->diff->n_all &&
                old->inlined == new->inlined &&fit(p, old, new))
                join_pairs(p, k, i, mark);
        }
    }
}

/* True where the own cost of the parent is less by half of that of `child`, which only this side
 * has, or by more. A child that mostly calls others is none. */
static bool is_split_off(const struct pairing *p, enum diff_side side, const struct why_node *child)
{
    enum diff_side other = side == DIFF_OLD ? DIFF_NEW : DIFF_OLD;
    const struct why_node *here = parent_of(p, side), *there = parent_of(p, other);
    __int128 less = (__int128)there->self * here->calls - (__int128)here->self * there->calls;

    return !child->inlined && p->ids->own[child->id] && !why_id_is_in(p->ids, child->id, other) &&
           child->self > 0 && child->inclusive / 2 <= child->self &&
           2 * less >= (__int128)child->self * there->calls;
}

/* Makes a function that was split off a part of its caller again. */
static bool take_back(const struct pairing *p)
{
    for (size_t i = 0; i < p->pairs->n; i++) {
        const uint32_t *node = p->pairs->items[i].node;
        enum diff_side side = node[DIFF_OLD] == CPROF_NONE ? DIFF_NEW : DIFF_OLD;
        struct why_node *parent = parent_of(p, DIFF_NEW);
        uint32_t id;

        if (node[DIFF_OLD] != CPROF_NONE && node[DIFF_NEW] != CPROF_NONE)
            continue;
        if (parent->mark || !parent_of(p, side)->inclusive ||
            !is_split_off(p, side, node_of(p, side, node[side])))
            continue;
        id = node_of(p, side, node[side])->id;
        why_tree_absorb(&p->trees[side], p->nodes[side], node[side]);
        parent->mark = side == DIFF_NEW ? WHY_MARK_SPLIT : WHY_MARK_JOINED;
        parent->other = id;
        return true;
    }
    return false;
}

/*--- Functions between two others ---*/

/* True for a called function of others that the other side lacks. */
static bool is_between(const struct pairing *p, enum diff_side side, const struct why_node *node)
{
    return !node->inlined && node->id < p->ids->diff->n_all && !p->ids->own[node->id] &&
           !why_id_is_in(p->ids, node->id, side == DIFF_OLD ? DIFF_NEW : DIFF_OLD);
}

enum { BETWEEN_MOST = 8 }; /* functions on a path */

/* True where a function is called, or inlined, that has a slot. */
static bool has_slot(const struct pairing *p, const struct why_node *node)
{
    const uint32_t *slots = &p->ids->slots[2 * (size_t)node->id];

    return !node->inlined && (slots[0] != CPROF_NONE || slots[1] != CPROF_NONE);
}

/* The cost of all functions below a node that have a slot and that it leads to by functions that
 * the other side lacks. */
static int64_t cost_of_slots(const struct pairing *p, enum diff_side side, uint32_t node,
                             unsigned depth)
{
    const struct why_tree *t = &p->trees[side];
    int64_t cost = 0;

    for (uint32_t c = t->nodes[node].first_child; c != CPROF_NONE; c = t->nodes[c].next) {
        if (has_slot(p, &t->nodes[c]))
            count_add(&cost, t->nodes[c].inclusive);
        else if (depth < BETWEEN_MOST && is_between(p, side, &t->nodes[c]))
            count_add(&cost, cost_of_slots(p, side, c, depth + 1));
    }
    return cost;
}

/* Puts what only one side has into its slots, or takes it out. */
static void set_slots_of_left(const struct pairing *p, enum diff_side side, bool in)
{
    enum diff_side other = side == DIFF_OLD ? DIFF_NEW : DIFF_OLD;

    for (size_t i = 0; i < p->pairs->n; i++) {
        const uint32_t *node = p->pairs->items[i].node;

        if (node[other] == CPROF_NONE)
            *slot_of(p, node_of(p, side, node[side])) = in ? node[side] : CPROF_NONE;
    }
}

/* The child that only this side has, and that the other side's parent passes over: it calls what it
 * calls, which is nearly all of its cost. CPROF_NONE: there is none. */
static uint32_t find_passed_over(const struct pairing *p, enum diff_side side)
{
    enum diff_side other = side == DIFF_OLD ? DIFF_NEW : DIFF_OLD;
    uint32_t found = CPROF_NONE;

    set_slots_of_left(p, other, true);
    for (size_t i = 0; i < p->pairs->n && found == CPROF_NONE; i++) {
        const uint32_t *pair = p->pairs->items[i].node;
        const struct why_node *node;
        int64_t passed;

        if (pair[other] != CPROF_NONE || !is_between(p, side, node_of(p, side, pair[side])))
            continue;
        node = node_of(p, side, pair[side]);
        passed = cost_of_slots(p, side, pair[side], 1);
        if (passed > 0 && passed >= node->inclusive / 10 * 9)
            found = pair[side];
    }
    set_slots_of_left(p, other, false);
    return found;
}

/* Makes such a child a part of its parent: its code is in the other side's parent, though nothing
 * tells that, as with LTO. */
static bool pass_over(const struct pairing *p)
{
    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++) {
        uint32_t child = find_passed_over(p, side);

        if (child != CPROF_NONE) {
            why_tree_absorb(&p->trees[side], p->nodes[side], child);
            return true;
        }
    }
    return false;
}

void why_pairs_find(struct why_pairs *pairs, const struct why_ids *ids,
                    struct why_tree trees[DIFF_SIDES], const uint32_t nodes[DIFF_SIDES],
                    bool may_differ)
{
    const struct pairing p = {pairs, ids, trees, nodes};

    do {
        flip(&p, DIFF_NEW);
        flip(&p, DIFF_OLD);
        pair_equal(&p);
        pair_left(&p, is_of_family, WHY_MARK_NONE);
        pair_left(&p, is_renamed, WHY_MARK_RENAMED);
    } while (take_back(&p) || (may_differ && pass_over(&p)));
}
