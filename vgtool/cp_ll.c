/*
 * cp_ll.c - the last level. Its sets have ranks (cp_set.h), which keep them small.
 */
#include "cp_ll.h"

#include "cp_core.h"
#include "cp_distance.h"
#include "cp_misses.h"
#include "cp_model.h"

#define MAX_WAITING 32
#define STAGE       8

static Cache LL;

/* Each set's most recently used line, as the set keeps its tag; 0: not known. A reference to it
 * changes nothing, and reads one word here in place of a set, which has several of the host's
 * lines. */
static UInt *newest;

void (*cp_ll_missed)(Addr address, AccessPoint *point, Bool last);

/* The column of first-level misses; the next column has last-level misses. */
static const UChar miss_column[] = {
    [POINT_FETCH] = CP_COLUMN_I1MR, [POINT_READ] = CP_COLUMN_D1MR, [POINT_WRITE] = CP_COLUMN_D1MW};

static Bool refer_line(UWord line)
{
    UInt *of_set = &newest[line & LL.set_mask], kept = cp_ll_set_kept(cp_model_tag(&LL, line));

    if (*of_set == kept)
        return False;
    *of_set = kept;
    return LL.refer(&LL, line);
}

static void refer_last(Addr a, AccessPoint *point)
{
    UWord first = a >> LL.line_bits, last = (a + point->size - 1) >> LL.line_bits;
    Bool missed = refer_line(first);

    if (first != last)
        missed |= refer_line(last);
    cp_misses_add(point, miss_column[point->kind], 1, missed);
    if (UNLIKELY(cp_ll_missed != NULL))
        cp_ll_missed(a, point, missed);
}

/* Misses of the first level, in order, that wait to be referred to the last level. The sets of that
 * do not fit in the host's near caches, nor do access points and their counters. They get there
 * while the misses wait. */
static struct {
    Addr address;
    AccessPoint *point;
} waiting[MAX_WAITING];
static UInt n_waiting;
static UInt most_waiting = 1;

/* Makes the first n references. */
static void finish(UInt n)
{
    for (UInt i = 0; i < n; i++)
        refer_last(waiting[i].address, waiting[i].point);
    n_waiting -= n;
    for (UInt i = 0; i < n_waiting; i++)
        waiting[i] = waiting[n + i];
}

void cp_ll_finish(void)
{
    finish(n_waiting);
}

void cp_ll_fetch_ahead(Addr a)
{
    const UWord line = a >> LL.line_bits;
    const HChar *set = (const HChar *)cp_model_set(&LL, line);

    __builtin_prefetch(&newest[line & LL.set_mask], 1);
    __builtin_prefetch(set, 1);
    __builtin_prefetch(set + 64, 1);
    __builtin_prefetch(set + LL.set_size * sizeof(UInt) - 1, 1); /* its ranks */
}

void cp_ll_miss(Addr a, AccessPoint *point)
{
    cp_ll_fetch_ahead(a);
    __builtin_prefetch(&point->size);
    __builtin_prefetch(&point->misses);
    waiting[n_waiting].address = a;
    waiting[n_waiting].point = point;
    n_waiting++;
    if (n_waiting > STAGE)
        __builtin_prefetch(waiting[n_waiting - 1 - STAGE].point->misses, 1);
    if (n_waiting == most_waiting)
        finish(most_waiting == 1 ? 1 : most_waiting - STAGE);
}

/*--- Set-up ---*/

#define RANKED(n)                                                                         \
    static Bool refer_ranked_##n(Cache *c, UWord line)                                    \
    {                                                                                     \
        return cp_ll_set_refer(c->sets + (line & c->set_mask) * (UWord)cp_ll_set_size(n), \
                               cp_model_tag(c, line), c->last, n);                        \
    }
FOR_EACH_SHORT(RANKED)

void cp_ll_empty(void)
{
    cp_model_empty(&LL);
    cp_core_zero(newest, cp_model_size(&LL, 1));
    cp_distance_empty();
}

void cp_ll_init(const Geometry *g)
{
#define RANKED_ROW(n) [n] = refer_ranked_##n,
    static Bool (*const ranked[])(Cache * c, UWord line) = {FOR_EACH_SHORT(RANKED_ROW)};
    UInt n;

    cp_model_shape(&LL, g, "LL");
    LL.sets = cp_model_memory(&LL, LL.set_size);
    newest = cp_model_memory(&LL, 1);
    cp_model_empty(&LL);
    n = LL.vectors;
    LL.refer = !n ? cp_model_refer_list : n <= MAX_SHORT ? ranked[n] : cp_model_refer_vectors;
    /* Inclusive costs are differences of the totals at calls and returns, so nothing can wait
     * there. A line that was fetched has to have its owner before it is evicted. */
    most_waiting = clo_contexts || clo_line_use ? 1 : MAX_WAITING;
}
