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
Bool cp_counts_in_node = True;
UInt *cp_only_counts;
/* More basic blocks than memory has room for. */
enum { MOST_ONLY = 1 << 24 };
static UInt only_counts[MOST_ONLY];
/* With --cprof-check, counters are emptied after so many superblocks, and from this count on. */
#define CHECK_INTERVAL 1000

/* More first counters than any function has, and as many further ones as the one with the most. */
enum { MOST_FIRST = 128 };
static union {
    Node node;
    UChar bytes[sizeof(Node) + MOST_FIRST * sizeof(UInt)];
} unread;
Node *const cp_unread = &unread.node;
static UInt unread_room;

/* The content of a new call slot. */
static Child no_child = {.watched = CHILD_WATCHED, .id = CHILD_FOLDED};

static Pool nodes = {.size = sizeof(Node *), .tag = "cp.context.1"};
static ULong *node_calls; /* by node: cp_context_sum_calls() */
static Pool edges = {.size = sizeof(Edge), .tag = "cp.context.2"};

void (*cp_context_forget_counts)(void);
void (*cp_context_on_overflow)(void);
static Pool children = {.size = sizeof(Child *), .tag = "cp.context.3"};
static HashTable child_table, edge_table;
static Bool any_section; /* among nodes */
static Bool any_slot;    /* code has been translated */

/*--- Slots ---*/

enum { LINE = 64 }; /* bytes of a line of the host's caches */

/* Bytes behind the record of a node. */
static SizeT first_size(const Function *f)
{
    return f->first * sizeof(UInt) + f->first_calls * sizeof(Child *);
}

/*
 * Decides what lies behind the nodes of the function, before there is one, and before its code uses
 * slots. A slot takes 17 bytes of code in the median. What is left of a line is for counters.
 */
