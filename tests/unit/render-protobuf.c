/* Protocol buffers: the bytes of each kind of field. tests/cli/export-readers.test has protoc read
 * what is made of them. */
#include <config.h>

#include "../tap.h"
#include "render/export/pprof.h"

static void is_bytes(const struct protobuf *p, const char *want, size_t size, const char *what)
{
    if (ok(p->size == size && !memcmp(p->bytes, want, size), "%s", what))
        return;
    for (size_t i = 0; i < p->size; i++)
        printf("# %zu: %02x\n", i, p->bytes[i]);
}

int main(void)
{
    static const uint64_t list[] = {3, 270, 86942};
    struct protobuf p = {.size = 0}, inner = {.size = 0};

    protobuf_number(&p, 1, 150);
    is_bytes(&p, "\x08\x96\x01", 3, "a number");
    protobuf_number(&p, 1, 0);
    is_bytes(&p, "\x08\x96\x01", 3, "0 is left out");
    p.size = 0;
    protobuf_number(&p, 2, (uint64_t)-2);
    is_bytes(&p, "\x10\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11,
             "a negative one takes ten bytes");
    p.size = 0;
    protobuf_bytes(&p, 2, "testing", 7);
    is_bytes(&p, "\x12\x07testing", 9, "a string");
    p.size = 0;
    protobuf_bytes(&p, 6, "", 0);
    is_bytes(&p, "\x32\x00", 2, "an empty one is there");
    p.size = 0;
    protobuf_packed(&p, 6, list, 3);
    is_bytes(&p, "\x32\x06\x03\x8e\x02\x9e\xa7\x05", 8, "a packed list");
    p.size = 0;
    protobuf_packed(&p, 6, list, 0);
    is_bytes(&p, "", 0, "a packed list of nothing is nothing");
    protobuf_number(&inner, 1, 150);
    protobuf_bytes(&p, 3, inner.bytes, inner.size);
    is_bytes(&p, "\x1a\x03\x08\x96\x01", 5, "a message in a message");
    p.size = 0;
    protobuf_number(&p, 100, 1);
    is_bytes(&p, "\xa0\x06\x01", 3, "a field beyond 15 has a longer tag");
    protobuf_free(&p);
    protobuf_free(&inner);
    return tap_done();
}
