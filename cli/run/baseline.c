#include <config.h>

#include "run/baseline.h"

#include "base/clean.h"
#include "base/memory.h"
#include "run/saved_profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "baselines"
#define ENDING ".cprof"

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

const char *baseline_name_problem(const char *name)
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

char *baseline_path(const char *target, const char *name)
{
    char *folder = saved_folder_make(target, FOLDER), *path;

    if (!folder)
        return NULL;
    path = xasprintf("%s/%s" ENDING, folder, name);
    free(folder);
    return path;
}

char *baseline_find(const char *target, const char *name)
{
    char *relative = xasprintf(FOLDER "/%s" ENDING, name), *path;

    path = baseline_name_problem(name) ? NULL : saved_find(target, relative);
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
    if (baseline_name_problem(name))
        return xstrdup(name);
    path = baseline_find(NULL, name);
    if (path)
        return path;
    relative = xasprintf("%s" ENDING, name);
    path = saved_profile_named(relative);
    free(relative);
    return path;
}

char *baseline_noise_path(const char *profile)
{
    size_t size = strlen(profile), ending = strlen(ENDING);

    if (size <= ending || strcmp(profile + size - ending, ENDING) != 0)
        return NULL;
    return xasprintf("%.*s.noise", (int)(size - ending), profile);
}

void baseline_folders(char *folders[2])
{
    saved_folders(folders, FOLDER);
}
