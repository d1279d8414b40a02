#include <config.h>

#include "wire.h"

int wire_number(struct wire *w, uint64_t *value)
{
    uint64_t n = 0;
    const unsigned char *p = w->at;

    for (unsigned shift = 0; p < w->end && shift < 64; shift += 7) {
        unsigned char byte = *p++;

        n |= (uint64_t)(byte & 0x7f) << shift;
        if (shift == 63 && byte > 1)
            return -1;
        if (!(byte & 0x80)) {
            *value = n;
            w->at = p;
            return 1;
        }
    }
    return w->at < w->end ? -1 : 0;
}

/* Takes `size` bytes as they are. */
static int take(struct wire *w, uint64_t size, struct wire *bytes)
{
    if (size > (uint64_t)(w->end - w->at))
        return -1;
    *bytes = (struct wire){w->at, w->at + size};
    w->at += size;
    return 1;
}

static int take_value(struct wire *w, struct wire_field *field)
{
    uint64_t size;

    switch (field->type) {
    case WIRE_NUMBER:
        return wire_number(w, &field->value) > 0 ? 1 : -1;
    case WIRE_BYTES:
        return wire_number(w, &size) > 0 ? take(w, size, &field->bytes) : -1;
    case WIRE_FIXED64:
        return take(w, 8, &field->bytes);
    case WIRE_FIXED32:
        return take(w, 4, &field->bytes);
    }
    return -1;
}

int wire_field(struct wire *w, struct wire_field *field)
{
    struct wire rest = *w;
    uint64_t key;
    int more = wire_number(&rest, &key);

    if (more <= 0)
        return more;
    if (key >> 3 == 0 || key >> 3 > UINT32_MAX)
        return -1;
    *field = (struct wire_field){.number = (uint32_t)(key >> 3), .type = (enum wire_type)(key & 7)};
    if (take_value(&rest, field) < 0)
        return -1;
    *w = rest;
    return 1;
}
