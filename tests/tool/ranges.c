/*
 * ranges PROFILE EVENT [START SIZE]...: the sum of an event over instructions at START to START +
 * SIZE (hexadecimal, as nm -S prints them), in whatever object, one line for each range; without
 * ranges, over the whole profile.
 */
#include "cprof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct cprof_error error;
    struct cprof_profile *profile = argc > 2 ? cprof_load(argv[1], 0, &error) : NULL;
    uint32_t event = profile ? cprof_find_event(profile, argv[2]) : CPROF_NONE;
    if (event == CPROF_NONE) {
        fprintf(stderr, "usage: ranges PROFILE EVENT [START SIZE]...: no such profile or event\n");
        return 2;
    }
    if (argc == 3)
        printf("%" PRId64 "\n", profile->totals[event]);
    for (int i = 3; i + 1 < argc; i += 2) {
        uint64_t start = strtoull(argv[i], NULL, 16), size = strtoull(argv[i + 1], NULL, 16);
        int64_t sum = 0;
        for (uint32_t c = 0; c < profile->n_costs; c++)
            if (profile->costs[c].address - start < size)
                sum += cprof_cost_values(profile, c)[event];
        printf("%" PRId64 "\n", sum);
    }
    cprof_free(profile);
    return 0;
}
