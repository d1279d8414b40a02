#include <config.h>

#include "run/cargo.h"

#include "base/array.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/sort.h"
#include "base/words.h"
#include "run/setup.h"

#include <ctype.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

/*--- Benches ---*/

/* Packages without any bench are told before anything is compiled. */

enum { MOST_FOLDERS = 20 /* that are open at once */ };

static bool has_bench(void *unused, char *line)
{
    (void)unused;
    return strstr(line, "#[bench]");
}

/* A visitor of nftw(): 1, which ends it, at a source with a bench. */
static int find_bench(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st;
    (void)at;
    return kind == FTW_F && text_ends_in(path, ".rs") && file_lines(xstrdup(path), has_bench, NULL);
}

/* True where a source beside this target's has a bench. */
static bool has_bench_in_source(const json_t *target)
{
    char *folder = path_folder(json_text_of(target, "src_path"));
    bool found = folder && nftw(folder, find_bench, MOST_FOLDERS, FTW_PHYS) == 1;

    free(folder);
    return found;
}

static bool package_has(const json_t *package)
{
    const json_t *targets = json_object_get(package, "targets"), *target;
    size_t i;

    json_array_foreach(targets, i, target)
    {
        if (cargo_is_kind(target, "bench"))
            return true;
    }
    json_array_foreach(targets, i, target)
    {
        if (!cargo_is_kind(target, "custom-build") && has_bench_in_source(target))
            return true;
    }
    return false;
}

/* True where cargo would look into this package. `here`: the manifest that applies, or NULL; where
 * it begins a workspace, all packages may be meant. */
static bool is_meant(const struct build_request *r, const json_t *metadata, const json_t *package,
                     const char *here)
{
    char *root = xasprintf("%s/Cargo.toml", json_text_of(metadata, "workspace_root"));
    bool all = r->workspace || !here || !strcmp(here, root);

    free(root);
    return all || !strcmp(here, json_text_of(package, "manifest_path"));
}

/* False where cargo's metadata has no target for benches in the packages that are asked for, and no
 * source of theirs a function that libtest would take for one (#[bench]). True, too, where a target
 * is named: cargo says what is wrong with that. */
static bool bench_targets_are_there(const struct build_request *r, const json_t *metadata)
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

/*--- Debug information ---*/

/* Debug information for a build, by cargo's variables for profiles. */

#define FRAME_POINTERS "-Cforce-frame-pointers=yes"

/* "release" as it stands in the names of cargo's variables: RELEASE, MY_PROFILE. */
static char *variable_part(const char *profile)
{
    char *part = xstrdup(profile);

    for (char *p = part; *p; p++)
        *p = *p == '-' ? '_' : (char)toupper((unsigned char)*p);
    return part;
}

/* Adds CARGO_PROFILE_<profile>_<key>=<value>, unless the user has set it. Returns whether it did.
 */
static bool set_profile_key(struct string_list *environment, const char *profile, const char *key,
                            const char *value)
{
    char *part = variable_part(profile);
    char *name = xasprintf("CARGO_PROFILE_%s_%s", part, key);
    bool ours = !getenv(name);

    if (ours)
        string_list_add(environment, xasprintf("%s=%s", name, value));
    free(part);
    free(name);
    return ours;
}

/* The profiles that decide how `target` is built: a test's own is "test", that of its dependencies
 * "dev". */
static void profiles_of(const struct build_request *request, const struct cargo_target *target,
                        const char *profiles[2])
{
    profiles[1] = NULL;
    if (request->profile) {
        profiles[0] = request->profile;
    } else if (!strcmp(target->kind, "bench")) {
        profiles[0] = "release";
        profiles[1] = "bench";
    } else if (request->release) {
        profiles[0] = "release";
    } else {
        profiles[0] = "dev";
        if (target->harness || !strcmp(target->kind, "test"))
            profiles[1] = "test";
    }
}

