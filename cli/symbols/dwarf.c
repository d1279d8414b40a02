#include <config.h>

#include "symbols/dwarf.h"

#include "base/array.h"
#include "base/strbuf.h"
#include "symbols/elf_file.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* The value of a frame in intervals. Intervals prefer the lower value of equal ranges; inner
 * frames, which have higher indices, get lower values. */
static inline uint32_t frame_value(uint32_t frame)
{
    return INTERVAL_NONE - 1 - frame;
}

/* Ranges of one list of intervals: units may share a list of any length. */
enum { RANGES_MAX = 1 << 22 };

/* Code that the linker dropped keeps a range that begins at 0 or 1 (ld), or wraps around (lld): no
 * code is there. */
static bool debug_add_ranges(struct intervals *list, Dwarf_Die *die, uint32_t value)
{
    Dwarf_Addr base = 0, start, end;
    ptrdiff_t offset = 0;
    bool any = false;

    while (list->n < RANGES_MAX && (offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0) {
        any = true;
        if (start > 1)
            intervals_add(list, start, end, value);
    }
    /* An address that is not in .debug_addr counts as none. */
    return offset >= 0 &&
           (any || !dwarf_hasattr(die, DW_AT_low_pc) || dwarf_lowpc(die, &start) == 0);
}

/* The text of attribute `name` of `die`, or of what it is a copy of; NULL where it has none or,
 * with `*damaged` set, where that cannot be read. */
static const char *debug_string(Dwarf_Die *die, unsigned name, bool *damaged)
{
    Dwarf_Attribute attribute;
    const char *text;

    if (!dwarf_attr_integrate(die, name, &attribute))
        return NULL;
    text = dwarf_formstring(&attribute);
    *damaged |= !text;
    return text;
}

static void read_lines(struct debug_info *d, struct unit *u)
{
    if (!u->has_lines && dwarf_getsrclines(&u->die, &u->lines, &u->n_lines) != 0) {
        d->damaged |= dwarf_hasattr(&u->die, DW_AT_stmt_list);
        u->n_lines = 0;
    }
    u->has_lines = true;
}

/* Adds the pieces of code that the line table of unit `index` is about. */
static void add_line_ranges(struct debug_info *d, uint32_t index)
{
    struct unit *u = &d->units[index];
    Dwarf_Addr start = 0, address = 0;
    bool begun = false, ends;

    read_lines(d, u);
    for (size_t i = 0; i < u->n_lines; i++) {
        Dwarf_Line *row = dwarf_onesrcline(u->lines, i);

        if (dwarf_lineaddr(row, &address) != 0 || dwarf_lineendsequence(row, &ends) != 0)
            return;
        if (ends && begun && start > 1)
            intervals_add(&d->ranges, start, address, index);
        if (!begun)
            start = address;
        begun = !ends;
    }
}

/* DWARF 2 cannot say that a unit's code is in several pieces: compilers then give one of them, or
 * none. yasm never gives any. The line table has them all. */
static void add_unit_ranges(struct debug_info *d, Dwarf_Half version)
{
    uint32_t last = (uint32_t)d->n_units - 1;
    size_t before = d->ranges.n;

    d->damaged |= !debug_add_ranges(&d->ranges, &d->units[last].die, last);
    if (version <= 2 || d->ranges.n == before)
        add_line_ranges(d, last);
}

static void add_unit(struct debug_info *d, Dwarf_Die *die, Dwarf_Die *body, uint8_t type)
{
    bool split = type == DW_UT_skeleton;
    bool found = split && dwarf_tag(body) > 0;

    GROW(d->units, d->n_units, d->units_room);
    if (map_add(&d->unit_map, map_hash((uintptr_t)die->cu), (uint32_t)d->n_units) != 0 ||
        (found && map_add(&d->unit_map, map_hash((uintptr_t)body->cu), (uint32_t)d->n_units) != 0))
        memory_die();
    d->units[d->n_units++] =
        (struct unit){.die = *die, .body = found ? *body : *die, .incomplete = split && !found};
}

/* Where the unit of `die` in .debug_info says that it ends; libdw lets it end with the section. */
static uint64_t stated_end(Dwarf_Die *die)
{
    Dwarf_Off within = dwarf_cuoffset(die);
    const unsigned char *header = (const unsigned char *)die->addr - within;
    Dwarf_Off start = dwarf_dieoffset(die) - within;
    uint32_t size;
    uint64_t long_size;

    memcpy(&size, header, sizeof size);
    if (size != UINT32_MAX) /* what stands before the size of 64-bit DWARF */
        return start + sizeof size + size;
    memcpy(&long_size, header + sizeof size, sizeof long_size);
    return start + sizeof size + sizeof long_size + long_size;
}

/* Tells whether the last unit, which ends at `end`, is the last thing in .debug_info. */
static bool is_whole(Dwarf *dwarf, uint64_t end)
{
    GElf_Shdr header;

    return !elf_file_section(dwarf_getelf(dwarf), ".debug_info", &header) || header.sh_size == end;
}

/* The units of one file. */
static void load_units(struct debug_info *d, Dwarf *dwarf)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Die die, body;
    Dwarf_Half version;
    uint64_t end = 0;
    uint8_t type;
    int result;

    while ((result = dwarf_get_units(dwarf, cu, &cu, &version, &type, &die, &body)) == 0) {
        bool is_type = type == DW_UT_type || type == DW_UT_split_type;
        bool is_valid = dwarf_tag(&die) != DW_TAG_invalid;

        if (!is_type)
            add_unit(d, &die, &body, type);
        if (!is_type && is_valid && type != DW_UT_partial)
            add_unit_ranges(d, version);
        d->damaged |= !is_type && !is_valid;
        /* Types of DWARF 4 are in a section of their own. */
        if ((!is_type || version >= 5) && is_valid)
            end = stated_end(&die);
    }
    d->damaged |= result < 0 || !is_whole(dwarf, end);
}

