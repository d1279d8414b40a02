#include <config.h>

#include "sink.h"

#include <errno.h>
#include <string.h>

void sink_flush(struct sink *out)
{
    size_t n = out->n;

    out->n = 0;
    if (out->failed || !n)
        return;
    errno = 0;
    if (out->write(out->to, out->bytes, n))
        out->failed = errno ? errno : EIO;
}

int sink_finish(struct sink *out)
{
    sink_flush(out);
    return out->failed ? -1 : 0;
}

void sink_bytes(struct sink *out, const char *bytes, size_t size)
{
    while (size) {
        size_t step = SINK_ROOM - out->n;

        if (!step) {
            sink_flush(out);
            continue;
        }
        if (step > size)
            step = size;
        memcpy(out->bytes + out->n, bytes, step);
        out->n += step;
        bytes += step;
        size -= step;
    }
}

void sink_text(struct sink *out, const char *text)
{
    sink_bytes(out, text, strlen(text));
}

/* A number in base 10 or 16. */
static void put_number(struct sink *out, uint64_t number, unsigned base)
{
    char digits[20], *end = digits + sizeof digits, *at = end;

    do {
        *--at = "0123456789abcdef"[number % base];
        number /= base;
    } while (number);
    sink_bytes(out, at, (size_t)(end - at));
}

void sink_unsigned(struct sink *out, uint64_t number)
{
    put_number(out, number, 10);
}

void sink_signed(struct sink *out, int64_t number)
{
    if (number < 0)
        sink_byte(out, '-');
    put_number(out, number < 0 ? -(uint64_t)number : (uint64_t)number, 10);
}

void sink_hex(struct sink *out, uint64_t number)
{
    put_number(out, number, 16);
}

void sink_end_line(struct sink *out)
{
    sink_byte(out, '\n');
    out->lines++;
}
