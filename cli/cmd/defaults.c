#include <config.h>

#include "cmd/defaults.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/toml.h"
#include "cmd/commands.h"
#include "run/cargo.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A command that runs, and where a value for it is from. */
struct defaults {
    const struct command *command;
    const struct option_group *groups;
    struct option_result *result;
    struct string_list *kept;
    const char *file;   /* for messages */
    const char *prefix; /* of a key's path in cargo's metadata */
};

/* Returns STATUS_USAGE after having said where it is; `line` 0: in metadata. */
static int refuse(const struct defaults *d, const char *table, const char *key, unsigned long line,
                  const char *why)
{
    const char *dot = *table && *key ? "." : "";

    if (line)
        return message_usage("%s:%lu: %s%s%s: %s", d->file, line, table, dot, key, why);
    return message_usage("%s.%s%s%s in '%s': %s", d->prefix, table, dot, key, d->file, why);
}

/* The texts of a file are there while it is read: copies last as long as the command. */
static void keep_texts(const struct defaults *d, const struct option_value *value,
                       struct option_value *kept)
{
    *kept = (struct option_value){.kind = value->kind, .on = value->on};
    for (size_t i = 0; i < value->texts.n; i++) {
        char *text = xstrdup(value->texts.items[i]);

        string_list_add(d->kept, text);
        string_list_add(&kept->texts, text);
    }
}

static int check_table(const struct defaults *d, const char *table, unsigned long line)
{
    return command_find(table)
               ? 0
               : refuse(d, table, "", line, "no such command; 'cargo cprof help' lists them");
}

/* One option of one command. */
static int apply(const struct defaults *d, const char *table, const char *key,
                 const struct option_value *value, unsigned long line)
{
    struct option_value kept;
    char *wrong;
    int status = check_table(d, table, line);

    if (status || strcmp(table, d->command->name) != 0)
        return status;
    keep_texts(d, value, &kept);
    wrong = options_set(d->groups, d->result, key, &kept);
    string_list_free(&kept.texts);
    if (wrong)
        status = refuse(d, table, key, line, wrong);
    free(wrong);
    return status;
}

/*--- config.toml ---*/

static int apply_line(void *data, const char *table, const char *key,
                      const struct option_value *value, unsigned long line)
{
    const struct defaults *d = data;

    if (!*table)
        return refuse(d, "", key, line,
                      "an option stands in the table of its command, such as [callgrind]");
    return apply(d, table, key, value, line);
}

/* The text of a file; NULL with errno: it cannot be read. The caller frees it. */
static char *read_text(const char *path)
{
    FILE *in = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    int failed = errno;

    if (!in)
        return NULL;
    if (getdelim(&text, &room, '\0', in) < 0) { /* an error, or the file is empty */
        failed = errno;
        free(text);
        text = ferror(in) ? NULL : xstrdup("");
    }
    fclose(in);
    errno = failed;
    return text;
}

static char *config_path(void)
{
    char *folder = folder_of_user("XDG_CONFIG_HOME", ".config");
    char *path = folder ? xasprintf("%s/cprof/config.toml", folder) : NULL;

    free(folder);
    return path;
}

static int apply_config(struct defaults *d)
{
    char *path = config_path(), *text = path ? read_text(path) : NULL, error[128];
    unsigned long line;
    int status = 0;

    d->file = path;
    if (path && !text && errno != ENOENT && errno != ENOTDIR)
        status =
            message_error("cannot read '%s': %s; check the permissions", path, strerror(errno));
    else if (text)
        status = toml_read(text, apply_line, d, &line, error);
    if (status < 0)
        status = message_usage("%s:%lu: %s", path, line, error);
    free(text);
    free(path);
    return status;
}

/*--- Cargo's metadata ---*/

/* A value that stands in JSON; false: no option takes such. The texts are borrowed. */
static bool value_of(const json_t *json, struct option_value *value, char number[24])
{
    const json_t *item;
    size_t i;

    *value = (struct option_value){.kind = OPTION_VALUE_TEXT};
    if (json_is_string(json)) {
        string_list_add(&value->texts, json_string_value(json));
    } else if (json_is_integer(json)) {
        value->kind = OPTION_VALUE_NUMBER;
        snprintf(number, 24, "%" JSON_INTEGER_FORMAT, json_integer_value(json));
        string_list_add(&value->texts, number);
    } else if (json_is_boolean(json)) {
        value->kind = OPTION_VALUE_SWITCH;
        value->on = json_is_true(json);
    } else if (json_is_array(json)) {
        value->kind = OPTION_VALUE_TEXTS;
        json_array_foreach(json, i, item)
        {
            if (!json_is_string(item))
                return false;
            string_list_add(&value->texts, json_string_value(item));
        }
    } else {
        return false;
    }
    return true;
}

