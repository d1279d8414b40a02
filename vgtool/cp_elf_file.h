/*
 * cp_elf_file.h - inside of reading ELF files: an open file, for cp_elf.c and the other cp_elf_*.c.
 */
#ifndef CP_ELF_FILE_H
#define CP_ELF_FILE_H

#include "cp_elf.h"

typedef struct {
    UInt type, flags;
    ULong offset, vaddr, paddr, filesz, memsz, align;
} ProgramHeader;

typedef struct {
    UInt name, type;
    ULong flags, addr, offset, size;
    UInt link, info;
    ULong align, entsize;
} SectionHeader;

typedef struct {
    UInt name;
    UChar info, other;
    UShort shndx;
    ULong value, size;
} Symbol;

#define HEADER_SIZE     64
#define PT_LOAD         1
#define PT_NOTE         4
#define PT_GNU_EH_FRAME 0x6474e550
#define PF_X            1
#define ET_EXEC         2
#define ET_DYN          3
#define NT_BUILD_ID     3
#define SHT_SYMTAB      2
#define SHT_DYNSYM      11
#define SHF_ALLOC       2
#define SHF_EXECINSTR   4
#define STT_NOTYPE      0
#define STT_OBJECT      1
#define STT_FUNC        2
#define STT_GNU_IFUNC   10
#define STB_LOCAL       0
#define MAX_PHNUM       64
#define MAX_SHNUM       4096
#define MAX_TABLE \
    (1u << 30) /* bytes of a symbol or string table; a file with more is not believed */

typedef struct {
    Int fd;
    UChar header[HEADER_SIZE];
    UInt n_segments;
    ProgramHeader *segments;
    UInt n_sections;
    SectionHeader *sections;
    HChar *section_names;
    ULong n_section_names;
} Elf;

/* Reads `size` bytes at `offset` into new memory, with a NUL behind them. NULL: the file is
 * shorter. */
void *cp_elf_read(Int fd, ULong offset, ULong size);

/* Two bytes of the file's header, and eight. */
UShort cp_elf_short(const Elf *e, UInt at);
ULong cp_elf_long(const Elf *e, UInt at);

/* Opens the file and reads its program headers. */
Bool cp_elf_open(Elf *e, const HChar *path);
/* Opens "/usr/lib/debug/.build-id/ab/cdef….debug". */
Bool cp_elf_open_debug(const ElfIdentity *identity, Elf *e);
void cp_elf_close(Elf *e);

/* Reads the section headers. On failure there are no sections. */
void cp_elf_sections(Elf *e);
const HChar *cp_elf_section_name(const Elf *e, const SectionHeader *s);

/* Adds a function at the end of the list. */
void cp_elf_add(ElfFunctions *f, Addr start, Addr end, Bool transparent);

/* Adds the functions that .eh_frame describes, but for those that begin within one of the first
 * `known`, which are sorted and disjoint. One that begins where it says is at least as long as it
 * says. */
void cp_elf_add_unwind(const Elf *e, ElfFunctions *f, UInt known);

#endif
