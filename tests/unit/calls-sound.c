/*
 * Names the files (arguments) whose inclusive costs or calls contradict their call paths, for shell
 * tests: "FILE: FUNCTION: FAULT", and at the end how many were looked at. What is no profile is
 * passed over.
 */
#include <config.h>

#include "calls/sound.h"
#include "resolve/resolve.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    static const char *const faults[] = {
        [SOUND_COSTS_TOTAL] = "costs more than the program",
        [SOUND_COSTS_PATHS] = "costs more than its paths",
        [SOUND_CALLS] = "calls differ",
    };
    unsigned n = 0;

    for (int i = 1; i < argc; i++) {
        struct cprof_error error = {.code = CPROF_OK};
        struct cprof_profile *raw = cprof_load(argv[i], 0, &error), *named;
        enum sound_fault fault;
        uint32_t function;

        named = raw ? resolve_profile(raw, NULL, NULL, &error) : NULL;
        if (named) {
            fault = sound_check(named, &function);
            if (fault != SOUND)
                printf("%s: %s: %s\n", argv[i], named->functions[function].name, faults[fault]);
            n++;
        }
        cprof_free(raw);
        cprof_free(named);
    }
    printf("%u\n", n);
    return 0;
}
