#include <config.h>

/* Runs of records that were appended to a table: each is sorted while it is in the processor's
 * caches. */
#include "builder_private.h"

#include <stdlib.h>

/* Room for the order of `n` records. */
static int make_order(struct builder *b, uint32_t n)
{
    uint32_t *order, *spare;

    if (n <= b->order_room)
        return 0;
    if (n < b->order_room * 2)
        n = b->order_room * 2;
    order = realloc(b->order, n * sizeof *order);
    if (order)
        b->order = order;
    spare = realloc(b->spare, n * sizeof *spare);
    if (spare)
        b->spare = spare;
    if (!order || !spare)
        return builder_out_of_memory(b);
    b->order_room = n;
    return 0;
}

/* Tells if the records from `first` on are in strictly ascending order. */
static int is_sorted(const struct sum_table *t, uint32_t first)
{
    for (uint32_t i = first + 1; i < t->count; i++)
        if (t->class->compare(table_key(t, i - 1), table_key(t, i)) >= 0)
            return 0;
    return 1;
}

/* Copies of the records are put behind the last one in order, and then moved to the front. */
int builder_sort_run(struct builder *b, struct sum_table *t, uint32_t first)
{
    uint32_t end = t->count, n = end - first;

    if (is_sorted(t, first))
        return 0;
    if (make_order(b, n) || builder_report(b, table_reserve(t, n)))
        return -1;
    for (uint32_t i = 0; i < n; i++)
        b->order[i] = first + i;
    table_sort(t, b->order, n, b->spare);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t from = b->order[i];

        if (i && !t->class->compare(table_key(t, t->count - 1), table_key(t, from))) {
            if (table_add_row(table_row(t, t->count - 1), table_row(t, from), t->width) ||
                (t->class->merge &&
                 t->class->merge(table_key(t, t->count - 1), table_key(t, from))))
                return builder_report(b, TABLE_OVERFLOW);
        } else {
            memcpy(table_key(t, t->count), table_key(t, from), t->class->key_size);
            memcpy(table_row(t, t->count), table_row(t, from), t->width * sizeof *t->values);
            t->count++;
        }
    }
    n = t->count - end;
    memmove(table_key(t, first), table_key(t, end), n * t->class->key_size);
    memmove(table_row(t, first), table_row(t, end), (size_t)n * t->width * sizeof *t->values);
    t->count = first + n;
    return 0;
}