void debug_load(struct debug_info *d, Dwarf *dwarf, Dwarf *dwz)
{
    *d = (struct debug_info){.n_units = 0};
    if (dwarf)
        load_units(d, dwarf);
    if (dwarf && dwz)
        load_units(d, dwz);
    intervals_flatten(&d->ranges);
}

static int equal_unit(const void *owner, uint32_t index, const void *key)
{
    const struct unit *u = (const struct unit *)owner + index;

    return u->die.cu == key || u->body.cu == key;
}

/* The unit that has `cu`; `likely` is looked at first. NULL: in another file. */
static struct unit *debug_unit_of(struct debug_info *d, struct unit *likely,
                                  const struct Dwarf_CU *cu)
{
    uint32_t i;

    if (likely->body.cu == cu || likely->die.cu == cu)
        return likely;
    i = map_find(&d->unit_map, map_hash((uintptr_t)cu), equal_unit, d->units, cu);
    return i == MAP_NONE ? NULL : &d->units[i];
}

/* Callers ask for one path many times in a row, and a unit has some hundred. */
static const char *debug_join(struct unit *u, const char *path)
{
    const char *slash;

    if (!path || path[0] == '/')
        return path;
    if (!u->folder)
        u->folder = debug_string(&u->die, DW_AT_comp_dir, &u->damaged);
    if (!u->folder || !u->folder[0])
        return path;
    if (u->last_joined < u->n_joined && u->joined[u->last_joined].from == path)
        return u->joined[u->last_joined].to;
    for (size_t i = 0; i < u->n_joined; i++)
        if (u->joined[i].from == path)
            return u->joined[u->last_joined = i].to;
    slash = u->folder[strlen(u->folder) - 1] == '/' ? "" : "/";
    GROW(u->joined, u->n_joined, u->joined_room);
    u->joined[u->n_joined] = (struct joined){path, xasprintf("%s%s%s", u->folder, slash, path)};
    u->last_joined = u->n_joined++;
    return u->joined[u->last_joined].to;
}

static void read_files(struct unit *u)
{
    if (u->has_files)
        return;
    u->has_files = true;
    /* A unit that was split off may have a table of its own, or count in the skeleton's. */
    if (dwarf_getsrcfiles(&u->body, &u->files, &u->n_files) != 0 &&
        dwarf_getsrcfiles(&u->die, &u->files, &u->n_files) != 0)
        u->n_files = 0;
}

