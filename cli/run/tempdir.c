#include <config.h>

#include "run/tempdir.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/message.h"

int tempdir_make(struct tempdir *dir)
{
    const char *parent = getenv("TMPDIR");
    char *absolute;
    int status = 0;

    if (!parent || !*parent)
        parent = "/tmp";
    /* The program may run in another folder, and its tool must find this one. */
    absolute = realpath(parent, NULL);
    dir->path = xasprintf("%s/cargo-cprof.XXXXXX", absolute ? absolute : parent);
    free(absolute);
    if (mkdtemp(dir->path)) {
        cleanup_add(dir->path);
    } else {
        status = message_error("cannot make a temporary folder in '%s': %s; set TMPDIR to a folder "
                               "with room",
                               parent, strerror(errno));
        free(dir->path);
        dir->path = NULL;
    }
    return status;
}

void tempdir_clear(const struct tempdir *dir, const char *keep)
{
    DIR *list = opendir(dir->path);
    struct dirent *entry;

    if (!list)
        return;
    while ((entry = readdir(list)))
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
            !(keep && !strcmp(entry->d_name, keep)))
            unlinkat(dirfd(list), entry->d_name, 0);
    closedir(list);
}

void tempdir_remove(struct tempdir *dir)
{
    if (!dir->path)
        return;
    tempdir_clear(dir, NULL);
    rmdir(dir->path);
    cleanup_forget(dir->path);
    free(dir->path);
    dir->path = NULL;
}
