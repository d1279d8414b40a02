#include <config.h>

#include "run/saved_profile.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "cprof"
#define LAST   "last.cprof"

/* `folder`/cprof/`name`, where that is there; NULL if not. Frees `folder`. */
static char *existing(char *folder, const char *name)
{
    char *path = folder ? xasprintf("%s/" FOLDER "/%s", folder, name) : NULL;

    free(folder);
    if (path && access(path, R_OK) == 0)
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

/* The user's folder for state, or NULL. */
static char *state_folder(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

    /* By its specification a relative path is to be ignored. */
    if (state && *state == '/')
        return xstrdup(state);
    return home && *home == '/' ? xasprintf("%s/.local/state", home) : NULL;
}

/* The file called `name` of the nearest package that has one. */
static char *package_file(const char *name)
{
    const char *target = getenv("CARGO_TARGET_DIR");
    char *folder, *path = NULL;

    if (target && *target)
        return existing(xstrdup(target), name);
    folder = getcwd(NULL, 0);
    while (folder && !path) {
        char *slash = strrchr(folder, '/');

        if (has_manifest(folder))
            path = existing(xasprintf("%s/target", folder), name);
        if (!slash)
            break;
        *slash = '\0'; /* the root's own is "" */
    }
    free(folder);
    return path;
}

char *saved_profile_last(void)
{
    char *package = package_file(LAST), *other = existing(state_folder(), LAST);
    struct stat its, others;

    if (!package || !other)
        return package ? package : other;
    if (stat(package, &its) == 0 && stat(other, &others) == 0 &&
        (others.st_mtim.tv_sec > its.st_mtim.tv_sec ||
         (others.st_mtim.tv_sec == its.st_mtim.tv_sec &&
          others.st_mtim.tv_nsec > its.st_mtim.tv_nsec))) {
        free(package);
        return other;
    }
    free(other);
    return package;
}

char *saved_find(const char *target, const char *name)
{
    char *path = target ? existing(xstrdup(target), name) : package_file(name);

    return path ? path : existing(state_folder(), name);
}

void saved_folders(char *folders[2], const char *name)
{
    folders[0] = package_file(name);
    folders[1] = existing(state_folder(), name);
}

char *saved_state_folder(void)
{
    char *state = state_folder(), *path = state ? xasprintf("%s/" FOLDER, state) : NULL;

    free(state);
    return path;
}

/*--- Keeping ---*/

/* Makes a folder and those above it, as far as they are missing. 0, or -1 with errno. */
static int make_folders(const char *path)
{
    char *copy = xstrdup(path);
    int failed = 0;

    for (char *slash = strchr(copy + 1, '/'); slash && !failed; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        failed = mkdir(copy, 0777) < 0 && errno != EEXIST;
        *slash = '/';
    }
    free(copy);
    return failed || (mkdir(path, 0777) < 0 && errno != EEXIST) ? -1 : 0;
}

char *saved_folder_make(const char *target, const char *name)
{
    char *base = target ? xstrdup(target) : state_folder(), *path;

    if (!base) {
        errno = ENOENT;
        return NULL;
    }
    path = xasprintf("%s/" FOLDER "/%s", base, name);
    free(base);
    if (make_folders(path) == 0)
        return path;
    free(path);
    return NULL;
}

static int copy_to(const char *from, const char *to)
{
    FILE *in = fopen(from, "re");
    struct output_file out;
    char *buffer;
    size_t size;
    int failed;

    if (!in)
        return -1;
    if (file_begin(&out, to) < 0) {
        fclose(in);
        return -1;
    }
    buffer = xmalloc(1 << 16);
    while ((size = fread(buffer, 1, 1 << 16, in)) > 0)
        fwrite(buffer, 1, size, out.stream);
    free(buffer);
    failed = ferror(in);
    fclose(in);
    if (!failed)
        return file_commit(&out);
    file_abort(&out);
    return -1;
}

/* Makes `to` another name of the file `from`, or else a copy of it. 0, or -1 with errno. */
static int name_also(const char *from, const char *to)
{
    char *temp = xasprintf("%s.%ld", to, (long)getpid());
    int failed = 0;

    if (link(from, temp) < 0)
        failed = copy_to(from, to);
    else if (rename(temp, to) < 0) {
        failed = -1;
        unlink(temp);
    }
    free(temp);
    return failed;
}

/* The files that are kept of a run. */
struct kept {
    const char *raw, *program, *command;
    const struct packages *packages;
};

static int keep_in(const char *folder, const struct kept *kept)
{
    char *own = xasprintf("%s/%s.%s.cprof", folder, kept->program, kept->command);
    char *last = xasprintf("%s/" LAST, folder);
    int failed = make_folders(folder);

    if (!failed)
        failed = copy_to(kept->raw, own);
    if (!failed)
        failed = name_also(own, last);
    if (!failed)
        failed = packages_keep(kept->packages, own);
    if (!failed)
        failed = packages_keep(kept->packages, last);
    if (failed)
        message_warning("the profile is not kept for later: cannot write to '%s': %s", folder,
                        strerror(errno));
    free(own);
    free(last);
    return failed;
}

/* True where saved_profile_last() finds what was kept in `folder`. */
static bool is_found(const char *folder)
{
    char *found = saved_profile_last(), *last = xasprintf("%s/" LAST, folder);
    struct stat a, b;
    bool same = found && stat(found, &a) == 0 && stat(last, &b) == 0 && a.st_dev == b.st_dev &&
                a.st_ino == b.st_ino;

    free(found);
    free(last);
    return same;
}

void saved_profile_keep(const char *raw, const char *target, const char *program,
                        const char *command, const struct packages *packages)
{
    struct kept kept = {raw, program, command, packages};
    char *folder = target ? xasprintf("%s/" FOLDER, target) : NULL, *state;
    bool done = folder && (keep_in(folder, &kept) || is_found(folder));

    free(folder);
    if (done)
        return;
    state = state_folder();
    if (!state) {
        message_warning("the profile is not kept for later: neither XDG_STATE_HOME nor HOME names "
                        "a folder");
        return;
    }
    folder = xasprintf("%s/" FOLDER, state);
    keep_in(folder, &kept);
    free(folder);
    free(state);
}
