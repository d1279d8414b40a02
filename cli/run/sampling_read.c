#include <config.h>

#include "run/sampling_read.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/held_process.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/sort.h"
#include "base/words.h"
#include "run/perf.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/*--- Sections ---*/

/* As the marks have it: the variable that names the file, which has room for eight million marks
 * and is as large as what is written. */
#define VARIABLE "CPROF_SECTION_LOG"
#define MAGIC    UINT64_C(0x3130474f4c435343) /* "CSCLOG01" */
#define SIZE     ((size_t)256 << 20)

/* A mark. The head of the file has the same size. */
struct record {
    uint64_t time;
    uint64_t name; /* hashed */
    uint32_t tid;
    uint32_t kind; /* MARK_BEGIN, MARK_END; 0: not written to its end */
    uint64_t unused;
};
struct head {
    uint64_t magic;
    uint64_t used; /* bytes behind the head that are taken, or were to be */
    uint64_t unused[2];
};
enum { MARK_BEGIN = 1, MARK_END = 2 };

int section_log_make(struct section_log *log, const struct tempdir *dir,
                     struct string_list *environment)
{
    const struct head head = {.magic = MAGIC};
    int fd, error = 0;

    *log = (struct section_log){.path = xasprintf("%s/sections.log", dir->path)};
    fd = open(log->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, (off_t)SIZE) < 0 ||
        pwrite(fd, &head, sizeof head, 0) != (ssize_t)sizeof head)
        error = errno;
    if (fd >= 0)
        close(fd);
    if (error)
        return message_error("cannot make '%s': %s; " TEMPDIR_ADVICE, log->path, strerror(error));
    string_list_add(environment, xasprintf(VARIABLE "=%s", log->path));
    return 0;
}

/* FNV-1a, as the marks have it. */
static uint64_t hash(const char *name)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return h;
}

static bool is_wanted(uint64_t name, const struct string_list *names)
{
    for (size_t i = 0; i < names->n; i++)
        if (!strcmp(names->items[i], "*") || name == hash(names->items[i]))
            return true;
    return false;
}

/* By thread and time; marks at one time in the order that they were made in. */
static int compare(const void *a, const void *b)
{
    const struct record *x = *(const struct record *const *)a,
                        *y = *(const struct record *const *)b;

    COMPARE(x->tid, y->tid);
    COMPARE(x->time, y->time);
    return x < y ? -1 : x > y;
}

static void add_stay(struct section_log *log, const struct record *begin, uint64_t end)
{
    APPEND(log->stays, log->n, log->room) = (struct section_stay){begin->tid, begin->time, end};
}

/* Sections lie in each other: a stay is that in the outermost one. */
static void make_stays(struct section_log *log, const struct record *const *records, size_t n)
{
    const struct record *begin = NULL;
    size_t depth = 0;

    for (size_t i = 0; i < n; i++) {
        const struct record *r = records[i];

        if (begin && begin->tid != r->tid) {
            add_stay(log, begin, UINT64_MAX);
            begin = NULL;
            depth = 0;
        }
        if (r->kind == MARK_BEGIN && !depth++)
            begin = r;
        else if (r->kind == MARK_END && depth && !--depth) {
            add_stay(log, begin, r->time);
            begin = NULL;
        }
    }
    if (begin)
        add_stay(log, begin, UINT64_MAX);
}

