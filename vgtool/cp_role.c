/*
 * cp_role.c - data structure: the names of allocation functions, by what is left of them without a
 * library's prefix.
 */
#include "cp_role.h"

#include "cp_arch.h"
#include "cp_core.h"
#include "pub_tool_seqmatch.h"

enum { ROLE_OPTIONS = 32 }; /* that a command line may have */

typedef struct {
    const HChar *name;
    Role role;
} KnownRole;

/* Allocation functions of the C library, and their namesakes. */
static const KnownRole plain[] = {
    {"malloc", {.size = 1}},
    {"calloc", {.count = 1, .size = 2}},
    {"realloc", {.old = 1, .size = 2}},
    {"reallocarray", {.old = 1, .count = 2, .size = 3}},
    {"free", {.old = 1}},
    {"cfree", {.old = 1}},
    {"free_sized", {.old = 1}},
    {"free_aligned_sized", {.old = 1}},
    {"memalign", {.size = 2}},
    {"aligned_alloc", {.size = 2}},
    {"posix_memalign", {.place = 1, .size = 3}},
    {"valloc", {.size = 1}},
    {"pvalloc", {.size = 1}},
};

/* Allocation functions that only libraries with a prefix have: jemalloc, mimalloc, tcmalloc. */
static const KnownRole prefixed[] = {
    {"mallocx", {.size = 1}},
    {"rallocx", {.old = 1, .size = 2}},
    {"dallocx", {.old = 1}},
    {"sdallocx", {.old = 1}},
    {"zalloc", {.size = 1}},
    {"malloc_small", {.size = 1}},
    {"zalloc_small", {.size = 1}},
    {"mallocn", {.count = 1, .size = 2}},
    {"reallocn", {.old = 1, .count = 2, .size = 3}},
    {"reallocf", {.old = 1, .size = 2}},
    {"malloc_aligned", {.size = 1}},
    {"zalloc_aligned", {.size = 1}},
    {"calloc_aligned", {.count = 1, .size = 2}},
    {"realloc_aligned", {.old = 1, .size = 2}},
    {"heap_malloc", {.size = 2}},
    {"heap_zalloc", {.size = 2}},
    {"heap_calloc", {.count = 2, .size = 3}},
    {"heap_realloc", {.old = 2, .size = 3}},
    {"free_size", {.old = 1}},
    {"free_aligned", {.old = 1}},
    {"free_size_aligned", {.old = 1}},
    {"new", {.size = 1}},
    {"new_nothrow", {.size = 1}},
    {"new_aligned", {.size = 1}},
    {"new_aligned_nothrow", {.size = 1}},
    {"new_n", {.count = 1, .size = 2}},
    {"newarray", {.size = 1}},
    {"newarray_nothrow", {.size = 1}},
    {"newarray_aligned", {.size = 1}},
    {"newarray_aligned_nothrow", {.size = 1}},
    {"delete", {.old = 1}},
    {"delete_nothrow", {.old = 1}},
    {"delete_sized", {.old = 1}},
    {"delete_aligned", {.old = 1}},
    {"delete_aligned_nothrow", {.old = 1}},
    {"delete_sized_aligned", {.old = 1}},
    {"deletearray", {.old = 1}},
    {"deletearray_nothrow", {.old = 1}},
    {"deletearray_sized", {.old = 1}},
    {"deletearray_aligned", {.old = 1}},
    {"deletearray_aligned_nothrow", {.old = 1}},
    {"deletearray_sized_aligned", {.old = 1}},
};

/* Rust's own symbols, mangled or not. */
static const KnownRole rust[] = {
    {"_alloc", {.size = 1, .is_wrapper = True}},
    {"_alloc_zeroed", {.size = 1, .is_wrapper = True}},
    {"_dealloc", {.old = 1, .is_wrapper = True}},
    {"_realloc", {.old = 1, .size = 4, .is_wrapper = True}},
};

/* C++: operator new takes the size, operator delete the address, whatever follows. */
static const Role operator_new = {.size = 1, .is_wrapper = True};
static const Role operator_delete = {.old = 1, .is_wrapper = True};

#define COUNT(array) (sizeof array / sizeof *array)

/* Compares a symbol, of which a version ("malloc@@GLIBC_2.2.5") is left out. */
static Bool is_called(const HChar *symbol, const HChar *name)
{
    SizeT n = VG_(strlen)(name);

    return !VG_(strncmp)(symbol, name, n) && (!symbol[n] || symbol[n] == '@');
}

static const Role *find(const KnownRole *roles, SizeT n, const HChar *symbol)
{
    for (SizeT i = 0; i < n; i++)
        if (symbol[0] == roles[i].name[0] && is_called(symbol, roles[i].name))
            return &roles[i].role;
    return NULL;
}

static Bool starts(const HChar *text, const HChar *with)
{
    return !VG_(strncmp)(text, with, VG_(strlen)(with));
}

/* "_RNvCshash_7___rustc12___rust_alloc", "__rust_alloc", "__rdl_alloc", "__rg_alloc". */
static const Role *rust_role(const HChar *symbol)
{
    static const HChar *const families[] = {"__rust", "__rdl", "__rg"};
    const HChar *of_std = starts(symbol, "_RNvC") ? VG_(strstr)(symbol, "7___rustc") : NULL;
    const HChar *name = of_std ? of_std + 9 : symbol;

    if (of_std) {
        while (*name >= '0' && *name <= '9')
            name++;
        name += *name == '_'; /* which separates the length from a name that begins with one */
    }
    for (UInt i = 0; i < COUNT(families); i++)
        if (starts(name, families[i]))
            return find(rust, COUNT(rust), name + VG_(strlen)(families[i]));
    return NULL;
}

