#include <config.h>

#include "names/crates.h"

#include "base/array.h"
#include "base/words.h"
#include "cprof_internal.h"
#include "names/crate_path.h"
#include "names/demangle.h"
#include "names/location.h"
#include "names/object_name.h"
#include "names/rust_name.h"

#include <stdlib.h>
#include <string.h>

/*--- Roots ---*/

bool root_is_thread(const struct cprof_function *f)
{
    static const char begin[] = "[thread";

    return f->object == CPROF_NONE && !strncmp(f->name, begin, sizeof begin - 1);
}

bool root_is_first_thread(const struct cprof_function *f)
{
    static const char begin[] = "[thread 1"; /* "]", or ": name]" */
    size_t size = sizeof begin - 1;

    return f->object == CPROF_NONE && !strncmp(f->name, begin, size) && f->name[size] &&
           strchr("]:", f->name[size]);
}

bool root_is_cut(const struct cprof_function *f)
{
    return f->object == CPROF_NONE && !strcmp(f->name, CPROF_STACK_CUT);
}

/*--- Crates ---*/

/* All that the search for crates needs. */
struct finder {
    struct crates *crates;
    const struct cprof_profile *profile;
    const struct packages *packages;
    bool known;        /* there are packages */
    const bool *users; /* of each object: ownership_objects(), where there are none */
    char *main_file;   /* that of C's main(), normalised; NULL: not known */
};

static const char *keep(struct crates *c, struct slice text)
{
    if (!text.text)
        return NULL;
    return APPEND(c->owned, c->n_owned, c->owned_room) = xstrndup(text.text, text.size);
}

static bool same(const char *a, struct slice b)
{
    return !a || !b.text ? !a && !b.text : strlen(a) == b.size && !memcmp(a, b.text, b.size);
}

static uint32_t intern(struct crates *c, struct slice name, struct slice version, enum owner owner)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->items[i].owner == owner && same(c->items[i].name, name) &&
            same(c->items[i].version, version))
            return (uint32_t)i;
    APPEND(c->items, c->n, c->room) =
        (struct crate){.name = keep(c, name), .version = keep(c, version), .owner = owner};
    return (uint32_t)c->n - 1;
}

static struct slice slice_of(const char *text)
{
    return (struct slice){text, text ? strlen(text) : 0};
}

static uint32_t intern_package(struct finder *f, const struct package *p)
{
    return intern(f->crates, slice_of(p->name), slice_of(p->version),
                  p->own ? OWNER_OWN : OWNER_DEPENDENCY);
}

/*--- By path ---*/

/* The package with the longest folder that has `path` below it. */
static const struct package *package_at(const struct finder *f, const char *path)
{
    const struct package *best = NULL;
    size_t longest = 0;

    for (size_t i = 0; f->known && i < f->packages->n; i++) {
        const struct package *p = &f->packages->items[i];
        size_t size = strlen(p->folder);

        if (size > longest && !strncmp(path, p->folder, size) && path[size] == '/') {
            best = p;
            longest = size;
        }
    }
    return best;
}

/* The one package of that name; NULL where there are several versions. */
static const struct package *package_called(const struct finder *f, struct slice name)
{
    const struct package *found = NULL;

    for (size_t i = 0; f->known && i < f->packages->n; i++) {
        const struct package *p = &f->packages->items[i];

        if (!same(p->name, name))
            continue;
        if (found &&
            strcmp(found->version ? found->version : "", p->version ? p->version : "") != 0)
            return NULL;
        found = p;
    }
    return found;
}

/* The crate of a file, or CPROF_NONE. */
static uint32_t find_file(struct finder *f, const char *file)
{
    char *path = location_normalise(file);
    const struct package *package = package_at(f, path);
    uint32_t crate = CPROF_NONE;
    struct path_crate p;
    struct slice library;

    if (package) {
        crate = intern_package(f, package);
    } else {
        p = crate_of_path(path);
        package = p.kind == PATH_OUTPUT ? package_called(f, p.name) : NULL;
        if (package)
            crate = intern_package(f, package);
        else if (p.kind == PATH_STD)
            crate = intern(f->crates, p.name, p.version, OWNER_STD);
        else if (p.kind == PATH_PACKAGE || p.kind == PATH_OUTPUT)
            crate = intern(f->crates, p.name, p.version, OWNER_DEPENDENCY);
        else if (p.kind == PATH_UNKNOWN && library_of_path(path, f->main_file, &library))
            crate = intern(f->crates, library, (struct slice){NULL, 0}, OWNER_DEPENDENCY);
    }
    free(path);
    return crate;
}

/* The file of C's main(), for the caller to free, or NULL. */
static char *find_main_file(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_functions; i++) {
        const struct cprof_function *f = &p->functions[i];

        if (!strcmp(f->name, "main") && f->file != CPROF_NONE && f->object != CPROF_NONE &&
            is_program(p, p->objects[f->object].path))
            return location_normalise(p->files[f->file]);
    }
    return NULL;
}

