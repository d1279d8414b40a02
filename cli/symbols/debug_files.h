/*
 * debug_files.h - DWARF packages: units that were split off, all in one file
 * (split-debuginfo=packed, dwp). libdw of Debian 12 does not know them, so each unit is given to it
 * as a file of its own.
 */
#ifndef SYMBOLS_DEBUG_FILES_H
#define SYMBOLS_DEBUG_FILES_H

#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdbool.h>

struct dwp;

/* The package beside the object at `path`, "NAME.dwp"; NULL: there is none that can be read. */
struct dwp *dwp_open(const char *path);
void dwp_close(struct dwp *dwp);
/* Finds the unit that was split off from the skeleton `die` (DWARF 5), whose file stays open until
 * dwp_close(). Returns false where it is not in the package. */
bool dwp_find(struct dwp *dwp, Dwarf_Die *die, Dwarf_Die *body);

/*--- Supplementary files ---*/

/*
 * The file that dwz moves DIEs and strings of several programs to (DWARF calls it the
 * supplementary file). .gnu_debugaltlink names it, or .debug_sup in DWARF 5.
 */

enum dwz_state {
    DWZ_NONE,  /* all is in one file */
    DWZ_FOUND, /* libdw has it, and follows references to it */
    DWZ_GONE,  /* there is none of that name and identity */
    DWZ_UNSAFE /* something else has the name (a FIFO); libdw would open it and wait */
};

struct dwz_file {
    int fd; /* -1: not open */
    Elf *elf;
    Dwarf *dwarf;
};

/* Finds the dwz file of `dwarf`, which was read from the file at `path`, and hands it to
 * libdw. It has to stay open as long as `dwarf`. */
enum dwz_state dwz_open(struct dwz_file *a, Dwarf *dwarf, const char *path);
void dwz_close(struct dwz_file *a);

#endif
