/*
 * Sorting by keys and texts, against qsort and strcmp: few and many, equal ones, texts that begin
 * alike, that are empty, that are as long as the pieces they are sorted by, and with any bytes.
 */
#include <config.h>

#include "../tap.h"
#include "base/sort.h"

#include <stdlib.h>

enum { MOST = 5000, ROOM = 40 };

static char texts[MOST][ROOM];
static struct sorted items[MOST], wanted[MOST];
static uint64_t seed = 1;

static uint64_t any(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

static int by_key(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int by_text(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    int order = strcmp(x->text, y->text);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Puts the last one of equal texts first. */
static int by_index(const void *a, const void *b, void *context)
{
    const struct sorted *x = a, *y = b;

    ++*(int *)context;
    return (x->index < y->index) - (x->index > y->index);
}

static int are_as_wanted(size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (items[i].index != wanted[i].index)
            return 0;
    return 1;
}

/* `n` texts of up to `length` bytes out of `letters`, behind what all begin with. */
static void make(size_t n, const char *begin, size_t length, uint64_t letters)
{
    for (size_t i = 0; i < n; i++) {
        size_t size = strlen(begin), end = size + any(length + 1);

        strcpy(texts[i], begin);
        while (size < end)
            texts[i][size++] = (char)(unsigned char)(255 - any(letters));
        texts[i][size] = '\0';
        items[i] = wanted[i] = (struct sorted){any(length + 1) << any(60), texts[i], i};
    }
}

static void check(size_t n, const char *begin, size_t length, uint64_t letters)
{
    make(n, begin, length, letters);
    qsort(wanted, n, sizeof *wanted, by_key);
    sort_keys(items, n);
    ok(are_as_wanted(n), "%zu keys", n);
    make(n, begin, length, letters);
    qsort(wanted, n, sizeof *wanted, by_text);
    sort_texts(items, n, NULL, NULL);
    ok(are_as_wanted(n), "%zu texts of up to %zu bytes behind '%s'", n, length, begin);
}

static void check_equal(void)
{
    int compared = 0;

    for (size_t i = 0; i < 100; i++)
        items[i] = (struct sorted){0, i % 2 ? "eight by" : "eight bytes", i};
    sort_texts(items, 100, by_index, &compared);
    ok(compared && items[0].index == 99 && items[49].index == 1 && items[50].index == 98 &&
           items[99].index == 0,
       "equal texts are compared by the caller");
}

static void check_falling(void)
{
    static const int64_t values[] = {INT64_MAX, 5, 0, -1, INT64_MIN};
    int falls = 1;

    for (size_t i = 1; i < sizeof values / sizeof *values; i++)
        falls &= sort_key_falling(values[i - 1]) < sort_key_falling(values[i]);
    ok(falls, "the greatest number has the least key");
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void check_items(void)
{
    int sorted[] = {1, 2, 2, 3}, mixed[] = {2, 3, 1, 2};

    sort_items(sorted, 4, sizeof *sorted, by_number);
    sort_items(mixed, 4, sizeof *mixed, by_number);
    sort_items(NULL, 0, sizeof *mixed, by_number);
    ok(!memcmp(sorted, mixed, sizeof sorted), "items in order, and others");
}

int main(void)
{
    static const size_t sizes[] = {0, 1, 2, 47, 48, 49, 300, MOST};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check(sizes[i], "", 3, 255);
        check(sizes[i], "core::iter", 17, 2);
        check(sizes[i], "1234567", 9, 1);
    }
    check_equal();
    check_falling();
    check_items();
    return tap_done();
}
