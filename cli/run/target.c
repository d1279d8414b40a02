#include <config.h>

#include "run/target.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Packages, or targets of one kind. */
struct choices {
    size_t n;
    struct cargo_target *items;
};

static void add_choice(struct choices *choices, struct cargo_target item)
{
    choices->items = xreallocarray(choices->items, choices->n + 1, sizeof *choices->items);
    choices->items[choices->n++] = item;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static bool contains(const json_t *array, const json_t *wanted)
{
    const json_t *item;
    size_t i;

    json_array_foreach(array, i, item)
    {
        if (json_equal(item, wanted))
            return true;
    }
    return false;
}

static bool has_text(const json_t *array, const char *text)
{
    json_t *wanted = json_string(text);
    bool found = contains(array, wanted);

    json_decref(wanted);
    return found;
}

static bool is_library(const json_t *target)
{
    const json_t *kind;
    size_t i;

    json_array_foreach(json_object_get(target, "kind"), i, kind)
    {
        if (json_is_string(kind) && cargo_is_library(json_string_value(kind)))
            return true;
    }
    return false;
}

static bool is_kind(const json_t *target, const char *kind)
{
    if (!strcmp(kind, "lib"))
        return is_library(target);
    return has_text(json_object_get(target, "kind"), kind);
}

/* True where a package specification names this package: NAME, NAME@VERSION (or with ':'),
 * URL#NAME@VERSION, URL#VERSION. */
static bool is_specified(const json_t *package, const char *spec)
{
    const char *name = text_of(package, "name"), *version = text_of(package, "version");
    const char *hash = strrchr(spec, '#'), *own = hash ? hash + 1 : spec;
    size_t size = strlen(name);

    if (!strcmp(text_of(package, "id"), spec))
        return true;
    return !strncmp(own, name, size) && (!own[size] || ((own[size] == '@' || own[size] == ':') &&
                                                        !strcmp(own + size + 1, version)));
}

/* cargo before 1.71 does not name the default members: the package we are in, or all where we are
 * in none. */
static bool is_current(const json_t *package, const char *manifest, const json_t *packages)
{
    const json_t *other;
    bool in_one = false;
    size_t i;

    json_array_foreach(packages, i, other)
    {
        in_one |= !strcmp(text_of(other, "manifest_path"), manifest);
    }
    return !in_one || !strcmp(text_of(package, "manifest_path"), manifest);
}

/* The packages that a cargo command without --workspace is about. */
static struct choices select_packages(const struct build_request *request, const json_t *metadata)
{
    const json_t *packages = json_object_get(metadata, "packages"), *package;
    const json_t *defaults = json_object_get(metadata, "workspace_default_members");
    char *manifest = defaults || request->package ? NULL : cargo_locate_project(request);
    struct choices selected = {0};
    size_t i;

    json_array_foreach(packages, i, package)
    {
        bool chosen;

        if (request->package)
            chosen = is_specified(package, request->package);
        else if (defaults)
            chosen = contains(defaults, json_object_get(package, "id"));
        else
            chosen = is_current(package, manifest ? manifest : "", packages);
        if (chosen)
            add_choice(&selected,
                       (struct cargo_target){.package = package, .name = text_of(package, "name")});
    }
    free(manifest);
    return selected;
}

/* All targets of `kind` in the packages; only those called `name` where it is not NULL. */
static struct choices select_targets(const struct choices *packages, const char *kind,
                                     const char *name)
{
    struct choices found = {0};

    for (size_t p = 0; p < packages->n; p++) {
        const json_t *package = packages->items[p].package, *target;
        size_t i;

        json_array_foreach(json_object_get(package, "targets"), i, target)
        {
            const char *own = text_of(target, "name");

            if (is_kind(target, kind) && (!name || !strcmp(name, own)))
                add_choice(&found,
                           (struct cargo_target){.package = package, .kind = kind, .name = own});
        }
    }
    return found;
}

/* "a, b, c", in memory that the caller frees. */
static char *list_names(const struct choices *choices)
{
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; i < choices->n; i++)
        strbuf_add_item(&text, ", ", choices->items[i].name);
    return strbuf_take(&text);
}

static int fail_package(const json_t *metadata, const char *spec)
{
    const json_t *packages = json_object_get(metadata, "packages"), *package;
    struct choices all = {0};
    char *names;
    size_t i;

    json_array_foreach(packages, i, package)
    {
        add_choice(&all, (struct cargo_target){.name = text_of(package, "name")});
    }
    names = list_names(&all);
    if (spec)
        message_error("no package '%s' in this workspace; it has: %s", spec, names);
    else
        message_error("the workspace has no package to profile");
    free(names);
    free(all.items);
    return STATUS_ERROR;
}

