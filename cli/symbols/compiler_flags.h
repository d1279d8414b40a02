/*
 * compiler_flags.h - the flags that compilers of C and the like were given, as debug information
 * has them: GCC's as usual, clang's where it was asked to (-grecord-command-line).
 */
#ifndef SYMBOLS_COMPILER_FLAGS_H
#define SYMBOLS_COMPILER_FLAGS_H

#include <libelf.h>

/* Stands between the flags of two compilations. */
#define COMPILER_FLAGS_GAP " | "

/* "-O0 | -O2 -mtune=generic -march=x86-64": the flags that may change code, of each compilation
 * that had others, in the order of these texts; the caller frees it. NULL: there are none, or they
 * are not known, or are more than anybody reads. */
char *compiler_flags(Elf *elf);

#endif
