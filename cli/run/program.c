#include <config.h>

#include "run/program.h"

#include "base/array.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "run/cargo.h"
#include "run/machine.h"
#include "run/saved_profile.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*--- Libraries ---*/

/* The line that rustc prints, or NULL. The caller frees it. */
static char *ask_rustc(const char *print, const char *target)
{
    const char *const words[] = {environment_or("RUSTC", "rustc"), print,
                                 target ? "--target" : NULL, target, NULL};

    return process_line(words);
}

/* The cargo on PATH, where no cargo has called us; else NULL. The caller frees it. */
static char *cargo_on_path(void)
{
    return environment_or("CARGO", NULL) ? NULL : process_find("cargo");
}

/* The folder of the toolchain whose cargo is run by that on PATH, which is rustup's, with rustup
 * beside it; else NULL. The caller frees it. */
static char *toolchain_of(const char *cargo)
{
    char *rustup = xasprintf("%.*srustup", (int)(strrchr(cargo, '/') + 1 - cargo), cargo);
    char *folder = access(rustup, X_OK) == 0 ? ask_rustc("--print=sysroot", NULL) : NULL;

    free(rustup);
    return folder;
}

/* The path that `cargo run` puts into CARGO; NULL: not known, or it is there already. The caller
 * frees it. */
static char *libraries_cargo(void)
{
    char *cargo = cargo_on_path(), *toolchain = cargo ? toolchain_of(cargo) : NULL, *path = NULL;

    if (toolchain)
        path = xasprintf("%s/bin/cargo", toolchain);
    else if (cargo)
        path = realpath(cargo, NULL);
    free(toolchain);
    free(cargo);
    return path;
}

void libraries_of_rust(const char *target, struct string_list *folders)
{
    char *folder = ask_rustc("--print=target-libdir", target);
    char *cargo = cargo_on_path(), *toolchain = cargo ? toolchain_of(cargo) : NULL;

    if (folder)
        string_list_add(folders, folder);
    /* rustup has set it for a cargo that calls us. */
    if (toolchain)
        string_list_add(folders, xasprintf("%s/lib", toolchain));
    free(toolchain);
    free(cargo);
}

/* The profile's folder: an example or a test is in one within. The caller frees it. */
static char *profile_folder(const char *executable)
{
    char *folder = path_folder(executable), *slash = folder ? strrchr(folder, '/') : NULL;

    if (slash && (!strcmp(slash, "/examples") || !strcmp(slash, "/deps")))
        *slash = '\0';
    return folder ? folder : xstrdup(".");
}

static void add_folder(struct strbuf *text, const char *folder)
{
    if (folder && *folder)
        strbuf_addf(text, "%s%s", text->size ? ":" : "LD_LIBRARY_PATH=", folder);
}

char *libraries_setting(const char *executable, const struct string_list *linked,
                        const struct string_list *rust)
{
    char *profile = profile_folder(executable), *deps = xasprintf("%s/deps", profile);
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; i < linked->n; i++)
        add_folder(&text, linked->items[i]);
    add_folder(&text, profile);
    add_folder(&text, deps);
    for (size_t i = 0; i < rust->n; i++)
        add_folder(&text, rust->items[i]);
    add_folder(&text, getenv("LD_LIBRARY_PATH"));
    free(deps);
    free(profile);
    return strbuf_take(&text);
}

/*--- Environment ---*/

/*
 * The environment that cargo gives to a program that it runs: [env] of its
 * configuration, variables of the package, and those that a runner sets.
 */

/*--- The package ---*/

static void add(struct string_list *environment, const char *name, const char *value)
{
    string_list_add(environment, xasprintf("%s=%s", name, value ? value : ""));
}

/* "1.2.3-rc.1+build": each number, and what stands behind the '-'. */
static void add_version(struct string_list *environment, const char *version)
{
    static const char *const parts[] = {"CARGO_PKG_VERSION_MAJOR", "CARGO_PKG_VERSION_MINOR",
                                        "CARGO_PKG_VERSION_PATCH"};
    const char *at = version, *dash = strchr(version, '-');

    add(environment, "CARGO_PKG_VERSION", version);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t size = strspn(at, "0123456789");

        string_list_add(environment, xasprintf("%s=%.*s", parts[i], (int)size, at));
        at += size + (at[size] == '.');
    }
    string_list_add(environment,
                    xasprintf("CARGO_PKG_VERSION_PRE=%.*s", dash ? (int)strcspn(dash + 1, "+") : 0,
                              dash ? dash + 1 : ""));
}

