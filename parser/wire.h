/*
 * wire.h - the fields of a protobuf message, one after the other. All reads are within the message.
 */
#ifndef PARSER_WIRE_H
#define PARSER_WIRE_H

#include <stddef.h>
#include <stdint.h>

enum wire_type { WIRE_NUMBER = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* The rest of a message. */
struct wire {
    const unsigned char *at, *end;
};

struct wire_field {
    uint32_t number;
    enum wire_type type;
    uint64_t value;    /* with WIRE_NUMBER */
    struct wire bytes; /* with WIRE_BYTES */
};

/* Takes a number of 1 to 10 bytes. 1; 0 at the end; -1 where it is damaged or cut: `at` stays. */
int wire_number(struct wire *w, uint64_t *value);
/* Takes the next field. 1; 0 at the end; -1 where it is damaged or cut: `at` stays. */
int wire_field(struct wire *w, struct wire_field *field);

#endif
