/*
 * cp_ll.c - the last level. Its sets have ranks (cp_set.h), which keep them small.
 */
#include "cp_ll.h"

#include "cp_core.h"
#include "cp_distance.h"
#include "cp_misses.h"
#include "cp_model.h"
#include "cp_pending.h"
#include "cp_set.h"

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

/* Makes the first n references of those that wait. */
static void finish(UInt n)
{
    for (UInt i = 0; i < n; i++)
        refer_last(cp_pending[i].address, cp_pending[i].point);
    cp_pending_count -= n;
    for (UInt i = 0; i < cp_pending_count; i++)
        cp_pending[i] = cp_pending[n + i];
}

void cp_ll_finish(void)
{
    finish(cp_pending_count);
}

void cp_ll_go_on(void)
{
    finish(cp_pending_count > CP_PENDING_STAGE ? cp_pending_count - CP_PENDING_STAGE
                                               : cp_pending_count);
}

void cp_ll_miss(Addr a, AccessPoint *point)
{
    if (cp_pending_add(a, point))
        cp_ll_go_on();
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
    cp_pending_init(&(LastLevel){LL.sets, newest, LL.set_mask, LL.set_size, LL.line_bits},
                    !clo_contexts && !clo_line_use);
}