/*--- By name ---*/

/* The package that has a crate of that name, where all such have one name; its version only where
 * they have one version. CPROF_NONE: none. */
static uint32_t find_crate(struct finder *f, struct slice root)
{
    const struct package *found = NULL;
    bool versions = false;

    for (size_t i = 0; f->known && i < f->packages->n; i++) {
        const struct package *p = &f->packages->items[i];

        for (size_t k = 0; k < p->n_crates; k++) {
            if (!same(p->crates[k], root))
                continue;
            if (found && (strcmp(found->name, p->name) != 0 || found->own != p->own))
                return CPROF_NONE;
            versions |= found && !same(found->version, slice_of(p->version));
            found = p;
        }
    }
    if (!found)
        return CPROF_NONE;
    return intern(f->crates, slice_of(found->name),
                  versions ? (struct slice){NULL, 0} : slice_of(found->version),
                  found->own ? OWNER_OWN : OWNER_DEPENDENCY);
}

/* Tells whether the program, or the user's library that the code is in, is called like the crate,
 * as cargo calls it: with '-' for '_', of tests with a hash behind. */
static bool is_program_crate(const struct finder *f, uint32_t object, struct slice root)
{
    bool known = object != CPROF_NONE && f->users[object];
    const char *path = known ? f->profile->objects[object].path : f->profile->program;
    const char *program = path ? object_name(path) : "";
    size_t i = 0;

    if (strstr(program, ".so") && !strncmp(program, "lib", 3))
        program += 3;
    while (i < root.size && program[i] &&
           (program[i] == root.text[i] || (program[i] == '-' && root.text[i] == '_')))
        i++;
    return i == root.size && i && (!program[i] || program[i] == '-' || program[i] == '.');
}

static bool is_source(const char *path)
{
    size_t size = strlen(path);

    return size > 3 && !strcmp(path + size - 3, ".rs");
}

/* The crate that a Rust function is called after; CPROF_NONE: it is none, or has no such name. */
static uint32_t find_by_name(struct finder *f, const struct cprof_function *function,
                             const char *file)
{
    const char *linkage = function->mangled ? function->mangled : function->name;
    bool rust = rust_is_linkage(linkage);
    char *readable = rust ? demangle(linkage) : NULL;
    struct slice root = {NULL, 0};
    uint32_t crate = CPROF_NONE;
    bool checkout = file && crate_of_path(file).kind == PATH_CHECKOUT;

    if (rust || (file && is_source(file)))
        root = crate_of_name(readable ? readable : linkage);
    if (root.text && same("__rustc", root)) /* what rustc puts between alloc and the allocator */
        root = slice_of("std");
    if (root.text && crate_is_std(root))
        crate = intern(f->crates, root, (struct slice){NULL, 0}, OWNER_STD);
    if (root.text && crate == CPROF_NONE)
        crate = find_crate(f, root);
    if (root.text && crate == CPROF_NONE) {
        /* A source in no place that others' are in, and nobody says whose: the user's. */
        bool own = !f->known && !checkout &&
                   (file ? is_source(file) : is_program_crate(f, function->object, root));

        f->crates->guessed |= !f->known;
        crate =
            intern(f->crates, root, (struct slice){NULL, 0}, own ? OWNER_OWN : OWNER_DEPENDENCY);
    }
    free(readable);
    return crate;
}

/*--- By object ---*/

static const char libc_names[] = "libc.so libc-2. ld-musl-";
static const char libc_parts[] =
    "ld-linux ld-2. libm.so libm-2. libpthread libdl.so libdl-2 librt.so librt-2";

bool crates_is_libc(const char *path)
{
    const char *name = object_name(path);

    return text_begins_with_word_of(name, libc_names) || text_begins_with_word_of(name, libc_parts);
}

/* `object` may be CPROF_NONE. */
static uint32_t find_object(struct finder *f, uint32_t object)
{
    const struct cprof_profile *p = f->profile;
    const char *path = object == CPROF_NONE ? NULL : p->objects[object].path;
    const char *name = path ? object_name(path) : UNNAMED;
    enum owner owner = OWNER_OBJECT;

    if (text_begins_with_word_of(name, libc_names)) {
        owner = OWNER_LIBC;
        name = "libc";
    } else if (text_begins_with_word_of(name, libc_parts)) {
        owner = OWNER_LIBC;
    } else if (path && f->users[object]) {
        owner = OWNER_OWN;
    }
    return intern(f->crates, slice_of(name), (struct slice){NULL, 0}, owner);
}

