/*
 * cp_l1_routines.h - a template for cp_l1.c, without an include guard: the routines for sets of
 * L1_VECTORS vectors of tags. It serves any geometry first, and then includes itself for the usual
 * one. Sizes are constants here, so loops unroll.
 */
#ifndef L1_USUAL
#define L1_USUAL         False
#define L1_KIND          timed
#define L1_AGAIN         1
#define L1_GLUE(a, b, c) a##_##b##_##c
#define L1_CALL(a, b, c) L1_GLUE(a, b, c)
#define L1_NAME(a)       L1_CALL(a, L1_KIND, L1_VECTORS)
#endif

static Bool L1_NAME(refer)(Cache *c, UWord line)
{
    return !refer_hinted(line, L1_VECTORS, L1_USUAL) && refer_timed(line, L1_VECTORS, L1_USUAL);
}

static __attribute__((noinline)) void L1_NAME(data_unhinted)(Addr a, AccessPoint *point)
{
    if (UNLIKELY(refer_timed(a >> (L1_USUAL ? USUAL_BITS : D1.line_bits), L1_VECTORS, L1_USUAL)))
        cp_ll_miss(a, point);
}

static __attribute__((noinline)) void L1_NAME(data_two)(Addr a, AccessPoint *point)
{
    if (UNLIKELY(!access_two(a, L1_VECTORS, L1_USUAL)))
        refer_lines(a, point);
}

static VG_REGPARM(3) void L1_NAME(data)(Addr a, AccessPoint *point, UWord room)
{
    if (UNLIKELY((a & ((1u << (L1_USUAL ? USUAL_BITS : D1.line_bits)) - 1)) > room))
        L1_NAME(data_two)(a, point);
    else if (UNLIKELY(!access(a, L1_VECTORS, L1_USUAL)))
        L1_NAME(data_unhinted)(a, point);
}

/* Where the use of lines counts, the row of a line is known wherever it is the most
 * recently used of its set. */
static Bool L1_NAME(refer_marked)(Cache *c, UWord line)
{
    Bool missed = L1_NAME(refer)(c, line);

    reach_line(line, missed, L1_VECTORS, L1_USUAL);
    return missed;
}

static __attribute__((noinline)) void L1_NAME(marked_unhinted)(Addr a, AccessPoint *point)
{
    UWord line = a >> (L1_USUAL ? USUAL_BITS : D1.line_bits);
    Bool missed = refer_timed(line, L1_VECTORS, L1_USUAL);

    if (missed)
        cp_pending_fetch_ahead(a);
    reach_line(line, missed, L1_VECTORS, L1_USUAL);
    if (missed)
        cp_ll_miss(a, point);
}

static VG_REGPARM(3) void L1_NAME(data_marked)(Addr a, AccessPoint *point, UWord room)
{
    if (UNLIKELY((a & ((1u << (L1_USUAL ? USUAL_BITS : D1.line_bits)) - 1)) > room))
        mark_two(a, point);
    else if (UNLIKELY(!access(a, L1_VECTORS, L1_USUAL)))
        L1_NAME(marked_unhinted)(a, point);
    else
        reach_line(a >> (L1_USUAL ? USUAL_BITS : D1.line_bits), False, L1_VECTORS, L1_USUAL);
}

static const Routines L1_NAME(routines) = {L1_NAME(refer), L1_NAME(data), L1_NAME(refer_marked),
                                           L1_NAME(data_marked)};

#ifdef L1_AGAIN
#undef L1_AGAIN
#undef L1_USUAL
#undef L1_KIND
#define L1_USUAL True
#define L1_KIND  usual
#include "cp_l1_routines.h"
#undef L1_USUAL
#undef L1_KIND
#undef L1_GLUE
#undef L1_CALL
#undef L1_NAME
#undef L1_VECTORS
#endif
