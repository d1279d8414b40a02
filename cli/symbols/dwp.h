/*
 * dwp.h - DWARF packages: units that were split off, all in one file (split-debuginfo=packed,
 * dwp). libdw of Debian 12 does not know them, so each unit is given to it as a file of its own.
 */
#ifndef SYMBOLS_DWP_H
#define SYMBOLS_DWP_H

#include <elfutils/libdw.h>
#include <stdbool.h>

struct dwp;

/* The package beside the object at `path`, "NAME.dwp"; NULL: there is none that can be read. */
struct dwp *dwp_open(const char *path);
void dwp_close(struct dwp *dwp);
/* Finds the unit that was split off from the skeleton `die` (DWARF 5), whose file stays open until
 * dwp_close(). Returns false where it is not in the package. */
bool dwp_find(struct dwp *dwp, Dwarf_Die *die, Dwarf_Die *body);

#endif
