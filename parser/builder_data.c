#include <config.h>

/* Sections, arguments of functions, types, and data that misses. */
#include "builder_private.h"
#include "cprof_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*--- Sections and arguments ---*/

/* A section's name is all of its identity. */
uint32_t builder_section(struct builder *b, const char *name)
{
    const struct section_sums *sums = b->sections.data;
    struct section_sums new = {.public = {.name = NULL}};

    if (builder_failed(b) || !(name = builder_text(b, name, strlen(name))))
        return CPROF_NONE;
    for (uint32_t i = 0; i < b->sections.count; i++)
        if (sums[i].public.name == name)
            return i;
    new.public.name = name;
    return builder_add(b, &b->sections, &new, sizeof new) ? CPROF_NONE
                                                          : (uint32_t)b->sections.count - 1;
}

static struct section_sums *section_at(struct builder *b, uint32_t section)
{
    if (builder_failed(b))
        return NULL;
    assert(section < b->sections.count);
    return (struct section_sums *)b->sections.data + section;
}

const char *builder_section_name(const struct builder *b, uint32_t section)
{
    return ((const struct section_sums *)b->sections.data)[section].public.name;
}

/* Adds counts of entries. -1 on overflow. */
static int add(uint64_t *to, uint64_t n)
{
    int64_t sum;

    if (n > INT64_MAX || __builtin_add_overflow((int64_t)*to, (int64_t)n, &sum))
        return -1;
    *to = (uint64_t)sum;
    return 0;
}

int builder_section_entries(struct builder *b, uint32_t section, const struct cprof_section *from)
{
    struct section_sums *s = section_at(b, section);

    if (!s)
        return -1;
    if (add(&s->public.began, from->began) || add(&s->public.ended, from->ended) ||
        add(&s->public.lost, from->lost) || add(&s->public.stray, from->stray) ||
        add(&s->public.foreign, from->foreign) || add(&s->public.crossed, from->crossed))
        return builder_fail(b, CPROF_ERROR_RANGE, "a number of entries exceeds 2^63-1");
    return 0;
}

int builder_section_cost(struct builder *b, uint32_t section, const int64_t *values)
{
    struct inclusive_key key = {section, 0};

    return section_at(b, section) ? builder_report(b, table_add(&b->section_costs, &key, values))
                                  : -1;
}

int builder_section_spread(struct builder *b, uint32_t section, uint64_t cost, uint64_t entries)
{
    struct spread_sum new = {.public = {cost, entries}, .section = section};

    if (!section_at(b, section))
        return -1;
    if (cost > INT64_MAX || entries > INT64_MAX)
        return builder_fail(b, CPROF_ERROR_RANGE, "a cost of entries exceeds 2^63-1");
    return entries ? builder_add(b, &b->spreads, &new, sizeof new) : 0;
}

int builder_section_extremes(struct builder *b, uint32_t section, uint64_t least, uint64_t greatest)
{
    struct section_sums *s = section_at(b, section);

    if (!s)
        return -1;
    if (greatest > INT64_MAX || least > greatest)
        return builder_fail(b, CPROF_ERROR_RANGE, "the extremes of a section are no numbers");
    if (!s->public.rounded || least < s->least)
        s->least = least;
    if (greatest > s->greatest)
        s->greatest = greatest;
    s->public.rounded = 1;
    return 0;
}

static int by_cost(const void *a, const void *b)
{
    const struct spread_sum *x = a, *y = b;

    COMPARE(x->section, y->section);
    COMPARE(x->public.cost, y->public.cost);
    return 0;
}

static int add_entries(void *to, const void *record)
{
    return add(&((struct spread_sum *)to)->public.entries,
               ((const struct spread_sum *)record)->public.entries);
}

const struct builder_sums builder_spreads = {sizeof(struct spread_sum), by_cost, add_entries,
                                             "a number of entries exceeds 2^63-1"};

