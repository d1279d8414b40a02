#include <config.h>

#include "names/ownership.h"

#include "base/memory.h"
#include "base/words.h"
#include "names/crates.h"
#include "names/object_name.h"

#include <stdlib.h>
#include <string.h>

/*--- Objects ---*/

static bool is_installed(const char *path)
{
    static const char system[] =
        "/usr/ /lib/ /lib32/ /lib64/ /bin/ /sbin/ /opt/ /nix/ /gnu/ /snap/ /var/lib/";
    static const char *const modules[] = {"/site-packages/", "/dist-packages/", "/node_modules/",
                                          "/."};

    if (text_begins_with_word_of(path, system))
        return true;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (strstr(path, modules[i]))
            return true;
    return false;
}

/* Valgrind's own lie in no folder of the system where it is used from where it was built. */
static bool is_library(const char *path)
{
    const char *name = object_name(path);

    return *path == '/' && strstr(name, ".so") && strncmp(name, "vgpreload_", 10) != 0 &&
           !crates_is_libc(path);
}

bool *ownership_objects(const struct cprof_profile *p)
{
    bool *users = xcalloc((size_t)p->n_objects + 1, sizeof *users), installed = false, any = false;

    for (uint32_t i = 0; i < p->n_objects; i++) {
        users[i] = is_program(p, p->objects[i].path);
        installed |= users[i] && is_installed(p->objects[i].path);
    }
    for (uint32_t i = 0; i < p->n_functions && installed; i++) {
        uint32_t object = p->functions[i].object;
        const char *path = object == CPROF_NONE ? "" : p->objects[object].path;

        if (is_library(path) && !is_installed(path))
            any = users[object] = true;
    }
    for (uint32_t i = 0; i < p->n_objects && any; i++)
        users[i] &= !is_program(p, p->objects[i].path);
    return users;
}

/* The code of an object, as far as it ran. */
struct evidence {
    bool users;
    bool is_told; /* some of it is, by a source or by the name of a Rust function */
    bool is_rust;
    bool has_libc; /* it is linked in */
    bool has_unnamed;
};

/*--- Functions ---*/

static bool is_startup_name(const char *name)
{
    static const char names[] =
        "_start _start_c __libc_start_main __libc_start_call_main __libc_start_main_impl "
        "generic_start_main __libc_csu_init _init _fini frame_dummy "
        "register_tm_clones deregister_tm_clones __do_global_dtors_aux "
        "__libc_start_main_stage2 libc_start_main_stage2";

    return !strcmp(name, "(below main)") || text_is_word_of(names, name, strlen(name));
}

struct search {
    const struct crates *crates;
    const struct cprof_profile *profile;
    const bool *by_object;
    struct evidence *objects;
    struct source_finder *finder;
};

static void look_at(const struct search *s, uint32_t function)
{
    static const char libc[] = "__libc_start libc_start generic_start";
    const struct cprof_function *f = &s->profile->functions[function];
    const struct crate *crate = crates_of(s->crates, function);
    bool is_std = crate->owner == OWNER_STD, is_cplusplus = !strncmp(crate->name, "lib", 3);
    struct evidence *e = &s->objects[f->object];

    e->is_rust |= is_std && !is_cplusplus;
    e->is_told |= f->file == CPROF_NONE ? !s->by_object[function] && !(is_std && is_cplusplus)
                                        : !is_startup_name(f->name);
    e->has_libc |= text_begins_with_word_of(f->name, libc);
    e->has_unnamed |= is_unnamed(s->profile, f);
}

static bool is_startup(const struct search *s, uint32_t function)
{
    const struct cprof_function *f = &s->profile->functions[function];
    const char *path = f->object == CPROF_NONE ? "" : s->profile->objects[f->object].path;

    if (f->object == CPROF_NONE || !s->by_object[function] ||
        (!s->objects[f->object].users && !is_program(s->profile, path)))
        return false;
    return is_startup_name(f->name) ||
           (s->objects[f->object].is_rust && f->file == CPROF_NONE && !strcmp(f->name, "main"));
}

/* A program without symbols has the names that it exports, maybe main() among them. */
static bool is_stripped(const struct cprof_profile *p, const struct evidence *e, uint32_t object)
{
    return e->has_unnamed && is_program(p, p->objects[object].path);
}

/* Rules 3 and 4: the code is an object's, and nothing else tells of it. */
static bool is_own_by_object(const struct search *s, const struct cprof_function *f)
{
    const struct evidence *e = f->object == CPROF_NONE ? NULL : &s->objects[f->object];

    if (!e || !e->users || f->file != CPROF_NONE)
        return e && e->users;
    return !e->is_told && !is_unnamed(s->profile, f) && !is_stripped(s->profile, e, f->object) &&
           !strstr(f->name, "@plt") && !strstr(f->name, "(.plt") &&
           (!e->has_libc || !strcmp(f->name, "main"));
}

/*--- Functions that the compiler wrote ---*/

