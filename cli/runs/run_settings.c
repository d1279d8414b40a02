#include <config.h>

#include "runs/run_settings.h"

int run_program(const struct run_settings *s, const struct program *program, char **arguments,
                const struct tempdir *dir, struct run_outcome *outcome)
{
    return s->sampling.on
               ? sampling_run(program, arguments, &s->sampling, &s->measure, dir, outcome)
               : valgrind_run(program, arguments, &s->measure, dir, outcome);
}
