#include <config.h>

#include "names/packages.h"

#include "base/array.h"
#include "base/file.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCHEMA "cprof-packages/1"

/*--- What cargo says ---*/

/* A package as its ID names it; strings are NULL where it does not. */
struct identity {
    char *name, *version;
    bool own;
};

/* "NAME VERSION (SOURCE)", as up to cargo 1.76. */
static void read_old_id(struct identity *i, const char *id, const char *source)
{
    const char *blank = strchr(id, ' ');

    i->own = !strncmp(source + 2, "path+", 5);
    if (blank >= source)
        return;
    i->name = xstrndup(id, (size_t)(blank - id));
    i->version = xstrndup(blank + 1, (size_t)(source - blank - 1));
}

/* "SOURCE#NAME@VERSION", or "SOURCE#VERSION" where the name is the last part of the source's path:
 * cargo's package ID specifications. */
static void read_new_id(struct identity *i, const char *id)
{
    const char *hash = strrchr(id, '#'), *at = hash ? strrchr(hash, '@') : NULL, *end, *begin;

    i->own = !strncmp(id, "path+", 5);
    if (!hash)
        return;
    i->version = xstrdup(at ? at + 1 : hash + 1);
    if (at) {
        i->name = xstrndup(hash + 1, (size_t)(at - hash - 1));
        return;
    }
    end = id + strcspn(id, "?#");
    while (end > id && end[-1] == '/')
        end--;
    for (begin = end; begin > id && begin[-1] != '/'; begin--)
        ;
    i->name = xstrndup(begin, (size_t)(end - begin));
}

static struct identity read_id(const char *id)
{
    struct identity i = {0};
    const char *source = strstr(id, " (");

    if (source)
        read_old_id(&i, id, source);
    else
        read_new_id(&i, id);
    return i;
}

static struct package *find_folder(const struct packages *packages, const char *folder)
{
    for (size_t i = 0; i < packages->n; i++)
        if (!strcmp(packages->items[i].folder, folder))
            return &packages->items[i];
    return NULL;
}

/* The entry of the folder that `size` bytes name, made if there is none. Takes over the identity.
 */
static struct package *add_folder(struct packages *packages, struct identity *i, const char *path,
                                  size_t size)
{
    char *folder = xstrndup(path, size);
    struct package *package;

    while (size > 1 && folder[size - 1] == '/')
        folder[--size] = '\0';
    package = find_folder(packages, folder);
    if (package || !i->name || !*i->name || folder[0] != '/') {
        free(folder);
        free(i->name);
        free(i->version);
        return package;
    }
    package = &APPEND(packages->items, packages->n, packages->room);
    *package =
        (struct package){.name = i->name, .version = i->version, .folder = folder, .own = i->own};
    return package;
}

static void add_crate(struct package *package, const char *name)
{
    for (size_t i = 0; i < package->n_crates; i++)
        if (!strcmp(package->crates[i], name))
            return;
    APPEND(package->crates, package->n_crates, package->crates_room) = xstrdup(name);
}

/* A target's name as rustc has it, in which a '-' cannot be. */
static void add_target(struct package *package, const char *name)
{
    char *crate = xstrdup(name);

    for (char *p = crate; *p; p++)
        if (*p == '-')
            *p = '_';
    add_crate(package, crate);
    free(crate);
}

/* Nothing of a build script runs in the program. */
static bool is_build_script(const json_t *target)
{
    const char *kind = json_string_value(json_array_get(json_object_get(target, "kind"), 0));

    return kind && !strcmp(kind, "custom-build");
}

static void add_artifact(struct packages *packages, const json_t *message, const char *id)
{
    const json_t *target = json_object_get(message, "target");
    const char *manifest = json_text_in(message, "manifest_path"),
               *name = json_text_in(target, "name");
    const char *slash = manifest ? strrchr(manifest, '/') : NULL;
    struct package *package;
    struct identity identity;

    if (!slash || !name || is_build_script(target))
        return;
    identity = read_id(id);
    package = add_folder(packages, &identity, manifest, (size_t)(slash - manifest));
    if (package)
        add_target(package, name);
}