static void add_authors(struct string_list *environment, const json_t *authors)
{
    struct strbuf text = {.text = NULL};
    const json_t *author;
    size_t i;

    json_array_foreach(authors, i, author)
    {
        if (json_is_string(author))
            strbuf_add_item(&text, ":", json_string_value(author));
    }
    add(environment, "CARGO_PKG_AUTHORS", text.text);
    strbuf_free(&text);
}

static void add_package(struct string_list *environment, const json_t *package)
{
    static const struct {
        const char *variable, *key;
    } texts[] = {{"CARGO_PKG_NAME", "name"},
                 {"CARGO_PKG_DESCRIPTION", "description"},
                 {"CARGO_PKG_HOMEPAGE", "homepage"},
                 {"CARGO_PKG_REPOSITORY", "repository"},
                 {"CARGO_PKG_LICENSE", "license"},
                 {"CARGO_PKG_LICENSE_FILE", "license_file"},
                 {"CARGO_PKG_RUST_VERSION", "rust_version"},
                 {"CARGO_PKG_README", "readme"},
                 {"CARGO_MANIFEST_PATH", "manifest_path"}};
    char *cargo = libraries_cargo(), *folder = path_folder(json_text_of(package, "manifest_path"));

    if (cargo)
        add(environment, "CARGO", cargo);
    free(cargo);
    if (folder)
        add(environment, "CARGO_MANIFEST_DIR", folder);
    free(folder);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add(environment, texts[i].variable, json_text_of(package, texts[i].key));
    add_version(environment, json_text_of(package, "version"));
    add_authors(environment, json_object_get(package, "authors"));
}

/*--- The configuration ---*/

/* Has cargo print its configuration, which takes the permission that a nightly cargo has. The text
 * is NULL where it does not know how. */
static char *ask(const struct build_request *request, const char *format, const char *origin)
{
    struct string_list words = STRING_LIST(cargo_path(), "-Zunstable-options");
    struct string_list environment = STRING_LIST("RUSTC_BOOTSTRAP=1");
    struct process_spec spec = {.environment = &environment, .no_input = true, .no_errors = true};
    char *text;
    int status = 0;

    for (size_t i = 0; i < request->config.n; i++)
        STRING_LIST_ADD(&words, "--config", request->config.items[i]);
    STRING_LIST_ADD(&words, "config", "get", format, origin);
    spec.argv = words.items;
    if (process_text(&spec, &text, &status) || status) {
        free(text);
        text = NULL;
    }
    string_list_free(&words);
    string_list_free(&environment);
    return text;
}

/* The folder that the value of a variable is relative to: that which has the folder of the file
 * that sets it, `env.NAME.value = "..." # /there/.cargo/config.toml`. NULL: not known. */
static char *folder_of(const struct build_request *request, const char *name)
{
    char *text = ask(request, "--format=toml", "--show-origin");
    char *start = xasprintf("env.%s.value = ", name), *line = text ? strstr(text, start) : NULL;
    char *path = NULL;

    if (line)
        line[strcspn(line, "\n")] = '\0';
    line = line ? strstr(line, "\" # /") : NULL;
    for (int i = 0; line && i < 2 && strrchr(line, '/'); i++)
        *strrchr(line, '/') = '\0';
    if (line)
        path = xstrdup(line + 4);
    free(start);
    free(text);
    return path;
}

/* A variable of [env]: its value, or a table with that. */
static void add_setting(const struct build_request *request, const char *name,
                        const json_t *setting, struct string_list *environment)
{
    bool is_table = json_is_object(setting);
    const char *value = json_string_value(is_table ? json_object_get(setting, "value") : setting);
    char *folder;

    if (!value || (getenv(name) && !(is_table && json_is_true(json_object_get(setting, "force")))))
        return;
    folder = is_table && *value != '/' && json_is_true(json_object_get(setting, "relative"))
                 ? folder_of(request, name)
                 : NULL;
    if (folder)
        string_list_add(environment, xasprintf("%s=%s/%s", name, folder, value));
    else
        add(environment, name, value);
    free(folder);
}

