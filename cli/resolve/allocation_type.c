#include <config.h>

#include "resolve/allocation_type.h"

#include "base/array.h"
#include "base/strbuf.h"
#include "names/brackets.h"
#include "names/demangle.h"
#include "source/allocation.h"

#include <stdlib.h>
#include <string.h>

enum {
    WRAPPERS_MAX = 3, /* own functions around malloc, one in the other */
    LINES_MAX = 6     /* of a call */
};

static bool starts(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

static bool starts_with_any(const char *text, const char *const *prefixes)
{
    for (; *prefixes; prefixes++)
        if (starts(text, *prefixes))
            return true;
    return false;
}

/*--- Rust ---*/

/* A type of which only the name is known, as with debuginfo=1. */
static uint32_t put_name(struct type_reader *r, const char *text, size_t size)
{
    char *name = xstrndup(text, size);
    uint32_t index = builder_type(r->builder, &(struct cprof_type){.name = name}, NULL);

    free(name);
    return index;
}

/* The first type argument in "with_capacity_in<app::Particle, alloc::alloc::Global>", which is not
 * an allocator. CPROF_NONE: none. */
static uint32_t argument_of_name(struct type_reader *r, const char *name)
{
    static const char *const others[] = {"alloc::alloc::Global", "std::alloc::System", "'", NULL};
    const char *open = name ? strchr(name, '<') : NULL, *end, *comma;

    if (!open || open == name || !(end = bracket_end(open, open + strlen(open))))
        return CPROF_NONE;
    open++;
    end--;
    comma = find_outside(open, end, ",");
    if (comma)
        end = comma;
    return end == open || starts_with_any(open, others) ? CPROF_NONE
                                                        : put_name(r, open, (size_t)(end - open));
}

/* Containers whose elements begin where the block does. */
static bool is_container(const char *path)
{
    static const char *const modules[] = {"alloc::vec::",
                                          "alloc::raw_vec::",
                                          "alloc::boxed::",
                                          "alloc::slice::",
                                          "alloc::collections::",
                                          "hashbrown::raw::",
                                          NULL};

    return starts_with_any(path, modules);
}

static bool is_std(const char *path)
{
    static const char *const crates[] = {"alloc::",
                                         "core::",
                                         "std::",
                                         "hashbrown::",
                                         "__rust",
                                         "__rdl",
                                         "tikv_jemallocator::",
                                         "jemallocator::",
                                         "mimalloc::",
                                         NULL};

    return starts_with_any(path, crates);
}

static enum allocation_step look_rust(struct type_reader *r, struct debug_function *f,
                                      const char *path, uint32_t *type)
{
    static const char *const counted[] = {"alloc::rc::", "alloc::sync::", NULL};
    Dwarf_Die parameter;

    /* A slice behind its counts, or of a type that has no size; all else was found further in. */
    if (starts_with_any(path, counted))
        return ALLOCATION_END;
    if (!is_container(path))
        return is_std(path) ? ALLOCATION_OUTWARD : ALLOCATION_END;
    if (type_find_parameter(&f->die, "T", &parameter))
        *type = type_describe(r, &parameter);
    else if (!type_find_parameter(&f->die, NULL, &parameter))
        *type = argument_of_name(r, f->name);
    return *type == CPROF_NONE ? ALLOCATION_OUTWARD : ALLOCATION_FOUND;
}

/*--- Expressions ---*/

/* Goes from the type of an expression to that of a member of it. */
static bool step_into(Dwarf_Die *type, const char *name, size_t size)
{
    char *text = xstrndup(name, size);
    Dwarf_Die member, plain = *type;
    bool found = type_plain(&plain, NULL, NULL) && type_is_struct(&plain) &&
                 type_member(&plain, text, &member) && type_of(&member, type);

    free(text);
    return found;
}

static size_t name_size(const char *text)
{
    size_t size = 0;

    while (is_word(text[size]))
        size++;
    return size;
}

/* The type of "**list->items[n]" in a function. */
static bool type_of_expression(Dwarf_Die *function, const char *text, Dwarf_Die *type)
{
    size_t stars = strspn(text, "*"), size = name_size(text + stars);
    char *name = xstrndup(text + stars, size);
    bool known = size && type_find_local(function, name, type);

    free(name);
    for (text += stars + size; known && *text; text += size) {
        if (*text == '[') {
            const char *end = bracket_end(text, text + strlen(text));

            size = end ? (size_t)(end - text) : 0;
            known = end && type_target(type, type);
            continue;
        }
        if (starts(text, "->")) {
            known = type_target(type, type);
            text++;
        } else if (*text != '.') {
            return false;
        }
        size = name_size(++text);
        known = known && size && step_into(type, text, size);
    }
    for (; known && stars; stars--)
        known = type_target(type, type);
    return known;
}

/*--- C and C++ ---*/

/* The type that a hint means: the name of one, also of a type parameter, or an expression. */
static uint32_t find_hinted(struct type_reader *r, struct debug_function *f, const char *hint)
{
    Dwarf_Die type;

    if (type_find_parameter(&f->die, hint, &type) ||
        type_find_named(r->debug, &f->die, hint, &type) || type_of_expression(&f->die, hint, &type))
        return type_describe(r, &type);
    return CPROF_NONE;
}

/* The same, looked for once: a function may allocate on many call paths. */
static uint32_t type_of_hint(struct allocation_types *t, struct debug_function *f, const char *hint)
{
    for (size_t i = 0; i < t->n_hints; i++)
        if (t->hints[i].function == f->key && !strcmp(t->hints[i].hint, hint))
            return t->hints[i].type;
    GROW(t->hints, t->n_hints, t->hints_room);
    t->hints[t->n_hints] =
        (struct known_hint){f->key, xstrdup(hint), find_hinted(&t->reader, f, hint)};
    return t->hints[t->n_hints++].type;
}

/* Some lines of a file from `line` on, or NULL; the caller frees them. */
static char *read_lines(struct allocation_search *s, const struct allocation_frame *frame)
{
    const struct source *source;
    struct strbuf text = {NULL, 0, 0};
    const char *line;
    size_t size;

    if (!frame->file || !frame->line)
        return NULL;
    source = source_find(&s->types->sources, frame->file);
    if (source->state != SOURCE_FOUND ||
        (!source->fixed && source->modified.tv_sec > s->types->built.tv_sec))
        return NULL;
    for (uint32_t i = 0; i < LINES_MAX && source_line(source, frame->line + i, &line, &size); i++) {
        strbuf_add_bytes(&text, line, size);
        strbuf_add_char(&text, '\n');
    }
    return text.text;
}

/* All hints have to mean one type. */
static uint32_t type_of_hints(struct allocation_types *t, struct debug_function *f,
                              const struct allocation *a)
{
    uint32_t type = type_of_hint(t, f, a->hints[0]);

    for (size_t i = 1; i < a->n; i++)
        if (type_of_hint(t, f, a->hints[i]) != type)
            return CPROF_NONE;
    return type;
}

static enum allocation_step look_line(struct allocation_search *s,
                                      const struct allocation_frame *frame, uint32_t *type)
{
    char *text = read_lines(s, frame);
    struct allocation a = {.kind = ALLOCATION_UNCLEAR};
    enum allocation_step step = ALLOCATION_END;

    if (text)
        a = allocation_read(text, s->wrapper, type_is_cxx(&frame->function->die));
    else if (!frame->line)
        a.kind = ALLOCATION_PLAIN; /* it jumps to malloc: a wrapper, as far as one can see */
    if (a.kind == ALLOCATION_HINTS)
        *type = type_of_hints(s->types, frame->function, &a);
    if (*type != CPROF_NONE) {
        step = ALLOCATION_FOUND;
    } else if (a.kind == ALLOCATION_PLAIN && frame->function->name &&
               s->n_wrappers++ < WRAPPERS_MAX) {
        s->wrapper = frame->function->name;
        step = ALLOCATION_OUTWARD;
    }
    allocation_free(&a);
    free(text);
    return step;
}

/* libstdc++'s and libc++'s allocators: the T of `allocator<T>::allocate`. */
static bool find_allocated(struct debug_info *d, struct debug_function *f, Dwarf_Die *type)
{
    static const char *const allocators[] = {"allocator<", "new_allocator<", "__new_allocator<",
                                             "malloc_allocator<", NULL};
    Dwarf_Die scope;
    const char *name;

    if (!f->name || strcmp(f->name, "allocate") != 0 || !debug_scope(d, &f->die, &scope))
        return false;
    name = dwarf_diename(&scope);
    return name && starts_with_any(name, allocators) && type_find_parameter(&scope, NULL, type);
}

static enum allocation_step look_cxx(struct allocation_search *s,
                                     const struct allocation_frame *frame, const char *path,
                                     uint32_t *type)
{
    static const char *const library[] = {"std::", "__gnu_cxx::", "operator new", NULL};
    struct debug_function *f = frame->function;
    Dwarf_Die parameter;

    if (!starts_with_any(path, library))
        return look_line(s, frame, type);
    if (find_allocated(s->types->reader.debug, f, &parameter) ||
        (f->name && starts(f->name, "make_unique") &&
         type_find_parameter(&f->die, NULL, &parameter)))
        *type = type_describe(&s->types->reader, &parameter);
    return *type == CPROF_NONE ? ALLOCATION_OUTWARD : ALLOCATION_FOUND;
}

/*--- Frames ---*/

enum allocation_step allocation_look(struct allocation_search *s,
                                     const struct allocation_frame *frame, uint32_t *type)
{
    struct debug_function *f = frame->function;
    char *path = debug_path(s->types->reader.debug, &f->die, f->name ? f->name : "");
    enum allocation_step step;

    *type = CPROF_NONE;
    if (type_is_rust(&f->die))
        step = look_rust(&s->types->reader, f, path, type);
    else if (type_is_cxx(&f->die))
        step = look_cxx(s, frame, path, type);
    else
        step = look_line(s, frame, type);
    free(path);
    return step;
}

enum allocation_step allocation_look_symbol(const char *symbol)
{
    /* operator new, and what rustc makes of its own. The standard library as it is delivered
     * describes no function of alloc::raw_vec that is not generic. */
    static const char *const inner[] = {"_Znw", "_Zna", "__rust", "__rdl_", "__rg_", NULL};

    return symbol && (starts_with_any(symbol, inner) || strstr(symbol, "___rust") ||
                      strstr(symbol, "___rdl_") || strstr(symbol, "__rdl_alloc") ||
                      strstr(symbol, "__rust_alloc") || strstr(symbol, "__rust_realloc") ||
                      strstr(symbol, "7raw_vec"))
               ? ALLOCATION_OUTWARD
               : ALLOCATION_END;
}

void allocation_types_free(struct allocation_types *t)
{
    for (size_t i = 0; i < t->n_hints; i++)
        free(t->hints[i].hint);
    free(t->hints);
    type_reader_free(&t->reader);
    source_finder_free(&t->sources);
}
