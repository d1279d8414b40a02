/*
 * target.h - which target of a workspace is meant, by cargo's own rules.
 */
#ifndef RUN_TARGET_H
#define RUN_TARGET_H

#include "run/cargo.h"

/* Fills `target`, which borrows from `metadata`. Returns 0, or STATUS_ERROR after having said what
 * there is to choose from. */
int target_choose(const struct build_request *request, const json_t *metadata,
                  struct cargo_target *target);

#endif
