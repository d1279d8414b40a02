/*
 * generics.h - generic functions: all instances of one as one function.
 */
#ifndef DERIVE_GENERICS_H
#define DERIVE_GENERICS_H

#include "cprof.h"
#include "names/names.h"

/*
 * A copy of `p`, whose names are in full. The instances of a generic function or template are one
 * function there, with their number in `instances` and a name in `style`. Returns NULL with `error`
 * filled on failure.
 *
 * Instances of Rust's old mangling share a name, up to its hash. Others share the name without type
 * arguments, and the place of the declaration. Inclusive costs of folded functions come from the
 * paths, as those of inlined functions do (resolve.h).
 */
struct cprof_profile *generics_fold(const struct cprof_profile *p, enum name_style style,
                                    struct cprof_error *error);

#endif
