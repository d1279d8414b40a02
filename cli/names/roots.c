#include <config.h>

#include "names/roots.h"

#include "cprof_internal.h"

#include <string.h>

bool root_is_thread(const struct cprof_function *f)
{
    static const char begin[] = "[thread";

    return f->object == CPROF_NONE && !strncmp(f->name, begin, sizeof begin - 1);
}

bool root_is_first_thread(const struct cprof_function *f)
{
    static const char begin[] = "[thread 1"; /* "]", or ": name]" */
    size_t size = sizeof begin - 1;

    return f->object == CPROF_NONE && !strncmp(f->name, begin, size) && f->name[size] &&
           strchr("]:", f->name[size]);
}

bool root_is_cut(const struct cprof_function *f)
{
    return f->object == CPROF_NONE && !strcmp(f->name, CPROF_STACK_CUT);
}
