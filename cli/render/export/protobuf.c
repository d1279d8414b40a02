#include <config.h>

#include "render/export/protobuf.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { WIRE_VARINT = 0, WIRE_BYTES = 2, VARINT_MAX = 10 };

static unsigned char *reserve(struct protobuf *p, size_t size)
{
    if (p->size + size > p->room) {
        p->room = (p->size + size) * 2;
        p->bytes = xreallocarray(p->bytes, p->room, 1);
    }
    return p->bytes + p->size;
}

/* Writes seven bits a byte, the lowest first; the top bit says that more follow. */
static void put_varint(struct protobuf *p, uint64_t value)
{
    unsigned char *end = reserve(p, VARINT_MAX);

    for (; value > 0x7f; value >>= 7)
        *end++ = (unsigned char)(value | 0x80);
    *end++ = (unsigned char)value;
    p->size = (size_t)(end - p->bytes);
}

static size_t varint_size(uint64_t value)
{
    size_t size = 1;

    for (; value > 0x7f; value >>= 7)
        size++;
    return size;
}

void protobuf_number(struct protobuf *p, unsigned field, uint64_t value)
{
    if (!value)
        return;
    put_varint(p, field << 3 | WIRE_VARINT);
    put_varint(p, value);
}

void protobuf_append(struct protobuf *p, const void *bytes, size_t size)
{
    if (size)
        memcpy(reserve(p, size), bytes, size);
    p->size += size;
}

void protobuf_bytes(struct protobuf *p, unsigned field, const void *bytes, size_t size)
{
    put_varint(p, field << 3 | WIRE_BYTES);
    put_varint(p, size);
    protobuf_append(p, bytes, size);
}

void protobuf_packed(struct protobuf *p, unsigned field, const uint64_t *values, size_t n)
{
    size_t size = 0;

    if (!n)
        return;
    for (size_t i = 0; i < n; i++)
        size += varint_size(values[i]);
    put_varint(p, field << 3 | WIRE_BYTES);
    put_varint(p, size);
    for (size_t i = 0; i < n; i++)
        put_varint(p, values[i]);
}

void protobuf_free(struct protobuf *p)
{
    free(p->bytes);
    *p = (struct protobuf){.size = 0};
}
