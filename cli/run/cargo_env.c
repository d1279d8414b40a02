#include <config.h>

#include "run/cargo_env.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "run/cargo.h"
#include "run/libraries.h"
#include "run/machine.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
        char *number = xstrndup(at, size);

        add(environment, parts[i], number);
        free(number);
        at += size + (at[size] == '.');
    }
    if (dash) {
        char *pre = xstrndup(dash + 1, strcspn(dash + 1, "+"));

        add(environment, "CARGO_PKG_VERSION_PRE", pre);
        free(pre);
    } else {
        add(environment, "CARGO_PKG_VERSION_PRE", "");
    }
}

static void add_authors(struct string_list *environment, const json_t *authors)
{
    struct strbuf text = {.text = NULL};
    const json_t *author;
    size_t i;

    json_array_foreach(authors, i, author)
    {
        if (json_is_string(author))
            strbuf_addf(&text, "%s%s", text.size ? ":" : "", json_string_value(author));
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
    const char *manifest = json_string_value(json_object_get(package, "manifest_path"));
    const char *version = json_string_value(json_object_get(package, "version"));
    char *cargo = libraries_cargo();
    const char *slash = manifest ? strrchr(manifest, '/') : NULL;

    if (cargo)
        add(environment, "CARGO", cargo);
    free(cargo);
    if (slash) {
        char *folder = xstrndup(manifest, (size_t)(slash - manifest));

        add(environment, "CARGO_MANIFEST_DIR", folder);
        free(folder);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add(environment, texts[i].variable,
            json_string_value(json_object_get(package, texts[i].key)));
    add_version(environment, version ? version : "");
    add_authors(environment, json_object_get(package, "authors"));
}

/*--- The configuration ---*/

static void add_line(void *data, char *line)
{
    struct strbuf *text = data;

    strbuf_add(text, line);
    strbuf_add_char(text, '\n');
}

/* Has cargo print its configuration, which takes the permission that a nightly cargo has. The text
 * is NULL where it does not know how. */
static char *ask(const struct build_request *request, const char *format, const char *origin)
{
    const char *const permission[] = {"RUSTC_BOOTSTRAP=1"};
    struct string_list words = {0}, environment = {0};
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct strbuf text = {.text = NULL};
    int status = 0;

    string_list_add(&words, cargo_path());
    string_list_add(&words, "-Zunstable-options");
    for (size_t i = 0; i < request->config.n; i++) {
        string_list_add(&words, "--config");
        string_list_add(&words, request->config.items[i]);
    }
    string_list_add(&words, "config");
    string_list_add(&words, "get");
    string_list_add(&words, format);
    if (origin)
        string_list_add(&words, origin);
    string_list_add(&environment, permission[0]);
    spec.argv = words.items;
    spec.environment = &environment;
    spec.no_input = spec.no_errors = true;
    if (process_capture(&spec, add_line, &text, &status) || status)
        strbuf_free(&text);
    string_list_free(&words);
    string_list_free(&environment);
    return text.text;
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
    if (line) {
        path = xstrdup(line + 4);
        for (int i = 0; i < 2; i++)
            if (strrchr(path, '/'))
                *strrchr(path, '/') = '\0';
    }
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
    const char *slash = strrchr(words->items[0], '/');

    if (strcmp(slash ? slash + 1 : words->items[0], "env") != 0)
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
        strbuf_addf(&text, "%s%s", i ? " " : "", words->items[i]);
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

void cargo_environment(const struct build_request *request, const json_t *package,
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
