/*
 * cp_pattern.h - patterns that options name functions by.
 */
#ifndef CP_PATTERN_H
#define CP_PATTERN_H

#include "cp_tool.h"

/* True if the pattern is for the function that begins at `start`: for its name as people read it,
 * or for its symbol as the linker has it. '*' and '?' stand for any text and any character. */
Bool cp_pattern_matches(const HChar *pattern, Addr start);

#endif
