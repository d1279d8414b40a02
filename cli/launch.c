/*
 * launch.c - starts the tool on a program: what Valgrind's own launcher does, for one tool.
 *
 * The tool is a complete Valgrind that refuses to start by itself: it wants the path of a launcher
 * in VALGRIND_LAUNCHER, and executes that for each traced child (--trace-children), with the
 * options of its own and the child's command. VALGRIND_LIB names the folder of the tool and of
 * Valgrind's preload library; the core sets it for children. With a launcher of our own nothing of
 * an installed Valgrind is needed, and none of another version can be met.
 *
 * It is linked statically: LD_PRELOAD and its like are the profiled program's, and a library that
 * prints or is missing would be noticed once more here.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define TOOL "cprof-" VG_PLATFORM

/* As a shell ends for a command that it cannot execute. */
#define STATUS_CANNOT_EXECUTE 126

static int fail(const char *what, const char *path, int error)
{
    fprintf(stderr, "cprof-launch: error: %s '%s': %s\n", what, path, strerror(error));
    return STATUS_CANNOT_EXECUTE;
}

/*
 * The descriptors that cargo-cprof hands over are for the tool alone. The core keeps the last ones
 * below the limit from the program, RESERVED of them, and raises the limit for them where it may.
 * All others of the tool have to be there beforehand: the program's first free descriptor is to be
 * 3.
 */
enum { RESERVED = 12 };

/* The first of the descriptors that the core will reserve. Raises the limit where that goes beyond
 * it; `limit` is what it was. */
static int first_reserved(struct rlimit *limit)
{
    struct rlimit raised;

    if (getrlimit(RLIMIT_NOFILE, limit) < 0)
        return -1;
    raised = *limit;
    if (limit->rlim_max - limit->rlim_cur < RESERVED)
        return limit->rlim_max > RESERVED ? (int)(limit->rlim_max - RESERVED) : -1;
    raised.rlim_cur += RESERVED;
    return setrlimit(RLIMIT_NOFILE, &raised) < 0 ? -1 : (int)limit->rlim_cur;
}

/* Moves the descriptor that the word "--NAME-fd=NUMBER" has, and writes its new number there. */
static void move_descriptor(char **word, int first)
{
    char *value = strchr(*word, '=') + 1, *text;
    int old = atoi(value), moved = fcntl(old, F_DUPFD, first);

    if (moved < 0 || asprintf(&text, "%.*s%d", (int)(value - *word), *word, moved) < 0)
        return;
    *word = text;
    close(old);
}

/* Moves what the options of the tool name, which end at "--". */
static void move_descriptors(char **argv)
{
    static const char *const names[] = {"--log-fd=", "--cprof-out-fd="};
    struct rlimit limit;
    int first = first_reserved(&limit);

    for (; first >= 0 && *argv && strcmp(*argv, "--") != 0; argv++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (!strncmp(*argv, names[i], strlen(names[i])))
                move_descriptor(argv, first);
    if (first >= 0)
        setrlimit(RLIMIT_NOFILE, &limit);
}

/* How large files of the program may be, by default: cargo-cprof's own may be larger. */
static void limit_size(const char *bytes)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) < 0)
        return;
    limit.rlim_cur = strtoull(bytes, NULL, 10);
    setrlimit(RLIMIT_FSIZE, &limit);
}

/*
 * cargo-cprof's own start of the tool begins with --parent=PID:BYTES; a traced child's does not,
 * for this word goes no further. The program then ends with cargo-cprof, even where that is killed:
 * nobody would show its profile. Returns the words without it.
 */
static char **begin(char **argv)
{
    static const char option[] = "--parent=";
    char *bytes;

    if (!argv[0] || !argv[1] || strncmp(argv[1], option, strlen(option)) != 0)
        return argv;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* The parent may be gone already. */
    if (getppid() != strtol(argv[1] + strlen(option), &bytes, 10))
        _exit(STATUS_CANNOT_EXECUTE);
    if (*bytes == ':')
        limit_size(bytes + 1);
    argv[1] = argv[0];
    move_descriptors(argv + 1);
    return argv + 1;
}

int main(int argc, char **argv)
{
    const char *folder = getenv("VALGRIND_LIB");
    char self[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    char *tool;

    (void)argc;
    if (size < 0)
        return fail("cannot read", "/proc/self/exe", errno);
    self[size] = '\0';
    if (!folder || *folder != '/') {
        fprintf(stderr,
                "cprof-launch: error: VALGRIND_LIB does not name a folder; cargo-cprof runs "
                "this program, people do not\n");
        return STATUS_CANNOT_EXECUTE;
    }
    if (asprintf(&tool, "%s/%s", folder, TOOL) < 0 || setenv("VALGRIND_LAUNCHER", self, 1) != 0)
        return fail("no memory to start", TOOL, ENOMEM);
    execv(tool, begin(argv));
    return fail("cannot execute", tool, errno);
}
