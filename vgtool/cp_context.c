/*
 * cp_context.c - data structure #1: pools of children, some of which are nodes, and edges. #2: a
 * hash table of children by (parent, site, function). #3: a hash table of edges by (site, caller,
 * callee).
 */
#include "cp_context.h"

#include "cp_block.h"
#include "cp_core.h"
#include "cp_hash.h"
#include "cp_pieces.h"

Now cp_now;
/* No counter grows by more than one with a superblock of VEX. */
ULong cp_context_interval = 1u << 30;
ULong cp_totals[CP_COLUMNS];
ULong cp_active;
Bool cp_keeps_totals;
Bool cp_context_overflowed;
Bool cp_collecting = True;
Bool cp_inclusive_by_tree = True;
UInt *cp_unread;
UInt *cp_only_counts;
/* More basic blocks than memory has room for. */
enum { MOST_ONLY = 1 << 24 };
static UInt only_counts[MOST_ONLY];
/* With --cprof-check, counters are emptied after so many superblocks, and from this count on. */
#define CHECK_INTERVAL 1000
static UInt unread_room, unread_calls; /* those of the functions with the most slots */

/* The content of a new call slot. */
static Child no_child = {.watched = CHILD_WATCHED, .id = CHILD_FOLDED};

static Pool nodes = {.size = sizeof(Node *), .tag = "cp.context.1"};
static ULong *node_calls; /* by node: cp_context_sum_calls() */
static Pool edges = {.size = sizeof(Edge), .tag = "cp.context.2"};

void (*cp_context_forget_counts)(void);
void (*cp_context_on_overflow)(void);
static Pool children = {.size = sizeof(Child), .tag = "cp.context.3"};
static HashTable child_table, edge_table;
static Bool any_section; /* among nodes */

/*--- Slots ---*/

/* Call it when the counters of the current node may have moved. */
static void refresh(void)
{
    if (cp_now.node)
        cp_now.counts = cp_now.node->entered_counts =
            cp_collecting ? cp_now.node->counts : cp_unread;
}

/* Moves n elements into a new array of `room` elements, and frees the old one. */
static void *grown(void *old, UInt n, UInt room, SizeT size)
{
    void *array = VG_(calloc)("cp.context.4", room, size);

    if (n)
        VG_(memcpy)(array, old, n * size);
    VG_(free)(old);
    return array;
}

/* The core's memcpy() takes 4 bytes at a time. */
static void copy(void *to, const void *from, SizeT size)
{
    typedef struct {
        ULong words[4];
    } Words;
    SizeT i;

    for (i = 0; i + sizeof(Words) <= size; i += sizeof(Words))
        __builtin_memcpy((UChar *)to + i, (const UChar *)from + i, sizeof(Words));
    for (; i < size; i += sizeof(UInt))
        __builtin_memcpy((UChar *)to + i, (const UChar *)from + i, sizeof(UInt));
}

static SizeT counts_size(UInt room, UInt calls)
{
    return calls * sizeof(Child *) + room * sizeof(UInt);
}

/* Counters, with call slots below them, which are empty, but for those that have been before. */
static UInt *new_counts(UInt room, UInt calls, const UInt *before, UInt old_room, UInt old_calls)
{
    Child **slots = cp_piece(counts_size(room, calls));
    UInt *counts = (UInt *)(slots + calls);

    for (UInt i = 0; i < calls - old_calls; i++)
        slots[i] = &no_child;
    copy(slots + calls - old_calls, (Child **)before - old_calls, counts_size(old_room, old_calls));
    return counts;
}

static void free_counts(UInt *counts, UInt room, UInt calls)
{
    if (counts)
        cp_piece_free((Child **)counts - calls, counts_size(room, calls));
}

static void move_counts(Node *n, UInt room, UInt calls)
{
    const Function *f = n->function;
    UInt *counts = n->counts ? new_counts(room, calls, n->counts, f->room, f->call_room)
                             : new_counts(room, calls, NULL, 0, 0);

    free_counts(n->counts, f->room, f->call_room);
    n->counts = n->entered_counts = counts;
}