static int read_records(struct section_log *log, const struct head *head,
                        const struct string_list *names)
{
    const struct record *records = (const struct record *)(head + 1), **wanted;
    size_t most = (SIZE - sizeof *head) / sizeof *records, n_wanted = 0, all;
    size_t n = all = (size_t)(head->used / sizeof *records);

    if (n > most)
        n = most;
    wanted = xreallocarray(NULL, n + 1, sizeof *wanted);
    for (size_t i = 0; i < n; i++)
        if (records[i].kind && is_wanted(records[i].name, names))
            wanted[n_wanted++] = &records[i];
    sort_items(wanted, n_wanted, sizeof *wanted, compare);
    make_stays(log, wanted, n_wanted);
    free(wanted);
    if (all > n)
        message_warning("the program marked sections %s times, and the first %s are known: samples "
                        "behind those are put to the section that was open then",
                        TEXT_COUNT(all), TEXT_COUNT(n));
    if (log->n)
        return 0;
    if (!n)
        return message_error(
            "no section began: the program names none, or was built without the feature "
            "cprof/enable (C: -DCPROF_ENABLE), or with an older cprof; build it with that feature");
    return message_error("the sections of --section never began; others did, and --section '*' is "
                         "any");
}

int section_log_read(struct section_log *log, const struct string_list *names)
{
    int fd = open(log->path, O_RDONLY | O_CLOEXEC), status;
    void *bytes = fd < 0 ? MAP_FAILED : mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);

    if (fd >= 0)
        close(fd);
    if (bytes == MAP_FAILED)
        return message_error("cannot read '%s': %s; run it again", log->path, strerror(errno));
    status = read_records(log, bytes, names);
    munmap(bytes, SIZE);
    return status;
}

static bool is_before(const void *item, const void *key)
{
    const struct section_stay *stay = item, *at = key;

    return stay->tid != at->tid ? stay->tid < at->tid : stay->end <= at->begin;
}

/* True where the thread was in one of them. */
static bool section_log_has(const struct section_log *log, uint64_t tid, uint64_t time)
{
    const struct section_stay at = {.tid = tid, .begin = time};
    size_t i = lower_bound(log->stays, log->n, sizeof *log->stays, is_before, &at);

    return i < log->n && log->stays[i].tid == tid && log->stays[i].begin <= time;
}

void section_log_free(struct section_log *log)
{
    if (log->path)
        unlink(log->path);
    free(log->path);
    free(log->stays);
    *log = (struct section_log){0};
}

/*--- Places ---*/

/* Code that is in no file: generated, on a stack. */
static const char *unnamed_object(const char *object)
{
    return object[0] == '[' && strncmp(object, "[anon", 5) != 0 && strcmp(object, "[heap]") != 0 &&
                   strcmp(object, "[stack]") != 0 && strcmp(object, "[unknown]") != 0
               ? object
               : "[anonymous]";
}

void sample_places_find(void *places, const struct samples_frame *frame,
                        struct samples_place *place)
{
    struct code_place found = {.build_id = NULL};
    uint64_t offset = frame->is_relative ? code_places_offset(places, frame->object, frame->address)
                                         : frame->address;

    if (frame->object[0] == '/' &&
        code_places_find(places, frame->object, offset, frame->is_caller, &found)) {
        place->build_id = found.build_id;
        place->address = found.address;
        place->function = found.function;
        return;
    }
    /* A file that is gone is known by its path; perf's own maps are of generated code. */
    if (frame->object[0] == '/' && strncmp(frame->object, "/tmp/perf-", 10) != 0 &&
        strncmp(frame->object, "//", 2) != 0) {
        place->build_id = found.build_id;
        place->address = frame->address;
        return;
    }
    place->object = unnamed_object(frame->object);
    place->is_named = 1;
    place->function = frame->symbol_size ? frame->address - frame->offset : 0;
    place->address = place->function ? place->function : frame->address;
}

/* Functions that programs, threads and fibres begin with, or that the unwinder goes no further than
 * by frame pointers. */
static bool is_beginning(const char *name, size_t size)
{
    static const char names[] =
        "_start _start_c _dl_start _dl_start_user __libc_start_main __libc_start_main_impl "
        "__libc_start_call_main generic_start_main libc_start_main_stage2 main clone __clone "
        "clone3 __clone3 __clone_internal start_thread __start_context runtime.goexit "
        "runtime.goexit.abi0 runtime.mstart runtime.mstart.abi0 runtime.rt0_go "
        "runtime.rt0_go.abi0";
    const char *version = memchr(name, '@', size); /* "clone@@GLIBC_2.2.5" */

    if (version && version > name)
        size = (size_t)(version - name);
    return text_is_word_of(names, name, size);
}