/* The path of file number `index`, as DIEs of the unit count, or NULL. */
static const char *debug_file(struct unit *u, Dwarf_Word index)
{
    read_files(u);
    return index < u->n_files ? debug_join(u, dwarf_filesrc(u->files, index, NULL, NULL)) : NULL;
}

/* The name of the file that a unit was split off to, or NULL. */
static const char *split_name(Dwarf_Die *die)
{
    Dwarf_Attribute a;

    return dwarf_attr(die, DW_AT_dwo_name, &a) || dwarf_attr(die, DW_AT_GNU_dwo_name, &a)
               ? dwarf_formstring(&a)
               : NULL;
}

static struct unit *unit_at(struct debug_info *d, uint64_t address)
{
    uint32_t i = intervals_find_near(&d->ranges, address, &d->hint);

    return i == INTERVAL_NONE ? NULL : &d->units[i];
}

uint32_t debug_new_files(struct debug_info *d, uint64_t address)
{
    struct unit *u = unit_at(d, address);

    if (!u || u->has_files)
        return DEBUG_NONE;
    read_files(u);
    return (uint32_t)(u - d->units);
}

void debug_take_files(struct debug_info *d, const struct debug_info *from, uint32_t unit)
{
    struct unit *u = &d->units[unit];

    if (d->n_units != from->n_units || u->has_files)
        return;
    u->has_files = true;
    u->files = from->units[unit].files;
    u->n_files = from->units[unit].n_files;
}

/*--- Entries ---*/

/* Walks over the trees of DIEs: functions, scopes and inlined frames of a unit. Each walk only ever
 * goes forward in the file: a hostile DW_AT_sibling may point anywhere, and could make it take for
 * ever. */

enum {
    SCOPES_MAX = 64,   /* functions are nested in scopes no deeper than this */
    FRAMES_MAX = 10000 /* inlined functions and blocks; each takes some 300 bytes of the stack */
};

/*
 * Goes on from `die` to the next DIE that is not below it. `end` is the end of all that is below
 * it, 0 where that is not known. Returns false after the last, with `*end` where the list ends.
 *
 * LLVM writes no DW_AT_sibling: dwarf_siblingof() then reads all that is below, which a walk has
 * done already, on each level again. At the end of a list it says where that is in its result: at
 * the 0 that ends it.
 */
static bool go_on(struct unit *u, Dwarf_Die *die, Dwarf_Off *end)
{
    Dwarf_Die next = {.addr = NULL};
    int result;

    if (*end && dwarf_offdie(dwarf_cu_getdwarf(die->cu), *end, &next) && next.cu == die->cu) {
        bool is_last = dwarf_tag(&next) == DW_TAG_invalid;

        u->damaged |= is_last && *(const unsigned char *)next.addr != 0;
        *end = is_last ? *end + 1 : 0;
        *die = next;
        return !is_last;
    }
    *end = 0;
    result = dwarf_siblingof(die, &next);
    if (result == 1 && next.addr && *(const unsigned char *)next.addr == 0)
        *end = dwarf_dieoffset(die) +
               (Dwarf_Off)((const char *)next.addr - (const char *)die->addr) + 1;
    if (result == 0)
        *die = next;
    u->damaged |= result < 0;
    return result == 0;
}

static bool has_child(struct unit *u, Dwarf_Die *parent, Dwarf_Die *child)
{
    int result = dwarf_child(parent, child);

    u->damaged |= result < 0;
    return result == 0;
}

/* Functions and scopes */

static void add_body(struct unit *u, Dwarf_Die *die)
{
    size_t before = u->ranges.n;

    u->damaged |= !debug_add_ranges(&u->ranges, die, (uint32_t)u->n_bodies);
    if (u->ranges.n == before)
        return; /* a declaration, or only ever inlined */
    APPEND(u->bodies, u->n_bodies, u->bodies_room) = (struct debug_body){.die = *die};
}

static uint32_t add_scope(struct unit *u, Dwarf_Die *die, uint32_t parent)
{
    APPEND(u->scopes, u->n_scopes, u->scopes_room) =
        (struct scope){dwarf_dieoffset(die), UINT64_MAX, parent, *die};
    return (uint32_t)u->n_scopes - 1;
}