static const char *kind_word(const char *kind)
{
    return !strcmp(kind, "bin")     ? "binary"
           : !strcmp(kind, "bench") ? "benchmark"
           : !strcmp(kind, "lib")   ? "library"
                                    : kind;
}

static const char *kind_words(const char *kind)
{
    return !strcmp(kind, "bin")       ? "binaries"
           : !strcmp(kind, "bench")   ? "benchmarks"
           : !strcmp(kind, "example") ? "examples"
                                      : "tests";
}

/* Nothing of the name in these packages: says what else there is, or what other packages have. */
static int fail_target(const struct choices *packages, const json_t *metadata, const char *kind,
                       const char *name)
{
    struct choices others = select_targets(packages, kind, NULL);
    char *in = list_names(packages), *names = list_names(&others);
    const json_t *package, *target;
    const char *elsewhere = NULL;
    size_t i, j;

    json_array_foreach(json_object_get(metadata, "packages"), i, package)
    {
        json_array_foreach(json_object_get(package, "targets"), j, target)
        {
            if (name && is_kind(target, kind) && !strcmp(text_of(target, "name"), name))
                elsewhere = text_of(package, "name");
        }
    }
    if (elsewhere)
        message_error("no %s '%s' in %s; package '%s' has it, add -p %s", kind_word(kind), name, in,
                      elsewhere, elsewhere);
    else if (others.n && name)
        message_error("no %s '%s' in %s; there is: %s", kind_word(kind), name, in, names);
    else if (name)
        message_error("no %s '%s' in %s; it has none", kind_word(kind), name, in);
    else if (strcmp(kind, "bin") != 0)
        message_error("no %s in %s; name a package that has one with -p", kind_word(kind), in);
    else
        message_error("no binary in %s; name an --example, --test or --bench, or a package with -p",
                      in);
    free(in);
    free(names);
    free(others.items);
    return STATUS_ERROR;
}

static int fail_ambiguous(const struct choices *found, const char *name)
{
    struct choices owners = {0};
    char *names;

    const char *kind = found->items[0].kind;
    bool library = !strcmp(kind, "lib");

    if (!name && !library) {
        names = list_names(found);
        message_error("several %s could be run; choose one with --%s%s: %s", kind_words(kind), kind,
                      strcmp(kind, "bin") ? "" : " (or default-run in Cargo.toml)", names);
    } else {
        for (size_t i = 0; i < found->n; i++)
            add_choice(&owners,
                       (struct cargo_target){.name = text_of(found->items[i].package, "name")});
        names = list_names(&owners);
        message_error("several packages have a %s%s%s%s; choose one with -p: %s", kind_word(kind),
                      name ? " '" : "", name ? name : "", name ? "'" : "", names);
    }
    free(names);
    free(owners.items);
    return STATUS_ERROR;
}

/* The default-run of the packages, where exactly one has such: cargo's own rule. */
static const char *default_run(const struct choices *packages)
{
    const char *found = NULL;

    for (size_t i = 0; i < packages->n; i++) {
        const char *own =
            json_string_value(json_object_get(packages->items[i].package, "default_run"));
        if (own && found)
            return NULL;
        if (own)
            found = own;
    }
    return found;
}

/* The kind of target that is asked for, and its name where that is given. */
static const char *kind_of(const struct build_request *r, const char **name)
{
    const struct {
        const char *kind, *name;
        bool any;
    } asked[] = {{"example", r->example, r->examples},
                 {"test", r->test, r->tests},
                 {"bench", r->bench, r->benches},
                 {"lib", NULL, r->lib}};

    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (asked[i].name || asked[i].any) {
            *name = asked[i].name;
            return asked[i].kind;
        }
    *name = r->bin;
    return "bin";
}

int target_choose(const struct build_request *request, const json_t *metadata,
                  struct cargo_target *target)
{
    struct choices packages = select_packages(request, metadata), found = {0};
    const char *name = NULL, *kind = kind_of(request, &name);
    bool any = request->bins || strcmp(kind, "bin") != 0;
    int status = 0;

    if (!packages.n) {
        status = fail_package(metadata, request->package);
    } else {
        found = select_targets(&packages, kind, name || any ? name : default_run(&packages));
        if (!found.n)
            status = fail_target(&packages, metadata, kind, name);
        else if (found.n > 1)
            status = fail_ambiguous(&found, name);
        else
            *target = found.items[0];
        if (!status)
            target->harness = request->test_harness || request->lib;
    }
    free(packages.items);
    free(found.items);
    return status;
}
