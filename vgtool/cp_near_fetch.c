/*
 * cp_near_fetch.c - fetches of copies. In front of the first instruction on each line stands a test
 * if the line is in I1, and the store of its time; see cp_fetched.h.
 */
#include "cp_cache.h"
#include "cp_near.h"

#define STATE(field) cp_at(&cp_near.field)

/* The line that the copy's last instruction was fetched from. */
static UWord fetched;
static Bool has_fetched;

/* All lines of the copy are of different sets: then they may have one time, and stay in I1. */
static Bool has_one_time;

/* The lines of the next instructions have been fetched. */
static Bool has_all;

/* Code behind the copy, for lines that are not in I1. */
typedef struct {
    UChar *jumps[2];
    UInt spilled; /* a register, to SPILL_CX; NO_BASE: none */
    const UChar *resume;
    AccessPoint *point;
    FetchedLine *lines[2];
    UInt n;        /* of lines */
    Bool is_later; /* the clock has been advanced for the copy */
} Tail;

enum { MOST_TAILS = 2 * NEAR_MOST };
static Tail tails[MOST_TAILS];
static UInt n_tails;

void cp_near_begin_fetches(UInt size)
{
    has_fetched = has_all = False;
    has_one_time = size <= (UInt)(cp_I1.size / cp_I1.ways - cp_I1.line);
}

void cp_near_fetch_again(Bool again)
{
    has_all = again && has_one_time;
}

/* Goes to the tail if the line is absent. Where flags are needed, it keeps them, and changes rcx:
 * jrcxz jumps 8 bits. */
static UChar *put_test(const FetchedLine *l, Bool keeps_flags)
{
    enum { JUMP_SIZE = 5 };

    if (keeps_flags) {
        cp_put_load_32(REG_CX, cp_at(&l->is_absent));
        cp_put(0xe3), cp_put(JUMP_SIZE);
        return cp_put_jump_later();
    }
    cp_put_number_op(False, OP_CMP, cp_at(&l->is_absent), 0);
    return cp_put_jcc_later(IF_NOT_EQUAL);
}

/* Stores the times of the lines, by a register. */
static void put_times(const Tail *t, UInt reg)
{
    cp_put_load_32(reg, cp_at(&cp_fetched_clock));
    for (UInt i = 0; i < t->n; i++) {
        if (!t->is_later && (!i || !has_one_time))
            cp_put_lea_32(reg, cp_off(reg, 1));
        cp_put_store_32(cp_at(&t->lines[i]->time), reg);
    }
    if (!t->is_later)
        cp_put_store_32(cp_at(&cp_fetched_clock), reg);
}

static void put_fetch(Tail *t, Bool keeps_flags, UInt free)
{
    UInt usable = keeps_flags ? free & 1u << REG_CX : free;
    UInt reg = usable ? (UInt)__builtin_ctz(usable) : keeps_flags ? REG_CX : REG_AX;

    t->spilled = usable ? NO_BASE : reg;
    if (!usable)
        cp_near_put_spill(SPILL_CX, reg);
    for (UInt i = 0; i < t->n; i++)
        t->jumps[i] = put_test(t->lines[i], keeps_flags);
    put_times(t, reg);
    if (!usable)
        cp_near_put_fill(reg, SPILL_CX);
    t->resume = cp_code;
}

/* The rules are those of the pass over VEX's code (cp_instrument.c). */
void cp_near_put_fetch(const Insn *in, UInt live, UInt free)
{
    const UWord line = (UWord)cp_I1.line;
    UWord first = in->address / line, last = (in->address + in->length - 1) / line;
    Bool is_known = has_fetched && fetched == first;
    Tail *t;

    if (has_all || (is_known && first == last))
        return;
    tl_assert(n_tails < MOST_TAILS);
    t = &tails[n_tails++];
    *t = (Tail){.point = cp_point_next(POINT_FETCH, in->address, in->length, False),
                .is_later = has_fetched && has_one_time};
    fetched = last;
    has_fetched = True;
    if (!is_known)
        t->lines[t->n++] = cp_fetched_line(first);
    if (first != last)
        t->lines[t->n++] = cp_fetched_line(last);
    put_fetch(t, live != 0, free & ~(1u << REG_SP));
}

void cp_near_put_fetch_tails(void)
{
    for (const Tail *t = tails; t < tails + n_tails; t++) {
        NearReference list[2];
        for (UInt i = 0; i < t->n; i++) {
            cp_put_here(t->jumps[i]);
            list[i] = (NearReference){.resume = cp_low(t->resume),
                                      .point = t->point,
                                      .line = cp_low(t->lines[i]),
                                      .address = t->point->address};
        }
        if (t->spilled != NO_BASE)
            cp_near_put_fill(t->spilled, SPILL_CX);
        cp_near_put_fetch_call(list, t->n);
    }
    n_tails = 0;
}
