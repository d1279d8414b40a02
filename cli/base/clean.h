/*
 * clean.h - foreign texts as they may be shown and written.
 *
 * Names come from files in no particular encoding, and may be hostile. One rule for all that is
 * written:
 *
 * Shown text (terminal, Markdown, pictures, formats of lines) is valid in its encoding and free of
 * control characters: in UTF-8, a byte that is not UTF-8, a control character and one that changes
 * the direction of writing become U+FFFD; in a locale's other encoding, each of these and each
 * character beyond ASCII becomes "?". Files are UTF-8, whatever the locale.
 *
 * On the terminal a text beyond TEXT_SHOWN_MAX bytes, which no line has room for, loses its middle.
 *
 * Data (JSON, CSV, pprof and others that can hold any text) is valid UTF-8: a byte that is not
 * becomes U+FFFD, all else stays. Where data goes to a terminal, CSV is shown text and JSON escapes
 * all beyond ASCII.
 *
 * So each text crosses by one function: text_clean() to the terminal, where
 * style.h, table_text.h, message.h and screen.h call it for whoever writes by them; text_shown()
 * and text_utf8() to files, where xml.h, markdown.h, json_value.h and the exports do.
 *
 * A format quotes what has a meaning of its own in it, on top of that.
 */
#ifndef BASE_CLEAN_H
#define BASE_CLEAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True where the locale's encoding is UTF-8. */
bool text_is_utf8(void);
/* A sign of our own as the locale can show it. */
static inline const char *text_sign(const char *utf8, const char *ascii)
{
    return text_is_utf8() ? utf8 : ascii;
}
/* Stands in place of what is left out. */
static inline const char *text_ellipsis(void)
{
    return text_sign("…", "...");
}
enum { TEXT_SHOWN_MAX = 16384 };

/* A copy of `text` that can be shown on a terminal, in the locale's encoding; the caller frees it.
 */
char *text_clean(const char *text);
/* The whole text as it can be shown in a file, in UTF-8. */
char *text_shown(const char *text);

/* Valid UTF-8 of `text`, every byte that is not replaced by U+FFFD, nothing else changed: for data.
 * The caller frees it. */
char *text_utf8(const char *text);

/*
 * The character that begins at `text`, and its length in `*size`. UINT32_MAX, of length 1, where
 * that is not UTF-8: a stray or missing continuation byte, an overlong form, a surrogate, beyond
 * U+10FFFF.
 */
uint32_t text_decode(const char *text, size_t *size);

#endif
