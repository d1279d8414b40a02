#include <config.h>

#include "run/cargo.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "run/libraries.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

const char *cargo_path(void)
{
    const char *path = getenv("CARGO");

    return path && *path ? path : "cargo";
}

static int cargo_missing(int error)
{
    return message_error("cannot run '%s': %s; install Rust with cargo, or name an executable with "
                         "--bin PATH",
                         cargo_path(), strerror(error));
}

static void add_pair(struct string_list *words, const char *option, const char *value)
{
    if (!value)
        return;
    string_list_add(words, option);
    string_list_add(words, value);
}

static void add_flag(struct string_list *words, const char *option, bool on)
{
    if (on)
        string_list_add(words, option);
}

static void append_line(void *data, char *line)
{
    struct strbuf *text = data;

    strbuf_add(text, line);
    strbuf_add_char(text, '\n');
}

/* Puts what cargo prints into `text`; returns an errno where it cannot be started, else 0 with its
 * wait status. */
static int ask(const struct string_list *words, bool quiet, struct strbuf *text, int *status)
{
    struct process_spec spec = PROCESS_SPEC_INIT;

    spec.argv = words->items;
    spec.no_input = true;
    spec.no_errors = quiet;
    strbuf_free(text);
    return process_capture(&spec, append_line, text, status);
}

bool cargo_is_library(const char *kind)
{
    static const char *const kinds[] = {"lib",    "rlib",      "dylib",
                                        "cdylib", "staticlib", "proc-macro"};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i], kind))
            return true;
    return false;
}

/* Adds the options that every call of cargo gets. */
static void add_common_words(const struct build_request *request, struct string_list *words)
{
    add_pair(words, "--manifest-path", request->manifest_path);
    add_flag(words, "--locked", request->locked);
    add_flag(words, "--offline", request->offline);
    add_flag(words, "--frozen", request->frozen);
    for (size_t i = 0; i < request->config.n; i++)
        add_pair(words, "--config", request->config.items[i]);
    for (size_t i = 0; i < request->unstable.n; i++)
        add_pair(words, "-Z", request->unstable.items[i]);
}

static json_t *parse_metadata(const struct strbuf *text)
{
    json_error_t error;
    json_t *metadata = json_loadb(text->text ? text->text : "", text->size, 0, &error);

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
        message_error("cargo cannot take '%s', as it says above; put that right, or name an "
                      "executable with --bin PATH",
                      manifest);
    else
        message_error("no package to profile, as cargo says; go to one, name it with "
                      "--manifest-path, or name an executable with --bin PATH");
    free(manifest);
}

json_t *cargo_metadata(const struct build_request *request)
{
    struct string_list words = {0};
    struct strbuf text = {.text = NULL};
    json_t *metadata = NULL;
    int status = 0, error;

    string_list_add(&words, cargo_path());
    string_list_add(&words, "metadata");
    string_list_add(&words, "--format-version=1");
    string_list_add(&words, "--no-deps");
    add_common_words(request, &words);
    /* Warnings come again with the build, so they are not shown here; what cargo says of a failure
     * is, by asking again. */
    error = ask(&words, true, &text, &status);
    if (!error && status)
        error = ask(&words, false, &text, &status);
    if (error)
        cargo_missing(error);
    else if (status)
        fail_metadata(request);
    else
        metadata = parse_metadata(&text);
    strbuf_free(&text);
    string_list_free(&words);
    return metadata;
}

char *cargo_locate_project(const struct build_request *request)
{
    struct string_list words = {0};
    struct strbuf text = {.text = NULL};
    int status = 0;

    string_list_add(&words, cargo_path());
    string_list_add(&words, "locate-project");
    string_list_add(&words, "--message-format=plain");
    add_pair(&words, "--manifest-path", request->manifest_path);
    if (ask(&words, true, &text, &status) || status)
        strbuf_free(&text);
    string_list_free(&words);
    if (text.text)
        text.text[strcspn(text.text, "\n")] = '\0';
    return text.text;
}

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

/* Debug information for the names, without a change to Cargo.toml. Returns whether it was switched
 * on. */
static bool add_debug_info(const struct build_request *request, const struct cargo_target *target,
                           struct string_list *environment)
{
    const char *profiles[2];
    bool on = false;

    if (request->no_debuginfo)
        return false;
    profiles_of(request, target, profiles);
    for (int i = 0; i < 2 && profiles[i]; i++) {
        /* 1, not line-tables-only: with that rustc leaves out the paths of inlined functions. */
        on |= set_profile_key(environment, profiles[i], "DEBUG", "1");
        set_profile_key(environment, profiles[i], "STRIP", "none");
    }
    return on;
}

