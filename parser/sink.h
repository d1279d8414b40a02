/*
 * sink.h - bytes on their way to a cprof_writer, collected so that it is called for many at once.
 *
 * A sink of zeros but for `write` and `to` is ready. The first failure of `write` is kept, and
 * nothing is written after it: a caller checks once, at sink_finish().
 */
#ifndef PARSER_SINK_H
#define PARSER_SINK_H

#include "cprof.h"

#include <stddef.h>
#include <stdint.h>

enum { SINK_ROOM = 16 << 10 };

struct sink {
    cprof_writer *write;
    void *to;
    int failed;          /* errno of the failure, or a guess; 0: none */
    unsigned long lines; /* that were ended */
    size_t n;
    char bytes[SINK_ROOM]; /* `n` that were not written yet */
};

/* Hands over the rest. 0, or -1 with `failed` set. */
int sink_finish(struct sink *out);

void sink_bytes(struct sink *out, const char *bytes, size_t size);
void sink_text(struct sink *out, const char *text);
/* A number in base 10, or in base 16 in lower case, without leading zeros. */
void sink_unsigned(struct sink *out, uint64_t number);
void sink_signed(struct sink *out, int64_t number);
void sink_hex(struct sink *out, uint64_t number);
void sink_end_line(struct sink *out);

/* Makes room for one byte at least. */
void sink_flush(struct sink *out);

static inline void sink_byte(struct sink *out, char byte)
{
    if (out->n == SINK_ROOM)
        sink_flush(out);
    out->bytes[out->n++] = byte;
}

#endif
