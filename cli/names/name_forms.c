#include <config.h>

#include "names/name_forms.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "names/brackets.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*--- Names of C++ ---*/

/* The forms of C++'s names: Rust's have more. */
static const enum name_form forms[] = {NAME_NO_PARAMETERS, NAME_NO_TYPES, NAME_NO_ARGUMENTS};

/* Names of C and of most other languages have no paths, those of Rust no parameters. */
static bool is_long_path(const char *name)
{
    return strlen(name) > CPLUSPLUS_SHORT && strstr(name, "::") && strchr(name, '(');
}

char *cplusplus_short_name(const char *name)
{
    char *shorter = is_long_path(name) ? name_form(name, forms[0]) : NULL;

    if (!shorter || !strcmp(shorter, name)) {
        free(shorter);
        return NULL;
    }
    for (size_t i = 1; i < sizeof forms / sizeof *forms && strlen(shorter) > CPLUSPLUS_SHORT; i++) {
        free(shorter);
        shorter = name_form(name, forms[i]);
    }
    return shorter;
}

/*--- Forms of names ---*/

enum { MAX_GROUPS = 64 }; /* groups of one name; later ones stay in all forms */

/* A bracket that belongs to the word before it, with all in it, that is in no other such one. */
struct group {
    size_t begin, end; /* bytes of the name: of the bracket and behind its partner */
    bool parameters;   /* else arguments */
    unsigned depth;    /* brackets around it: "<Vec<T> as Extend<T>>::f" has groups within one */
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
            (struct group){from, at + 1, s->text[from] == '(', (unsigned)s->brackets.depth};
}

/* Finds the groups of the first `size` bytes, in their order. False: brackets do not match. */
static bool find_groups(const char *text, size_t size, struct groups *groups)
{
    struct scan s;    /* not what it has room for */
    size_t after = 0; /* behind the last operator */

    s.text = text;
    s.brackets.depth = s.within = 0;
    groups->n = 0;
    for (size_t i = 0; i < size; i++) {
        size_t skip = text[i] == 'o' ? operator_size(text, text + i) : 0;
        enum bracket is = BRACKET_NONE;

        if (skip) {
            after = i + skip;
            i = after - 1;
            continue;
        }
        if (is_bracket(text[i]))
            is = brackets_step(&s.brackets, text, text + i);
        if (is == BRACKET_STRAY || is == BRACKET_TOO_DEEP)
            return false;
        if (is == BRACKET_OPENS)
            open_group(&s, i, after == i && i > 0);
        else if (is == BRACKET_CLOSES)
            close_group(&s, i, groups);
    }
    return s.brackets.depth == 0;
}

/*--- What follows a name ---*/

/* The number of bytes of one addition at `text`, up to `end`; 0: there is none. */
static size_t addition_size(const char *text, const char *end)
{
    const char *close;

    if (end - text < 3 || text[0] != ' ')
        return 0;
    if (text[1] == '#')
        return isdigit((unsigned char)text[2]) ? 2 + strspn(text + 2, "0123456789") : 0;
    if (text[1] != '[' && text[1] != '(')
        return 0;
    close = bracket_end(text + 1, end);
    return close ? (size_t)(close - text) : 0;
}

/* Skips additions. */
static const char *skip_additions(const char *text, const char *end)
{
    size_t size = 1;

    while (text < end && size) {
        size = addition_size(text, end);
        text += size;
    }
    return text;
}

size_t name_tail(const char *name)
{
    const char *end = name + strlen(name), *p = name;

    while ((p = find_outside(p, end, " ")) != NULL) {
        const char *after = skip_additions(p, end);

        if (p > name && after == end)
            return (size_t)(p - name);
        p = after > p ? after : p + 1;
    }
    return (size_t)(end - name);
}

/*--- Forms ---*/

/* True where only closures and parameters follow at `p`. */
static bool ends_path(const char *p, const char *end)
{
    for (const char *next; (next = find_outside(p, end, "::")) != NULL; p = next + 2)
        if (next + 2 < end && next[2] != '{' && next[2] != '<')
            return false;
    return true;
}

/* True for arguments of the function itself, not of a type. */
static bool is_own(const char *name, size_t size, const struct group *g)
{
    return !g->parameters && !g->depth && ends_path(name + g->end, name + size);
}

static bool is_dropped(const char *name, size_t size, const struct group *g, enum name_form form)
{
    if (g->parameters)
        return !g->depth && form >= NAME_NO_PARAMETERS;
    return form >= (is_own(name, size, g) ? NAME_NO_ARGUMENTS : NAME_NO_TYPES);
}

