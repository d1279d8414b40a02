/*
 * resolve.h - from addresses to names: makes a profile with functions, files and lines of a raw
 * one.
 *
 * Debug information is read with elfutils from the objects themselves, found by path and checked by
 * build-id. For an address the function is, in this order: the symbol table's, the subprogram that
 * DWARF has there, the one whose beginning the unwind table gives ("libfoo.so+0x11a4"), "???". File
 * and line come from the line table. An object that is gone or has changed since the run keeps its
 * costs under "???".
 */
#ifndef MODEL_RESOLVE_H
#define MODEL_RESOLVE_H

#include "cprof.h"

/* What could be known of an object's names; worst first. */
enum name_quality {
    NAMES_MISSING, /* the file is gone, unreadable, or of another build than the one that ran */
    NAMES_NONE,    /* neither symbols nor debug information */
    NAMES_DYNAMIC, /* the dynamic symbol table only: exported functions */
    NAMES_SYMBOLS, /* the full symbol table, no lines */
    NAMES_LINES    /* lines too */
};

/*
 * A new profile, all costs of `raw` by (function, file, line, address), or NULL with `error`
 * filled. `qualities`, where not NULL, is an array of raw->n_objects that is filled. A profile that
 * has names already is copied unchanged.
 */
struct cprof_profile *resolve_profile(const struct cprof_profile *raw, enum name_quality *qualities,
                                      struct cprof_error *error);

#endif