/* Finds the least, the median and the greatest of a section, which has spreads. -1 on overflow. */
static int find_median(struct section_sums *s, const struct cprof_spread *spreads)
{
    struct cprof_section *p = &s->public;
    uint64_t n = 0, before = 0;
    uint32_t i = p->first_spread;

    for (uint32_t k = 0; k < p->n_spreads; k++)
        if (add(&n, spreads[p->first_spread + k].entries))
            return -1;
    while (before + spreads[i].entries <= (n - 1) / 2)
        before += spreads[i++].entries;
    p->median = spreads[i].cost;
    p->least = spreads[p->first_spread].cost;
    p->greatest = spreads[p->first_spread + p->n_spreads - 1].cost;
    if (p->rounded) {
        /* The first cost is the least one, rounded down, unless another profile has a lower one. */
        if (s->least - p->least <= s->least >> 8)
            p->least = s->least;
        p->greatest = s->greatest > p->greatest ? s->greatest : p->greatest;
        p->median = p->median < p->least ? p->least : p->median;
    }
    return 0;
}

/* Copies the spreads into the profile, and finds those of each section. 0 or -1. */
static int settle_spreads(struct builder *b, struct cprof_profile *p)
{
    struct spread_sum *all = b->spreads.data;
    struct section_sums *sections = b->sections.data;
    struct cprof_spread *copy;

    if (builder_unite(b, &b->spreads, &builder_spreads))
        return -1;
    p->n_spreads = (uint32_t)b->spreads.count;
    if (!(copy = arena_alloc(&b->profile->arena, (p->n_spreads + (size_t)1) * sizeof *copy)))
        return builder_out_of_memory(b);
    for (uint32_t i = 0; i < p->n_spreads; i++) {
        struct cprof_section *s = &sections[all[i].section].public;

        if (!s->n_spreads++)
            s->first_spread = i;
        copy[i] = all[i].public;
    }
    p->spreads = copy;
    for (uint32_t i = 0; i < b->sections.count; i++)
        if (sections[i].public.n_spreads && find_median(&sections[i], copy))
            return builder_fail(b, CPROF_ERROR_RANGE, "a number of entries exceeds 2^63-1");
    return 0;
}

int builder_settle_sections(struct builder *b, struct cprof_profile *p)
{
    const struct section_sums *sections = b->sections.data;
    const struct sum_table *t = &b->section_costs;
    const struct inclusive_key *keys = (const void *)t->keys;
    size_t n = b->sections.count;
    struct cprof_section *copy;
    int64_t *rows;

    if (!n)
        return 0;
    if (settle_spreads(b, p))
        return -1;
    copy = arena_alloc(&b->profile->arena, n * sizeof *copy);
    rows = arena_alloc(&b->profile->arena, n * (p->n_events + (size_t)1) * sizeof *rows);
    if (!copy || !rows)
        return builder_out_of_memory(b);
    memset(rows, 0, n * (p->n_events + (size_t)1) * sizeof *rows);
    for (size_t i = 0; i < n; i++)
        copy[i] = sections[i].public;
    for (uint32_t i = 0; i < t->count; i++)
        memcpy(rows + (size_t)keys[i].function * p->n_events, t->values + (size_t)i * t->width,
               p->n_events * sizeof *rows);
    p->n_sections = (uint32_t)n;
    p->sections = copy;
    p->section_values = rows;
    return 0;
}

/*--- Types ---*/

/* Member `i` of a type that has so many. */
static const struct cprof_member *member_at(const struct builder *b, const struct cprof_type *type,
                                            uint32_t i)
{
    return (const struct cprof_member *)b->members.data + type->first_member + i;
}

/* Texts are the builder's, and so are members; `owner` is the builder. */
static int equal_type(const void *owner, uint32_t index, const void *key)
{
    const struct builder *b = owner;
    const struct cprof_type *x = (const struct cprof_type *)b->types.data + index, *y = key;

    if (x->name != y->name || x->size != y->size || x->reordered != y->reordered ||
        x->n_members != y->n_members)
        return 0;
    for (uint32_t i = 0; i < x->n_members; i++) {
        const struct cprof_member *m = member_at(b, x, i), *other = member_at(b, y, i);

        if (m->offset != other->offset || m->size != other->size || m->depth != other->depth ||
            m->name != other->name || m->type != other->type)
            return 0;
    }
    return 1;
}

