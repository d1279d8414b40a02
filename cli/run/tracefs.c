#include <config.h>

#include "run/tracefs.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *tracefs_folder(void)
{
    static const char *const folders[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
    const char *set = getenv("CPROF_TRACEFS");

    if (set && *set)
        return set;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *events = xasprintf("%s/events", folders[i]);
        bool is_there = access(events, F_OK) == 0;

        free(events);
        if (is_there)
            return folders[i];
    }
    return NULL;
}

static char *path_of(const char *file)
{
    const char *folder = tracefs_folder();

    return folder ? xasprintf("%s/%s", folder, file) : NULL;
}

const char *tracefs_problem(const char *file, const char **advice)
{
    char *path = path_of(file);
    int error = !path ? ENODEV : access(path, W_OK) < 0 ? errno : 0;

    free(path);
    *advice = TRACEFS_ADVICE;
    if (!error)
        return NULL;
    if (error == ENODEV && geteuid() == 0) {
        *advice = "mount it: 'mount -t tracefs nodev /sys/kernel/tracing'; in a container, by its "
                  "host";
        return "there is no tracefs here, which probes are made by";
    }
    if (error == ENOENT) {
        *advice = strcmp(file, TRACEFS_KPROBES) ? "only one with CONFIG_UPROBE_EVENTS has them"
                                                : "only one with CONFIG_KPROBE_EVENTS has them";
        return strcmp(file, TRACEFS_KPROBES) ? "this kernel has no probes of programs"
                                             : "this kernel has no probes of its own functions";
    }
    return "only root may make probes";
}

bool tracefs_has_event(const char *event)
{
    const char *folder = tracefs_folder(), *colon = strchr(event, ':');
    char *path;
    bool found;

    if (!folder || !colon)
        return false;
    path = xasprintf("%s/events/%.*s/%s", folder, (int)(colon - event), event, colon + 1);
    found = access(path, F_OK) == 0;
    free(path);
    return found;
}

int tracefs_write(const char *file, const char *line)
{
    char *path = path_of(file);
    int fd = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    int error = !path ? ENOENT : fd < 0 ? errno : 0;

    free(path);
    if (!error && write(fd, line, strlen(line)) < 0)
        error = errno;
    if (fd >= 0)
        close(fd);
    return error;
}

uint64_t tracefs_hits(const char *file, const char *prefix)
{
    char *path = path_of(strcmp(file, TRACEFS_KPROBES) ? "uprobe_profile" : "kprobe_profile");
    FILE *in = path ? fopen(path, "re") : NULL;
    char *line = NULL;
    size_t room = 0;
    uint64_t sum = 0;

    /* "  /lib/libc.so.6 cprof_42_1f_0    1234" */
    while (in && getline(&line, &room, in) > 0) {
        const char *name = strstr(line, prefix), *number = name ? strchr(name, ' ') : NULL;

        if (number)
            sum += strtoull(number, NULL, 10);
    }
    if (in)
        fclose(in);
    free(line);
    free(path);
    return sum;
}

/* "p:cprof_42_1f/cprof_42_1f_0 ...": of a process that is no more. */
static bool is_left(const char *line)
{
    size_t size = strlen(TRACEFS_GROUP);
    long pid;

    if ((*line != 'p' && *line != 'r') || line[1] != ':' ||
        strncmp(line + 2, TRACEFS_GROUP, size) != 0)
        return false;
    pid = strtol(line + 2 + size, NULL, 10);
    return pid > 0 && kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

static void remove_left(const char *file)
{
    char *path = path_of(file), *line = NULL;
    FILE *in = path ? fopen(path, "re") : NULL;
    size_t room = 0;

    while (in && getline(&line, &room, in) > 0)
        if (is_left(line)) {
            char *removal = xasprintf("-%.*s\n", (int)strcspn(line + 1, " \n"), line + 1);

            (void)tracefs_write(file, removal); /* perf may still be at its end */
            free(removal);
        }
    if (in)
        fclose(in);
    free(line);
    free(path);
}

void tracefs_remove_left(void)
{
    remove_left(TRACEFS_UPROBES);
    remove_left(TRACEFS_KPROBES);
}
