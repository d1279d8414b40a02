/*
 * symbol_search.h - is some function in a program? Asked of its symbol table alone, before it runs.
 */
#ifndef SYMBOLS_SYMBOL_SEARCH_H
#define SYMBOLS_SYMBOL_SEARCH_H

#include <stddef.h>

/* The index of the first of `n` texts that is part of a symbol's name in the ELF file at `path`;
 * `n` where none is, or the file cannot be read. */
size_t symbol_search(const char *path, const char *const *texts, size_t n);

#endif
