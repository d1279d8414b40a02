#include <config.h>

#include "table/type_rows.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/strbuf.h"
#include "cprof_internal.h"
#include "names/brackets.h"
#include "names/rust_name.h"

#include <stdlib.h>
#include <string.h>

/*--- Fields ---*/

/* Members that share bytes are named up to this number. */
enum { SHARED_SHOWN = 3 };

/* Members in members. */
enum { DEPTH_MAX = 64 };

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
        uint64_t end = m->offset + m->size, last_end = last->offset + last->size;

        last->size = (end > last_end ? end : last_end) - last->offset;
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

    COMPARE(x->member->offset, y->member->offset);
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

/* Loads the fields of a type of the profile. fields_free() frees them. */
static void fields_load(struct fields *f, const struct cprof_profile *p, uint32_t index)
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

static void fields_free(struct fields *f)
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

/* The field that the byte at `offset` of the type is in. */
static size_t fields_find(const struct fields *f, uint64_t offset)
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

/*--- Rows ---*/

static void add_misses(int64_t *to, const struct cprof_touch *touch)
{
    for (int e = 0; e < CPROF_DATA_EVENTS; e++)
        to[e] += (int64_t)touch->misses[e];
}

/* A touch with what it is at: FIELD_NONE also for data of other types. */
struct field_touch {
    const struct cprof_touch *touch;
    size_t first, last;
};

static int by_fields(const void *a, const void *b)
{
    const struct field_touch *x = a, *y = b;

    COMPARE(x->first, y->first);
    COMPARE(x->last, y->last);
    return 0;
}

static void add_padding(struct type_rows *t, uint64_t offset, uint64_t end)
{
    if (end > offset)
        t->rows[t->n++] = (struct type_row){
            .first = FIELD_NONE, .last = FIELD_NONE, .offset = offset, .size = end - offset};
}

static void add_fields(struct type_rows *t, size_t first, size_t last)
{
    const struct field *f = &t->fields.items[first], *end = &t->fields.items[last];

    t->rows[t->n++] = (struct type_row){.name = fields_name(&t->fields, first, last),
                                        .type = first == last ? f->type : NULL,
                                        .first = first,
                                        .last = last,
                                        .offset = f->offset,
                                        .size = end->offset + end->size - f->offset};
}

/* Makes a row of each field and of the padding between them, and behind a field those of several
 * fields from this one on. Sorts the spots by fields. */
static void make_rows(struct type_rows *t, struct field_touch *spots, size_t n_spots)
{
    uint64_t end = 0;
    size_t next = 0;

    sort_items(spots, n_spots, sizeof *spots, by_fields);
    t->rows = xcalloc(2 * t->fields.n + 1 + n_spots, sizeof *t->rows);
    for (size_t i = 0; i < t->fields.n; i++) {
        const struct field *f = &t->fields.items[i];

        add_padding(t, end, f->offset);
        add_fields(t, i, i);
        for (; next < n_spots && spots[next].first == i; next++)
            if (spots[next].last != t->rows[t->n - 1].last)
                add_fields(t, i, spots[next].last);
        end = f->offset + f->size;
    }
    add_padding(t, end, t->fields.size);
}

/* The row of a spot that is at a field. */
static struct type_row *row_of(struct type_rows *t, const struct field_touch *spot)
{
    size_t i = 0;

    while (t->rows[i].first != spot->first || t->rows[i].last != spot->last)
        i++;
    return &t->rows[i];
}

/*--- Reads and writes ---*/

static int compare_places(const struct cprof_cost *a, const struct cprof_cost *b)
{
    COMPARE(a->function, b->function);
    COMPARE(a->file, b->file);
    COMPARE(a->line, b->line);
    COMPARE(a->address, b->address);
    return 0;
}

static int by_place(const void *a, const void *b)
{
    return compare_places(&((const struct field_touch *)a)->touch->place,
                          &((const struct field_touch *)b)->touch->place);
}

static int place_of_cost(const void *key, const void *cost)
{
    return compare_places(key, cost);
}

