#include <config.h>

#include "render/text/text.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 64,  /* brackets within brackets; deeper names are cut like any text */
    MAX_GROUPS = 64, /* what may be left out of one name; what comes after stays */
    WORTH = 8,       /* of what is in brackets this much is left, or nothing */
};

/* What goes first. C++ repeats types in parameters; the arguments at the end tell instances apart;
 * "[clone .cold]" is the part of a function that is seldom run. */
enum kind { PARAMETERS, ARGUMENTS, CLONE, N_KINDS };

/* What is between a bracket and its partner. */
struct group {
    size_t begin, end; /* bytes of the text */
    enum kind kind;
};

struct groups {
    struct group items[MAX_GROUPS];
    size_t n;
};

/* The scan of a name: brackets that are open. */
struct scan {
    const char *text;
    struct {
        size_t at;
        bool is_group;
    } open[MAX_DEPTH];
    size_t depth;
    unsigned within; /* how many of them are groups: only the outermost one counts */
};

/* The length of the symbol behind "operator", with the blank that may follow it; 0: it is a word.
 */
static size_t operator_size(const char *p)
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

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

/* How many bytes at `at` are "operator" and a symbol, or 0. */
static size_t operator_at(const char *text, size_t at)
{
    static const char word[] = "operator";
    size_t size = sizeof word - 1, symbol;

    if (text[at] != word[0] || strncmp(text + at, word, size) != 0 || (at && is_word(text[at - 1])))
        return 0;
    symbol = operator_size(text + at + size);
    return symbol ? size + symbol : 0;
}

/* Whether the bracket opens what belongs to the word before it: "Vec<", "f(", "push::<". Where none
 * is before it, "<T as Trait>" and "(anonymous namespace)" are names themselves. */
static bool opens_group(const char *text, size_t at, bool after_operator)
{
    char before = at ? text[at - 1] : ' ';

    if (after_operator || is_word(before))
        return true;
    return text[at] == '(' ? before && strchr(">)]}", before) : at > 1 && before == ':';
}

static bool open_bracket(struct scan *s, size_t at, bool after_operator)
{
    bool is_group = opens_group(s->text, at, after_operator);

    if (s->depth == MAX_DEPTH)
        return false;
    s->open[s->depth].at = at;
    s->open[s->depth++].is_group = is_group;
    s->within += is_group;
    return true;
}

static bool close_bracket(struct scan *s, size_t at, struct groups *groups)
{
    size_t from;
    bool is_group;

    if (!s->depth)
        return false;
    from = s->open[--s->depth].at;
    is_group = s->open[s->depth].is_group;
    s->within -= is_group;
    if ((s->text[from] == '<') != (s->text[at] == '>'))
        return false;
    if (is_group && !s->within && groups->n < MAX_GROUPS)
        groups->items[groups->n++] =
            (struct group){from + 1, at, s->text[from] == '<' ? ARGUMENTS : PARAMETERS};
    return true;
}

/* Takes what compilers call a part or a copy of a function, which stands at the end. */
static void take_clone(const char *text, size_t at, struct groups *groups)
{
    static const char word[] = " [clone ";
    size_t begin = at + sizeof word - 1, end;

    if (text[at] != word[0] || strncmp(text + at, word, sizeof word - 1) != 0 ||
        groups->n == MAX_GROUPS)
        return;
    end = begin + strcspn(text + begin, "]");
    if (text[end])
        groups->items[groups->n++] = (struct group){begin, end, CLONE};
}

/* Finds the outermost groups, in their order. Without brackets that match there are none. */
static void find(const char *text, struct groups *groups)
{
    struct scan s = {.text = text};
    size_t after = 0; /* behind the operator that was last */

    groups->n = 0;
    for (size_t i = 0; text[i]; i++) {
        size_t skip = operator_at(text, i);
        bool fits = true;

        if (!s.depth)
            take_clone(text, i, groups);
        if (skip) {
            after = i + skip;
            i = after - 1;
            continue;
        }
        if (text[i] == '<' || text[i] == '(')
            fits = open_bracket(&s, i, after == i && i > 0);
        else if ((text[i] == '>' && (!i || text[i - 1] != '-')) || text[i] == ')')
            fits = close_bracket(&s, i, groups);
        if (!fits)
            break;
        if (!text[i + 1] && !s.depth)
            return;
    }
    groups->n = 0;
}

/* The text with a group's inside so short that the whole, of `*its` columns, takes `wanted`, if it
 * can be; NULL where nothing is gained. `*its` is less then. The caller frees it. */
