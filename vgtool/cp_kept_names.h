/*
 * cp_kept_names.h - names of functions whose files are gone, or other ones, when the profile is
 * written: nobody can find them afterwards.
 */
#ifndef CP_KEPT_NAMES_H
#define CP_KEPT_NAMES_H

#include "cp_block.h"

/* Notes that the basic block is in the profile. */
void cp_kept_names_note(const BasicBlock *b);

/* Writes the records of what was noted, and forgets it. */
void cp_kept_names_write(void);

#endif
