/*
 * main.c - the only file outside the libraries, so that everything else can be linked into tests.
 */
#include <config.h>

#include "base/message.h"
#include "base/output.h"
#include "base/process.h"
#include "cmd/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void ignore(int sig)
{
    (void)sig;
}

/* A file size limit (ulimit -f) shall be an error of the write, not our end. A handler, since the
 * program would inherit SIG_IGN. */
static void survive_size_limit(void)
{
    struct sigaction action = {.sa_handler = ignore}, old;

    if (sigaction(SIGXFSZ, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        sigaction(SIGXFSZ, &action, NULL);
}

/* Somebody who ignores SIGCHLD, as our caller may, is not told how a child ended. */
static void expect_children(void)
{
    struct sigaction old;

    if (sigaction(SIGCHLD, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
        (void)signal(SIGCHLD, SIG_DFL);
}

/* A standard descriptor that is closed would be taken by the next file that is opened, and what is
 * meant for it written there. */
static void fill_closed(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Readers of debug information and demanglers take up to 190 kB: with less the program would end
 * without a word. */
static int check_stack(void)
{
    enum { LEAST = 512 }; /* kB */
    struct rlimit limit;

    if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur >= LEAST * 1024)
        return 0;
    return message_error("the stack is limited to %llu kB, and %d kB are needed; raise the limit "
                         "(ulimit -s 8192); --vg-opt=--main-stacksize=BYTES limits a profiled "
                         "program's alone",
                         (unsigned long long)limit.rlim_cur / 1024, LEAST);
}

int main(int argc, char **argv)
{
    int status;

    setlocale(LC_CTYPE, ""); /* for what characters are shown how; numbers stay as they are */
    fill_closed();
    survive_size_limit();
    process_lift_size_limit();
    expect_children();
    /* `cargo cprof ...` runs `cargo-cprof cprof ...`. */
    if (argc > 1 && !strcmp(argv[1], "cprof")) {
        argv[1] = argv[0];
        argc--;
        argv++;
    }
    status = check_stack();
    return output_close(status ? status : command_main(argc, argv));
}
