/*
 * rust_v0_private.h - inside of the demangler of v0 names: reading and writing (rust_v0_read.c),
 * paths and types (rust_v0.c), constants (rust_v0_const.c).
 */
#ifndef NAMES_RUST_V0_PRIVATE_H
#define NAMES_RUST_V0_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The name is read from `next` to `end`, and written as it is read: each production of the grammar
 * is a function. A back reference reads from an earlier place, so little input may be much output,
 * which `most` limits. Nothing is written, and no back reference is followed, while `skipping`.
 */
struct v0 {
    const char *start, *next, *end;
    char *text;
    size_t size, most;
    bool failed;
    unsigned skipping;
    unsigned depth;
    uint64_t lifetimes; /* bound by "for<...>" around what is read */
};

struct v0_ident {
    const char *bytes;
    size_t size;
    bool is_punycode;
};

void v0_put_bytes(struct v0 *v, const char *bytes, size_t size);
void v0_put(struct v0 *v, const char *text);
void v0_put_number(struct v0 *v, uint64_t number);
void v0_put_character(struct v0 *v, uint32_t c);
void v0_put_ident(struct v0 *v, const struct v0_ident *ident);

/* The next character; fails, and returns NUL, at the end. */
char v0_take(struct v0 *v);
/* Takes the next character if it is this one. */
bool v0_eat(struct v0 *v, char c);
/* Tells whether a list that has `n` items goes on, and writes a comma then; its 'E' is taken. */
bool v0_goes_on(struct v0 *v, unsigned n);
/* The value of a digit; 62: it is none. */
unsigned v0_digit_62(char c);
uint64_t v0_base_62(struct v0 *v);
/* A number behind its tag, from 1 on; 0 where the tag is not there. */
uint64_t v0_tagged_62(struct v0 *v, char tag);
struct v0_ident v0_read_ident(struct v0 *v);

/* Stand around what may hold itself. False: it is too deep, or has failed. */
bool v0_enter(struct v0 *v);
void v0_leave(struct v0 *v);
/* Behind the 'B' of a back reference: goes to its place. Returns where to go on afterwards; NULL:
 * it is not to be followed. */
const char *v0_go_back(struct v0 *v);

void v0_read_path(struct v0 *v, bool in_value);
void v0_read_const(struct v0 *v, bool in_value);

#endif