static void shape(Function *f)
{
    enum { CALL_BYTES = 128, SLOT_BYTES = 20 };
    SizeT size;

    if (f->is_shaped)
        return;
    f->is_shaped = True;
    if (!clo_contexts || f->kind > FUNCTION_STUB)
        return;
    f->first = 1;
    if (f->kind == FUNCTION_CODE) {
        f->first_calls = (UInt)(f->size < 16 * CALL_BYTES ? f->size / CALL_BYTES : 15) + 1;
        f->first = (UInt)(f->size < 64 * SLOT_BYTES ? f->size / SLOT_BYTES : 63) + 1;
    }
    size = (first_size(f) + LINE - 1) / LINE * LINE;
    f->first += (UInt)((size - first_size(f)) / sizeof(UInt));
    f->blocks = VG_(calloc)("cp.context.7", f->first, sizeof *f->blocks);
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

static SizeT further_size(UInt room, UInt calls)
{
    return calls * sizeof(Child *) + room * sizeof(UInt);
}

/* Counters, with call slots below them, which are empty, but for those that have been before. */
static UInt *new_further(UInt room, UInt calls, const UInt *before, UInt old_room, UInt old_calls)
{
    Child **slots = cp_piece(further_size(room, calls));
    UInt *further = (UInt *)(slots + calls);

    for (UInt i = 0; i < calls - old_calls; i++)
        slots[i] = &no_child;
    copy(slots + calls - old_calls, (Child **)before - old_calls,
         further_size(old_room, old_calls));
    return further;
}

static void free_further(UInt *further, UInt room, UInt calls)
{
    if (further)
        cp_piece_free((Child **)further - calls, further_size(room, calls));
}

static void move_further(Node *n, UInt room, UInt calls)
{
    const Function *f = n->function;
    UInt *further = n->further ? new_further(room, calls, n->further, f->room, f->call_room)
                               : new_further(room, calls, NULL, 0, 0);

    free_further(n->further, f->room, f->call_room);
    n->further = further;
}

/* Makes room for more slots, of both kinds. */
static void grow(Function *f, UInt room, UInt calls)
{
    for (Node *n = cp_function_nodes(f); n; n = cp_node_of_same(n)) {
        if (n->further != only_counts)
            move_further(n, room, calls);
        if (n->sums)
            n->sums = grown(n->sums, f->first + f->room, f->first + room, sizeof *n->sums);
    }
    f->blocks = grown(f->blocks, f->first + f->room, f->first + room, sizeof(BasicBlock *));
    f->room = room;
    f->call_room = calls;
    if (room > unread_room) {
        free_further(cp_unread->further, unread_room, 0);
        unread_room = room;
        cp_unread->further = new_further(room, 0, NULL, 0, 0);
    }
}

UInt cp_context_slot(Function *f)
{
    UInt further;

    shape(f);
    any_slot = True;
    further = f->n_slots - f->first;
    tl_assert2(f->n_slots < MOST_ONLY, "more than %d basic blocks", (Int)MOST_ONLY);
    if (f->n_slots >= f->first && further == f->room)
        grow(f, further + f->n_slots / 2 + 4, f->call_room);
    return f->n_slots++;
}

UInt cp_context_call_slot(Function *f)
{
    UInt further;

    shape(f);
    further = f->n_calls - f->first_calls;
    if (f->n_calls >= f->first_calls && further == f->call_room)
        grow(f, f->room, further + f->n_calls / 2 + 1);
    return f->n_calls++;
}

void cp_context_clear_call(Function *f, UInt slot)
{
    for (Node *n = cp_function_nodes(f); n; n = cp_node_of_same(n))
        *cp_node_call(n, slot) = &no_child;
}

/* The sums of a node; made if there are none. */
static ULong *sums_of(Node *n)
{
    if (!n->sums)
        n->sums =
            VG_(calloc)("cp.context.9", n->function->first + n->function->room, sizeof *n->sums);
    return n->sums;
}

static void drain(Node *n, UInt limit)
{
    for (UInt i = 0; i < n->function->n_slots; i++) {
        UInt *counter = cp_node_counter(n, i);
        if (*counter < limit)
            continue;
        sums_of(n)[i] += *counter;
        *counter = 0;
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
        for (Node *n = cp_node(i); n; n = cp_node_beside(n))
            drain(n, clo_check ? CHECK_INTERVAL : 1u << 30);
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
        *cp_node_counter(n, slot) = 0;
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

/* A record, and what lies behind that of a node. */
static Child *new_record(const Function *f, Bool is_node)
{
    enum { CHUNK = 1 << 17 };
    static UChar *chunk;
    static SizeT left;
    SizeT size = sizeof(Node) + (is_node ? first_size(f) : 0);

    if (left < size) {
        chunk = (UChar *)cp_fresh("cp.context.6", CHUNK) + LINE - NODE_LINE % LINE;
        left = CHUNK - LINE;
    }
    left -= size;
    chunk += size;
    return (Child *)(chunk - size);
}

static Child *new_child(Node *parent, Addr site, Function *f, Bool is_node)
{
    Child *c;

    shape(f);
    c = new_record(f, is_node);
    *(Child **)cp_pool_add(&children) = c;
    c->parent = parent;
    c->site = site;
    c->function = f;
    c->entry = NO_ENTRY;
    c->activation = f->kind == FUNCTION_STUB ? NULL : c;
    c->next = f->children;
    f->children = c;
    return c;
}

/* The child leads to a node of its own. `beside`: another stub's node that is one context with it;
 * NULL: there is none. */
static void make_node(Child *c, Node *beside)
{
    Function *f = c->function;

    c->node = c;
    if (beside) {
        c->id = beside->id;
        c->stubbed = beside->stubbed;
        beside->stubbed = c;
    } else {
        c->id = nodes.n;
        *(Node **)cp_pool_add(&nodes) = c;
    }
    any_section |= f->kind == FUNCTION_SECTION;
    c->counted = c;
    for (UInt i = 0; i < f->first_calls; i++)
        *cp_node_call(c, i) = &no_child;
    if (f->room || f->call_room)
        c->further = new_further(f->room, f->call_room, NULL, 0, 0);
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

    return cp_hash((Addr)c->parent, (Addr)c->function->shown, c->site);
}

static Bool same_child(const void *a, const void *b)
{
    const Child *x = a, *y = b;

    return x->parent == y->parent && x->site == y->site && x->function == y->function;
}

/* A node of another stub is one context with that of the key. */
static Bool same_shown(const void *a, const void *b)
{
    const Child *x = a, *y = b;

    return x->parent == y->parent && x->site == y->site &&
           x->function->shown == y->function->shown && x->node == x;
}

static Node *overflow_root(void)
{
    static Node *root;

    if (!root) {
        root = new_child(NULL, 0, cp_function_pseudo(FUNCTION_OVERFLOW), True);
        make_node(root, NULL);
    }
    if (!cp_context_overflowed) {
        cp_context_overflowed = True;
        cp_context_on_overflow();
    }
    return root;
}

static Child *child(UInt index)
{
    return *(Child **)cp_pool_at(&children, index);
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
        child(i)->watched = CHILD_WATCHED;
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
    Node *node = NULL, *ancestor, *beside = NULL;
    Bool is_full;

    if (c)
        return c;
    ancestor = parent ? find_ancestor(parent, f) : NULL;
    if (f->kind == FUNCTION_STUB)
        beside = cp_hash_get(&child_table, &key, hash_child, same_shown);
    is_full = !ancestor && !beside && nodes.n >= clo_max_contexts && parent != overflow_root();
    *entry = c = new_child(parent, site, f, !ancestor && !is_full);
    if (is_full)
        node = cp_context_child(overflow_root(), 0, f)->node;
    if (parent)
        c->edge = get_edge(site, parent->function, f);
    if (ancestor) {
        c->node = ancestor;
        fold(c);
    } else if (node) {
        c->node = node;
    } else {
        make_node(c, beside);
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

    cp_only_counts = n->further = only_counts;
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
    if (cp_counts_in_node && !on) {
        cp_counts_in_node = False;
        cp_only_counts = NULL;
        if (any_slot)
            VG_(discard_translations)(0, ~0ULL >> 1, "cprof");
    }
    cp_collecting = on;
    if (cp_now.node)
        cp_now.counted = cp_now.node->counted = on ? cp_now.node : cp_unread;
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

static void clear(Node *n)
{
    for (UInt slot = 0; slot < n->function->n_slots; slot++)
        *cp_node_counter(n, slot) = 0;
    VG_(free)(n->sums);
    n->sums = NULL;
}

void cp_context_reset(void)
{
    for (UInt i = 0; i < nodes.n; i++)
        for (Node *n = cp_node(i); n; n = cp_node_beside(n))
            clear(n);
    cp_context_forget_counts();
    for (UInt i = 0; i < edges.n; i++) {
        Edge *e = cp_pool_at(&edges, i);
        forget_inclusive(&e->activity);
    }
    for (UInt i = 0; i < children.n; i++)
        child(i)->calls = 0;
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
        const Child *c = child(i);
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
