#include <config.h>

#include "names/purpose.h"

#include "base/memory.h"
#include "base/words.h"
#include "names/object_name.h"

#include <stdlib.h>
#include <string.h>

/* A purpose is not left for one of lower rank. */
static const struct {
    const char *name;
    unsigned rank;
} kinds[PURPOSES] = {
    [PURPOSE_NONE] = {"", 0},
    [PURPOSE_ITERATORS] = {"iterators", 1},
    [PURPOSE_COMPARING] = {"comparing", 2},
    [PURPOSE_COPYING] = {"copying", 2},
    [PURPOSE_UTF8] = {"UTF-8", 2},
    [PURPOSE_HASHING] = {"hashing (SipHash)", 3},
    [PURPOSE_HASH_TABLES] = {"hash tables", 3},
    [PURPOSE_BTREES] = {"trees", 3},
    [PURPOSE_FORMATTING] = {"formatting (core::fmt)", 3},
    [PURPOSE_PRINTF] = {"formatting (printf)", 3},
    [PURPOSE_PARSING] = {"parsing numbers", 2},
    [PURPOSE_SORTING] = {"sorting", 3},
    [PURPOSE_OUTPUT] = {"input and output (std::io)", 3},
    [PURPOSE_FILLING] = {"filling", 3},
    [PURPOSE_ALLOCATION] = {"allocation", 3},
    [PURPOSE_LINKING] = {"dynamic linking", 4},
};

struct pattern {
    const char *text;
    enum purpose purpose;
};

/* Modules of Rust's standard library, and of what it is built from, and beginnings of names, where
 * a file has more than one purpose. */
static const struct pattern modules[] = {
    {"core::iter", PURPOSE_ITERATORS},
    {"core::slice::iter", PURPOSE_ITERATORS},
    {"core::str::iter", PURPOSE_ITERATORS},
    {"core::array::iter", PURPOSE_ITERATORS},
    {"alloc::vec::into_iter", PURPOSE_ITERATORS},
    {"alloc::vec::drain", PURPOSE_ITERATORS},
    {"alloc::vec::in_place_collect", PURPOSE_ITERATORS},
    {"alloc::vec::source_iter_marker", PURPOSE_ITERATORS},
    {"alloc::vec::spec_extend", PURPOSE_ITERATORS},
    {"alloc::vec::spec_from_iter", PURPOSE_ITERATORS},
    {"alloc::vec::spec_from_iter_nested", PURPOSE_ITERATORS},
    {"core::cmp", PURPOSE_COMPARING},
    {"core::slice::cmp", PURPOSE_COMPARING},
    {"core::str::traits", PURPOSE_COMPARING},
    {"core::array::equality", PURPOSE_COMPARING},
    {"core::ptr::copy", PURPOSE_COPYING},
    {"core::intrinsics::copy", PURPOSE_COPYING},
    {"core::ptr::write_bytes", PURPOSE_FILLING},
    {"core::intrinsics::write_bytes", PURPOSE_FILLING},
    {"core::str::validations", PURPOSE_UTF8},
    {"core::str::converts", PURPOSE_UTF8},
    {"core::str::count", PURPOSE_UTF8},
    {"core::str::lossy", PURPOSE_UTF8},
    {"core::char::methods::encode_utf8", PURPOSE_UTF8},
    {"core::hash::sip", PURPOSE_HASHING},
    {"std::hash::random", PURPOSE_HASHING},
    {"<DefaultHasher as", PURPOSE_HASHING},
    {"hashbrown", PURPOSE_HASH_TABLES},
    {"std::collections::hash", PURPOSE_HASH_TABLES},
    {"alloc::collections::btree", PURPOSE_BTREES},
    {"core::fmt", PURPOSE_FORMATTING},
    {"alloc::fmt", PURPOSE_FORMATTING},
    {"core::num::fmt", PURPOSE_FORMATTING},
    {"core::num::flt2dec", PURPOSE_FORMATTING},
    {"core::num::imp::flt2dec", PURPOSE_FORMATTING},
    {"core::num::dec2flt", PURPOSE_PARSING},
    {"core::num::imp::dec2flt", PURPOSE_PARSING},
    {"core::slice::sort", PURPOSE_SORTING},
    {"alloc::slice::stable_sort", PURPOSE_SORTING},
    {"alloc::slice::merge", PURPOSE_SORTING},
    {"alloc::slice::insert_head", PURPOSE_SORTING},
    {"std::io", PURPOSE_OUTPUT},
    {"alloc::alloc", PURPOSE_ALLOCATION},
    {"alloc::raw_vec", PURPOSE_ALLOCATION},
    {"std::alloc", PURPOSE_ALLOCATION},
    {"std::sys::alloc", PURPOSE_ALLOCATION},
    {"std::sys::unix::alloc", PURPOSE_ALLOCATION},
    {"std::sys::pal::unix::alloc", PURPOSE_ALLOCATION},
    {"__rust_", PURPOSE_ALLOCATION},
    {"__rdl_", PURPOSE_ALLOCATION},
    {"__rustc::__rust_", PURPOSE_ALLOCATION},
    {"__rustc::__rdl_", PURPOSE_ALLOCATION},
};