/* The standard library whose name the linkage name of a C++ function begins with; NULL: none. */
static const char *cplusplus_library(const char *name)
{
    bool nested = !strncmp(name, "_ZN", 3);
    const char *at = name + (nested ? 3 : 2);

    if (strncmp(name, "_Z", 2) != 0)
        return NULL;
    at += nested && *at == 'K';
    if (!text_begins_with_word_of(at, "St Sa Ss Sb Si So Sd 9__gnu_cxx"))
        return NULL;
    return strncmp(at, "St3__1", 6) != 0 ? "libstdc++" : "libc++";
}

/*--- All ---*/

/* The crate of a function where more than its object tells it; CPROF_NONE: nothing does. */
static uint32_t find(struct finder *f, const struct cprof_function *function)
{
    struct crates *c = f->crates;
    uint32_t index = function->file, object = function->object, crate = CPROF_NONE;
    const char *file = index == CPROF_NONE ? NULL : f->profile->files[index], *library;

    if (file && !strcmp(file, UNNAMED))
        file = NULL;
    if (file && path_is_thread_local(file)) {
        crate = find_by_name(f, function, file);
        if (crate != CPROF_NONE)
            return crate;
    }
    if (file)
        crate = c->of_file[index];
    if (crate == CPROF_NONE)
        crate = find_by_name(f, function, file);
    library = file || object == CPROF_NONE || !f->users[object] || !function->mangled
                  ? NULL
                  : cplusplus_library(function->mangled);
    return library ? intern(c, slice_of(library), (struct slice){NULL, 0}, OWNER_STD) : crate;
}

static void find_functions(struct finder *f, bool *by_object)
{
    const struct cprof_profile *p = f->profile;

    for (uint32_t i = 0; i < p->n_functions; i++) {
        uint32_t object = p->functions[i].object, crate = find(f, &p->functions[i]);

        by_object[i] = crate == CPROF_NONE;
        if (by_object[i])
            crate = f->crates->of_object[object == CPROF_NONE ? p->n_objects : object];
        f->crates->of_function[i] = crate;
    }
}

/* A program is called like the crate it is made of; what of its code is of no crate is not. */
static void find_ambiguous(struct crates *c)
{
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->n; k++) {
            struct crate *a = &c->items[i], *b = &c->items[k];

            if (i == k || strcmp(a->name, b->name) != 0)
                continue;
            a->ambiguous |= a->owner == OWNER_OBJECT || same(a->version, slice_of(b->version));
        }
}

/* Sources of the project in the current folder. */
static void find_owners(struct crates *c, const struct cprof_profile *p, const bool *by_object,
                        const bool *users)
{
    char *root = source_root();
    struct source_finder finder = {.root = root, .program = p->program};

    ownership_load(c, p, by_object, users, &finder);
    source_finder_free(&finder);
    free(root);
}

void crates_load(struct crates *crates, const struct cprof_profile *p,
                 const struct packages *packages, struct source_finder *finder)
{
    bool known = packages && packages->n;
    bool *users = known ? xcalloc((size_t)p->n_objects + 1, sizeof *users) : ownership_objects(p);
    bool *by_object = xcalloc(p->n_functions, sizeof *by_object);
    struct finder f = {crates, p, packages, known, users, find_main_file(p)};

    *crates = (struct crates){.n = 0};
    crates->of_function = xreallocarray(NULL, p->n_functions, sizeof *crates->of_function);
    crates->of_file = xreallocarray(NULL, p->n_files, sizeof *crates->of_file);
    crates->of_object = xreallocarray(NULL, (size_t)p->n_objects + 1, sizeof *crates->of_object);
    for (uint32_t i = 0; i < p->n_files; i++)
        crates->of_file[i] = find_file(&f, p->files[i]);
    for (uint32_t i = 0; i <= p->n_objects; i++)
        crates->of_object[i] = find_object(&f, i < p->n_objects ? i : CPROF_NONE);
    find_functions(&f, by_object);
    if (finder)
        ownership_load(crates, p, by_object, users, finder);
    else
        find_owners(crates, p, by_object, users);
    find_ambiguous(crates);
    free(f.main_file);
    free(by_object);
    free(users);
}

void crates_free(struct crates *c)
{
    free(c->items);
    free(c->of_function);
    free(c->of_file);
    free(c->of_object);
    free(c->owner);
    free(c->own);
    free(c->own_file);
    for (size_t i = 0; i < c->n_owned; i++)
        free(c->owned[i]);
    free(c->owned);
    *c = (struct crates){.n = 0};
}

char *crate_label(const struct crate *c)
{
    return xasprintf("%s%s%s%s%s%s", c->name, c->version ? " " : "", c->version ? c->version : "",
                     c->ambiguous ? " [" : "", c->ambiguous ? owner_name(c->owner) : "",
                     c->ambiguous ? "]" : "");
}

bool crate_matches(const struct crate *c, const char *text)
{
    size_t size = strlen(c->name);

    if (strncmp(text, c->name, size) != 0)
        return false;
    return !text[size] || (text[size] == '@' && c->version && !strcmp(text + size + 1, c->version));
}