/* Makes room for more slots, of both kinds. */
static void grow_counts(Function *f, UInt room, UInt calls)
{
    for (Node *n = cp_function_nodes(f); n; n = cp_node_of_same(n)) {
        if (n->counts != only_counts)
            move_counts(n, room, calls);
        if (n->sums)
            n->sums = grown(n->sums, f->room, room, sizeof *n->sums);
    }
    f->blocks = grown(f->blocks, f->room, room, sizeof(BasicBlock *));
    f->room = room;
    f->call_room = calls;
    if (room > unread_room || calls > unread_calls) {
        free_counts(cp_unread, unread_room, unread_calls);
        unread_room = room > unread_room ? room : unread_room;
        unread_calls = calls > unread_calls ? calls : unread_calls;
        cp_unread = new_counts(unread_room, unread_calls, NULL, 0, 0);
    }
    refresh();
}

UInt cp_context_slot(Function *f)
{
    tl_assert2(f->n_slots < MOST_ONLY, "more than %d basic blocks", (Int)MOST_ONLY);
    if (f->n_slots == f->room)
        grow_counts(f, f->n_slots + f->n_slots / 2 + 4, f->call_room);
    return f->n_slots++;
}

UInt cp_context_call_slot(Function *f)
{
    if (f->n_calls == f->call_room)
        grow_counts(f, f->room ? f->room : 4, f->n_calls + f->n_calls / 2 + 1);
    return f->n_calls++;
}

void cp_context_clear_call(Function *f, UInt slot)
{
    for (Node *n = cp_function_nodes(f); n; n = cp_node_of_same(n))
        ((Child **)n->counts)[-1 - (Word)slot] = &no_child;
}

/* The sums of a node; made if there are none. */
static ULong *sums_of(Node *n)
{
    if (!n->sums)
        n->sums = VG_(calloc)("cp.context.9", n->function->room, sizeof *n->sums);
    return n->sums;
}

static void drain(Node *n, UInt limit)
{
    for (UInt i = 0; i < n->function->n_slots; i++) {
        if (n->counts[i] < limit)
            continue;
        sums_of(n)[i] += n->counts[i];
        n->counts[i] = 0;
    }
}

void cp_context_drain(ULong superblocks)
{
    static ULong drained;
    ULong interval = clo_check ? CHECK_INTERVAL : cp_context_interval;

    if (LIKELY(superblocks - drained < interval))
        return;
    drained = superblocks;
    for (UInt i = 0; i < nodes.n; i++)
        drain(cp_node(i), clo_check ? CHECK_INTERVAL : 1u << 30);
}

void cp_context_add(Node *node, UInt slot, ULong n)
{
    sums_of(node)[slot] += n;
}

void cp_context_add_slot(Function *f, UInt to, UInt from, ULong times)
{
    for (Node *n = cp_function_nodes(f); n; n = cp_node_of_same(n)) {
        ULong counted = cp_node_counted(n, from);
        if (counted)
            sums_of(n)[to] += counted * times;
    }
}

void cp_context_clear_slot(Function *f, UInt slot)
{
    for (Node *n = cp_function_nodes(f); n; n = cp_node_of_same(n)) {
        n->counts[slot] = 0;
        if (n->sums)
            n->sums[slot] = 0;
    }
}

/*--- Edges ---*/

static UInt hash_edge(const void *element)
{
    const Edge *e = element;

    return cp_hash((Addr)e->caller, (Addr)e->callee, e->site);
}

static Bool same_edge(const void *a, const void *b)
{
    const Edge *x = a, *y = b;

    return x->site == y->site && x->caller == y->caller && x->callee == y->callee;
}

static Edge *get_edge(Addr site, Function *caller, Function *callee)
{
    const Edge key = {.site = site, .caller = caller, .callee = callee};
    void **entry = cp_hash_find(&edge_table, &key, hash_edge, same_edge);
    Edge *e = *entry;

    if (!e) {
        *entry = e = cp_pool_add(&edges);
        e->site = site;
        e->caller = caller;
        e->callee = callee;
    }
    return e;
}

/*--- Nodes ---*/

