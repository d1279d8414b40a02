#include <config.h>

#include "symbols/object_names.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/words.h"
#include "names/demangle.h"
#include "names/object_name.h"
#include "names/rust_name.h"
#include "symbols/code_hash.h"
#include "symbols/eh_frame.h"

#include <stdlib.h>
#include <string.h>

/*--- Chains of inlined functions ---*/

static int equal(const void *owner, uint32_t index, const void *key)
{
    const struct inline_chain *a = (const struct inline_chain *)owner + index, *b = key;

    return a->parent == b->parent && a->function == b->function && a->file == b->file &&
           a->line == b->line;
}

/* The index of the chain that is equal to `chain`, made if new. */
static uint32_t inline_chains_add(struct inline_chains *c, const struct inline_chain *chain)
{
    uint64_t mixed = map_mix((uint64_t)chain->parent << 32 | chain->function,
                             (uint64_t)chain->file << 32 | chain->line);
    uint32_t hash = map_hash(mixed), found = map_find(&c->map, hash, equal, c->items, chain);

    if (found != MAP_NONE)
        return found;
    GROW(c->items, c->n, c->room);
    c->items[c->n] = *chain;
    memory_check(map_add(&c->map, hash, c->n));
    return c->n++;
}

void inline_chains_free(struct inline_chains *c)
{
    free(c->items);
    map_release(&c->map);
    *c = (struct inline_chains){.n = 0};
}

/*--- Lines ---*/

/* Fewer addresses are not worth a thread. */
enum { MANY = 2 * LINE_BATCH };

static void open_object(void *data)
{
    struct line_reader *r = data;

    r->is_open = elf_file_open(&r->elf, r->path, r->build_id);
    if (r->is_open) {
        debug_load(&r->debug, r->elf.dwarf, r->elf.dwz.dwarf);
        r->debug.dwp = r->elf.dwp;
    }
}

static void read_batch(void *data)
{
    struct line_batch *b = data;
    struct line_reader *r = b->reader;

    b->n_units = 0;
    for (size_t i = 0; i < b->n; i++) {
        uint64_t address = r->addresses[b->first + i];
        uint32_t unit = debug_new_files(&r->debug, address);
        struct line *l = &b->lines[i];

        if (unit != DEBUG_NONE)
            b->units[b->n_units++] = unit;
        l->known = debug_line(&r->debug, address, &l->file, &l->number);
    }
}

struct line_reader *line_reader_begin(const char *path, const char *build_id, struct debug_info *to,
                                      const uint64_t *addresses, size_t n)
{
    struct line_reader *r;

    if (n < MANY)
        return NULL;
    r = xcalloc(1, sizeof *r);
    r->path = path;
    r->build_id = build_id;
    r->to = to;
    r->addresses = addresses;
    r->n = n;
    worker_begin(&r->worker);
    if (!r->worker.threaded) {
        free(r);
        return NULL;
    }
    worker_do(&r->worker, open_object, r);
    return r;
}

static void begin_batch(struct line_reader *r)
{
    struct line_batch *b = &r->batches[r->n_begun % LINE_BATCHES];

    b->reader = r;
    b->first = r->n_begun++ * LINE_BATCH;
    b->n = r->n - b->first < LINE_BATCH ? r->n - b->first : LINE_BATCH;
    worker_do(&r->worker, read_batch, b);
}

/* When a batch has been handed over, that WORKER_JOBS before it is done. */
static void wait_for(struct line_reader *r, size_t batch)
{
    const struct line_batch *b = &r->batches[batch % LINE_BATCHES];

    while (r->n_begun <= batch + WORKER_JOBS && r->n_begun * LINE_BATCH < r->n)
        begin_batch(r);
    if (r->n_begun <= batch + WORKER_JOBS)
        worker_wait(&r->worker);
    for (size_t i = 0; i < b->n_units; i++)
        debug_take_files(r->to, &r->debug, b->units[i]);
}

const struct line *line_reader_next(struct line_reader *r, size_t i)
{
    size_t batch = i / LINE_BATCH;

    if (i % LINE_BATCH == 0)
        wait_for(r, batch);
    return &r->batches[batch % LINE_BATCHES].lines[i % LINE_BATCH];
}

struct debug_info *line_reader_debug(struct line_reader *r)
{
    worker_end(&r->worker);
    return &r->debug;
}

void line_reader_free(struct line_reader *r)
{
    if (!r)
        return;
    worker_end(&r->worker);
    debug_free(&r->debug);
    if (r->is_open)
        elf_file_close(&r->elf);
    free(r);
}

