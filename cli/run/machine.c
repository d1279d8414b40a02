#include <config.h>

#include "run/machine.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "run/saved_profile.h"
#include "run/tempdir.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/*--- Findings ---*/

void findings_add(struct findings *findings, const char *name, enum finding_state state, char *text,
                  const char *advice)
{
    findings->items = xreallocarray(findings->items, findings->n + 1, sizeof *findings->items);
    findings->items[findings->n++] = (struct finding){name, state, text, advice};
}

const struct finding *findings_error(const struct findings *findings)
{
    for (size_t i = 0; i < findings->n; i++)
        if (findings->items[i].state == FINDING_ERROR)
            return &findings->items[i];
    return NULL;
}

void findings_free(struct findings *findings)
{
    for (size_t i = 0; i < findings->n; i++)
        free(findings->items[i].text);
    free(findings->items);
    *findings = (struct findings){0};
}

/*--- System calls that are denied ---*/

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

/* No probe fails by EPERM, EACCES or ENOSYS of its own. */
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

/*--- Limits ---*/

const char *limits_advice(const char *otherwise)
{
    /* The least of each is twice what a run of /bin/true takes. */
    static const struct {
        int resource;
        rlim_t least;
        const char *advice;
    } limits[] = {
        {RLIMIT_NOFILE, 32, "raise the limit of open files (ulimit -n 1024)"},
        {RLIMIT_AS, 1 << 30,
         "raise the limit of memory (ulimit -v): a run takes half a GB and what the program takes"},
        {RLIMIT_DATA, 1 << 30,
         "raise the limit of data (ulimit -d): a run takes half a GB and what the program takes"},
    };
    struct rlimit limit;

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (getrlimit(limits[i].resource, &limit) == 0 && limit.rlim_cur < limits[i].least)
            return limits[i].advice;
    return otherwise;
}

/*--- What the machine has ---*/

void machine_temporary(struct findings *findings)
{
    struct tempdir dir;
    char *problem = tempdir_open(&dir);

    if (problem) {
        findings_add(findings, "temporary files", FINDING_ERROR, problem, TEMPDIR_ADVICE);
        return;
    }
    findings_add(findings, "temporary files", FINDING_OK,
                 xasprintf("%.*s", (int)(strrchr(dir.path, '/') - dir.path), dir.path), NULL);
    tempdir_remove(&dir);
}

/* A run that was tried says whether it matters. */
void machine_calls(struct findings *findings)
{
    char *denied = denied_calls();

    if (denied)
        findings_add(findings, "system calls", FINDING_NOTE, denied, DENIED_ADVICE);
    else
        findings_add(findings, "system calls", FINDING_OK,
                     xstrdup("those that the tool makes are allowed; it needs no ptrace and no "
                             "personality"),
                     NULL);
}

void machine_processor(struct findings *findings)
{
    if (processor_has_avx512())
        findings_add(findings, "processor", FINDING_NOTE,
                     xstrdup("has AVX-512, which Valgrind does not know"),
                     "where a program ends with SIGILL under --line-use or --engine vex, build it "
                     "with RUSTFLAGS='-C target-cpu=x86-64-v3'");
    else
        findings_add(findings, "processor", FINDING_OK,
                     xstrdup("has nothing that Valgrind does not know"), NULL);
}

/* Why a file below `path` cannot be made: an errno of the nearest folder that is there, or 0. */
static int why_not_below(const char *path)
{
    char *folder = xstrdup(path), *slash;
    int error;

    while ((error = access(folder, W_OK | X_OK) < 0 ? errno : 0) == ENOENT &&
           (slash = strrchr(folder, '/')) && slash != folder)
        *slash = '\0';
    free(folder);
    return error;
}