/* As samples_source.begins: programs, threads and fibres begin there. */
static int sample_places_begin(void *places, const struct samples_frame *frame)
{
    return is_beginning(frame->symbol, frame->symbol_size) ||
           (frame->object[0] == '/' &&
            code_places_begin(places, frame->object, frame->address, frame->is_caller));
}

int sample_places_put(void *file, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, file) == size ? 0 : -1;
}

/*--- Reading ---*/

/* perf's text has ended; `n` samples were in it, or -1. Returns 0 or a status. `is_file`: its data
 * is a file of the user's. */
static int judge_reading(int64_t n, int status, const char *messages, bool is_file,
                         const struct cprof_error *error)
{
    const char *advice = NULL;
    char *complaint = status ? perf_events_complaint(messages, NULL, &advice) : NULL;

    if (n < 0)
        status = message_library_error(error);
    else if (status && n)
        message_warning("perf's data is not whole, and samples at its end are missing: %s",
                        complaint ? complaint : "perf script failed");
    else if (status)
        message_error("cannot read perf's data: %s; %s",
                      complaint ? complaint : "perf script failed",
                      advice    ? advice
                      : is_file ? "it may be damaged, or cut short"
                                : "run it again");
    free(complaint);
    return n > 0 ? 0 : status ? STATUS_ERROR : 0;
}

static enum samples_kind kind_of(const struct sampling *s)
{
    return s->off_cpu ? SAMPLES_WAITS : sampling_every(s) == 1 ? SAMPLES_EXACT : SAMPLES_CHANCE;
}

/* The probes as the reader knows events. */
static void add_probes(struct samples_event *events, const struct probes *probes, bool *have_values)
{
    for (size_t i = 0; i < probes->n; i++) {
        const struct probe_event *p = &probes->items[i];

        events[i] =
            (struct samples_event){p->perf_name, p->name, p->sum ? PROBES_FIELD : NULL, p->sum};
        *have_values |= p->sum != NULL;
    }
}

/* The events that were asked for, where they are several. The caller frees it, and `names`. */
static struct samples_event *events_of(const struct recording *r, bool *have_values,
                                       struct string_list *names, size_t *n)
{
    const struct probes *probes = r->probes;
    char *list = probes->n || r->sampling->off_cpu ? NULL : sampling_columns(r->sampling);
    struct samples_event *events;

    for (char *at = list, *word; at && (word = strtok_r(at, " ", &at));)
        if (strcmp(word, "Samples") != 0)
            string_list_add(names, xstrdup(word));
    *n = probes->n ? probes->n : names->n > 1 ? names->n : 0;
    events = xcalloc(*n + 1, sizeof *events);
    *have_values = false;
    if (probes->n)
        add_probes(events, probes, have_values);
    for (size_t i = 0; !probes->n && i < *n; i++)
        events[i] = (struct samples_event){.perf_name = names->items[i], .name = names->items[i]};
    free(list);
    return events;
}

/* Copies what can be read from `from`. Returns how much it was. */
static int64_t copy(int from, FILE *out)
{
    char bytes[65536];
    int64_t total = 0;
    ssize_t n;

    while ((n = read(from, bytes, sizeof bytes)) > 0)
        if (sample_places_put(out, bytes, (size_t)n) == 0)
            total += n;
    return total;
}

/* Has perf write its data as text, and the raw profile made of it to `out`; with no source, the
 * text. */
