#include <config.h>

#include "source/tokens.h"

#include "base/file.h"
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

static const char *const rust_words[] = {
    "Self",  "as",     "async", "await", "break", "const",  "continue", "crate", "dyn",    "else",
    "enum",  "extern", "false", "fn",    "for",   "if",     "impl",     "in",    "let",    "loop",
    "match", "mod",    "move",  "mut",   "pub",   "ref",    "return",   "self",  "static", "struct",
    "super", "trait",  "true",  "type",  "union", "unsafe", "use",      "where", "while",  "yield",
};

/* Sorted, as the list above. */
static const char *const c_words[] = {
    "_Bool",     "auto",   "bool",      "break",    "case",     "catch",    "char",
    "class",     "const",  "constexpr", "continue", "default",  "delete",   "do",
    "double",    "else",   "enum",      "explicit", "extern",   "false",    "float",
    "for",       "friend", "goto",      "if",       "inline",   "int",      "long",
    "namespace", "new",    "noexcept",  "nullptr",  "operator", "override", "private",
    "protected", "public", "register",  "restrict", "return",   "short",    "signed",
    "sizeof",    "static", "struct",    "switch",   "template", "this",     "throw",
    "true",      "try",    "typedef",   "typename", "union",    "unsigned", "using",
    "virtual",   "void",   "volatile",  "while",
};

enum language tokens_language(const char *path)
{
    const char *dot = strrchr(path_base(path), '.');

    if (!dot)
        return LANGUAGE_NONE;
    if (!strcmp(dot + 1, "rs"))
        return LANGUAGE_RUST;
    return text_is_word_of("c h cc hh cpp hpp cxx hxx inl ipp", dot + 1, strlen(dot + 1))
               ? LANGUAGE_C
               : LANGUAGE_NONE;
}

/*--- A line ---*/

struct reader {
    enum language language;
    const char *line;
    size_t size, at;
    struct token_state *state;
    unsigned char *kinds; /* NULL: not wanted */
};

/* The byte at a distance from the present one; NUL behind the end. */
static char peek(const struct reader *r, size_t by)
{
    return r->at + by < r->size ? r->line[r->at + by] : '\0';
}

