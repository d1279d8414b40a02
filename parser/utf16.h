/*
 * utf16.h - text of UTF-16, as PowerShell's ">" writes it, made UTF-8.
 */
#ifndef PARSER_UTF16_H
#define PARSER_UTF16_H

#include <stddef.h>

enum utf16_order { UTF16_NONE, UTF16_LITTLE, UTF16_BIG };

/* Tells if a file with these first bytes is UTF-16: by its mark or, without one, by ASCII in each
 * second byte of the first 16. */
enum utf16_order utf16_order_of(const void *bytes, size_t size);

/* The most bytes of UTF-8 that a character of two or four bytes becomes. */
enum { UTF16_MOST = 4 };

/* Writes the first character of `size` bytes to `to` (none for a mark of the byte order), and its
 * length to `*length`. Half a pair becomes U+FFFD. Returns the bytes taken; 0: more are needed,
 * which never is with `at_end` and two bytes. */
size_t utf16_character(enum utf16_order order, const unsigned char *bytes, size_t size, int at_end,
                       char *to, size_t *length);

#endif
