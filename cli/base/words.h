/*
 * words.h - words of texts: as a shell reads them, by their beginnings and endings, in lines that
 * fit, and the nearest to one that is wrong.
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A word of a command line, in single quotes where a shell would take it for something else. The
 * caller frees it.
 */
char *shell_word(const char *text);

/* True where `text` ends in `ending`, or is it. */
bool text_ends_in(const char *text, const char *ending);
/* True where `text` begins with `beginning`, or is it. */
bool text_begins(const char *text, const char *beginning);
/* The rest of `text` after `beginning`, or NULL where it does not begin so. */
const char *text_after(const char *text, const char *beginning);
/* True where it begins with one of the words of `words`, which have blanks between them. */
bool text_begins_with_word_of(const char *text, const char *words);
/* True where the `size` bytes at `text` are one of these words. */
bool text_is_word_of(const char *words, const char *text, size_t size);

/*--- Lines that fit ---*/

/*
 * Writes `text`, with a newline and `indent` blanks instead of the blanks where the next word would
 * end behind column `width`. The cursor is at `indent` already; no newline follows the last word. A
 * word that is longer than a line stays whole.
 */
void wrap_put(FILE *out, const char *text, unsigned indent, unsigned width);
/* wrap_put() with the cursor at `column`, behind something that was written already. */
void wrap_put_from(FILE *out, const char *text, unsigned column, unsigned indent, unsigned width);

/*--- The nearest name ---*/

/*
 * The one of `n` names that is closest to `word` (insertions, deletions, substitutions and swapped
 * neighbours count one each), or NULL where none is close enough to be worth suggesting.
 */
const char *nearest_name(const char *word, const char *const *names, size_t n);

#endif