/* Beginnings of names in libstdc++ and libc++. */
static const struct pattern cplusplus[] = {
    {"std::sort", PURPOSE_SORTING},
    {"std::stable_sort", PURPOSE_SORTING},
    {"std::__sort", PURPOSE_SORTING},
    {"std::__introsort", PURPOSE_SORTING},
    {"std::__insertion_sort", PURPOSE_SORTING},
    {"std::__final_insertion_sort", PURPOSE_SORTING},
    {"std::__unguarded_", PURPOSE_SORTING},
    {"std::__move_median_to_first", PURPOSE_SORTING},
    {"std::__merge", PURPOSE_SORTING},
    {"std::_Hashtable", PURPOSE_HASH_TABLES},
    {"std::_Rb_tree", PURPOSE_BTREES},
    {"std::__new_allocator", PURPOSE_ALLOCATION},
    {"std::allocator", PURPOSE_ALLOCATION},
    {"__gnu_cxx::new_allocator", PURPOSE_ALLOCATION},
};

/* Ends of paths in libc's sources. */
static const struct pattern libc_files[] = {
    {"/malloc.c", PURPOSE_ALLOCATION},
    {"/arena.c", PURPOSE_ALLOCATION},
    {"/morecore.c", PURPOSE_ALLOCATION},
    {"/msort.c", PURPOSE_SORTING},
    {"/qsort.c", PURPOSE_SORTING},
    {"/vfprintf-internal.c", PURPOSE_PRINTF},
    {"/vfprintf-process-arg.c", PURPOSE_PRINTF},
    {"/printf_fp.c", PURPOSE_PRINTF},
    {"/printf_buffer_write.c", PURPOSE_PRINTF},
    {"/_itoa.c", PURPOSE_PRINTF},
    {"/vsnprintf.c", PURPOSE_PRINTF},
    {"/vsprintf.c", PURPOSE_PRINTF},
    {"/iovsprintf.c", PURPOSE_PRINTF},
};

/* Functions of libc by the names that programs call them by. */
static const struct pattern libc_names[] = {
    {"memcpy", PURPOSE_COPYING},
    {"memmove", PURPOSE_COPYING},
    {"mempcpy", PURPOSE_COPYING},
    {"strcpy", PURPOSE_COPYING},
    {"stpcpy", PURPOSE_COPYING},
    {"strncpy", PURPOSE_COPYING},
    {"memset", PURPOSE_FILLING},
    {"memcmp", PURPOSE_COMPARING},
    {"bcmp", PURPOSE_COMPARING},
    {"strcmp", PURPOSE_COMPARING},
    {"strncmp", PURPOSE_COMPARING},
    {"strcasecmp", PURPOSE_COMPARING},
    {"strncasecmp", PURPOSE_COMPARING},
    {"strcoll", PURPOSE_COMPARING},
    {"qsort", PURPOSE_SORTING},
    {"qsort_r", PURPOSE_SORTING},
    {"msort_with_tmp.part.0", PURPOSE_SORTING},
    {"printf", PURPOSE_PRINTF},
    {"fprintf", PURPOSE_PRINTF},
    {"sprintf", PURPOSE_PRINTF},
    {"snprintf", PURPOSE_PRINTF},
    {"vprintf", PURPOSE_PRINTF},
    {"vfprintf", PURPOSE_PRINTF},
    {"vsnprintf", PURPOSE_PRINTF},
    {"printf_chk", PURPOSE_PRINTF},
    {"fprintf_chk", PURPOSE_PRINTF},
    {"sprintf_chk", PURPOSE_PRINTF},
    {"snprintf_chk", PURPOSE_PRINTF},
    {"vsprintf", PURPOSE_PRINTF},
};