static int read_text(const struct perf_script *script, const struct samples_source *source,
                     const struct tempdir *dir, FILE *out)
{
    struct cprof_error error;
    int text = -1, log = tempdir_log(dir), status;
    char *input, *messages;
    int64_t n;
    pid_t pid;
    int failed = perf_script_begin(script, &text, log, &pid);

    if (failed) {
        status = process_refused("perf", failed);
    } else {
        input = xasprintf("/proc/self/fd/%d", text);
        n = source ? samples_to_raw(input, source, sample_places_put, out, &error)
                   : copy(text, out);
        close(text);
        status = process_wait(pid);
        messages = perf_log_text(log);
        status = judge_reading(n, status, messages, !source, &error);
        free(messages);
        free(input);
    }
    if (log >= 0)
        close(log);
    return status;
}

/* Writes the samples into a file, which is there afterwards if there are samples. */
static int write_raw(const struct perf_script *script, const struct samples_source *source,
                     const struct tempdir *dir, const char *path)
{
    FILE *out = fopen(path, "we");
    int status = out ? read_text(script, source, dir, out) : 0;
    bool is_empty = out && ftell(out) == 0;

    if (!out || (fclose(out) != 0 && !status))
        status = message_error("cannot write '%s': %s; " TEMPDIR_ADVICE, path, strerror(errno));
    if (status || is_empty)
        unlink(path);
    return status;
}

static int counts(const void *sections, uint64_t tid, uint64_t time)
{
    return section_log_has(sections, tid, time);
}

static uint64_t expected(const void *probes)
{
    return probes_hits(probes);
}

/* perf has not seen the end of a process. It may have ended since. */
static void note_running(void *outcome, uint64_t pid)
{
    if (kill((pid_t)pid, 0) == 0 || errno == EPERM)
        ((struct run_outcome *)outcome)->goes_on = true;
}

int sampling_read(const struct recording *r)
{
    const struct sampling *s = r->sampling;
    struct code_places *places = code_places_new();
    struct perf_script script = {.data = r->data, .switches = s->off_cpu};
    struct string_list names = {0};
    size_t n_events;
    struct samples_event *events = events_of(r, &script.values, &names, &n_events);
    char *version = perf_version(), *creator = xasprintf("cprof-" VERSION " %s", version);
    char *path = xasprintf("%s/" RAWSET_NAME "%ld", r->dir->path, (long)r->outcome->pid);
    char *absolute = realpath(r->program->path, NULL);
    int wait_status = r->outcome->wait_status;
    struct samples_source source = {
        .locate = sample_places_find,
        .begins = sample_places_begin,
        .places = places,
        .stack_bytes = (uint64_t)r->stack_bytes,
        .kind = kind_of(s),
        .events = events,
        .n_events = n_events,
        .counts = r->sections ? counts : NULL,
        .sections = r->sections,
        .expected = r->probes->n && sampling_every(s) == 1 ? expected : NULL,
        .probes = r->probes,
        .callers_return = sampling_call_graph(s) == CALL_GRAPH_FP,
        .goes_on = s->pid ? NULL : note_running,
        .run = r->outcome,
        .left_out = s->pid ? NULL : HELD_PROCESS_NAME,
        .creator = creator,
        .pid = (long)r->outcome->pid,
        .program = absolute ? absolute : r->program->path,
        .arguments = r->words->items,
        .setup = r->setup->items,
        .exit_code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1};
    int status = write_raw(&script, &source, r->dir, path);

    code_places_free(places);
    free(events);
    string_list_free_texts(&names);
    free(version);
    free(creator);
    free(absolute);
    free(path);
    return status;
}

/*--- A file of perf's ---*/

#define PERF_MAGIC "PERFILE2"

bool sampling_is_perf_data(const char *path)
{
    return profile_file_begins(path, PERF_MAGIC);
}

/* Tells whether perf can read the file, which is perf's data, as it is. */
static bool is_plain(const char *path)
{
    char magic[sizeof PERF_MAGIC - 1] = "";
    FILE *file = fopen(path, "re");
    bool is = file && fread(magic, 1, sizeof magic, file) == sizeof magic &&
              memcmp(magic, PERF_MAGIC, sizeof magic) == 0;

    if (file)
        fclose(file);
    return is;
}

