/*
 * elf_file.h - an object file as the resolver reads it: the ELF file that ran, and where its
 * symbols and debug information are.
 *
 * Both may be in a separate file (/usr/lib/debug/.build-id, .gnu_debuglink), which is found by
 * hand: nothing is ever fetched over a network. A profile's text names the files, so they may be
 * anything. Parts that cannot be read are absent.
 */
#ifndef SYMBOLS_ELF_FILE_H
#define SYMBOLS_ELF_FILE_H

#include "symbols/debug_files.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdbool.h>

/* Where distributions keep debug files. */
#define DEBUG_ROOT "/usr/lib/debug"

/* An ELF file in memory, made of what is packed within another one. */
struct elf_image {
    Elf *elf; /* NULL: there is none */
    char *bytes;
    size_t mapped; /* bytes of them, by mmap(); 0: they are malloc()'s */
};

struct elf_file {
    int fd, debug_fd;          /* -1: not open */
    Elf *elf;                  /* the object itself */
    Elf *debug;                /* its separate debug file, or NULL */
    char *debug_path;          /* of that */
    struct elf_image symbols;  /* symbols that the object has packed, where no others are */
    struct elf_image unpacked; /* the one with debug information, where sections were packed */
    Dwarf *dwarf;              /* of the one that has debug information, or NULL */
    struct dwz_file dwz;       /* what that refers to */
    enum dwz_state dwz_state;
    struct dwp *dwp; /* units that were split off from it, or NULL */
    bool damaged;    /* there is debug information that cannot be read */
};

/*
 * Opens the ELF file at `path`. With `build_id` (lower-case hex) it must be the file of that build;
 * NULL checks nothing. Where it is not, the file that perf kept of that build is opened. Returns
 * false, with nothing to close, where the file is gone, no ELF file, or of another build.
 */
bool elf_file_open(struct elf_file *f, const char *path, const char *build_id);
void elf_file_close(struct elf_file *f);

/* Opens an ELF file for reading; -1 where there is no such regular file (a FIFO would block for
 * ever). */
int elf_file_open_plain(const char *path, Elf **elf);
/* `size` bytes in lower-case hex, for the caller to free. */
char *elf_file_hex(const void *bytes, size_t size);
/* The build-id in hex, for the caller to free, or NULL. */
char *elf_file_build_id(Elf *elf);

/* The section called `name` of `elf` that has contents, with its header in `header`; NULL: there is
 * none. */
Elf_Scn *elf_file_section(Elf *elf, const char *name, GElf_Shdr *header);

/* True where it has a table of symbols that is not the dynamic linker's; `elf` may be NULL. */
bool elf_file_has_symbols(Elf *elf);
/* The segment whose executable code has the address; false: none. A debug file has segments, too.
 */
bool elf_file_code_segment(Elf *elf, uint64_t address, GElf_Phdr *segment);
/* Calls `each` for all symbols with a name in the table of type `type`; `elf` may be NULL. */
typedef void elf_file_symbol(void *data, Elf *elf, const GElf_Sym *symbol, const char *name);
void elf_file_each_symbol(Elf *elf, GElf_Word type, elf_file_symbol *each, void *data);
/* The file in memory, where pages that nobody reads take none, to be written to for us alone, with
 * `more` bytes behind it: munmap() afterwards. NULL: failed. */
char *elf_file_map(int fd, size_t size, size_t more);

/* True if `is` is true of a library that the file needs, as its dynamic section names it. */
bool elf_file_needs(Elf *elf, bool (*is)(const void *data, const char *library), const void *data);
/* The program that loads the file's libraries, in the file's own memory; NULL: there is none. */
const char *elf_file_interpreter(Elf *elf);

#endif
