/*
 * eh_frame.h - where functions begin and end by an object's unwind table (.eh_frame).
 *
 * Stripping leaves that table alone, since exceptions and backtraces need it: it has every function
 * that a compiler made, without its name. The cold part of a function that was split off has an
 * entry of its own; hand-written assembly may have none.
 */
#ifndef SYMBOLS_EH_FRAME_H
#define SYMBOLS_EH_FRAME_H

#include "symbols/elf_file.h"
#include "symbols/intervals.h"

/* Reads the entries of `f` as disjoint ranges, in order; `value` of each is its index. Malformed
 * entries are left out. */
void eh_frame_load(struct intervals *ranges, const struct elf_file *f);

#endif
