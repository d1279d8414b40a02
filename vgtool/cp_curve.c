/* cp_curve.c - data structure: a pool of counts by (subject, step), and a hash table of them. */
#include "cp_curve.h"

#include "cp_context.h"
#include "cp_distance.h"
#include "cp_hash.h"
#include "cp_ll.h"

/*--- Steps ---*/

/* Each power of two of lines and three sizes between it and the next one are steps, and so is the
 * size of the simulated cache, wherever it lies. */
static UInt line_bits;
static UInt ll_lines;
static UInt ll_step; /* without one of its own */
static Bool has_own; /* it has one, behind ll_step */

#define QUARTERS 4

/* The number, from 0, of the first regular step with so many lines. */
static UInt regular_step(UInt lines)
{
    UInt most = lines - 1, octave;

    if (most < QUARTERS)
        return most;
    octave = 31 - (UInt)__builtin_clz(most);
    return (octave - 1) * QUARTERS + (most >> (octave - 2)) % QUARTERS;
}

static ULong regular_lines(UInt step)
{
    UInt octave = step / QUARTERS + 1;

    return step < QUARTERS ? step + 1 : (ULong)(QUARTERS + step % QUARTERS + 1) << (octave - 2);
}

static UInt step_of(UInt lines)
{
    UInt step;

    if (!lines)
        return CURVE_FIRST;
    step = regular_step(lines);
    return 1 + step + (has_own && (step > ll_step || (step == ll_step && lines > ll_lines)));
}

ULong cp_curve_size(UInt step)
{
    ULong lines;

    step--;
    if (has_own && step == ll_step)
        lines = ll_lines;
    else
        lines = regular_lines(step - (has_own && step > ll_step));
    return lines << line_bits;
}

/*--- Counts ---*/

#define RECENT 4096 /* counts that are found without the table */

static struct {
    Pool counts;
    HashTable table;
    CurveCount *recent[RECENT];
} subjects[CURVE_SUBJECTS] = {
    [CURVE_CODE] = {.counts = {.size = sizeof(CurveCount), .tag = "cp.curve.1"}},
    [CURVE_DATA] = {.counts = {.size = sizeof(CurveCount), .tag = "cp.curve.2"}}};

static UInt hash_count(const void *element)
{
    const CurveCount *c = element;

    return cp_hash(c->keys[0], c->keys[1], c->step);
}

static Bool same_count(const void *a, const void *b)
{
    const CurveCount *x = a, *y = b;

    return x->keys[0] == y->keys[0] && x->keys[1] == y->keys[1] && x->step == y->step;
}

static void add(CurveSubject subject, UInt datum, UInt other, UInt step)
{
    const CurveCount key = {.keys = {datum, other}, .step = step};
    CurveCount **place = &subjects[subject].recent[(datum ^ other * 37 ^ step * 577) % RECENT];
    void **found;

    if (UNLIKELY(!*place || !same_count(*place, &key))) {
        found = cp_hash_find(&subjects[subject].table, &key, hash_count, same_count);
        if (!*found) {
            CurveCount *c = cp_pool_add(&subjects[subject].counts);
            *c = key;
            *found = c;
        }
        *place = *found;
    }
    (*place)->count++;
}

void cp_curve_add_data(UInt datum, PointKind kind, UInt step)
{
    add(CURVE_DATA, datum, kind, step);
}

static CurveCount *count_at(CurveSubject subject, UInt index)
{
    return cp_pool_at(&subjects[subject].counts, index);
}

void cp_curve_reset(void)
{
    for (UInt subject = 0; subject < CURVE_SUBJECTS; subject++)
        for (UInt i = 0; i < subjects[subject].counts.n; i++)
            count_at(subject, i)->count = 0;
}

UInt cp_curve_steps(void)
{
    UInt most = step_of(ll_lines);

    for (UInt i = 0; i < subjects[CURVE_CODE].counts.n; i++) {
        const CurveCount *c = count_at(CURVE_CODE, i);
        if (c->count && c->step > most)
            most = c->step;
    }
    return most;
}

static Int by_subject(const void *a, const void *b)
{
    const CurveCount *x = *(const CurveCount *const *)a, *y = *(const CurveCount *const *)b;

    if (x->keys[0] != y->keys[0])
        return x->keys[0] < y->keys[0] ? -1 : 1;
    if (x->keys[1] != y->keys[1])
        return x->keys[1] < y->keys[1] ? -1 : 1;
    return x->step < y->step ? -1 : x->step > y->step;
}

const CurveCount **cp_curve_sorted(CurveSubject subject, UInt *n)
{
    UInt all = subjects[subject].counts.n;
    const CurveCount **sorted = VG_(malloc)("cp.curve.3", ((SizeT)all + 1) * sizeof *sorted);

    *n = 0;
    for (UInt i = 0; i < all; i++)
        if (count_at(subject, i)->count)
            sorted[(*n)++] = count_at(subject, i);
    VG_(ssort)(sorted, *n, sizeof *sorted, by_subject);
    return sorted;
}

/*--- Misses ---*/

UInt cp_curve_step;
static void (*then)(Addr address, AccessPoint *point, Bool last);

/* An access to two lines uses both, as in cp_ll.c. */
static UInt use(Addr a, UInt size)
{
    UWord first = a >> line_bits, last = (a + size - 1) >> line_bits;
    UInt of_first = cp_distance_use(first), of_last;

    if (first == last)
        return of_first;
    of_last = cp_distance_use(last);
    return !of_first || !of_last ? 0 : of_first > of_last ? of_first : of_last;
}

static void on_miss(Addr a, AccessPoint *point, Bool last)
{
    /* The program is about to wait for the same address: what follows is too long for the host to
     * look beyond. */
    __builtin_prefetch((const void *)a);
    cp_curve_step = step_of(use(a, point->size));
    if (cp_collecting)
        add(CURVE_CODE, cp_now.node->id, point->id, cp_curve_step);
    if (then)
        then(a, point, last);
}

void cp_curve_init(const Geometry *ll)
{
    line_bits = (UInt)__builtin_ctz((UInt)ll->line);
    ll_lines = (UInt)(ll->size / ll->line);
    ll_step = regular_step(ll_lines);
    has_own = regular_lines(ll_step) != ll_lines;
    then = cp_ll_missed;
    cp_ll_missed = on_miss;
}
