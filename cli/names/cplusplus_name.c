#include <config.h>

#include "names/cplusplus_name.h"

#include "names/name_forms.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The forms of C++'s names: Rust's have more. */
static const enum name_form forms[] = {NAME_NO_PARAMETERS, NAME_NO_TYPES, NAME_NO_ARGUMENTS};

/* Names of C and of most other languages have no paths, those of Rust no parameters. */
static bool is_long_path(const char *name)
{
    return strlen(name) > CPLUSPLUS_SHORT && strstr(name, "::") && strchr(name, '(');
}

char *cplusplus_short_name(const char *name)
{
    char *shorter = is_long_path(name) ? name_form(name, forms[0]) : NULL;

    if (!shorter || !strcmp(shorter, name)) {
        free(shorter);
        return NULL;
    }
    for (size_t i = 1; i < sizeof forms / sizeof *forms && strlen(shorter) > CPLUSPLUS_SHORT; i++) {
        free(shorter);
        shorter = name_form(name, forms[i]);
    }
    return shorter;
}