/* The name of the profile that decides how the target and what it depends on are built. */
static const char *cargo_profile_name(const struct build_request *request,
                                      const struct cargo_target *target)
{
    const char *profiles[2];

    profiles_of(request, target, profiles);
    return profiles[0];
}

/* The text behind "debug =" as a level of 0 to 2. */
static int debug_level(const char *value)
{
    static const struct {
        const char *value;
        int level;
    } values[] = {{"true", 2}, {"2", 2}, {"\"full\"", 2}, {"1", 1}, {"\"limited\"", 1}};
    size_t size = strcspn(value, " \t\r\n#");

    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strlen(values[i].value) == size && !memcmp(values[i].value, value, size))
            return values[i].level;
    return 0;
}

/* Skips `word` and blanks; NULL: the text begins with another. */
static const char *behind_word(const char *text, const char *word)
{
    text += strspn(text, " \t");
    if (strncmp(text, word, strlen(word)) != 0)
        return NULL;
    text += strlen(word);
    return text + strspn(text, " \t");
}

/* The level of debug information that a table [profile.NAME] of the workspace's manifest has, 0
 * where it is not found: other ways to say it are not looked for. `*has_packages`: it has levels
 * for single packages, too. */
static int manifest_debug(const char *root, const char *profile, bool *has_packages)
{
    char *path = xasprintf("%s/Cargo.toml", root), *head = xasprintf("[profile.%s]", profile);
    char *packages = xasprintf("[profile.%s.package.", profile);
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    bool within = false;
    int level = !strcmp(profile, "dev") || !strcmp(profile, "test") ? 2 : 0; /* as cargo has it */

    *has_packages = false;
    while (file && getline(&line, &room, file) > 0) {
        const char *value = within ? behind_word(line, "debug") : NULL;

        *has_packages |= strstr(line, packages) != NULL;
        if (line[strspn(line, " \t")] == '[')
            within = behind_word(line, head) != NULL;
        else if (value && (value = behind_word(value, "=")))
            level = debug_level(value);
    }
    free(line);
    if (file)
        fclose(file);
    free(head);
    free(packages);
    free(path);
    return level;
}

/* True where packages that are not the user's own are built without debug information by the
 * manifest in `root`, so that it has to be switched on for these, too. */
static bool cargo_debug_is_missing(const struct build_request *request,
                                   const struct cargo_target *target, const char *root)
{
    const char *profiles[2];
    bool unused;

    profiles_of(request, target, profiles);
    return !root || manifest_debug(root, profiles[0], &unused) < 1;
}

/* Switches it on in one profile, or not where that has it. */
static bool switch_on(const struct build_request *request, const char *root, const char *profile,
                      struct string_list *environment, struct string_list *settings)
{
    int wanted = request->types ? 2 : 1;
    bool has_packages = false, on = false;

    /* 1, not line-tables-only: with that rustc leaves out the paths of inlined functions. 2 has
     * types; code is the same but in a few functions, where rustc keeps values in other registers.
     * A profile that has them already stays: nothing is built anew. */
    if (!root || manifest_debug(root, profile, &has_packages) < wanted)
        on = set_profile_key(environment, profile, "DEBUG", wanted == 2 ? "2" : "1");
    set_profile_key(environment, profile, "STRIP", "none");
    if (on && wanted == 2 && !has_packages)
        string_list_add(settings, xasprintf("profile.%s.package.\"*\".debug=1", profile));
    return on;
}

/* Adds variables, in memory of their own, that switch debug information on for the names, without a
 * change to Cargo.toml, unless the user has set them, there or in variables. Returns whether it was
 * switched on. `root`: the workspace's folder, or NULL. Types are for the user's own packages
 * alone: `settings` gets what leaves others as they are built without types, for --config, in
 * memory of its own. */
static bool cargo_debug_info(const struct build_request *request, const struct cargo_target *target,
                             const char *root, struct string_list *environment,
                             struct string_list *settings)
{
    const char *profiles[2];
    bool on = false;

