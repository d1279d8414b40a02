/*
 * demangle.h - readable names of linkage names: Rust's two manglings and C++'s.
 */
#ifndef NAMES_DEMANGLE_H
#define NAMES_DEMANGLE_H

#include <stddef.h>

/*
 * The readable form of `linkage`, for the caller to free, or NULL where that is the same: the name
 * is not mangled, or is malformed.
 *
 * Rust names lose their hash (`::h<16 hex>`, v0 disambiguators) and the `.llvm.<N>` that ThinLTO
 * appends, and so does a name that another tool has demangled already. Other suffixes stay, as
 * " [clone .cold]", since they tell functions apart, and so does "@plt"; a symbol's version
 * ("@@GLIBC_2.2.5") goes. C++ names have their parameters.
 *
 * Names come from files, and may be hostile: a name whose readable form would exceed DEMANGLE_MAX
 * bytes has none.
 */
char *demangle(const char *linkage);
/* demangle() but for instances of C++ templates, which do not begin with what they return:
 * "std::min<int>(int const&, int const&)". */
char *demangle_brief(const char *linkage);

enum { DEMANGLE_MAX = 16384 };

/*--- Escapes of Rust's older mangling ---*/

enum { RUST_ESCAPE_MAX = 4 };

/* Writes what an escape stands for, "LT" or "u7e", of `size` bytes: RUST_ESCAPE_MAX at most.
 * Returns its size, 0 where it is none. */
size_t rust_escape(char *to, const char *escape, size_t size);
/* Writes a name, or a part of one, without escapes, and with "::" for "..". Returns its size, which
 * is at most `size`; `to` may be `name`. */
size_t rust_unescape(char *to, const char *name, size_t size);

#endif
