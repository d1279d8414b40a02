#include <config.h>

#include "run/cargo_profile.h"

#include "base/memory.h"

#include <ctype.h>
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

bool cargo_debug_info(const struct build_request *request, const struct cargo_target *target,
                      struct string_list *environment)
{
    const char *profiles[2];
    bool on = false;

    if (request->no_debuginfo)
        return false;
    profiles_of(request, target, profiles);
    for (int i = 0; i < 2 && profiles[i]; i++) {
        /* 1, not line-tables-only: with that rustc leaves out the paths of inlined functions. 2 has
         * types; code is the same but in a few functions, where rustc keeps values in other
         * registers. */
        on |= set_profile_key(environment, profiles[i], "DEBUG", request->types ? "2" : "1");
        set_profile_key(environment, profiles[i], "STRIP", "none");
    }
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
