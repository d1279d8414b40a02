#include <config.h>

#include "table.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM  256
/* Below so many records it is not worth looking for equal ones: memory is small anyway. */
#define WORTH_ORDER ((uint32_t)1 << 18)
/* Runs up to this length are sorted by insertion. */
#define SHORT_RUN   12

static const void *key_at(const struct table *t, uint32_t i)
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

    if (t->count >= WORTH_ORDER && t->count / 2 >= t->distinct) {
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

enum table_result table_add(struct table *t, const void *key, const int64_t *values,
                            uint32_t n_buckets)
{
    size_t key_size = t->class->key_size;
    enum table_result result;

    if (t->count) {
        void *last = t->keys + (size_t)(t->count - 1) * key_size;
        if (t->class->bucket(last) == t->class->bucket(key) && !t->class->compare(last, key))
            return table_add_row(row_at(t, t->count - 1), values, t->width) ||
                           (t->class->merge && t->class->merge(last, key))
                       ? TABLE_OVERFLOW
                       : TABLE_OK;
    }
    if (t->count == t->room && (result = make_room(t, n_buckets)) != TABLE_OK)
        return result;
    memcpy(t->keys + (size_t)t->count * key_size, key, key_size);
    if (t->width)
        memcpy(row_at(t, t->count), values, t->width * sizeof *values);
    t->count++;
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
        uint32_t bucket_a = t->class->bucket(a), bucket_b = t->class->bucket(b);
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

/* Fills `order` with the numbers of all records, sorted: by counting over buckets, then within
 * each. */
static void sort_all(const struct table *t, uint32_t *order, uint32_t *starts, uint32_t n_buckets,
                     uint32_t *spare)
{
    uint32_t from = 0;

    for (uint32_t i = 0; i < t->count; i++)
        starts[t->class->bucket(key_at(t, i)) + 1]++;
    for (uint32_t i = 0; i < n_buckets; i++)
        starts[i + 1] += starts[i];
    for (uint32_t i = 0; i < t->count; i++)
        order[starts[t->class->bucket(key_at(t, i))]++] = i;
    /* starts[i] has become the end of bucket i. */
    for (uint32_t i = 0; i < n_buckets; i++) {
        sort_run(t, order + from, starts[i] - from, spare);
        from = starts[i];
    }
}

/* Copies the records of `from` in order into `to`, which has room for all, adding up equal ones. */
static enum table_result copy_in_order(const struct table *from, const uint32_t *order,
                                       struct table *to)
{
    for (uint32_t i = 0; i < from->count; i++)
        if (table_add(to, key_at(from, order[i]), row_at(from, order[i]), 0) != TABLE_OK)
            return TABLE_OVERFLOW;
    return TABLE_OK;
}

static enum table_result order_with(struct table *t, uint32_t n_buckets, uint32_t *order,
                                    uint32_t *starts, uint32_t *spare)
{
    struct table sorted = {.class = t->class, .width = t->width};
    enum table_result result = resize(&sorted, t->count);

    if (result == TABLE_OK) {
        sort_all(t, order, starts, n_buckets, spare);
        result = copy_in_order(t, order, &sorted);
    }
    if (result != TABLE_OK) {
        table_release(&sorted);
        return result;
    }
    table_release(t);
    *t = sorted;
    return TABLE_OK;
}

enum table_result table_order(struct table *t, uint32_t n_buckets)
{
    enum table_result result = TABLE_MEMORY;
    uint32_t *order, *spare, *starts;

    if (is_ordered(t)) {
        t->distinct = t->count;
        return TABLE_OK;
    }
    order = malloc(t->count * sizeof *order);
    spare = malloc((t->count / 2 + 1) * sizeof *spare);
    starts = calloc((size_t)n_buckets + 1, sizeof *starts);
    if (order && spare && starts)
        result = order_with(t, n_buckets, order, starts, spare);
    free(order);
    free(spare);
    free(starts);
    t->distinct = t->count;
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