static Child *new_child(const Child *key)
{
    Child *c = cp_pool_add(&children);
    Function *f = key->function;

    *c = *key;
    c->entry = NO_ENTRY;
    c->activation = f->kind == FUNCTION_STUB ? NULL : c;
    c->next = f->children;
    f->children = c;
    return c;
}

/* The child leads to a node of its own. */
static void make_node(Child *c)
{
    Function *f = c->function;

    c->node = c;
    c->id = nodes.n;
    *(Node **)cp_pool_add(&nodes) = c;
    any_section |= f->kind == FUNCTION_SECTION;
    if (f->room)
        c->counts = c->entered_counts = new_counts(f->room, f->call_room, NULL, 0, 0);
    else
        grow_counts(f, 4, 0);
}

/*
 * The node of the same function among n and its parents, or NULL. Roots of any kind are not folded.
 * The contexts of a section are its own: code is not folded beyond the innermost section, but a
 * section is, wherever it is on the path. So paths stay short.
 */
static Node *find_ancestor(Node *n, const Function *f)
{
    Bool may_end = any_section && f->kind != FUNCTION_SECTION;

    if (f->kind > FUNCTION_SECTION || !f->children)
        return NULL;
    while (n && n->function != f) {
        if (may_end && n->function->kind == FUNCTION_SECTION)
            return NULL;
        n = n->parent;
    }
    return n;
}

static UInt hash_child(const void *element)
{
    const Child *c = element;

    return cp_hash((Addr)c->parent, (Addr)c->function, c->site);
}

static Bool same_child(const void *a, const void *b)
{
    const Child *x = a, *y = b;

    return x->parent == y->parent && x->site == y->site && x->function == y->function;
}

static Node *overflow_root(void)
{
    static Node *root;

    if (!root) {
        root = new_child(&(Child){.function = cp_function_pseudo(FUNCTION_OVERFLOW)});
        make_node(root);
    }
    if (!cp_context_overflowed) {
        cp_context_overflowed = True;
        cp_context_on_overflow();
    }
    return root;
}

/* From now on calls of the function, by one edge or by any (NULL), are watched. */
static void watch(const Function *f, const Edge *edge)
{
    for (Child *c = f->children; c; c = c->next)
        if (!edge || c->edge == edge)
            c->watched = CHILD_WATCHED;
}

void cp_context_watch(const Function *f)
{
    watch(f, NULL);
}

void cp_context_watch_all(void)
{
    for (UInt i = 0; i < children.n; i++)
        ((Child *)cp_pool_at(&children, i))->watched = CHILD_WATCHED;
}

/* While it runs, a call that leads back to an ancestor hides what lies between, and its edge is on
 * no path. */
static void fold(Child *c)
{
    c->id = CHILD_FOLDED;
    c->edge->was_hidden = True;
    watch(c->function, c->edge);
    for (const Node *n = c->parent; n != c->node; n = n->parent)
        if (!n->function->was_hidden) {
            n->function->was_hidden = True;
            watch(n->function, NULL);
        }
}

Child *cp_context_child(Node *parent, Addr site, Function *f)
{
    const Child key = {.parent = parent, .site = site, .function = f};
    void **entry = cp_hash_find(&child_table, &key, hash_child, same_child);
    Child *c = *entry;
    Node *node = NULL, *ancestor;

    if (c)
        return c;
    ancestor = parent ? find_ancestor(parent, f) : NULL;
    *entry = c = new_child(&key);
    if (!ancestor && nodes.n >= clo_max_contexts && parent != overflow_root())
        node = cp_context_child(overflow_root(), 0, f)->node;
    if (parent)
        c->edge = get_edge(site, parent->function, f);
    if (ancestor) {
        c->node = ancestor;
        fold(c);
    } else if (node) {
        c->node = node;
    } else {
        make_node(c);
        if (f->was_hidden || (c->edge && c->edge->was_hidden))
            c->watched = CHILD_WATCHED;
    }
    if (!cp_inclusive_by_tree || f->argument_options)
        c->watched = CHILD_WATCHED;
    return c;
}