/* Adds what the instruction at a place has read and written, in all contexts. */
static void add_executed(struct type_rows *t, const struct field_touch *spot)
{
    const struct cprof_cost *place = &spot->touch->place;
    const struct cprof_profile *p = t->profile;
    uint32_t reads = cprof_find_event(p, "Dr"), writes = cprof_find_event(p, "Dw");
    const struct cprof_cost *cost =
        p->n_costs ? bsearch(place, p->costs, p->n_costs, sizeof *place, place_of_cost) : NULL;
    const int64_t *counts = cost ? cprof_cost_values(p, (uint32_t)(cost - p->costs)) : NULL;
    struct type_row *row = row_of(t, spot);

    if (!counts)
        return;
    row->reads += reads == CPROF_NONE ? 0 : counts[reads];
    row->writes += writes == CPROF_NONE ? 0 : counts[writes];
}

/* Instructions that missed in one field and in nothing else: they can be told by nothing else. */
static void count_executed(struct type_rows *t, struct field_touch *spots)
{
    size_t n = t->profile->n_touches, end;

    sort_items(spots, n, sizeof *spots, by_place);
    for (size_t i = 0; i < n; i = end) {
        bool alone = spots[i].first != FIELD_NONE;

        for (end = i + 1; end < n && !by_place(&spots[i], &spots[end]); end++)
            alone &= !by_fields(&spots[end], &spots[i]);
        if (alone && spots[i].touch->place.address)
            add_executed(t, &spots[i]);
    }
}

/*--- Advice ---*/

/* By so many lines less a new order has to be better. */
#define WORTHWHILE 0.25

/* Misses of one function when it reads the fields: fields.n counts. */
struct user {
    uint32_t function;
    int64_t all;
    int64_t *fields;
};

static struct user *user_of(struct user *users, size_t *n, uint32_t function, size_t n_fields)
{
    for (size_t i = 0; i < *n; i++)
        if (users[i].function == function)
            return &users[i];
    users[*n] = (struct user){function, 0, xcalloc(n_fields, sizeof(int64_t))};
    return &users[(*n)++];
}

/* Lines that the marked bytes of an element take, where it begins at `phase` in a line. */
static unsigned lines_of(const bool *marked, uint64_t size, uint64_t phase)
{
    uint64_t last = UINT64_MAX;
    unsigned n = 0;

    for (uint64_t i = 0; i < size; i++) {
        if (!marked[i] || (phase + i) / CPROF_LINE_SIZE == last)
            continue;
        last = (phase + i) / CPROF_LINE_SIZE;
        n++;
    }
    return n;
}

/* The mean over where elements begin: allocators give multiples of 16, and elements follow each
 * other. */
static double mean_lines(const bool *marked, uint64_t size, uint64_t apart)
{
    enum { ALIGNED = 16 };
    unsigned sum = 0, n = 0;

    for (uint64_t start = 0; start < CPROF_LINE_SIZE; start += ALIGNED) {
        for (uint64_t i = 0; i < CPROF_LINE_SIZE; i++) {
            sum +=
                lines_of(marked, size, (start + i * (apart % CPROF_LINE_SIZE)) % CPROF_LINE_SIZE);
            n++;
        }
    }
    return (double)sum / n;
}

static void mark(bool *marked, uint64_t offset, uint64_t size)
{
    for (uint64_t i = offset; i < offset + size; i++)
        marked[i] = true;
}

/* Types beyond this have many lines whatever the order. */
enum { ADVISED_MAX = 4096 };

/* A member of the type itself, in another order. */
struct placed {
    uint32_t member;
    uint64_t offset;
};

static bool is_hot_root(const struct type_rows *t, uint32_t root)
{
    for (size_t i = 0; i < t->fields.n; i++)
        if (t->hot[i] && t->fields.items[i].root == root)
            return true;
    return false;
}

/* The greatest power of 2 that divides where a member lies, and its size: it needs no other place.
 */