    if (request->no_debuginfo)
        return false;
    profiles_of(request, target, profiles);
    for (int i = 0; i < 2 && profiles[i]; i++)
        on |= switch_on(request, root, profiles[i], environment, settings);
    return on;
}

/* Has rustc make frame pointers, beside the user's own flags: a variable where these are in one,
 * which is added in memory of its own; else a setting for --config, which is returned and constant.
 * Cargo takes no such setting where a file has flags for a target. */
static const char *cargo_frame_pointers(struct string_list *environment)
{
    const char *encoded = getenv("CARGO_ENCODED_RUSTFLAGS"), *plain = getenv("RUSTFLAGS");

    if (encoded)
        string_list_add(environment, xasprintf("CARGO_ENCODED_RUSTFLAGS=%s%s" FRAME_POINTERS,
                                               encoded, *encoded ? "\x1f" : ""));
    else if (plain)
        string_list_add(environment, xasprintf("RUSTFLAGS=%s " FRAME_POINTERS, plain));
    return encoded || plain ? NULL : "build.rustflags=[\"" FRAME_POINTERS "\"]";
}

/*--- Crates that are built again ---*/

/*
 * Crates that cargo builds once more, since debug information or frame pointers are switched on for
 * the profile: how many, told before that takes its time.
 *
 * The file CARGO_BUILDS_FILE has a line for each kind of build that there was: a profile, a level,
 * and "fp" with frame pointers.
 */

struct cargo_again {
    char *file; /* cprof/built; NULL: nothing is to be kept */
    char *kind; /* the line of the build that is about to begin */
};

/* One line of `cargo tree`: "name v1.2.3 (/folder)". `data`: names with their versions, each once.
 */
static void add_crate(void *data, char *line)
{
    char *space = strchr(line, ' '), *end = space ? strchr(space + 1, ' ') : NULL;

    if (!space || space[1] != 'v')
        return;
    if (end)
        *end = '\0';
    if (!string_list_has(data, line))
        string_list_add(data, xstrdup(line));
}

static void add_flag(struct string_list *words, const char *option, bool on)
{
    if (on)
        string_list_add(words, option);
}

static void add_pair(struct string_list *words, const char *option, const char *value)
{
    add_flag(words, option, value);
    add_flag(words, value, value);
}

/* The option before each of the values. */
static void add_pairs(struct string_list *words, const char *option,
                      const struct string_list *values)
{
    for (size_t i = 0; i < values->n; i++)
        add_pair(words, option, values->items[i]);
}

/* The options that decide what is in a build. */
static void add_feature_words(const struct build_request *r, struct string_list *words)
{
    add_pairs(words, "--features", &r->features);
    add_flag(words, "--all-features", r->all_features);
    add_flag(words, "--no-default-features", r->no_default_features);
    add_pair(words, "--target", r->target);
}

/* The options that decide what is built. */
static void add_words(const struct build_request *r, const struct cargo_target *target,
                      struct string_list *words)
{
    bool dev = target->harness || !strcmp(target->kind, "test") || !strcmp(target->kind, "bench") ||
               !strcmp(target->kind, "example");

    add_pair(words, "--edges", dev ? "normal,build,dev" : "normal,build");
    add_pair(words, "--package", r->package);
    add_flag(words, "--workspace", r->workspace);
    add_feature_words(r, words);
    add_pair(words, "--manifest-path", r->manifest_path);
    add_flag(words, "--offline", r->offline || r->frozen);
}

/* How many crates `cargo tree` knows that the program is built from, besides its own package; 0:
 * it does not tell. */
static size_t count_crates(const struct build_request *request, const struct cargo_target *target)
{
    struct string_list words = STRING_LIST(cargo_path(), "tree", "--prefix", "none"), seen = {0};
    struct process_spec spec = {.no_input = true, .no_errors = true};
    int status = 0;
    size_t n;

    add_words(request, target, &words);
    spec.argv = words.items;
    if (process_capture(&spec, add_crate, &seen, &status) || status)
        n = 0;
    else
        n = seen.n ? seen.n - 1 : 0;
    string_list_free_texts(&seen);
    string_list_free(&words);
    return n;
}

