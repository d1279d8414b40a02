#include <config.h>

#include "run/tempdir.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/words.h"
#include "run/cargo.h"
#include "run/progress.h"
#include "run/rawset.h"
#include "run/saved_profile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX  "cargo-cprof-run."
#define LETTERS "XXXXXX"

/*--- Folders that were left behind ---*/

/*
 * The run that a folder is of holds a lock on it, which ends with the process however that ends.
 * Returns the folder's descriptor with the lock, or -1 with errno: EWOULDBLOCK where another one
 * has it.
 */
static int lock_folder(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0) {
        int error = errno;

        close(fd);
        errno = error;
        fd = -1;
    }
    return fd;
}

/* Takes over the descriptor. */
static DIR *list_folder(int fd)
{
    DIR *list = fdopendir(fd);

    if (!list)
        close(fd);
    return list;
}

static bool is_own_dots(const char *name)
{
    return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Removes the files of a folder but the one called `keep`. */
static void clear(DIR *list, const char *keep)
{
    struct dirent *entry;

    while ((entry = readdir(list)))
        if (!is_own_dots(entry->d_name) && !(keep && !strcmp(entry->d_name, keep)))
            unlinkat(dirfd(list), entry->d_name, 0);
}

/* A file that a run puts into its folder. */
static bool is_of_run(const char *name)
{
    return !strncmp(name, RAWSET_NAME, strlen(RAWSET_NAME)) || !strcmp(name, PROGRESS_NAME) ||
           !strcmp(name, TEMPDIR_TOOL) || !strncmp(name, "perf.", 5);
}

/* Removes the folder `name` where it is a run's that is gone, and has nothing else in it. */
static void sweep_one(int parent, const char *name)
{
    int lock = lock_folder(parent, name);
    struct dirent *entry;
    struct stat st;
    bool is_ours = lock >= 0 && fstat(lock, &st) == 0 && st.st_uid == geteuid();
    DIR *list = is_ours ? list_folder(dup(lock)) : NULL;

    while (list && is_ours && (entry = readdir(list)))
        is_ours = is_own_dots(entry->d_name) || is_of_run(entry->d_name);
    if (list && is_ours) {
        rewinddir(list);
        clear(list, NULL);
        unlinkat(parent, name, AT_REMOVEDIR);
    }
    if (list)
        closedir(list);
    if (lock >= 0)
        close(lock);
}

/* Removes what killed runs left in `parent`. */
static void sweep(const char *parent)
{
    DIR *list = opendir(parent);
    struct dirent *entry;

    while (list && (entry = readdir(list)))
        if (!strncmp(entry->d_name, PREFIX, strlen(PREFIX)) &&
            strlen(entry->d_name) == strlen(PREFIX LETTERS))
            sweep_one(dirfd(list), entry->d_name);
    if (list)
        closedir(list);
}

/*--- The folder of this run ---*/

/* True where another run takes the folder, which had no lock yet, for a dead one's and removes it.
 */
static bool is_swept(const struct tempdir *dir)
{
    struct stat st;

    if (dir->lock < 0)
        return errno == EWOULDBLOCK || errno == ENOENT;
    return fstat(dir->lock, &st) == 0 && st.st_nlink == 0;
}

char *tempdir_open(struct tempdir *dir)
{
    const char *parent = environment_or("TMPDIR", TEMPDIR_DEFAULT);
    char *absolute, *problem = NULL;
    bool is_there, again;

    *dir = (struct tempdir){.path = NULL, .lock = -1};
    if (strchr(parent, '%'))
        return xasprintf("Valgrind cannot write to '%s' because of the '%%'", parent);
    sweep(parent);
    /* The program may run in another folder, and its tool must find this one. */
    absolute = realpath(parent, NULL);
    do {
        dir->path = xasprintf("%s/" PREFIX LETTERS, absolute ? absolute : parent);
        is_there = cleanup_make_folder(dir->path) != NULL;
        dir->lock = is_there ? lock_folder(AT_FDCWD, dir->path) : -1;
        again = is_there && is_swept(dir);
        if (again)
            tempdir_remove(dir);
    } while (again);
    if (!is_there) {
        problem = xasprintf("cannot make a temporary folder in '%s': %s", parent, strerror(errno));
        free(dir->path);
        dir->path = NULL;
    }
    free(absolute);
    return problem;
}

int tempdir_log(const struct tempdir *dir)
{
    int log = memfd_create("cprof.log", MFD_CLOEXEC);

    return log < 0 && dir ? open(dir->path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) : log;
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

    if (!list)
        return;
    clear(list, keep);
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
    if (dir->lock >= 0)
        close(dir->lock);
    dir->lock = -1;
}

/*--- Files that are kept ---*/

/* Only what we wrote: others may keep files there. */
static int is_ours(const struct dirent *entry)
{
    const char *name = entry->d_name;

    return name[0] != '.' &&
           (text_ends_in(name, ".cprof") || text_ends_in(name, ".packages.json") ||
            text_ends_in(name, ".noise") || text_ends_in(name, BASELINE_BENCHES) ||
            text_ends_in(name, BASELINE_TESTS) || !strcmp(name, "report.html") ||
            !strcmp(name, "diff.html") || !strcmp(name, "flamegraph.svg") ||
            !strcmp(name, CARGO_BUILDS_FILE));
}

static int remove_file(const char *path, struct kept_removed *removed)
{
    struct stat facts;

    if (lstat(path, &facts) < 0 || !S_ISREG(facts.st_mode))
        return 0;
    if (unlink(path) < 0)
        return message_error("cannot remove '%s': %s; remove it by hand", path, strerror(errno));
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
    struct stat own_state, others;
    int status = 0;

    if (stat(path, &own_state) == 0 && stat(other, &others) == 0 &&
        own_state.st_dev == others.st_dev && own_state.st_ino == others.st_ino)
        status = remove_file(other, removed);
    free(other);
    return status;
}

static int is_folder_of_runs(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && (text_ends_in(entry->d_name, BASELINE_BENCH_RUNS) ||
                                       text_ends_in(entry->d_name, BASELINE_TEST_RUNS));
}

/* Removes our files in `folder`, and the folder itself if nothing is left; or of a folder of
 * baselines the profiles of benches and tests: `runs`. */
static int remove_in(const char *folder, bool runs, const char *users, struct kept_removed *removed)
{
    struct dirent **entries = NULL;
    int n = folder ? scandir(folder, &entries, runs ? is_folder_of_runs : is_ours, alphasort) : 0;
    int status = 0;

    for (int i = 0; i < n; i++) {
        char *path = xasprintf("%s/%s", folder, entries[i]->d_name);

        if (!status && users)
            status = remove_users(path, users, entries[i]->d_name, removed);
        if (!status)
            status = runs ? kept_folder_remove(path, removed) : remove_file(path, removed);
        free(path);
        free(entries[i]);
    }
    free(entries);
    if (folder && !runs)
        (void)rmdir(folder);
    return status;
}

int kept_folder_remove(const char *folder, struct kept_removed *removed)
{
    return remove_in(folder, false, NULL, removed);
}

static int remove_baselines(struct kept_removed *removed)
{
    char *folders[2], *project = saved_project();
    const char *folder;
    int status;

    baseline_folders(folders);
    folder = project ? folders[0] : folders[1];
    status = remove_in(folder, true, NULL, removed);
    if (!status)
        status = remove_in(folder, false, NULL, removed);
    free(folders[0]);
    free(folders[1]);
    free(project);
    return status;
}

static void count_removed(void *data, const struct stat *facts)
{
    struct kept_removed *removed = data;

    removed->n++;
    removed->bytes += facts->st_nlink == 1 ? (uint64_t)facts->st_size : 0;
}

/* Builds and runs of commits. */
static int remove_bisect(const char *place, struct kept_removed *removed)
{
    char *path = place ? xasprintf("%s/" SAVED_BISECT, place) : NULL;
    int status = 0;

    if (path && folder_remove(path, count_removed, removed) < 0)
        status = message_error("cannot remove '%s': %s; remove it by hand", path, strerror(errno));
    free(path);
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
        status = remove_in(folders[0], false, NULL, removed);
    if (!status)
        status = remove_bisect(folders[1], removed);
    if (!status)
        status = remove_in(folders[1], false, users, removed);
    free(folders[0]);
    free(folders[1]);
    free(users);
    return status;
}
