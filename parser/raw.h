/*
 * raw.h - inside of the reader of raw profiles: raw.c takes the lines apart, raw_expand.c makes
 * costs of them.
 */
#ifndef PARSER_RAW_H
#define PARSER_RAW_H

#include "map.h"
#include "reader.h"

/* What a SPEC can count, in the order of the letters "irwcb". */
enum { SPEC_EVENTS = 5 };

struct raw_instruction {
    uint64_t address;
    unsigned char counts[SPEC_EVENTS]; /* per execution of its section */
};

/* A section is instructions[first] up to the next section's first. */
struct raw_section {
    uint32_t object; /* index into `objects` */
    size_t first, size;
    int64_t count;
};

struct raw_object {
    uint32_t object;   /* in the profile */
    uint32_t function; /* "???" of it, CPROF_NONE until it is needed */
};

/* An "f" record. */
struct raw_name {
    uint64_t address;
    uint32_t object, function;
};

/* An "m" record; its counts are a row of `miss_rows`. */
struct raw_miss {
    uint64_t address;
    uint32_t object;
};

/* A growing array; `data` is malloc'd. */
struct raw_vector {
    void *data;
    size_t count, room;
};

struct raw {
    struct reader r;
    struct raw_vector objects, instructions, sections, names, misses, miss_rows;
    struct map name_map;               /* from (object, address) to `names` */
    uint32_t spec_events[SPEC_EVENTS]; /* CPROF_NONE: not counted in this file */
    unsigned keys_seen;
    int in_body, have_end;
};

/* A new element of `size` bytes, not cleared, or NULL with the error set. */
void *raw_push(struct raw *w, struct raw_vector *v, size_t size);
/* Notes the name of the function at an address; the first one holds. An instruction of several
 * blocks has several. */
int raw_add_name(struct raw *w, uint32_t object, uint64_t address, const char *name);
/* Makes cost records of all sections, counts and misses. */
int raw_expand(struct raw *w);

#endif