static void add_script(struct packages *packages, const json_t *message, const char *id)
{
    const char *folder = json_text_in(message, "out_dir");
    struct identity identity;

    if (!folder)
        return;
    identity = read_id(id);
    add_folder(packages, &identity, folder, strlen(folder));
}

void packages_add(struct packages *packages, const struct json_t *message)
{
    const char *reason = json_text_in(message, "reason"), *id = json_text_in(message, "package_id");

    if (!reason || !id)
        return;
    if (!strcmp(reason, "compiler-artifact"))
        add_artifact(packages, message, id);
    else if (!strcmp(reason, "build-script-executed"))
        add_script(packages, message, id);
}

void packages_free(struct packages *packages)
{
    for (size_t i = 0; i < packages->n; i++) {
        struct package *p = &packages->items[i];

        free(p->name);
        free(p->version);
        free(p->folder);
        for (size_t k = 0; k < p->n_crates; k++)
            free(p->crates[k]);
        free(p->crates);
    }
    free(packages->items);
    *packages = (struct packages){0};
}

/*--- The file ---*/

char *packages_path(const char *profile)
{
    static const char suffix[] = ".cprof";
    size_t size = strlen(profile), end = strlen(suffix);

    if (size <= end || strcmp(profile + size - end, suffix) != 0)
        return NULL;
    return xasprintf("%.*s.packages.json", (int)(size - end), profile);
}

static json_t *package_json(const struct package *p)
{
    json_t *crates = json_array();

    for (size_t i = 0; i < p->n_crates; i++)
        json_array_append_new(crates, json_string_nocheck(p->crates[i]));
    return json_pack("{s:o, s:o, s:o, s:b, s:o}", "name", json_string_nocheck(p->name), "version",
                     p->version ? json_string_nocheck(p->version) : json_null(), "folder",
                     json_string_nocheck(p->folder), "own", p->own, "crates", crates);
}

static int write_file(const struct packages *packages, const char *path)
{
    json_t *list = json_array(), *document;
    int failed;

    for (size_t i = 0; i < packages->n; i++)
        json_array_append_new(list, package_json(&packages->items[i]));
    document = json_pack("{s:s, s:o}", "schema", SCHEMA, "packages", list);
    failed = json_file_write(document, path);
    json_decref(document);
    return failed;
}

int packages_keep(const struct packages *packages, const char *profile)
{
    char *path = packages_path(profile);
    int failed = 0;

    if (!path)
        return 0;
    if (packages && packages->n)
        failed = write_file(packages, path);
    else if (unlink(path) < 0 && errno != ENOENT)
        failed = -1;
    free(path);
    return failed;
}

static void read_package(struct packages *packages, const json_t *item)
{
    const char *name = json_text_in(item, "name"), *version = json_text_in(item, "version");
    const char *folder = json_text_in(item, "folder");
    struct identity identity = {.own = json_is_true(json_object_get(item, "own"))};
    struct package *package;
    const json_t *crate;
    size_t i;

    if (!name || !folder)
        return;
    identity.name = xstrdup(name);
    identity.version = version ? xstrdup(version) : NULL;
    package = add_folder(packages, &identity, folder, strlen(folder));
    json_array_foreach(json_object_get(item, "crates"), i, crate)
    {
        if (package && json_is_string(crate))
            add_crate(package, json_string_value(crate));
    }
}

void packages_find(struct packages *packages, const char *profile)
{
    char *path = packages_path(profile);
    json_t *document = path ? json_load_file(path, 0, NULL) : NULL;
    const char *schema = json_text_in(document, "schema");
    const json_t *item;
    size_t i;

    if (schema && !strcmp(schema, SCHEMA))
        json_array_foreach(json_object_get(document, "packages"), i, item)
        {
            read_package(packages, item);
        }
    json_decref(document);
    free(path);
}
