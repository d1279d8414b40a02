#include <config.h>

#include "render/text/text.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "names/name_forms.h"
#include "table/columns.h"
#include "table/search.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static unsigned width_of(uint32_t c)
{
    int width = c < 0x80 ? 1 : wcwidth((wchar_t)c);

    return width < 0 ? 1 : (unsigned)width;
}

unsigned text_width(const char *text)
{
    unsigned width = 0;
    size_t size;

    for (; *text; text += size)
        width += width_of(text_decode(text, &size));
    return width;
}

/* The number of bytes of `text` that fit into `width` columns: whole characters, with the marks
 * that combine with them. */
static size_t fit_start(const char *text, unsigned width)
{
    size_t at = 0, size;

    for (unsigned used = 0; text[at]; at += size) {
        used += width_of(text_decode(text + at, &size));
        if (used > width)
            break;
    }
    return at;
}

/* The end of the last "::" within the first `size` bytes, behind `least`; `least` where there is
 * none. */
static size_t path_end(const char *text, size_t least, size_t size)
{
    for (; size > least + 1; size--)
        if (text[size - 1] == ':' && text[size - 2] == ':')
            return size;
    return least;
}

/* The columns of the first word. */
static unsigned word_width(const char *text)
{
    char *word = xstrndup(text, strcspn(text, " "));
    unsigned width = text_width(word);

    free(word);
    return width;
}

size_t text_line_size(const char *text, unsigned width)
{
    size_t most = fit_start(text, width), size = most, next, first;

    if (!text[most])
        return most;
    while (size && text[size] != ' ')
        size--;
    next = size + strspn(text + size, " ");
    if (next < most && word_width(text + next) > width && path_end(text, next, most) > next)
        return path_end(text, next, most);
    while (size && text[size - 1] == ' ')
        size--;
    if (size)
        return size;
    text_decode(text, &first);
    return most < first ? first : most;
}

/* The beginning of the tail of `text` that fits into `width` columns. A mark that combines with a
 * cut character is cut, too. */
static size_t fit_end(const char *text, unsigned width)
{
    unsigned left = text_width(text);
    size_t at = 0, size;

    while (text[at]) {
        unsigned columns_taken = width_of(text_decode(text + at, &size));

        if (left <= width && columns_taken > 0)
            break;
        left -= columns_taken;
        at += size;
    }
    return at;
}

/* A text that does not fit, with an ellipsis at its start, at its end, or else in its middle. */
static char *cut_text(const char *text, unsigned width, enum text_cut cut, const char *ellipsis)
{
    unsigned dots = text_width(ellipsis), start;

    if (width <= dots)
        return xstrndup(text, fit_start(text, width));
    /* The end of a path of names says more than its beginning: it gets the larger half. */
    start = cut == TEXT_CUT_START ? 0 : cut == TEXT_CUT_END ? width - dots : (width - dots) / 2;
    if (cut == TEXT_CUT_END)
        return xasprintf("%.*s%s", (int)fit_start(text, start), text, ellipsis);
    return xasprintf("%.*s%s%s", (int)fit_start(text, start), text, ellipsis,
                     text + fit_end(text, width - dots - start));
}

char *text_duration(char buffer[TEXT_NUMBER], int64_t nanoseconds)
{
    static const struct {
        const char *name;
        double least;
    } units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
    double size = nanoseconds < 0 ? -(double)nanoseconds : (double)nanoseconds;
    size_t i = 0;

    if (!nanoseconds)
        return strcpy(buffer, "0");
    while (i + 1 < sizeof units / sizeof *units && size < units[i].least)
        i++;
    size /= units[i].least;
    snprintf(buffer, TEXT_NUMBER, "%s%.*f %s", nanoseconds < 0 ? "-" : "",
             units[i].least <= 1 || size >= 100 ? 0
             : size >= 10                       ? 1
                                                : 2,
             size, units[i].name);
    return buffer;
}

const char *text_value(char buffer[TEXT_NUMBER], const struct column *column, int64_t value)
{
    return column->is_duration ? text_duration(buffer, value) : text_count(buffer, value);
}

