/*
 * cp_near_end.c - where code ends with its memory. VEX reads on, so the core would end with a fault
 * of its own; the processor sends the program a signal, but not before it comes to an instruction
 * of which bytes are missing.
 */
#include "cp_near.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_options.h"

#ifdef CP_WRAPS_vgPlain_translate

enum { LONGEST = 15, MOST_INSNS = 100 /* that the core lets a superblock have */ };

/* The end of the program's executable memory around the address. */
static Addr end_around(Addr a)
{
    const NSegment *s;

    while ((s = VG_(am_find_nsegment)(a)) && s->hasX &&
           (s->kind == SkFileC || s->kind == SkAnonC || s->kind == SkShmC))
        a = s->end + 1;
    return a;
}

static Bool decode(Addr a, Addr end, Insn *in)
{
    return cp_decode((const UChar *)a, end - a < LONGEST ? (UInt)(end - a) : LONGEST, a, in);
}

/* True if bytes of the instruction at `a` are missing. For a beginning that means nothing alone,
 * some bytes are tried that could come next. */
static Bool is_cut(Addr a, Addr end)
{
    static const UChar next[] = {0, 0x90, 0xc0, 0x79};
    SizeT room = end - a;
    UChar bytes[LONGEST];
    Insn in;

    if (room >= LONGEST || decode(a, end, &in))
        return False;
    for (UInt i = 0; i < sizeof next; i++) {
        VG_(memset)(bytes, next[i], sizeof bytes);
        VG_(memcpy)(bytes, (const void *)a, room);
        if (cp_decode(bytes, LONGEST, a, &in) && in.length > room)
            return True;
    }
    return False;
}

/* As many of `most` instructions as are whole, if code could go on to its end. The first one is.
 * `*runs_out`: VEX may look at bytes behind the end. */
static UInt count_whole(Addr a, Addr end, UInt most, Bool *runs_out)
{
    Insn in;

    *runs_out = False;
    for (UInt n = 0; n < most && end - a < (SizeT)LONGEST * (most - n + 1); n++) {
        *runs_out = end - a < 2 * LONGEST;
        if (n && (a == end || is_cut(a, end)))
            return n;
        if (!decode(a, end, &in)) /* VEX may know it, and then nobody knows what is behind it */
            return *runs_out ? n + 1 : most;
        if (cp_near_ends_superblock(&in))
            break;
        a += in.length;
    }
    return most;
}

/* The superblock that is translated, if it runs out; 0: it does not. */
static Addr short_one;

void cp_near_give_copy(VexTranslateArgs *a)
{
    static UChar copy[(MOST_INSNS + 2) * LONGEST];
    Addr start = a->guest_bytes_addr, size = end_around(start) - start;

    if (start != short_one || a->guest_bytes != (const UChar *)start ||
        size + LONGEST > sizeof copy)
        return;
    VG_(memcpy)(copy, a->guest_bytes, size);
    VG_(memset)(copy + size, 0, LONGEST);
    a->guest_bytes = copy;
}

extern VexControl vex_control; /* of VEX: what the core has told it */

/* pub_core_signals.h: nothing is mapped at `address`, or nothing that may be executed. */
void VG_(synth_fault_mapping)(ThreadId tid, Addr address);
void VG_(synth_fault_perms)(ThreadId tid, Addr address);

/* pub_core_translate.h. False: the thread got a signal. */
Bool __real_vgPlain_translate(ThreadId, Addr, Bool, Int, ULong, Bool);
Bool __wrap_vgPlain_translate(ThreadId, Addr, Bool, Int, ULong, Bool);
Bool __wrap_vgPlain_translate(ThreadId tid, Addr guest, Bool debugging, Int verbosity, ULong done,
                              Bool allow_redirection)
{
    UInt most = (UInt)VG_(clo_vex_control).guest_max_insns;
    Addr end = end_around(guest);
    Bool runs_out;

    if (guest < end && is_cut(guest, end)) {
        if (VG_(am_find_nsegment)(end))
            VG_(synth_fault_perms)(tid, end);
        else
            VG_(synth_fault_mapping)(tid, end);
        return False;
    }
    vex_control.guest_max_insns = (Int)count_whole(guest, end, most, &runs_out);
    short_one = runs_out ? guest : 0;
    return __real_vgPlain_translate(tid, guest, debugging, verbosity, done, allow_redirection);
}

#else

void cp_near_give_copy(VexTranslateArgs *a)
{
}

#endif
