/*
 * strbuf.h - a text that grows.
 *
 * Zero-initialised is empty. Its text is whole at any time: it ends with a NUL, but for NULL where
 * nothing was added. Life cycle: any number of additions, then strbuf_take() or strbuf_free().
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stddef.h>

struct strbuf {
    char *text;  /* NULL: nothing was added */
    size_t size; /* bytes, without the NUL */
    size_t room; /* bytes allocated */
};

void strbuf_add(struct strbuf *b, const char *text);
/* The first `size` bytes of `text`. */
void strbuf_add_bytes(struct strbuf *b, const char *text, size_t size);
void strbuf_add_char(struct strbuf *b, char c);
void strbuf_addf(struct strbuf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An item of a list: `text`, behind `separator` unless it is the first. */
void strbuf_add_item(struct strbuf *b, const char *separator, const char *text);
/* Cuts the text to `size` bytes, which it has. */
void strbuf_cut(struct strbuf *b, size_t size);
/* The text, "" where nothing was added; the caller frees it. The buffer is empty then. */
char *strbuf_take(struct strbuf *b) __attribute__((returns_nonnull, warn_unused_result));
/* Empties it. */
void strbuf_free(struct strbuf *b);

#endif