/* Mostly it is that of the last jump. */
Child *cp_context_jump(Node *from, Node *parent, Addr site, Function *f)
{
    Child *last = from->jumped_to, *c;

    if (LIKELY(last && last->watched != CHILD_IS_FAN && last->function == f))
        return last;
    c = cp_context_child(parent, site, f);
    if (!last || !cp_child_stays(last, from))
        from->jumped_to = c;
    return c;
}

Node *cp_context_root(UInt thread)
{
    return cp_context_child(NULL, thread, cp_function_pseudo(FUNCTION_THREAD))->node;
}

/*--- Activity ---*/

UInt cp_n_totals = 1;

static void forget_inclusive(Activity *a)
{
    for (UInt i = 0; i < CP_COLUMNS; i++)
        a->columns[i].inclusive = 0;
}

/*--- The rest ---*/

static void enter_only_node(void)
{
    Node *n = cp_context_child(NULL, 0, cp_function_pseudo(FUNCTION_ALL));

    cp_piece_free(n->counts, counts_size(n->function->room, 0));
    cp_only_counts = n->counts = n->entered_counts = only_counts;
    cp_enter(n);
}

void cp_context_init(void)
{
    cp_n_totals = clo_branch_sim ? CP_COLUMNS : clo_cache_sim ? CP_COLUMN_BC : 1;
    cp_keeps_totals = clo_contexts;
    if (!clo_contexts)
        enter_only_node();
}

void cp_context_collect(Bool on)
{
    if (cp_only_counts && !on) {
        cp_only_counts = NULL;
        if (cp_now.function->n_slots)
            VG_(discard_translations)(0, ~0ULL >> 1, "cprof");
    }
    cp_collecting = on;
    refresh();
}

ULong cp_context_ir(void)
{
    const Function *all = cp_function_pseudo(FUNCTION_ALL);
    ULong sum = 0;

    if (clo_contexts)
        return cp_totals[CP_COLUMN_IR];
    for (UInt slot = 0; slot < all->n_slots; slot++) {
        const BasicBlock *b = all->blocks[slot];
        ULong ir = 0;
        for (UInt i = 0; b && i < b->n_instrs; i++)
            ir += b->instrs[i].ir;
        sum += ir * cp_node_counted(all->children, slot);
    }
    return sum;
}

void cp_context_reset(void)
{
    for (UInt i = 0; i < nodes.n; i++) {
        Node *n = cp_node(i);
        VG_(memset)(n->counts, 0, n->function->n_slots * sizeof *n->counts);
        VG_(free)(n->sums);
        n->sums = NULL;
    }
    cp_context_forget_counts();
    for (UInt i = 0; i < edges.n; i++) {
        Edge *e = cp_pool_at(&edges, i);
        forget_inclusive(&e->activity);
    }
    for (UInt i = 0; i < children.n; i++)
        ((Child *)cp_pool_at(&children, i))->calls = 0;
    for (UInt i = 0; i < cp_function_count(); i++) {
        Function *f = cp_function(i);
        forget_inclusive(&f->activity);
        f->walked = 0;
    }
}

void cp_context_sum_calls(void)
{
    VG_(free)(node_calls);
    node_calls = VG_(calloc)("cp.context.5", nodes.n, sizeof *node_calls);
    for (UInt i = 0; i < edges.n; i++)
        ((Edge *)cp_pool_at(&edges, i))->calls = 0;
    for (UInt i = 0; i < children.n; i++) {
        const Child *c = cp_pool_at(&children, i);
        /* Calls of a stub are calls of what it goes on to. */
        if (!c->activation || (c->parent && cp_function_goes_on(c->parent->function, c->function)))
            continue;
        node_calls[c->node->id] += c->calls;
        if (c->edge)
            c->edge->calls += c->calls;
    }
}

UInt cp_node_count(void)
{
    return nodes.n;
}

Node *cp_node(UInt index)
{
    return *(Node **)cp_pool_at(&nodes, index);
}

ULong cp_node_calls(const Node *node)
{
    return node_calls[node->id];
}

UInt cp_edge_count(void)
{
    return edges.n;
}

Edge *cp_edge(UInt index)
{
    return cp_pool_at(&edges, index);
}
