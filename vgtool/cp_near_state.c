/* cp_near_state.c - what copies keep outside of registers, and where code is written. */
#include "cp_near.h"

UChar *cp_code;
NearRoutines cp_near_routines;
NearState cp_near __attribute__((aligned(64)));
