#include <config.h>

#include "source/allocation.h"

#include "base/array.h"
#include "base/strbuf.h"
#include "base/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*--- Words ---*/

/* A name, a number, or one mark: "->" and "::" are one. */
struct word {
    const char *text;
    size_t size;
};

struct words {
    size_t n, room;
    struct word *items;
    size_t first; /* how many are on the first line */
};

static bool is_name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Skips a comment, or a text in quotes; NULL: `at` is none. */
static const char *skip_text(const char *at)
{
    const char *end;

    if (at[0] == '/' && at[1] == '*')
        return (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] != '"' && at[0] != '\'')
        return NULL;
    for (end = at + 1; *end && *end != *at; end++)
        end += end[0] == '\\' && end[1];
    return *end ? end + 1 : end;
}

static size_t word_size(const char *at)
{
    size_t size = 0;

    while (is_name_byte(at[size]))
        size++;
    if (size)
        return size;
    return (at[0] == '-' && at[1] == '>') || (at[0] == ':' && at[1] == ':') ? 2 : 1;
}

static void split(struct words *words, const char *text)
{
    const char *second = text + strcspn(text, "\n");

    while (*text) {
        const char *end = skip_text(text);

        if (end || isspace((unsigned char)*text)) {
            text = end ? end : text + 1;
            continue;
        }
        GROW(words->items, words->n, words->room);
        words->items[words->n] = (struct word){text, word_size(text)};
        words->first += text < second;
        text += words->items[words->n++].size;
    }
}

static bool is(const struct words *w, size_t i, const char *text)
{
    return i < w->n && strlen(text) == w->items[i].size &&
           !memcmp(w->items[i].text, text, w->items[i].size);
}

static bool is_name(const struct words *w, size_t i)
{
    return i < w->n && is_name_byte(w->items[i].text[0]) &&
           !isdigit((unsigned char)w->items[i].text[0]);
}

/* Where the bracket that opens at `i` closes; w->n: nowhere. */
static size_t closing(const struct words *w, size_t i, const char *open, const char *close)
{
    int depth = 0;

    for (; i < w->n; i++) {
        depth += is(w, i, open) - is(w, i, close);
        if (!depth)
            break;
    }
    return i;
}

/* Where the bracket that closes at `i` opens; SIZE_MAX: nowhere. */
static size_t opening(const struct words *w, size_t i, const char *open, const char *close)
{
    int depth = 0;

    for (; i != SIZE_MAX; i--) {
        depth += is(w, i, close) - is(w, i, open);
        if (!depth)
            break;
    }
    return i;
}

/* Words `from` up to `to` as one text: with a blank between names only. */
static char *join(const struct words *w, size_t from, size_t to)
{
    struct strbuf text = {NULL, 0, 0};

    for (size_t i = from; i < to; i++) {
        if (i > from && is_name(w, i) && is_name(w, i - 1))
            strbuf_add_char(&text, ' ');
        strbuf_add_bytes(&text, w->items[i].text, w->items[i].size);
    }
    return strbuf_take(&text);
}

/*--- Hints ---*/

static void add_hint(struct allocation *a, char *hint)
{
    for (size_t i = 0; i < a->n; i++) {
        if (!strcmp(a->hints[i], hint)) {
            free(hint);
            return;
        }
    }
    if (a->n == ALLOCATION_HINTS_MAX) {
        free(hint);
        a->kind = ALLOCATION_UNCLEAR;
        return;
    }
    a->hints[a->n++] = hint;
    a->kind = ALLOCATION_HINTS;
}

/* Adds the type that words `from` up to `to`, "struct node *", point to. */
static void add_cast(struct allocation *a, const struct words *w, size_t from, size_t to)
{
    if (to <= from + 1 || !is(w, to - 1, "*") || is(w, to - 2, "*"))
        return;
    while (is(w, from, "const") || is(w, from, "volatile"))
        from++;
    for (size_t i = from; i < to - 1; i++)
        if (!is_name(w, i) && !is(w, i, "::") && !is(w, i, "<") && !is(w, i, ">") && !is(w, i, ","))
            return;
    if (is(w, from, "void") || is(w, from, "char"))
        return;
    add_hint(a, join(w, from, to - 1));
}

/* The cast before the call at `i`: "(T *)", or "static_cast<T *>(". */
static void read_cast(struct allocation *a, const struct words *w, size_t i)
{
    size_t open;

    while (i >= 2 && is(w, i - 1, "::"))
        i -= 2;
    if (i && is(w, i - 1, ")")) {
        open = opening(w, i - 1, "(", ")");
        if (open != SIZE_MAX)
            add_cast(a, w, open + 1, i - 1);
    } else if (i > 2 && is(w, i - 1, "(") && is(w, i - 2, ">")) {
        open = opening(w, i - 2, "<", ">");
        if (open != SIZE_MAX && open &&
            (is(w, open - 1, "static_cast") || is(w, open - 1, "reinterpret_cast")))
            add_cast(a, w, open + 1, i - 2);
    }
}