/*--- Names ---*/

/* Notes the type arguments in a function's DW_AT_name: "push<u8, alloc::alloc::Global>". */
static void put_arguments(struct object_names *n, uint32_t function, const char *linkage,
                          const struct debug_function *f)
{
    const char *open = f->name && f->name[0] ? strchr(f->name + 1, '<') : NULL;
    size_t size = open ? strlen(open) : 0;
    char *arguments;

    if (size < 3 || open[size - 1] != '>' || !rust_has_hash(linkage))
        return;
    arguments = xstrndup(open + 1, size - 2);
    (void)builder_function_traits(n->builder, function,
                                  &(struct cprof_function){.arguments = arguments});
    free(arguments);
}

static uint32_t make_function(struct object_names *n, const char *linkage,
                              const struct debug_function *f, uint32_t file, uint32_t line,
                              uint64_t start)
{
    char *readable = demangle(linkage);
    uint32_t function =
        builder_function_at(n->builder, readable ? readable : linkage, readable ? linkage : NULL,
                            n->object, file, line, start);

    if (f)
        put_arguments(n, function, linkage, f);
    free(readable);
    return function;
}

static uint32_t unknown_function(struct object_names *n)
{
    if (n->unknown == CPROF_NONE)
        n->unknown = builder_function(n->builder, UNNAMED, NULL, n->object, CPROF_NONE, 0);
    return n->unknown;
}

enum { FILES_KNOWN = 256 };

enum { STUB_ALIGNMENT = 8 }; /* at least: few addresses are looked up */

static uint32_t file_index(struct object_names *n, const char *path)
{
    struct known_file *known;

    if (!path)
        return CPROF_NONE;
    known = &n->files[map_hash((uintptr_t)path) % FILES_KNOWN];
    if (known->path != path)
        *known = (struct known_file){path, builder_file(n->builder, path)};
    return known->file;
}

/* The description of the function that has the address, or NULL. */
static const struct debug_function *described(struct object_names *n, uint64_t address)
{
    uint32_t i = debug_function(&n->debug, address);

    return i == DEBUG_NONE ? NULL : &n->debug.functions[i];
}

/* The nearest symbol of the function that DWARF has at the address, which has none: it is a part
 * that was split off. NULL: there is none. */
static const struct symbol *whole_of(struct object_names *n, uint64_t address)
{
    const struct debug_function *f = described(n, address);
    const char *name = f ? f->linkage_name ? f->linkage_name : f->name : NULL;

    return name ? symbol_table_find_named(&n->symbols, name, address) : NULL;
}

static uint32_t symbol_function(struct object_names *n, const struct symbol *symbol);

/* The function that DWARF has at the address, its symbol being stripped off; or the one whose
 * beginning at least is known; else CPROF_NONE. */
