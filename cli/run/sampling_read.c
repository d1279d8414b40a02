#include <config.h>

#include "run/sampling_read.h"

#include "base/counts.h"
#include "base/held_process.h"
#include "base/memory.h"
#include "base/message.h"
#include "cprof_internal.h"
#include "run/perf.h"
#include "run/sample_places.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
    int text = -1, log = perf_log_open(dir), status;
    char *input, *messages;
    int64_t n;
    pid_t pid;
    int failed = perf_script_begin(script, &text, log, &pid);

    if (failed) {
        status = message_error("cannot run 'perf': %s", strerror(failed));
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

/* The text that perf has on the file's first event; NULL: none. The caller frees it. */
static char *describe_event(const char *data)
{
    const char *const words[] = {"perf", "evlist", "-v", "-i", data, NULL};
    struct process_spec spec = PROCESS_SPEC_INIT;
    char *line = NULL;
    int status;

    spec.argv = words;
    spec.no_input = true;
    spec.no_errors = true;
    process_first_line(&spec, &line, &status);
    return line;
}

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
    struct process_spec spec = PROCESS_SPEC_INIT;
    int status;

    spec.argv = words;
    spec.no_input = true;
    spec.no_errors = true;
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
    char *event = describe_event(data);
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
        status = message_error("cannot read '%s': %s", path, strerror(errno));
    if (!status && !*size)
        status = message_error("'%s' has no samples", path);
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
