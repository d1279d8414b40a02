/*
 * cp_names.h - Valgrind's own names of instructions, for tests that compare with its other tools.
 */
#ifndef CP_NAMES_H
#define CP_NAMES_H

#include "cp_tool.h"

/* Notes the name of the instruction, which is one of the superblock that is being translated. */
void cp_names_note(Addr address);

/* Writes one record for each noted instruction; `put_place` writes its place. */
void cp_names_write(void (*put_place)(UInt range, Addr address));

#endif
