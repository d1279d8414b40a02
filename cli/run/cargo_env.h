/*
 * cargo_env.h - the environment that cargo gives to a program that it runs: [env] of its
 * configuration, variables of the package, and those that a runner sets.
 */
#ifndef RUN_CARGO_ENV_H
#define RUN_CARGO_ENV_H

#include "run/program.h"

#include <jansson.h>

/* Adds to `environment` what `cargo run` would set for a program of this package, an element of the
 * metadata; the texts are the list's own. Says it where a runner is left out. */
void cargo_environment(const struct build_request *request, const json_t *package,
                       struct string_list *environment);

#endif
