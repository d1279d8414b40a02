#include <config.h>

/* Reading a profile of any format, from a file or from memory. */
#include "cp_format.h"
#include "cprof_internal.h"
#include "error.h"
#include "input.h"
#include "named.h"
#include "profile.h"
#include "reader.h"

#include <stdio.h>

/* Signs of a file's kind in its first lines. */
struct signs {
    int callgrind; /* a key or marker of callgrind alone */
    int command, description, events;
    int lines; /* callgrind's or cachegrind's body lines, such as fn= */
};

static void look_at_line(struct signs *s, const char *line, const char *end)
{
    static const char *const keys[] = {
        "# callgrind format", "version:", "creator:", "positions:", "part:", "pid:", "thread:"};
    size_t size = (size_t)(end - line);

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        s->callgrind |= size >= strlen(keys[i]) && !memcmp(line, keys[i], strlen(keys[i]));
    s->command |= LEX_STARTS(line, end, "cmd:");
    s->description |= LEX_STARTS(line, end, "desc:");
    s->events |= LEX_STARTS(line, end, "events:");
    s->lines |= LEX_STARTS(line, end, "fn=") || LEX_STARTS(line, end, "fl=");
}

/*
 * Looks for signs in the header. Cachegrind writes "desc:", "cmd:" and "events:" only; callgrind
 * has another key before its "cmd:". No line behind a "cmd:" is a sign of callgrind, since
 * cachegrind does not escape newlines in it.
 */
static struct signs look(const char *at, size_t size)
{
    const char *end = at + size;
    struct signs s = {0};

    while (at < end && !s.callgrind && !s.events) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *line_end = newline ? newline : end;
        int callgrind = s.callgrind, command = s.command && s.description;
        look_at_line(&s, at, line_end);
        if (command)
            s.callgrind = callgrind;
        at = newline ? newline + 1 : end;
    }
    return s;
}

/* Cachegrind's sign is that there is none of callgrind. */
static int cachegrind_is_kind(const char *at, size_t size)
{
    struct signs s = look(at, size);

    return !s.callgrind && (s.command || s.description);
}

static int callgrind_is_kind(const char *at, size_t size)
{
    struct signs s = look(at, size);

    return s.callgrind || s.events || s.lines;
}

static int raw_is_kind(const char *at, size_t size)
{
    return LEX_STARTS(at, at + size, CP_RAW_MAGIC);
}

static int named_is_kind(const char *at, size_t size)
{
    return LEX_STARTS(at, at + size, NAMED_MAGIC);
}

/* Signs become weaker from row to row: nearly any text may be folded stacks. A raw profile is one
 * with names once it is written. */
