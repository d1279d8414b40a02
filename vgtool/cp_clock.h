/*
 * cp_clock.h - the time that the program sees.
 *
 * With --fixed-clock=yes it is one that goes on with executed superblocks and with system calls,
 * and is set ahead where all threads wait for a moment: it is the same in each run, begins at a
 * fixed date, and sleeping takes no time. Else it is the machine's.
 */
#ifndef CP_CLOCK_H
#define CP_CLOCK_H

#include "cp_filter.h"
#include "libvex_ir.h"

/* Now, in ns from a moment that does not change; the program's CLOCK_MONOTONIC. */
ULong cp_clock_now(void);

/* Now by the machine's clock, likewise. */
ULong cp_clock_real(void);

/* The moment of cp_clock_now() when one of the program's clocks shows `at`. */
ULong cp_clock_moment(UInt clock, ULong at);

/* The time of the machine's clock when one of the program's clocks shows `at`. */
ULong cp_clock_of_machine(UInt clock, ULong at);

/* ns of time that a call has. */
ULong cp_clock_span(const struct vki_timespec *t);

/* Sets a fixed clock ahead, by so many ns. */
void cp_clock_skip(ULong ns);

/* Call it where code of the program has stopped, with the number of superblocks so far. */
void cp_clock_stop(ULong superblocks);

/* Answers the call if it asks for the time, and the clock is fixed. */
Bool cp_clock_call(ThreadId tid, const Call *call);

/* Call it after each call that has succeeded: what it has written of processor time becomes that of
 * the fixed clock. */
void cp_clock_after(ThreadId tid, const Call *call);

/* Has VEX's helper for the processor's own clock, called for the instruction at an address, read
 * the fixed one, if this is such a helper. */
void cp_clock_instruction(IRDirty *call, Addr at);

/* True: the program has asked for the machine's time, or is about to. */
Bool cp_clock_was_asked(void);

#endif
