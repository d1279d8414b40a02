/*
 * cp_l1.h - the first level, I1 and D1. cp_cache.h declares the functions that generated code
 * calls.
 */
#ifndef CP_L1_H
#define CP_L1_H

#include "cp_tool.h"

void cp_l1_init(const Geometry *i1, const Geometry *d1);

/* Makes both caches as they were at first. */
void cp_l1_empty(void);

/* Puts back clocks that have come far. Call it where the program's code stops running. */
void cp_l1_pause(void);

#endif
