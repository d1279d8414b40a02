#include <config.h>

/*
 * Primary data structure: the costs of the raw profile, gone through object by object, so that one
 * ELF file is open at a time. For each address locate() says its places; the new profile is put
 * together by the library's builder, which interns and adds up.
 */
#include "model/resolve.h"

#include "base/memory.h"
#include "builder.h"
#include "model/binary.h"
#include "model/copy.h"
#include "model/debug.h"
#include "model/demangle.h"
#include "model/symbols.h"
#include "model/unnamed.h"
#include "model/unwind.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Where an instruction belongs: a function, and a line in a file that need not be the function's
 * own. Indices of the builder. */
struct place {
    uint32_t function;
    uint32_t file; /* CPROF_NONE: not known */
    uint32_t line;
};

/* An address's places, innermost first: the function it is compiled into comes last, those that
 * were inlined there before it. */
struct places {
    size_t n;
    struct place items[1];
};

/* The object whose addresses are being named. */
struct object {
    struct builder *builder;
    uint32_t index; /* of the object */
    bool open;      /* `binary`, `symbols` and `debug` are valid */
    struct binary binary;
    struct symbols symbols;
    struct debug debug;
    struct intervals unwind;
    const char *path;
    uint32_t *functions; /* per symbol: its function, CPROF_NONE before it was needed */
    uint32_t *unnamed;   /* likewise per unwind entry */
    uint32_t unknown;    /* likewise the function "???" */
    bool has_lines;      /* some cost has a line */
};

/* Where the function that has `address` is defined: its declaration, or else the line of its first
 * instruction (assembly). */
static void definition_of(struct object *o, uint64_t address, struct debug_function *f)
{
    bool known = debug_function(&o->debug, address, f);

    if (!known)
        *f = (struct debug_function){.name = NULL};
    if (!f->file && !debug_line(&o->debug, address, &f->file, &f->line))
        f->line = 0;
}

static uint32_t make_function(struct object *o, const char *linkage, const struct debug_function *f)
{
    char *readable = demangle(linkage);
    uint32_t file = f->file ? builder_file(o->builder, f->file) : CPROF_NONE;
    uint32_t function = builder_function(o->builder, readable ? readable : linkage,
                                         readable ? linkage : NULL, o->index, file, f->line);

    free(readable);
    return function;
}

static uint32_t unknown_function(struct object *o)
{
    if (o->unknown == CPROF_NONE)
        o->unknown = builder_function(o->builder, UNNAMED, NULL, o->index, CPROF_NONE, 0);
    return o->unknown;
}

/* The function of the unwind entry that covers the address. */
static uint32_t unnamed_function(struct object *o, uint64_t address)
{
    uint32_t i = intervals_find(&o->unwind, address);
    char *name;

    if (i == INTERVAL_NONE)
        return unknown_function(o);
    if (o->unnamed[i] == CPROF_NONE) {
        name = unnamed_name(o->path, o->unwind.items[i].start);
        o->unnamed[i] = builder_function(o->builder, name, NULL, o->index, CPROF_NONE, 0);
        free(name);
    }
    return o->unnamed[i];
}

/* The function of the symbol that covers the address; DWARF's where the symbol was stripped off, or
 * at least the one whose beginning is known. */
static uint32_t function_at(struct object *o, uint64_t address)
{
    const struct symbol *symbol = symbols_find(&o->symbols, address);
    struct debug_function f;

    if (!symbol) {
        if (!debug_function(&o->debug, address, &f) || (!f.linkage_name && !f.name))
            return unnamed_function(o, address);
        return make_function(o, f.linkage_name ? f.linkage_name : f.name, &f);
    }
    if (o->functions[symbol - o->symbols.items] == CPROF_NONE) {
        definition_of(o, symbol->start, &f);
        o->functions[symbol - o->symbols.items] = make_function(o, symbol->name, &f);
    }
    return o->functions[symbol - o->symbols.items];
}

static void locate(struct object *o, uint64_t address, struct places *places)
{
    struct place *p = &places->items[0];
    const char *file;

    places->n = 1;
    *p = (struct place){.file = CPROF_NONE};
    if (!o->open) {
        p->function = unknown_function(o);
        return;
    }
    p->function = function_at(o, address);
    if (debug_line(&o->debug, address, &file, &p->line)) {
        p->file = builder_file(o->builder, file);
        o->has_lines = true;
    }
}

/* `n` times CPROF_NONE. */
static uint32_t *new_indices(size_t n)
{
    uint32_t *indices = xreallocarray(NULL, n, sizeof *indices);

    for (size_t i = 0; i < n; i++)
        indices[i] = CPROF_NONE;
    return indices;
}

