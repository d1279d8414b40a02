/*
 * dwz.h - the file that DIEs and strings of several programs were moved to, as dwz does: it
 * is named by .gnu_debugaltlink, or in DWARF 5 by .debug_sup.
 */
#ifndef SYMBOLS_DWZ_H
#define SYMBOLS_DWZ_H

#include <gelf.h>
#include <elfutils/libdw.h>

enum alternate_state {
    ALTERNATE_NONE,  /* all is in one file */
    ALTERNATE_FOUND, /* libdw has it, and follows references to it */
    ALTERNATE_GONE,  /* there is none of that name and identity */
    ALTERNATE_UNSAFE /* something else has the name (a FIFO); libdw would open it and wait */
};

struct alternate {
    int fd; /* -1: not open */
    Elf *elf;
    Dwarf *dwarf;
};

/* Finds the alternate file of `dwarf`, which was read from the file at `path`, and hands it to
 * libdw. It has to stay open as long as `dwarf`. */
enum alternate_state alternate_open(struct alternate *a, Dwarf *dwarf, const char *path);
void alternate_close(struct alternate *a);

#endif
