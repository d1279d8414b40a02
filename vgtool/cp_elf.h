/*
 * cp_elf.h - what the tool needs of an ELF64 file: its build-id, where its code is loaded, and
 * where its functions begin. It reads the file itself, so that nothing depends on Valgrind's
 * reading of debug information. (System V ABI, chapters 4 and 5; Linux Standard Base, "Exception
 * Frames".)
 */
#ifndef CP_ELF_H
#define CP_ELF_H

#include "cp_role.h"
#include "cp_tool.h"

#define CP_BUILD_ID_MAX 64 /* bytes of a build-id that are kept; most have 20 */

typedef struct {
    ULong offset, vaddr, size;
} ElfSegment;

/* A file's build-id and the segments of its code. */
typedef struct {
    UInt n_build_id;
    UChar build_id[CP_BUILD_ID_MAX];
    UInt n_segments; /* executable ones */
    ElfSegment segments[8];
} ElfIdentity;

/* A function, or a stretch of linker-made stubs. Addresses are those of the file. */
typedef struct {
    Addr start, end; /* equal where the file does not say how long it is */
    Addr owner; /* start of the function that this code belongs to: another one's for split-off cold
                   code */
    Addr whole; /* start of the function that it is a part of though that calls it (f.part.0), or 0
                 */
    Bool transparent; /* a stub or the lazy resolver: it stands for the function that it jumps to */
    Bool chooses;     /* it returns the function that its name stands for (STT_GNU_IFUNC) */
    Bool is_inner;    /* it begins within a function: where it does, that has a frame already */
    Bool is_open;     /* no table covers it: where a call leads, another function begins */
    Addr reached;     /* by code that was looked at; for cp_function.c */
    const Role *role; /* of an allocation function, looked for with --heap=yes; else NULL */
    const HChar *name; /* NULL: it has no symbol */
    Bool is_local;
} ElfFunction;

typedef struct {
    UInt n, max;
    ElfFunction *items; /* by rising start, without overlaps */
} ElfFunctions;

/* Reads the identity. False if the file is not an ELF64 file, or cannot be read. */
Bool cp_elf_identify(const HChar *path, ElfIdentity *identity);

/*
 * Finds the functions of the file. They come from its symbol table or, where it has none, from that
 * of its separate debug file, found by build-id, or from its dynamic symbol table; stubs come from
 * sections' names, and functions between all these from the unwind table. A symbol without a type,
 * as assembly has them, is a function if it is global or has a size. One begins at the program's
 * entry point, and at the start of each section.
 */
void cp_elf_functions(const HChar *path, const ElfIdentity *identity, ElfFunctions *functions);

/* The index of the last of the first n functions that begins at or before `address`; -1: none. */
Int cp_elf_find(const ElfFunctions *functions, UInt n, Addr address);

/* A symbol of data, or a section, as addresses of the file. */
typedef struct {
    Addr start;
    ULong size;
    const HChar *name;
    Bool is_section;
    UInt datum; /* of cp_data.c: its number there, from 1; 0: none yet */
} ElfPart;

typedef struct {
    UInt n_build_id;
    UChar build_id[CP_BUILD_ID_MAX];
    Addr first, end; /* what the file's segments take up */
    UInt n;
    ElfPart *items;
    UInt n_sections;
    ElfPart *sections; /* by rising start, as the symbols; without overlaps */
} ElfData;

/* Reads which data an ELF file has, and sets `address` to that of what stands at `offset`. False if
 * the `size` bytes there are no part of one segment. */
Bool cp_elf_data(const HChar *path, ULong offset, ULong size, ElfData *data, Addr *address);

/* The symbol that has the address, or else the section; NULL: neither. */
ElfPart *cp_elf_part(const ElfData *data, Addr address);

#endif