static uint64_t alignment_of(const struct cprof_member *m)
{
    enum { GREATEST = 16 };
    uint64_t bits = m->offset | m->size | GREATEST;

    return bits & -bits;
}

/* Tells whether a hot member shares bytes with another one, as in a union. */
static bool shares_bytes(const struct type_rows *t)
{
    const struct cprof_profile *p = t->profile;
    const struct cprof_type *type = &p->types[t->type];
    uint64_t end = 0, hot_end = 0;

    for (uint32_t i = type->first_member; i < type->first_member + type->n_members; i++) {
        const struct cprof_member *m = &p->members[i];
        bool hot = !m->depth && is_hot_root(t, i);
        uint64_t member_end = m->offset + m->size;

        if (m->depth)
            continue;
        if (m->offset < (hot ? end : hot_end))
            return true;
        end = member_end > end ? member_end : end;
        hot_end = hot && member_end > hot_end ? member_end : hot_end;
    }
    return false;
}

/* A member while it is given its place. */
struct member_order {
    uint32_t member;
    bool is_second; /* it comes after those that are not */
    bool is_hot;
    uint64_t alignment, size;
};

/* The greatest alignment first, and last in the second half: then little is left free between them,
 * and nothing where the halves meet. Of others alike, small ones are nearer to the hot ones: they
 * may be read with those, on lines that are there by then, so that nothing tells. */
static int by_alignment(const void *a, const void *b)
{
    const struct member_order *x = a, *y = b;

    COMPARE(x->is_second, y->is_second);
    if (x->is_second)
        COMPARE(x->alignment, y->alignment);
    COMPARE(y->alignment, x->alignment);
    if (!x->is_hot)
        COMPARE(x->is_second ? x->size : y->size, x->is_second ? y->size : x->size);
    COMPARE(x->member, y->member);
    return 0;
}

/* The members in two halves, the hot ones first or second. Returns how many there are. */
static size_t order_members(const struct type_rows *t, bool hot_first, struct member_order *all)
{
    const struct cprof_profile *p = t->profile;
    const struct cprof_type *type = &p->types[t->type];
    size_t n = 0;

    for (uint32_t i = type->first_member; i < type->first_member + type->n_members; i++) {
        const struct cprof_member *m = &p->members[i];
        bool is_hot = is_hot_root(t, i);

        if (!m->depth)
            all[n++] =
                (struct member_order){i, is_hot != hot_first, is_hot, alignment_of(m), m->size};
    }
    sort_items(all, n, sizeof *all, by_alignment);
    return n;
}

/* Gives members their places in this order. Returns the size of the type. */
static uint64_t lay_out(const struct type_rows *t, const struct member_order *order, size_t n,
                        struct placed *all)
{
    uint64_t size = 0, whole = 1;

    for (size_t i = 0; i < n; i++) {
        size = (size + order[i].alignment - 1) & -order[i].alignment;
        all[i] = (struct placed){order[i].member, size};
        size += t->profile->members[order[i].member].size;
        whole = order[i].alignment > whole ? order[i].alignment : whole;
    }
    return (size + whole - 1) & -whole;
}

/* Places the members of the type, hot ones first, or last where it gets smaller by that. Returns
 * them, for the caller to free; `*size` is the new size of the type. */
static struct placed *place_members(const struct type_rows *t, size_t *n, uint64_t *size)
{
    size_t room = t->profile->types[t->type].n_members + (size_t)1;
    struct placed *first = xcalloc(room, sizeof *first), *last = xcalloc(room, sizeof *last);
    struct member_order *order = xcalloc(room, sizeof *order);
    uint64_t size_last;
    bool is_first;

    *n = order_members(t, true, order);
    *size = lay_out(t, order, *n, first);
    (void)order_members(t, false, order);
    size_last = lay_out(t, order, *n, last);
    is_first = *size <= size_last;
    *size = is_first ? *size : size_last;
    free(is_first ? last : first);
    free(order);
    return is_first ? first : last;
}