static void add_settings(const struct build_request *request, json_t *settings,
                         struct string_list *environment)
{
    const char *name;
    json_t *setting;

    json_object_foreach(settings, name, setting) add_setting(request, name, setting, environment);
}

/*--- The runner ---*/

/* Adds the words of a text. */
static void add_words(struct string_list *words, const char *text)
{
    while (*(text += strspn(text, " \t\n"))) {
        size_t size = strcspn(text, " \t\n");

        string_list_add(words, xstrndup(text, size));
        text += size;
    }
}

/* The words of a runner, an array or a text; none: there is no runner. */
static struct string_list runner_words(const json_t *runner)
{
    struct string_list words = {0};
    const json_t *word;
    size_t i;

    if (json_is_string(runner))
        add_words(&words, json_string_value(runner));
    json_array_foreach(runner, i, word)
    {
        if (json_is_string(word))
            string_list_add(&words, xstrdup(json_string_value(word)));
    }
    return words;
}

/* The runner of a variable, as CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER. */
static struct string_list runner_of_variable(const char *triple)
{
    char *name = xasprintf("CARGO_TARGET_%s_RUNNER", triple);
    struct string_list words = {0};
    const char *value;

    for (char *c = name; *c; c++)
        *c = *c == '-' || *c == '.' ? '_' : (char)toupper((unsigned char)*c);
    value = getenv(name);
    free(name);
    if (value)
        add_words(&words, value);
    return words;
}

/* The runner of the target, or one under a condition, of which cargo alone knows whether it holds;
 * then *maybe. */
static struct string_list find_runner(const struct build_request *request, const json_t *config,
                                      bool *maybe)
{
    const json_t *built = json_object_get(json_object_get(config, "build"), "target");
    const char *triple = json_string_value(built), *key;
    json_t *targets = json_object_get(config, "target"), *target;
    struct string_list words;

    if (request->target || !triple)
        triple = request->target ? request->target : PROCESSOR_TARGET;
    *maybe = false;
    words = runner_of_variable(triple);
    if (!words.n)
        words = runner_words(json_object_get(json_object_get(targets, triple), "runner"));
    json_object_foreach(targets, key, target)
    {
        if (words.n || strncmp(key, "cfg(", 4) != 0)
            continue;
        words = runner_words(json_object_get(target, "runner"));
        *maybe = words.n > 0;
    }
    return words;
}

/* True for "env A=1 B=2", which starts nothing of its own. */
static bool sets_variables(const struct string_list *words)
{
    if (strcmp(path_base(words->items[0]), "env") != 0)
        return false;
    for (size_t i = 1; i < words->n; i++)
        if (*words->items[i] == '-' || !strchr(words->items[i], '='))
            return false;
    return true;
}

static void note_runner(const struct string_list *words, bool maybe)
{
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; i < words->n; i++)
        strbuf_add_item(&text, " ", words->items[i]);
    message_note("cargo's configuration has the runner '%s'%s, which is left out here: the program "
                 "itself is profiled; --env sets a variable for it",
                 text.text, maybe ? " under a condition" : "");
    strbuf_free(&text);
}

static void add_runner(const struct build_request *request, const json_t *config,
                       struct string_list *environment)
{
    bool maybe;
    struct string_list words = find_runner(request, config, &maybe);

    if (words.n && (maybe || !sets_variables(&words)))
        note_runner(&words, maybe);
    else
        for (size_t i = 1; i < words.n; i++)
            string_list_add(environment, xstrdup(words.items[i]));
    string_list_free_texts(&words);
}

/* Adds to `environment` what `cargo run` would set for a program of this package, an element of the
 * metadata; the texts are the list's own. Says it where a runner is left out. */
static void cargo_environment(const struct build_request *request, const json_t *package,
                              struct string_list *environment)
{
    char *text = ask(request, "--format=json", NULL);
    json_error_t error;
    json_t *config = text ? json_loads(text, 0, &error) : NULL;

    add_package(environment, package);
    add_settings(request, json_object_get(config, "env"), environment);
    add_runner(request, config, environment);
    json_decref(config);
    free(text);
}

