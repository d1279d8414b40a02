/*
 * recursion_note.h - a line beside call paths that are given to other tools.
 */
#ifndef VIEWS_RECURSION_NOTE_H
#define VIEWS_RECURSION_NOTE_H

#include "table/columns.h"

/* Says which functions' recursion is folded in the call paths of a profile that was counted, where
 * it costs enough of `measure` to be seen. Samples have their stacks as they were. */
void recursion_note(const struct cprof_profile *profile, const struct column *measure);

#endif
