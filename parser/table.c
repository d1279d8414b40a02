#include <config.h>

#include "table.h"

#include <stdlib.h>

#define FIRST_ROOM 256
/* A bucket of up to so many records is searched one by one. */
#define SHORT_SPAN 32
/* Runs up to this length are sorted by insertion. */
#define SHORT_RUN  12

/* Memory that an ordering needs beside the table. */
struct scratch {
    uint32_t *order;  /* numbers of records, in the order that is wanted */
    uint32_t *spare;  /* half of them */
    uint32_t *starts; /* for each bucket, and one more */
};

static uint32_t bucket_of(const void *key)
{
    return *(const uint32_t *)key;
}

static inline int is_same(const struct sum_table *t, uint32_t i, const void *key)
{
    const uint64_t *a = table_key(t, i), *b = key;
    uint64_t difference = a[0] ^ b[0];

    if (t->class->n_words == 3) /* costs: no loop */
        return !(difference | (a[1] ^ b[1]) | (a[2] ^ b[2]));
    for (size_t k = 1; k < t->class->n_words; k++)
        difference |= a[k] ^ b[k];
    return !difference;
}

/* Changes the memory to hold `room` records. */
static enum table_result resize(struct sum_table *t, uint32_t room)
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

static enum table_result make_room(struct sum_table *t)
{
    if (t->room > UINT32_MAX / 2)
        return TABLE_MEMORY;
    return resize(t, t->room ? t->room * 2 : FIRST_ROOM);
}

enum table_result table_reserve(struct sum_table *t, uint32_t n)
{
    enum table_result result = TABLE_OK;

    while (result == TABLE_OK && t->room - t->count < n)
        result = make_room(t);
    return result;
}

/* Adds counts to record `i`, whose key is equal. */
static inline enum table_result add_to(struct sum_table *t, uint32_t i, const void *key,
                                       const int64_t *values)
{
    if (table_add_row(table_row(t, i), values, t->width) ||
        (t->class->merge && t->class->merge(table_key(t, i), key)))
        return TABLE_OVERFLOW;
    return TABLE_OK;
}

/* Finding */

static uint32_t hash_key(const struct sum_table *t, const void *key)
{
    const uint64_t *words = key;
    uint64_t mixed = 0;

    for (size_t k = 0; k < t->class->n_words; k++)
        mixed = map_mix(mixed, words[k]);
    return map_hash(mixed);
}

static int equal_key(const void *owner, uint32_t index, const void *key)
{
    return is_same(owner, index, key);
}

static enum table_result hash_record(struct sum_table *t, uint32_t i)
{
    return map_add(&t->map, hash_key(t, table_key(t, i)), i) ? TABLE_MEMORY : TABLE_OK;
}

static enum table_result hash_span(struct sum_table *t, struct table_span *span)
{
    for (uint32_t i = span->first; i < span->first + span->count; i++)
        if (hash_record(t, i) != TABLE_OK)
            return TABLE_MEMORY;
    span->hashed = 1;
    return TABLE_OK;
}

/* Looks through a span, first among the records before the one that was expected. */
static uint32_t find_in_span(const struct sum_table *t, const struct table_span *span,
                             const void *key)
{
    uint32_t end = span->first + span->count;
    uint32_t from = t->next > span->first && t->next <= end ? t->next : span->first;

    for (uint32_t i = from; i-- > span->first;)
        if (is_same(t, i, key))
            return i;
    for (uint32_t i = from; i < end; i++)
        if (is_same(t, i, key))
            return i;
    return MAP_NONE;
}

/* Tells if a key is greater than all of a span that can grow. Most come so: a file has an order. */
static int is_greatest(const struct sum_table *t, const struct table_span *span, const void *key)
{
    return span->first + span->count == t->count &&
           t->class->compare(key, table_key(t, span->greatest)) > 0;
}

/* The record of this key in *found, or MAP_NONE. */
static enum table_result find(struct sum_table *t, struct table_span *span, const void *key,
                              uint32_t *found)
{
    enum table_result result = TABLE_OK;

    *found = MAP_NONE;
    if (!span->hashed) {
        if (!span->count || is_greatest(t, span, key))
            return TABLE_OK;
        if (is_same(t, span->first, key)) {
            *found = span->first;
            return TABLE_OK;
        }
        if (span->count <= SHORT_SPAN) {
            *found = find_in_span(t, span, key);
            return TABLE_OK;
        }
        result = hash_span(t, span);
    }
    if (result == TABLE_OK)
        *found = map_find(&t->map, hash_key(t, key), equal_key, t, key);
    return result;
}

/* Adding */

