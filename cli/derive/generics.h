/*
 * generics.h - all instances of one generic function as one function.
 */
#ifndef DERIVE_GENERICS_H
#define DERIVE_GENERICS_H

#include "cprof.h"
#include "names/names.h"

/*
 * A copy of `p`, whose names are in full, in which the instances of a generic function or template
 * are one with their number in `instances` and a name in `style`; or NULL with `error` filled.
 *
 * Instances of Rust's old mangling share a name, up to its hash; others have the same name, type
 * arguments aside, and are declared at the same place. Inclusive costs of what was folded come from
 * the paths, as those of inlined functions do (resolve.h).
 */
struct cprof_profile *generics_fold(const struct cprof_profile *p, enum name_style style,
                                    struct cprof_error *error);

#endif
