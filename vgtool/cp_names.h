/*
 * cp_names.h - Valgrind's own names of instructions, written with the profile: for tests that
 * compare with other tools of it.
 */
#ifndef CP_NAMES_H
#define CP_NAMES_H

#include "cp_tool.h"

#include "pub_tool_tooliface.h"

/* Notes the name of each instruction of a block. */
void cp_names_note(const IRSB *block);

/* Writes one record for each instruction that was noted; `put_place` writes where it is. */
void cp_names_write(void (*put_place)(UInt range, Addr address));

#endif
