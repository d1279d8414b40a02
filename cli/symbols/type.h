/*
 * type.h - types as DWARF describes them: their names as the language has them, sizes, and members,
 * those of members included.
 *
 * Debug information may be hostile: each walk goes forward only or is bounded, and a member that
 * does not lie in its type is left out.
 */
#ifndef SYMBOLS_TYPE_H
#define SYMBOLS_TYPE_H

#include "cprof_internal.h"
#include "symbols/dwarf.h"

#include <stdbool.h>
#include <stdint.h>

/* A type that was described. */
struct known_type {
    const void *die; /* where its DIE is */
    uint32_t type;
};

/* Describes types of one `debug` to a builder, each DIE once. Zero-initialised but for these two,
 * which are borrowed, it is ready; type_reader_free() ends it. */
struct type_reader {
    struct debug_info *debug;
    struct builder *builder;
    struct map map; /* by DIE */
    uint32_t n, room;
    struct known_type *known;
};

/* The builder's index of a type, or of the elements where it is an array; CPROF_NONE: it has no
 * size or no name. */
uint32_t type_describe(struct type_reader *reader, Dwarf_Die *type);
void type_reader_free(struct type_reader *reader);

/* The type of a variable, member, typedef, pointer, array or template parameter. False: none. */
bool type_of(Dwarf_Die *die, Dwarf_Die *type);
/* Sees through typedefs, const and the like. `*alias` gets the first typedef, if there is one; both
 * may be NULL. False: there is no end of them, or it is void. */
bool type_plain(Dwarf_Die *type, Dwarf_Die *alias, bool *has_alias);
/* The type that a pointer, a reference or an array is of, seen through typedefs.
 * False: it is none. */
bool type_target(Dwarf_Die *type, Dwarf_Die *target);
/* True for struct, class and union. */
bool type_is_struct(Dwarf_Die *type);
/* Tell by the tag of an entry: it is a type that may have a name; it may have types and variables
 * in it. */
bool type_is_named_kind(int tag);
bool type_is_scope(int tag);
/* The first child of `parent`, and the next one of `die`, which is never behind it. */
bool type_child(Dwarf_Die *parent, Dwarf_Die *child);
bool type_next(Dwarf_Die *die);
/* The member called `name` of a struct, or of a struct without a name in it. */
bool type_member(Dwarf_Die *type, const char *name, Dwarf_Die *member);
/* Tells whether a DIE is of a unit in Rust, or in C++. */
bool type_is_rust(Dwarf_Die *die);
bool type_is_cxx(Dwarf_Die *die);

/*--- Finding types ---*/

/* Types of data: of static variables by their address, and of what source code names. */

/* A static variable. */
struct variable {
    uint64_t address; /* in the file */
    bool found;
    Dwarf_Die type; /* where `found` */
};

/* Finds the types of variables, which are sorted by their address. Units that cannot have one of
 * them are not looked into. */
void type_find_variables(struct debug_info *d, struct variable *variables, size_t n);

/* The first variable at an address, of those that are sorted by it; NULL: there is none. */
struct variable *variable_at(struct variable *variables, size_t n, uint64_t address);

/* The type called `name` ("particle", "struct particle", "ns::Particle") in the unit of `die`.
 * False: there is none, or several. */
bool type_find_named(struct debug_info *d, Dwarf_Die *die, const char *name, Dwarf_Die *type);

/* The type of the variable called `name` in a function, or else of that in its unit. False: there
 * is none, or several of different types. */
bool type_find_local(Dwarf_Die *function, const char *name, Dwarf_Die *type);

/* The type in the place of a type parameter of a function, or of a type; `name` NULL: of the first.
 * False: not known. */
bool type_find_parameter(Dwarf_Die *generic, const char *name, Dwarf_Die *type);

#endif