static const Role *prefixed_role(const HChar *symbol)
{
    static const HChar *const prefixes[] = {"je_", "_rjem_", "mi_", "tc_", "__libc_"};

    for (UInt i = 0; i < COUNT(prefixes); i++)
        if (starts(symbol, prefixes[i])) {
            const HChar *name = symbol + VG_(strlen)(prefixes[i]);
            const Role *role = find(plain, COUNT(plain), name);
            return role ? role : find(prefixed, COUNT(prefixed), name);
        }
    return NULL;
}

/* A program may have a function of its own that is called free; one that only its own file can call
 * is that. */
const Role *cp_role_of(const HChar *symbol, Bool is_global)
{
    const Role *role;

    switch (symbol[0]) {
    case '_':
        if (starts(symbol, "_Znwm") || starts(symbol, "_Znam"))
            return &operator_new;
        if (starts(symbol, "_ZdlPv") || starts(symbol, "_ZdaPv"))
            return &operator_delete;
        role = rust_role(symbol);
        return role ? role : prefixed_role(symbol);
    case 'j':
    case 't':
        return prefixed_role(symbol);
    case 'm':
        role = prefixed_role(symbol);
        if (role)
            return role;
        break;
    default:
        break;
    }
    return is_global ? find(plain, COUNT(plain), symbol) : NULL;
}

/*--- Options ---*/

typedef struct {
    const HChar *text, *pattern;
    Role role;
    UInt n_functions; /* that ran and match */
} RoleOption;

static RoleOption options[ROLE_OPTIONS];
static UInt n_options;

/* Reads "name=N", or "name" alone, which is N = 1, up to a colon or the end. NULL: it is none. */
static const HChar *read_argument(const HChar *at, const HChar *name, UChar *number)
{
    SizeT n = VG_(strlen)(name);

    if (VG_(strncmp)(at, name, n))
        return NULL;
    at += n;
    *number = 1;
    if (*at == '=') {
        if (at[1] < '1' || at[1] > '0' + CP_ARGUMENTS)
            return NULL;
        *number = (UChar)(at[1] - '0');
        at += 2;
    }
    return *at == ':' || !*at ? at : NULL;
}

/* Reads what stands behind the name. */
static Bool read_role(const HChar *at, Role *role)
{
    UChar freed = 0;

    while (*at == ':') {
        const HChar *next = read_argument(at + 1, "size", &role->size);
        if (!next)
            next = read_argument(at + 1, "ptr", &role->old);
        if (!next)
            next = read_argument(at + 1, "free", &freed);
        if (!next)
            return False;
        at = next;
    }
    if (freed && (role->size || role->old))
        return False;
    if (role->old && (!role->size || role->size == role->old))
        return False;
    if (freed)
        role->old = freed;
    else if (!role->size)
        role->size = 1;
    return True;
}

const HChar *cp_role_option(const HChar *text)
{
    RoleOption *o = &options[n_options];
    HChar *name;
    SizeT n = 0;

    /* A name may have colons itself: "pool::get". */
    while (text[n] && (text[n] != ':' || text[n + 1] == ':' || (n && text[n - 1] == ':')))
        n++;
    if (n_options == ROLE_OPTIONS)
        return "there are 32 already";
    *o = (RoleOption){.text = VG_(strdup)("cp.role.1", text), .role = {.is_pool = True}};
    if (!n || !read_role(text + n, &o->role))
        return "it takes NAME, NAME:size=N, NAME:size=N:ptr=N or NAME:free=N; N is 1 "
               "to " VG_STRINGIFY(CP_ARGUMENTS);
    name = VG_(strdup)("cp.role.2", text);
    name[n] = 0;
    o->pattern = name;
    n_options++;
    return NULL;
}

/*--- Chosen functions ---*/

typedef struct {
    Addr start;
    const Role *role;
} ChosenRole;

static ChosenRole *chosen;
static UInt n_chosen;

void cp_role_choose(Addr start, const Role *role)
{
    chosen = VG_(realloc)("cp.role.3", chosen, (n_chosen + 1) * sizeof *chosen);
    chosen[n_chosen++] = (ChosenRole){start, role};
}

const Role *cp_role_named(Addr start)
{
    const Role *found = NULL;

    for (UInt i = 0; i < n_chosen; i++)
        if (chosen[i].start == start)
            found = chosen[i].role;
    for (UInt i = 0; i < n_options; i++)
        if (cp_pattern_matches(options[i].pattern, start)) {
            options[i].n_functions++;
            found = &options[i].role;
        }
    return found;
}

UInt cp_role_option_count(void)
{
    return n_options;
}

const HChar *cp_role_option_at(UInt i, UInt *n_functions)
{
    *n_functions = options[i].n_functions;
    return options[i].text;
}

/*--- Patterns ---*/

enum { VERSIONED = 256 }; /* bytes of a name with a version; longer ones are compared with it */

/* Compares a name, with its version ("memcpy@@GLIBC_2.14") and without. */
static Bool matches(const HChar *pattern, const HChar *name)
{
    const HChar *at = VG_(strchr)(name, '@');
    HChar unversioned[VERSIONED];

    if (VG_(string_match)(pattern, name))
        return True;
    if (!at || at - name >= VERSIONED)
        return False;
    VG_(memcpy)(unversioned, name, (SizeT)(at - name));
    unversioned[at - name] = 0;
    return VG_(string_match)(pattern, unversioned);
}

Bool cp_pattern_matches(const HChar *pattern, Addr start)
{
    DiEpoch now = VG_(current_DiEpoch)();
    const HChar *name;

    /* The second call makes the first one's answer invalid. */
    return (VG_(get_fnname)(now, start, &name) && matches(pattern, name)) ||
           (VG_(get_fnname_raw)(now, start, &name) && matches(pattern, name));
}
