/*
 * ranges [-o OBJECT] PROFILE EVENT [START SIZE]...: the sum of an event over the instructions at
 * START to START + SIZE (hexadecimal, as nm -S prints them), one line for each range; without
 * ranges, over all. Objects are those whose path ends with OBJECT, or all.
 */
#include <config.h>

#include "cprof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_in(const struct cprof_profile *profile, const struct cprof_cost *cost,
                 const char *object)
{
    const char *path = profile->objects[profile->functions[cost->function].object].path;
    return strlen(path) >= strlen(object) && !strcmp(path + strlen(path) - strlen(object), object);
}

static int64_t sum(const struct cprof_profile *profile, uint32_t event, const char *object,
                   uint64_t start, uint64_t size)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < profile->n_costs; i++)
        if (profile->costs[i].address - start < size && is_in(profile, &profile->costs[i], object))
            total += cprof_cost_values(profile, i)[event];
    return total;
}

int main(int argc, char **argv)
{
    struct cprof_error error = {0};
    const char *object = "";
    int option;
    while ((option = getopt(argc, argv, "o:")) == 'o')
        object = optarg;
    if (option != -1 || argc - optind < 2) {
        fprintf(stderr, "usage: ranges [-o OBJECT] PROFILE EVENT [START SIZE]...\n");
        return 2;
    }
    struct cprof_profile *profile = cprof_load(argv[optind], 0, &error);
    uint32_t event = profile ? cprof_find_event(profile, argv[optind + 1]) : CPROF_NONE;
    if (event == CPROF_NONE) {
        fprintf(stderr, "%s: %s\n", argv[optind], profile ? "no such event" : error.text);
        return 2;
    }
    if (optind + 2 == argc)
        printf("%" PRId64 "\n", sum(profile, event, object, 0, UINT64_MAX));
    for (int i = optind + 2; i + 1 < argc; i += 2)
        printf("%" PRId64 "\n", sum(profile, event, object, strtoull(argv[i], NULL, 16),
                                    strtoull(argv[i + 1], NULL, 16)));
    cprof_free(profile);
    return 0;
}
