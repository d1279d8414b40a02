/*
 * subject.h - what a profile is shown as first, wherever it is shown.
 */
#ifndef TABLE_SUBJECT_H
#define TABLE_SUBJECT_H

#include "cprof.h"

/* The subject of the run, as far as the profile has what it is about; else its code. */
enum cprof_subject subject_of(const struct cprof_profile *profile);

#endif
