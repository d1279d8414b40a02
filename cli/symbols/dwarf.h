/*
 * dwarf.h - DWARF by address: the line, the function, and the functions that were inlined there,
 * one into the other.
 *
 * Units are found by the ranges of each (clang writes no .debug_aranges), and by the line tables of
 * the few that do not say where all their code is. A unit's lines and functions are read when the
 * first address in it is asked for, and what was inlined into a function when the first address in
 * that is: a program pays for the code it ran. Broken debug information answers "not known"; every
 * walk is bounded, since each goes forward only.
 *
 * Strings are libdw's or this module's: they live until debug_free(). Names here begin with debug_,
 * since dwarf_ is libdw's own prefix.
 */
#ifndef SYMBOLS_DWARF_H
#define SYMBOLS_DWARF_H

#include "cprof_internal.h"
#include "symbols/debug_files.h"
#include "symbols/intervals.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#define DEBUG_NONE UINT32_MAX

/* A relative path of a unit, and what it is with the folder that the unit was compiled in. */
struct joined {
    const char *from; /* libdw's: the same path has the same pointer */
    char *to;
};

/* A function that has code of its own. */
struct debug_body {
    Dwarf_Die die;
    bool read;               /* what follows is there */
    struct intervals frames; /* what was inlined: see frame_value() */
    size_t hint;             /* as all of these: where the last address was */
};

/* A namespace or type, which gives the names in it their path. They stand in the order of the
 * file. */
struct scope {
    Dwarf_Off start, end; /* its DIEs; `end` is UINT64_MAX where its parent ends with it */
    uint32_t parent;      /* DEBUG_NONE: the unit */
    Dwarf_Die die;
};

struct unit {
    Dwarf_Die die; /* has the ranges and the line table */
    Dwarf_Die
        body;     /* has the functions: another DIE where the unit is split off into a .dwo file */
    bool damaged; /* its DIEs cannot all be read */
    bool incomplete; /* split off, and the file with its functions is not there */
    bool has_lines, has_files, has_functions; /* lines, files, functions were read */
    const char *folder;                       /* DW_AT_comp_dir, or NULL */
    size_t n_joined, joined_room, last_joined;
    struct joined *joined;
    Dwarf_Lines *lines; /* sorted by address */
    size_t n_lines;
    Dwarf_Files *files; /* what DW_AT_decl_file and DW_AT_call_file count in */
    size_t n_files;
    size_t n_bodies, bodies_room;
    struct debug_body *bodies;
    size_t n_scopes, scopes_room;
    struct scope *scopes;
    struct intervals ranges; /* indices into `bodies` */
    size_t hint, line_hint;
};

/* A function, whether it has code of its own, was inlined, or both. Members that DWARF does not
 * give are NULL or 0. */
struct debug_function {
    const void *key; /* where `die` is, which all copies are made from */
    Dwarf_Die die;
    const char *linkage_name; /* as a symbol table would have it */
    const char *name;         /* DW_AT_name: unqualified, with type arguments */
    char *path;               /* without a linkage name: `name` with the scopes around it */
    const char *file;         /* where it is declared */
    uint32_t line;
    bool short_name; /* Rust, without a linkage name and scopes: only line tables were asked for */
};

/* A function that was inlined at one place. */
struct debug_frame {
    uint32_t
        parent; /* the frame that it was inlined into; DEBUG_NONE: the function with the code */
    uint32_t function; /* index into `functions` */
    const char *file;  /* of the place in the parent that calls it; NULL: not known */
    uint32_t line;
    uint64_t entry; /* of its first instruction; 0: not known, since the copy is in several pieces
                       and nothing says with which of them it begins */
};

struct debug_info {
    size_t n_units, units_room;
    struct unit *units;
    struct map unit_map;     /* all units, by libdw's of their DIEs */
    struct intervals ranges; /* indices into `units` */
    size_t hint;
    uint32_t n_functions, functions_room;
    struct debug_function *functions;
    struct map function_map; /* by key */
    uint32_t n_frames, frames_room;
    struct debug_frame *frames;
    struct dwp *dwp;     /* where units are that were split off; NULL: in files of their own */
    bool damaged;        /* what was asked for, or what units there are, cannot all be read */
    bool short_names;    /* some function that was asked for has a short name */
    const char *missing; /* a .dwo file that is not there, of a unit that was asked for, or NULL */
};

/* Finds the units of `dwarf`, and of its dwz file; NULL has none. */
void debug_load(struct debug_info *d, Dwarf *dwarf, Dwarf *dwz);
/* The file and line of the instruction at `address`; line 0 where it belongs to no particular one.
 * False: not known. */
bool debug_line(struct debug_info *d, uint64_t address, const char **file, uint32_t *line);
/* Reads the table of files of the unit that has `address`: libdw then has read all its lines.
 * Returns the unit's index, DEBUG_NONE where it was read before or there is no unit. */
uint32_t debug_new_files(struct debug_info *d, uint64_t address);
/* Takes the table of a unit from another `debug` of the same file, which lives as long as this one,
 * unless it was read here. */
void debug_take_files(struct debug_info *d, const struct debug_info *from, uint32_t unit);
/* The function whose code `address` is, whatever was inlined there: an index into `functions`, or
 * DEBUG_NONE. */
uint32_t debug_function(struct debug_info *d, uint64_t address);
/* The innermost function that was inlined there: an index into `frames`, or DEBUG_NONE. */
uint32_t debug_frame(struct debug_info *d, uint64_t address);
/* The innermost namespace or type that `die` is declared in. False: none, or not known. */
bool debug_scope(struct debug_info *d, Dwarf_Die *die, Dwarf_Die *scope);
/* "a::b::name", where `name` is that of `die`; the caller frees it. */
char *debug_path(struct debug_info *d, Dwarf_Die *die, const char *name);
void debug_free(struct debug_info *d);

#endif
