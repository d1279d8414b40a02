#include <config.h>

#include "run/saved_profile.h"

#include "base/clean.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/sort.h"
#include "base/words.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "cprof"
#define ENDING ".cprof"
#define LAST   "last" ENDING
#define PLACES "places"

/* A place's folder has so many bytes of its name; a file's name may have 255. */
enum { NAME_BYTES = 100 };

/* `folder`/`name`, where that is there; NULL if not. Frees `folder`. */
static char *existing_in(char *folder, const char *name)
{
    char *path = folder ? xasprintf("%s/%s", folder, name) : NULL;

    free(folder);
    if (path && access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* The file `name` in `folder`/cprof, which is freed; NULL: there is none. */
static char *existing(char *folder, const char *name)
{
    char *ours = folder ? xasprintf("%s/" FOLDER, folder) : NULL;

    free(folder);
    return existing_in(ours, name);
}

static bool has_file(const char *folder, const char *name)
{
    char *path = xasprintf("%s/%s", folder, name);
    bool has = access(path, F_OK) == 0;

    free(path);
    return has;
}

/* The user's folder for state, or NULL. */
static char *state_folder(void)
{
    return folder_of_user("XDG_STATE_HOME", ".local/state");
}

static bool is_workspace(void *unused, char *line)
{
    (void)unused;
    return !strncmp(line + strspn(line, " \t"), "[workspace", strlen("[workspace"));
}

/* True where the manifest in `folder` begins a workspace. */
static bool has_workspace(const char *folder)
{
    return file_lines(xasprintf("%s/Cargo.toml", folder), is_workspace, NULL);
}

char *saved_project(void)
{
    char *folder = getcwd(NULL, 0), *package = NULL;

    while (folder) {
        char *slash = strrchr(folder, '/');

        bool manifest = has_file(folder, "Cargo.toml");

        if (manifest && (has_workspace(folder) || (!package && has_file(folder, "Cargo.lock")))) {
            free(package);
            return folder;
        }
        if (!package && manifest)
            package = xstrdup(folder);
        if (!slash)
            break;
        *slash = '\0'; /* the root's own is "" */
    }
    free(folder);
    return package;
}

/* The folder for what cargo builds here, or NULL outside of packages. */
static char *target_folder(void)
{
    const char *target = environment_or("CARGO_TARGET_DIR", NULL);
    char *project, *folder;

    if (target)
        return xstrdup(target);
    project = saved_project();
    folder = project ? xasprintf("%s/target", project) : NULL;
    free(project);
    return folder;
}

/* The file called `name` of the package that the current folder is in. */
static char *package_file(const char *name)
{
    return existing(target_folder(), name);
}

/* Where runs are known by the place that they were started in: the package, or else the folder. */
static char *current_place(void)
{
    char *project = saved_project();

    return project ? project : getcwd(NULL, 0);
}

/* The folder, below the user's, for runs that were started in this place: its last name for people,
 * and a hash of its path. NULL: there is none. */
static char *place_folder(void)
{
    char *place = current_place(), *state = state_folder(), *folder = NULL;
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

    if (place && state) {
        for (const char *c = place; *c; c++)
            hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
        folder = xasprintf("%s/" FOLDER "/" PLACES "/%.*s-%016" PRIx64, state, NAME_BYTES,
                           path_base(place), hash);
    }
    free(place);
    free(state);
    return folder;
}

static bool is_below(const char *path, const char *folder)
{
    size_t size = strlen(folder);

    return !strncmp(path, folder, size) && (!path[size] || path[size] == '/');
}

/* False where a kept run is known to be of packages elsewhere: several share a target folder. */
static bool belongs_here(const char *path)
{
    struct packages packages = {0};
    char *place = current_place();
    bool belongs, own = false, here = false;

    packages_find(&packages, path);
    for (size_t i = 0; i < packages.n && place; i++) {
        own |= packages.items[i].own;
        here |= packages.items[i].own && is_below(packages.items[i].folder, place);
    }
    belongs = here || !own;
    packages_free(&packages);
    free(place);
    return belongs;
}

/* True where `a` is newer than `b`. */
static bool is_newer(const char *a, const char *b)
{
    struct stat own_state, others;

    return stat(a, &own_state) == 0 && stat(b, &others) == 0 &&
           file_is_later(&own_state.st_mtim, &others.st_mtim);
}

/* The newer one of that in cargo's folder and of what was started here. */
static char *newest_here(const char *name)
{
    char *package = package_file(name), *other = existing_in(place_folder(), name);

    if (package && !belongs_here(package)) {
        free(package);
        package = NULL;
    }
    if (package && other && is_newer(other, package)) {
        free(package);
        return other;
    }
    if (package)
        free(other);
    return package ? package : other;
}

char *saved_profile_last(void)
{
    return newest_here(LAST);
}

/* The kept run in the file `name` ("nnet.callgrind.cprof"): that of this place, else the user's
 * newest; of "last.cprof" this place's only. NULL: there is none. The caller frees it. */
static char *saved_profile_named(const char *name)
{
    char *path = newest_here(name);

    return path || !strcmp(name, LAST) ? path : existing(state_folder(), name);
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

/*--- Other runs ---*/

/* A kept run: "nnet.callgrind.cprof", and not the last under its other name. */
static int is_run(const struct dirent *entry)
{
    const char *name = entry->d_name;

    return name[0] != '.' && text_ends_in(name, ENDING) && strcmp(name, LAST) != 0;
}

char *saved_profile_name(const char *path)
{
    const char *name = path_base(path);

    if (!strstr(path, "/" FOLDER "/") || !text_ends_in(name, ENDING))
        return xstrdup(path);
    return xstrndup(name, strlen(name) - strlen(ENDING));
}

void saved_place_folders(char *folders[2])
{
    char *target = target_folder();

    folders[0] = target ? xasprintf("%s/" FOLDER, target) : NULL;
    folders[1] = place_folder();
    free(target);
}

static void add_runs(struct string_list *runs, char *folder)
{
    struct dirent **entries = NULL;
    int n = folder ? scandir(folder, &entries, is_run, alphasort) : -1;

    for (int i = 0; i < n; i++) {
        char *path = xasprintf("%s/%s", folder, entries[i]->d_name);

        free(entries[i]);
        if (belongs_here(path))
            string_list_add(runs, path);
        else
            free(path);
    }
    free(entries);
    free(folder);
}

static int compare_ages(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;

    return is_newer(x, y) ? -1 : is_newer(y, x);
}

void saved_runs(struct string_list *runs)
{
    char *folders[2];

    *runs = (struct string_list){0};
    saved_place_folders(folders);
    add_runs(runs, folders[0]);
    add_runs(runs, folders[1]);
    sort_items(runs->items, runs->n, sizeof *runs->items, compare_ages);
}

/*--- Keeping ---*/

char *saved_folder_make(const char *target, const char *name)
{
    char *base = target ? xstrdup(target) : state_folder(), *path;

    if (!base) {
        errno = ENOENT;
        return NULL;
    }
    path = xasprintf("%s/" FOLDER "/%s", base, name);
    free(base);
    if (folder_make(path, 0777) == 0)
        return path;
    free(path);
    return NULL;
}

char *saved_page(const char *name)
{
    char *folders[2], *folder, *path = NULL;

    saved_place_folders(folders);
    folder = folders[0] ? folders[0] : folders[1];
    errno = ENOENT;
    if (folder && folder_make(folder, 0777) == 0)
        path = xasprintf("%s/%s", folder, name);
    free(folders[0]);
    free(folders[1]);
    return path;
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
    return file_end(&out, failed);
}

/* Makes `to` another name of the file `from`, or else a copy of it. 0, or -1 with errno. */
static int name_also(const char *from, const char *to)
{
    char *temp = xasprintf("%s.%ld", to, (long)getpid());
    int failed = 0;

    if (link(from, temp) < 0) {
        failed = copy_to(from, to);
    } else {
        int error;

        failed = rename(temp, to);
        error = errno;
        /* Where another run has made `to` a name of this very file, rename() does nothing. */
        unlink(temp);
        errno = error;
    }
    free(temp);
    return failed;
}

/* The files that are kept of a run. */
struct kept {
    const char *raw, *program, *command;
    const struct packages *packages;
};

/* Keeps a run in `folder`: `raw` is copied, or linked where it is a kept file already. Returns the
 * path of its file, for the caller to free; NULL after having warned. */
static char *keep_in(const char *folder, const struct kept *kept, bool linked)
{
    char *own = xasprintf("%s/%s.%s" ENDING, folder, kept->program, kept->command);
    char *last = xasprintf("%s/" LAST, folder);
    int failed = folder_make(folder, 0777);

    if (!failed)
        failed = linked ? name_also(kept->raw, own) : copy_to(kept->raw, own);
    if (!failed)
        failed = name_also(own, last);
    if (!failed)
        failed = packages_keep(kept->packages, own);
    if (!failed)
        failed = packages_keep(kept->packages, last);
    if (failed)
        message_warning("the profile is not kept for later: cannot write to '%s': %s", folder,
                        strerror(errno));
    free(last);
    if (!failed)
        return own;
    free(own);
    return NULL;
}

/* True where no other package's runs come into cargo's folder `target`: saved_profile_last() finds
 * there what is kept there. */
static bool is_private(const char *target)
{
    char *project = saved_project(), *own = project ? xasprintf("%s/target", project) : NULL;
    char *path = own ? realpath(own, NULL) : NULL, *folder = realpath(target, NULL);
    const char *shared = environment_or("CARGO_TARGET_DIR", NULL);
    bool private = path && folder && !strcmp(path, folder) && is_below(folder, project);

    /* Where the variable names another folder, that one is looked into. */
    if (private && shared) {
        char *looked = realpath(shared, NULL);

        private = looked && !strcmp(looked, folder);
        free(looked);
    }
    free(project);
    free(own);
    free(path);
    free(folder);
    return private;
}

/* Keeps a run in the user's folder, and as the last of this place. */
static char *keep_for_user(const struct kept *kept)
{
    char *folder = saved_state_folder(), *place = place_folder(), *own;

    if (!folder) {
        message_warning("the profile is not kept for later: neither XDG_STATE_HOME nor HOME names "
                        "a folder");
        free(place);
        return NULL;
    }
    own = keep_in(folder, kept, false);
    if (own && place) {
        struct kept again = *kept;

        again.raw = own;
        free(keep_in(place, &again, true));
    } else if (own) {
        message_warning("the profile is not kept as the last run of this folder, which cannot be "
                        "found; name it: '%s'",
                        own);
    }
    free(folder);
    free(place);
    return own;
}

char *saved_profile_keep(const char *raw, const char *target, const char *program,
                         const char *command, const struct packages *packages)
{
    struct kept kept = {raw, program, command, packages};
    char *folder = target ? xasprintf("%s/" FOLDER, target) : NULL;
    char *own = folder ? keep_in(folder, &kept, false) : NULL, *users = NULL;

    free(folder);
    if (!own || !is_private(target))
        users = keep_for_user(&kept);
    if (!own)
        return users;
    free(users);
    return own;
}

/*--- Baselines ---*/

#define BASELINE_FOLDER "baselines"
#define BASELINE_ENDING ".cprof"

/* The name that commands have for the last run. */
#define LAST_NAME "last"

/* Bytes: a file's name has 255, of which endings and a temporary file's letters take some. */
#define NAME_LONGEST      200
#define NAME_LONGEST_TEXT "200"

static bool is_shown_as_it_is(const char *name)
{
    char *shown = text_shown(name);
    bool same = !strcmp(shown, name);

    free(shown);
    return same;
}

/* Why a text can name no baseline ("'last' is the last run"), or NULL where it can: it is part of a
 * file's name, and stands in lines and on terminals. */
static const char *name_problem(const char *name)
{
    if (!*name)
        return "it is empty";
    if (*name == '.' || strchr(name, '/'))
        return "no '/', and no '.' first";
    if (!strcmp(name, LAST_NAME))
        return "'last' is the last run";
    if (!strcmp(name, "-"))
        return "'-' is standard input";
    if (*name == '-')
        return "no '-' first, which options have";
    if (!name[strspn(name, " \t")])
        return "it is blank";
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return "no control characters, such as a newline";
    if (!is_shown_as_it_is(name))
        return "it has what is not UTF-8, or what no terminal shows";
    return strlen(name) > NAME_LONGEST ? "at most " NAME_LONGEST_TEXT " bytes" : NULL;
}

int baseline_names_check(const char *one, const char *other)
{
    const char *problem = one ? name_problem(one) : NULL, *name = problem ? one : other;

    if (!problem && other)
        problem = name_problem(other);
    return problem ? message_usage("'%s' is no name for a baseline: %s", name, problem) : 0;
}

char *baseline_path(const char *target, const char *name)
{
    char *folder = saved_folder_make(target, BASELINE_FOLDER), *path;

    if (!folder)
        return NULL;
    path = xasprintf("%s/%s" BASELINE_ENDING, folder, name);
    free(folder);
    return path;
}

char *baseline_find(const char *target, const char *name)
{
    char *relative = xasprintf(BASELINE_FOLDER "/%s" BASELINE_ENDING, name), *path;

    path = name_problem(name) ? NULL : saved_find(target, relative);
    free(relative);
    return path;
}

char *saved_profile_find(const char *name)
{
    struct stat unused;
    char *path, *relative;

    if (stat(name, &unused) == 0)
        return xstrdup(name);
    if (!strcmp(name, LAST_NAME))
        return saved_profile_last();
    if (name_problem(name))
        return xstrdup(name);
    path = baseline_find(NULL, name);
    if (path)
        return path;
    relative = xasprintf("%s" BASELINE_ENDING, name);
    path = saved_profile_named(relative);
    free(relative);
    return path;
}

/* The file with another ending. */
static char *beside_baseline(const char *profile, const char *ending)
{
    if (!text_ends_in(profile, BASELINE_ENDING))
        return NULL;
    return xasprintf("%.*s%s", (int)(strlen(profile) - strlen(BASELINE_ENDING)), profile, ending);
}

char *baseline_noise_path(const char *profile)
{
    return beside_baseline(profile, ".noise");
}

char *baseline_program_path(const char *profile)
{
    return beside_baseline(profile, ".program");
}

int baseline_keep_program(const char *program, const char *profile)
{
    char *path = baseline_program_path(profile);
    int failed = unlink(path) < 0 && errno != ENOENT ? -1 : 0, error;

    if (!failed && program)
        failed = copy_to(program, path);
    if (!failed && program && chmod(path, 0755) < 0) {
        failed = -1;
        error = errno;
        unlink(path);
        errno = error;
    }
    free(path);
    return failed;
}

void baseline_folders(char *folders[2])
{
    saved_folders(folders, BASELINE_FOLDER);
}
