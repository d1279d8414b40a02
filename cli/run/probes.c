#include <config.h>

#include "run/probes.h"

#include "base/array.h"
#include "base/cleanup.h"
#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "symbols/elf_file.h"
#include "symbols/probe_places.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* The files of probes: of programs, and of the kernel. */
#define TRACEFS_UPROBES "uprobe_events"
#define TRACEFS_KPROBES "kprobe_events"

/* The beginning of the names of all our groups of probes, which go on with the process's number. */
#define TRACEFS_GROUP "cprof_"

#define TRACEFS_ADVICE "run it as root (sudo)"

struct probe_spec {
    char *object;   /* a library, by its name or path; NULL: the program, or else its libraries */
    char *function; /* a name, or a part behind "::" */
    bool is_kernel; /* of the kernel */
    bool at_return; /* where the function returns */
    char *fetch;    /* the kernel's words for a value that is added up, with its type; or NULL */
    char *event;    /* the name of the event in the profile: one word */
    char *sum;      /* the same of the sum of values; NULL: there is none */
};

/*--- tracefs ---*/

/* The folder; $CPROF_TRACEFS is for tests. Constant; NULL: it is not there, or not for us. */
static const char *tracefs_folder(void)
{
    static const char *const folders[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
    const char *set = environment_or("CPROF_TRACEFS", NULL);

    if (set)
        return set;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *events = xasprintf("%s/events", folders[i]);
        bool is_there = access(events, F_OK) == 0;

        free(events);
        if (is_there)
            return folders[i];
    }
    return NULL;
}

static char *path_of(const char *file)
{
    const char *folder = tracefs_folder();

    return folder ? xasprintf("%s/%s", folder, file) : NULL;
}

/* Why probes cannot be made in `file`, and what helps, constant texts; NULL: they can. */
static const char *tracefs_problem(const char *file, const char **advice)
{
    char *path = path_of(file);
    int error = !path ? ENODEV : access(path, W_OK) < 0 ? errno : 0;

    free(path);
    *advice = TRACEFS_ADVICE;
    if (!error)
        return NULL;
    if (error == ENODEV && geteuid() == 0) {
        *advice = "mount it: 'mount -t tracefs nodev /sys/kernel/tracing'; in a container, by its "
                  "host";
        return "there is no tracefs here, which probes are made by";
    }
    if (error == ENOENT) {
        *advice = strcmp(file, TRACEFS_KPROBES) ? "only one with CONFIG_UPROBE_EVENTS has them"
                                                : "only one with CONFIG_KPROBE_EVENTS has them";
        return strcmp(file, TRACEFS_KPROBES) ? "this kernel has no probes of programs"
                                             : "this kernel has no probes of its own functions";
    }
    return "only root may make probes";
}

/* Appends a line to one of the files. Returns 0 or an errno. */
static int tracefs_write(const char *file, const char *line)
{
    char *path = path_of(file);
    int fd = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    int error = !path ? ENOENT : fd < 0 ? errno : 0;

    free(path);
    if (!error && write(fd, line, strlen(line)) < 0)
        error = errno;
    if (fd >= 0)
        close(fd);
    return error;
}

struct hits {
    const char *prefix;
    uint64_t sum;
};

/* "  /lib/libc.so.6 cprof_42_1f_0    1234" */
static bool add_hits(void *data, char *line)
{
    struct hits *hits = data;
    const char *name = strstr(line, hits->prefix), *number = name ? strchr(name, ' ') : NULL;

    if (number)
        hits->sum += strtoull(number, NULL, 10);
    return false;
}

/* How often probes were met whose names begin so, by the kernel's list of them for one of the
 * files.
 */
static uint64_t tracefs_hits(const char *file, const char *prefix)
{
    struct hits hits = {prefix, 0};

    file_lines(path_of(strcmp(file, TRACEFS_KPROBES) ? "uprobe_profile" : "kprobe_profile"),
               add_hits, &hits);
    return hits.sum;
}

