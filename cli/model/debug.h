/*
 * debug.h - what DWARF says of an address: the line it came from, and the function that has it.
 *
 * Units are found by the ranges of each (clang writes no .debug_aranges), and a unit's lines and
 * functions are read when the first address in it is asked for: a program pays for the code it ran.
 * Broken debug information answers "not known"; every walk is bounded.
 *
 * Strings are libdw's or this module's: they live until debug_free().
 */
#ifndef MODEL_DEBUG_H
#define MODEL_DEBUG_H

#include "model/intervals.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* A relative path of a unit, and what it is with the folder that the unit was compiled in. */
struct joined {
    const char *from; /* libdw's: the same path has the same pointer */
    char *to;
};

struct unit {
    Dwarf_Die die; /* has the ranges and the line table */
    Dwarf_Die
        body; /* has the functions: another DIE where the unit is split off into a .dwo file */
    bool read;
    const char *folder; /* DW_AT_comp_dir, or NULL */
    size_t n_joined, last_joined;
    struct joined *joined;
    Dwarf_Lines *lines; /* sorted by address */
    size_t n_lines;
    size_t n_functions, capacity;
    Dwarf_Die *functions;
    struct intervals ranges; /* indices into `functions` */
};

struct debug {
    size_t n_units;
    struct unit *units;
    struct intervals ranges; /* indices into `units` */
};

/* A function as its own DIE, or the one it was made from, declares it. What is not said is NULL or
 * 0. */
struct debug_function {
    const char *linkage_name;
    const char *name;
    const char *file;
    uint32_t line;
};

/* Finds the units of `dwarf`; NULL has none. */
void debug_load(struct debug *d, Dwarf *dwarf);
/* The file and line of the instruction at `address`; line 0 where it belongs to no particular one.
 * False: not known. */
bool debug_line(struct debug *d, uint64_t address, const char **file, uint32_t *line);
/* The (not inlined) function whose code `address` is. False: none. */
bool debug_function(struct debug *d, uint64_t address, struct debug_function *function);
void debug_free(struct debug *d);

#endif
