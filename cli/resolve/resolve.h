/*
 * resolve.h - from addresses to names: a profile with functions, files and lines is made of a raw
 * one.
 *
 * Debug information is read with elfutils from the objects themselves, found by path and checked by
 * build-id. For an address the function is, in this order: the symbol table's, the subprogram that
 * DWARF has there, the one whose beginning the unwind table gives ("libfoo.so+0x11a4"), "???". File
 * and line come from the line table. An object that is gone or has changed since the run keeps its
 * costs under "???".
 *
 * Functions that were inlined at an address are functions like any other: the cost belongs to the
 * innermost. Each context is followed by contexts of the functions that were inlined there,
 * outermost first (struct cprof_context, `inlined`); calls that inlined code makes hang under its
 * context. The function that another was inlined into has a call edge to it without a number of
 * calls. The sum of all costs is the same with and without.
 *
 * Inclusive costs of a function of the run that has no inlined copies, and a name of its own, are
 * the profile's own. Those of other functions (inlined somewhere, or several of the run in one,
 * such as "???") are the costs of all paths below the outermost occurrence of the function in each
 * path. Where recursion is folded this may be too little: a call that leads back to a context above
 * the function leaves its path, though not its time. Wherever this may have happened the count is
 * marked as a lower bound. It is at least the cost of the most expensive call of the function, and
 * never too much, since all functions of a folded path are on the stack.
 */
#ifndef RESOLVE_RESOLVE_H
#define RESOLVE_RESOLVE_H

#include "cprof.h"
#include "names/name_forms.h"
#include "names/names.h"

#include <stdbool.h>

/* The settings of resolving; all zero is the usual. */
struct resolve_settings {
    bool no_inlines;     /* inlined code belongs to the function whose symbol covers it */
    bool fold_generics;  /* all instances of a generic function are one */
    int style;           /* enum name_style */
    const char *section; /* only what ran in sections that match this regex; NULL: all */
    /* Costs of contexts have lines but no addresses; those of the profile have both. A large
     * profile takes a fraction of the memory and time. Not with fold_generics, which looks at
     * addresses. */
    bool brief_contexts;
    /* Without call paths, find what was inlined where: profile_paths() has it. Not with
     * fold_generics.
     */
    bool inlined_contexts;
    bool whole_stacks; /* samples keep recursion in their call paths (short_paths.h) */
};

/*
 * A new profile, all costs of `raw` by (function, file, line, address), or NULL with `error`
 * filled. `settings` may be NULL. `qualities`, where not NULL, is an array of raw->n_objects that
 * is filled. A profile that has names already keeps them, in the style that is asked for.
 */
struct cprof_profile *resolve_profile(const struct cprof_profile *raw,
                                      const struct resolve_settings *settings,
                                      enum name_quality *qualities, struct cprof_error *error);

/* Names a profile that has names as `settings` (may be NULL) say, which is part of
 * resolve_profile(). Takes over `profile`; NULL with `error` filled on failure, or of NULL. */
struct cprof_profile *resolve_names(struct cprof_profile *profile,
                                    const struct resolve_settings *settings,
                                    struct cprof_error *error);

#endif
