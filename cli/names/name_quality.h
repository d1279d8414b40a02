/*
 * name_quality.h - how much is known of the names of an object.
 */
#ifndef NAMES_NAME_QUALITY_H
#define NAMES_NAME_QUALITY_H

/* The knowledge of an object's names. */
enum name_quality {
    NAMES_MISSING, /* the file is gone, unreadable, or of another build than the one that ran */
    NAMES_NONE,    /* neither symbols nor debug information */
    NAMES_DYNAMIC, /* the dynamic symbol table only: exported functions */
    NAMES_SYMBOLS, /* the full symbol table, no lines */
    NAMES_LINES,   /* lines too, and inlined functions where debug information has them */
    NAMES_SHORT,   /* the same; but inlined functions have short names: only lines were asked for */
    NAMES_SPLIT, /* lines; but functions are in a .dwo or .dwp file that is not there or not read */
    NAMES_DWZ,   /* some are in a dwz file that is not there: see dwz.h */
    NAMES_DAMAGED, /* debug information is there, and cannot be read, or not all of it */
    NAMES_KEPT /* as NAMES_MISSING, but the run has kept the names that symbols gave; no lines */
};

#endif