/* "p:cprof_42_1f/cprof_42_1f_0 ...": of a process that is no more. */
static bool is_left(const char *line)
{
    size_t size = strlen(TRACEFS_GROUP);
    long pid;

    if ((*line != 'p' && *line != 'r') || line[1] != ':' ||
        strncmp(line + 2, TRACEFS_GROUP, size) != 0)
        return false;
    pid = strtol(line + 2 + size, NULL, 10);
    return pid > 0 && kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

static bool remove_left(void *file, char *line)
{
    if (is_left(line)) {
        char *removal = xasprintf("-%.*s\n", (int)strcspn(line + 1, " "), line + 1);

        (void)tracefs_write(file, removal); /* perf may still be at its end */
        free(removal);
    }
    return false;
}

/* Removes what processes left that were killed. */
static void tracefs_remove_left(void)
{
    file_lines(path_of(TRACEFS_UPROBES), remove_left, (char *)TRACEFS_UPROBES);
    file_lines(path_of(TRACEFS_KPROBES), remove_left, (char *)TRACEFS_KPROBES);
}

/*--- Specifications ---*/

#define RETURN "%return"

/* The registers that have a function's arguments. */
#if defined(__x86_64__)
static const char *const arguments[] = {"%di", "%si", "%dx", "%cx", "%r8", "%r9"};
#else
static const char *const arguments[] = {"%x0", "%x1", "%x2", "%x3", "%x4", "%x5"};
#endif

/* The ':' behind the object; NULL: there is none. "::" stands in names. */
static const char *object_end(const char *text)
{
    for (const char *p = text; *p && *p != ' '; p++) {
        if (*p == ':' && p[1] == ':')
            p++;
        else if (*p == ':')
            return p;
    }
    return NULL;
}

/* "arg3", "%rdx" and "%edx" in the kernel's words. The caller frees it. */
static char *kernel_words(const char *value, size_t size)
{
    static const char *const legacy[] = {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp", "ip"};

    if (size == 4 && !strncmp(value, "arg", 3) && value[3] >= '1' && value[3] <= '6')
        return xstrdup(arguments[value[3] - '1']);
    for (size_t i = 0; size == 4 && value[0] == '%' && (value[1] == 'r' || value[1] == 'e') &&
                       i < sizeof legacy / sizeof *legacy;
         i++)
        if (!strncmp(value + 2, legacy[i], 2))
            return xasprintf("%%%s", legacy[i]);
    return xstrndup(value, size);
}

/* A name for a value that has none: "%dx" is "dx". */
static char *name_of(const char *value, size_t size)
{
    char *name = xcalloc(size + 1, 1);
    size_t n = 0;

    for (size_t i = 0; i < size; i++)
        if (isalnum((unsigned char)value[i]) || value[i] == '_')
            name[n++] = value[i];
    return name;
}

static bool is_type(const char *type)
{
    return !strcmp(type, "u8") || !strcmp(type, "u16") || !strcmp(type, "u32") ||
           !strcmp(type, "u64");
}

/* "[NAME=]VALUE[:TYPE]" */
static char *parse_value(const char *text, struct probe_spec *spec)
{
    const char *equals = strchr(text, '='), *value = equals ? equals + 1 : text;
    const char *colon = strchr(value, ':'), *type = colon ? colon + 1 : "u64";
    size_t size = colon ? (size_t)(colon - value) : strlen(value);
    char *words, *name;

    if (!is_type(type))
        return xasprintf("'%s' is no type of a number that can be added up; u8, u16, u32 and u64 "
                         "are",
                         type);
    words = kernel_words(value, size);
    if (!strchr("%$+-@", *words) || !*words ||
        strspn(words + 1, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                          "%$+-@()_") != strlen(words + 1)) {
        free(words);
        return xasprintf("'%.*s' is no value of a call; take arg1 to arg6, a register (%%dx), or "
                         "memory (+8(%%di))",
                         (int)size, value);
    }
    name = equals ? name_of(text, (size_t)(equals - text)) : name_of(value, size);
    spec->fetch = xasprintf("%s:%s", words, type);
    spec->sum = xasprintf("%s:%s", spec->event, *name ? name : "value");
    free(name);
    free(words);
    return NULL;
}

/* One word, as names of events are, and no list of several. */
static char *event_of(const char *function, bool at_return)
{
    char *event = xasprintf("%s%s", function, at_return ? RETURN : "");

    for (char *c = event; *c; c++)
        if (isspace((unsigned char)*c) || *c == ',' || iscntrl((unsigned char)*c))
            *c = '_';
    return event;
}

/* The value begins at the last blank that what can begin one follows: names of C++ and Rust have
 * blanks, too. */
static const char *value_of(const char *text)
{
    const char *blank = strrchr(text, ' ');
    const char *word = blank ? blank + 1 : NULL;

    return word && *word &&
                   (strchr("%$+-@", *word) || !strncmp(word, "arg", 3) || strchr(word, '='))
               ? word
               : NULL;
}

/* Takes a text apart. NULL; else what is wrong with it, for the caller to free. */
static char *probe_spec_parse(const char *text, struct probe_spec *spec)
{
    const char *colon, *value = value_of(text), *end = value ? value : text + strlen(text);
    size_t size, back = strlen(RETURN);

    *spec = (struct probe_spec){0};
    while (*text == ' ')
        text++;
    while (end > text && end[-1] == ' ')
        end--;
    colon = object_end(text);
    if (colon && colon < end) {
        spec->object = xstrndup(text, (size_t)(colon - text));
        spec->is_kernel = !strcmp(spec->object, "kernel");
        text = colon + 1;
    }
    size = (size_t)(end - text);
    spec->at_return = size > back && !strncmp(end - back, RETURN, back);
    spec->function = xstrndup(text, spec->at_return ? size - back : size);
    if (!*spec->function || (spec->object && !*spec->object))
        return xasprintf("it names no function");
    spec->event = event_of(spec->function, spec->at_return);
    return value ? parse_value(value, spec) : NULL;
}

static void probe_spec_free(struct probe_spec *spec)
{
    free(spec->object);
    free(spec->function);
    free(spec->fetch);
    free(spec->event);
    free(spec->sum);
    *spec = (struct probe_spec){0};
}

/*--- Probes ---*/

static const char *const files[] = {TRACEFS_UPROBES, TRACEFS_KPROBES};

/*--- What is asked for ---*/

int probes_check(const struct string_list *texts)
{
    for (size_t i = 0; i < texts->n; i++) {
        struct probe_spec spec;
        char *problem = probe_spec_parse(texts->items[i], &spec);
        int status = problem ? message_usage("'%s' is no value for --probe: %s; it takes "
                                             "[LIBRARY:]FUNCTION[%%return] [VALUE]",
                                             texts->items[i], problem)
                             : 0;

        probe_spec_free(&spec);
        free(problem);
        if (status)
            return status;
    }
    return 0;
}

char *probes_event_names(const struct string_list *texts)
{
    struct strbuf names = {.text = NULL};

    for (size_t i = 0; i < texts->n; i++) {
        struct probe_spec spec;

        free(probe_spec_parse(texts->items[i], &spec));
        if (spec.sum)
            strbuf_add_item(&names, " ", spec.sum);
        if (spec.event)
            strbuf_add_item(&names, " ", spec.event);
        probe_spec_free(&spec);
    }
    return strbuf_take(&names);
}

/*--- Files of a program ---*/

/* `objects`: paths, its own. */
static void add_object(struct string_list *objects, const char *path, size_t size)
{
    char *copy = xstrndup(path, size), *real = realpath(copy, NULL);

    free(copy);
    if (real && !string_list_has(objects, real))
        string_list_add(objects, real);
    else
        free(real);
}

/* "libc.so.6 => /lib/libc.so.6 (0x7f12)", "/lib64/ld-linux-x86-64.so.2 (0x7f12)" */
static void add_listed(void *data, char *line)
{
    const char *slash = strchr(line, '/'), *end = slash ? strstr(slash, " (0x") : NULL;

    if (end)
        add_object(data, slash, (size_t)(end - slash));
}

/* The program, and the libraries that its dynamic linker finds for it, without running it. */
static void list_objects(struct string_list *objects, const struct program *program)
{
    Elf *elf;
    int fd = elf_file_open_plain(program->path, &elf), status;
    const char *interpreter = fd < 0 ? NULL : elf_file_interpreter(elf);
    const char *const words[] = {interpreter, "--list", program->path, NULL};
    const char *const setting[] = {program->libraries};
    const struct string_list environment = {1, (const char **)setting};
    const struct process_spec spec = {.argv = words,
                                      .environment = program->libraries ? &environment : NULL,
                                      .no_input = true,
                                      .no_errors = true};

    add_object(objects, program->path, strlen(program->path));
    if (interpreter)
        (void)process_capture(&spec, add_listed, objects, &status);
    if (fd >= 0) {
        elf_end(elf);
        close(fd);
    }
}

static bool add_mapped(void *objects, char *line)
{
    const char *slash = strchr(line, '/'), *mode = strchr(line, ' ');

    if (slash && mode && mode[3] == 'x')
        add_object(objects, slash, strlen(slash));
    return false;
}

/* The files whose code a process has mapped. */
static void list_mapped(struct string_list *objects, const struct program *program, long pid)
{
    add_object(objects, program->path, strlen(program->path));
    file_lines(xasprintf("/proc/%ld/maps", pid), add_mapped, objects);
}

/* "libc" is libc.so.6. */
static bool is_object(const char *path, const char *name)
{
    const char *base = path_base(path);
    size_t size = strlen(name);

    return !strncmp(base, name, size) && (!base[size] || base[size] == '.' || base[size] == '-');
}

/*--- Making them ---*/

static const char *group(void)
{
    static char name[64];
    unsigned random = 0;

    if (!*name) {
        (void)!getrandom(&random, sizeof random, 0);
        snprintf(name, sizeof name, TRACEFS_GROUP "%ld_%x", (long)getpid(), random);
    }
    return name;
}

/* The kernel's answer to a line. */
static int say_refused(const struct probe_spec *spec, const char *where, int error)
{
    const char *advice;
    const char *problem = tracefs_problem(files[spec->is_kernel], &advice);

    if (problem)
        return message_error("no probe on '%s': %s; %s", spec->function, problem, advice);
    if (spec->is_kernel && error == ENOENT)
        return message_error("no probe on '%s': the kernel has no such function; /proc/kallsyms "
                             "lists those that it has",
                             spec->function);
    if (spec->fetch && error == EINVAL)
        return message_error("no probe on '%s': the kernel does not take the value '%s'; leave out "
                             "the value, or write it as perf-probe(1) says",
                             spec->function, spec->fetch);
    return message_error("no probe on '%s' in %s: %s; 'dmesg' may say more", spec->function, where,
                         strerror(error));
}

/* Makes one at `where`, "PATH:0xOFFSET" or a function of the kernel. */
static int make_one(struct probes *probes, const struct probe_spec *spec, const char *where)
{
    char *short_name = xasprintf("%s/%s_%zu", group(), group(), probes->n), *line, *removal;
    char **removals = &probes->removals[spec->is_kernel];
    int error;

    line = xasprintf("%c:%s %s%s%s\n", spec->at_return ? 'r' : 'p', short_name, where,
                     spec->fetch ? " " PROBES_FIELD "=" : "", spec->fetch ? spec->fetch : "");
    error = tracefs_write(files[spec->is_kernel], line);
    free(line);
    if (error) {
        free(short_name);
        return say_refused(spec, where, error);
    }
    removal = xasprintf("%s-:%s\n", *removals ? *removals : "", short_name);
    free(*removals);
    *removals = removal;
    *strchr(short_name, '/') = ':';
    APPEND(probes->items, probes->n, probes->room) =
        (struct probe_event){.perf_name = short_name,
                             .name = xstrdup(spec->event),
                             .sum = spec->sum ? xstrdup(spec->sum) : NULL};
    return 0;
}

static int make_at(struct probes *probes, const struct probe_spec *spec, const char *path,
                   const struct probe_place *place)
{
    char *where = xasprintf("%s:0x%llx", path, (unsigned long long)place->offset);
    int status;

    if (place->is_elsewhere)
        status = message_error("no probe on '%s' in %s: its implementation is chosen when a "
                               "program starts, and is not in that file, or cannot be asked for "
                               "here; name one of its implementations",
                               spec->function, path);
    else if (strchr(path, ' ') || strchr(path, ':'))
        status = message_error("no probe in '%s': the kernel takes no path with a blank or a "
                               "colon; go there by a link without one",
                               path);
    else
        status = make_one(probes, spec, where);
    if (!status && place->is_chosen)
        message_note("'%s' is %s in %s on this machine, chosen when a program starts; other "
                     "functions may share it",
                     spec->function, place->symbol, path_base(path));
    free(where);
    return status;
}

static int say_unknown(const struct probe_spec *spec, const struct string_list *objects,
                       const struct string_list *names, bool had_object)
{
    char *near = probe_names_near(names, spec->function);
    int status;

    if (spec->object && !had_object && strchr(spec->object, '/'))
        status = message_error("no file '%s' to set a probe in; check the path", spec->object);
    else if (spec->object && !had_object)
        status = message_error("the program is linked with no library '%s'; for a tracepoint take "
                               "--event %s:%s, for a library that is loaded later its path",
                               spec->object, spec->object, spec->function);
    else
        status = message_error("no function '%s' in %s%s%s%s", spec->function,
                               spec->object     ? spec->object
                               : objects->n > 1 ? "the program and its libraries"
                                                : "the program",
                               near ? "; near are " : "; 'nm -C' lists the functions of a file",
                               near ? near : "",
                               spec->object || near ? "" : ", what is inlined is none");
    free(near);
    return status;
}

/* In the first file that has the function: the program comes before its libraries. */
static int make_in_files(struct probes *probes, const struct probe_spec *spec,
                         const struct string_list *objects)
{
    struct probe_places places = {.n = 0};
    struct string_list names = {.n = 0};
    struct string_list named = {.n = 0};
    bool had_object = false;
    int status = 0;

    if (spec->object && strchr(spec->object, '/'))
        add_object(&named, spec->object, strlen(spec->object));
    for (size_t i = 0; i < objects->n + named.n && !places.n; i++) {
        bool is_named = i >= objects->n;
        const char *path = is_named ? named.items[i - objects->n] : objects->items[i];

        if (spec->object && !is_named && !is_object(path, spec->object))
            continue;
        had_object = true;
        probe_places_find(&places, path, spec->function, &names);
        if (places.left_out)
            status = message_error("no probe on '%s': %s has more than %s functions of that name; "
                                   "name one of them in full",
                                   spec->function, path, TEXT_COUNT(places.n));
        for (size_t k = 0; k < places.n && !status; k++)
            status = make_at(probes, spec, path, &places.items[k]);
    }
    if (!places.n)
        status = say_unknown(spec, objects, &names, had_object);
    string_list_free_texts(&named);
    probe_places_free(&places);
    string_list_free_texts(&names);
    return status;
}

/* The end of the promises to remove them. */
static void promise(struct probes *probes, bool on)
{
    for (size_t i = 0; i < 2; i++) {
        char *path = xasprintf("%s/%s", tracefs_folder() ? tracefs_folder() : "", files[i]);

        cleanup_forget(path);
        if (on && probes->removals[i])
            cleanup_add_text(path, probes->removals[i]);
        free(path);
    }
}

int probes_make(struct probes *probes, const struct string_list *texts,
                const struct program *program, long pid)
{
    struct string_list objects = {.n = 0};
    int status = 0;

    *probes = (struct probes){0};
    if (!texts->n)
        return 0;
    tracefs_remove_left();
    if (pid)
        list_mapped(&objects, program, pid);
    else
        list_objects(&objects, program);
    for (size_t i = 0; i < texts->n && !status; i++) {
        struct probe_spec spec;

        free(probe_spec_parse(texts->items[i], &spec)); /* probes_check() has found it right */
        status = spec.is_kernel ? make_one(probes, &spec, spec.function)
                                : make_in_files(probes, &spec, &objects);
        promise(probes, true);
        probe_spec_free(&spec);
    }
    string_list_free_texts(&objects);
    return status;
}

/* One by one: the kernel stops at a line that it refuses. */
static void remove_lines(const char *file, char *lines)
{
    for (char *line = lines; line && *line;) {
        char *next = line + strcspn(line, "\n") + 1, *one = xstrndup(line, (size_t)(next - line));
        int error = tracefs_write(file, one);

        for (int i = 0; i < 20 && error == EBUSY; i++) { /* perf's events end a little after it */
            usleep(20000);
            error = tracefs_write(file, one);
        }
        if (error)
            message_warning("cannot remove a probe: %s; remove it by: echo '%.*s' >>%s/%s",
                            strerror(error), (int)(next - line - 1), line, tracefs_folder(), file);
        free(one);
        line = next;
    }
}

void probes_remove(struct probes *probes)
{
    for (size_t i = 0; i < 2; i++) {
        remove_lines(files[i], probes->removals[i]);
        free(probes->removals[i]);
        probes->removals[i] = NULL;
    }
    if (probes->n)
        promise(probes, false);
    for (size_t i = 0; i < probes->n; i++) {
        free(probes->items[i].perf_name);
        free(probes->items[i].name);
        free(probes->items[i].sum);
    }
    free(probes->items);
    *probes = (struct probes){0};
}

uint64_t probes_hits(const struct probes *probes)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < 2; i++) {
        uint64_t hits;

        if (!probes->removals[i])
            continue;
        hits = tracefs_hits(files[i], group());
        if (!hits)
            return 0;
        sum += hits;
    }
    return sum;
}

char *probes_list(const struct probes *probes)
{
    struct strbuf list = {.text = NULL};

    for (size_t i = 0; i < probes->n; i++)
        strbuf_add_item(&list, ",", probes->items[i].perf_name);
    return strbuf_take(&list);
}