/* The end of C++'s name where qualifiers follow the last parameters: "f(int) const". */
static size_t end_of_name(const char *name, const struct groups *groups, size_t size,
                          enum name_form form)
{
    const struct group *last = groups->n ? &groups->items[groups->n - 1] : NULL;

    return form >= NAME_NO_PARAMETERS && last && last->parameters && !last->depth &&
                   name[last->end] == ' '
               ? last->end
               : size;
}

/* Where C++'s name begins behind the type that it returns: "void f<int>(int)". Only a name with
 * parameters has one. */
static size_t begin_of_name(const char *name, const struct groups *groups, enum name_form form)
{
    const struct group *last = groups->n ? &groups->items[groups->n - 1] : NULL;
    size_t begin = 0;

    if (form < NAME_NO_PARAMETERS || !last || !last->parameters || last->depth)
        return 0;
    for (const char *p = name; (p = find_outside(p, name + last->begin, " ")) != NULL; p++) {
        if (p - name >= 8 && !strncmp(p - 8, "operator", 8))
            break;
        begin = (size_t)(p + 1 - name);
    }
    return begin;
}

/* The name without the groups that a form does not have. */
static char *without_groups(const char *name, size_t size, const struct groups *groups,
                            enum name_form form)
{
    struct strbuf text = {.text = NULL};
    size_t at = begin_of_name(name, groups, form), end = end_of_name(name, groups, size, form);

    for (size_t i = 0; i < groups->n; i++) {
        const struct group *g = &groups->items[i];
        size_t stem = g->begin;

        if (g->begin < at || !is_dropped(name, size, g, form))
            continue;
        if (stem >= at + 2 && !strncmp(name + stem - 2, "::", 2))
            stem -= 2; /* "push::<u8>" */
        else if (stem > at && name[stem - 1] == ' ')
            stem--; /* "operator< <int>" */
        strbuf_add_bytes(&text, name + at, stem - at);
        at = g->end;
    }
    if (end > at)
        strbuf_add_bytes(&text, name + at, end - at);
    return strbuf_take(&text);
}

/* The type behind "&", "&mut ", "*const ", "*mut ". */
static const char *behind_pointers(const char *type)
{
    static const char *const words[] = {"&mut ", "*const ", "*mut ", "&"};
    bool more = true;

    while (more) {
        more = false;
        for (size_t i = 0; i < sizeof words / sizeof *words && !more; i++)
            if (!strncmp(type, words[i], strlen(words[i]))) {
                type += strlen(words[i]);
                more = true;
            }
    }
    return type;
}

/* True for a parameter such as "T" or "F1", which stands for any type, and for a closure of which
 * nothing more is known. */
static bool is_any_type(const char *type, const char *end)
{
    if (type < end && *type == '{')
        return bracket_end(type, end) == end;
    if (type == end || !isupper((unsigned char)*type))
        return false;
    return type + 1 + strspn(type + 1, "0123456789") == end;
}

/* "<Type as Trait>::f" as "Type::f". Takes over `text`. */
static char *without_trait(char *text)
{
    const char *end, *as, *type;
    char *shorter;

    if (*text != '<' || !(end = bracket_end(text, text + strlen(text))) ||
        !(as = find_outside(text + 1, end - 1, " as ")))
        return text;
    type = behind_pointers(text + 1);
    if (is_any_type(type, as))
        shorter = xasprintf("%.*s%s", (int)(end - 1 - (as + 4)), as + 4, end);
    else if (type_is_path(type, as))
        shorter = xasprintf("%.*s%s", (int)(as - type), type, end);
    else
        shorter = xasprintf("<%.*s>%s", (int)(as - (text + 1)), text + 1, end);
    free(text);
    return shorter;
}

char *name_form(const char *name, enum name_form form)
{
    size_t size = name_tail(name);
    struct groups groups;
    char *head, *text;

    if (form == NAME_WHOLE || !find_groups(name, size, &groups))
        return xstrdup(name);
    head = without_groups(name, size, &groups, form);
    if (form >= NAME_NO_TRAIT)
        head = without_trait(head);
    text = xasprintf("%s%s", head, name + size);
    free(head);
    return text;
}

const char *name_rest(const char *name)
{
    const char *end = name + strlen(name), *p = name, *next;

    while ((next = find_outside(p, end, "::")) != NULL) {
        p = next + 2;
        if (p < end && *p != '<' && *p != '{')
            return next > name ? p : NULL;
    }
    return NULL;
}