char *text_count_short(char buffer[TEXT_NUMBER], int64_t value)
{
    static const char units[] = "kMGTPE";
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value, unit = 1000;
    unsigned i = 0;
    uint64_t tenths;

    if (size < 10000)
        return text_count(buffer, value);
    /* A value that rounds up to 1000.0 of a unit is 1.0 of the next. */
    while (size / unit >= 1000 || (size / unit == 999 && size % unit >= unit / 100 * 95)) {
        unit *= 1000;
        i++;
    }
    tenths = (uint64_t)(((unsigned __int128)size * 10 + unit / 2) / unit);
    snprintf(buffer, TEXT_NUMBER, "%s%u.%u%c", value < 0 ? "-" : "", (unsigned)(tenths / 10),
             (unsigned)(tenths % 10), units[i]);
    return buffer;
}

char *text_count_shortest(char buffer[TEXT_NUMBER], int64_t value)
{
    static const char units[] = "kMGTPE";
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    const char *sign = value < 0 ? "-" : "";
    unsigned __int128 unit = 1000;
    unsigned i = 0, tenths;

    if (size < 10000) {
        snprintf(buffer, TEXT_NUMBER, "%s%u", sign, (unsigned)size);
        return buffer;
    }
    /* A value that rounds up to 1000 of a unit is 1.0 of the next. */
    for (; (size + unit / 2) / unit >= 1000; i++)
        unit *= 1000;
    tenths = (unsigned)(((unsigned __int128)size * 10 + unit / 2) / unit);
    if (tenths < 100)
        snprintf(buffer, TEXT_NUMBER, "%s%u.%u%c", sign, tenths / 10, tenths % 10, units[i]);
    else
        snprintf(buffer, TEXT_NUMBER, "%s%u%c", sign, (unsigned)((size + unit / 2) / unit),
                 units[i]);
    return buffer;
}

char *text_percent(char buffer[TEXT_NUMBER], int64_t part, int64_t whole, unsigned decimals)
{
    unsigned __int128 scaled,
        divisor = whole < 0 ? -(unsigned __int128)whole : (unsigned __int128)whole;
    bool negative = (part < 0) != (whole < 0) && part != 0;
    unsigned scale = 1;
    uint64_t value;

    if (whole == 0)
        return strcpy(buffer, "-");
    for (unsigned i = 0; i < decimals; i++)
        scale *= 10;
    scaled = (part < 0 ? -(unsigned __int128)part : (unsigned __int128)part) * 100 * scale;
    /* Nobody reads a larger percentage than this. */
    scaled = (scaled + divisor / 2) / divisor;
    value = scaled > UINT32_MAX ? UINT32_MAX : (uint64_t)scaled;
    if (decimals)
        snprintf(buffer, TEXT_NUMBER, "%s%llu.%0*llu", negative && value ? "-" : "",
                 (unsigned long long)(value / scale), (int)decimals,
                 (unsigned long long)(value % scale));
    else
        snprintf(buffer, TEXT_NUMBER, "%s%llu", negative && value ? "-" : "",
                 (unsigned long long)value);
    return buffer;
}

/*--- Names and places in a width ---*/

enum { INSIDE_LEAST = 3 /* columns of what is left within brackets, or they go */ };

/* The columns of the first `size` bytes. */
static unsigned width_before(const char *text, size_t size)
{
    char *part = xstrndup(text, size);
    unsigned width = text_width(part);

    free(part);
    return width;
}

/* The first rest of `name`, of at least `parts` parts of its path, that fits; NULL: none does. It
 * points into `name`. */
static const char *fitting_rest(const char *name, unsigned parts, unsigned width)
{
    unsigned name_width = text_width(name);

    while (name_width > width) {
        const char *rest = name_rest(name), *ahead = rest;

        for (unsigned i = 1; ahead && i < parts; i++)
            ahead = name_rest(ahead);
        if (!ahead)
            return NULL;
        name_width -= width_before(name, (size_t)(rest - name));
        name = rest;
    }
    return name;
}

/* The last part of a path. */
static const char *last_part(const char *name)
{
    for (const char *rest; (rest = name_rest(name)) != NULL;)
        name = rest;
    return name;
}

/* The least parts of a path that are worth more than the function's own arguments: "Type::f". */
static unsigned parts_wanted(const char *name)
{
    const char *before = name, *last = name;

    for (const char *rest; (rest = name_rest(last)) != NULL; last = rest)
        before = last;
    return before < last && (isupper((unsigned char)*before) || *before == '<') ? 2 : 1;
}

