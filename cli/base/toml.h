/*
 * toml.h - a reader of the part of TOML that settings need: tables of one name each, and in them
 * keys with a text, a whole number, true or false, or an array of texts.
 */
#ifndef BASE_TOML_H
#define BASE_TOML_H

#include "base/options.h"

/* A key in a table, with its value, at a line; the strings are there during the call only. Returns
 * 0, or else the reading ends with this. `table` is "" before the first one. */
typedef int toml_key(void *data, const char *table, const char *key,
                     const struct option_value *value, unsigned long line);

/*
 * Reads `text` and calls `each` for its keys in order. Returns 0, what `each` returned, or -1 where
 * it is none of this: then `*line` and `error` say where and why.
 */
int toml_read(const char *text, toml_key *each, void *data, unsigned long *line, char error[128]);

#endif