/* Tells whether the names in a DIE have it in their path: C++ and Rust nest functions in types and
 * namespaces. */
static bool is_scope(int tag)
{
    switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_enumeration_type:
        return true;
    default:
        return false;
    }
}

struct function_walk {
    struct unit *unit;
    Dwarf_Off last; /* the last DIE so far */
};

/* Notes every function and scope below `parent`, which is in `scope`. gcc nests functions in
 * functions and blocks, too. Returns where what is below ends, 0: not known. */
static Dwarf_Off walk_functions(struct function_walk *w, Dwarf_Die *parent, uint32_t scope,
                                unsigned depth)
{
    struct unit *u = w->unit;
    size_t open = u->n_scopes; /* the first scope in the DIE before the next one here */
    Dwarf_Off end = 0;
    Dwarf_Die die;

    if (depth > SCOPES_MAX || !has_child(u, parent, &die))
        return 0;
    do {
        int tag = dwarf_tag(&die);
        Dwarf_Off offset = dwarf_dieoffset(&die);

        if (offset <= w->last) {
            u->damaged = true;
            return 0;
        }
        w->last = offset;
        for (; open < u->n_scopes; open++)
            if (u->scopes[open].end > offset)
                u->scopes[open].end = offset;
        if (tag == DW_TAG_subprogram)
            add_body(u, &die);
        end = 0;
        if (is_scope(tag))
            end = walk_functions(w, &die, add_scope(u, &die, scope), depth + 1);
        else if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)
            end = walk_functions(w, &die, scope, depth + 1);
    } while (go_on(u, &die, &end));
    return end;
}

static void debug_read_functions(struct unit *u)
{
    struct function_walk w = {u, 0};

    if (u->has_functions)
        return;
    u->has_functions = true;
    (void)walk_functions(&w, &u->body, DEBUG_NONE, 0);
    intervals_flatten(&u->ranges);
}

/*--- Functions ---*/

/* The number of steps from a copy to its origin, or from a definition to its declaration: a file
 * may lead in a circle. libdw's own limit is the same. */
enum { ORIGINS_MAX = 16, PATH_MAX_SIZE = 1 << 14 };

static bool follow(struct debug_info *d, Dwarf_Die *die, unsigned attribute, Dwarf_Die *to)
{
    Dwarf_Attribute a;

    if (!dwarf_attr(die, attribute, &a))
        return false;
    if (dwarf_formref_die(&a, to))
        return true;
    d->damaged = true;
    return false;
}

/* The last of the declarations that `die` leads to. */
static Dwarf_Die declaration_of(struct debug_info *d, const Dwarf_Die *die)
{
    Dwarf_Die declaration = *die, next;

    for (int i = 0; i < ORIGINS_MAX && follow(d, &declaration, DW_AT_specification, &next); i++)
        declaration = next;
    return declaration;
}

static bool begins_before(const void *scope, const void *offset)
{
    return ((const struct scope *)scope)->start < *(const Dwarf_Off *)offset;
}

/* The innermost scope of the unit that the DIE at `offset` is in; DEBUG_NONE: the unit itself. */
static uint32_t scope_at(const struct unit *u, Dwarf_Off offset)
{
    size_t n = lower_bound(u->scopes, u->n_scopes, sizeof *u->scopes, begins_before, &offset);
    uint32_t innermost;

    if (n == 0)
        return DEBUG_NONE;
    /* The last that begins before it; but it, or one around it, may end before it too. */
    innermost = (uint32_t)n - 1;
    for (uint32_t s = innermost; s != DEBUG_NONE; s = u->scopes[s].parent)
        if (u->scopes[s].end <= offset)
            innermost = u->scopes[s].parent;
    return innermost;
}

static const char *scope_name(struct scope *s)
{
    const char *name = dwarf_diename(&s->die);

    if (name && *name)
        return name;
    return dwarf_tag(&s->die) == DW_TAG_namespace ? "(anonymous namespace)" : "(anonymous)";
}

