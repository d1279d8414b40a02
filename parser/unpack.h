/*
 * unpack.h - the compressions that input.c takes off, one table row each.
 *
 * A packed file is a series of members, each of which begins with the magic bytes.
 */
#ifndef PARSER_UNPACK_H
#define PARSER_UNPACK_H

#include <stddef.h>

/* Bytes that are packed, and room for the unpacked ones; unpack_class.step() moves all four. */
struct unpacking {
    const unsigned char *next_in;
    size_t avail_in;
    unsigned char *next_out;
    size_t avail_out;
    const char *damage; /* a constant text, or NULL; of UNPACK_DAMAGED */
};

enum unpack_result {
    UNPACK_MORE,  /* input or room has run out */
    UNPACK_ENDED, /* a member has ended; the next step may begin another one */
    UNPACK_DAMAGED,
    UNPACK_MEMORY
};

struct unpack_class {
    const char *name, *tool; /* the program that unpacks such a file */
    const char *magic;
    size_t magic_size;
    void *(*begin)(void); /* for end(); NULL: out of memory */
    enum unpack_result (*step)(void *state, struct unpacking *u);
    void (*end)(void *state);
};

/* The class of a file with these first bytes; NULL: it is not packed. */
const struct unpack_class *unpack_class_of(const void *bytes, size_t size);

/* The manner in which a file with these first bytes is packed, if it is another one, and what
 * unpacks it, as in "a zip archive: unpack it by unzip"; NULL: nothing that is known. */
const char *unpack_other(const void *bytes, size_t size);

#endif