static struct table_span *span_of(struct sum_table *t, uint32_t bucket)
{
    if (bucket >= t->n_spans) {
        size_t n = t->n_spans ? t->n_spans : 64;
        struct table_span *spans;

        while (n <= bucket)
            n *= 2;
        if (n > UINT32_MAX || !(spans = realloc(t->spans, n * sizeof *spans)))
            return NULL;
        memset(spans + t->n_spans, 0, (n - t->n_spans) * sizeof *spans);
        t->spans = spans;
        t->n_spans = (uint32_t)n;
    }
    return &t->spans[bucket];
}

enum table_result table_append(struct sum_table *t, const void *key, const int64_t *values)
{
    enum table_result result = t->count == t->room ? make_room(t) : TABLE_OK;

    if (result != TABLE_OK)
        return result;
    memcpy(table_key(t, t->count), key, t->class->key_size);
    memcpy(table_row(t, t->count), values, t->width * sizeof *values);
    t->count++;
    return TABLE_OK;
}

static enum table_result append(struct sum_table *t, struct table_span *span, const void *key,
                                const int64_t *values)
{
    enum table_result result = TABLE_OK;
    uint32_t i = t->count;

    /* A span that is no longer the last one cannot grow. */
    if (span->count && span->first + span->count != i && !span->hashed)
        result = hash_span(t, span);
    if (result == TABLE_OK)
        result = table_append(t, key, values);
    if (result == TABLE_OK && span->hashed)
        result = hash_record(t, i);
    if (result != TABLE_OK)
        return result;
    if (!span->count)
        span->first = span->greatest = i;
    if (!span->hashed) {
        span->count++;
        if (t->class->compare(key, table_key(t, span->greatest)) > 0)
            span->greatest = i;
    }
    t->next = t->count;
    return TABLE_OK;
}

static enum table_result add_elsewhere(struct sum_table *t, const void *key, const int64_t *values)
{
    uint32_t found, bucket = bucket_of(key);
    struct table_span *span = span_of(t, bucket);
    enum table_result result = span ? find(t, span, key, &found) : TABLE_MEMORY;

    if (result != TABLE_OK)
        return result;
    if (found == MAP_NONE)
        return append(t, span, key, values);
    /* A line that came before in its function does not change what is expected. */
    if (found >= t->next || !t->next || bucket_of(table_key(t, t->next - 1)) != bucket)
        t->next = found + 1;
    return add_to(t, found, key, values);
}

enum table_result table_add(struct sum_table *t, const void *key, const int64_t *values)
{
    if (t->next < t->count && is_same(t, t->next, key))
        return add_to(t, t->next++, key, values);
    return add_elsewhere(t, key, values);
}

/* Asks the processor for `size` bytes, or the first of them. */
static void fetch(const void *data, size_t size)
{
    enum { LINE = 64, MOST = 1024 };

    for (size_t i = 0; i < size && i < MOST; i += LINE)
        __builtin_prefetch((const char *)data + i);
}

void table_expect(struct sum_table *t, uint32_t bucket)
{
    const struct table_span *span = bucket < t->n_spans ? &t->spans[bucket] : NULL;

    if (!span || !span->count || span->first == t->next)
        return;
    t->next = span->first;
    fetch(table_key(t, t->next), span->count * t->class->key_size);
    fetch(table_row(t, t->next), span->count * t->width * sizeof *t->values);
}

enum table_result table_widen(struct sum_table *t, uint32_t width)
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
        int64_t *row = table_row(t, i);
        memmove(row, t->values + (size_t)i * old, old * sizeof *row);
        memset(row + old, 0, (width - old) * sizeof *row);
    }
    return TABLE_OK;
}

/* Tells if all records stand in strictly ascending order. */
static int is_ordered(const struct sum_table *t)
{
    for (uint32_t i = 1; i < t->count; i++) {
        const void *a = table_key(t, i - 1), *b = table_key(t, i);
        uint32_t bucket_a = bucket_of(a), bucket_b = bucket_of(b);
        if (bucket_a > bucket_b || (bucket_a == bucket_b && t->class->compare(a, b) >= 0))
            return 0;
    }
    return 1;
}

static void sort_by_insertion(const struct sum_table *t, uint32_t *order, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        uint32_t moved = order[i], j = i;
        for (; j && t->class->compare(table_key(t, order[j - 1]), table_key(t, moved)) > 0; j--)
            order[j] = order[j - 1];
        order[j] = moved;
    }
}

