/*
 * rust_linkage.h - linkage names of Rust: their prefixes, and the hash of the older mangling,
 * "_ZN1a1b17h<16 hex>E". Some tools leave that hash in names that they make readable: "a::b::h<16
 * hex>".
 */
#ifndef NAMES_RUST_LINKAGE_H
#define NAMES_RUST_LINKAGE_H

#include <stdbool.h>
#include <stddef.h>

enum { RUST_HASH_DIGITS = 16 };

/* Tells whether `linkage` is a Rust name in its mangled form. */
bool rust_is_mangled(const char *linkage);
/* Tells whether it is of the older mangling, which has a hash where it would need type arguments.
 */
bool rust_has_hash(const char *linkage);
/* Tells whether a name that was demangled by others still has that hash at its end. */
bool rust_ends_in_hash(const char *name);
/* Tells whether a linkage name, or one that another tool made readable but for its hash, is Rust's.
 */
bool rust_is_linkage(const char *name);

/* The digits of the next hash of the older mangling in `text`, an 'E' being behind them, or NULL.
 */
const char *rust_next_hash(const char *text);
/* The digits of the hash that tells an instance from others, in a linkage name or at the end of a
 * name that was demangled by others; NULL: it has none. */
const char *rust_hash_of(const char *linkage);
/* The size of a readable name of `size` bytes without the hash at its end. */
size_t rust_size_without_hash(const char *name, size_t size);

#endif