static const struct input_format formats[] = {
    {CPROF_FORMAT_NAMED, "cprof", "cprof", named_is_kind, named_read},
    {CPROF_FORMAT_RAW, "cprof", NULL, raw_is_kind, raw_read},
    {CPROF_FORMAT_PPROF, "pprof", "pprof", pprof_is_kind, pprof_read},
    {CPROF_FORMAT_GPERFTOOLS, "gperftools", "gperftools", gperf_is_kind, gperf_read},
    {CPROF_FORMAT_SPEEDSCOPE, "speedscope", "speedscope", json_is_kind, json_read},
    {CPROF_FORMAT_FIREFOX, "firefox", "Firefox Profiler", json_is_kind, json_read},
    {CPROF_FORMAT_DHAT, "dhat", "DHAT", json_is_kind, json_read},
    {CPROF_FORMAT_CPUPROFILE, "cpuprofile", "Chrome", json_is_kind, json_read},
    {CPROF_FORMAT_MASSIF, "massif", "massif", massif_is_kind, massif_read},
    {CPROF_FORMAT_CACHEGRIND, "cachegrind", "cachegrind", cachegrind_is_kind, cachegrind_read},
    {CPROF_FORMAT_CALLGRIND, "callgrind", "callgrind", callgrind_is_kind, callgrind_read},
    {CPROF_FORMAT_PERF, "perf", "perf script", perf_is_kind, perf_read},
    {CPROF_FORMAT_FOLDED, "folded", "folded stacks", folded_is_kind, folded_read},
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

const struct input_format *input_formats(size_t *n)
{
    *n = N_FORMATS;
    return formats;
}

/* Fails, and says which files are read. */
static int fail_unknown(struct cprof_error *error)
{
    char titles[256];
    int size = 0;

    for (size_t i = 0; i < N_FORMATS; i++) {
        const char *between = !i ? "" : i + 1 == N_FORMATS ? " or " : ", ";

        if (formats[i].title)
            size += snprintf(titles + size, sizeof titles - (size_t)size, "%s%s", between,
                             formats[i].title);
    }
    return error_set(error, CPROF_ERROR_FOREIGN, "not a profile of %s", titles);
}

/* Fails, and names a file that is easy to know. */
static int fail_foreign(struct cprof_error *error, const char *at, size_t size)
{
    const char *end = at + size;
    unsigned line = folded_wrong_line(at, size);

    if (LEX_STARTS(at, end,
                   "\x7f"
                   "ELF"))
        return error_set(error, CPROF_ERROR_FOREIGN, "not a profile, but a program");
    if (LEX_STARTS(at, end, "--------"))
        return error_set(error, CPROF_ERROR_FOREIGN,
                         "not a profile, but a report made from one (by callgrind_annotate, "
                         "cg_annotate or ms_print)");
    if (line)
        return error_set(error, CPROF_ERROR_FOREIGN,
                         "not folded stacks, though some lines are: line %u does not end with a "
                         "count",
                         line);
    return fail_unknown(error);
}

static struct cprof_profile *read_input(struct input *in, unsigned flags, struct cprof_error *error)
{
    size_t size;
    const char *bytes = input_peek(in, &size);

    if (error->code != CPROF_OK)
        return NULL;
    if (!size) {
        error_set(error, CPROF_ERROR_EMPTY,
                  "file is empty: the run has not written its profile, or has written it elsewhere "
                  "(one file for each thread or part)");
        return NULL;
    }
    if (input_fail_packed(error, bytes, size))
        return NULL;
    for (size_t i = 0; i < N_FORMATS; i++)
        if (formats[i].is_kind(bytes, size))
            return formats[i].read(in, flags, error);
    fail_foreign(error, bytes, size);
    return NULL;
}

/* Reads and closes `in`, which may be NULL where opening failed. */
static struct cprof_profile *load(struct input *in, const char *source, unsigned flags,
                                  struct cprof_error *error)
{
    struct cprof_profile *profile = in ? read_input(in, flags, error) : NULL;

    input_close(in);
    if (!profile)
        return NULL;
    profile->source = arena_text(&((struct profile *)profile)->arena, source, strlen(source));
    if (!profile->source) {
        error_memory(error);
        cprof_free(profile);
        return NULL;
    }
    return profile;
}

static struct cprof_profile *load_file(const char *path, unsigned flags, struct cprof_error *error)
{
    struct cprof_error unwanted;

    if (!error)
        error = &unwanted;
    error_init(error, path);
    return load(input_open(path, error), path, flags, error);
}

static struct cprof_profile *load_memory(const void *data, size_t size, const char *source,
                                         unsigned flags, struct cprof_error *error)
{
    struct cprof_error unwanted;

    if (!error)
        error = &unwanted;
    error_init(error, source);
    return load(input_memory(data, size, error), source, flags, error);
}

struct cprof_profile *cprof_load(const char *path, unsigned flags, struct cprof_error *error)
{
    return load_file(path, flags & ~READER_BLOCKS, error);
}

struct cprof_profile *cprof_read(const void *data, size_t size, const char *source, unsigned flags,
                                 struct cprof_error *error)
{
    return load_memory(data, size, source, flags & ~READER_BLOCKS, error);
}

struct cprof_profile *profile_load_blocks(const char *path, unsigned flags,
                                          struct cprof_error *error)
{
    return load_file(path, flags | READER_BLOCKS, error);
}

struct cprof_profile *profile_read_blocks(const void *data, size_t size, const char *source,
                                          unsigned flags, struct cprof_error *error)
{
    return load_memory(data, size, source, flags | READER_BLOCKS, error);
}

int profile_file_begins(const char *path, const char *text)
{
    struct cprof_error error;
    struct input *in;
    const char *bytes;
    size_t size = 0;
    int begins;

    error_init(&error, path);
    in = input_open(path, &error);
    bytes = in ? input_peek(in, &size) : NULL;
    begins = bytes && size >= strlen(text) && !memcmp(bytes, text, strlen(text));
    input_close(in);
    return begins;
}

int profile_file_copy(const char *path, cprof_writer *write, void *to, struct cprof_error *error)
{
    struct input *in;
    int failed;

    error_init(error, path);
    in = input_open(path, error);
    failed = !in || input_copy(in, write, to);
    input_close(in);
    return failed ? -1 : 0;
}