/* The new offset of a field. */
static uint64_t placed_offset(const struct type_rows *t, const struct placed *all, size_t n,
                              const struct field *f)
{
    for (size_t i = 0; i < n; i++)
        if (all[i].member == f->root)
            return all[i].offset + f->offset - t->profile->members[f->root].offset;
    return 0;
}

/* How many lines the hot fields take now, and in the other order. */
static void weigh(struct type_rows *t, struct type_advice *a)
{
    uint64_t size = t->fields.size, new_size;
    size_t n;
    struct placed *all = place_members(t, &n, &new_size);
    bool *now = xcalloc(size + 1, sizeof *now);
    bool *then = xcalloc(2 * size + new_size + 1, sizeof *then);

    for (size_t i = 0; i < t->fields.n; i++) {
        const struct field *f = &t->fields.items[i];

        if (!t->hot[i])
            continue;
        mark(now, f->offset, f->size);
        mark(then, placed_offset(t, all, n, f), f->size);
    }
    a->now = mean_lines(now, size, size);
    a->then = mean_lines(then, new_size, new_size);
    a->size = new_size;
    free(now);
    free(then);
    free(all);
}

/* The function that misses most when it reads, of those in `users`; NULL: none does. */
static const struct user *greatest(const struct user *users, size_t n)
{
    const struct user *most = NULL;

    for (size_t i = 0; i < n; i++)
        if (users[i].all && (!most || users[i].all > most->all))
            most = &users[i];
    return most;
}

/* Advises on the fields that a function reads together: each has a share of its misses. */
static void judge(struct type_rows *t, const struct user *user)
{
    enum { SHARE = 20 }; /* of which one is enough */
    struct type_advice a = {.function = user->function};
    size_t n = 0;

    for (size_t i = 0; i < t->fields.n; i++)
        n += t->hot[i] = user->fields[i] && user->fields[i] >= user->all / SHARE;
    if (n > 1 && !shares_bytes(t))
        weigh(t, &a);
    if (a.now - a.then >= WORTHWHILE && a.size <= t->fields.size)
        t->advice = a;
    else
        memset(t->hot, 0, t->fields.n * sizeof *t->hot);
}

static void advise(struct type_rows *t, const struct field_touch *spots,
                   const struct callers *callers)
{
    const struct cprof_profile *p = t->profile;
    struct user *users = xcalloc(p->n_touches + (size_t)1, sizeof *users);
    const struct user *most;
    size_t n = 0;

    for (uint32_t i = 0; i < p->n_touches; i++) {
        const struct cprof_touch *touch = spots[i].touch;
        struct user *user;

        if (spots[i].first == FIELD_NONE || !touch->misses[CPROF_D1MR])
            continue;
        user = user_of(users, &n, callers_spot(callers, &touch->place, touch->context).function,
                       t->fields.n);
        user->all += (int64_t)touch->misses[CPROF_D1MR];
        for (size_t field = spots[i].first; field <= spots[i].last; field++)
            user->fields[field] += (int64_t)touch->misses[CPROF_D1MR];
    }
    most = greatest(users, n);
    if (most && fields_are_own(p, t->type) && t->fields.size <= ADVISED_MAX)
        judge(t, most);
    for (size_t i = 0; i < n; i++)
        free(users[i].fields);
    free(users);
}

/*--- Loading ---*/

/* Finds what each touch is at. */
static struct field_touch *find_spots(const struct type_rows *t)
{
    const struct cprof_profile *p = t->profile;
    struct field_touch *spots = xcalloc(p->n_touches + (size_t)1, sizeof *spots);

    for (uint32_t i = 0; i < p->n_touches; i++) {
        const struct cprof_touch *touch = &p->touches[i];
        struct field_touch *spot = &spots[i];

        *spot = (struct field_touch){touch, FIELD_NONE, FIELD_NONE};
        if (p->data[touch->datum].type == t->type)
            spot->first = fields_of_touch(&t->fields, p, touch, &spot->last);
    }
    return spots;
}

