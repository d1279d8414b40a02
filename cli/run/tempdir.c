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

char *tempdir_open(struct tempdir *dir)
{
    const char *parent = getenv("TMPDIR");
    char *absolute, *problem = NULL;

    dir->path = NULL;
    if (!parent || !*parent)
        parent = TEMPDIR_DEFAULT;
    if (strchr(parent, '%'))
        return xasprintf("Valgrind cannot write to '%s' because of the '%%'", parent);
    /* The program may run in another folder, and its tool must find this one. */
    absolute = realpath(parent, NULL);
    dir->path = xasprintf("%s/cargo-cprof.XXXXXX", absolute ? absolute : parent);
    free(absolute);
    if (mkdtemp(dir->path)) {
        cleanup_add(dir->path);
    } else {
        problem = xasprintf("cannot make a temporary folder in '%s': %s", parent, strerror(errno));
        free(dir->path);
        dir->path = NULL;
    }
    return problem;
}

int tempdir_make(struct tempdir *dir)
{
    char *problem = tempdir_open(dir);
    int status = problem ? message_error("%s; %s", problem, TEMPDIR_ADVICE) : 0;

    free(problem);
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