static uint32_t function_without_symbol(struct object_names *n, uint64_t address)
{
    uint32_t i = intervals_find(&n->unwind, address);
    uint64_t start = i == INTERVAL_NONE ? 0 : n->unwind.items[i].start;
    const struct debug_function *f = described(n, address);
    const struct symbol *whole = f ? whole_of(n, address) : NULL;
    char *name;

    if (whole)
        return symbol_function(n, whole);
    if (f)
        return make_function(n, f->linkage_name ? f->linkage_name : f->name, f,
                             file_index(n, f->file), f->line, start);
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

/* Names a symbol. It is defined where it is declared, or else at the line of its first instruction
 * (assembly). */
static void name_symbol(struct object_names *n, const struct symbol *symbol,
                        struct named_symbol *named)
{
    const struct debug_function *f = described(n, symbol->start);
    const char *file = f ? f->file : NULL;
    uint32_t line = f ? f->line : 0;

    if (!file && !debug_line(&n->debug, symbol->start, &file, &line))
        line = 0;
    named->file = file_index(n, file);
    named->line = line;
    named->function = make_function(n, symbol->name, f, named->file, line, symbol->start);
    if (!symbol->is_stub)
        (void)builder_function_traits(
            n->builder, named->function,
            &(struct cprof_function){.code = code_hash(n->elf.elf, symbol->start, symbol->end)});
}

static uint32_t symbol_function(struct object_names *n, const struct symbol *symbol)
{
    struct named_symbol *named = &n->named[symbol - n->symbols.items];

    if (named->function == CPROF_NONE)
        name_symbol(n, symbol, named);
    return named->function;
}

/* The function by the name that the run has kept, or CPROF_NONE. */
static uint32_t kept_function(struct object_names *n, uint64_t address)
{
    const struct function_start *start = function_starts_find(n->starts, address);

    return start && strcmp(start->name, UNNAMED) != 0
               ? make_function(n, start->name, NULL, CPROF_NONE, 0, start->address)
               : CPROF_NONE;
}

uint32_t object_names_find_function(struct object_names *n, uint64_t address)
{
    const struct symbol *symbol;

    if (!n->open)
        return kept_function(n, address);
    symbol = symbol_table_find_near(&n->symbols, address, &n->symbol_hint);
    return symbol ? symbol_function(n, symbol) : function_without_symbol(n, address);
}

uint32_t object_names_function(struct object_names *n, uint64_t address)
{
    uint32_t function = object_names_find_function(n, address);

    return function == CPROF_NONE ? unknown_function(n) : function;
}

bool object_names_is_described(const struct object_names *n)
{
    return n->open && n->debug.n_units > 0;
}

static struct line find_line(struct object_names *n, uint64_t address)
{
    struct debug_info *debug = n->lines ? line_reader_debug(n->lines) : &n->debug;
    struct line line;

    line.known = debug_line(debug, address, &line.file, &line.number);
    return line;
}

static bool put_line(struct object_names *n, const struct line *l, uint32_t *file, uint32_t *line)
{
    *file = l->known ? file_index(n, l->file) : CPROF_NONE;
    *line = l->known ? l->number : 0;
    return l->known;
}

bool object_names_line(struct object_names *n, uint64_t address, uint32_t *file, uint32_t *line)
{
    struct line found = {.known = false};

    if (object_names_is_described(n))
        found = find_line(n, address);
    return put_line(n, &found, file, line);
}

void object_names_place(struct object_names *n, uint64_t address, struct compiled_place *place)
{
    struct line line = {.known = false};

    if (n->n_placed < n->n_expected) {
        line = *line_reader_next(n->lines, n->n_placed++);
        /* The caller asks for the chain later; its function is read while the reader goes on. */
        if (n->chains)
            (void)debug_frame(&n->debug, address);
    } else if (object_names_is_described(n))
        line = find_line(n, address);
    place->function = object_names_function(n, address);
    place->chain = CHAIN_NONE;
    n->has_places = true;
    n->has_lines |= put_line(n, &line, &place->file, &place->line);
}

static const struct symbol *symbol_at(const struct object_names *n, uint64_t address)
{
    size_t hint = n->symbol_hint;

    return n->open ? symbol_table_find_near(&n->symbols, address, &hint) : NULL;
}

const char *object_names_symbol(const struct object_names *n, uint64_t address)
{
    const struct symbol *symbol = symbol_at(n, address);

    return symbol ? symbol->name : NULL;
}

static const char resolver[] = "_dl_runtime_resolve";

bool object_names_begins_stub(const struct object_names *n, uint64_t address)
{
    const struct symbol *symbol = address % STUB_ALIGNMENT ? NULL : symbol_at(n, address);

    return symbol && symbol->start == address &&
           (symbol->is_stub || !strncmp(symbol->name, resolver, strlen(resolver)));
}

bool object_names_is_stub(const struct object_names *n, uint64_t address)
{
    const struct symbol *symbol = symbol_at(n, address);
    const struct function_start *start = n->open ? NULL : function_starts_find(n->starts, address);

    if (start)
        return text_ends_in(start->name, "@plt") ||
               !strncmp(start->name, resolver, strlen(resolver));
    return symbol && (symbol->is_stub || !strncmp(symbol->name, resolver, strlen(resolver)));
}

bool object_names_is_part(struct object_names *n, uint64_t address)
{
    if (!n->open)
        return false;
    return symbol_table_is_part(&n->symbols, address) ||
           (!symbol_at(n, address) && whole_of(n, address));
}

/* Inlined functions */

static int equal_name(const void *owner, uint32_t index, const void *key)
{
    return !strcmp(((const struct symbol *)owner)[index].name, key);
}

static uint32_t hash_name(const char *name)
{
    return map_hash_bytes(name, strlen(name), 0);
}

/* Maps the names of all symbols that were needed; those of one name are linked. */
static void map_symbols(struct object_names *n)
{
    n->has_symbol_map = true;
    for (uint32_t i = 0; i < n->symbols.n; i++) {
        const char *name = n->symbols.items[i].name;
        uint32_t first;

        if (n->named[i].function == CPROF_NONE)
            continue;
        first = map_find(&n->symbol_map, hash_name(name), equal_name, n->symbols.items, name);
        if (first == MAP_NONE)
            memory_check(map_add(&n->symbol_map, hash_name(name), i));
        n->named[i].next = CPROF_NONE;
        if (first != MAP_NONE) {
            n->named[i].next = n->named[first].next;
            n->named[first].next = i;
        }
    }
}

/* The symbol called `name` that is the function declared at `file` and `line`, or NULL. A linkage
 * name is that of one function, unless it is local. */
static const struct named_symbol *find_symbol(struct object_names *n, const char *name,
                                              uint32_t file, uint32_t line, bool is_linkage)
{
    uint32_t i = map_find(&n->symbol_map, hash_name(name), equal_name, n->symbols.items, name);

    if (i == MAP_NONE)
        return NULL;
    if (is_linkage && n->named[i].next == CPROF_NONE)
        return &n->named[i];
    for (; i != CPROF_NONE; i = n->named[i].next)
        if (n->named[i].file == file && n->named[i].line == line)
            return &n->named[i];
    return NULL;
}

/*
 * The symbol of an inlined function, which was called elsewhere, or NULL. A C++ constructor is
 * inlined as the "unified" one (C4 in place of C1, C2 and C3), which no symbol table has; so is a
 * destructor.
 */
static const struct named_symbol *symbol_of(struct object_names *n, const struct debug_function *f,
                                            uint32_t file)
{
    const char *name = f->linkage_name ? f->linkage_name : f->name, *unified;
    const struct named_symbol *found;
    char *variant;

    if (!n->has_symbol_map)
        map_symbols(n);
    found = find_symbol(n, name, file, f->line, f->linkage_name != NULL);
    unified = f->linkage_name ? strstr(name, "C4E") : NULL;
    if (f->linkage_name && !unified)
        unified = strstr(name, "D4E");
    if (found || !unified)
        return found;
    variant = xstrdup(name);
    for (char digit = '2'; digit >= '0' && !found; digit--) {
        variant[unified - name + 1] = digit;
        found = find_symbol(n, variant, file, f->line, true);
    }
    free(variant);
    return found;
}

static int equal_linkage(const void *owner, uint32_t index, const void *key)
{
    const struct debug_function *a = (const struct debug_function *)owner + index, *b = key;

    return a->linkage_name == b->linkage_name && a->line == b->line &&
           (a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file)));
}