static bool is_line(void *wanted, char *line)
{
    return !strcmp(line, wanted);
}

static void say(const struct build_request *request, const struct cargo_target *target, size_t n,
                bool debug_on)
{
    const char *profile = cargo_profile_name(request, target);
    const char *crates =
        n == 1 ? "crate that yours depends on is" : "crates that yours depend on are";

    if (request->frame_pointers)
        message_note("%zu %s built apart from those of other builds, with frame pointers, for "
                     "--call-graph fp alone",
                     n, crates);
    else if (debug_on)
        message_note("%zu %s built apart from those of 'cargo build', with debug=1, since "
                     "[profile.%s] has less: 'debug = 1' there avoids that, --no-debuginfo, too",
                     n, crates, profile);
}

/* Says how many crates that are not the user's own are about to be built apart from those of `cargo
 * build`, where this is the first build of its kind. `debug_on`: debug information is switched on
 * for these; `target_folder` is cargo's. */
static void cargo_again_begin(struct cargo_again *again, const struct build_request *request,
                              const struct cargo_target *target, const char *target_folder,
                              bool debug_on)
{
    size_t n;

    *again = (struct cargo_again){.file = NULL};
    if (!target_folder || (!debug_on && !request->frame_pointers))
        return;
    again->file = xasprintf("%s/cprof/" CARGO_BUILDS_FILE, target_folder);
    again->kind = xasprintf("%s%s%s", cargo_profile_name(request, target), debug_on ? " 1" : "",
                            request->frame_pointers ? " fp" : "");
    n = file_lines(xstrdup(again->file), is_line, again->kind) ? 0 : count_crates(request, target);
    if (n) {
        say(request, target, n, debug_on);
        return;
    }
    free(again->file);
    again->file = NULL;
}

/* Keeps that there was such a build, unless it failed. */
static void cargo_again_end(struct cargo_again *again, bool failed)
{
    char *folder = again->file && !failed ? path_folder(again->file) : NULL;
    FILE *out = folder && folder_make(folder, 0777) == 0 ? fopen(again->file, "ae") : NULL;

    /* Without it the same is told once more, which does no harm. */
    if (out) {
        fprintf(out, "%s\n", again->kind);
        fclose(out);
    }
    free(folder);
    free(again->file);
    free(again->kind);
    *again = (struct cargo_again){.file = NULL};
}

/*--- Cargo ---*/

const char *cargo_path(void)
{
    return environment_or("CARGO", "cargo");
}

static int cargo_missing(int error)
{
    return message_error(
        "cannot execute '%s': %s; install Rust with cargo, or name an executable with --bin PATH",
        cargo_path(), strerror(error));
}

static bool is_library(const char *kind)
{
    return text_is_word_of("lib rlib dylib cdylib staticlib proc-macro", kind, strlen(kind));
}

bool cargo_is_kind(const json_t *target, const char *kind)
{
    const json_t *item;
    size_t i;

    json_array_foreach(json_object_get(target, "kind"), i, item)
    {
        const char *own = json_string_value(item);

        if (own && (!strcmp(kind, "lib") ? is_library(own) : !strcmp(own, kind)))
            return true;
    }
    return false;
}

/* Adds the options that every call of cargo gets. */
static void add_common_words(const struct build_request *request, struct string_list *words)
{
    add_pair(words, "--manifest-path", request->manifest_path);
    add_flag(words, "--locked", request->locked);
    add_flag(words, "--offline", request->offline);
    add_flag(words, "--frozen", request->frozen);
    add_pairs(words, "--config", &request->config);
    add_pairs(words, "-Z", &request->unstable);
}

