/*
 * text.h - names and numbers as they may be shown and written.
 *
 * Names come from files in no particular encoding, and may be hostile. One rule for all that is
 * written:
 *
 * Shown text (terminal, Markdown, pictures, formats of lines) is valid in its encoding and free of
 * control characters: in UTF-8, a byte that is not UTF-8, a control character and one that changes
 * the direction of writing become U+FFFD; in a locale's other encoding, each of these and each
 * character beyond ASCII becomes "?". Files are UTF-8, whatever the locale.
 *
 * Data (JSON, CSV, pprof and others that can hold any text) is valid UTF-8: a byte that is not
 * becomes U+FFFD, all else stays.
 *
 * What a format gives a meaning of its own is quoted as the format has it, on top of that.
 */
#ifndef OUT_TEXT_H
#define OUT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands in place of a number of calls where code was inlined. */
#define TEXT_INLINED "inlined"

enum { TEXT_NUMBER = 32 }; /* room for any number that is written here */

/* Whether the locale's encoding is UTF-8. */
bool text_is_utf8(void);
/* A copy of `text` that can be shown; the caller frees it. */
char *text_clean(const char *text, bool utf8);
/* The same in the locale's encoding, and in UTF-8. */
char *text_local(const char *text);
char *text_shown(const char *text);
/* The columns that a clean text takes: wide characters take two, combining ones none. */
unsigned text_width(const char *text, bool utf8);

enum text_cut { TEXT_CUT_MIDDLE, TEXT_CUT_START, TEXT_CUT_END };

/* A copy of a clean text that takes at most `width` columns, with an ellipsis where something was
 * left out; the caller frees it. */
char *text_shorten(const char *text, unsigned width, enum text_cut cut, bool utf8);

/* Valid UTF-8 of `text`, every byte that is not replaced by U+FFFD, nothing else changed: for data.
 * The caller frees it. */
char *text_utf8(const char *text);

/* "117,237,366" */
char *text_count(char buffer[TEXT_NUMBER], int64_t value);
/* "117.2M": at most 7 columns; exact below 10,000. */
char *text_count_short(char buffer[TEXT_NUMBER], int64_t value);
/* "117M", "1.2G": at most 4 columns, 5 below zero; exact below 10,000. */
char *text_count_shortest(char buffer[TEXT_NUMBER], int64_t value);
/* `part` as a percentage of `whole` with `decimals` digits after the point: "28.4"; "-" where
 * `whole` is 0. */
char *text_percent(char buffer[TEXT_NUMBER], int64_t part, int64_t whole, unsigned decimals);

#endif
