#include <config.h>

#include "table/fields.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/strbuf.h"
#include "names/rust_name.h"

#include <stdlib.h>
#include <string.h>

/* Members that share bytes are named up to this number. */
enum { SHARED_SHOWN = 3 };

/* Members in members. */
enum { DEPTH_MAX = 64 };

/*--- Fields ---*/

/* "pos.x" */
static char *path_of(const struct cprof_member *const *around, uint32_t depth)
{
    struct strbuf text = {NULL, 0, 0};

    for (uint32_t i = 0; i <= depth; i++)
        strbuf_add_item(&text, ".", around[i]->name);
    return strbuf_take(&text);
}

static void join(struct field *field, char *name, unsigned n_shared)
{
    char *both = n_shared < SHARED_SHOWN    ? xasprintf("%s|%s", field->name, name)
                 : n_shared == SHARED_SHOWN ? xasprintf("%s|..", field->name)
                                            : xstrdup(field->name);

    free(field->name);
    free(name);
    field->name = both;
}

/* A member without members; it shares bytes with the field before it where it begins in that. */
static void add(struct fields *f, const struct cprof_member *m, char *path, uint32_t root,
                unsigned *n_shared)
{
    struct field *last = f->n ? &f->items[f->n - 1] : NULL;

    if (last && m->offset < last->offset + last->size) {
        uint64_t end = m->offset + m->size, its = last->offset + last->size;

        last->size = (end > its ? end : its) - last->offset;
        join(last, path, ++*n_shared - 1);
        return;
    }
    *n_shared = 1;
    f->items[f->n++] = (struct field){.name = path,
                                      .type = m->type ? fields_type_name(m->type) : NULL,
                                      .root = root,
                                      .offset = m->offset,
                                      .size = m->size};
}

/* A leaf with all that is around it. */
struct leaf {
    const struct cprof_member *member;
    char *path;
    uint32_t root;
};

static int by_offset(const void *a, const void *b)
{
    const struct leaf *x = a, *y = b;

    if (x->member->offset != y->member->offset)
        return x->member->offset < y->member->offset ? -1 : 1;
    return x->member < y->member ? -1 : x->member > y->member;
}

/* Finds the members of `type` that have no members, and some bytes. Returns how many there are. */
static size_t find_leaves(const struct cprof_profile *p, const struct cprof_type *type,
                          struct leaf *leaves)
{
    const struct cprof_member *around[DEPTH_MAX];
    uint32_t end = type->first_member + type->n_members, root = type->first_member;
    size_t n = 0;

    for (uint32_t i = type->first_member; i < end; i++) {
        const struct cprof_member *m = &p->members[i];
        bool is_leaf = i + 1 == end || p->members[i + 1].depth <= m->depth;

        if (m->depth >= DEPTH_MAX)
            continue;
        if (!m->depth)
            root = i;
        around[m->depth] = m;
        if (is_leaf && m->size)
            leaves[n++] = (struct leaf){m, path_of(around, m->depth), root};
    }
    return n;
}

void fields_load(struct fields *f, const struct cprof_profile *p, uint32_t index)
{
    const struct cprof_type *type = &p->types[index];
    struct leaf *leaves = xcalloc(type->n_members + (size_t)1, sizeof *leaves);
    size_t n = find_leaves(p, type, leaves);
    unsigned n_shared = 0;

    sort_items(leaves, n, sizeof *leaves, by_offset);
    *f = (struct fields){.size = type->size};
    f->items = xcalloc(n + 1, sizeof *f->items);
    for (size_t i = 0; i < n; i++)
        add(f, leaves[i].member, leaves[i].path, leaves[i].root, &n_shared);
    free(leaves);
}

void fields_free(struct fields *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->items[i].name);
        free(f->items[i].type);
    }
    free(f->items);
    *f = (struct fields){.n = 0};
}

struct fields *fields_load_all(const struct cprof_profile *p)
{
    struct fields *all = xcalloc(p->n_types + (size_t)1, sizeof *all);

    for (uint32_t i = 0; i < p->n_types; i++)
        fields_load(&all[i], p, i);
    return all;
}

void fields_free_all(struct fields *all, const struct cprof_profile *p)
{
    for (uint32_t i = 0; all && i < p->n_types; i++)
        fields_free(&all[i]);
    free(all);
}

size_t fields_find(const struct fields *f, uint64_t offset)
{
    for (size_t i = 0; i < f->n; i++)
        if (offset >= f->items[i].offset && offset - f->items[i].offset < f->items[i].size)
            return i;
    return FIELD_NONE;
}

/* The length of "pos." in "pos.x" and "pos.y": what both begin with, up to a point. */
static size_t common_path(const char *a, const char *b)
{
    size_t length = 0;

    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '.')
            length = i + 1;
    return length;
}

/* Tells whether the field, if it is one, is beside what has a path of this length. */
static bool is_beside(const struct fields *f, size_t field, const char *path, size_t length)
{
    return field >= f->n || common_path(f->items[field].name, path) < length;
}

char *fields_name(const struct fields *f, size_t first, size_t last)
{
    const char *begin = f->items[first].name, *end = f->items[last].name;
    size_t length = common_path(begin, end);

    if (first == last)
        return xstrdup(begin);
    if (length && is_beside(f, first - 1, begin, length) && is_beside(f, last + 1, begin, length))
        return xstrndup(begin, length - 1);
    return xasprintf("%s..%s", begin, end);
}

/*--- Touches ---*/

/* Rust's hash tables have a byte for each element behind the elements, in the same block: code that
 * reads these reads no field. */
static bool is_beside_elements(const char *function)
{
    return strstr(function, "_mm_load") || strstr(function, "hashbrown::control") ||
           strstr(function, "RawTableInner");
}

/* The last field that an access of so many bytes reaches, from the place that is in `first`; one
 * that goes on in the next element reaches all. */
static size_t last_reached(const struct fields *f, size_t first, uint64_t place, uint64_t size)
{
    size_t last = first;

    while (last + 1 < f->n && f->items[last + 1].offset - place < size)
        last++;
    return last;
}

size_t fields_of_touch(const struct fields *f, const struct cprof_profile *p,
                       const struct cprof_touch *touch, size_t *last)
{
    const struct cprof_datum *d = &p->data[touch->datum];
    size_t first;
    bool is_array = d->kind == CPROF_DATA_VARIABLE && f->size && d->size % f->size == 0;

    if (!f->n || touch->stride % f->size)
        return FIELD_NONE;
    /* One place beyond an element may be behind all elements. */
    if (!touch->stride && touch->least >= f->size && !is_array)
        return FIELD_NONE;
    if (p->types[d->type].reordered && is_beside_elements(p->functions[touch->place.function].name))
        return FIELD_NONE;
    first = fields_find(f, touch->least % f->size);
    if (last)
        *last = first == FIELD_NONE ? FIELD_NONE
                                    : last_reached(f, first, touch->least % f->size, touch->size);
    return first;
}

char *fields_type_name(const char *name)
{
    return rust_short_arguments(name);
}

bool fields_are_own(const struct cprof_profile *p, uint32_t type)
{
    static const char *const library[] = {
        "alloc::", "core::", "std::", "hashbrown::", "__gnu_cxx::"};

    for (size_t i = 0; i < sizeof library / sizeof *library; i++)
        if (!strncmp(p->types[type].name, library[i], strlen(library[i])))
            return false;
    return p->types[type].size && p->types[type].n_members;
}