static json_t *parse_metadata(const char *text)
{
    json_error_t error;
    json_t *metadata = json_loads(text, 0, &error);

    if (!metadata)
        message_error("cannot read what cargo metadata says: %s; try 'cargo metadata --no-deps'",
                      error.text);
    return metadata;
}

/* `cargo metadata` failed and has said why. */
static void fail_metadata(const struct build_request *request)
{
    char *manifest = cargo_locate_project(request);

    if (manifest)
        message_error("cargo cannot read '%s', and its message says why; mend the file, or name an "
                      "executable with --bin PATH",
                      manifest);
    else
        message_error("no package to profile: cargo found none; go to one, name it with "
                      "--manifest-path, or name an executable with --bin PATH");
    free(manifest);
}

json_t *cargo_metadata(const struct build_request *request)
{
    struct string_list words =
        STRING_LIST(cargo_path(), "metadata", "--format-version=1", "--no-deps");
    struct process_spec spec = {.no_input = true, .no_errors = true};
    char *text;
    json_t *metadata = NULL;
    int status = 0, error;

    add_common_words(request, &words);
    spec.argv = words.items;
    /* Warnings come again with the build, so they are not shown here; what cargo says of a failure
     * is, by asking again. */
    error = process_text(&spec, &text, &status);
    if (!error && status) {
        spec.no_errors = false;
        free(text);
        error = process_text(&spec, &text, &status);
    }
    if (error)
        cargo_missing(error);
    else if (status)
        fail_metadata(request);
    else
        metadata = parse_metadata(text);
    free(text);
    string_list_free(&words);
    return metadata;
}

char *cargo_locate_project(const struct build_request *request)
{
    const char *path = request->manifest_path, *option = path ? "--manifest-path" : NULL;

    return process_line((const char *const[]){cargo_path(), "locate-project",
                                              "--message-format=plain", option, path, NULL});
}

/* The options for how it is built. cargo bench is optimised as it is and knows no --release. */
static void add_option_words(const struct build_request *request, bool bench,
                             struct string_list *words)
{
    add_flag(words, "--release", request->release && !bench);
    add_pair(words, "--profile", request->profile);
    add_feature_words(request, words);
    add_pair(words, "--target-dir", request->target_dir);
    add_pair(words, "--jobs", request->jobs);
    for (int i = 0; i < request->verbose; i++)
        string_list_add(words, "--verbose");
    add_common_words(request, words);
}

static void add_message_words(const struct build_request *request, struct string_list *words)
{
    string_list_add(words, request->message_format == MESSAGES_SHORT
                               ? "--message-format=json-render-diagnostics,json-diagnostic-short"
                               : "--message-format=json-render-diagnostics");
}

static void add_build_words(const struct build_request *request, const struct cargo_target *target,
                            const char *package, const char *kind_option, struct string_list *words)
{
    bool bench = !strcmp(target->kind, "bench");
    bool test = target->harness || !strcmp(target->kind, "test");

    STRING_LIST_ADD(words, cargo_path(), bench ? "bench" : test ? "test" : "build");
    add_flag(words, "--no-run", bench || test);
    add_pair(words, "--package", package);
    if (!strcmp(target->kind, "lib"))
        string_list_add(words, kind_option);
    else
        add_pair(words, kind_option, target->name);
    add_message_words(request, words);
    add_option_words(request, bench, words);
}

/* A build, and what it has made. */
struct build {
    const struct build_request *request;
    const struct cargo_target *target; /* of any name where `built` is set */
    const char *root, *target_folder;  /* of the workspace; NULL: not known */
    bool debug_on;                     /* debug information was switched on for it */
    char *executable;
    struct cargo_built *built; /* all that have a harness */
    struct packages *packages;
    struct string_list linked; /* folders that build scripts link from; owned */
    struct string_list rust;   /* folders of rustc's libraries; owned */
};

static const char *kind_of(const json_t *target)
{
    const char *kind = json_string_value(json_array_get(json_object_get(target, "kind"), 0));

    return kind ? kind : "";
}

