/*
 * Types of an object, for shell tests: argv[1] is the object, and the rest names, each of a type,
 * or "@ADDRESS" of a static variable. For each it prints
 *
 *     NAME SIZE
 *     PATH OFFSET SIZE
 *
 * with a line for each member, "a.b" being one of member a; "NAME -" where there is none.
 */
#include <config.h>

#include "symbols/elf_file.h"
#include "symbols/type.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

static void put_member(const struct cprof_member *m, const char **around)
{
    around[m->depth] = m->name;
    for (uint32_t i = 0; i <= m->depth; i++)
        printf("%s%s", i ? "." : "", around[i]);
    printf(" %" PRIu64 " %" PRIu64 "\n", m->offset, m->size);
}

/* The types are those of the profile in their order; CPROF_NONE: not found. */
static void put_types(const struct cprof_profile *p, char **names, const uint32_t *types, int n)
{
    const char *around[DEPTH_MAX];

    for (int i = 0; i < n; i++) {
        const struct cprof_type *t = types[i] == CPROF_NONE ? NULL : &p->types[types[i]];

        if (!t) {
            printf("%s -\n", names[i]);
            continue;
        }
        printf("%s %" PRIu64 "\n", t->name, t->size);
        for (uint32_t k = 0; k < t->n_members; k++)
            put_member(&p->members[t->first_member + k], around);
    }
}

static bool find(struct debug_info *d, const char *name, Dwarf_Die *type)
{
    struct variable v = {.found = false};

    if (*name == '@') {
        v.address = strtoull(name + 1, NULL, 16);
        type_find_variables(d, &v, 1);
        *type = v.type;
        return v.found;
    }
    for (size_t i = 0; i < d->n_units; i++)
        if (type_find_named(d, &d->units[i].body, name, type))
            return true;
    return false;
}

int main(int argc, char **argv)
{
    struct cprof_error error = {.code = CPROF_OK};
    struct builder *b = builder_new(&error);
    struct elf_file elf;
    struct debug_info debug;
    struct type_reader reader = {.debug = &debug, .builder = b};
    struct cprof_profile *profile;
    uint32_t *types = calloc((size_t)argc, sizeof *types);

    if (argc < 2 || !b || !types || !elf_file_open(&elf, argv[1], NULL))
        return 2;
    debug_load(&debug, elf.dwarf, elf.dwz.dwarf);
    for (int i = 2; i < argc; i++) {
        Dwarf_Die type;

        types[i - 2] = find(&debug, argv[i], &type) ? type_describe(&reader, &type) : CPROF_NONE;
    }
    (void)builder_event(b, "Ir"); /* no profile is without */
    type_reader_free(&reader);
    debug_free(&debug);
    elf_file_close(&elf);
    profile = builder_finish(b);
    if (!profile)
        return 1;
    put_types(profile, argv + 2, types, argc - 2);
    cprof_free(profile);
    free(types);
    return 0;
}