static int apply_table(const struct defaults *d, const char *table, const json_t *options)
{
    const char *key;
    json_t *json;
    int status = check_table(d, table, 0);

    if (!status && !json_is_object(options))
        status = refuse(d, table, "", 0, "expected a table of options");
    if (status)
        return status;
    json_object_foreach((json_t *)options, key, json)
    {
        struct option_value value;
        char number[24];

        if (!status && !value_of(json, &value, number))
            status = refuse(d, table, key, 0,
                            "expected a text, a whole number, true, false or a list of texts");
        else if (!status)
            status = apply(d, table, key, &value, 0);
        string_list_free(&value.texts);
    }
    return status;
}

/* The "cprof" of a package's metadata, or of the workspace's. */
static int apply_metadata(struct defaults *d, const json_t *owner, const char *prefix,
                          const char *file)
{
    json_t *tables = json_object_get(json_object_get(owner, "metadata"), "cprof"), *options;
    const char *table;
    int status = 0;

    d->prefix = prefix;
    d->file = file;
    if (tables && !json_is_object(tables))
        return message_usage("%s in '%s': expected a table", prefix, file);
    json_object_foreach(tables, table, options)
    {
        if (!status)
            status = apply_table(d, table, options);
    }
    return status;
}

static bool mentions_us(void *data, char *line)
{
    (void)data;
    return strstr(line, "cprof") != NULL;
}

/* The manifest of the package or workspace that is meant; NULL: none, or nothing in it or in those
 * above it is for us, and cargo need not be asked. */
static char *find_manifest(const char *given)
{
    char *path = given ? realpath(given, NULL) : NULL, *folder, *manifest = NULL;
    bool ours = false;

    if (given && !path)
        return NULL; /* cargo will say so */
    if (path)
        *strrchr(path, '/') = '\0';
    folder = path ? path : getcwd(NULL, 0);
    while (folder) {
        char *here = xasprintf("%s/Cargo.toml", folder), *slash = strrchr(folder, '/');

        ours |= file_lines(xstrdup(here), mentions_us, NULL);
        if (!manifest && access(here, F_OK) == 0)
            manifest = xstrdup(here);
        free(here);
        if (!slash)
            break;
        *slash = '\0';
    }
    free(folder);
    if (ours)
        return manifest;
    free(manifest);
    return NULL;
}

/* The package whose manifest this is, or the one that -p names. */
static const json_t *find_package(const json_t *metadata, const char *manifest, const char *name)
{
    const json_t *package;
    size_t i;

    json_array_foreach(json_object_get(metadata, "packages"), i, package)
    {
        const char *own = json_string_value(json_object_get(package, "name"));
        const char *path = json_string_value(json_object_get(package, "manifest_path"));

        if (name ? own && !strcmp(own, name) : path && !strcmp(path, manifest))
            return package;
    }
    return NULL;
}

static int apply_cargo(struct defaults *d)
{
    const struct build_request request = {.manifest_path =
                                              options_text(d->groups, "manifest-path")};
    char *manifest = find_manifest(request.manifest_path), *file;
    json_t *metadata = manifest ? cargo_metadata(&request) : NULL;
    const json_t *package = find_package(metadata, manifest, options_text(d->groups, "package"));
    const char *root = json_string_value(json_object_get(metadata, "workspace_root"));
    const char *path = json_string_value(json_object_get(package, "manifest_path"));
    int status = manifest && !metadata ? STATUS_ERROR : 0;

    file = xasprintf("%s/Cargo.toml", root ? root : "");
    if (package)
        status = apply_metadata(d, package, "package.metadata.cprof", path);
    if (!status && metadata)
        status = apply_metadata(d, metadata, "workspace.metadata.cprof", file);
    free(file);
    free(manifest);
    json_decref(metadata);
    return status;
}

/*--- All of it ---*/

static bool has_options(const struct option_group *groups)
{
    for (; groups->title; groups++)
        if (groups->defs->name)
            return true;
    return false;
}

int defaults_apply(const struct command *command, const struct option_group *groups,
                   struct option_result *result, struct string_list *kept)
{
    struct defaults d = {.command = command, .groups = groups, .result = result, .kept = kept};
    int status;

    if (!has_options(groups))
        return 0;
    status = apply_cargo(&d);
    return status ? status : apply_config(&d);
}
