#include <config.h>

#include "symbols/intervals.h"

#include "base/array.h"
#include "base/sort.h"
#include "cprof_internal.h"

#include <stdlib.h>

void intervals_add(struct intervals *list, uint64_t start, uint64_t end, uint32_t value)
{
    if (start >= end)
        return;
    APPEND(list->items, list->n, list->room) = (struct interval){start, end, value};
}

/* By start; of equal starts the one to prefer comes last, on top of the stack below. */
static int compare(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;

    COMPARE(x->start, y->start);
    COMPARE(y->end, x->end);
    COMPARE(y->value, x->value);
    return 0;
}

/* The sweep: ranges that are open at `position`, the one that has it on top. */
struct sweep {
    struct intervals result;
    const struct interval **open;
    size_t n_open;
    uint64_t position;
};

/* Hands out what is open up to `limit`; ranges that end before are closed. */
static void advance(struct sweep *s, uint64_t limit)
{
    while (s->n_open && s->position < limit) {
        const struct interval *top = s->open[s->n_open - 1];
        uint64_t end = top->end < limit ? top->end : limit;

        intervals_add(&s->result, s->position, end, top->value);
        if (end > s->position)
            s->position = end;
        if (top->end <= limit)
            s->n_open--;
    }
    s->position = limit;
}

void intervals_flatten(struct intervals *list)
{
    struct sweep s = {.n_open = 0};

    if (!list->n)
        return;
    sort_items(list->items, list->n, sizeof *list->items, compare); /* most come in order */
    s.open = xreallocarray(NULL, list->n, sizeof *s.open);
    for (size_t i = 0; i < list->n; i++) {
        advance(&s, list->items[i].start);
        s.open[s.n_open++] = &list->items[i];
    }
    advance(&s, UINT64_MAX);
    free(s.open);
    free(list->items);
    *list = s.result;
}

static bool ends_before(const void *interval, const void *address)
{
    return ((const struct interval *)interval)->end <= *(const uint64_t *)address;
}

/* The first range that ends after `address`: its index. */
static size_t search(const struct intervals *list, uint64_t address)
{
    return lower_bound(list->items, list->n, sizeof *list->items, ends_before, &address);
}

uint32_t intervals_find(const struct intervals *list, uint64_t address)
{
    size_t low = search(list, address);

    if (low == list->n || list->items[low].start > address)
        return INTERVAL_NONE;
    return list->items[low].value;
}

uint32_t intervals_find_near(const struct intervals *list, uint64_t address, size_t *hint)
{
    size_t i = *hint;

    /* At the hint, or just after it, be that in the gap before. */
    for (size_t end = i + 2; i < end && i < list->n; i++) {
        if (i > 0 && address < list->items[i - 1].end)
            break;
        if (address >= list->items[i].end)
            continue;
        *hint = i;
        return list->items[i].start <= address ? list->items[i].value : INTERVAL_NONE;
    }
    *hint = i = search(list, address);
    return i == list->n || list->items[i].start > address ? INTERVAL_NONE : list->items[i].value;
}

uint64_t intervals_next(const struct intervals *list, uint64_t address)
{
    size_t i = search(list, address);

    i += i < list->n && list->items[i].start <= address;
    return i < list->n ? list->items[i].start : UINT64_MAX;
}

void intervals_free(struct intervals *list)
{
    free(list->items);
    *list = (struct intervals){.n = 0};
}
