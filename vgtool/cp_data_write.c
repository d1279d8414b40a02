/*
 * cp_data_write.c - data structure: touches by datum, context and access point; counts of miss
 * curves by what they are of, and by steps.
 */
#include "cp_data_write.h"

#include "cp_context.h"
#include "cp_curve.h"
#include "cp_data.h"
#include "cp_file.h"
#include "cp_format.h"
#include "cp_place.h"

/* The order of two instructions. Each piece of generated code has its own access points, so that
 * several may be of one. */
static Int compare_places(UInt a, UInt b)
{
    const AccessPoint *x = cp_point(a), *y = cp_point(b);

    if (x->range != y->range)
        return x->range < y->range ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

static Int by_datum(const void *a, const void *b)
{
    const DataTouch *x = *(const DataTouch *const *)a, *y = *(const DataTouch *const *)b;
    Int order;

    if (x->datum != y->datum)
        return x->datum < y->datum ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    order = compare_places(x->point, y->point);
    return order ? order : x->point < y->point ? -1 : x->point > y->point;
}

/* The touches that count something, in a new array. */
static const DataTouch **sorted(UInt *n)
{
    const DataTouch **all = VG_(malloc)("cp.data.4", (cp_data_touch_count() + 1) * sizeof *all);

    *n = 0;
    for (UInt i = 0; i < cp_data_touch_count(); i++)
        if (cp_data_touch(i)->counts[0])
            all[(*n)++] = cp_data_touch(i);
    VG_(ssort)(all, *n, sizeof *all, by_datum);
    return all;
}

static void put_files(void)
{
    for (UInt i = 0; i < cp_image_file_count(); i++) {
        const DataFile *f = cp_image_file(i);
        cp_begin_record(CP_REC_DATA_FILE);
        cp_put_decimal(i);
        cp_put_char(' ');
        cp_put_bytes(f->data.build_id, f->data.n_build_id);
        cp_put(f->data.n_build_id ? " " : "- ");
        cp_put_text(f->path);
    }
}

static void put_part(const Datum *d)
{
    cp_put_decimal(d->file->id);
    cp_put_char(' ');
    cp_put_hex(d->part->start);
    cp_put_char(' ');
    cp_put_decimal(d->part->size);
    cp_put_char(' ');
    cp_put_text(d->part->name);
}

static void put_line(const Datum *d)
{
    if (d->kind == DATA_BLOCKS && d->node != DATA_NO_NODE)
        cp_put_decimal(d->node);
    else if (d->kind == DATA_BLOCKS)
        cp_put_char('-');
    else if (d->kind == DATA_STACK && d->function)
        cp_put_place(d->function->range, d->function->start);
    else if (d->kind == DATA_STACK)
        cp_put("- 0");
    else if (d->kind == DATA_FILE)
        cp_put_decimal(d->file->id);
    else if (d->kind == DATA_ANONYMOUS)
        cp_put_hex(d->start);
    cp_put_char('\n');
}

static void put_datum(Datum *d, UInt number)
{
    static const HChar *const names[DATA_KINDS] = {
        [DATA_BLOCKS] = "blocks ",      [DATA_VARIABLE] = "variable ",
        [DATA_SECTION] = "section ",    [DATA_STACK] = "stack ",
        [DATA_FILE] = "file ",          [DATA_ANONYMOUS] = "anonymous ",
        [DATA_ALLOCATOR] = "allocator", [DATA_FREE] = "free",
        [DATA_UNKNOWN] = "unknown",     [DATA_ALL] = "all"};

    d->number = number;
    cp_begin_record(CP_REC_DATA);
    cp_put_decimal(number);
    cp_put_char(' ');
    cp_put(names[d->kind]);
    if (d->part)
        put_part(d);
    else
        put_line(d);
}

/* The touches of one instruction in one context, as if they were one. */
typedef struct {
    ULong counts[6]; /* D1mr DLmr D1mw DLmw, lines, bytes used */
    ULong least, stride;
    UShort size; /* the most that it accesses at once */
} Sum;

static void add(Sum *sum, const DataTouch *t, Bool first)
{
    const AccessPoint *p = cp_point(t->point);
    UInt at = p->kind == POINT_WRITE ? 2 : 0;
    ULong distance = t->least > sum->least ? t->least - sum->least : sum->least - t->least;

    sum->counts[at] += t->counts[0];
    sum->counts[at + 1] += t->counts[1];
    sum->counts[4] += t->lines;
    sum->counts[5] += t->used;
    sum->stride =
        first ? t->stride : cp_data_divisor(cp_data_divisor(sum->stride, t->stride), distance);
    if (first || t->least < sum->least)
        sum->least = t->least;
    if (p->size > sum->size)
        sum->size = p->size;
}

static Bool is_same_place(const DataTouch *a, const DataTouch *b)
{
    return a->datum == b->datum && a->node == b->node && !compare_places(a->point, b->point);
}

static void put_touch(UInt number, const DataTouch *t, const Sum *sum)
{
    const AccessPoint *p = cp_point(t->point);

    cp_begin_record(CP_REC_TOUCH);
    cp_put_decimal(number);
    cp_put_char(' ');
    cp_put_node(t->node);
    cp_put_char(' ');
    cp_put_place(p->range, p->address);
    cp_put_char(' ');
    cp_put_decimal(sum->least);
    cp_put_char(' ');
    cp_put_decimal(sum->stride);
    cp_put_char(' ');
    cp_put_decimal(sum->size);
    cp_put_counts(sum->counts, clo_line_use ? 6 : 4);
}

void cp_data_write_key(void)
{
    if (clo_data)
        cp_put(CP_KEY_DATA ": yes\n");
    if (clo_line_use)
        cp_put(CP_KEY_LINE_USE ": yes\n");
}

void cp_data_write(void)
{
    const DataTouch **all;
    UInt n, number = 0;

    if (!clo_data && !clo_line_use)
        return;
    cp_data_settle();
    cp_data_count_present(True);
    all = sorted(&n);
    put_files();
    for (UInt i = 0; i < n;) {
        const DataTouch *first = all[i];
        Sum sum = {{0}, 0, 0, 0};
        if (!i || all[i - 1]->datum != first->datum)
            put_datum(cp_data_at(first->datum), number++);
        for (; i < n && is_same_place(first, all[i]); i++)
            add(&sum, all[i], all[i] == first);
        put_touch(number - 1, first, &sum);
    }
    VG_(free)(all);
    cp_data_count_present(False);
}

/*--- Miss curves ---*/

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