enum { LIST_LINES_MOST = 20 }; /* of a list of traits */

static bool has_text(const char *line, size_t size, const char *text)
{
    return memmem(line, size, text, strlen(text)) != NULL;
}

/* True for a line within a list of traits: "    Clone, Debug," */
static bool is_of_list(const char *line, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:, \t",
                    line[i]))
            return false;
    return true;
}

/* True where the compiler wrote a function that is defined there: #[derive(...)] is, maybe some
 * lines above. */
static bool is_in_derive(const struct source *source, uint32_t line)
{
    const char *text;
    size_t size;

    for (uint32_t i = line; i && line - i < LIST_LINES_MOST; i--) {
        if (!source_line(source, i, &text, &size))
            return false;
        if (has_text(text, size, "derive("))
            return true;
        if (!is_of_list(text, size))
            return false;
    }
    return false;
}

/* Functions without source are taken for written. */
static bool is_derived(const struct search *s, const struct cprof_function *f)
{
    const struct source *source;

    if (f->file == CPROF_NONE || !f->line)
        return false;
    source = source_find(s->finder, s->profile->files[f->file]);
    return source->state == SOURCE_FOUND && is_in_derive(source, f->line);
}

/*--- All ---*/

static enum owner find_owner(const struct search *s, uint32_t function)
{
    const struct cprof_function *f = &s->profile->functions[function];
    enum owner owner = crates_of(s->crates, function)->owner;

    if (is_startup(s, function))
        return OWNER_STARTUP;
    if (owner == OWNER_OWN && s->by_object[function])
        return is_own_by_object(s, f) ? OWNER_OWN : OWNER_OBJECT;
    return owner == OWNER_OWN && is_derived(s, f) ? OWNER_DERIVED : owner;
}

/* The crate that stands for an object is own where code of it is. */
static void disown_crates(struct crates *c, const struct cprof_profile *p)
{
    bool *has_own = xcalloc(c->n, sizeof *has_own);

    for (uint32_t i = 0; i < p->n_functions; i++)
        has_own[c->of_function[i]] |= owner_is_user((enum owner)c->owner[i]);
    for (uint32_t i = 0; i < p->n_objects; i++) {
        struct crate *crate = &c->items[c->of_object[i]];

        if (crate->owner == OWNER_OWN && !has_own[c->of_object[i]])
            crate->owner = OWNER_OBJECT;
    }
    free(has_own);
}

void ownership_load(struct crates *c, const struct cprof_profile *p, const bool *by_object,
                    const bool *users, struct source_finder *finder)
{
    struct search s = {.crates = c,
                       .profile = p,
                       .by_object = by_object,
                       .objects = xcalloc(p->n_objects, sizeof *s.objects),
                       .finder = finder};

    for (uint32_t i = 0; i < p->n_objects; i++)
        s.objects[i].users = users[i];
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (p->functions[i].object != CPROF_NONE)
            look_at(&s, i);
    c->owner = xcalloc(p->n_functions, sizeof *c->owner);
    c->own = xcalloc(p->n_functions, sizeof *c->own);
    for (uint32_t i = 0; i < p->n_functions; i++) {
        c->owner[i] = (unsigned char)find_owner(&s, i);
        c->own[i] = c->owner[i] == OWNER_OWN;
    }
    c->own_file = xcalloc(p->n_files, sizeof *c->own_file);
    for (uint32_t i = 0; i < p->n_files; i++)
        c->own_file[i] = c->of_file[i] == CPROF_NONE || c->items[c->of_file[i]].owner == OWNER_OWN;
    disown_crates(c, p);
    free(s.objects);
}

const char *owner_name(enum owner owner)
{
    static const char *const names[] = {"own",  "derived", "dependency", "std",
                                        "libc", "object",  "startup",    NULL};

    return names[owner];
}

/*--- Kinds of code ---*/

enum origin origin_of(enum owner owner)
{
    static const enum origin kinds[] = {
        [OWNER_OWN] = ORIGIN_OWN,
        [OWNER_DERIVED] = ORIGIN_OWN,
        [OWNER_DEPENDENCY] = ORIGIN_DEPENDENCY,
        [OWNER_STD] = ORIGIN_STD,
        [OWNER_LIBC] = ORIGIN_SYSTEM,
        [OWNER_OBJECT] = ORIGIN_SYSTEM,
        [OWNER_STARTUP] = ORIGIN_SYSTEM,
    };

    return kinds[owner];
}

unsigned origin_shade(const struct crate *c)
{
    uint32_t hash = 2166136261U; /* FNV-1a */

    for (const char *p = c->name; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 16777619U;
    return (hash ^ hash >> 16) % ORIGIN_SHADES;
}

const char *origin_title(enum origin kind)
{
    static const char *const titles[] = {"your code", "dependencies", "standard library",
                                         "libc and others"};

    return titles[kind];
}

char origin_letter(enum origin kind)
{
    return "odsx"[kind];
}
