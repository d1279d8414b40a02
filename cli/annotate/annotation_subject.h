/*
 * annotation_subject.h - the functions and files that an annotation is about.
 */
#ifndef ANNOTATE_ANNOTATION_SUBJECT_H
#define ANNOTATE_ANNOTATION_SUBJECT_H

#include "cprof.h"
#include "names/crates.h"
#include "table/rows.h"

#include <stdbool.h>
#include <stddef.h>

/* The functions and files whose costs are shown. annotation_load() borrows both arrays while it
 * runs. */
struct annotation_subject {
    const bool *functions; /* one for each function of the profile; NULL: all functions */
    const bool *files; /* one for each file: only lines of these; NULL: lines of all files, and of
                          unknown ones */
    bool inlined;      /* find inlined calls, too; needs `functions` */
    bool callees;      /* find costs with callees, too */
    const bool *focus; /* one for each file: lines of these are chosen by cost with callees; NULL:
                          all. A whole program calls nothing, so that its own files matter. */
    const struct crates *crates; /* lines of derived code are charged with nothing; NULL: those of
                                    any code are */
};

/* Returns true for a cost of the subject. */
static inline bool annotation_has(const struct annotation_subject *subject,
                                  const struct cprof_cost *cost)
{
    return (!subject->functions || subject->functions[cost->function]) &&
           (!subject->files || (cost->file != CPROF_NONE && subject->files[cost->file]));
}

/*
 * The functions of a row, as an array for annotation_subject: one, but in a cachegrind file all of
 * that name, since it books inlined code to a "function" for each source file. The caller frees it.
 */
bool *annotation_functions(const struct cprof_profile *profile, const struct row *row);

/*
 * Finds the files that `text` stands for: the one with this path (the profile's, or that of
 * location_path()), or else those whose path ends with it, from a '/' on. Returns their number,
 * where files that are shown alike count as one. `*files` is an array for annotation_subject, which
 * the caller always frees.
 */
size_t annotation_files(const struct cprof_profile *profile, const char *text, const char *root,
                        bool **files);

#endif
