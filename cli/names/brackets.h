/*
 * brackets.h - the brackets in names of functions, of Rust and C++: "<T as a::Trait<u8>>::f",
 * "a::f::{closure#0}", "std::operator<< <char>(std::ostream&)".
 *
 * There are four kinds, "<>", "()", "[]" and "{}". The '>' of "->" and "=>" is none. The scripts of
 * the pages, in another language, have a scanner of their own (render/html/short_names.js).
 */
#ifndef NAMES_BRACKETS_H
#define NAMES_BRACKETS_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

/* Brackets within brackets; no name has more but a hostile one. */
enum { BRACKETS_MAX = 256 };

/* The brackets that are open at a point of a text. Zero-initialised is before its first byte. */
struct brackets {
    size_t depth;
    char closing[BRACKETS_MAX]; /* what closes each of them, the outermost first */
};

enum bracket {
    BRACKET_NONE,
    BRACKET_OPENS,
    BRACKET_CLOSES,
    BRACKET_STRAY,   /* it closes none, or one of another kind than the innermost */
    BRACKET_TOO_DEEP /* the brackets cannot be told from here on */
};

/* Notes the byte at `p` of the text that begins at `text`. */
enum bracket brackets_step(struct brackets *b, const char *text, const char *p);

/* The byte after the bracket at `p` and all that it encloses, with stray ones left alone; NULL
 * where it is not closed before `end`, or where none opens at `p`. */
const char *bracket_end(const char *p, const char *end);
/* The first `text` between `p` and `end` that is in no bracket, or NULL. */
const char *find_outside(const char *p, const char *end, const char *text);

/* The number of bytes at `p` that are "operator" and the symbol of a C++ operator, with the blank
 * between the symbol and its arguments ("operator< <int>"); 0: there is no operator. The text
 * begins at `text`. */
size_t operator_size(const char *text, const char *p);

/* Tells whether `c` can be part of an identifier. Bytes beyond ASCII can. */
static inline bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/*--- Paths of types ---*/

/* The name behind "struct ", "class ", "union " or "enum ", if one of them is before it. */
const char *type_without_keyword(const char *name);

/* Where the last part of a path begins: "Vec<a::B>" of "alloc::vec::Vec<a::B>". */
const char *type_last_part(const char *path);

/* True for names, closures, "::" and arguments alone: a type that needs no brackets. */
bool type_is_path(const char *type, const char *end);

#endif