/* A function of the debug information as one that was inlined. */
static uint32_t make_inlined(struct object_names *n, const struct debug_function *f)
{
    uint32_t file = file_index(n, f->file), function;
    const struct named_symbol *symbol = symbol_of(n, f, file);

    if (symbol)
        function = symbol->function;
    else if (f->linkage_name)
        function = make_function(n, f->linkage_name, f, file, f->line, 0);
    else
        function = builder_function(n->builder, f->path, NULL, n->object, file, f->line);
    (void)builder_function_traits(n->builder, function, &(struct cprof_function){.inlined = 1});
    return function;
}

/* make_inlined() that makes each function once. Each unit describes a function that was inlined in
 * it anew, but the linker has kept one text of each name: the same pointer. */
static uint32_t inlined_function(struct object_names *n, uint32_t index)
{
    const struct debug_function *f = &n->debug.functions[index];
    uint32_t hash = map_hash((uintptr_t)f->linkage_name), same = MAP_NONE;

    if (n->inlined[index] != CPROF_NONE)
        return n->inlined[index];
    if (f->linkage_name)
        same = map_find(&n->linkage_map, hash, equal_linkage, n->debug.functions, f);
    n->inlined[index] = same == MAP_NONE ? make_inlined(n, f) : n->inlined[same];
    if (f->linkage_name && same == MAP_NONE)
        memory_check(map_add(&n->linkage_map, hash, index));
    return n->inlined[index];
}

/* Makes room for what `debug` has found since, with CPROF_NONE in it. */
static void grow(uint32_t **indices, uint32_t *n, uint32_t wanted, uint32_t room)
{
    if (*n >= wanted)
        return;
    *indices = xreallocarray(*indices, room, sizeof **indices);
    while (*n < room)
        (*indices)[(*n)++] = CPROF_NONE;
}