/*--- Target ---*/

/* Which target of a workspace is meant, by cargo's own rules. */

/* Packages, or targets of one kind. */
struct choices {
    size_t n, room;
    struct cargo_target *items;
};

static void add_choice(struct choices *choices, struct cargo_target item)
{
    APPEND(choices->items, choices->n, choices->room) = item;
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

/* True where a package specification names this package: NAME, NAME@VERSION (or with ':'),
 * URL#NAME@VERSION, URL#VERSION. */
static bool is_specified(const json_t *package, const char *spec)
{
    const char *name = json_text_of(package, "name"), *version = json_text_of(package, "version");
    const char *hash = strrchr(spec, '#'), *own = hash ? hash + 1 : spec;
    size_t size = strlen(name);

    if (!strcmp(json_text_of(package, "id"), spec))
        return true;
    return !strncmp(own, name, size) && (!own[size] || ((own[size] == '@' || own[size] == ':') &&
                                                        !strcmp(own + size + 1, version)));
}

/* cargo before 1.71 does not name the default members: the package we are in, or all where we are
 * in none. */
static bool is_current(const json_t *package, const char *manifest, const json_t *packages)
{
    const json_t *other;
    size_t i;

    if (!strcmp(json_text_of(package, "manifest_path"), manifest))
        return true;
    json_array_foreach(packages, i, other)
    {
        if (!strcmp(json_text_of(other, "manifest_path"), manifest))
            return false;
    }
    return true;
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
            add_choice(&selected, (struct cargo_target){.package = package,
                                                        .name = json_text_of(package, "name")});
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
            const char *own = json_text_of(target, "name");

            if (cargo_is_kind(target, kind) && (!name || !strcmp(name, own)))
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
        add_choice(&all, (struct cargo_target){.name = json_text_of(package, "name")});
    }
    names = list_names(&all);
    if (spec)
        message_error("no package '%s' in this workspace; it has: %s", spec, names);
    else
        message_error(
            "the workspace has no package to profile; name an executable with --bin PATH");
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
            if (name && cargo_is_kind(target, kind) && !strcmp(json_text_of(target, "name"), name))
                elsewhere = json_text_of(package, "name");
        }
    }
    if (elsewhere)
        message_error("no %s '%s' in %s; package '%s' has it, add -p %s", kind_word(kind), name, in,
                      elsewhere, elsewhere);
    else if (others.n && name)
        message_error("no %s '%s' in %s; there is: %s", kind_word(kind), name, in, names);
    else if (name)
        message_error(
            "no %s '%s' in %s; name another kind of target, or a package that has one with -p",
            kind_word(kind), name, in);
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
            add_choice(&owners, (struct cargo_target){
                                    .name = json_text_of(found->items[i].package, "name")});
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

/* Fills `target`, which borrows from `metadata`. Returns 0, or STATUS_ERROR after having said what
 * there is to choose from. */