/* The fullest form of a name that fits; NULL: none does. */
static char *fitting_form(const char *name, unsigned width)
{
    for (enum name_form form = NAME_WHOLE; form < NAME_FORMS; form++) {
        char *text = name_form(name, form), *copy;
        const char *fit;

        if (form < NAME_NO_TRAIT)
            fit = text_width(text) <= width ? text : NULL;
        else
            fit = fitting_rest(text, form == NAME_NO_TRAIT ? parts_wanted(text) : 1, width);
        copy = fit ? xstrdup(fit) : NULL;
        free(text);
        if (copy)
            return copy;
    }
    return NULL;
}

/* The last part of a path without arguments, cut in its middle. */
static char *cut_last(const char *name, unsigned width, const char *ellipsis)
{
    char *text = name_form(name, NAME_NO_ARGUMENTS);
    char *cut = cut_text(last_part(text), width, TEXT_CUT_MIDDLE, ellipsis);

    free(text);
    return cut;
}

/* The last parts of a path with all arguments and parameters, which may be cut; NULL: there are
 * none, or there is no room for them. */
static char *cut_inside(const char *name, unsigned width)
{
    const char *last = fitting_rest(name, 1, width);
    size_t size, stem;
    unsigned taken;
    char *inside, *text, *cut;

    if (last)
        return xstrdup(last);
    last = last_part(name);
    size = strlen(last);
    stem = strcspn(last, "<(") + 1;
    if (stem >= size || !strchr(">)", last[size - 1]))
        return NULL;
    text = xstrndup(last, stem);
    taken = text_width(text) + 1;
    inside = xstrndup(last + stem, size - 1 - stem);
    cut =
        width < taken + INSIDE_LEAST ? NULL : text_shorten(inside, width - taken, TEXT_CUT_MIDDLE);
    free(inside);
    inside = cut ? xasprintf("%s%s%c", text, cut, last[size - 1]) : NULL;
    free(text);
    free(cut);
    return inside;
}

/* The bytes of the tail that are shown: " (inlined)" only where there is room for it. */
static size_t tail_size(const char *name, size_t size, unsigned width)
{
    static const char inlined[] = " (" TEXT_INLINED ")";
    size_t tail = strlen(name + size), size_of_mark = sizeof inlined - 1;

    if (tail >= size_of_mark && !strcmp(name + size + tail - size_of_mark, inlined) &&
        text_width(name) > width)
        tail -= size_of_mark;
    return tail;
}

static char *shorten_name(const char *name, unsigned width, bool alike, const char *ellipsis)
{
    size_t size = name_tail(name), tail_bytes = tail_size(name, size, width);
    char *head = xstrndup(name, size), *tail = xstrndup(name + size, tail_bytes), *fit = NULL,
         *whole;
    unsigned tail_width = text_width(tail), room;

    /* A tail goes where it would leave less than half to the name. */
    if (tail_width > width / 2) {
        *tail = '\0';
        tail_width = 0;
    }
    room = width - tail_width;
    if (alike)
        fit = cut_inside(head, room);
    if (!fit)
        fit = fitting_form(head, room);
    if (!fit)
        fit = cut_last(head, room, ellipsis);
    whole = xasprintf("%s%s", fit, tail);
    free(fit);
    free(head);
    free(tail);
    return whole;
}

unsigned text_least_name(const char *name)
{
    size_t size = name_tail(name);
    char *head = xstrndup(name, size), *text = name_form(head, NAME_NO_ARGUMENTS);
    unsigned least = text_width(last_part(text)), whole = text_width(name);
    unsigned tail = width_before(name + size, tail_size(name, size, whole - 1));

    free(head);
    free(text);
    /* A longer tail goes. */
    return tail > least ? least : least + tail;
}

char *text_long_name(const char *name)
{
    unsigned least;

    if (text_width(name) <= TEXT_NAME_MOST)
        return xstrdup(name);
    least = text_least_name(name);
    return text_shorten(name, least < TEXT_NAME_MOST ? TEXT_NAME_MOST : least, TEXT_CUT_NAME);
}

/*--- Places ---*/

/* The end of the first segment of a relative path, which is the crate's or its folder's; 0: there
 * is none, or nothing to leave out behind it. */
static size_t crate_end(const char *place)
{
    const char *slash = *place == '/' ? NULL : strchr(place, '/');

    return slash && strchr(slash + 1, '/') ? (size_t)(slash + 1 - place) : 0;
}

