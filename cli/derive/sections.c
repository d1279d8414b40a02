#include <config.h>

#include "derive/sections.h"

#include "base/memory.h"
#include "derive/part.h"

#include <regex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t section_of(const struct cprof_profile *p, uint32_t function)
{
    static const char begin[] = "[section ";
    const struct cprof_function *f = &p->functions[function];
    size_t size = strlen(f->name);

    if (!p->n_sections || f->object != CPROF_NONE || strncmp(f->name, begin, sizeof begin - 1) != 0)
        return CPROF_NONE;
    for (uint32_t i = 0; i < p->n_sections; i++) {
        const char *name = p->sections[i].name;
        size_t length = strlen(name);

        if (size == sizeof begin + length && f->name[size - 1] == ']' &&
            !memcmp(f->name + sizeof begin - 1, name, length))
            return i;
    }
    return CPROF_NONE;
}

uint32_t *section_roots(const struct cprof_profile *p, size_t *n)
{
    uint32_t *roots = xcalloc(p->n_sections + (size_t)1, sizeof *roots);
    bool *seen = xcalloc(p->n_sections + (size_t)1, sizeof *seen);
    bool all = p->n_sections > 0;

    *n = 0;
    for (uint32_t i = 0; i < p->n_contexts && all; i++) {
        uint32_t section = CPROF_NONE;

        if (p->contexts[i].parent != CPROF_NONE)
            continue;
        section = section_of(p, p->contexts[i].function);
        all = section != CPROF_NONE;
        if (all && !seen[section]) {
            seen[section] = true;
            roots[(*n)++] = section;
        }
    }
    if (!all)
        *n = 0;
    free(seen);
    return roots;
}

static struct cprof_profile *fail(struct cprof_error *error, const struct cprof_profile *p,
                                  const char *format, ...) __attribute__((format(printf, 3, 4)));

static struct cprof_profile *fail(struct cprof_error *error, const struct cprof_profile *p,
                                  const char *format, ...)
{
    va_list arguments;

    *error = (struct cprof_error){.code = CPROF_ERROR_FOREIGN};
    snprintf(error->source, sizeof error->source, "%s", p->source ? p->source : "profile");
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return NULL;
}

/* Chooses the contexts of functions that are wanted, and all below them. */
static struct cprof_profile *choose(const struct cprof_profile *p, const bool *wanted,
                                    struct cprof_error *error)
{
    bool *chosen = xcalloc(p->n_contexts, sizeof *chosen);
    struct cprof_profile *part;

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        chosen[i] = wanted[c->function] || (c->parent != CPROF_NONE && chosen[c->parent]);
    }
    part = part_profile(p, chosen, error);
    free(chosen);
    return part;
}

struct cprof_profile *section_profile(const struct cprof_profile *p, const char *text,
                                      struct cprof_error *error)
{
    bool *wanted, any = false;
    struct cprof_profile *part = NULL;
    regex_t regex;

    if (!p->n_sections)
        return fail(error, p,
                    "no sections for --section; the program names them, by the crate "
                    "cprof or cprof-sections.h");
    if (!p->n_contexts)
        return fail(error, p,
                    "no call paths for --section; 'cargo cprof callgrind' and "
                    "'cachegrind --contexts' count them");
    if (regcomp(&regex, text, REG_EXTENDED | REG_NOSUB) != 0)
        return fail(error, p,
                    "--section takes an extended regular expression, which this is not: "
                    "%.80s",
                    text);
    wanted = xcalloc(p->n_functions, sizeof *wanted);
    for (uint32_t i = 0; i < p->n_functions; i++) {
        uint32_t section = section_of(p, i);

        wanted[i] =
            section != CPROF_NONE && !regexec(&regex, p->sections[section].name, 0, NULL, 0);
        any |= wanted[i];
    }
    regfree(&regex);
    if (any)
        part = choose(p, wanted, error);
    else
        fail(error, p, "no section that began matches '%.80s'; --view sections lists them", text);
    free(wanted);
    return part;
}
