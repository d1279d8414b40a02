/*
 * cp_leap.h - frames that a thread leaves by longjmp or unwinding while a section is open, without
 * contexts.
 *
 * There are no shadow stacks then. While a thread is in a section, the places of its calls' return
 * addresses are kept. An entry belongs to a call among these, or to one that was made before: where
 * that returns, the entry goes on in its caller; where that is left otherwise, the entry is lost.
 */
#ifndef CP_LEAP_H
#define CP_LEAP_H

#include "cp_section.h"
#include "libvex_ir.h"

/* Generated code tells of the call, return or jump that `in` ends with. `sp`: the offset of the
 * stack pointer in the guest's registers. */
void cp_leap_follow(IRSB *out, const IRSB *in, Int sp);

/* Generated code calls these, in a section: sp is that after the call, return or jump. */
VG_REGPARM(1) void cp_leap_call(UWord sp);
VG_REGPARM(2) void cp_leap_return(UWord sp, UWord target);
VG_REGPARM(1) void cp_leap_jump(UWord sp);

/* Call it before the thread enters a section, or goes on in one. */
void cp_leap_enter(ThreadId tid, SectionEntry *entry);

/* A signal is about to be handled; its handler has returned. */
void cp_leap_signal(ThreadId tid);
void cp_leap_after_signal(ThreadId tid);

#endif
