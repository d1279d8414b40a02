/*
 * cp_l1.h - the first level, I1 and D1. The slow paths that generated code calls are in cp_cache.h.
 */
#ifndef CP_L1_H
#define CP_L1_H

#include "cp_tool.h"

void cp_l1_init(const Geometry *i1, const Geometry *d1);

/* Puts the clocks back that have come far; where the program's code stops running. */
void cp_l1_pause(void);

#endif
