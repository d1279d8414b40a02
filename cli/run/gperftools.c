#include <config.h>

#include "run/gperftools.h"

#include "base/child_wait.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/pass_on.h"
#include "run/gperftools_raw.h"
#include "symbols/elf_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIBRARY "libprofiler.so"

enum { FREQUENCY_MOST = 4000 /* gperftools takes no more */ };

/*--- The library ---*/

static bool is_library(const void *unused, const char *name)
{
    (void)unused;
    return !strncmp(name, LIBRARY, strlen(LIBRARY)) ||
           !strncmp(name, "libtcmalloc_and_profiler", 24);
}

/* Asks in a process of its own whether the dynamic linker finds the library, so that its code does
 * not run in this one. */
static bool is_found(const char *name)
{
    int status;
    pid_t pid = fork();

    if (pid == 0)
        _exit(dlopen(name, RTLD_LAZY) ? 0 : 1);
    status = pid < 0 ? 1 : process_wait(pid);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The word for LD_PRELOAD; NULL: it is linked with the program. A static program may have it in
 * itself. Returns 0, or STATUS_ERROR having said what is wrong. */
static int find_library(const char *path, const char **preload)
{
    static const char *const names[] = {LIBRARY ".0", LIBRARY};
    Elf *elf;
    int fd = elf_file_open_plain(path, &elf);
    bool is_linked, is_static;

    *preload = NULL;
    if (fd < 0)
        return 0;
    is_linked = elf_file_needs(elf, is_library, NULL);
    is_static = !elf_file_interpreter(elf);
    elf_end(elf);
    close(fd);
    if (is_linked || is_static)
        return 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && !*preload; i++)
        *preload = is_found(names[i]) ? names[i] : NULL;
    return *preload ? 0
                    : message_error("'%s', the library of gperftools, is not installed, and the "
                                    "program is not linked with it; install it ('sudo apt install "
                                    "libgoogle-perftools4' on Debian), or leave out --engine",
                                    LIBRARY);
}

/*--- The run ---*/

static void add_environment(struct string_list *environment, const struct sampling *s,
                            const char *path, const char *preload)
{
    const char *own = getenv("LD_PRELOAD");
    long frequency = s->frequency < FREQUENCY_MOST ? s->frequency : FREQUENCY_MOST;

    for (size_t i = 0; i < environment->n; i++)
        if (!strncmp(environment->items[i], "LD_PRELOAD=", 11))
            own = environment->items[i] + 11;
    if (preload)
        string_list_add(environment, own && *own ? xasprintf("LD_PRELOAD=%s:%s", preload, own)
                                                 : xasprintf("LD_PRELOAD=%s", preload));
    string_list_add(environment, xasprintf("CPUPROFILE=%s", path));
    string_list_add(environment, xasprintf("CPUPROFILE_FREQUENCY=%ld", frequency));
}

static int run(const struct process_spec *spec, const struct sampling *s,
               struct run_outcome *outcome)
{
    struct handlers handlers;
    int error;

    child_times_begin(&outcome->times);
    error = pass_on_start(&handlers, spec, &outcome->pid);
    if (!error)
        outcome->duration_over =
            child_wait(outcome->pid, s->duration, &outcome->wait_status, &outcome->times);
    outcome->ended_by = pass_on_end(&handlers).ended_by;
    return error ? message_error("cannot execute '%s': %s", spec->argv[0], strerror(error)) : 0;
}

/* The library writes the file when the program ends by itself. */
static int check_file(const char *path, const struct run_outcome *outcome)
{
    struct stat st;

    if (outcome->ended_by || (stat(path, &st) == 0 && st.st_size > 0))
        return 0;
    unlink(path);
    if (WIFSIGNALED(outcome->wait_status))
        return message_error("no profile: the program was ended by a signal, and the library of "
                             "gperftools writes it when a program ends by itself");
    return message_error("no profile: the library of gperftools wrote none; a program that is "
                         "static has to be linked with it (-lprofiler), or take samples without "
                         "--engine");
}

/* The run's profile, at `to`, is the library's file, made raw. */
static int keep(const char *from, const char *to)
{
    struct cprof_error error;
    struct cprof_profile *p = cprof_load(from, 0, &error);
    char *bytes = NULL;
    size_t size = 0;
    int status = 0;

    if (!p)
        return message_library_error(&error);
    if (gperftools_raw(p, &bytes, &size)) {
        FILE *file = fopen(to, "we");
        bool is_written = file && fwrite(bytes, 1, size, file) == size;

        if ((file && fclose(file) != 0) || !is_written)
            status = message_error("cannot write '%s': %s; " TEMPDIR_ADVICE, to, strerror(errno));
        unlink(from);
    } else {
        (void)rename(from, to);
    }
    free(bytes);
    cprof_free(p);
    return status;
}

int gperftools_run(struct process_spec *spec, const struct sampling *s, const struct tempdir *dir,
                   struct run_outcome *outcome)
{
    struct string_list environment = {0};
    char *path = xasprintf("%s/cpu.prof", dir->path), *kept;
    const char *preload;
    int status = find_library(spec->argv[0], &preload);

    for (size_t i = 0; spec->environment && i < spec->environment->n; i++)
        string_list_add(&environment, xstrdup(spec->environment->items[i]));
    if (!status) {
        add_environment(&environment, s, path, preload);
        spec->environment = &environment;
        status = run(spec, s, outcome);
    }
    if (!status)
        status = check_file(path, outcome);
    kept = xasprintf("%s/" RAWSET_NAME "%ld", dir->path, (long)outcome->pid);
    if (!status)
        status = keep(path, kept);
    spec->environment = NULL;
    string_list_free_texts(&environment);
    free(kept);
    free(path);
    return status;
}
