#include <config.h>

/* The lines of callgrind's output that set names. */
#include "callgrind.h"
#include "error.h"

#include <stdlib.h>

/* A place is an index into `near`, or FAR plus an index into `far`. */
#define FAR UINT32_C(0x80000000)

static struct alias *alias_at(const struct aliases *a, uint32_t place)
{
    return place & FAR ? (struct alias *)a->far.data + (place - FAR) : &a->near[place];
}

static int equal_alias(const void *owner, uint32_t index, const void *key)
{
    return ((const struct alias *)owner)[index].id == *(const uint64_t *)key;
}

/* Tells if a number is in `near`, without a look at the alias: among hundreds of thousands it is
 * hardly ever in the processor's caches. */
static inline int is_known(const struct aliases *a, uint64_t id)
{
    return id < a->n_near && (a->known[id / 64] >> id % 64 & 1);
}

static uint32_t find_alias(const struct aliases *a, uint64_t id)
{
    uint32_t found;

    if (is_known(a, id))
        return (uint32_t)id;
    found =
        a->map.count ? map_find(&a->map, map_hash(id), equal_alias, a->far.data, &id) : MAP_NONE;
    return found == MAP_NONE ? MAP_NONE : found | FAR;
}

/* Makes `near` reach beyond `id`. 0, or -1 when out of memory. */
static int widen_near(struct aliases *a, uint64_t id)
{
    size_t n = (id + id / 2) / 64 * 64 + 64;
    struct alias *near = realloc(a->near, n * sizeof *near);
    uint64_t *known;

    if (!near)
        return -1;
    a->near = near;
    known = realloc(a->known, n / 64 * sizeof *known);
    if (!known)
        return -1;
    memset(known + a->n_near / 64, 0, (n - a->n_near) / 64 * sizeof *known);
    a->known = known;
    a->n_near = n;
    return 0;
}

/* Finds a place for a new number: numbers are mostly dense, and then they are places themselves.
 * MAP_NONE when out of memory. */
static uint32_t place_alias(struct aliases *a, uint64_t id)
{
    if (id >= a->n_near && id < (uint64_t)a->count * 4 + 1024 && id < FAR / 2 && widen_near(a, id))
        return MAP_NONE;
    if (id < a->n_near)
        return (uint32_t)id;
    if (a->far.count >= FAR || !vector_push(&a->far, sizeof(struct alias)) ||
        map_add(&a->map, map_hash(id), (uint32_t)a->far.count - 1))
        return MAP_NONE;
    return (uint32_t)(a->far.count - 1) | FAR;
}

/* A new alias with this text. Its place, or MAP_NONE with the error set. */
static uint32_t add_alias(struct callgrind *c, struct aliases *a, uint64_t id, const char *text)
{
    uint32_t place = place_alias(a, id);

    if (place == MAP_NONE) {
        error_memory(c->r.error);
        return MAP_NONE;
    }
    a->count++;
    if (!(place & FAR))
        a->known[place / 64] |= UINT64_C(1) << place % 64;
    *alias_at(a, place) = (struct alias){.id = id, .text = text};
    return place;
}

/* "(12)": the name that 12 stands for. An unknown number is a name of its own. */
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
    return 0;
}

/* Before an alias gets another text: a name that came by it and waits for its call keeps the old
 * one. */
static void keep_text(struct callgrind *c, enum space space, uint32_t place)
{
    if (c->call[space].alias == place)
        c->call[space] = (struct name){NAME_WRITTEN, alias_at(&c->aliases[space], place)->text};
}

/* "(12) text": defines 12. Parts of one file repeat their definitions; another text than before is
 * odd, and holds from here on. */
static int define_alias(struct callgrind *c, enum space space, uint64_t id, const char *text,
                        struct name *name)
{
    struct aliases *a = &c->aliases[space];
    uint32_t found = find_alias(a, id);

    if (found == MAP_NONE)
        found = add_alias(c, a, id, text);
    if (found == MAP_NONE)
        return -1;
    if (alias_at(a, found)->text != text) {
        if (reader_warn(&c->r, "a name's number is defined again with another name"))
            return -1;
        keep_text(c, space, found);
        *alias_at(a, found) = (struct alias){.id = id, .text = text};
    }
    name->alias = found;
    return 0;
}

