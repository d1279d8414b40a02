/*
 * cp_extended.h - the first use of a long double of 80 bits, which VEX computes with 64, is told to
 * the user.
 */
#ifndef CP_EXTENDED_H
#define CP_EXTENDED_H

#include "cp_ir.h"

/* Watches the call of VEX's helper at an instruction, before it is added to `out`. */
void cp_extended_watch(IRSB *out, const IRDirty *d, Addr address);

#endif
