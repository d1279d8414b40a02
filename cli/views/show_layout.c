#include <config.h>

#include "views/show_layout.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/strbuf.h"
#include "render/text/data_table.h"
#include "views/view_form.h"

#include <stdlib.h>
#include <string.h>

enum { TYPES_SHOWN = 8 };

bool show_layout_is_missing(const struct cprof_profile *p)
{
    uint64_t known = 0, unknown = 0;

    for (uint32_t i = 0; i < p->n_touches; i++) {
        const struct cprof_touch *touch = &p->touches[i];
        const struct cprof_datum *datum = &p->data[touch->datum];
        uint64_t misses = touch->misses[CPROF_D1MR] + touch->misses[CPROF_D1MW];

        if (datum->kind != CPROF_DATA_BLOCKS && datum->kind != CPROF_DATA_VARIABLE)
            continue;
        if (datum->type != CPROF_NONE && p->types[datum->type].size)
            known += misses;
        else
            unknown += misses;
    }
    return unknown > known;
}

static bool has_allocator(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (strstr(p->functions[i].name, "GlobalAlloc>::alloc"))
            return true;
    return false;
}

#define HOW                                                                                       \
    "fields of types are not known: 'cargo cprof data' builds with them (debug=2), unless it is " \
    "told to leave the build alone; for C and C++ build with -g, and name the type in the line "  \
    "that allocates: a cast, sizeof, new"

const char *show_layout_how(const struct cprof_profile *p)
{
    return has_allocator(p) ? HOW "; blocks of an allocator of the program's own (GlobalAlloc) may "
                                  "begin with something else, so theirs are not known"
                            : HOW;
}

/* "Particle, Node and 3 more", of types with members; the caller frees it. */
static char *names_of(const struct cprof_profile *p, const uint32_t *types, size_t n)
{
    struct strbuf text = {NULL, 0, 0};

    for (size_t i = 0; i < n && i < TYPES_SHOWN; i++)
        strbuf_add_item(&text, ", ", p->types[types[i]].name);
    if (n > TYPES_SHOWN)
        strbuf_addf(&text, " and %s more", TEXT_COUNT(n - TYPES_SHOWN));
    return strbuf_take(&text);
}

static bool has_no_members(const struct cprof_profile *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_types; i++)
        if (!p->types[i].n_members && !strcmp(p->types[i].name, name))
            return true;
    return false;
}

/* The error where no type is called so: those that there are, most misses first. */
static int fail_unknown(const struct cprof_profile *p, const char *name)
{
    size_t n;
    uint32_t *types = type_rows_find(p, NULL, &n);
    char *names = names_of(p, types, n);
    int status;

    if (show_layout_is_missing(p))
        status = message_error("no type '%s' in '%s': %s", name, p->source, show_layout_how(p));
    else if (!n)
        status = message_error("no type '%s' in '%s': no data of a type with members missed", name,
                               p->source);
    else if (has_no_members(p, name))
        status =
            message_error("type '%s' in '%s' has no members; types that have some, and missed: %s",
                          name, p->source, names);
    else
        status = message_error("no data of type '%s' missed in '%s'; of these it did: %s", name,
                               p->source, names);
    free(names);
    free(types);
    return status;
}

int show_layout_find(const struct cprof_profile *p, const char *name, uint32_t *type)
{
    size_t n;
    uint32_t *types = type_rows_find(p, name, &n);
    int status = 0;

    if (n == 1) {
        *type = types[0];
    } else if (n) {
        char *names = names_of(p, types, n);

        status = message_error("'%s' is several types; take one of: %s", name, names);
        free(names);
    } else {
        status = fail_unknown(p, name);
    }
    free(types);
    return status;
}

static void write(const struct view_input *m, struct next_views *next,
                  const struct show_screen *screen, FILE *out)
{
    struct text_screen grid;
    struct type_rows rows;
    uint32_t type;

    (void)next;
    if (show_layout_find(m->profile, m->settings->layout, &type) != 0)
        return; /* show_write() has found it before */
    type_rows_load(&rows, type, m->callers);
    type_table_write(&rows, show_text_with_links(&grid, screen, m->links), out);
    type_rows_free(&rows);
}

const struct view_form layout_form = {.write = write};