static int target_choose(const struct build_request *request, const json_t *metadata,
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

#define AT(member) offsetof(struct build_request, member)

static const char *const message_formats[] = {"human", "short", NULL};

const struct option_def program_options[] = {
    {.name = "bin",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "NAME|PATH",
     .offset = AT(bin),
     .help = "this binary of the package, or outside of one on $PATH; or the executable at PATH"},
    {.name = "example",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "NAME",
     .offset = AT(example),
     .help = "this example"},
    {.name = "test",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "NAME",
     .offset = AT(test),
     .help = "this integration test, run in the package's folder"},
    {.name = "bench",
     .kind = OPTION_ONCE,
     .value = "NAME",
     .offset = AT(bench),
     .help = "this benchmark, run with --bench in the package's folder"},
    {.name = "lib",
     .kind = OPTION_FLAG,
     .offset = AT(lib),
     .help = "the library's unit tests, run in the package's folder"},
    {.name = "bins",
     .kind = OPTION_FLAG,
     .offset = AT(bins),
     .help = "the only binary; several are listed"},
    {.name = "examples", .kind = OPTION_FLAG, .offset = AT(examples), .help = "the only example"},
    {.name = "tests",
     .kind = OPTION_FLAG,
     .offset = AT(tests),
     .help = "the only integration test"},
    {.name = "benches", .kind = OPTION_FLAG, .offset = AT(benches), .help = "the only benchmark"},
    {.name = "test-harness",
     .kind = OPTION_FLAG,
     .offset = AT(test_harness),
     .help = "the unit tests of --bin or --example, not the program itself"},
    {.name = "package",
     .letter = 'p',
     .kind = OPTION_ONCE,
     .value = "SPEC",
     .offset = AT(package),
     .help = "the package to look in"},
    {.name = NULL}};

const struct option_def build_options[] = {
    {.name = "release",
     .letter = 'r',
     .kind = OPTION_FLAG | OPTION_USUAL,
     .offset = AT(release),
     .help = "build with optimisations"},
    {.name = "profile",
     .kind = OPTION_STRING,
     .value = "NAME",
     .offset = AT(profile),
     .help = "build with this profile"},
    {.name = "features",
     .letter = 'F',
     .kind = OPTION_LIST,
     .value = "FEATURES",
     .offset = AT(features),
     .help = "features to switch on"},
    {.name = "all-features",
     .kind = OPTION_FLAG,
     .offset = AT(all_features),
     .help = "switch on all features"},
    {.name = "no-default-features",
     .kind = OPTION_FLAG,
     .offset = AT(no_default_features),
     .help = "leave the default feature off"},
    {.name = "target",
     .kind = OPTION_STRING,
     .value = "TRIPLE",
     .offset = AT(target),
     .help = "build for this target"},
    {.name = "target-dir",
     .kind = OPTION_STRING,
     .value = "DIRECTORY",
     .offset = AT(target_dir),
     .help = "where cargo builds"},
    {.name = "manifest-path",
     .kind = OPTION_STRING,
     .value = "PATH",
     .offset = AT(manifest_path),
     .help = "the Cargo.toml of the package or workspace"},
    {.name = "locked",
     .kind = OPTION_FLAG,
     .offset = AT(locked),
     .help = "fail where Cargo.lock is not up to date"},
    {.name = "offline",
     .kind = OPTION_FLAG,
     .offset = AT(offline),
     .help = "do without the network"},
    {.name = "frozen",
     .kind = OPTION_FLAG,
     .offset = AT(frozen),
     .help = "as if --locked and --offline were given"},
    {.name = "jobs",
     .letter = 'j',
     .kind = OPTION_STRING,
     .value = "N",
     .offset = AT(jobs),
     .help = "build with N jobs at once"},
    {.name = "verbose",
     .letter = 'v',
     .kind = OPTION_COUNT,
     .offset = AT(verbose),
     .help = "have cargo show what it does; -vv: with the output of build scripts"},
    {.name = "config",
     .kind = OPTION_LIST,
     .value = "KEY=VALUE|PATH",
     .offset = AT(config),
     .help = "a setting of cargo, or a file of them; repeatable"},
    {.name = "unstable",
     .letter = 'Z',
     .kind = OPTION_LIST,
     .value = "FLAG",
     .offset = AT(unstable),
     .help = "an unstable flag of a nightly cargo; repeatable"},
    {.name = "message-format",
     .kind = OPTION_CHOICE,
     .value = "FORMAT",
     .offset = AT(message_format),
     .help = "rustc's messages: human or short",
     .choices = message_formats},
    {.name = "no-debuginfo",
     .kind = OPTION_FLAG,
     .offset = AT(no_debuginfo),
     .help = "leave the build alone; else debug=1 (for data, 2) and strip=none are set for it, for "
             "names, lines and types"},
    {.name = NULL}};

/* --bin is a path where it has a '/' or names a file that is there. */
static bool is_path(const char *bin)
{
    struct stat st;

    return strchr(bin, '/') || (stat(bin, &st) == 0 && S_ISREG(st.st_mode));
}

/* The first option that only cargo could obey, or NULL. */
static const char *cargo_option(const struct build_request *r)
{
    const struct {
        const char *name;
        bool given;
    } options[] = {
        {"package", r->package},
        {"release", r->release},
        {"profile", r->profile},
        {"features", r->features.n},
        {"all-features", r->all_features},
        {"no-default-features", r->no_default_features},
        {"target", r->target},
        {"target-dir", r->target_dir},
        {"manifest-path", r->manifest_path},
        {"locked", r->locked},
        {"offline", r->offline},
        {"frozen", r->frozen},
        {"jobs", r->jobs},
        {"verbose", r->verbose},
        {"config", r->config.n},
        {"unstable", r->unstable.n},
        {"message-format", r->message_format},
    };

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given)
            return options[i].name;
    return NULL;
}