void table_sort(const struct sum_table *t, uint32_t *order, uint32_t n, uint32_t *spare)
{
    uint32_t half = n / 2, left = 0, right = half, to = 0;

    if (n <= SHORT_RUN) {
        sort_by_insertion(t, order, n);
        return;
    }
    table_sort(t, order, half, spare);
    table_sort(t, order + half, n - half, spare);
    if (t->class->compare(table_key(t, order[half - 1]), table_key(t, order[half])) <= 0)
        return;
    memcpy(spare, order, half * sizeof *order);
    while (left < half && right < n)
        order[to++] = t->class->compare(table_key(t, spare[left]), table_key(t, order[right])) <= 0
                          ? spare[left++]
                          : order[right++];
    memcpy(order + to, spare + left, (half - left) * sizeof *order);
}

/* Finds the order: by counting over buckets, then by sorting within each. */
static void sort_all(const struct sum_table *t, const struct scratch *s, uint32_t n_buckets)
{
    uint32_t from = 0;

    for (uint32_t i = 0; i < t->count; i++)
        s->starts[bucket_of(table_key(t, i)) + 1]++;
    for (uint32_t i = 0; i < n_buckets; i++)
        s->starts[i + 1] += s->starts[i];
    for (uint32_t i = 0; i < t->count; i++)
        s->order[s->starts[bucket_of(table_key(t, i))]++] = i;
    /* starts[i] has become the end of bucket i. */
    for (uint32_t i = 0; i < n_buckets; i++) {
        table_sort(t, s->order + from, s->starts[i] - from, s->spare);
        from = s->starts[i];
    }
}

/* Moves `n` elements of `size` bytes, a multiple of 8, to where `order` says, into new memory: the
 * processor can fetch several of the old ones at a time. */
static enum table_result gather(void **data, size_t size, const uint32_t *order, uint32_t n)
{
    const unsigned char *from = *data;
    unsigned char *new = malloc(n * size), *to = new;

    if (!new)
        return TABLE_MEMORY;
    for (uint32_t i = 0; i < n; i++)
        for (const unsigned char *p = from + order[i] * size, *end = p + size; p < end; p += 8) {
            memcpy(to, p, 8); /* a call for each element would take longer */
            to += 8;
        }
    free(*data);
    *data = new;
    return TABLE_OK;
}

/* Puts the rows in order in place, along the cycles of the permutation: with many events a copy of
 * the counts would be the most memory of all. `order` is used up; `held` has room for an element.
 */
static void rotate(unsigned char *data, size_t size, uint32_t *order, uint32_t n, void *held)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t to = i, from = order[i];

        if (from == i)
            continue;
        memcpy(held, data + i * size, size);
        for (; from != i; to = from, from = order[to]) {
            memcpy(data + to * size, data + from * size, size);
            order[to] = to;
        }
        memcpy(data + to * size, held, size);
        order[to] = to;
    }
}

static enum table_result move_all(struct sum_table *t, uint32_t *order)
{
    size_t row_size = t->width * sizeof *t->values;
    void *keys = t->keys, *values = t->values, *held;
    enum table_result result = gather(&keys, t->class->key_size, order, t->count);

    t->keys = keys;
    if (result != TABLE_OK || !row_size)
        return result;
    t->room = t->count;
    if (row_size <= t->class->key_size) {
        result = gather(&values, row_size, order, t->count);
        t->values = values;
        return result;
    }
    held = malloc(row_size);
    if (!held)
        return TABLE_MEMORY;
    rotate(values, row_size, order, t->count, held);
    free(held);
    return TABLE_OK;
}

/* Frees spans and map, which are of no use when records have moved. */
static void release_index(struct sum_table *t)
{
    free(t->spans);
    t->spans = NULL;
    t->n_spans = 0;
    map_release(&t->map);
}

enum table_result table_order(struct sum_table *t, uint32_t n_buckets)
{
    enum table_result result = TABLE_MEMORY;
    struct scratch s;

    release_index(t);
    if (is_ordered(t))
        return TABLE_OK;
    s.order = malloc(t->count * sizeof *s.order);
    s.spare = malloc((t->count / 2 + 1) * sizeof *s.spare);
    s.starts = calloc((size_t)n_buckets + 1, sizeof *s.starts);
    if (s.order && s.spare && s.starts) {
        sort_all(t, &s, n_buckets);
        result = move_all(t, s.order);
    }
    free(s.order);
    free(s.spare);
    free(s.starts);
    return result;
}

enum table_result table_sum(const struct sum_table *t, int64_t *sums)
{
    memset(sums, 0, t->width * sizeof *sums);
    for (uint32_t i = 0; i < t->count; i++)
        if (table_add_row(sums, table_row(t, i), t->width))
            return TABLE_OVERFLOW;
    return TABLE_OK;
}

void table_release(struct sum_table *t)
{
    release_index(t);
    free(t->keys);
    free(t->values);
    t->keys = NULL;
    t->values = NULL;
    t->count = t->room = t->next = 0;
}