/* Functions that any library may have in libc's place. */
static const struct pattern allocators[] = {
    {"malloc", PURPOSE_ALLOCATION},         {"calloc", PURPOSE_ALLOCATION},
    {"realloc", PURPOSE_ALLOCATION},        {"free", PURPOSE_ALLOCATION},
    {"posix_memalign", PURPOSE_ALLOCATION}, {"aligned_alloc", PURPOSE_ALLOCATION},
    {"memalign", PURPOSE_ALLOCATION},       {"reallocarray", PURPOSE_ALLOCATION},
    {"_int_malloc", PURPOSE_ALLOCATION},    {"_int_free", PURPOSE_ALLOCATION},
    {"_int_realloc", PURPOSE_ALLOCATION},   {"malloc_consolidate", PURPOSE_ALLOCATION},
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

const char *purpose_name(enum purpose purpose)
{
    return kinds[purpose].name;
}

/* True where `at` is the file of a module or in its folder: "core/src/hash/sip.rs" for
 * "core::hash::sip". */
static bool is_module_path(const char *at, const char *module)
{
    bool in_crate = true;

    for (; *module; module++) {
        if (*module != ':') {
            if (*at++ != *module)
                return false;
            continue;
        }
        if (!text_begins(at, in_crate ? "/src/" : "/"))
            return false;
        at += strlen(in_crate ? "/src/" : "/");
        in_crate = false;
        module++;
    }
    return !in_crate && (*at == '/' || !strcmp(at, ".rs"));
}

/* The path below the folder of the standard library's sources, "core/src/hash/sip.rs"; NULL: it is
 * not there. */
static const char *library_path(const char *file)
{
    static const char folder[] = "/library/";
    const char *found = NULL;

    for (const char *at = file ? strstr(file, folder) : NULL; at; at = strstr(found, folder))
        found = at + strlen(folder);
    return found;
}

/* The name behind "<", "&" and "mut ": a type's own methods are of the type's module. */
static const char *bare_name(const char *name)
{
    for (;;) {
        if (text_begins(name, "mut "))
            name += strlen("mut ");
        else if (*name == '<' || *name == '&' || *name == '*')
            name++;
        else
            return name;
    }
}

static enum purpose find_module(const char *name, const char *file, const struct crate *crate)
{
    const char *bare = bare_name(name), *path = library_path(file);

    for (size_t i = 0; i < LENGTH(modules); i++) {
        const char *text = modules[i].text;

        if (text_begins(name, text) || text_begins(bare, text) ||
            (path && is_module_path(path, text)) || !strcmp(crate->name, text))
            return modules[i].purpose;
    }
    return PURPOSE_NONE;
}

static enum purpose find_cplusplus(const char *name)
{
    for (size_t i = 0; i < LENGTH(cplusplus); i++)
        if (text_begins(name, cplusplus[i].text))
            return cplusplus[i].purpose;
    return PURPOSE_NONE;
}

static enum purpose find_name(const struct pattern *patterns, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(patterns[i].text, name))
            return patterns[i].purpose;
    return PURPOSE_NONE;
}

static enum purpose find_libc(const char *name, const char *file)
{
    char *plain = libc_plain_name(name);
    const char *bare = text_begins(plain, "__") ? plain + 2 : plain; /* "__snprintf" */
    enum purpose found = find_name(libc_names, LENGTH(libc_names), bare);

    if (text_begins(name, "_dl_"))
        found = PURPOSE_LINKING;
    for (size_t i = 0; i < LENGTH(libc_files) && file && !found; i++)
        if (text_ends_in(file, libc_files[i].text))
            found = libc_files[i].purpose;
    free(plain);
    return found;
}

enum purpose purpose_of(const char *name, const char *file, const struct crate *crate)
{
    enum purpose found;

    if (crate->owner == OWNER_OWN)
        return PURPOSE_NONE;
    found = find_name(allocators, LENGTH(allocators), name);
    if (!found && (text_begins(name, "operator new") || text_begins(name, "operator delete")))
        found = PURPOSE_ALLOCATION;
    if (!found && crate->owner == OWNER_STD)
        found =
            text_begins(crate->name, "lib") ? find_cplusplus(name) : find_module(name, file, crate);
    if (!found && crate->owner == OWNER_LIBC)
        found = find_libc(name, file);
    return found;
}

void purposes_load(struct purposes *s, const struct cprof_profile *p, const struct crates *crates)
{
    *s = (struct purposes){crates, xcalloc((size_t)p->n_functions + 1, sizeof *s->of_function)};
    for (uint32_t i = 0; i < p->n_functions; i++) {
        const struct cprof_function *f = &p->functions[i];

        if (f->object == CPROF_NONE || !object_is_kernel(p->objects[f->object].path))
            s->of_function[i] = (unsigned char)purpose_of(
                f->name, f->file == CPROF_NONE ? NULL : p->files[f->file], crates_of(crates, i));
    }
}

void purposes_free(struct purposes *s)
{
    free(s->of_function);
    *s = (struct purposes){.of_function = NULL};
}

/* How far up a library is: each calls those below it. 0: it is none of the standard libraries. */
static unsigned level_of(const struct crate *crate)
{
    static const char *const low[] = {"core", "alloc", "compiler_builtins"};

    if (crate->owner != OWNER_STD)
        return crate->owner == OWNER_LIBC ? 1 : 0;
    for (size_t i = 0; i < LENGTH(low); i++)
        if (!strcmp(crate->name, low[i]))
            return 2;
    return 3;
}

static bool serves(const struct purposes *s, uint32_t function, uint32_t caller)
{
    unsigned level = level_of(crates_of(s->crates, function));

    return s->crates->of_function[function] == s->crates->of_function[caller] ||
           (level && level <= level_of(crates_of(s->crates, caller)));
}

enum purpose purpose_below(const struct purposes *s, uint32_t function, uint32_t caller,
                           enum purpose above)
{
    enum purpose known = (enum purpose)s->of_function[function];

    if (!above || caller == CPROF_NONE || kinds[known].rank >= kinds[above].rank)
        return known;
    return known || serves(s, function, caller) ? above : PURPOSE_NONE;
}
