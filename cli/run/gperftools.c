#include <config.h>

#include "run/gperftools.h"

#include "base/held_process.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/pass_on.h"
#include "run/sample_places.h"
#include "symbols/elf_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/*--- Raw profiles ---*/

/* The samples become text as perf has it, one after the other, and go the way of perf's. */

/* Beyond this many, which are days of sampling, a file is more likely damaged. */
enum { MOST_SAMPLES = 4 << 20 };

/* The columns of the reader. */
enum { COLUMN_SAMPLES, COLUMN_CPU, COLUMNS };

static bool can_be_raw(const struct cprof_profile *p)
{
    return p->format == CPROF_FORMAT_GPERFTOOLS && p->n_events == COLUMNS &&
           strcmp(p->events[COLUMN_CPU].name, "cpu") == 0 && !p->n_warnings && p->program &&
           p->totals[COLUMN_SAMPLES] > 0 && p->totals[COLUMN_SAMPLES] <= MOST_SAMPLES;
}

/* The stack of the context, the innermost frame first. Functions of such a profile are called as
 * their addresses; what is not, is no code. */
static void put_stack(FILE *out, const struct cprof_profile *p, uint32_t context)
{
    for (uint32_t i = context; i != CPROF_NONE; i = p->contexts[i].parent) {
        const struct cprof_function *f = &p->functions[p->contexts[i].function];
        char *end;
        unsigned long long address = strtoull(f->name, &end, 16);

        if (!*end && f->object != CPROF_NONE)
            fprintf(out, "\t%16llx [unknown] (%s)\n", address, p->objects[f->object].path);
    }
}

static void put_samples(FILE *out, const struct cprof_profile *p)
{
    long long period = (long long)(p->totals[COLUMN_CPU] / p->totals[COLUMN_SAMPLES]);

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
            for (int64_t n = cprof_context_values(p, k)[COLUMN_SAMPLES]; n > 0; n--) {
                fprintf(out, "program 1 0.000001: %lld cpu: \n", period);
                put_stack(out, p, i);
                fputc('\n', out);
            }
    }
}

/* Returns the number of samples, or -1. */
static int64_t make_raw(const struct cprof_profile *p, int text, FILE *out)
{
    struct code_places *places = code_places_new();
    char *path = xasprintf("/proc/self/fd/%d", text);
    struct samples_source source = {.locate = sample_places_find,
                                    .places = places,
                                    .kind = SAMPLES_CHANCE,
                                    .creator = "gperftools",
                                    .is_file = 1,
                                    .program = p->program};
    struct cprof_error error;
    int64_t n = samples_to_raw(path, &source, sample_places_put, out, &error);

    free(path);
    code_places_free(places);
    return n;
}

/* True, with the raw profile in memory that the caller frees, for such a profile that is whole;
 * any other is to be shown as it is. */
static bool gperftools_raw(const struct cprof_profile *p, char **bytes, size_t *size)
{
    int text = can_be_raw(p) ? memfd_create("samples", MFD_CLOEXEC) : -1;
    FILE *to = text < 0 ? NULL : fdopen(dup(text), "w"), *out;
    bool is_made = false;

    *bytes = NULL;
    *size = 0;
    out = open_memstream(bytes, size);
    if (to && out) {
        put_samples(to, p);
        is_made = fflush(to) == 0 && lseek(text, 0, SEEK_SET) == 0 &&
                  make_raw(p, text, out) == p->totals[COLUMN_SAMPLES];
    }
    if (to)
        fclose(to);
    if (text >= 0)
        close(text);
    return (!out || fclose(out) == 0) && is_made;
}

/*--- Runs ---*/

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
