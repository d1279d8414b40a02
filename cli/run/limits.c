#include <config.h>

#include "run/limits.h"

#include <stddef.h>
#include <sys/resource.h>

const char *limits_advice(const char *otherwise)
{
    /* The least of each is twice what a run of /bin/true takes. */
    static const struct {
        int resource;
        rlim_t least;
        const char *advice;
    } limits[] = {
        {RLIMIT_NOFILE, 32, "raise the limit of open files (ulimit -n 1024)"},
        {RLIMIT_AS, 1 << 30,
         "raise the limit of memory (ulimit -v): a run takes half a GB and what the program takes"},
        {RLIMIT_DATA, 1 << 30,
         "raise the limit of data (ulimit -d): a run takes half a GB and what the program takes"},
    };
    struct rlimit limit;

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (getrlimit(limits[i].resource, &limit) == 0 && limit.rlim_cur < limits[i].least)
            return limits[i].advice;
    return otherwise;
}
