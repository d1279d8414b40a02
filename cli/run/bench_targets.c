#include <config.h>

#include "run/bench_targets.h"

#include "base/memory.h"
#include "run/cargo.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FOLDERS = 20 /* that are open at once */ };

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static bool is_rust(const char *path)
{
    size_t size = strlen(path);

    return size > 3 && !strcmp(path + size - 3, ".rs");
}

/* A visitor of nftw(): 1, which ends it, at a source with a bench. */
static int find_bench(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    FILE *in = kind == FTW_F && is_rust(path) ? fopen(path, "re") : NULL;
    char *line = NULL;
    size_t room = 0;
    int found = 0;

    (void)st;
    (void)at;
    while (in && !found && getline(&line, &room, in) > 0)
        found = strstr(line, "#[bench]") != NULL;
    free(line);
    if (in)
        fclose(in);
    return found;
}

/* True where a source beside this target's has a bench. */
static bool has_bench_in_source(const json_t *target)
{
    char *folder = xstrdup(text_of(target, "src_path")), *slash = strrchr(folder, '/');
    bool found;

    if (slash)
        *slash = '\0';
    found = slash && nftw(folder, find_bench, MOST_FOLDERS, FTW_PHYS) == 1;
    free(folder);
    return found;
}

static bool is_for(const json_t *target, const char *kind)
{
    const json_t *item;
    size_t i;

    json_array_foreach(json_object_get(target, "kind"), i, item)
    {
        if (!strcmp(json_string_value(item) ? json_string_value(item) : "", kind))
            return true;
    }
    return false;
}

static bool package_has(const json_t *package)
{
    const json_t *targets = json_object_get(package, "targets"), *target;
    size_t i;

    json_array_foreach(targets, i, target)
    {
        if (is_for(target, "bench"))
            return true;
    }
    json_array_foreach(targets, i, target)
    {
        if (!is_for(target, "custom-build") && has_bench_in_source(target))
            return true;
    }
    return false;
}

/* True where cargo would look into this package. `here`: the manifest that applies, or NULL; where
 * it begins a workspace, all packages may be meant. */
static bool is_meant(const struct build_request *r, const json_t *metadata, const json_t *package,
                     const char *here)
{
    char *root = xasprintf("%s/Cargo.toml", text_of(metadata, "workspace_root"));
    bool all = r->workspace || !here || !strcmp(here, root);

    free(root);
    return all || !strcmp(here, text_of(package, "manifest_path"));
}

bool bench_targets_are_there(const struct build_request *r, const json_t *metadata)
{
    const json_t *package;
    char *here;
    bool found = false;
    size_t i;

    if (r->bench || r->lib || r->benches || r->package)
        return true;
    here = cargo_locate_project(r);
    json_array_foreach(json_object_get(metadata, "packages"), i, package)
    {
        found = found || (is_meant(r, metadata, package, here) && package_has(package));
    }
    free(here);
    return found;
}
