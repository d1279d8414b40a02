/*
 * pprof.h - messages of protocol buffers, as far as pprof needs them: fields that are numbers,
 * bytes, messages, or packed lists of numbers (protobuf.dev/programming-guides/encoding).
 */
#ifndef EXPORT_PPROF_H
#define EXPORT_PPROF_H

#include <stddef.h>
#include <stdint.h>

/* A message being written. One of zeros is empty. */
struct protobuf {
    unsigned char *bytes;
    size_t size, room;
};

/* Adds a field that is a number; nothing for 0, which is a reader's default. Negative numbers of an
 * int64 are handed over as they are. */
void protobuf_number(struct protobuf *p, unsigned field, uint64_t value);
/* Adds a field that is a string, bytes or a message; an empty one, too. */
void protobuf_bytes(struct protobuf *p, unsigned field, const void *bytes, size_t size);
/* Adds a packed list of numbers; nothing where it is empty. */
void protobuf_packed(struct protobuf *p, unsigned field, const uint64_t *values, size_t n);
void protobuf_free(struct protobuf *p);

#endif
