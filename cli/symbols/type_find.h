/*
 * type_find.h - types of data: of static variables by their address, and of what source code names.
 */
#ifndef SYMBOLS_TYPE_FIND_H
#define SYMBOLS_TYPE_FIND_H

#include "symbols/type.h"

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