static void take(struct reader *r, size_t n, enum token_kind kind)
{
    if (n > r->size - r->at)
        n = r->size - r->at;
    if (r->kinds)
        memset(r->kinds + r->at, kind, n);
    r->at += n;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Bytes beyond ASCII are of names. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static size_t word_size(const struct reader *r, size_t from)
{
    size_t n = from;

    while (is_letter(peek(r, n)) || is_digit(peek(r, n)))
        n++;
    return n - from;
}

static bool begins(const struct reader *r, const char *text)
{
    size_t size = strlen(text);

    return size <= r->size - r->at && !memcmp(r->line + r->at, text, size);
}

/*--- What may go on in the next line ---*/

static void take_comment(struct reader *r)
{
    struct token_state *s = r->state;

    while (r->at < r->size && s->comment) {
        if (begins(r, "*/"))
            s->comment--;
        else if (!begins(r, "/*")) {
            take(r, 1, TOKEN_COMMENT);
            continue;
        } else if (r->language == LANGUAGE_RUST)
            s->comment++;
        take(r, 2, TOKEN_COMMENT);
    }
}

static size_t count_hashes(const struct reader *r, size_t from)
{
    size_t n = 0;

    while (peek(r, from + n) == '#')
        n++;
    return n;
}

static void take_text(struct reader *r)
{
    struct token_state *s = r->state;

    while (r->at < r->size && s->text) {
        bool ends = peek(r, 0) == '"' && (!s->raw || count_hashes(r, 1) >= s->hashes);

        s->text = !ends;
        take(r, ends && s->raw ? 1 + s->hashes : !s->raw && peek(r, 0) == '\\' ? 2 : 1, TOKEN_TEXT);
    }
    /* A text of C ends with its line, but for a backslash at the end. */
    if (r->language == LANGUAGE_C && (!r->size || r->line[r->size - 1] != '\\'))
        s->text = false;
}

static void begin_text(struct reader *r, size_t quote, bool raw, size_t hashes)
{
    *r->state = (struct token_state){.text = true, .raw = raw, .hashes = (unsigned)hashes};
    take(r, quote + 1, TOKEN_TEXT);
    take_text(r);
}

/*--- Tokens ---*/

/* "b", r#" and the like. Returns false where none begins. */
static bool take_rust_text(struct reader *r)
{
    size_t at = 0, hashes;
    bool raw;

    if (peek(r, at) == 'b' || peek(r, at) == 'c')
        at++;
    raw = peek(r, at) == 'r';
    at += raw;
    hashes = raw ? count_hashes(r, at) : 0;
    if (peek(r, at + hashes) != '"')
        return false;
    begin_text(r, at + hashes, raw, hashes);
    return true;
}

/* 'x', '\n', or a lifetime. */
static void take_character(struct reader *r)
{
    size_t end = 1;

    if (r->language == LANGUAGE_RUST && peek(r, 1) != '\\' && is_letter(peek(r, 1))) {
        end = word_size(r, 1);
        take(r, 1 + end + (peek(r, 1 + end) == '\''), TOKEN_NUMBER);
        return;
    }
    while (r->at + end < r->size && peek(r, end) != '\'')
        end += peek(r, end) == '\\' ? 2 : 1;
    take(r, r->at + end < r->size ? end + 1 : 1, TOKEN_NUMBER);
}

static void take_number(struct reader *r)
{
    size_t n = word_size(r, 0);

    if (peek(r, n) == '.' && is_digit(peek(r, n + 1)))
        n += 1 + word_size(r, n + 1);
    take(r, n, TOKEN_NUMBER);
}

static int compare_words(const void *text, const void *word)
{
    return strcmp(text, *(const char *const *)word);
}

static bool is_word(enum language language, const char *text)
{
    bool rust = language == LANGUAGE_RUST;

    return bsearch(text, rust ? rust_words : c_words,
                   rust ? sizeof rust_words / sizeof *rust_words : sizeof c_words / sizeof *c_words,
                   sizeof(char *), compare_words) != NULL;
}

static void take_word(struct reader *r)
{
    enum { LONGEST = 15 };
    size_t n = word_size(r, 0);
    char text[LONGEST + 1] = "";
    bool rust = r->language == LANGUAGE_RUST;

    if (n <= LONGEST)
        memcpy(text, r->line + r->at, n);
    if (rust && peek(r, n) == '!' && peek(r, n + 1) != '=')
        take(r, n + 1, TOKEN_MACRO);
    else if (is_word(r->language, text))
        take(r, n, TOKEN_WORD);
    else if (rust ? peek(r, 0) >= 'A' && peek(r, 0) <= 'Z'
                  : n > 2 && !memcmp(r->line + r->at + n - 2, "_t", 2))
        take(r, n, TOKEN_TYPE);
    else
        take(r, n, TOKEN_PLAIN);
}

/* #[attribute] of Rust; #directive at the beginning of a line of C. */
static void take_hash(struct reader *r)
{
    size_t n = 1;

    if (r->language == LANGUAGE_RUST) {
        n += peek(r, 1) == '!';
        if (peek(r, n) == '[')
            while (r->at + n < r->size && peek(r, n) != ']')
                n++;
        take(r, peek(r, n) == ']' ? n + 1 : 1, peek(r, n) == ']' ? TOKEN_MACRO : TOKEN_PLAIN);
        return;
    }
    for (size_t i = 0; i < r->at; i++)
        if (r->line[i] != ' ' && r->line[i] != '\t') {
            take(r, 1, TOKEN_PLAIN);
            return;
        }
    while (peek(r, n) == ' ' || peek(r, n) == '\t')
        n++;
    take(r, n + word_size(r, n), TOKEN_MACRO);
}

static void take_token(struct reader *r)
{
    char c = peek(r, 0);

    if (begins(r, "//")) {
        take(r, r->size, TOKEN_COMMENT);
    } else if (begins(r, "/*")) {
        *r->state = (struct token_state){.comment = 1};
        take(r, 2, TOKEN_COMMENT);
        take_comment(r);
    } else if (r->language == LANGUAGE_RUST && take_rust_text(r)) {
        return;
    } else if (c == '"') {
        begin_text(r, 0, false, 0);
    } else if (c == '\'') {
        take_character(r);
    } else if (is_digit(c)) {
        take_number(r);
    } else if (is_letter(c)) {
        take_word(r);
    } else if (c == '#') {
        take_hash(r);
    } else {
        take(r, 1, TOKEN_PLAIN);
    }
}

void tokens_read(enum language language, const char *line, size_t size, struct token_state *state,
                 unsigned char *kinds)
{
    struct reader r = {language, line, size, 0, state, kinds};

    if (language == LANGUAGE_NONE) {
        take(&r, size, TOKEN_PLAIN);
        return;
    }
    if (state->comment)
        take_comment(&r);
    else if (state->text)
        take_text(&r);
    while (r.at < size)
        take_token(&r);
}
