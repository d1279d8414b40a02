/*
 * cp_inclusive.c - the sums over the tree.
 */
#include "cp_inclusive.h"

#include "cp_block.h"
#include "cp_misses.h"

/* The costs of one count in each slot of the function, by column, in a new array. */
static ULong *slot_costs(const Function *f)
{
    ULong *costs = VG_(calloc)("cp.inclusive.2", f->n_slots + 1, cp_n_totals * sizeof *costs);
    ULong columns[CP_COLUMNS];

    for (UInt slot = 0; slot < f->n_slots; slot++)
        if (f->blocks[slot]) {
            cp_block_costs(f->blocks[slot]->instrs, f->blocks[slot]->n_instrs, columns);
            VG_(memcpy)(costs + slot * cp_n_totals, columns, cp_n_totals * sizeof *costs);
        }
    for (const AccessPoint *p = f->guarded; p; p = p->next)
        costs[p->slot * cp_n_totals + (p->kind == POINT_READ ? CP_COLUMN_DR : CP_COLUMN_DW)] = 1;
    return costs;
}

/* The own costs of nodes, by column; NULL: cp_inclusive_begin_sum() has not been called. */
static ULong *sums;

void cp_inclusive_begin_sum(void)
{
    if (!cp_inclusive_by_tree || !clo_contexts || !cp_node_count())
        return;
    sums = VG_(calloc)("cp.inclusive.1", (SizeT)cp_node_count() * cp_n_totals, sizeof *sums);
    for (UInt i = 0; i < cp_function_count(); i++)
        cp_function(i)->slot_costs = slot_costs(cp_function(i));
}

void cp_inclusive_add_node(const Node *n)
{
    ULong *sum = sums + (SizeT)n->id * cp_n_totals;
    UInt end = sums ? n->function->n_slots : 0;

    for (UInt slot = cp_node_next(n, 0); slot < end; slot = cp_node_next(n, slot + 1)) {
        const ULong *costs = n->function->slot_costs + (SizeT)slot * cp_n_totals;
        ULong count = cp_node_counted(n, slot);
        for (UInt i = 0; i < cp_n_totals; i++)
            sum[i] += count * costs[i];
    }
}

static void add_misses(void)
{
    for (UInt i = 0; i < cp_misses_count(); i++) {
        const MissCounter *counter = cp_misses_at(i);
        ULong columns[CP_COLUMNS] = {0};
        cp_misses_columns(counter, columns);
        for (UInt k = 0; k < cp_n_totals; k++)
            sums[counter->node * cp_n_totals + k] += columns[k];
    }
}

static void add(Activity *a, const ULong *sum)
{
    for (UInt i = 0; i < cp_n_totals; i++)
        a->columns[i].tree += sum[i];
}

static void clear(Activity *a)
{
    for (UInt i = 0; i < CP_COLUMNS; i++)
        a->columns[i].tree = 0;
}

/* A function, or an edge, is on a path at most once, so that its nodes lie beside each other. */
void cp_inclusive_end_sum(void)
{
    if (!cp_inclusive_by_tree)
        return;
    for (UInt i = 0; i < cp_function_count(); i++)
        clear(&cp_function(i)->activity);
    for (UInt i = 0; i < cp_edge_count(); i++)
        clear(&cp_edge(i)->activity);
    if (!sums)
        return;
    for (UInt i = 0; i < cp_function_count(); i++)
        VG_(free)(cp_function(i)->slot_costs);
    add_misses();
    for (UInt i = cp_node_count(); i-- > 0;) {
        const Node *n = cp_node(i);
        const ULong *sum = sums + (SizeT)i * cp_n_totals;
        add(&n->function->activity, sum);
        if (n->edge)
            add(&n->edge->activity, sum);
        for (UInt k = 0; n->parent && k < cp_n_totals; k++)
            sums[n->parent->id * cp_n_totals + k] += sum[k];
    }
    VG_(free)(sums);
    sums = NULL;
}

static void sum_tree(void)
{
    cp_inclusive_begin_sum();
    for (UInt i = 0; sums && i < cp_node_count(); i++)
        for (const Node *n = cp_node(i); n; n = cp_node_beside(n))
            cp_inclusive_add_node(n);
    cp_inclusive_end_sum();
}

static void keep(Activity *a)
{
    for (UInt i = 0; i < CP_COLUMNS; i++)
        a->columns[i].inclusive += a->columns[i].tree;
}

void cp_inclusive_leave_tree(void)
{
    if (!cp_inclusive_by_tree)
        return;
    sum_tree();
    cp_inclusive_by_tree = False;
    cp_context_watch_all();
    for (UInt i = 0; i < cp_function_count(); i++)
        keep(&cp_function(i)->activity);
    for (UInt i = 0; i < cp_edge_count(); i++)
        keep(&cp_edge(i)->activity);
}

void cp_inclusive_compare(void)
{
    sum_tree();
    for (UInt i = 0; i < cp_function_count(); i++) {
        const Function *f = cp_function(i);
        ULong inclusive = cp_inclusive(&f->activity, CP_COLUMN_IR);
        if ((f->kind == FUNCTION_CODE || f->kind == FUNCTION_SECTION) && f->walked != inclusive)
            VG_(umsg)
        ("check: function at 0x%lx: inclusive Ir %llu, by walking the stack %llu\n", f->start,
         inclusive, f->walked);
    }
}
