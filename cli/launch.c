/*
 * launch.c - starts the tool on a program: what Valgrind's own launcher does, for one tool.
 *
 * The tool is a complete Valgrind that refuses to start by itself: it wants the path of a launcher
 * in VALGRIND_LAUNCHER, and executes that for each traced child (--trace-children), with the
 * options of its own and the child's command. VALGRIND_LIB names the folder of the tool and of
 * Valgrind's preload library; the core sets it for children. With a launcher of our own nothing of
 * an installed Valgrind is needed, and none of another version can be met.
 */
#include <config.h>

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
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
 * cargo-cprof's own start of the tool begins with --parent=PID; a traced child's does not, for this
 * word goes no further. The program then ends with cargo-cprof, even where that is killed: nobody
 * would show its profile. Returns the words without it.
 */
static char **end_with_parent(char **argv)
{
    static const char option[] = "--parent=";

    if (!argv[0] || !argv[1] || strncmp(argv[1], option, strlen(option)) != 0)
        return argv;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* It may be gone already. */
    if (getppid() != atol(argv[1] + strlen(option)))
        _exit(STATUS_CANNOT_EXECUTE);
    argv[1] = argv[0];
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
    execv(tool, end_with_parent(argv));
    return fail("cannot execute", tool, errno);
}
