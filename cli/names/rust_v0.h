/*
 * rust_v0.h - readable names of Rust's v0 mangling (RFC 2603, and rustc's book: "Symbol Mangling"),
 * with values of const generics, which libiberty has of numbers alone.
 */
#ifndef NAMES_RUST_V0_H
#define NAMES_RUST_V0_H

/* The readable form of a name that begins with "_R", up to a '.', without hashes of crates and
 * types of constants, for the caller to free. NULL: it is malformed, or has more than `most` bytes.
 */
char *rust_v0_demangle(const char *name, unsigned long most);

#endif
