#include <config.h>

/* Names cut to a width, at their brackets first. */
#include "base/memory.h"
#include "base/strbuf.h"
#include "names/brackets.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_GROUPS = 64, /* groups of one name; the contents of later ones stay */
    WORTH = 8,       /* the least that is left of the contents of brackets, or nothing is */
};

/* The kinds of groups, those that go first before. C++ repeats types in parameters; the arguments
 * at the end tell instances apart; "[clone .cold]" is the part of a function that is seldom run. */
enum kind { PARAMETERS, ARGUMENTS, CLONE, N_KINDS };

/* The text between a bracket and its partner. */
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
    struct brackets brackets;
    struct {
        size_t at;
        bool is_group;
    } open[BRACKETS_MAX];
    unsigned within; /* the number of them that are groups: only the outermost one counts */
};

/* True for a bracket that belongs to the word before it: "Vec<", "f(", "push::<". Without such a
 * word, "<T as Trait>" and "(anonymous namespace)" are names themselves. */
static bool opens_group(const char *text, size_t at, bool after_operator)
{
    char before = at ? text[at - 1] : ' ';

    if (after_operator || is_word(before))
        return true;
    return text[at] == '(' ? before && strchr(">)]}", before) : at > 1 && before == ':';
}

/* Only these have groups. */
static bool is_bracket(char c)
{
    return c == '<' || c == '>' || c == '(' || c == ')';
}

/* Notes the bracket that was opened at `at`. */
static void open_group(struct scan *s, size_t at, bool after_operator)
{
    bool is_group = opens_group(s->text, at, after_operator);

    s->open[s->brackets.depth - 1].at = at;
    s->open[s->brackets.depth - 1].is_group = is_group;
    s->within += is_group;
}

/* Notes the bracket that was closed at `at`. */
static void close_group(struct scan *s, size_t at, struct groups *groups)
{
    size_t from = s->open[s->brackets.depth].at;
    bool is_group = s->open[s->brackets.depth].is_group;

    s->within -= is_group;
    if (is_group && !s->within && groups->n < MAX_GROUPS)
        groups->items[groups->n++] =
            (struct group){from + 1, at, s->text[from] == '<' ? ARGUMENTS : PARAMETERS};
}

/* Takes a compiler's name for a part or a copy of a function, which stands at the end. */
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

/* Finds the outermost groups, in their order. Without brackets that match there are none: such a
 * name is cut like any text. */
static void find(const char *text, struct groups *groups)
{
    struct scan s;    /* not what it has room for */
    size_t after = 0; /* behind the last operator */

    s.text = text;
    s.brackets.depth = s.within = 0;
    groups->n = 0;
    for (size_t i = 0; text[i]; i++) {
        size_t skip = text[i] == 'o' ? operator_size(text, text + i) : 0;
        enum bracket is = BRACKET_NONE;

        if (!s.brackets.depth)
            take_clone(text, i, groups);
        if (skip) {
            after = i + skip;
            i = after - 1;
            continue;
        }
        if (is_bracket(text[i]))
            is = brackets_step(&s.brackets, text, text + i);
        if (is == BRACKET_STRAY || is == BRACKET_TOO_DEEP)
            break;
        if (is == BRACKET_OPENS)
            open_group(&s, i, after == i && i > 0);
        else if (is == BRACKET_CLOSES)
            close_group(&s, i, groups);
        if (!text[i + 1] && !s.brackets.depth)
            return;
    }
    groups->n = 0;
}

/* The text with a group so much shorter that the whole, of `*its` columns, takes `wanted`, or as
 * near as it can; NULL where nothing is gained. It lowers `*its`. The caller frees the text. */
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

/* The group that goes at a step: parameters from the last on, all others from the first on. */
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

/* The end of the name that a group belongs to, before its bracket and the "::" of it. */
static size_t stem_end(const char *text, const struct group *g)
{
    size_t end = g->begin - 1;

    if (g->kind == CLONE)
        return g->begin - strlen(" [clone ");
    return g->kind == ARGUMENTS && end >= 2 && !strncmp(text + end - 2, "::", 2) ? end - 2 : end;
}

/* The text with an ellipsis for each group and its brackets, one for several in a row. It has none
 * at its end where the rest is too wide, since an ellipsis in the middle follows. The caller frees
 * it. */
static char *bare(const char *text, const struct groups *groups, unsigned width, bool utf8)
{
    const char *ellipsis = utf8 ? "…" : "...";
    struct strbuf out = {.text = NULL};
    size_t at = 0;

    for (size_t i = 0; i < groups->n; i++) {
        const struct group *g = &groups->items[i];
        size_t end = stem_end(text, g);

        if (g->begin == g->end || end < at)
            continue;
        strbuf_add_bytes(&out, text + at, end - at);
        if (!at || end > at)
            strbuf_add(&out, ellipsis);
        at = g->end + 1;
    }
    strbuf_add(&out, text + at);
    if (groups->n && !text[at] && text_width(out.text, utf8) > width)
        strbuf_cut(&out, out.size - strlen(ellipsis));
    return strbuf_take(&out);
}

/* Moves the groups with their text, after that of `g`, one of them, became `less` bytes shorter.
 * Brackets within a clone's name are a group of their own: it goes with the clone's. */
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
