/*
 * utf8.h - characters beyond ASCII, written as UTF-8.
 */
#ifndef NAMES_UTF8_H
#define NAMES_UTF8_H

#include <stddef.h>

/* Writes a character beyond ASCII to 4 bytes at `to`; returns its size, 0 where it is none. */
size_t utf8_put(char *to, unsigned long c);

#endif
