/*
 * cp_elf.h - what the tool needs of an ELF64 file: its build-id, where its code is loaded, and
 * where its functions begin. Read from the file itself, so that it does not depend on what Valgrind
 * makes of its debug information. (System V ABI, chapters 4 and 5; Linux Standard Base, "Exception
 * Frames".)
 */
#ifndef CP_ELF_H
#define CP_ELF_H

#include "cp_tool.h"

#define CP_BUILD_ID_MAX 64 /* bytes of a build-id that are kept; the usual one has 20 */

typedef struct {
    ULong offset, vaddr, size;
} ElfSegment;

/* What identifies the file and its code. */
typedef struct {
    UInt n_build_id;
    UChar build_id[CP_BUILD_ID_MAX];
    UInt n_segments; /* executable ones */
    ElfSegment segments[8];
} ElfIdentity;

/* A function, or a stretch of linker-made stubs. Addresses are those of the file. */
typedef struct {
    Addr start, end;
    Addr owner; /* start of the function that this is a part of: its own, but for split-off cold
                   code */
    Bool transparent; /* a stub or the lazy resolver: it stands for what it jumps to */
} ElfFunction;

typedef struct {
    UInt n, max;
    ElfFunction *items; /* by rising start, not overlapping */
} ElfFunctions;

/* Reads the identity; False where the file is not an ELF64 file, or cannot be read. */
Bool cp_elf_identify(const HChar *path, ElfIdentity *identity);

/*
 * The functions of the file: those of its symbol table (or, where it has none, its separate debug
 * file's, found by build-id, or its dynamic symbol table's), stubs by section name, and between
 * them those that the unwind table names. Empty where nothing is known.
 */
void cp_elf_functions(const HChar *path, const ElfIdentity *identity, ElfFunctions *functions);

/* The index of the last of the first n functions that begins at or before `address`; -1: none. */
Int cp_elf_find(const ElfFunctions *functions, UInt n, Addr address);

#endif
