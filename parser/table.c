#include <config.h>

#include "table.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM  256
/* Below so many records it is not worth looking for equal ones: memory is small anyway. */
#define WORTH_ORDER ((uint64_t)1 << 18)
/* Runs up to this length are sorted by insertion. */
#define SHORT_RUN   12

/* What an ordering needs beside the table. */
struct scratch {
    uint32_t *order;  /* numbers of records, in the order that is wanted */
    uint32_t *spare;  /* half of them */
    uint32_t *starts; /* for each bucket, and one more */
};

static uint32_t bucket_of(const void *key)
{
    return *(const uint32_t *)key;
}

static int is_same(const struct table *t, const void *a, const void *b)
{
    return bucket_of(a) == bucket_of(b) && !t->class->compare(a, b);
}

static void *key_at(const struct table *t, uint32_t i)
{
    return t->keys + (size_t)i * t->class->key_size;
}

static int64_t *row_at(const struct table *t, uint32_t i)
{
    return t->values + (size_t)i * t->width;
}

/* Changes the memory to hold `room` records. */
static enum table_result resize(struct table *t, uint32_t room)
{
    size_t row = (t->width ? t->width : 1) * sizeof *t->values;
    unsigned char *keys;
    int64_t *values;

    if (room > SIZE_MAX / t->class->key_size || room > SIZE_MAX / row)
        return TABLE_MEMORY;
    keys = realloc(t->keys, room * t->class->key_size);
    if (!keys)
        return TABLE_MEMORY;
    t->keys = keys;
    values = realloc(t->values, room * row);
    if (!values)
        return TABLE_MEMORY;
    t->values = values;
    t->room = room;
    return TABLE_OK;
}

static enum table_result make_room(struct table *t, uint32_t n_buckets)
{
    enum table_result result;
    uint32_t room;

    if (t->count >= WORTH_ORDER && t->count >= t->worth) {
        result = table_order(t, n_buckets);
        if (result != TABLE_OK)
            return result;
        if (t->count <= t->room / 2)
            return TABLE_OK;
    }
    room = t->room > UINT32_MAX / 2 ? UINT32_MAX - 1 : t->room * 2;
    if (room <= t->count && t->room)
        return TABLE_MEMORY;
    return resize(t, room ? room : FIRST_ROOM);
}

/* Adds counts to record `i`, whose key is equal. */
static enum table_result add_to(struct table *t, uint32_t i, const void *key, const int64_t *values)
{
    if (table_add_row(row_at(t, i), values, t->width) ||
        (t->class->merge && t->class->merge(key_at(t, i), key)))
        return TABLE_OVERFLOW;
    return TABLE_OK;
}

static void put(const struct table *t, uint32_t i, const void *key, const int64_t *values)
{
    memcpy(key_at(t, i), key, t->class->key_size);
    memcpy(row_at(t, i), values, t->width * sizeof *values);
}

enum table_result table_add(struct table *t, const void *key, const int64_t *values,
                            uint32_t n_buckets)
{
    enum table_result result;

    if (t->count && is_same(t, key_at(t, t->count - 1), key))
        return add_to(t, t->count - 1, key, values);
    if (t->count == t->room && (result = make_room(t, n_buckets)) != TABLE_OK)
        return result;
    put(t, t->count++, key, values);
    return TABLE_OK;
}

enum table_result table_widen(struct table *t, uint32_t width)
{
    uint32_t old = t->width;

    if (width <= old)
        return TABLE_OK;
    t->width = width;
    if (!t->room)
        return TABLE_OK;
    if (resize(t, t->room) != TABLE_OK) {
        t->width = old;
        return TABLE_MEMORY;
    }
    for (uint32_t i = t->count; i-- > 0;) {
        int64_t *row = row_at(t, i);
        memmove(row, t->values + (size_t)i * old, old * sizeof *row);
        memset(row + old, 0, (width - old) * sizeof *row);
    }
    return TABLE_OK;
}

/* Whether all records stand in strictly ascending order: then there is nothing to do. */
static int is_ordered(const struct table *t)
{
    for (uint32_t i = 1; i < t->count; i++) {
        const void *a = key_at(t, i - 1), *b = key_at(t, i);
        uint32_t bucket_a = bucket_of(a), bucket_b = bucket_of(b);
        if (bucket_a > bucket_b || (bucket_a == bucket_b && t->class->compare(a, b) >= 0))
            return 0;
    }
    return 1;
}

static void sort_by_insertion(const struct table *t, uint32_t *order, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        uint32_t moved = order[i], j = i;
        for (; j && t->class->compare(key_at(t, order[j - 1]), key_at(t, moved)) > 0; j--)
            order[j] = order[j - 1];
        order[j] = moved;
    }
}