static uint32_t hash_type(const struct builder *b, const struct cprof_type *type)
{
    uint64_t hash = map_mix(map_mix((uintptr_t)type->name, type->size), type->n_members);

    for (uint32_t i = 0; i < type->n_members; i++) {
        const struct cprof_member *m = member_at(b, type, i);

        hash = map_mix(map_mix(map_mix(hash, m->offset), (uintptr_t)m->name), (uintptr_t)m->type);
    }
    return map_hash(hash);
}

static int push_member(struct builder *b, const struct cprof_member *member)
{
    struct cprof_member copy = *member;

    return builder_intern(b, &copy.name) || builder_intern(b, &copy.type)
               ? -1
               : builder_add(b, &b->members, &copy, sizeof copy);
}

/* Adds the type; its members are there. CPROF_NONE: out of memory. */
static uint32_t data_add(struct builder *b, const struct cprof_type *type, uint32_t hash)
{
    if (builder_add(b, &b->types, type, sizeof *type))
        return CPROF_NONE;
    if (map_add(&b->type_map, hash, (uint32_t)b->types.count - 1)) {
        builder_out_of_memory(b);
        return CPROF_NONE;
    }
    return (uint32_t)b->types.count - 1;
}

uint32_t builder_type(struct builder *b, const struct cprof_type *type,
                      const struct cprof_member *members)
{
    struct cprof_type key = *type;
    uint32_t hash, found;

    if (builder_failed(b) || builder_intern(b, &key.name))
        return CPROF_NONE;
    key.first_member = (uint32_t)b->members.count;
    for (uint32_t i = 0; i < key.n_members; i++)
        if (push_member(b, &members[i]))
            return CPROF_NONE;
    hash = hash_type(b, &key);
    found = map_find(&b->type_map, hash, equal_type, b, &key);
    if (found == MAP_NONE)
        return data_add(b, &key, hash);
    b->members.count = key.first_member;
    return found;
}

/*--- Data ---*/

/* Their bytes are a number, too. */
#define LINES_MAX (INT64_MAX / CPROF_LINE_SIZE)

const char *cprof_data_kind_name(enum cprof_data_kind kind)
{
    static const char *const names[CPROF_DATA_KINDS] = {
        [CPROF_DATA_BLOCKS] = "blocks",       [CPROF_DATA_VARIABLE] = "variable",
        [CPROF_DATA_SECTION] = "section",     [CPROF_DATA_STACK] = "stack",
        [CPROF_DATA_FILE] = "file",           [CPROF_DATA_ANONYMOUS] = "anonymous",
        [CPROF_DATA_ALLOCATOR] = "allocator", [CPROF_DATA_FREE] = "free",
        [CPROF_DATA_UNKNOWN] = "unknown",     [CPROF_DATA_ALL] = "all"};

    return names[kind];
}

static int equal_datum(const void *owner, uint32_t index, const void *key)
{
    const struct cprof_datum *x = (const struct cprof_datum *)owner + index, *y = key;

    return x->kind == y->kind && x->context == y->context && x->function == y->function &&
           x->path == y->path && x->build_id == y->build_id && x->name == y->name &&
           x->address == y->address && x->size == y->size && x->type == y->type;
}

uint32_t builder_datum(struct builder *b, const struct cprof_datum *datum)
{
    struct cprof_datum key = *datum;
    uint64_t mixed;

    if (builder_failed(b) || builder_intern(b, &key.path) || builder_intern(b, &key.build_id) ||
        builder_intern(b, &key.name))
        return CPROF_NONE;
    mixed =
        map_mix(map_mix(map_mix((uint64_t)key.kind << 32 | key.context, key.function), key.address),
                ((uintptr_t)key.path ^ (uintptr_t)key.name) + key.type);
    return builder_unique(b, &b->data, &b->data_map, mixed, equal_datum, &key, sizeof key);
}

int builder_touch(struct builder *b, const struct cprof_touch *touch)
{
    if (builder_failed(b))
        return -1;
    assert(touch->datum < b->data.count);
    for (int i = 0; i < CPROF_DATA_EVENTS; i++)
        if (touch->misses[i] > INT64_MAX)
            return builder_fail(b, CPROF_ERROR_RANGE, "a number of misses exceeds 2^63-1");
    if (touch->lines > LINES_MAX || touch->used > INT64_MAX)
        return builder_fail(b, CPROF_ERROR_RANGE, "a number of lines or bytes exceeds 2^63-1");
    return builder_add(b, &b->touches, touch, sizeof *touch);
}