/* The end of an expression that begins at `i`: stars, names, and what leads to members. */
static size_t expression_end(const struct words *w, size_t i)
{
    while (is(w, i, "*"))
        i++;
    if (!is_name(w, i))
        return i;
    for (i++; i < w->n;) {
        if ((is(w, i, "->") || is(w, i, ".")) && is_name(w, i + 1))
            i += 2;
        else if (is(w, i, "["))
            i = closing(w, i, "[", "]") + 1;
        else
            break;
    }
    return i < w->n ? i : w->n;
}

/* The sizeof at `i`: of a type or an expression. */
static void read_sizeof(struct allocation *a, const struct words *w, size_t i)
{
    size_t from = i + 1, to;
    bool brackets = is(w, from, "(");

    if (brackets)
        to = closing(w, from++, "(", ")");
    else
        to = expression_end(w, from);
    if (to > from && to <= w->n && !is(w, from, "char"))
        add_hint(a, join(w, from, to));
}

static void read_call(struct allocation *a, const struct words *w, size_t call)
{
    size_t end = closing(w, call + 1, "(", ")");

    read_cast(a, w, call);
    for (size_t i = call + 2; i < end; i++)
        if (is(w, i, "sizeof"))
            read_sizeof(a, w, i);
}

/*--- Calls ---*/

static bool is_malloc(const struct words *w, size_t i)
{
    static const char names[] =
        "malloc calloc realloc reallocarray aligned_alloc posix_memalign memalign valloc";

    return i < w->n && text_is_word_of(names, w->items[i].text, w->items[i].size);
}

/* True for a name that has "alloc" in it, as xmalloc has. */
static bool is_alloc_like(const struct words *w, size_t i)
{
    const struct word *word = &w->items[i];

    for (size_t k = 0; k + 5 <= word->size; k++)
        if (!strncasecmp(word->text + k, "alloc", 5))
            return true;
    return false;
}

enum callee { CALLEE_FUNCTION, CALLEE_MALLOC, CALLEE_ALLOC_LIKE };

static bool is_callee(const struct words *w, size_t i, enum callee kind, const char *function)
{
    if (!is_name(w, i) || !is(w, i + 1, "("))
        return false;
    switch (kind) {
    case CALLEE_FUNCTION:
        return is(w, i, function);
    case CALLEE_MALLOC:
        return is_malloc(w, i);
    case CALLEE_ALLOC_LIKE:
        return is_alloc_like(w, i);
    }
    return false;
}

/* The number of such calls; `*place` is where the last one is. */
static size_t find_calls(const struct words *w, enum callee kind, const char *function,
                         size_t *place)
{
    size_t n = 0;

    for (size_t i = 0; i < w->first; i++) {
        if (is_callee(w, i, kind, function)) {
            n++;
            *place = i;
        }
    }
    return n;
}

/* The number of calls on the first line that may be the one that allocates: of malloc and its kin,
 * and of others by their names, but for those that get the result. */
static size_t find_allocations(const struct words *w, size_t *place)
{
    size_t n = find_calls(w, CALLEE_MALLOC, NULL, place);

    if (!n)
        return find_calls(w, CALLEE_ALLOC_LIKE, NULL, place);
    for (size_t i = 0; i < w->first; i++)
        if (is_callee(w, i, CALLEE_ALLOC_LIKE, NULL) && !is_malloc(w, i) &&
            (i > *place || closing(w, i + 1, "(", ")") < *place))
            n++;
    return n;
}

/* The type of the new at `i`, "new ns::T<int>[n]". */
static void read_new(struct allocation *a, const struct words *w, size_t i)
{
    size_t from = ++i;

    if (!is_name(w, from) && !is(w, from, "::")) {
        a->kind = ALLOCATION_UNCLEAR; /* placement, or a type in brackets */
        return;
    }
    while (is_name(w, i) || is(w, i, "::"))
        i++;
    if (is(w, i, "<"))
        i = closing(w, i, "<", ">") + 1;
    if (is(w, i, "*") || i > w->n)
        a->kind = ALLOCATION_UNCLEAR;
    else
        add_hint(a, join(w, is(w, from, "::") ? from + 1 : from, i));
}

struct allocation allocation_read(const char *text, const char *function, bool cxx)
{
    struct allocation a = {.kind = ALLOCATION_UNCLEAR};
    struct words w = {.n = 0};
    size_t place = 0, n = 0, news = 0;

    split(&w, text);
    for (size_t i = 0; i < w.first && cxx && !function; i++) {
        if (is(&w, i, "new")) {
            news++;
            place = i;
        }
    }
    if (news) {
        if (news == 1)
            read_new(&a, &w, place);
    } else {
        n = function ? find_calls(&w, CALLEE_FUNCTION, function, &place)
                     : find_allocations(&w, &place);
        if (n == 1) {
            a.kind = ALLOCATION_PLAIN;
            read_call(&a, &w, place);
        }
    }
    free(w.items);
    return a;
}

void allocation_free(struct allocation *a)
{
    for (size_t i = 0; i < a->n; i++)
        free(a->hints[i]);
    *a = (struct allocation){.n = 0};
}