/* A stable merge sort of the records that `order` names; `spare` has room for half of them. */
static void sort_run(const struct table *t, uint32_t *order, uint32_t n, uint32_t *spare)
{
    uint32_t half = n / 2, left = 0, right = half, to = 0;

    if (n <= SHORT_RUN) {
        sort_by_insertion(t, order, n);
        return;
    }
    sort_run(t, order, half, spare);
    sort_run(t, order + half, n - half, spare);
    if (t->class->compare(key_at(t, order[half - 1]), key_at(t, order[half])) <= 0)
        return;
    memcpy(spare, order, half * sizeof *order);
    while (left < half && right < n)
        order[to++] = t->class->compare(key_at(t, spare[left]), key_at(t, order[right])) <= 0
                          ? spare[left++]
                          : order[right++];
    memcpy(order + to, spare + left, (half - left) * sizeof *order);
}

/* Finds the order: by counting over buckets, then by sorting within each. */
static void sort_all(const struct table *t, const struct scratch *s, uint32_t n_buckets)
{
    uint32_t from = 0;

    for (uint32_t i = 0; i < t->count; i++)
        s->starts[bucket_of(key_at(t, i)) + 1]++;
    for (uint32_t i = 0; i < n_buckets; i++)
        s->starts[i + 1] += s->starts[i];
    for (uint32_t i = 0; i < t->count; i++)
        s->order[s->starts[bucket_of(key_at(t, i))]++] = i;
    /* starts[i] has become the end of bucket i. */
    for (uint32_t i = 0; i < n_buckets; i++) {
        sort_run(t, s->order + from, s->starts[i] - from, s->spare);
        from = s->starts[i];
    }
}

/* A copy of `from` with its elements of `size` bytes in `order`, and `room` of them; NULL when out
 * of memory. Files come mostly in order: runs are copied as one. */
static void *gather(const void *from, size_t size, const uint32_t *order, uint32_t count,
                    uint32_t room)
{
    char *copy = malloc(room * (size ? size : 1));
    uint32_t run;

    for (uint32_t i = 0; copy && i < count; i += run) {
        for (run = 1; i + run < count && order[i + run] == order[i] + run;)
            run++;
        memcpy(copy + i * size, (const char *)from + order[i] * size, run * size);
    }
    return copy;
}

/* Puts keys and then counts in order: never is there a second copy of both. */
static enum table_result move_all(struct table *t, const uint32_t *order)
{
    void *keys = gather(t->keys, t->class->key_size, order, t->count, t->room), *values;

    if (!keys)
        return TABLE_MEMORY;
    free(t->keys);
    t->keys = keys;
    values = gather(t->values, t->width * sizeof *t->values, order, t->count, t->room);
    if (!values)
        return TABLE_MEMORY;
    free(t->values);
    t->values = values;
    return TABLE_OK;
}

/* Makes equal neighbours one. */
static enum table_result merge_all(struct table *t)
{
    uint32_t last = 0;

    for (uint32_t i = 1; i < t->count; i++) {
        const void *key = key_at(t, i);
        if (is_same(t, key_at(t, last), key)) {
            if (add_to(t, last, key, row_at(t, i)) != TABLE_OK)
                return TABLE_OVERFLOW;
        } else if (++last != i) {
            put(t, last, key, row_at(t, i));
        }
    }
    t->count = last + 1;
    return TABLE_OK;
}

/* Where few of the records were equal, few will be among those to come. */
static void expect_more(struct table *t, uint32_t before)
{
    t->worth = (uint64_t)t->count * (t->count > before - before / 4 ? 4 : 2);
}

enum table_result table_order(struct table *t, uint32_t n_buckets)
{
    enum table_result result = TABLE_MEMORY;
    uint32_t before = t->count;
    struct scratch s;

    if (is_ordered(t)) {
        expect_more(t, t->count);
        return TABLE_OK;
    }
    s.order = malloc(t->count * sizeof *s.order);
    s.spare = malloc((t->count / 2 + 1) * sizeof *s.spare);
    s.starts = calloc((size_t)n_buckets + 1, sizeof *s.starts);
    if (s.order && s.spare && s.starts) {
        sort_all(t, &s, n_buckets);
        result = move_all(t, s.order);
    }
    if (result == TABLE_OK)
        result = merge_all(t);
    free(s.order);
    free(s.spare);
    free(s.starts);
    expect_more(t, before);
    return result;
}

enum table_result table_sum(const struct table *t, int64_t *sums)
{
    memset(sums, 0, t->width * sizeof *sums);
    for (uint32_t i = 0; i < t->count; i++)
        if (table_add_row(sums, row_at(t, i), t->width))
            return TABLE_OVERFLOW;
    return TABLE_OK;
}

void table_release(struct table *t)
{
    free(t->keys);
    free(t->values);
    t->keys = NULL;
    t->values = NULL;
    t->count = t->room = 0;
}
