#include <config.h>

#include "names/brackets.h"

#include <string.h>

/* The partner of an opening bracket, or NUL. */
static char closing(char open)
{
    switch (open) {
    case '<':
        return '>';
    case '(':
        return ')';
    case '[':
        return ']';
    case '{':
        return '}';
    default:
        return '\0';
    }
}

/* brackets_step(), for the loops of this file. */
static inline enum bracket step(struct brackets *b, const char *text, const char *p)
{
    char partner = closing(*p);

    if (partner) {
        if (b->depth == BRACKETS_MAX)
            return BRACKET_TOO_DEEP;
        b->closing[b->depth++] = partner;
        return BRACKET_OPENS;
    }
    if (*p != '>' && *p != ')' && *p != ']' && *p != '}')
        return BRACKET_NONE;
    if (*p == '>' && p > text && (p[-1] == '-' || p[-1] == '='))
        return BRACKET_NONE;
    if (!b->depth || b->closing[b->depth - 1] != *p)
        return BRACKET_STRAY;
    b->depth--;
    return BRACKET_CLOSES;
}

enum bracket brackets_step(struct brackets *b, const char *text, const char *p)
{
    return step(b, text, p);
}

const char *bracket_end(const char *p, const char *end)
{
    struct brackets b;

    b.depth = 0; /* the rest is not read before it is written */
    for (const char *at = p; at < end; at++) {
        enum bracket is = step(&b, p, at);

        if (is == BRACKET_TOO_DEEP)
            return NULL;
        if (!b.depth)
            return is == BRACKET_CLOSES ? at + 1 : NULL;
    }
    return NULL;
}

const char *find_outside(const char *p, const char *end, const char *text)
{
    size_t size = strlen(text);

    while (p < end) {
        if (*p == *text && (size_t)(end - p) >= size && !memcmp(p, text, size))
            return p;
        if (closing(*p)) {
            p = bracket_end(p, end);
            if (!p)
                return NULL;
        } else {
            p++;
        }
    }
    return NULL;
}

/* The length of the symbol behind "operator", with the blank that may follow it; 0: it is a word.
 */
static size_t symbol_size(const char *p)
{
    static const char *const symbols[] = {"<=>", "<<=", ">>=", "->*", "()", "<<", ">>",
                                          "<=",  ">=",  "->",  "<",   ">",  NULL};

    for (size_t i = 0; symbols[i]; i++) {
        size_t size = strlen(symbols[i]);

        if (!strncmp(p, symbols[i], size))
            return size + (p[size] == ' ' && p[size + 1] == '<');
    }
    return strspn(p, "=!+-*/%&|^~,");
}

size_t operator_size(const char *text, const char *p)
{
    static const char word[] = "operator";
    size_t size = sizeof word - 1, symbol;

    if (*p != word[0] || strncmp(p, word, size) != 0 || (p > text && is_word(p[-1])))
        return 0;
    symbol = symbol_size(p + size);
    return symbol ? size + symbol : 0;
}

/*--- Paths of types ---*/

const char *type_without_keyword(const char *name)
{
    static const char *const words[] = {"struct ", "class ", "union ", "enum "};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(name, words[i], strlen(words[i])))
            return name + strlen(words[i]);
    return name;
}

const char *type_last_part(const char *path)
{
    const char *end = path + strlen(path), *next;

    while ((next = find_outside(path, end, "::")) != NULL)
        path = next + 2;
    return path;
}

bool type_is_path(const char *type, const char *end)
{
    for (const char *p = type; p < end; p++) {
        if (*p == '<' || *p == '{') {
            p = bracket_end(p, end);
            if (!p)
                return false;
            p--;
        } else if (!is_word(*p) && *p != ':') {
            return false;
        }
    }
    return type < end;
}