static bool is_test(const json_t *message)
{
    return json_is_true(json_object_get(json_object_get(message, "profile"), "test"));
}

static bool is_target(const json_t *message, const struct cargo_target *target)
{
    const json_t *built = json_object_get(message, "target");
    const json_t *id = json_object_get(message, "package_id");

    /* A binary may be built beside its tests. */
    if (target->harness && !is_test(message))
        return false;
    return !strcmp(json_text_of(built, "name"), target->name) &&
           cargo_is_kind(built, target->kind) &&
           json_equal(id, json_object_get(target->package, "id"));
}

/* The folders that a build script has named, "native=/folder" or without a kind; cargo sets those
 * below what it builds for the run. */
static void read_linked(struct build *build, const json_t *message)
{
    const json_t *item;
    size_t i;

    json_array_foreach(json_object_get(message, "linked_paths"), i, item)
    {
        const char *text = json_string_value(item), *slash = text ? strchr(text, '/') : NULL;
        const char *out = json_string_value(json_object_get(message, "out_dir"));

        if (slash && out && !strncmp(slash, out, strlen(out)))
            string_list_add(&build->linked, xstrdup(slash));
    }
}

/* An executable with a harness: cargo calls all of them tests. */
static void add_built(struct cargo_built *built, const json_t *message)
{
    const json_t *target = json_object_get(message, "target");
    char *folder = path_folder(json_text_of(message, "manifest_path"));

    if (!is_test(message)) {
        free(folder);
        return;
    }
    APPEND(built->items, built->n, built->room) = (struct cargo_executable){
        .kind = xstrdup(cargo_is_kind(target, "lib") ? "lib" : kind_of(target)),
        .program = {.path = xstrdup(json_text_of(message, "executable")),
                    .name = xstrdup(json_text_of(target, "name")),
                    .folder = folder ? folder : xstrdup(""),
                    .root = built->root ? xstrdup(built->root) : NULL,
                    .target = built->target ? xstrdup(built->target) : NULL}};
}

/* One line of cargo's standard output. Build scripts and such may print there too: what is no
 * message of cargo's is not for us. */
static void read_message(void *data, char *line)
{
    struct build *build = data;
    json_error_t error;
    json_t *message;
    const char *reason, *executable;
    bool is_made;

    if (*line != '{')
        return;
    message = json_loads(line, 0, &error);
    reason = json_text_of(message, "reason");
    executable = json_string_value(json_object_get(message, "executable"));
    is_made = executable && !strcmp(reason, "compiler-artifact");
    if (is_made && build->built) {
        add_built(build->built, message);
    } else if (is_made && is_target(message, build->target)) {
        free(build->executable);
        build->executable = xstrdup(executable);
    }
    if (!strcmp(reason, "build-script-executed"))
        read_linked(build, message);
    packages_add(build->packages, message);
    json_decref(message);
}

/* `what`: what was to be built. */
static int check_build(const char *what, int error, int status)
{
    if (error)
        return cargo_missing(error);
    if (WIFSIGNALED(status))
        return message_error("cargo was ended by %s, and nothing was profiled; run it again",
                             process_signal_name(WTERMSIG(status)));
    if (status)
        return message_error(
            "the build of %s failed, and cargo's messages say why; nothing was profiled", what);
    return 0;
}

static int finish_build(const struct cargo_target *target, int error, int status, char *executable)
{
    char *what = xasprintf("'%s'", target->name);

    status = check_build(what, error, status);
    free(what);
    if (!status && !executable)
        return message_error("cargo built no executable of %s '%s'; see what 'cargo build "
                             "--message-format=json' says",
                             target->kind, target->name);
    return status;
}

/* Runs cargo with these words, which are freed, for what `build` asks for. Returns an errno where
 * it cannot be started, else 0 with its wait status. */
