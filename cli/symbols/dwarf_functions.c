#include <config.h>

/* Functions as DWARF describes them: names with their scopes, files and lines. */
#include "base/array.h"
#include "base/strbuf.h"
#include "symbols/dwarf_private.h"

#include <dwarf.h>
#include <string.h>

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
    if (map_add(&d->function_map, hash, d->n_functions) != 0)
        memory_die();
    return d->n_functions++;
}

uint32_t debug_describe(struct debug_info *d, struct unit *u, Dwarf_Die *die)
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
