/*
 * tokens.h - the parts of source that are coloured: keywords, texts, numbers, comments.
 *
 * Lines are read one by one, and what goes on to the next line is kept in a state. No line is ever
 * refused: where code is wrong, so may its colours be.
 */
#ifndef SOURCE_TOKENS_H
#define SOURCE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum language { LANGUAGE_NONE, LANGUAGE_RUST, LANGUAGE_C /* and C++ */ };

enum token_kind {
    TOKEN_PLAIN,
    TOKEN_COMMENT,
    TOKEN_TEXT,
    TOKEN_NUMBER, /* characters and lifetimes, too */
    TOKEN_WORD,   /* a keyword */
    TOKEN_TYPE,
    TOKEN_MACRO, /* a macro of Rust, an attribute, a directive of the preprocessor */
    N_TOKENS
};

/* The state at the end of a line: all that is open. Zeros: nothing is. */
struct token_state {
    unsigned comment; /* the depth of block comments */
    bool text, raw;   /* a text; it has no escapes, and ends with a quote and `hashes` */
    unsigned hashes;
};

/* The language of a file, by its name. */
enum language tokens_language(const char *path);

/* Reads a line of `size` bytes, any bytes, without its end. Sets the kind of each byte: enum
 * token_kind; those of a character beyond ASCII have the same one. `kinds` may be NULL: then only
 * `state` goes on. */
void tokens_read(enum language language, const char *line, size_t size, struct token_state *state,
                 unsigned char *kinds);

#endif