/* The name at `at`, to the end of the line, behind blanks: "text", "(12) text" or "(12)". */
static int read_name(struct callgrind *c, enum space space, const char *at, struct name *name)
{
    const char *end = c->r.end, *p;
    uint64_t id;
    enum lex result;

    at = lex_skip_blanks(at, end);
    p = at + 1;
    if (end - at >= 3 && *at == '(' && lex_is_digit(*p)) {
        result = lex_decimal(&p, end, &id);
        if (result == LEX_RANGE)
            return reader_fail_number(&c->r, result, at + 1, "number of a name");
        if (p < end && *p == ')') {
            p = lex_skip_blanks(p + 1, end);
            if (p == end)
                return use_alias(c, &c->aliases[space], id, at, name);
            name->text = reader_name(&c->r, p);
            return name->text ? define_alias(c, space, id, name->text, name) : -1;
        }
    }
    name->alias = NAME_WRITTEN;
    name->text = reader_name(&c->r, at);
    return name->text ? 0 : -1;
}

/* The alias of a name; of one that is written out, `*written` filled. */
static struct alias *alias_of(struct callgrind *c, enum space space, const struct name *name,
                              struct alias *written)
{
    if (name->alias != NAME_WRITTEN)
        return alias_at(&c->aliases[space], name->alias);
    *written = (struct alias){.text = name->text};
    return written;
}

/* The index of an object or file. "???" and "" are no files. -1 on failure. */
static int resolve_place(struct callgrind *c, enum space space, const struct name *name,
                         uint32_t *index)
{
    struct alias written, *alias = alias_of(c, space, name, &written);
    const char *text;

    if (alias->is_resolved) {
        *index = alias->index;
        return 0;
    }
    text = alias->text;
    alias->index = CPROF_NONE;
    if (*text && (space != SPACE_FILE || strcmp(text, "???") != 0)) {
        alias->index = space == SPACE_FILE ? builder_file(c->r.builder, text)
                                           : builder_object(c->r.builder, text, NULL);
        if (alias->index == CPROF_NONE)
            return -1;
    }
    alias->is_resolved = 1;
    *index = alias->index;
    return 0;
}

/* The function of this name in (object, file), or CPROF_NONE on failure. */
static uint32_t resolve_function(struct callgrind *c, const struct name *name, uint32_t object,
                                 uint32_t file)
{
    struct alias written, *alias = alias_of(c, SPACE_FUNCTION, name, &written);

    if (!alias->is_resolved || alias->object != object || alias->file != file) {
        alias->object = object;
        alias->file = file;
        alias->index = builder_function(c->r.builder, alias->text, NULL, object, file, 0);
        alias->is_resolved = alias->index != CPROF_NONE;
    }
    return alias->index;
}

uint32_t callgrind_late_function(struct callgrind *c)
{
    return builder_function(c->r.builder, c->own_name ? c->own_name : "<unspecified>", NULL,
                            c->object, c->own_file, 0);
}

uint32_t callgrind_callee(struct callgrind *c)
{
    uint32_t object = c->object, file = c->file, function;

    if (c->call[SPACE_OBJECT].alias != NAME_ABSENT &&
        resolve_place(c, SPACE_OBJECT, &c->call[SPACE_OBJECT], &object))
        return CPROF_NONE;
    if (c->call[SPACE_FILE].alias != NAME_ABSENT &&
        resolve_place(c, SPACE_FILE, &c->call[SPACE_FILE], &file))
        return CPROF_NONE;
    function = resolve_function(c, &c->call[SPACE_FUNCTION], object, file);
    callgrind_forget_call(c);
    return function;
}

void callgrind_release_names(struct callgrind *c)
{
    for (size_t i = 0; i < SPACES; i++) {
        map_release(&c->aliases[i].map);
        free(c->aliases[i].far.data);
        free(c->aliases[i].near);
        free(c->aliases[i].known);
    }
    memset(c->aliases, 0, sizeof c->aliases);
}

/* Line kinds: each function uses the name that a line of its kind gave. -1 on failure. */

static int use_object(struct callgrind *c, const struct name *name)
{
    return resolve_place(c, SPACE_OBJECT, name, &c->object);
}

/* fi= and fe= change the file of the lines, not of the function. Before any function they are fl=,
 * and where a writer knows no fl=. */
static int use_line_file(struct callgrind *c, const struct name *name)
{
    if (resolve_place(c, SPACE_FILE, name, &c->file))
        return -1;
    if (c->function == CPROF_NONE || !c->has_own_files)
        c->own_file = c->file;
    return 0;
}

/* Some writers name a function before its file: then it is the function that waits for its costs.
 */
static int use_own_file(struct callgrind *c, const struct name *name)
{
    if (resolve_place(c, SPACE_FILE, name, &c->file))
        return -1;
    c->own_file = c->file;
    c->has_own_files = 1;
    if (c->is_fresh)
        c->function = CPROF_NONE;
    return 0;
}

