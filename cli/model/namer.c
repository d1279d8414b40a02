#include <config.h>

#include "model/namer.h"

#include "base/memory.h"
#include "model/demangle.h"
#include "model/unnamed.h"
#include "model/unwind.h"

#include <stdlib.h>
#include <string.h>

/* Where the function that has `address` is defined: its declaration, or else the line of its first
 * instruction (assembly). */
static void definition_of(struct namer *n, uint64_t address, struct debug_function *f)
{
    bool known = debug_function(&n->debug, address, f);

    if (!known)
        *f = (struct debug_function){.name = NULL};
    if (!f->file && !debug_line(&n->debug, address, &f->file, &f->line))
        f->line = 0;
}

static uint32_t make_function(struct namer *n, const char *linkage, const struct debug_function *f,
                              uint64_t start)
{
    char *readable = demangle(linkage);
    uint32_t file = f->file ? builder_file(n->builder, f->file) : CPROF_NONE;
    uint32_t function =
        builder_function_at(n->builder, readable ? readable : linkage, readable ? linkage : NULL,
                            n->object, file, f->line, start);

    free(readable);
    return function;
}

static uint32_t unknown_function(struct namer *n)
{
    if (n->unknown == CPROF_NONE)
        n->unknown = builder_function(n->builder, UNNAMED, NULL, n->object, CPROF_NONE, 0);
    return n->unknown;
}

/* The function that DWARF has at the address, its symbol being stripped off; or the one whose
 * beginning at least is known; else CPROF_NONE. */
static uint32_t function_without_symbol(struct namer *n, uint64_t address)
{
    uint32_t i = intervals_find(&n->unwind, address);
    uint64_t start = i == INTERVAL_NONE ? 0 : n->unwind.items[i].start;
    struct debug_function f;
    char *name;

    if (debug_function(&n->debug, address, &f) && (f.linkage_name || f.name))
        return make_function(n, f.linkage_name ? f.linkage_name : f.name, &f, start);
    if (i == INTERVAL_NONE)
        return CPROF_NONE;
    if (n->unnamed[i] == CPROF_NONE) {
        name = unnamed_name(n->path, start);
        n->unnamed[i] =
            builder_function_at(n->builder, name, NULL, n->object, CPROF_NONE, 0, start);
        free(name);
    }
    return n->unnamed[i];
}

uint32_t namer_find_function(struct namer *n, uint64_t address)
{
    const struct symbol *symbol;
    struct debug_function f;
    uint32_t *function;

    if (!n->open)
        return CPROF_NONE;
    symbol = symbols_find(&n->symbols, address);
    if (!symbol)
        return function_without_symbol(n, address);
    function = &n->functions[symbol - n->symbols.items];
    if (*function == CPROF_NONE) {
        definition_of(n, symbol->start, &f);
        *function = make_function(n, symbol->name, &f, symbol->start);
    }
    return *function;
}

uint32_t namer_function(struct namer *n, uint64_t address)
{
    uint32_t function = namer_find_function(n, address);

    return function == CPROF_NONE ? unknown_function(n) : function;
}

bool namer_line(struct namer *n, uint64_t address, uint32_t *file, uint32_t *line)
{
    const char *path;

    *file = CPROF_NONE;
    *line = 0;
    if (!n->open || !debug_line(&n->debug, address, &path, line))
        return false;
    *file = builder_file(n->builder, path);
    return true;
}

void namer_place(struct namer *n, uint64_t address, struct place *place)
{
    place->function = namer_function(n, address);
    n->has_places = true;
    n->has_lines |= namer_line(n, address, &place->file, &place->line);
}

bool namer_is_stub(const struct namer *n, uint64_t address)
{
    static const char resolver[] = "_dl_runtime_resolve";
    const struct symbol *symbol = n->open ? symbols_find(&n->symbols, address) : NULL;

    return symbol && (symbol->is_stub || !strncmp(symbol->name, resolver, strlen(resolver)));
}

/* `n` times CPROF_NONE. */
static uint32_t *new_indices(size_t n)
{
    uint32_t *indices = xreallocarray(NULL, n, sizeof *indices);

    for (size_t i = 0; i < n; i++)
        indices[i] = CPROF_NONE;
    return indices;
}

void namer_open(struct namer *n, struct builder *b, const struct cprof_object *object)
{
    *n = (struct namer){.builder = b, .path = object->path, .unknown = CPROF_NONE};
    n->object = builder_object(b, object->path, object->build_id);
    n->open = object->path[0] == '/' && binary_open(&n->binary, object->path, object->build_id);
    if (!n->open)
        return;
    unwind_load(&n->unwind, &n->binary);
    symbols_load(&n->symbols, &n->binary, &n->unwind);
    debug_load(&n->debug, n->binary.dwarf);
    n->functions = new_indices(n->symbols.n);
    n->unnamed = new_indices(n->unwind.n);
}

static enum name_quality quality_of(const struct namer *n)
{
    if (!n->open)
        return n->path[0] == '/' ? NAMES_MISSING : NAMES_NONE;
    if (n->has_places ? n->has_lines : n->debug.n_units > 0)
        return NAMES_LINES;
    return n->symbols.kind == SYMBOLS_FULL      ? NAMES_SYMBOLS
           : n->symbols.kind == SYMBOLS_DYNAMIC ? NAMES_DYNAMIC
                                                : NAMES_NONE;
}

enum name_quality namer_close(struct namer *n)
{
    enum name_quality quality = quality_of(n);

    if (!n->open)
        return quality;
    free(n->functions);
    free(n->unnamed);
    intervals_free(&n->unwind);
    debug_free(&n->debug);
    symbols_free(&n->symbols);
    binary_close(&n->binary);
    return quality;
}