static void open_object(struct object *o, struct builder *b, const struct cprof_object *from)
{
    *o = (struct object){.builder = b, .path = from->path, .unknown = CPROF_NONE};
    o->index = builder_object(b, from->path, from->build_id);
    o->open = from->path[0] == '/' && binary_open(&o->binary, from->path, from->build_id);
    if (!o->open)
        return;
    unwind_load(&o->unwind, &o->binary);
    symbols_load(&o->symbols, &o->binary, &o->unwind);
    debug_load(&o->debug, o->binary.dwarf);
    o->functions = new_indices(o->symbols.n);
    o->unnamed = new_indices(o->unwind.n);
}

static void close_object(struct object *o)
{
    if (!o->open)
        return;
    free(o->functions);
    free(o->unnamed);
    intervals_free(&o->unwind);
    debug_free(&o->debug);
    symbols_free(&o->symbols);
    binary_close(&o->binary);
}

static enum name_quality quality_of(const struct object *o, const struct cprof_object *from,
                                    bool has_costs)
{
    if (!o->open)
        return from->path[0] == '/' ? NAMES_MISSING : NAMES_NONE;
    if (has_costs ? o->has_lines : o->debug.n_units > 0)
        return NAMES_LINES;
    return o->symbols.kind == SYMBOLS_FULL      ? NAMES_SYMBOLS
           : o->symbols.kind == SYMBOLS_DYNAMIC ? NAMES_DYNAMIC
                                                : NAMES_NONE;
}

/* Names the costs `order[0...n]` of `raw`, all of object `from`. */
static enum name_quality resolve_object(struct builder *b, const struct cprof_profile *raw,
                                        const struct cprof_object *from, const uint32_t *order,
                                        size_t n)
{
    struct object o;
    enum name_quality quality;

    open_object(&o, b, from);
    for (size_t i = 0; i < n; i++) {
        struct cprof_cost cost = raw->costs[order[i]];
        struct places places;

        locate(&o, cost.address, &places);
        cost.function = places.items[places.n - 1].function;
        cost.file = places.items[0].file;
        cost.line = places.items[0].line;
        if (builder_cost(b, &cost, cprof_cost_values(raw, order[i])) != 0)
            break;
    }
    quality = quality_of(&o, from, n > 0);
    close_object(&o);
    return quality;
}

/*
 * The indices of all costs, by object: those of object i are order[starts[i]] to order[starts[i +
 * 1]]. Costs without an object come last; a raw profile has none. The caller frees both.
 */
static uint32_t *order_by_object(const struct cprof_profile *raw, size_t **starts)
{
    uint32_t *order = xreallocarray(NULL, raw->n_costs, sizeof *order);
    size_t *next = xcalloc((size_t)raw->n_objects + 2, sizeof *next);

    *starts = xcalloc((size_t)raw->n_objects + 2, sizeof **starts);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < raw->n_costs; i++) {
            uint32_t object = raw->functions[raw->costs[i].function].object;

            if (object >= raw->n_objects)
                object = raw->n_objects;
            if (pass == 0)
                (*starts)[object + 1]++;
            else
                order[next[object]++] = i;
        }
        for (uint32_t i = 0; pass == 0 && i <= raw->n_objects; i++) {
            (*starts)[i + 1] += (*starts)[i];
            next[i + 1] = (*starts)[i + 1];
        }
    }
    free(next);
    return order;
}

static void resolve_costs(struct builder *b, const struct cprof_profile *raw,
                          enum name_quality *qualities)
{
    size_t *starts;
    uint32_t *order = order_by_object(raw, &starts);

    for (uint32_t i = 0; i < raw->n_objects; i++) {
        enum name_quality quality =
            resolve_object(b, raw, &raw->objects[i], order + starts[i], starts[i + 1] - starts[i]);

        if (qualities)
            qualities[i] = quality;
    }
    free(order);
    free(starts);
}

/* A profile with names: of another format, or resolved before. */
static bool has_names(const struct cprof_profile *p)
{
    if (p->format != CPROF_FORMAT_RAW)
        return true;
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (strcmp(p->functions[i].name, UNNAMED) != 0)
            return true;
    return false;
}

/* What names of a profile that came with them are worth: it says so itself. */
static void judge_names(const struct cprof_profile *p, enum name_quality *qualities)
{
    for (uint32_t i = 0; i < p->n_objects; i++)
        qualities[i] = p->has_lines ? NAMES_LINES : NAMES_SYMBOLS;
}

struct cprof_profile *resolve_profile(const struct cprof_profile *raw, enum name_quality *qualities,
                                      struct cprof_error *error)
{
    struct builder *b;

    *error =
        (struct cprof_error){.code = CPROF_OK}; /* the first error wins, and an older one would */
    b = builder_new(error);
    /* Nothing here asks a server, and a library below must not either. */
    unsetenv("DEBUGINFOD_URLS");
    if (!b)
        return NULL;
    copy_header(b, raw);
    if (has_names(raw)) {
        copy_costs(b, raw);
        if (qualities)
            judge_names(raw, qualities);
    } else {
        resolve_costs(b, raw, qualities);
    }
    return builder_finish(b);
}
