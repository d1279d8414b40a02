#include <config.h>

#include "callgrind.h"

#include <stdlib.h>

#include "error.h"

static int equal_alias(const void *owner, uint32_t index, const void *key)
{
    return ((const struct alias *)owner)[index].id == *(const uint64_t *)key;
}

static uint32_t find_alias(const struct aliases *a, uint64_t id)
{
    if (id < a->n_near && a->near[id] != MAP_NONE)
        return a->near[id];
    return a->map.count ? map_find(&a->map, map_hash(id), equal_alias, a->list, &id) : MAP_NONE;
}

/* Notes where the alias of a number is: numbers are mostly dense, and then an array finds them. 0,
 * or -1 when out of memory. */
static int place_alias(struct aliases *a, uint64_t id, uint32_t place)
{
    if (id >= a->n_near && id < (uint64_t)a->count * 8 + 1024) {
        size_t n = id * 2 + 64;
        uint32_t *near = realloc(a->near, n * sizeof *near);
        if (!near)
            return -1;
        memset(near + a->n_near, 0xff, (n - a->n_near) * sizeof *near);
        a->near = near;
        a->n_near = n;
    }
    if (id >= a->n_near)
        return map_add(&a->map, map_hash(id), place);
    a->near[id] = place;
    return 0;
}

/* A new alias with this text. Its place, or MAP_NONE with the error set. */
static uint32_t add_alias(struct callgrind *c, struct aliases *a, uint64_t id, const char *text)
{
    if (a->count == a->room) {
        size_t room = a->room ? (size_t)a->room * 2 : 64;
        struct alias *list = NULL;
        if (a->room < UINT32_MAX / 4 && room < SIZE_MAX / sizeof *list)
            list = realloc(a->list, room * sizeof *list);
        if (!list) {
            error_set(c->r.error, CPROF_ERROR_MEMORY, "out of memory");
            return MAP_NONE;
        }
        a->list = list;
        a->room = (uint32_t)room;
    }
    if (place_alias(a, id, a->count)) {
        error_set(c->r.error, CPROF_ERROR_MEMORY, "out of memory");
        return MAP_NONE;
    }
    a->list[a->count] = (struct alias){.id = id, .text = text};
    return a->count++;
}

/* "(12)": what 12 stands for. An unknown number is a name of its own. */
static int use_alias(struct callgrind *c, struct aliases *a, uint64_t id, const char *at,
                     struct name *name)
{
    uint32_t found = find_alias(a, id);

    if (found == MAP_NONE) {
        const char *text = builder_text(c->r.builder, at, (size_t)(c->r.end - at));
        if (!text || reader_warn(&c->r, "a name's number is used but never defined"))
            return -1;
        found = add_alias(c, a, id, text);
        if (found == MAP_NONE)
            return -1;
    }
    name->alias = found;
    name->text = a->list[found].text;
    return 0;
}

/* "(12) text": defines 12. Parts of one file repeat their definitions; another text than before is
 * odd, and holds from here on. */
static int define_alias(struct callgrind *c, struct aliases *a, uint64_t id, const char *text,
                        struct name *name)
{
    uint32_t found = find_alias(a, id);

    if (found == MAP_NONE)
        found = add_alias(c, a, id, text);
    if (found == MAP_NONE)
        return -1;
    if (a->list[found].text != text) {
        if (reader_warn(&c->r, "a name's number is defined again with another name"))
            return -1;
        a->list[found].text = text;
        a->list[found].is_resolved = 0;
    }
    name->alias = found;
    name->text = text;
    return 0;
}

/* The name at `at`, to the end of the line: "text", "(12) text" or "(12)". */
static int read_name(struct callgrind *c, enum space space, const char *at, struct name *name)
{
    const char *end = c->r.end, *p = at + 1;
    uint64_t id;
    enum lex result;

    if (end - at >= 3 && *at == '(' && lex_is_digit(*p)) {
        result = lex_decimal(&p, end, &id);
        if (result == LEX_RANGE)
            return reader_fail_number(&c->r, result, at + 1, "number of a name");
        if (p < end && *p == ')') {
            p = lex_skip_blanks(p + 1, end);
            if (p == end)
                return use_alias(c, &c->aliases[space], id, at, name);
            name->text = reader_name(&c->r, p);
            return name->text ? define_alias(c, &c->aliases[space], id, name->text, name) : -1;
        }
    }
    name->alias = MAP_NONE;
    name->text = reader_name(&c->r, at);
    return name->text ? 0 : -1;
}

static struct alias *alias_of(struct callgrind *c, enum space space, const struct name *name)
{
    return name->alias == MAP_NONE ? NULL : &c->aliases[space].list[name->alias];
}

/* The index of an object or file. "???" and "" are no files. -1 on failure. */
static int resolve_place(struct callgrind *c, enum space space, const struct name *name,
                         uint32_t *index)
{
    struct alias *alias = alias_of(c, space, name);
    int is_unknown;

    /* The text is compared because the number may have been defined anew since. */
    if (alias && alias->is_resolved && alias->text == name->text) {
        *index = alias->index;
        return 0;
    }
    *index = CPROF_NONE;
    is_unknown = !*name->text || (space == SPACE_FILE && !strcmp(name->text, "???"));
    if (!is_unknown) {
        *index = space == SPACE_FILE ? builder_file(c->r.builder, name->text)
                                     : builder_object(c->r.builder, name->text, NULL);
        if (*index == CPROF_NONE)
            return -1;
    }
    if (alias && alias->text == name->text) {
        alias->is_resolved = 1;
        alias->index = *index;
    }
    return 0;
}