/* Writes "a::b::" for scope `s`; `size` bytes follow. A path that gets too long loses its outermost
 * scopes. */
static void put_scopes(struct strbuf *path, struct unit *u, uint32_t s, size_t size)
{
    const char *name;

    if (s == DEBUG_NONE)
        return;
    name = scope_name(&u->scopes[s]);
    size += strlen(name) + 2;
    if (size <= PATH_MAX_SIZE)
        put_scopes(path, u, u->scopes[s].parent, size);
    strbuf_add(path, name);
    strbuf_add(path, "::");
}

/* "a::b::name", for the caller to free. */
static char *path_of(struct debug_info *d, struct unit *u, Dwarf_Die *declaration, const char *name,
                     bool *has_scopes)
{
    struct strbuf path = {.text = NULL};

    u = debug_unit_of(d, u, declaration->cu);
    *has_scopes = false;
    if (u) {
        uint32_t scope;

        debug_read_functions(u);
        scope = scope_at(u, dwarf_dieoffset(declaration));
        *has_scopes = scope != DEBUG_NONE;
        put_scopes(&path, u, scope, strlen(name));
    }
    strbuf_add(&path, name);
    return strbuf_take(&path);
}

bool debug_scope(struct debug_info *d, Dwarf_Die *die, Dwarf_Die *scope)
{
    Dwarf_Die declaration = declaration_of(d, die);
    struct unit *u = d->n_units ? debug_unit_of(d, d->units, declaration.cu) : NULL;
    uint32_t s;

    if (!u)
        return false;
    debug_read_functions(u);
    s = scope_at(u, dwarf_dieoffset(&declaration));
    if (s != DEBUG_NONE)
        *scope = u->scopes[s].die;
    return s != DEBUG_NONE;
}

char *debug_path(struct debug_info *d, Dwarf_Die *die, const char *name)
{
    Dwarf_Die declaration = declaration_of(d, die);
    bool has_scopes;

    return d->n_units ? path_of(d, d->units, &declaration, name, &has_scopes) : xstrdup(name);
}

static bool is_rust(Dwarf_Die *die)
{
    Dwarf_Die unit;

    return dwarf_diecu(die, &unit, NULL, NULL) && dwarf_srclang(&unit) == DW_LANG_Rust;
}

/* The file that declares it, by the table of the unit that says so. dwarf_decl_file() would do, but
 * ends the program where that table is broken or missing. */
static const char *declared_in(struct debug_info *d, struct unit *u, Dwarf_Die *die)
{
    Dwarf_Attribute a;
    Dwarf_Word index;

    if (!dwarf_attr_integrate(die, DW_AT_decl_file, &a) || dwarf_formudata(&a, &index) != 0)
        return NULL;
    u = debug_unit_of(d, u, a.cu);
    return u ? debug_file(u, index) : NULL;
}

static uint32_t declared_at(Dwarf_Die *die)
{
    int line = 0;

    return dwarf_decl_line(die, &line) == 0 && line > 0 ? (uint32_t)line : 0;
}

/* Finds the declaration of the scope that a function is in: gcc gives a place for a lambda's type
 * and none for its function. */
static void find_scope_place(struct debug_info *d, struct unit *u, Dwarf_Die *die,
                             struct debug_function *f)
{
    Dwarf_Die declaration = declaration_of(d, die);

    u = debug_unit_of(d, u, declaration.cu);
    if (!u)
        return;
    debug_read_functions(u);
    for (uint32_t s = scope_at(u, dwarf_dieoffset(&declaration)); s != DEBUG_NONE && !f->file;
         s = u->scopes[s].parent) {
        f->file = declared_in(d, u, &u->scopes[s].die);
        f->line = f->file ? declared_at(&u->scopes[s].die) : 0;
    }
}