static int by_place(const void *a, const void *b)
{
    const struct cprof_touch *x = a, *y = b;

    COMPARE(x->datum, y->datum);
    COMPARE(x->context, y->context);
    return builder_compare_places(&x->place, &y->place);
}

uint64_t builder_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

static int add_touch(void *touch, const void *record)
{
    struct cprof_touch *to = touch;
    const struct cprof_touch *from = record;
    uint64_t distance = to->least > from->least ? to->least - from->least : from->least - to->least;

    to->stride = builder_divisor(builder_divisor(to->stride, from->stride), distance);
    if (from->least < to->least)
        to->least = from->least;
    if (from->size > to->size)
        to->size = from->size;
    for (int i = 0; i < CPROF_DATA_EVENTS; i++)
        if ((to->misses[i] += from->misses[i]) > INT64_MAX)
            return -1;
    to->lines += from->lines;
    to->used += from->used;
    return to->lines > LINES_MAX || to->used > INT64_MAX ? -1 : 0;
}

const struct builder_sums builder_touches = {sizeof(struct cprof_touch), by_place, add_touch,
                                             "a number of misses, lines or bytes exceeds 2^63-1"};

/*--- Miss curves ---*/

/* True where the sizes tell the misses of a cache of this size. */
static int knows(const uint64_t *sizes, size_t n, uint64_t size)
{
    size_t i = 0;

    while (i < n && sizes[i] < size)
        i++;
    return i == n || sizes[i] == size;
}

int builder_curve_sizes(struct builder *b, const uint64_t *sizes, size_t n)
{
    struct vector old = b->curve_sizes;
    const uint64_t *of_old = old.data;
    size_t i = 0, k = 0;

    b->curve_sizes = (struct vector){0};
    while (!builder_failed(b) && (i < old.count || k < n)) {
        int from_old = i < old.count && (k == n || of_old[i] <= sizes[k]);
        uint64_t size = from_old ? of_old[i] : sizes[k];

        i += i < old.count && of_old[i] == size;
        k += k < n && sizes[k] == size;
        if (knows(of_old, old.count, size) && knows(sizes, n, size))
            builder_add(b, &b->curve_sizes, &size, sizeof size);
    }
    free(old.data);
    return builder_failed(b) ? -1 : 0;
}

int builder_reuse(struct builder *b, const struct cprof_reuse *reuse)
{
    return builder_failed(b) ? -1 : builder_add(b, &b->reuses, reuse, sizeof *reuse);
}

/* Curves of places first: CPROF_NONE + 1 is 0. */
static int curves_by_place(const void *a, const void *b)
{
    const struct cprof_reuse *x = a, *y = b;
    int order;

    COMPARE(x->datum + 1, y->datum + 1);
    COMPARE(x->context, y->context);
    if ((order = builder_compare_places(&x->place, &y->place)))
        return order;
    COMPARE(x->kind, y->kind);
    COMPARE(x->size, y->size);
    return 0;
}

/* The least size of the builder that is not below `size`. The largest of all is kept. */
static uint64_t kept_size(const struct builder *b, uint64_t size)
{
    const uint64_t *sizes = b->curve_sizes.data;
    size_t low = 0, high = b->curve_sizes.count;

    while (size && low + 1 < high) {
        size_t middle = low + (high - low - 1) / 2;

        if (sizes[middle] < size)
            low = middle + 1;
        else
            high = middle + 1;
    }
    return size && b->curve_sizes.count ? sizes[low] : 0;
}

void builder_bound_reuses(struct builder *b)
{
    struct cprof_reuse *all = b->reuses.data;

    for (size_t i = 0; i < b->reuses.count; i++)
        all[i].size = kept_size(b, all[i].size);
}

static int add_misses(void *to, const void *record)
{
    uint64_t *misses = &((struct cprof_reuse *)to)->misses, more;

    more = ((const struct cprof_reuse *)record)->misses;
    return more > INT64_MAX || (*misses += more) > INT64_MAX ? -1 : 0;
}

const struct builder_sums builder_reuses = {sizeof(struct cprof_reuse), curves_by_place, add_misses,
                                            "the sum of misses exceeds 2^63-1"};
