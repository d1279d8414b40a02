/* cp_heap_write.c - data structure: the sums of cp_heap.h, from its beginning to its end. */
#include "cp_heap_write.h"

#include "cp_file.h"
#include "cp_format.h"
#include "cp_heap.h"
#include "cp_place.h"

/* A reader has to know how far the counts can be believed. */
static void put_oddities(void)
{
    ULong unmatched, failed, lost;

    cp_heap_oddities(&unmatched, &failed, &lost);
    cp_put_key(CP_KEY_HEAP);
    cp_put_decimal(cp_function_n_roles);
    cp_put_char(' ');
    cp_put_decimal(unmatched);
    cp_put_char(' ');
    cp_put_decimal(failed);
    cp_put_char(' ');
    cp_put_decimal(lost);
    cp_put_char('\n');
}

static void put_peak(void)
{
    cp_put_key(CP_KEY_HEAP_PEAK);
    cp_put_decimal(cp_heap_peak());
    cp_put_char(' ');
    cp_put_decimal(cp_heap_peak_bytes());
    cp_put_char('\n');
}

static void put_options(void)
{
    for (UInt i = 0; i < cp_role_option_count(); i++) {
        UInt n;
        const HChar *text = cp_role_option_at(i, &n);

        cp_put_key(CP_KEY_ALLOC_FUNCTION);
        cp_put_decimal(n);
        cp_put_char(' ');
        cp_put_text(text);
    }
}

void cp_heap_write_begin(Bool is_end)
{
    if (!clo_heap)
        return;
    cp_put(CP_KEY_HEAP_EVENTS ":");
    for (UInt i = 0; i < HEAP_COLUMNS; i++) {
        cp_put_char(' ');
        cp_put(cp_heap_names[i]);
    }
    cp_put_char('\n');
    put_oddities();
    if (is_end)
        put_peak();
    put_options();
    cp_heap_begin_sums(is_end);
}

void cp_heap_write_node(const Node *node)
{
    const HeapCounts *counts = clo_heap ? cp_heap_node(node) : NULL;

    if (!counts || node->function->kind > FUNCTION_STUB)
        return;
    cp_begin_record(CP_REC_HEAP);
    cp_put_place(node->function->range, node->function->start);
    cp_put_counts(counts->values, HEAP_COLUMNS);
}

static void put_functions(void)
{
    for (UInt i = 0; i < cp_function_count(); i++) {
        const Function *f = cp_function(i);
        const HeapCounts *counts = cp_heap_inclusive(&f->activity);
        if (!counts || f->kind != FUNCTION_CODE)
            continue;
        cp_begin_record(CP_REC_HEAP_INCLUSIVE);
        cp_put_place(f->range, f->start);
        cp_put_counts(counts->values, HEAP_COLUMNS);
    }
}

static void put_edges(void)
{
    for (UInt i = 0; i < cp_edge_count(); i++) {
        const Edge *e = cp_edge(i);
        const HeapCounts *counts = cp_heap_inclusive(&e->activity);
        if (!counts || e->caller->kind > FUNCTION_STUB || e->callee->kind != FUNCTION_CODE)
            continue;
        cp_begin_record(CP_REC_HEAP_EDGE);
        cp_put_place(e->caller->range, e->caller->start);
        cp_put_char(' ');
        cp_put_place(e->callee->range, e->callee->start);
        cp_put_char(' ');
        cp_put_site(e->caller, e->site);
        cp_put_counts(counts->values, HEAP_COLUMNS);
    }
}

/* Sections are functions, too. */
static void put_sections(void)
{
    for (UInt i = 0; i < cp_function_count(); i++) {
        const Function *f = cp_function(i);
        const HeapCounts *counts = cp_heap_inclusive(&f->activity);
        if (!counts || f->kind != FUNCTION_SECTION)
            continue;
        cp_begin_record(CP_REC_HEAP_SECTION);
        cp_put_decimal(f->start);
        cp_put_counts(counts->values, HEAP_COLUMNS);
    }
}

void cp_heap_write_end(void)
{
    if (!clo_heap)
        return;
    put_functions();
    put_edges();
    put_sections();
    cp_heap_end_sums();
}