unsigned text_least_place(const char *place)
{
    const char *file = strrchr(place, '/');
    unsigned whole = text_width(place), least;

    if (!file)
        return whole;
    least = width_before(place, crate_end(place)) + text_width(text_ellipsis()) + text_width(file);
    return least < whole ? least : whole;
}

static char *shorten_place(const char *place, unsigned width)
{
    const char *ellipsis = text_ellipsis(), *file = strrchr(place, '/');
    unsigned dots = text_width(ellipsis);
    size_t ends[] = {crate_end(place), 0};

    for (size_t i = ends[0] ? 0 : 1; file && i < sizeof ends / sizeof *ends; i++) {
        char *crate = xstrndup(place, ends[i]), *text = NULL;
        unsigned taken = text_width(crate) + dots;

        for (const char *rest = place + ends[i]; !text && rest <= file; rest++)
            if (*rest == '/' && text_width(rest) + taken <= width)
                text = xasprintf("%s%s%s", crate, ellipsis, rest);
        free(crate);
        if (text)
            return text;
    }
    return cut_text(place, width, TEXT_CUT_START, ellipsis);
}

/*--- Names of functions that are inlined into each other, in a width ---*/

const char *text_chain_arrow(void)
{
    return text_sign(" › ", " > ");
}

/* The names of a chain. */
struct chain {
    char **names;
    size_t n;
};

static struct chain split(const char *text)
{
    const char *arrow = text_chain_arrow(), *end;
    struct chain c = {.names = xcalloc(strlen(text) / strlen(arrow) + 1, sizeof *c.names)};

    for (; (end = strstr(text, arrow)) != NULL; text = end + strlen(arrow))
        c.names[c.n++] = xstrndup(text, (size_t)(end - text));
    c.names[c.n++] = xstrdup(text);
    return c;
}

static void free_chain(struct chain *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->names[i]);
    free(c->names);
}

/* How far each name of a chain is shortened: its form, and how many parts of its path are left. */
struct degree {
    enum name_form form;
    unsigned parts; /* 0: all */
};

static const struct degree degrees[] = {
    {NAME_WHOLE, 0},    {NAME_NO_PARAMETERS, 0}, {NAME_NO_TYPES, 0},     {NAME_NO_TRAIT, 0},
    {NAME_NO_TRAIT, 2}, {NAME_NO_ARGUMENTS, 2},  {NAME_NO_ARGUMENTS, 1},
};

enum { DEGREES = sizeof degrees / sizeof *degrees };

/* The last `parts` parts of a path; 0: all. It points into `name`. */
static const char *last_parts(const char *name, unsigned parts)
{
    const char *first = name;
    unsigned n = 1;

    if (!parts)
        return name;
    for (const char *rest = name; (rest = name_rest(rest)) != NULL;)
        if (++n > parts)
            first = name_rest(first);
    return first;
}

static void add_name(struct strbuf *text, const char *name, const struct degree *degree,
                     const char *arrow)
{
    char *form = name_form(name, degree->form);

    strbuf_add_item(text, arrow, last_parts(form, degree->parts));
    free(form);
}

/* The chain to a degree, without the names between the first and the last where `ends`. */
static char *joined(const struct chain *c, const struct degree *degree, bool ends)
{
    const char *arrow = text_chain_arrow();
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; i < c->n; i++) {
        if (!ends || i == 0 || i + 1 == c->n)
            add_name(&text, c->names[i], degree, arrow);
        else if (i == 1)
            strbuf_add_item(&text, arrow, text_ellipsis());
    }
    return strbuf_take(&text);
}

/* The fullest such text that fits; NULL: none does. */
static char *fitting(const struct chain *c, bool ends, unsigned width)
{
    for (size_t i = 0; i < DEGREES; i++) {
        char *text = joined(c, &degrees[i], ends);

        if (text_width(text) <= width)
            return text;
        free(text);
    }
    return NULL;
}

/* "a › …"; the name alone where there is no room for more. */
static char *first_alone(const struct chain *c, unsigned width)
{
    unsigned rest = text_width(text_chain_arrow()) + text_width(text_ellipsis()),
             least = text_least_name(c->names[0]);
    char *name, *text;

    if (width < rest + least)
        return text_shorten(c->names[0], width, TEXT_CUT_NAME);
    name = text_shorten(c->names[0], width - rest, TEXT_CUT_NAME);
    text = xasprintf("%s%s%s", name, text_chain_arrow(), text_ellipsis());
    free(name);
    return text;
}