int build_request_targets(const struct build_request *r)
{
    return !!r->bin + !!r->example + !!r->test + !!r->bench + r->lib + r->bins + r->examples +
           r->tests + r->benches;
}

int build_request_check(const struct build_request *r)
{
    const char *option;

    if (build_request_targets(r) > 1)
        return message_usage("--bin, --example, --test, --bench, --lib, --bins, --examples, "
                             "--tests and --benches exclude each other; one program is profiled "
                             "at a time");
    if (r->test_harness && (r->test || r->bench || r->tests || r->benches))
        return message_usage("--test-harness is for the unit tests of --bin, --example or --lib; "
                             "add one of the three");
    if (r->test_harness && r->bin && is_path(r->bin))
        return message_usage("--test-harness is for cargo, but --bin '%s' is a file that is run as "
                             "it is; leave one out",
                             r->bin);
    if (r->release && r->profile)
        return message_usage("--release and --profile exclude each other; leave out one");
    if (r->bin && is_path(r->bin) && (option = cargo_option(r)))
        return message_usage("--%s is for cargo, but --bin '%s' is a file that is run as it is; "
                             "leave one out",
                             option, r->bin);
    return 0;
}

static int find_file(const char *bin, struct program *program)
{
    const char *name = path_base(bin);

    /* Links are not followed: a program may go by the name it is called by. Without a '/' it would
     * be looked up on PATH. */
    program->path = strchr(bin, '/') ? xstrdup(bin) : xasprintf("./%s", bin);
    program->name = xstrdup(*name ? name : bin);
    return 0;
}

static int find_by_cargo(const struct build_request *request, struct program *program)
{
    json_t *metadata = cargo_metadata(request);
    struct cargo_target target;
    int status = metadata ? target_choose(request, metadata, &target) : STATUS_ERROR;

    program->root = cargo_folder(metadata, "workspace_root");
    program->target = request->target_dir ? xstrdup(request->target_dir)
                                          : cargo_folder(metadata, "target_directory");
    if (!status)
        status = cargo_build(request, &target, program);
    if (status) {
        program_free(program);
    } else {
        bool is_test = target.harness || !strcmp(target.kind, "test");

        cargo_environment(request, target.package, &program->environment);
        program->is_bench = !strcmp(target.kind, "bench");
        program->name = xstrdup(target.name);
        if (is_test || program->is_bench)
            program->folder = path_folder(json_text_of(target.package, "manifest_path"));
    }
    json_decref(metadata);
    return status;
}

/* Outside of packages: cargo has nothing to build. */
static int find_program(const char *bin, struct program *program)
{
    char *path = process_find(bin);
    int status = path ? find_file(path, program)
                      : message_error("no package here, and no program '%s' on PATH; go to a "
                                      "package, name one with --manifest-path, or name an "
                                      "executable with --bin PATH",
                                      bin);

    free(path);
    return status;
}

bool program_in_package(void)
{
    char *package = saved_project();

    free(package);
    return package != NULL;
}

int program_find(const struct build_request *request, struct program *program)
{
    *program = (struct program){0};
    if (request->bin && is_path(request->bin))
        return find_file(request->bin, program);
    if (request->bin && *request->bin && !cargo_option(request) && !request->test_harness &&
        !program_in_package())
        return find_program(request->bin, program);
    return find_by_cargo(request, program);
}

void program_free(struct program *program)
{
    free(program->path);
    free(program->name);
    free(program->folder);
    free(program->root);
    free(program->libraries);
    string_list_free_texts(&program->environment);
    free(program->target);
    free(program->profile);
    free(program->features);
    packages_free(&program->packages);
    *program = (struct program){0};
}

void build_request_free(struct build_request *request)
{
    string_list_free(&request->features);
    string_list_free(&request->config);
    string_list_free(&request->unstable);
}
