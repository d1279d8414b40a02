#include <config.h>

#include "names/full_name.h"

#include "names/demangle.h"

#include <stdlib.h>

struct full_name full_name_of(const struct cprof_function *f)
{
    char *text = f->mangled ? NULL : demangle(f->name);

    return (struct full_name){.linkage = f->mangled ? f->mangled : f->name,
                              .text = text ? text : f->name,
                              .demangled = text != NULL};
}

struct full_name full_name_anew(const struct cprof_function *f)
{
    char *text = f->mangled ? demangle(f->mangled) : NULL;

    if (!text)
        return full_name_of(f);
    return (struct full_name){.linkage = f->mangled, .text = text, .demangled = true};
}

void full_name_free(struct full_name *name)
{
    if (name->demangled)
        free((char *)name->text);
    *name = (struct full_name){.text = NULL};
}
