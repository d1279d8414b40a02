#include <config.h>

#include "run/last.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

char *last_profile_in(const char *target_folder)
{
    return xasprintf("%s/cprof/last.cprof", target_folder);
}

/* The profile in `target_folder`, which is freed; NULL: there is none. */
static char *existing(char *target_folder)
{
    char *path = last_profile_in(target_folder);

    free(target_folder);
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

static bool has_manifest(const char *folder)
{
    char *manifest = xasprintf("%s/Cargo.toml", folder);
    bool has = access(manifest, F_OK) == 0;

    free(manifest);
    return has;
}

char *last_profile_path(void)
{
    const char *target = getenv("CARGO_TARGET_DIR");
    char *folder, *path = NULL;

    if (target && *target)
        return existing(xstrdup(target));
    folder = getcwd(NULL, 0);
    while (folder && !path) {
        char *slash = strrchr(folder, '/');

        if (has_manifest(folder))
            path = existing(xasprintf("%s/target", folder));
        if (!slash)
            break;
        *slash = '\0'; /* the root's own is "" */
    }
    free(folder);
    return path;
}
