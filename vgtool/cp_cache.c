/*
 * cp_cache.c - the cache model as a whole: the geometries of the three caches, and the moments at
 * which counts are complete.
 */
#include "cp_cache.h"

#include "cp_fetched.h"
#include "cp_l1.h"
#include "cp_ll.h"
#include "cp_model.h"
#include "pub_tool_machine.h"

Geometry cp_I1, cp_D1, cp_LL;
UInt cp_min_line;

/* Each reference advances a clock of the first level. When one has come this far, it is put back
 * between two stretches of the program's code. */
#define LATE       (1 << 30)
#define CHECK_LATE 1000 /* with --cprof-check */

/* An instruction on two lines misses once. */
VG_REGPARM(3) void cp_cache_fetch(AccessPoint *point, FetchedLine *first, FetchedLine *second)
{
    Bool missed = cp_fetched_refer(first);

    if (second)
        missed |= cp_fetched_refer(second);
    if (missed)
        cp_ll_miss(point->address, point);
}

void cp_cache_pause(void)
{
    const Int late = clo_check ? CHECK_LATE : LATE;

    cp_ll_finish();
    cp_l1_pause(late);
    cp_fetched_pause(late);
}

void cp_cache_empty(void)
{
    cp_cache_pause();
    cp_l1_empty();
    cp_fetched_empty();
    cp_ll_empty();
}

void cp_cache_init(const Geometry *i1, const Geometry *d1, const Geometry *ll)
{
    Cache shape;

    if (i1->size == -1 || d1->size == -1 || ll->size == -1)
        cp_geometry_host(&cp_I1, &cp_D1, &cp_LL);
    if (i1->size != -1)
        cp_I1 = *i1;
    if (d1->size != -1)
        cp_D1 = *d1;
    if (ll->size != -1)
        cp_LL = *ll;
    cp_model_shape(&shape, &cp_I1, "I1");
    cp_fetched_init(shape.set_mask + 1, shape.last + 1);
    cp_l1_init(&cp_D1);
    cp_ll_init(&cp_LL);
    cp_min_line = (UInt)(cp_I1.line < cp_D1.line ? cp_I1.line : cp_D1.line);
    if ((UInt)cp_LL.line < cp_min_line)
        cp_min_line = (UInt)cp_LL.line;
    if (cp_min_line < VG_(machine_get_size_of_largest_guest_register)()) {
        VG_(umsg)
        ("cannot simulate lines of %u bytes: this processor's registers have %d; "
         "give larger lines with --I1, --D1 and --LL\n",
         cp_min_line, VG_(machine_get_size_of_largest_guest_register)());
        VG_(exit)(1);
    }
}