/* Unpacks the file at `path` to `copy`. Returns 0 or a status. */
static int unpack(const char *path, const char *copy)
{
    struct cprof_error error;
    FILE *out = fopen(copy, "we");
    int status = 0;

    if (out && profile_file_copy(path, sample_places_put, out, &error))
        status = message_library_error(&error);
    if (!out || (fclose(out) != 0 && !status))
        status = message_error("cannot write '%s': %s; " TEMPDIR_ADVICE, copy, strerror(errno));
    return status;
}

/* "HEX PATH", as perf lists the files that it recorded. */
static void expect_build(void *places, char *line)
{
    char *path = strchr(line, ' ');

    if (!path || path[1] != '/')
        return;
    *path = '\0';
    code_places_expect(places, path + 1, line);
}

static void expect_builds(struct code_places *places, const char *data)
{
    const char *const words[] = {"perf", "buildid-list", "-i", data, NULL};
    const struct process_spec spec = {.argv = words, .no_input = true, .no_errors = true};
    int status;

    (void)process_capture(&spec, expect_build, places, &status);
}

static void warn_rebuilt(const struct code_places *places, const char *data)
{
    size_t n;
    const char *first = code_places_rebuilt(places, &n);

    if (n == 1)
        message_warning("'%s' is of another build than the one that '%s' was recorded with: its "
                        "code gets no names",
                        first, data);
    else if (n)
        message_warning("'%s' and others, %s files, are of other builds than those that '%s' was "
                        "recorded with: their code gets no names",
                        first, TEXT_COUNT(n), data);
}

/* Without stacks, perf's addresses are those of the process, and only perf knows what was mapped
 * there: its own names remain. By debug information, addresses of callers are within their calls.
 */
static int read_perf_data(const char *path, const char *data, char **bytes, size_t *size)
{
    struct code_places *places = code_places_new();
    char *version = perf_version(), *creator = xasprintf("cprof-" VERSION " %s", version);
    char *event = process_line((const char *const[]){"perf", "evlist", "-v", "-i", data, NULL});
    FILE *out = open_memstream(bytes, size);
    const char *copied = event ? strstr(event, "sample_stack_user: ") : NULL;
    struct samples_source source = {.locate = sample_places_find,
                                    .begins = sample_places_begin,
                                    .places = places,
                                    .stack_bytes = copied ? strtoull(copied + 19, NULL, 10) : 0,
                                    .is_file = 1,
                                    .kind = SAMPLES_CHANCE,
                                    .callers_return = !event || !strstr(event, "STACK_USER"),
                                    .creator = creator};
    bool has_stacks = !event || strstr(event, "CALLCHAIN");
    int status;

    expect_builds(places, data);
    status =
        out ? read_text(&(struct perf_script){.data = data}, has_stacks ? &source : NULL, NULL, out)
            : 0;

    if (!out || (fclose(out) != 0 && !status))
        status =
            message_error("cannot read '%s': %s; check the permissions", path, strerror(errno));
    if (!status && !*size)
        status = message_error("'%s' has no samples; record a longer run", path);
    else if (status)
        message_note("the perf that wrote it can read it: 'perf script -i %s >samples.txt' there, "
                     "and report samples.txt",
                     path);
    warn_rebuilt(places, path);
    code_places_free(places);
    free(event);
    free(version);
    free(creator);
    return status;
}

int sampling_read_perf_data(const char *path, char **bytes, size_t *size)
{
    struct tempdir dir;
    char *data;
    int status;

    if (is_plain(path))
        return read_perf_data(path, path, bytes, size);
    if (tempdir_make(&dir))
        return STATUS_ERROR;
    data = xasprintf("%s/perf.data", dir.path);
    status = unpack(path, data);
    if (!status)
        status = read_perf_data(path, data, bytes, size);
    free(data);
    tempdir_remove(&dir);
    return status;
}
