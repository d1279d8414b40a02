/*
 * dwz.h - the file that dwz moves DIEs and strings of several programs to (DWARF calls it the
 * supplementary file). .gnu_debugaltlink names it, or .debug_sup in DWARF 5.
 */
#ifndef SYMBOLS_DWZ_H
#define SYMBOLS_DWZ_H

#include <elfutils/libdw.h>
#include <gelf.h>

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