static void describe(struct debug_info *d, struct unit *u, Dwarf_Die *die, struct debug_function *f)
{
    bool has_scopes;

    f->linkage_name = debug_string(die, DW_AT_linkage_name, &d->damaged);
    if (!f->linkage_name)
        f->linkage_name = debug_string(die, DW_AT_MIPS_linkage_name, &d->damaged);
    f->name = debug_string(die, DW_AT_name, &d->damaged);
    f->file = declared_in(d, u, die);
    f->line = declared_at(die);
    if (!f->file && !is_rust(die))
        find_scope_place(d, u, die, f);
    if (!f->linkage_name && f->name) {
        Dwarf_Die declaration = declaration_of(d, die);

        f->path = path_of(d, u, &declaration, f->name, &has_scopes);
        f->short_name = !has_scopes && is_rust(die);
    }
}

static int equal_key(const void *owner, uint32_t index, const void *key)
{
    return ((const struct debug_function *)owner)[index].key == key;
}

static uint32_t add_function(struct debug_info *d, struct unit *u, Dwarf_Die *die)
{
    uint32_t hash = map_hash((uintptr_t)die->addr);

    GROW(d->functions, d->n_functions, d->functions_room);
    d->functions[d->n_functions] = (struct debug_function){.key = die->addr, .die = *die};
    describe(d, u, die, &d->functions[d->n_functions]);
    memory_check(map_add(&d->function_map, hash, d->n_functions));
    return d->n_functions++;
}

/* The function that `die`, of unit `u`, is a copy of, as an index; DEBUG_NONE: it has no name. */
static uint32_t debug_describe(struct debug_info *d, struct unit *u, Dwarf_Die *die)
{
    Dwarf_Die origin = *die, next;
    uint32_t i = MAP_NONE;

    /* Most copies lead straight to a known function, which is not read again. */
    for (int n = 0; n <= ORIGINS_MAX; n++) {
        i = map_find(&d->function_map, map_hash((uintptr_t)origin.addr), equal_key, d->functions,
                     origin.addr);
        if (i != MAP_NONE || n == ORIGINS_MAX || !follow(d, &origin, DW_AT_abstract_origin, &next))
            break;
        origin = next;
    }
    if (i == MAP_NONE)
        i = add_function(d, u, &origin);
    d->short_names |= d->functions[i].short_name;
    return d->functions[i].linkage_name || d->functions[i].name ? i : DEBUG_NONE;
}

/*--- Frames ---*/

struct frame_walk {
    struct debug_info *debug;
    struct unit *unit;
    struct debug_body *body;
    Dwarf_Off last;
};

/* The attributes of an inlined function that are used, read in one go; code 0: it has none. */
struct frame_attributes {
    Dwarf_Attribute low, high, ranges, entry, origin, file, line;
};

static int note_attribute(Dwarf_Attribute *attribute, void *to)
{
    struct frame_attributes *f = to;

    switch (dwarf_whatattr(attribute)) {
    case DW_AT_low_pc:
        f->low = *attribute;
        break;
    case DW_AT_high_pc:
        f->high = *attribute;
        break;
    case DW_AT_ranges:
        f->ranges = *attribute;
        break;
    case DW_AT_entry_pc:
        f->entry = *attribute;
        break;
    case DW_AT_abstract_origin:
        f->origin = *attribute;
        break;
    case DW_AT_call_file:
        f->file = *attribute;
        break;
    case DW_AT_call_line:
        f->line = *attribute;
        break;
    }
    return DWARF_CB_OK;
}

static const char *call_file(struct unit *u, Dwarf_Attribute *file)
{
    Dwarf_Word index;

    return file->code && dwarf_formudata(file, &index) == 0 ? debug_file(u, index) : NULL;
}

static uint32_t call_line(Dwarf_Attribute *line)
{
    Dwarf_Word number;

    return line->code && dwarf_formudata(line, &number) == 0 && number <= INT32_MAX
               ? (uint32_t)number
               : 0;
}

/* The function that `die` is a copy of, as an index. */
static uint32_t inlined_function(struct frame_walk *w, Dwarf_Die *die, Dwarf_Attribute *origin)
{
    Dwarf_Die from;

    if (!origin->code)
        return debug_describe(w->debug, w->unit, die);
    return dwarf_formref_die(origin, &from) ? debug_describe(w->debug, w->unit, &from) : DEBUG_NONE;
}