static int run_build(struct build *build, struct string_list *words, int *status)
{
    const struct build_request *r = build->request;
    struct string_list environment = {0}, settings = {0};
    /* Standard input belongs to the program that will run. */
    struct process_spec spec = {.environment = &environment, .no_input = true};
    struct cargo_again again;
    int error;

    build->debug_on = cargo_debug_info(r, build->target, build->root, &environment, &settings);
    add_pairs(words, "--config", &settings);
    if (r->frame_pointers)
        add_pair(words, "--config", cargo_frame_pointers(&environment));
    spec.argv = words->items;
    cargo_again_begin(&again, r, build->target, build->target_folder,
                      build->debug_on && cargo_debug_is_missing(r, build->target, build->root));
    error = process_capture(&spec, read_message, build, status);
    cargo_again_end(&again, error || *status);
    if (!error && !*status)
        libraries_of_rust(r->target, &build->rust);
    string_list_free_texts(&environment);
    string_list_free_texts(&settings);
    string_list_free(words);
    return error;
}

/* Describes a program that the build has made. */
static void describe(const struct build *build, struct program *program)
{
    program->profile = xstrdup(cargo_profile_name(build->request, build->target));
    program->features = setup_features(build->request);
    program->libraries = libraries_setting(program->path, &build->linked, &build->rust);
}

static void end_build(struct build *build)
{
    string_list_free_texts(&build->rust);
    string_list_free_texts(&build->linked);
}

int cargo_build(const struct build_request *request, const struct cargo_target *target,
                struct program *program)
{
    struct build build = {.request = request,
                          .target = target,
                          .root = program->root,
                          .target_folder = program->target,
                          .packages = &program->packages};
    struct string_list words = {0};
    char *kind_option = xasprintf("--%s", target->kind);
    char *package = xasprintf("%s@%s", json_text_of(target->package, "name"),
                              json_text_of(target->package, "version"));
    int status = 0, error;

    add_build_words(request, target, package, kind_option, &words);
    error = run_build(&build, &words, &status);
    status = finish_build(target, error, status, build.executable);
    program->debug_on = build.debug_on;
    program->path = build.executable;
    if (!status)
        describe(&build, program);
    end_build(&build);
    free(kind_option);
    free(package);
    return status;
}

/*--- All at once ---*/

/* The targets that are asked for; none: those that the command takes by itself. */
static void add_selection(const struct build_request *r, struct string_list *words)
{
    add_pair(words, "--package", r->package);
    add_flag(words, "--workspace", r->workspace);
    add_pair(words, "--bin", r->bin);
    add_pair(words, "--example", r->example);
    add_pair(words, "--test", r->test);
    add_pair(words, "--bench", r->bench);
    add_flag(words, "--lib", r->lib);
    add_flag(words, "--bins", r->bins);
    add_flag(words, "--examples", r->examples);
    add_flag(words, "--tests", r->tests);
    add_flag(words, "--benches", r->benches);
}

char *cargo_folder(const json_t *metadata, const char *key)
{
    const char *text = json_string_value(json_object_get(metadata, key));

    return text ? xstrdup(text) : NULL;
}

/* Cargo's own order: by package, and of that the library first. */
static int compare_executables(const void *a, const void *b)
{
    static const char *const kinds[] = {"lib", "bin", "example", "test", "bench"};
    const struct cargo_executable *x = a, *y = b;
    int order = strcmp(x->program.folder, y->program.folder);

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !order; i++)
        order = !strcmp(y->kind, kinds[i]) - !strcmp(x->kind, kinds[i]);
    return order ? order : strcmp(x->program.name, y->program.name);
}