static char *without(const char *text, const struct group *g, unsigned *its, unsigned wanted,
                     bool utf8)
{
    char *inside = xstrndup(text + g->begin, g->end - g->begin), *less, *whole = NULL;
    unsigned width = text_width(inside, utf8), dots = utf8 ? 1 : 3;
    unsigned excess = *its - wanted, left = width > excess ? width - excess : 0;

    if (width > dots) {
        less = left < WORTH ? xstrdup(utf8 ? "…" : "...")
                            : text_shorten(inside, left, TEXT_CUT_MIDDLE, utf8);
        whole = xasprintf("%.*s%s%s", (int)g->begin, text, less, text + g->end);
        *its -= width - text_width(less, utf8);
        free(less);
    }
    free(inside);
    return whole;
}

/* Which group goes at the given step, parameters from the last on, all else from the first on. */
static const struct group *next(const struct groups *groups, size_t step)
{
    size_t seen = 0;

    for (enum kind kind = 0; kind < N_KINDS; kind++)
        for (size_t i = 0; i < groups->n; i++) {
            const struct group *g = &groups->items[kind == PARAMETERS ? groups->n - 1 - i : i];

            if (g->kind == kind && seen++ == step)
                return g;
        }
    return NULL;
}

/* Where what a group belongs to ends: before its bracket, and what that is written with. */
static size_t stem_end(const char *text, const struct group *g)
{
    size_t end = g->begin - 1;

    if (g->kind == CLONE)
        return g->begin - strlen(" [clone ");
    return g->kind == ARGUMENTS && end >= 2 && !strncmp(text + end - 2, "::", 2) ? end - 2 : end;
}

/* The text with an ellipsis for each group and its brackets, one for several in a row; without one
 * at its end where that alone is too wide, since then there will be one in the middle. The caller
 * frees it. */
static char *bare(const char *text, const struct groups *groups, unsigned width, bool utf8)
{
    const char *ellipsis = utf8 ? "…" : "...";
    char *out = xstrdup(""), *longer;
    size_t at = 0;

    for (size_t i = 0; i < groups->n; i++) {
        const struct group *g = &groups->items[i];
        size_t end = stem_end(text, g);

        if (g->begin == g->end || end < at)
            continue;
        longer = xasprintf("%s%.*s%s", out, (int)(end - at), text + at,
                           at && end == at ? ""
                           : utf8          ? "…"
                                           : "...");
        free(out);
        out = longer;
        at = g->end + 1;
    }
    longer = xasprintf("%s%s", out, text + at);
    free(out);
    if (groups->n && !text[at] && text_width(longer, utf8) > width)
        longer[strlen(longer) - strlen(ellipsis)] = '\0';
    return longer;
}

/* Keeps the groups where their text is, after that of `g`, one of them, became `less` bytes
 * shorter. What a clone's name has in brackets is one of its own: it goes with it. */
static void move_groups(struct groups *groups, const struct group *g, size_t less)
{
    const size_t begin = g->begin, end = g->end;

    for (size_t i = 0; i < groups->n; i++) {
        struct group *h = &groups->items[i];

        if (h->begin > end) {
            h->begin -= less;
            h->end -= less;
        } else if (h->begin <= begin && h->end >= end) {
            h->end -= less;
        } else if (h->end >= begin) {
            h->begin = h->end = begin;
        }
    }
}

/* Shortens groups one by one until the text fits or all are gone. Takes over `text`. */
static char *shorten_groups(char *text, unsigned width, bool utf8)
{
    struct groups groups;
    const struct group *g;
    unsigned its = text_width(text, utf8);

    find(text, &groups);
    for (size_t step = 0; its > width && (g = next(&groups, step)); step++) {
        char *shorter = without(text, g, &its, width, utf8);

        if (!shorter)
            continue;
        move_groups(&groups, g, strlen(text) - strlen(shorter));
        free(text);
        text = shorter;
    }
    return text;
}

char *text_shorten_name(const char *name, unsigned width, bool utf8)
{
    char *text = shorten_groups(xstrdup(name), width, utf8), *shorter;
    struct groups groups;

    if (text_width(text, utf8) > width) {
        find(text, &groups);
        shorter = bare(text, &groups, width, utf8);
        free(text);
        text = shorter;
    }
    shorter = text_shorten(text, width, TEXT_CUT_MIDDLE, utf8);
    free(text);
    return shorter;
}
