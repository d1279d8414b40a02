/*
 * size_run.h - one run of the program at one size under the tool, and what each function cost.
 */
#ifndef SCALE_SIZE_RUN_H
#define SCALE_SIZE_RUN_H

#include "bench/harness.h"
#include "resolve/resolve.h"
#include "run/input.h"
#include "run/measure.h"
#include "run/program.h"

#include <jansson.h>
#include <stdint.h>

struct size_run {
    const struct program *program; /* its packages say which code is own */
    const struct harness *harness; /* its bench is named by the first argument; NULL: none */
    char *const *arguments;        /* with {n}; NULL-terminated, or NULL */
    const char *input_file;        /* --stdin: with {n} in its name, or else in its text; or NULL */
    const char *input_command;     /* --stdin-from: a command for the shell, with {n}; or NULL */
    const struct measure *measure;
    const char *inclusive; /* the inclusive count whose parts are wanted; NULL: none */
    const struct resolve_settings *names;
    unsigned seconds;          /* of a processor, after which the run is ended; 0: never */
    const struct input *input; /* where there is no other */
};

/*
 * Runs it, in a process of its own whose standard input it may change. The object for the caller to
 * decref:
 *
 *     {"status": 0,                     as a shell counts
 *      "ended": true,                   a signal that we were sent has ended it; may be absent
 *      "events": ["Ir"], "inclusive": true,
 *      "seconds": 1.5,                  of processors that it took, with its names
 *      "totals": [1234],                as those of rows
 *      "functions": [{"name": "a::f", "key": "...", "file": "src/a.rs", "line": 3,
 *                     "object": "/bin/a", "counts": [1000]}],
 *      "own": [...]}                    functions of own code, and what is outside of it
 *
 * Counts are those of rows.h, calls with copies that were entered; own code has what it is charged
 * with in place of its own costs, and its costliest line. Of a bench all is without its harness;
 * "whole": true, which may be absent: the harness's loop was not found, and all is counted.
 * "jumps": true, which may be absent: it copies bytes by libc, one by one where they are many. The
 * key tells functions of one name apart. NULL after having said why there is no profile.
 */
json_t *size_run(const struct size_run *run, int64_t size);

#endif
