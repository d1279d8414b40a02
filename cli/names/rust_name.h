/*
 * rust_name.h - short forms of Rust's demangled names.
 */
#ifndef NAMES_RUST_NAME_H
#define NAMES_RUST_NAME_H

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
/* A list of type arguments ("u8, alloc::alloc::Global") likewise; the caller frees it. */
char *rust_short_arguments(const char *arguments);
/*
 * The name without the arguments of generic types and functions, "_" in their place: equal for all
 * instances of one generic function. The caller frees it.
 */
char *rust_generic_name(const char *full);

#endif
