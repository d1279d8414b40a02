/*
 * rust_v0.h - readable names of Rust's v0 mangling (RFC 2603, and rustc's book: "Symbol Mangling"),
 * with values of const generics, which libiberty has of numbers alone.
 */
#ifndef NAMES_RUST_V0_H
#define NAMES_RUST_V0_H

#include <stddef.h>

/* The readable form of a name that begins with "_R", up to a '.', without hashes of crates and
 * types of constants, for the caller to free. NULL: it is malformed, or has more than `most` bytes.
 */
char *rust_v0_demangle(const char *name, unsigned long most);

/*--- Characters ---*/

/* Writes a character beyond ASCII to 4 bytes at `to`; returns its size, 0 where it is none. */
size_t utf8_put(char *to, unsigned long c);

#endif
