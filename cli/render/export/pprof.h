/*
 * pprof.h - messages of protocol buffers, as far as pprof needs them: fields that are numbers,
 * bytes, messages, or packed lists of numbers (protobuf.dev/programming-guides/encoding).
 */
#ifndef EXPORT_PPROF_H
#define EXPORT_PPROF_H

#include "cprof_internal.h"
#include "render/export/export.h"
#include "render/export/pool.h"
#include "render/text/labels.h"

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

/*--- Places ---*/

/*
 * The tables of a pprof profile that its samples refer to: strings, functions,
 * mappings and locations, each thing once.
 *
 * Numbers are the format's: strings count from 0, the empty one; all else from 1.
 */

struct pprof_places {
    const struct cprof_profile *profile;
    struct labels labels;
    struct pool strings, functions, locations;
    struct pprof_function { /* of each function: its number with the last file that it was in */
        uint32_t file;
        uint64_t number; /* 0: none yet */
    } * numbered;
    uint64_t *ends; /* of each object: the highest used address, plus 1; 0: unused */
    struct protobuf scratch, location, line;
};

/* A place in a function, as one of the lines of a location. */
struct pprof_frame {
    uint32_t function;
    uint32_t file, line; /* CPROF_NONE, 0: not known */
};

#endif