uint32_t object_names_chain(struct object_names *n, uint64_t address)
{
    uint32_t frame = n->open && n->chains ? debug_frame(&n->debug, address) : DEBUG_NONE;
    uint32_t innermost = frame, last;

    if (frame == DEBUG_NONE)
        return CHAIN_NONE;
    grow(&n->inlined, &n->n_inlined, n->debug.n_functions, n->debug.functions_room);
    grow(&n->frames, &n->n_frames, n->debug.n_frames, n->debug.frames_room);
    /* Frames of a chain that are not known yet, outermost first: each time one less. */
    while (n->frames[innermost] == CHAIN_NONE) {
        const struct debug_frame *f;
        struct inline_chain chain = {.parent = CHAIN_NONE};

        for (last = innermost;; last = f->parent) {
            f = &n->debug.frames[last];
            if (f->parent == DEBUG_NONE)
                break;
            chain.parent = n->frames[f->parent];
            if (chain.parent != CHAIN_NONE)
                break;
        }
        chain.function = inlined_function(n, f->function);
        chain.file = file_index(n, f->file);
        chain.line = f->line;
        n->frames[last] = inline_chains_add(n->chains, &chain);
    }
    return n->frames[innermost];
}

void object_names_open(struct object_names *n, struct builder *b, const struct cprof_object *object,
                       struct inline_chains *chains, const struct function_starts *starts,
                       const uint64_t *expected, size_t n_expected)
{
    *n = (struct object_names){.builder = b,
                               .path = object->path,
                               .build_id = object->build_id,
                               .starts = starts,
                               .unknown = CPROF_NONE,
                               .chains = chains};
    n->object = builder_object(b, object->path, object->build_id);
    n->open = object->path[0] == '/' && elf_file_open(&n->elf, object->path, object->build_id);
    if (!n->open)
        return;
    if (n->elf.dwarf)
        n->lines = line_reader_begin(n->path, n->build_id, &n->debug, expected, n_expected);
    n->n_expected = n->lines ? n_expected : 0;
    eh_frame_load(&n->unwind, &n->elf);
    symbol_table_load(&n->symbols, &n->elf, &n->unwind, starts);
    symbol_table_add_starts(&n->symbols, &n->elf, &n->unwind, starts);
    debug_load(&n->debug, n->elf.dwarf, n->elf.dwz.dwarf);
    n->debug.dwp = n->elf.dwp;
    n->named = xreallocarray(NULL, n->symbols.n, sizeof *n->named);
    for (size_t i = 0; i < n->symbols.n; i++)
        n->named[i] = (struct named_symbol){CPROF_NONE, CPROF_NONE, 0, CPROF_NONE};
    n->unnamed = new_indices(n->unwind.n);
    n->files = xcalloc(FILES_KNOWN, sizeof *n->files);
}

static bool has_kept_names(const struct object_names *n)
{
    for (size_t i = 0; i < n->starts->n; i++)
        if (strcmp(n->starts->items[i].name, UNNAMED) != 0)
            return true;
    return false;
}

static enum name_quality quality_of(const struct object_names *n)
{
    if (!n->open)
        return n->path[0] != '/' ? NAMES_NONE : has_kept_names(n) ? NAMES_KEPT : NAMES_MISSING;
    if (n->elf.dwz_state > DWZ_FOUND)
        return NAMES_DWZ;
    if (n->elf.damaged || n->debug.damaged)
        return NAMES_DAMAGED;
    if (n->debug.missing)
        return NAMES_SPLIT;
    if (n->has_places ? n->has_lines : n->debug.n_units > 0)
        return n->debug.short_names ? NAMES_SHORT : NAMES_LINES;
    return n->symbols.kind == SYMBOLS_FULL      ? NAMES_SYMBOLS
           : n->symbols.kind == SYMBOLS_DYNAMIC ? NAMES_DYNAMIC
                                                : NAMES_NONE;
}

enum name_quality object_names_close(struct object_names *n)
{
    enum name_quality quality;

    if (n->lines)
        n->debug.damaged |= line_reader_debug(n->lines)->damaged;
    quality = quality_of(n);
    if (!n->open)
        return quality;
    free(n->named);
    free(n->unnamed);
    free(n->inlined);
    free(n->files);
    free(n->frames);
    map_release(&n->symbol_map);
    map_release(&n->linkage_map);
    intervals_free(&n->unwind);
    line_reader_free(n->lines);
    debug_free(&n->debug);
    symbol_table_free(&n->symbols);
    elf_file_close(&n->elf);
    return quality;
}
