#include <config.h>

#include "run/section_log.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/message.h"
#include "base/sort.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

    if (x->tid != y->tid)
        return x->tid < y->tid ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void add_stay(struct section_log *log, const struct record *begin, uint64_t end)
{
    GROW(log->stays, log->n, log->room);
    log->stays[log->n++] = (struct section_stay){begin->tid, begin->time, end};
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
        return message_error("no section began: the program names none, or was built without the "
                             "feature cprof/enable (C: -DCPROF_ENABLE), or with an older cprof");
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
        return message_error("cannot read '%s': %s", log->path, strerror(errno));
    status = read_records(log, bytes, names);
    munmap(bytes, SIZE);
    return status;
}

static bool is_before(const void *item, const void *key)
{
    const struct section_stay *stay = item, *at = key;

    return stay->tid != at->tid ? stay->tid < at->tid : stay->end <= at->begin;
}

bool section_log_has(const struct section_log *log, uint64_t tid, uint64_t time)
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