static void add_build_words(const struct build_request *request, const struct cargo_target *target,
                            const char *package, const char *kind_option, struct string_list *words)
{
    bool bench = !strcmp(target->kind, "bench");
    bool test = target->harness || !strcmp(target->kind, "test");
    bool library = !strcmp(target->kind, "lib");

    string_list_add(words, cargo_path());
    string_list_add(words, bench ? "bench" : test ? "test" : "build");
    add_flag(words, "--no-run", bench || test);
    string_list_add(words, request->message_format == MESSAGES_SHORT
                               ? "--message-format=json-render-diagnostics,json-diagnostic-short"
                               : "--message-format=json-render-diagnostics");
    add_pair(words, "--package", package);
    if (library)
        string_list_add(words, kind_option);
    else
        add_pair(words, kind_option, target->name);
    /* cargo bench is optimised as it is and knows no --release. */
    add_flag(words, "--release", request->release && !bench);
    add_pair(words, "--profile", request->profile);
    for (size_t i = 0; i < request->features.n; i++)
        add_pair(words, "--features", request->features.items[i]);
    add_flag(words, "--all-features", request->all_features);
    add_flag(words, "--no-default-features", request->no_default_features);
    add_pair(words, "--target", request->target);
    add_pair(words, "--target-dir", request->target_dir);
    add_pair(words, "--jobs", request->jobs);
    for (int i = 0; i < request->verbose; i++)
        string_list_add(words, "--verbose");
    add_common_words(request, words);
}

struct artifact_search {
    const struct cargo_target *target;
    char *executable;
    struct packages *packages;
    struct string_list linked; /* folders that build scripts link from; owned */
};

static bool has_kind(const json_t *artifact, const char *kind)
{
    const json_t *kinds = json_object_get(artifact, "kind"), *item;
    size_t i;

    json_array_foreach(kinds, i, item)
    {
        const char *its = json_string_value(item);

        if (its && (!strcmp(kind, "lib") ? cargo_is_library(its) : !strcmp(its, kind)))
            return true;
    }
    return false;
}

static bool is_target(const json_t *message, const struct cargo_target *target)
{
    const json_t *of = json_object_get(message, "target");
    const char *name = json_string_value(json_object_get(of, "name"));
    const json_t *id = json_object_get(message, "package_id");

    /* A binary may be built beside its tests. */
    if (target->harness &&
        !json_is_true(json_object_get(json_object_get(message, "profile"), "test")))
        return false;
    return name && !strcmp(name, target->name) && has_kind(of, target->kind) &&
           json_equal(id, json_object_get(target->package, "id"));
}

/* The folders that a build script has named, "native=/folder" or without a kind; cargo sets those
 * below what it builds for the run. */
static void read_linked(struct artifact_search *search, const json_t *message)
{
    const json_t *item;
    size_t i;

    json_array_foreach(json_object_get(message, "linked_paths"), i, item)
    {
        const char *text = json_string_value(item), *slash = text ? strchr(text, '/') : NULL;
        const char *out = json_string_value(json_object_get(message, "out_dir"));

        if (slash && out && !strncmp(slash, out, strlen(out)))
            string_list_add(&search->linked, xstrdup(slash));
    }
}

/* One line of cargo's standard output. Build scripts and such may print there too: what is no
 * message of cargo's is not for us. */
static void read_message(void *data, char *line)
{
    struct artifact_search *search = data;
    json_error_t error;
    json_t *message;
    const char *reason, *executable;

    if (*line != '{')
        return;
    message = json_loads(line, 0, &error);
    reason = json_string_value(json_object_get(message, "reason"));
    executable = json_string_value(json_object_get(message, "executable"));
    if (reason && executable && !strcmp(reason, "compiler-artifact") &&
        is_target(message, search->target)) {
        free(search->executable);
        search->executable = xstrdup(executable);
    }
    if (reason && !strcmp(reason, "build-script-executed"))
        read_linked(search, message);
    packages_add(search->packages, message);
    json_decref(message);
}

static int finish_build(const struct cargo_target *target, int error, int status, char *executable)
{
    if (error)
        return cargo_missing(error);
    if (WIFSIGNALED(status))
        return message_error("cargo was ended by %s; nothing was profiled",
                             process_signal_name(WTERMSIG(status)));
    if (status)
        return message_error("the build of '%s' failed, as cargo says above; nothing was profiled",
                             target->name);
    if (!executable)
        return message_error("cargo built no executable of %s '%s'; see what 'cargo build "
                             "--message-format=json' says",
                             target->kind, target->name);
    return 0;
}

static void free_all(struct string_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free((char *)list->items[i]);
    string_list_free(list);
}

int cargo_build(const struct build_request *request, const struct cargo_target *target,
                struct program *program)
{
    struct artifact_search search = {.target = target, .packages = &program->packages};
    struct string_list words = {0}, environment = {0};
    struct process_spec spec = PROCESS_SPEC_INIT;
    char *kind_option = xasprintf("--%s", target->kind);
    char *package = xasprintf("%s@%s", json_string_value(json_object_get(target->package, "name")),
                              json_string_value(json_object_get(target->package, "version")));
    int status = 0, error;

    program->debug_on = add_debug_info(request, target, &environment);
    add_build_words(request, target, package, kind_option, &words);
    spec.argv = words.items;
    spec.environment = &environment;
    /* Standard input belongs to the program that will run. */
    spec.no_input = true;
    error = process_capture(&spec, read_message, &search, &status);
    status = finish_build(target, error, status, search.executable);
    if (status)
        free(search.executable);
    else
        program->path = search.executable;
    if (!status)
        program->libraries = libraries_setting(program->path, &search.linked, request->target);
    free_all(&search.linked);
    free_all(&environment);
    string_list_free(&words);
    free(kind_option);
    free(package);
    return status;
}
