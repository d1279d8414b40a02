/*
 * pool.h - distinct runs of bytes, numbered from 0 as they come: the tables of formats whose
 * records refer to each other by number.
 *
 * Zeros are an empty pool. Structs may be kept in it, where they have no padding.
 */
#ifndef EXPORT_POOL_H
#define EXPORT_POOL_H

#include "base/strbuf.h"
#include "cprof_internal.h"

#include <stddef.h>
#include <stdint.h>

struct pool {
    struct map map;
    size_t n, room;
    struct pool_item {
        size_t offset, size;
    } * items;
    struct strbuf bytes; /* all of them, one behind the other */
};

/* The number of these bytes; they are copied where they are new. */
uint32_t pool_add(struct pool *pool, const void *bytes, size_t size);
/* The bytes of that number, until the next pool_add(). They are aligned to nothing. */
const void *pool_at(const struct pool *pool, size_t number);
void pool_free(struct pool *pool);

#endif