static char *shorten_chain(const char *text, unsigned width)
{
    struct chain c = split(text);
    char *fit = c.n > 1 ? fitting(&c, false, width) : text_shorten(text, width, TEXT_CUT_NAME);

    if (!fit && c.n > 2)
        fit = fitting(&c, true, width);
    if (!fit)
        fit = first_alone(&c, width);
    free_chain(&c);
    return fit;
}

unsigned text_least_chain(const char *text)
{
    struct chain c = split(text);
    unsigned least = text_least_name(c.names[0]);

    free_chain(&c);
    return least;
}

/*--- All of these ---*/

char *text_shorten(const char *text, unsigned width, enum text_cut cut)
{
    if (text_width(text) <= width)
        return xstrdup(text);
    switch (cut) {
    case TEXT_CUT_NAME:
    case TEXT_CUT_ALIKE:
        return shorten_name(text, width, cut == TEXT_CUT_ALIKE, text_ellipsis());
    case TEXT_CUT_WRITTEN:
        return shorten_name(text, width, false, "…");
    case TEXT_CUT_CHAIN:
        return shorten_chain(text, width);
    case TEXT_CUT_PLACE:
        return shorten_place(text, width);
    default:
        return cut_text(text, width, cut, text_ellipsis());
    }
}

/*--- Lines of code ---*/

enum {
    TAB = 8,
    SHOWN_MAX = 2000, /* bytes of a line: generated code may be one line of megabytes */
    JSON_MAX = 65536
};

/* A copy of the first `max` bytes of a line. It cuts no character in two, and has no NUL inside. */
static char *copy_line(const char *line, size_t size, size_t max)
{
    char *copy;

    if (size > max) {
        size = max;
        while (size > max - 4 && ((unsigned char)line[size] & 0xc0) == 0x80)
            size--;
    }
    while (size && (line[size - 1] == ' ' || line[size - 1] == '\t'))
        size--;
    copy = xmalloc(size + 1);
    for (size_t i = 0; i < size; i++)
        copy[i] = line[i] ? line[i] : '\1';
    copy[size] = '\0';
    return copy;
}

char *code_text(const char *line, size_t size, char *(*rule)(const char *text))
{
    char *rest = copy_line(line, size, SHOWN_MAX), *copy = rest, *part;
    struct strbuf text = {.text = NULL};
    unsigned column = 0;

    /* The text between tabs is cleaned: the rule would replace tabs. */
    while ((part = strsep(&rest, "\t")) != NULL) {
        char *clean = rule(part);
        unsigned blanks;

        strbuf_add(&text, clean);
        column += text_width(clean);
        free(clean);
        for (blanks = rest ? TAB - column % TAB : 0; blanks > 0; blanks--, column++)
            strbuf_add_char(&text, ' ');
    }
    free(copy);
    return strbuf_take(&text);
}

char *code_line(const struct source *source, uint32_t line, char *(*rule)(const char *text))
{
    const char *bytes;
    size_t size;

    return source && source_line(source, line, &bytes, &size) ? code_text(bytes, size, rule) : NULL;
}

char *code_json(const char *line, size_t size)
{
    char *copy = copy_line(line, size, JSON_MAX), *valid = text_utf8(copy);

    free(copy);
    return valid;
}

/*--- Labels ---*/

void labels_load(struct labels *labels, const struct rows *rows, char *(*rule)(const char *text))
{
    const struct cprof_profile *p = rows->profile;

    labels->n = p->n_functions;
    labels->items = xcalloc(p->n_functions, sizeof *labels->items);
    for (size_t i = 0; i < rows->n; i++) {
        char *label = row_label(&rows->items[i], false, NULL);

        labels->items[rows->items[i].function] = rule(label);
        free(label);
    }
    for (uint32_t i = 0; i < labels->n; i++)
        if (!labels->items[i])
            labels->items[i] = rule(p->functions[i].name);
}

void labels_free(struct labels *labels)
{
    for (uint32_t i = 0; i < labels->n; i++)
        free(labels->items[i]);
    free(labels->items);
    *labels = (struct labels){.n = 0};
}
