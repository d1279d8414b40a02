/*
 * cp_near_made.c - copies of code that the program makes while it runs, in memory without a file.
 *
 * Code of that kind may change at any time. So each entry of its copies compares the program's
 * bytes with those that were copied. If they differ, the copy is forgotten, and the core asks for
 * another one.
 */
#include "cp_core.h"
#include "cp_near.h"

/* The beginning of the code that the last checks go to where they fail. */
static const UChar *stale;

enum { MOST_COPIES = 100000 };
static UInt n_copies;

Bool cp_near_has_room_for_made(void)
{
    return n_copies < MOST_COPIES;
}

void cp_near_put_stale(const Place *p)
{
    n_copies++;
    stale = cp_code;
    if (p->flags_live) {
        cp_near_put_fill(REG_AX, SPILL_FLAGS);
        cp_put_flags_from_ax();
        cp_near_put_fill(REG_AX, SPILL_AX);
    }
    cp_near_put_help(cp_put_jump_later(), p->guest, cp_near_routines.help, HELP_STALE, p);
}

static void put_compare_word(Addr at)
{
    UInt word;

    __builtin_memcpy(&word, (const void *)at, sizeof word);
    cp_put_number_op(False, OP_CMP, cp_at((const void *)at), (Int)word);
    cp_put_jcc(IF_NOT_EQUAL, stale);
}

static void put_compare_byte(Addr at)
{
    cp_put_op(False, 0x80, OP_CMP, cp_at((const void *)at));
    cp_put(*(const UChar *)at);
    cp_put_jcc(IF_NOT_EQUAL, stale);
}

void cp_near_put_bytes_check(const Place *p)
{
    Addr at = p->guest, end = at + p->size;

    if (p->flags_live) {
        cp_near_put_spill(SPILL_AX, REG_AX);
        cp_put_flags_to_ax();
        cp_near_put_spill(SPILL_FLAGS, REG_AX);
    }
    for (; at + sizeof(UInt) <= end; at += sizeof(UInt))
        put_compare_word(at);
    if (at < end && p->size > sizeof(UInt))
        put_compare_word(end - sizeof(UInt));
    else
        for (; at < end; at++)
            put_compare_byte(at);
    if (p->flags_live) {
        cp_near_put_fill(REG_AX, SPILL_FLAGS);
        cp_put_flags_from_ax();
        cp_near_put_fill(REG_AX, SPILL_AX);
    }
}

void cp_near_forget_stale(const Place *p)
{
    VG_(discard_translations)(p->guest, p->size, "cprof");
}
