#include <config.h>

#include "run/kept_files.h"

#include "base/memory.h"
#include "base/message.h"
#include "run/baseline.h"
#include "run/cargo_again.h"
#include "run/saved_profile.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_in(const char *name, const char *ending)
{
    size_t size = strlen(name), its = strlen(ending);

    return size > its && !strcmp(name + size - its, ending);
}

/* Only what we wrote: others may keep files there. */
static int is_ours(const struct dirent *entry)
{
    const char *name = entry->d_name;

    return name[0] != '.' &&
           (ends_in(name, ".cprof") || ends_in(name, ".packages.json") || ends_in(name, ".noise") ||
            ends_in(name, BASELINE_BENCHES) || ends_in(name, BASELINE_TESTS) ||
            !strcmp(name, "report.html") || !strcmp(name, "diff.html") ||
            !strcmp(name, "flamegraph.svg") || !strcmp(name, CARGO_AGAIN_FILE));
}

static int remove_file(const char *path, struct kept_removed *removed)
{
    struct stat facts;

    if (lstat(path, &facts) < 0 || !S_ISREG(facts.st_mode))
        return 0;
    if (unlink(path) < 0)
        return message_error("cannot remove '%s': %s", path, strerror(errno));
    removed->n++;
    if (facts.st_nlink == 1)
        removed->bytes += (uint64_t)facts.st_size;
    return 0;
}

/* The user's folder has runs of all places: those that are the same file as one of this place. */
static int remove_users(const char *path, const char *users, const char *name,
                        struct kept_removed *removed)
{
    char *other = xasprintf("%s/%s", users, name);
    struct stat its, others;
    int status = 0;

    if (stat(path, &its) == 0 && stat(other, &others) == 0 && its.st_dev == others.st_dev &&
        its.st_ino == others.st_ino)
        status = remove_file(other, removed);
    free(other);
    return status;
}

/* Removes our files in `folder`, and the folder itself if nothing is left. */
static int remove_in(const char *folder, const char *users, struct kept_removed *removed)
{
    struct dirent **entries = NULL;
    int n = folder ? scandir(folder, &entries, is_ours, alphasort) : 0, status = 0;

    for (int i = 0; i < n; i++) {
        char *path = xasprintf("%s/%s", folder, entries[i]->d_name);

        if (!status && users)
            status = remove_users(path, users, entries[i]->d_name, removed);
        if (!status)
            status = remove_file(path, removed);
        free(path);
        free(entries[i]);
    }
    free(entries);
    if (folder)
        (void)rmdir(folder);
    return status;
}

static int remove_baselines(struct kept_removed *removed)
{
    char *folders[2], *project = saved_project();
    int status;

    baseline_folders(folders);
    status = remove_in(project ? folders[0] : folders[1], NULL, removed);
    free(folders[0]);
    free(folders[1]);
    free(project);
    return status;
}

int kept_files_remove(bool baselines, struct kept_removed *removed)
{
    char *folders[2], *users = saved_state_folder();
    int status = 0;

    *removed = (struct kept_removed){0};
    saved_place_folders(folders);
    if (baselines)
        status = remove_baselines(removed);
    if (!status)
        status = remove_in(folders[0], NULL, removed);
    if (!status)
        status = remove_in(folders[1], users, removed);
    free(folders[0]);
    free(folders[1]);
    free(users);
    return status;
}
