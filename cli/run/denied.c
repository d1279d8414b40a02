#include <config.h>

#include "run/denied.h"

#include "base/memory.h"
#include "base/process.h"
#include "base/strbuf.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Each call with arguments by which it does nothing, or fails. Newer processors lack the older
 * calls.
 */
static const struct probe {
    const char *name;
    long number;
    long arguments[5];
} probes[] = {
#ifdef SYS_open
    {"open", SYS_open, {0}},
    {"pipe", SYS_pipe, {0}},
    {"readlink", SYS_readlink, {0, 0, 1}},
    {"rename", SYS_rename, {0}},
    {"unlink", SYS_unlink, {0}},
#else
    {"openat", SYS_openat, {-1}},
    {"pipe2", SYS_pipe2, {0, -1}},
    {"readlinkat", SYS_readlinkat, {-1}},
    {"renameat", SYS_renameat, {-1, 0, -1}},
    {"unlinkat", SYS_unlinkat, {-1}},
#endif
    {"statx", SYS_statx, {-1}},
    {"pread64", SYS_pread64, {-1}},
    {"fcntl", SYS_fcntl, {-1}},
    {"gettid", SYS_gettid, {0}},
#ifdef SYS_arch_prctl
    {"arch_prctl", SYS_arch_prctl, {-1}},
#endif
    {"rt_sigaction", SYS_rt_sigaction, {-1, 0, 0, 8}},
    {"rt_sigprocmask", SYS_rt_sigprocmask, {0, 0, 0, 8}},
    {"tgkill", SYS_tgkill, {-1, -1}},
};
enum { N_PROBES = sizeof probes / sizeof *probes };

/* None of them fails by one of these errors of its own. */
static bool is_denied(const struct probe *p)
{
    const long *a = p->arguments;

    return syscall(p->number, a[0], a[1], a[2], a[3], a[4]) < 0 &&
           (errno == EPERM || errno == EACCES || errno == ENOSYS);
}

/* In a process of its own: writes a byte for each call behind it, until a filter ends it. */
_Noreturn static void try_from(size_t first, int out)
{
    const struct rlimit no_core = {0, 0};

    setrlimit(RLIMIT_CORE, &no_core);
    for (size_t i = first; i < N_PROBES; i++) {
        char answer = is_denied(&probes[i]) ? 'd' : 'a';

        if (write(out, &answer, 1) != 1)
            break;
    }
    _exit(0);
}

/* Tries the calls from `first` on; returns the first that is not known, N_PROBES where all are. */
static size_t try_calls(bool denied[N_PROBES], size_t first)
{
    size_t next = first;
    char answer;
    int ends[2];
    pid_t pid;

    if (pipe2(ends, 0) < 0)
        return N_PROBES;
    pid = fork();
    if (pid == 0)
        try_from(first, ends[1]);
    close(ends[1]);
    while (pid > 0 && next < N_PROBES && read(ends[0], &answer, 1) == 1)
        denied[next++] = answer == 'd';
    close(ends[0]);
    if (pid > 0)
        process_wait(pid);
    else
        next = N_PROBES;
    return next;
}

char *denied_calls(void)
{
    bool denied[N_PROBES] = {false};
    size_t next = 0;
    struct strbuf text = {.text = NULL};

    while ((next = try_calls(denied, next)) < N_PROBES)
        denied[next++] = true; /* it ended the process */
    for (size_t i = 0; i < N_PROBES; i++)
        if (denied[i])
            strbuf_addf(&text, "%s%s",
                        text.size ? ", " : "system calls are denied: ", probes[i].name);
    return text.text;
}
