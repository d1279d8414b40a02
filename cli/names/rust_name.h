/*
 * rust_name.h - short forms of Rust's demangled names.
 */
#ifndef NAMES_RUST_NAME_H
#define NAMES_RUST_NAME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The demangled name `full` as people write it, for the caller to free:
 *
 *     <alloc::vec::Vec<T,A> as core::iter::traits::collect::Extend<T>>::extend
 *                                                <Vec<T> as Extend<T>>::extend
 *     core::num::<impl usize>::checked_sub       usize::checked_sub
 *     <std::path::Path>::join::<&str>            Path::join::<&str>
 *     app::net::run::{{closure}}                 app::net::run::{closure}
 *
 * Types and traits within it lose the path before them. The name as a whole keeps its path, unless
 * it belongs to a type or trait of core, alloc or std. The standard collections' default allocator
 * goes.
 */
char *rust_short_name(const char *full);
/* The short form of a list of type arguments ("u8, alloc::alloc::Global"); the caller frees it. */
char *rust_short_arguments(const char *arguments);
/*
 * The name without the arguments of generic types and functions, "_" in their place: equal for all
 * instances of one generic function. The caller frees it.
 */
char *rust_generic_name(const char *full);

/*--- Linkage names ---*/

/*
 * Linkage names of Rust: their prefixes, and the hash of the older mangling,
 * "_ZN1a1b17h<16 hex>E". Some tools leave that hash in names that they make readable: "a::b::h<16
 * hex>".
 */

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