/* The function of this name in (object, file), or CPROF_NONE on failure. */
static uint32_t resolve_function(struct callgrind *c, const struct name *name, uint32_t object,
                                 uint32_t file)
{
    struct alias *alias = alias_of(c, SPACE_FUNCTION, name);
    uint32_t index;

    if (alias && alias->text != name->text)
        alias = NULL;
    if (alias && alias->is_resolved && alias->object == object && alias->file == file)
        return alias->index;
    index = builder_function(c->r.builder, name->text, NULL, object, file, 0);
    if (alias && index != CPROF_NONE) {
        alias->is_resolved = 1;
        alias->index = index;
        alias->object = object;
        alias->file = file;
    }
    return index;
}

uint32_t callgrind_unspecified(struct callgrind *c)
{
    return builder_function(c->r.builder, "<unspecified>", NULL, c->object, c->own_file, 0);
}

void callgrind_forget_call(struct callgrind *c)
{
    c->call_object.text = c->call_file.text = c->call_function.text = NULL;
}

uint32_t callgrind_callee(struct callgrind *c)
{
    uint32_t object = c->object, file = c->file, function;

    if (c->call_object.text && resolve_place(c, SPACE_OBJECT, &c->call_object, &object))
        return CPROF_NONE;
    if (c->call_file.text && resolve_place(c, SPACE_FILE, &c->call_file, &file))
        return CPROF_NONE;
    function = resolve_function(c, &c->call_function, object, file);
    callgrind_forget_call(c);
    return function;
}

void callgrind_release_names(struct callgrind *c)
{
    for (size_t i = 0; i < SPACES; i++) {
        map_release(&c->aliases[i].map);
        free(c->aliases[i].list);
        free(c->aliases[i].near);
    }
}

/* Line kinds */

static int object_line(struct callgrind *c, const char *at)
{
    struct name name;

    return read_name(c, SPACE_OBJECT, at, &name) ||
                   resolve_place(c, SPACE_OBJECT, &name, &c->object)
               ? -1
               : 0;
}

/* fi= and fe= change the file of the lines, not of the function; before any function they are fl=.
 */
static int line_file_line(struct callgrind *c, const char *at)
{
    struct name name;

    if (read_name(c, SPACE_FILE, at, &name) || resolve_place(c, SPACE_FILE, &name, &c->file))
        return -1;
    if (c->function == CPROF_NONE)
        c->own_file = c->file;
    return 0;
}

static int own_file_line(struct callgrind *c, const char *at)
{
    if (line_file_line(c, at))
        return -1;
    c->own_file = c->file;
    return 0;
}

static int function_line(struct callgrind *c, const char *at)
{
    struct name name;

    if (read_name(c, SPACE_FUNCTION, at, &name))
        return -1;
    c->file = c->own_file;
    c->function = resolve_function(c, &name, c->object, c->file);
    callgrind_forget_call(c);
    return c->function == CPROF_NONE ? -1 : 0;
}

static int call_object_line(struct callgrind *c, const char *at)
{
    return read_name(c, SPACE_OBJECT, at, &c->call_object);
}

static int call_file_line(struct callgrind *c, const char *at)
{
    return read_name(c, SPACE_FILE, at, &c->call_file);
}

static int call_function_line(struct callgrind *c, const char *at)
{
    return read_name(c, SPACE_FUNCTION, at, &c->call_function);
}

/* Targets of jumps: read only because they may define numbers. */
static int jump_file_line(struct callgrind *c, const char *at)
{
    struct name name;

    return read_name(c, SPACE_FILE, at, &name);
}

static int jump_object_line(struct callgrind *c, const char *at)
{
    struct name name;

    return read_name(c, SPACE_OBJECT, at, &name);
}

static int jump_function_line(struct callgrind *c, const char *at)
{
    struct name name;

    return read_name(c, SPACE_FUNCTION, at, &name);
}

#define KEY(a, b, c) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16)

/* What reads the value of "key=", or NULL. */
static int (*find_reader(const char *key, size_t size))(struct callgrind *c, const char *at)
{
    const unsigned char *k = (const unsigned char *)key;

    switch (KEY(k[0], k[1], size == 3 ? k[2] : 0)) {
    case KEY('c', 'f', 'n'):
        return call_function_line;
    case KEY('c', 'f', 'i'):
    case KEY('c', 'f', 'l'):
    case KEY('c', 'f', 'e'):
        return call_file_line;
    case KEY('c', 'o', 'b'):
        return call_object_line;
    case KEY('f', 'n', 0):
        return function_line;
    case KEY('f', 'l', 0):
        return own_file_line;
    case KEY('f', 'i', 0):
    case KEY('f', 'e', 0):
        return line_file_line;
    case KEY('o', 'b', 0):
        return object_line;
    case KEY('j', 'f', 'n'):
        return jump_function_line;
    case KEY('j', 'f', 'i'):
        return jump_file_line;
    case KEY('j', 'o', 'b'):
        return jump_object_line;
    default:
        return NULL;
    }
}

int callgrind_name_line(struct callgrind *c)
{
    const char *line = c->r.line;
    size_t left = (size_t)(c->r.end - line), size = left > 2 && line[2] == '=' ? 2 : 3;
    int (*read)(struct callgrind *, const char *);

    if (left <= size || line[size] != '=' || !(read = find_reader(line, size)))
        return 1;
    c->in_body = 1;
    return read(c, line + size + 1);
}
