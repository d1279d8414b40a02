#include <config.h>

#include "table/group_keys.h"

#include "base/array.h"
#include "base/memory.h"
#include "names/location.h"
#include "names/object_name.h"

#include <stdlib.h>
#include <string.h>

/* The owner of a map of shown paths: see find_files(). */
struct shown {
    char **paths;
};

static int equal_path(const void *owner, uint32_t index, const void *key)
{
    const struct shown *s = owner;

    return !strcmp(s->paths[index], key);
}

static void add_to(struct map *map, uint32_t hash, uint32_t index)
{
    if (map_add(map, hash, index) != 0)
        memory_die();
}

/* Finds, for each file, the first file that is shown alike: "/a/../b.rs" is "/b.rs". */
static uint32_t *find_files(const struct cprof_profile *p)
{
    uint32_t *files = xreallocarray(NULL, p->n_files, sizeof *files);
    struct shown shown = {xcalloc(p->n_files, sizeof *shown.paths)};
    struct map map = {.n_slots = 0};

    for (uint32_t i = 0; i < p->n_files; i++) {
        uint32_t hash;

        shown.paths[i] = location_path(p->files[i], NULL);
        hash = map_hash_bytes(shown.paths[i], strlen(shown.paths[i]), 0);
        files[i] = map_find(&map, hash, equal_path, &shown, shown.paths[i]);
        if (files[i] == MAP_NONE) {
            files[i] = i;
            add_to(&map, hash, i);
        }
    }
    for (uint32_t i = 0; i < p->n_files; i++)
        free(shown.paths[i]);
    free(shown.paths);
    map_release(&map);
    return files;
}

void group_keys_load(struct group_keys *k, const struct cprof_profile *profile,
                     const struct crates *crates, enum group_by by)
{
    *k = (struct group_keys){.profile = profile, .crates = crates, .by = by};
    k->files = find_files(profile);
}

void group_keys_free(struct group_keys *k)
{
    free(k->items);
    free(k->files);
    map_release(&k->map);
    *k = (struct group_keys){.n = 0};
}

static int equal_group(const void *owner, uint32_t index, const void *key)
{
    const struct group_keys *k = owner;

    return !memcmp(&k->items[index], key, sizeof *k->items);
}

static uint32_t intern(struct group_keys *k, struct group g)
{
    uint64_t key = map_mix(map_mix((uint64_t)g.file << 32 | g.line, g.crate), g.object);
    uint32_t hash = map_hash(key), index = map_find(&k->map, hash, equal_group, k, &g);

    if (index != MAP_NONE)
        return index;
    GROW(k->items, k->n, k->room);
    k->items[k->n] = g;
    add_to(&k->map, hash, k->n);
    return k->n++;
}

static uint32_t by_object(struct group_keys *k, uint32_t object)
{
    return intern(k, (struct group){CPROF_NONE, 0, CPROF_NONE, object});
}

/* The group of a file or line; code without a file belongs to its object. */
static uint32_t by_place(struct group_keys *k, uint32_t file, uint32_t line, uint32_t object)
{
    if (file == CPROF_NONE || !strcmp(k->profile->files[file], UNNAMED))
        return by_object(k, object);
    return intern(
        k, (struct group){k->files[file], k->by == GROUP_LINE ? line : 0, CPROF_NONE, CPROF_NONE});
}

static uint32_t by_function(struct group_keys *k, uint32_t function)
{
    if (k->by == GROUP_CRATE)
        return intern(k,
                      (struct group){CPROF_NONE, 0, k->crates->of_function[function], CPROF_NONE});
    return by_object(k, k->profile->functions[function].object);
}

static bool is_by_place(const struct group_keys *k)
{
    return k->by == GROUP_LINE || k->by == GROUP_FILE;
}

uint32_t group_of_cost(struct group_keys *k, const struct cprof_cost *cost)
{
    if (!is_by_place(k))
        return by_function(k, cost->function);
    return by_place(k, cost->file, cost->line, k->profile->functions[cost->function].object);
}

uint32_t group_of_context(struct group_keys *k, const struct cprof_context *c)
{
    const struct cprof_profile *p = k->profile;
    const struct cprof_function *parent;

    if (!is_by_place(k))
        return p->functions[c->function].object == CPROF_NONE ? CPROF_NONE
                                                              : by_function(k, c->function);
    if (c->parent == CPROF_NONE)
        return CPROF_NONE;
    parent = &p->functions[p->contexts[c->parent].function];
    if (parent->object == CPROF_NONE)
        return CPROF_NONE;
    if (c->site_file == CPROF_NONE && !c->site && !c->inlined)
        return CPROF_NONE;          /* a jump has left its place */
    if (c->site_file == CPROF_NONE) /* a call without a known line */
        return by_place(k, k->by == GROUP_FILE ? parent->file : CPROF_NONE, 0, parent->object);
    return by_place(k, c->site_file, c->site_line, parent->object);
}

uint32_t group_of_site(struct group_keys *k, const struct cprof_call *call)
{
    const struct cprof_function *caller = &k->profile->functions[call->caller];

    if (!is_by_place(k) || call->file == CPROF_NONE)
        return CPROF_NONE;
    return by_place(k, call->file, call->line, caller->object);
}