/* The addresses of a frame, mostly one range. Returns false where they cannot be read. */
static bool add_frame_ranges(struct intervals *list, Dwarf_Die *die, struct frame_attributes *f,
                             uint32_t value)
{
    Dwarf_Addr start, end;
    Dwarf_Word size;

    if (f->ranges.code || !f->low.code || !f->high.code)
        return debug_add_ranges(list, die, value);
    if (dwarf_formaddr(&f->low, &start) != 0)
        return false;
    /* The end, or how far it is. */
    if (dwarf_formaddr(&f->high, &end) != 0) {
        if (dwarf_formudata(&f->high, &size) != 0)
            return false;
        end = start + size;
    }
    if (start > 1)
        intervals_add(list, start, end, value);
    return true;
}

/* The beginning of the one range of `die`; 0: it has several, or none. */
static uint64_t single_range(Dwarf_Die *die)
{
    Dwarf_Addr base = 0, start, end, first = 0;
    ptrdiff_t offset = 0;
    unsigned n = 0;

    while (n < 2 && (offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0)
        if (!n++)
            first = start;
    return n == 1 ? first : 0;
}

/* The first instruction of a frame: the one that is given, by its address or by how far it is from
 * the lowest one, or that of a frame in one piece. 0: not known. */
static uint64_t frame_entry(Dwarf_Die *die, struct frame_attributes *f)
{
    Dwarf_Addr entry, low;
    Dwarf_Word distance;

    if (f->entry.code && dwarf_formaddr(&f->entry, &entry) == 0)
        return entry;
    if (f->entry.code && dwarf_formudata(&f->entry, &distance) == 0 && dwarf_lowpc(die, &low) == 0)
        return low + distance;
    return single_range(die);
}

/* The frame that `die` is; `parent` where its function has no name. */
static uint32_t add_frame(struct frame_walk *w, Dwarf_Die *die, uint32_t parent)
{
    struct debug_info *d = w->debug;
    struct frame_attributes f = {.low = {.code = 0}};
    uint32_t function;

    w->unit->damaged |= dwarf_getattrs(die, note_attribute, &f, 0) != 1;
    function = inlined_function(w, die, &f.origin);
    if (function == DEBUG_NONE) {
        w->unit->damaged = true; /* who was inlined has a name */
        return parent;
    }
    GROW(d->frames, d->n_frames, d->frames_room);
    d->frames[d->n_frames] = (struct debug_frame){parent, function, call_file(w->unit, &f.file),
                                                  call_line(&f.line), frame_entry(die, &f)};
    w->unit->damaged |= !add_frame_ranges(&w->body->frames, die, &f, frame_value(d->n_frames));
    return d->n_frames++;
}

static bool is_block(int tag)
{
    switch (tag) {
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_with_stmt:
        return true;
    default:
        return false;
    }
}

/* Notes all that was inlined below `parent_die`, which is part of the frame `parent`. Returns where
 * that ends, as walk_functions() does. */
static Dwarf_Off walk_frames(struct frame_walk *w, Dwarf_Die *parent_die, uint32_t parent,
                             unsigned depth)
{
    Dwarf_Off end = 0;
    Dwarf_Die die;

    if (!has_child(w->unit, parent_die, &die))
        return 0;
    if (depth > FRAMES_MAX) {
        w->unit->damaged = true;
        return 0;
    }
    do {
        int tag = dwarf_tag(&die);
        Dwarf_Off offset = dwarf_dieoffset(&die);

        if (offset <= w->last) {
            w->unit->damaged = true;
            return 0;
        }
        w->last = offset;
        end = 0;
        if (tag == DW_TAG_inlined_subroutine)
            end = walk_frames(w, &die, add_frame(w, &die, parent), depth + 1);
        else if (is_block(tag))
            end = walk_frames(w, &die, parent, depth + 1);
    } while (go_on(w->unit, &die, &end));
    return end;
}

static void debug_read_frames(struct debug_info *d, struct unit *u, struct debug_body *body)
{
    struct frame_walk w = {d, u, body, 0};

    (void)walk_frames(&w, &body->die, DEBUG_NONE, 0);
}

/*--- By address ---*/

/* The function that has `address`, with its unit; NULL: none. */
static struct debug_body *body_at(struct debug_info *d, uint64_t address, struct unit **unit)
{
    struct unit *u = *unit = unit_at(d, address);
    uint32_t i;

    if (!u)
        return NULL;
    if (!u->has_functions) {
        if (u->incomplete && d->dwp && dwp_find(d->dwp, &u->die, &u->body))
            u->incomplete = map_add(&d->unit_map, map_hash((uintptr_t)u->body.cu),
                                    (uint32_t)(u - d->units)) != 0;
        debug_read_functions(u);
        d->damaged |= u->damaged;
        if (u->incomplete && !d->missing)
            d->missing = split_name(&u->die);
    }
    i = intervals_find_near(&u->ranges, address, &u->hint);
    return i == INTERVAL_NONE ? NULL : &u->bodies[i];
}

/* Tells whether row `i` is after `address`; there is none after the last. */
static bool is_after(const struct unit *u, size_t i, uint64_t address)
{
    Dwarf_Addr start = 0;

    return i >= u->n_lines || dwarf_lineaddr(dwarf_onesrcline(u->lines, i), &start) != 0 ||
           start > address;
}

/* The number of rows at or before `address`: mostly that of the address before, or a few more. */
static size_t rows_before(struct unit *u, uint64_t address)
{
    size_t low = 0, high = u->n_lines, hint = u->line_hint;

    if (hint > 0 && !is_after(u, hint - 1, address)) {
        for (size_t end = hint + 4; hint < end; hint++)
            if (is_after(u, hint, address))
                return u->line_hint = hint;
        low = hint;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (is_after(u, middle, address))
            high = middle;
        else
            low = middle + 1;
    }
    return u->line_hint = low;
}

/* The last row at or before `address`: rows of one address override each other in their order. */
static Dwarf_Line *row_at(struct unit *u, uint64_t address)
{
    size_t n = rows_before(u, address);

    return n ? dwarf_onesrcline(u->lines, n - 1) : NULL;
}

bool debug_line(struct debug_info *d, uint64_t address, const char **file, uint32_t *line)
{
    struct unit *u = unit_at(d, address);
    Dwarf_Line *row;
    bool end = true;
    int number = 0;

    if (!u)
        return false;
    read_lines(d, u);
    row = row_at(u, address);
    if (!row || dwarf_lineendsequence(row, &end) != 0 || end)
        return false;
    *file = debug_join(u, dwarf_linesrc(row, NULL, NULL));
    if (dwarf_lineno(row, &number) != 0 || number < 0)
        number = 0;
    *line = (uint32_t)number;
    return *file != NULL;
}

uint32_t debug_function(struct debug_info *d, uint64_t address)
{
    struct unit *u;
    struct debug_body *body = body_at(d, address, &u);

    return body ? debug_describe(d, u, &body->die) : DEBUG_NONE;
}

uint32_t debug_frame(struct debug_info *d, uint64_t address)
{
    struct unit *u;
    struct debug_body *body = body_at(d, address, &u);
    uint32_t value;

    if (!body)
        return DEBUG_NONE;
    if (!body->read) {
        body->read = true;
        debug_read_frames(d, u, body);
        d->damaged |= u->damaged;
        intervals_flatten(&body->frames);
    }
    value = intervals_find_near(&body->frames, address, &body->hint);
    return value == INTERVAL_NONE ? DEBUG_NONE : frame_value(value);
}

static void free_unit(struct unit *u)
{
    for (size_t i = 0; i < u->n_bodies; i++)
        intervals_free(&u->bodies[i].frames);
    for (size_t i = 0; i < u->n_joined; i++)
        free(u->joined[i].to);
    free(u->bodies);
    free(u->scopes);
    free(u->joined);
    intervals_free(&u->ranges);
}

void debug_free(struct debug_info *d)
{
    for (size_t i = 0; i < d->n_units; i++)
        free_unit(&d->units[i]);
    for (uint32_t i = 0; i < d->n_functions; i++)
        free(d->functions[i].path);
    free(d->units);
    free(d->functions);
    free(d->frames);
    map_release(&d->function_map);
    map_release(&d->unit_map);
    intervals_free(&d->ranges);
    *d = (struct debug_info){.n_units = 0};
}