void machine_kept(struct findings *findings)
{
    static const char name[] = "kept runs";
    char *state = saved_state_folder(), *folders[2];
    int error = state ? why_not_below(state) : 0;

    saved_folders(folders, ".");
    if (folders[0])
        folders[0][strlen(folders[0]) - strlen("/.")] = '\0';
    if (!state)
        findings_add(findings, name, FINDING_OPTIONAL,
                     xstrdup("neither XDG_STATE_HOME nor HOME names a folder for runs of programs "
                             "that cargo did not build"),
                     "set HOME");
    else if (error)
        findings_add(findings, name, FINDING_OPTIONAL,
                     xasprintf("cannot write to '%s': %s", state, strerror(error)),
                     "set XDG_STATE_HOME to a folder that can be written to");
    else
        findings_add(findings, name, FINDING_OK,
                     xasprintf("%s%s%s%s", folders[0] ? folders[0] : "",
                               folders[0] ? "; others in " : "", state,
                               folders[1] ? "" : " (none there yet)"),
                     NULL);
    free(folders[0]);
    free(folders[1]);
    free(state);
}

/*--- Caches ---*/

static bool read_number(const char **text, long *number)
{
    char *end;

    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    *number = strtol(*text, &end, 10);
    *text = end;
    /* Valgrind's tools keep these as int. */
    return !errno && *number > 0 && *number <= INT_MAX;
}

static bool power_of_two(long n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

int geometry_check(const char *name, const char *text)
{
    const char *p = text;
    long size, ways, line;

    if (!read_number(&p, &size) || *p++ != ',' || !read_number(&p, &ways) || *p++ != ',' ||
        !read_number(&p, &line) || *p)
        return message_usage(
            "'%s' is no value for --%s; it takes SIZE,WAYS,LINE in bytes, ways and "
            "bytes, such as 32768,8,64",
            text, name);
    if (!power_of_two(line) || line < 16)
        return message_usage("--%s %s: the line size must be a power of two, 16 or more; not %ld",
                             name, text, line);
    if (size <= line)
        return message_usage(
            "--%s %s: the size must be more than one line of %ld bytes; take a larger one", name,
            text, line);
    if (ways > size / line)
        return message_usage(
            "--%s %s: there cannot be more ways than the %ld lines of the cache; take fewer", name,
            text, size / line);
    if (size % (line * ways) || !power_of_two(size / (line * ways)))
        return message_usage(
            "--%s %s: the number of sets, SIZE / (WAYS * LINE), must be a power of "
            "two; it is %.6g",
            name, text, (double)size / (double)(line * ways));
    return 0;
}

/*--- The machine's ---*/

/* "32768K" is 32 MiB. 0: there is no such number. */
static unsigned long long sysfs_number(const char *folder, unsigned index, const char *name)
{
    char *path = xasprintf("%s/index%u/%s", folder, index, name);
    unsigned long long number = 0;
    char unit = 0;
    int n = file_scan(path, "%llu%c", &number, &unit);

    free(path);
    if (n < 1 || number > UINT32_MAX)
        return 0;
    return unit == 'K' ? number << 10 : unit == 'M' ? number << 20 : number;
}

/* Fits a last level to the model, as the tool does: the number of sets is cut to a power of two,
 * and the ways are raised in proportion. False: the kernel does not know all of it. */
static bool fit(struct geometry *g)
{
    unsigned long long set = g->ways * g->line, sets = set ? g->size / set : 0, power = 1;

    if (!sets || g->line & (g->line - 1))
        return false;
    while (power <= sets / 2)
        power *= 2;
    g->ways = (2 * sets * g->ways + power) / (2 * power);
    g->size = power * g->ways * g->line;
    return g->size <= INT_MAX;
}

bool geometry_last_level(const char *folder, struct geometry *last)
{
    unsigned long long best = 0, level;

    for (unsigned i = 0; (level = sysfs_number(folder, i, "level")) != 0; i++) {
        if (level <= best)
            continue;
        best = level;
        *last = (struct geometry){sysfs_number(folder, i, "size"),
                                  sysfs_number(folder, i, "ways_of_associativity"),
                                  sysfs_number(folder, i, "coherency_line_size")};
    }
    return best > 1 && fit(last);
}
