/* cp_curve_write.c - data structure: counts by what they are of, and by steps. */
#include "cp_curve_write.h"

#include "cp_context.h"
#include "cp_curve.h"
#include "cp_data.h"
#include "cp_file.h"
#include "cp_format.h"
#include "cp_place.h"

/* The letters of accesses are those of a SPEC. */
static const HChar letters[] = {
    [POINT_FETCH] = CP_SPEC_IR, [POINT_READ] = CP_SPEC_DR, [POINT_WRITE] = CP_SPEC_DW};

static PointKind put_code(const CurveCount *c)
{
    const AccessPoint *p = cp_point(c->of[1]);

    cp_begin_record(CP_REC_CURVE);
    cp_put_node(c->of[0]);
    cp_put_char(' ');
    cp_put_place(p->range, p->address);
    return p->kind;
}

static PointKind put_data(const CurveCount *c)
{
    cp_begin_record(CP_REC_DATA_CURVE);
    cp_put_decimal(cp_data_at(c->of[0])->number);
    return c->of[1];
}

/* Writes the counts of one subject, of `n` that follow it. Returns how many these are. */
static UInt put_counts(const CurveCount *const *counts, UInt n)
{
    const CurveCount *first = counts[0];
    UInt i;

    for (i = 0; i < n && counts[i]->of[0] == first->of[0] && counts[i]->of[1] == first->of[1];
         i++) {
        cp_put_char(' ');
        cp_put_decimal(counts[i]->step);
        cp_put_char(' ');
        cp_put_decimal(counts[i]->count);
    }
    cp_put_char('\n');
    return i;
}

static void put_subjects(CurveSubject subject, PointKind (*put)(const CurveCount *c))
{
    UInt n;
    const CurveCount **sorted = cp_curve_sorted(subject, &n);

    for (UInt i = 0; i < n;) {
        PointKind kind = put(sorted[i]);
        cp_put_char(' ');
        cp_put_char(letters[kind]);
        i += put_counts(sorted + i, n - i);
    }
    VG_(free)(sorted);
}

void cp_curve_write_key(void)
{
    if (!clo_miss_curves)
        return;
    cp_put(CP_KEY_CURVE_SIZES ":");
    for (UInt step = CURVE_FIRST + 1; step <= cp_curve_steps(); step++) {
        cp_put_char(' ');
        cp_put_decimal(cp_curve_size(step));
    }
    cp_put_char('\n');
}

void cp_curve_write(void)
{
    if (!clo_miss_curves)
        return;
    put_subjects(CURVE_CODE, put_code);
    put_subjects(CURVE_DATA, put_data);
}
