#include <config.h>

#include "run/cargo_profile.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

const char *cargo_profile_name(const struct build_request *request,
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

bool cargo_debug_is_missing(const struct build_request *request, const struct cargo_target *target,
                            const char *root)
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

bool cargo_debug_info(const struct build_request *request, const struct cargo_target *target,
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

const char *cargo_frame_pointers(struct string_list *environment)
{
    const char *encoded = getenv("CARGO_ENCODED_RUSTFLAGS"), *plain = getenv("RUSTFLAGS");

    if (encoded)
        string_list_add(environment, xasprintf("CARGO_ENCODED_RUSTFLAGS=%s%s" FRAME_POINTERS,
                                               encoded, *encoded ? "\x1f" : ""));
    else if (plain)
        string_list_add(environment, xasprintf("RUSTFLAGS=%s " FRAME_POINTERS, plain));
    return encoded || plain ? NULL : "build.rustflags=[\"" FRAME_POINTERS "\"]";
}