static int use_function(struct callgrind *c, const struct name *name)
{
    struct alias written;

    c->own_name = alias_of(c, SPACE_FUNCTION, name, &written)->text;
    c->is_fresh = 1;
    c->file = c->own_file;
    c->function = resolve_function(c, name, c->object, c->file);
    callgrind_forget_call(c);
    if (c->function == CPROF_NONE)
        return -1;
    builder_expect(c->r.builder, c->function);
    return 0;
}

static int use_call_object(struct callgrind *c, const struct name *name)
{
    c->call[SPACE_OBJECT] = *name;
    c->has_call_objects = 1;
    return 0;
}

static int use_call_file(struct callgrind *c, const struct name *name)
{
    c->call[SPACE_FILE] = *name;
    return 0;
}

static int use_call_function(struct callgrind *c, const struct name *name)
{
    c->call[SPACE_FUNCTION] = *name;
    return 0;
}

/* Targets of jumps, which are read only because they may define numbers. */
static int use_none(struct callgrind *c, const struct name *name)
{
    (void)c;
    (void)name;
    return 0;
}

struct line_kind {
    enum space space;
    int (*use)(struct callgrind *c, const struct name *name);
};

#define KEY(a, b, c) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16)

/* The kind of a line "key=", or one that has no `use`. */
static inline struct line_kind find_kind(const char *key, size_t size)
{
    const unsigned char *k = (const unsigned char *)key;

    switch (KEY(k[0], k[1], size == 3 ? k[2] : 0)) {
    case KEY('c', 'f', 'n'):
        return (struct line_kind){SPACE_FUNCTION, use_call_function};
    case KEY('c', 'f', 'i'):
    case KEY('c', 'f', 'l'):
    case KEY('c', 'f', 'e'):
        return (struct line_kind){SPACE_FILE, use_call_file};
    case KEY('c', 'o', 'b'):
        return (struct line_kind){SPACE_OBJECT, use_call_object};
    case KEY('f', 'n', 0):
        return (struct line_kind){SPACE_FUNCTION, use_function};
    case KEY('f', 'l', 0):
        return (struct line_kind){SPACE_FILE, use_own_file};
    case KEY('f', 'i', 0):
    case KEY('f', 'e', 0):
        return (struct line_kind){SPACE_FILE, use_line_file};
    case KEY('o', 'b', 0):
        return (struct line_kind){SPACE_OBJECT, use_object};
    case KEY('j', 'f', 'n'):
        return (struct line_kind){SPACE_FUNCTION, use_none};
    case KEY('j', 'f', 'i'):
        return (struct line_kind){SPACE_FILE, use_none};
    case KEY('j', 'o', 'b'):
        return (struct line_kind){SPACE_OBJECT, use_none};
    default:
        return (struct line_kind){0};
    }
}

int callgrind_name_line(struct callgrind *c)
{
    const char *line = c->r.line;
    size_t left = (size_t)(c->r.end - line), size = left > 2 && line[2] == '=' ? 2 : 3;
    struct line_kind kind = {0};
    struct name name;

    if (left > size && line[size] == '=')
        kind = find_kind(line, size);
    /* A caller of the function that follows, whose costs are those of one context:
     * --mangle-names=no writes it. */
    if (LEX_STARTS(line, c->r.end, "frfn=")) {
        kind = (struct line_kind){SPACE_FUNCTION, use_none};
        size = 4;
    }
    if (!kind.use)
        return 1;
    c->in_body = 1;
    return read_name(c, kind.space, line + size + 1, &name) ? -1 : kind.use(c, &name);
}

const char *callgrind_quick_name(struct callgrind *c, const char *line, const char *end)
{
    size_t size = line[2] == '=' ? 2 : 3;
    struct line_kind kind;
    struct name name;
    const char *at;
    uint64_t id;

    if (line[size] != '=' || line[size + 1] != '(' || !(kind = find_kind(line, size)).use)
        return NULL;
    at = lex_quick_decimal(line + size + 2, end, &id);
    if (!at || end - at < 2 || at[0] != ')' || at[1] != '\n')
        return NULL;
    if (!is_known(&c->aliases[kind.space], id))
        return NULL;
    /* Where it is a callee, this is needed two lines later. */
    __builtin_prefetch(&c->aliases[kind.space].near[id].index);
    name.alias = (uint32_t)id;
    c->in_body = 1;
    return kind.use(c, &name) ? NULL : at + 2;
}
