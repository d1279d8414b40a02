/*
 * symbol_parts.h - parts of functions: code that a compiler or linker has split off has a symbol of
 * its own, such as "f.cold", "f.cold.1", "f.warm", "f.part.0" or "f.__part.2".
 */
#ifndef SYMBOLS_SYMBOL_PARTS_H
#define SYMBOLS_SYMBOL_PARTS_H

#include "symbols/symbol_table.h"

/* Sets `whole` of each symbol: the nearest one of the name that it is a part of, or itself. */
void symbol_parts_find(struct symbol_table *s);

#endif