static void count_misses(struct type_rows *t, const struct field_touch *spots)
{
    const struct cprof_profile *p = t->profile;

    for (uint32_t i = 0; i < p->n_touches; i++) {
        if (p->data[spots[i].touch->datum].type != t->type)
            continue;
        add_misses(t->misses, spots[i].touch);
        add_misses(spots[i].first == FIELD_NONE ? t->nowhere : row_of(t, &spots[i])->misses,
                   spots[i].touch);
    }
}

void type_rows_load(struct type_rows *t, uint32_t type, const struct callers *callers)
{
    const struct cprof_profile *p = callers->profile;
    struct field_touch *spots;

    *t = (struct type_rows){.profile = p, .type = type, .advice = {.function = CPROF_NONE}};
    fields_load(&t->fields, p, type);
    t->hot = xcalloc(t->fields.n + 1, sizeof *t->hot);
    spots = find_spots(t);
    make_rows(t, spots, p->n_touches);
    count_misses(t, spots);
    advise(t, spots, callers);
    count_executed(t, spots);
    free(spots);
}

void type_rows_free(struct type_rows *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->rows[i].name);
    fields_free(&t->fields);
    free(t->rows);
    free(t->hot);
}

/*--- Types by name ---*/

/* 3: the name itself, 2: without paths, 1: its last part, 0: another one. */
static int match(const struct cprof_type *type, const char *name)
{
    char *brief = fields_type_name(type->name);
    const char *last = type_last_part(type->name);
    size_t size = strcspn(last, "<"), length = strlen(name), tail = strlen(type->name);
    int result = 0;

    if (!strcmp(type->name, name))
        result = 3;
    else if (!strcmp(brief, name) ||
             (tail > length + 2 && !strcmp(type->name + tail - length, name) &&
              type->name[tail - length - 1] == ':'))
        result = 2;
    else if (size == length && !memcmp(last, name, size))
        result = 1;
    free(brief);
    return result;
}

struct candidate {
    uint32_t type;
    int64_t d1;
};

static int by_misses(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    COMPARE(y->d1, x->d1);
    COMPARE(x->type, y->type);
    return 0;
}

static int64_t *misses_of_types(const struct cprof_profile *p)
{
    int64_t *d1 = xcalloc(p->n_types + (size_t)1, sizeof *d1);

    for (uint32_t i = 0; i < p->n_touches; i++) {
        const struct cprof_touch *t = &p->touches[i];
        uint32_t type = p->data[t->datum].type;

        if (type != CPROF_NONE)
            d1[type] += (int64_t)(t->misses[CPROF_D1MR] + t->misses[CPROF_D1MW]);
    }
    return d1;
}

uint32_t *type_rows_find(const struct cprof_profile *p, const char *name, size_t *n)
{
    struct candidate *all = xcalloc(p->n_types + (size_t)1, sizeof *all);
    uint32_t *found = xcalloc(p->n_types + (size_t)1, sizeof *found);
    int64_t *d1 = misses_of_types(p);
    int best = 1;
    size_t count = 0;

    *n = 0;
    name = name ? type_without_keyword(name) : NULL;
    for (uint32_t i = 0; i < p->n_types; i++) {
        const struct cprof_type *type = &p->types[i];
        int fitness = !type->size || !type->n_members ? 0 : name ? match(type, name) : d1[i] > 0;

        if (fitness < best)
            continue;
        if (fitness > best)
            count = 0;
        best = fitness;
        all[count++] = (struct candidate){i, d1[i]};
    }
    sort_items(all, count, sizeof *all, by_misses);
    for (size_t i = 0; i < count; i++)
        if (!*n || strcmp(p->types[all[i].type].name, p->types[found[0]].name) != 0)
            found[(*n)++] = all[i].type;
    free(d1);
    free(all);
    return found;
}

char *type_rows_order(const struct type_rows *t)
{
    struct strbuf text = {NULL, 0, 0};
    uint64_t size;
    size_t n;
    struct placed *all = place_members(t, &n, &size);

    for (size_t i = 0; i < n; i++)
        strbuf_add_item(&text, ", ", t->profile->members[all[i].member].name);
    free(all);
    return strbuf_take(&text);
}