int cargo_build_all(const struct build_request *request, bool benches, struct cargo_built *built)
{
    const struct cargo_target any = {.kind = benches ? "bench" : "test"};
    struct build build = {
        .request = request, .target = &any, .built = built, .packages = &built->packages};
    struct string_list words = STRING_LIST(cargo_path(), any.kind, "--no-run");
    json_t *metadata = cargo_metadata(request);
    int status = 0, error;

    *built = (struct cargo_built){.n = 0};
    if (!metadata)
        return STATUS_ERROR;
    if (benches && !bench_targets_are_there(request, metadata)) {
        json_decref(metadata);
        return message_error("there are no benches: no target [[bench]] and no #[bench] in this "
                             "package; --workspace or --package looks into others, 'cargo cprof "
                             "test' and 'callgrind' profile what there is");
    }
    build.root = built->root = cargo_folder(metadata, "workspace_root");
    build.target_folder = built->target = request->target_dir
                                              ? xstrdup(request->target_dir)
                                              : cargo_folder(metadata, "target_directory");
    json_decref(metadata);
    add_selection(request, &words);
    add_message_words(request, &words);
    add_option_words(request, benches, &words);
    error = run_build(&build, &words, &status);
    built->debug_on = build.debug_on;
    status = check_build(benches ? "the benches" : "the tests", error, status);
    sort_items(built->items, built->n, sizeof *built->items, compare_executables);
    for (size_t i = 0; i < built->n && !status; i++)
        describe(&build, &built->items[i].program);
    end_build(&build);
    if (status)
        cargo_built_free(built);
    return status;
}

void cargo_built_free(struct cargo_built *built)
{
    for (size_t i = 0; i < built->n; i++) {
        free(built->items[i].kind);
        program_free(&built->items[i].program);
    }
    free(built->items);
    free(built->root);
    free(built->target);
    packages_free(&built->packages);
    *built = (struct cargo_built){.n = 0};
}

/*--- Doc tests ---*/

/* "CARGO_ENCODED_RUSTDOCFLAGS=...": the user's own flags, and those that have `tool` run each doc
 * test. The caller frees it. */
static char *doc_flags(const char *tool)
{
    const char *encoded = getenv("CARGO_ENCODED_RUSTDOCFLAGS"), *plain = getenv("RUSTDOCFLAGS");
    const char *own = encoded ? encoded : plain ? plain : "";
    char *text = xasprintf("CARGO_ENCODED_RUSTDOCFLAGS=%s%s--test-runtool\x1f%s\x1f-C\x1f"
                           "debuginfo=1",
                           own, *own ? "\x1f" : "", tool);

    for (char *c = text; !encoded && *c; c++)
        if (*c == ' ' && (size_t)(c - text) < strlen("CARGO_ENCODED_RUSTDOCFLAGS=") + strlen(own))
            *c = '\x1f';
    return text;
}

int cargo_doc_tests(const struct build_request *request, const char *folder, const char *tool,
                    char *const *arguments, void (*line)(void *data, char *text), void *data,
                    int *status)
{
    const struct cargo_target any = {.kind = "test"};
    struct string_list words = STRING_LIST(cargo_path(), "test", "--doc");
    struct string_list environment = {0}, settings = {0};
    struct process_spec spec = {.environment = &environment, .no_input = true};
    char *manifest = xasprintf("%s/Cargo.toml", folder);
    struct build_request doc_request = *request;
    int error;

    /* A name could be that of a dependency, too. */
    doc_request.manifest_path = manifest;

    (void)cargo_debug_info(request, &any, NULL, &environment, &settings);
    string_list_add(&environment, doc_flags(tool));
    add_option_words(&doc_request, false, &words);
    string_list_add(&words, "--");
    string_list_append(&words, (const char *const *)arguments);
    spec.argv = words.items;
    error = process_capture(&spec, line, data, status);
    string_list_free_texts(&environment);
    string_list_free(&words);
    free(manifest);
    return error ? cargo_missing(error) : 0;
}

bool cargo_knows_runtool(const char *empty_file)
{
    const char *const words[] = {environment_or("RUSTDOC", "rustdoc"),
                                 "--test",
                                 "--test-runtool=true",
                                 "--crate-name=empty",
                                 empty_file,
                                 NULL};
    const struct process_spec spec = {.argv = words, .no_input = true, .no_errors = true};
    char *text;
    int status = 0, error = process_text(&spec, &text, &status);

    free(text);
    return !error && !status;
}
