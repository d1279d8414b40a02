#include <config.h>

#include "../tap.h"
#include "symbols/intervals.h"

#include <stdlib.h>

/* The header's promise, in a simple way: of all ranges with the address the one that begins last,
 * then the shortest, then the lowest value. */
static uint32_t naive(const struct interval *items, size_t n, uint64_t address)
{
    const struct interval *best = NULL;

    for (size_t i = 0; i < n; i++) {
        const struct interval *x = &items[i];

        if (address < x->start || address >= x->end)
            continue;
        if (!best || x->start > best->start ||
            (x->start == best->start &&
             (x->end < best->end || (x->end == best->end && x->value < best->value))))
            best = x;
    }
    return best ? best->value : INTERVAL_NONE;
}

int main(void)
{
    struct intervals list = {.n = 0};
    struct interval items[24];
    unsigned wrong = 0, looked = 0;

    is_number(intervals_find(&list, 5), INTERVAL_NONE, "an empty list has nothing");
    intervals_add(&list, 7, 7, 1);
    intervals_flatten(&list);
    is_number(intervals_find(&list, 7), INTERVAL_NONE, "an empty range holds nothing");
    intervals_free(&list);
    srand(1);
    for (int round = 0; round < 2000; round++) {
        size_t n = 1 + (size_t)rand() % 24;

        for (size_t i = 0; i < n; i++) {
            uint64_t start = (uint64_t)rand() % 60;

            items[i] = (struct interval){start, start + (uint64_t)rand() % 30, (uint32_t)i};
            intervals_add(&list, items[i].start, items[i].end, items[i].value);
        }
        intervals_flatten(&list);
        for (size_t i = 1; i < list.n; i++)
            wrong += list.items[i].start < list.items[i - 1].end;
        for (uint64_t a = 0; a < 95; a++, looked++)
            wrong += intervals_find(&list, a) != naive(items, n, a);
        for (uint64_t a = 0; a < 95; a++) {
            uint64_t next = UINT64_MAX;

            for (size_t i = list.n; i-- && list.items[i].start > a;)
                next = list.items[i].start;
            wrong += intervals_next(&list, a) != next;
        }
        intervals_free(&list);
    }
    ok(wrong == 0, "%u addresses in random ranges agree with a search of all", looked);
    return tap_done();
}
