/*
 * dwarf_private.h - inside of dwarf: dwarf.c has units and lines, dwarf_dies.c walks the tree of a
 * unit's DIEs, dwarf_functions.c names functions.
 */
#ifndef SYMBOLS_DWARF_PRIVATE_H
#define SYMBOLS_DWARF_PRIVATE_H

#include "symbols/dwarf.h"

/* Adds all ranges of `die`, which may have none. Returns false where they cannot be read. */
bool debug_add_ranges(struct intervals *list, Dwarf_Die *die, uint32_t value);
/* The text of attribute `name` of `die`, or of what it is a copy of; NULL where it has none or,
 * with `*damaged` set, where that cannot be read. */
const char *debug_string(Dwarf_Die *die, unsigned name, bool *damaged);
/* `path` joined with the folder of the unit. */
const char *debug_join(struct unit *u, const char *path);
/* The path of file number `index`, as DIEs of the unit count, or NULL. */
const char *debug_file(struct unit *u, Dwarf_Word index);
/* The unit that has `cu`; `likely` is looked at first. NULL: in another file. */
struct unit *debug_unit_of(struct debug_info *d, struct unit *likely, const struct Dwarf_CU *cu);

/* Finds the functions and scopes of a unit. */
void debug_read_functions(struct unit *u);
/* Finds what was inlined into a function. */
void debug_read_frames(struct debug_info *d, struct unit *u, struct debug_body *body);
/* The function that `die`, of unit `u`, is a copy of, as an index; DEBUG_NONE: it has no name. */
uint32_t debug_describe(struct debug_info *d, struct unit *u, Dwarf_Die *die);

/* The value of a frame in intervals. Intervals prefer the lower value of equal ranges; inner
 * frames, which have higher indices, get lower values. */
static inline uint32_t frame_value(uint32_t frame)
{
    return INTERVAL_NONE - 1 - frame;
}

#endif
