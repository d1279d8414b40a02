/*
 * cp_place.h - places in code, as records of the raw profile have them.
 */
#ifndef CP_PLACE_H
#define CP_PLACE_H

#include "cp_function.h"

/* Writes the context with this number; "-" where there are none. */
void cp_put_node(UInt node);

/* Writes "OBJECT ADDRESS". */
void cp_put_place(UInt range, Addr address);

/* Writes "OBJECT ADDRESS" of a call in the caller's code; "- 0" where there is none. */
void cp_put_site(const Function *caller, Addr site);

#endif
