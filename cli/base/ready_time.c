#include <config.h>

#include "base/ready_time.h"

#include "base/array.h"
#include "base/sort.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Processes below processes. */
enum { DEPTH_MOST = 32 };

struct looking {
    struct thread_times *threads;
    size_t n, room;
};

static void look_at_process(struct looking *l, pid_t pid, unsigned depth);

/* Adds a thread, if the kernel tells of it. */
static void add_thread(struct looking *l, const char *folder, pid_t id)
{
    struct thread_times t = {.id = id};
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/%ld/schedstat", folder, (long)id);
    file = fopen(path, "re");
    if (file && fscanf(file, "%llu %llu", &t.ran, &t.ready) == 2) {
        GROW(l->threads, l->n, l->room);
        l->threads[l->n++] = t;
    }
    if (file)
        fclose(file);
}

/* Adds the processes that a thread started. */
static void add_children(struct looking *l, const char *folder, pid_t id, unsigned depth)
{
    char path[128];
    FILE *file;
    long pid;

    snprintf(path, sizeof path, "%s/%ld/children", folder, (long)id);
    file = fopen(path, "re");
    while (file && fscanf(file, "%ld", &pid) == 1)
        look_at_process(l, (pid_t)pid, depth + 1);
    if (file)
        fclose(file);
}

static void look_at_process(struct looking *l, pid_t pid, unsigned depth)
{
    const struct dirent *entry;
    char folder[64];
    DIR *threads;

    snprintf(folder, sizeof folder, "/proc/%ld/task", (long)pid);
    threads = depth < DEPTH_MOST ? opendir(folder) : NULL;
    while (threads && (entry = readdir(threads)) != NULL) {
        long id = strtol(entry->d_name, NULL, 10);

        if (id > 0) {
            add_thread(l, folder, (pid_t)id);
            add_children(l, folder, (pid_t)id, depth);
        }
    }
    if (threads)
        closedir(threads);
}

static int compare_ids(const void *a, const void *b)
{
    const struct thread_times *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

/* The sum over all threads since the last look. A number that is smaller than before is another
 * thread's. `*ended`: a thread of that look is there no more. */
static struct thread_times since(const struct ready_time *r, const struct looking *l, bool *ended)
{
    struct thread_times sum = {.ran = 0};
    size_t k = 0, known = 0;

    for (size_t i = 0; i < l->n; i++) {
        const struct thread_times *t = &l->threads[i], none = {.id = t->id}, *before = &none;

        while (k < r->n && r->threads[k].id < t->id)
            k++;
        if (k < r->n && r->threads[k].id == t->id && r->threads[k].ran <= t->ran &&
            r->threads[k].ready <= t->ready) {
            before = &r->threads[k];
            known++;
        }
        sum.ran += t->ran - before->ran;
        sum.ready += t->ready - before->ready;
    }
    *ended = known < r->n;
    return sum;
}

/* True where threads were ready for a while for each time that they ran. */
static bool is_busy(const struct ready_time *r)
{
    return r->was_ready > r->ran / 4;
}

void ready_time_begin(struct ready_time *r, double now)
{
    *r = (struct ready_time){.begin = now, .last = now};
}

void ready_time_look(struct ready_time *r, pid_t pid, double now)
{
    struct looking l = {.n = 0};
    struct thread_times sum;
    double left, ready;
    bool ended;

    look_at_process(&l, pid, 0);
    sort_items(l.threads, l.n, sizeof *l.threads, compare_ids);
    sum = since(r, &l, &ended);
    ready = (double)sum.ready / 1e9;
    left = now - r->last - (double)sum.ran / 1e9;
    r->ran += (double)sum.ran / 1e9;
    r->was_ready += ready;
    if (left > 0)
        r->ready += ready > left || (ended && is_busy(r)) ? left : ready;
    free(r->threads);
    r->threads = l.threads;
    r->n = l.n;
    r->last = now;
}

double ready_time_end(struct ready_time *r, double processor)
{
    double left = r->last - r->begin - processor, unseen = processor - r->ran, ready = r->ready;

    /* No look saw it run, so it was ready as others were for each time that they ran. */
    if (unseen > 0 && is_busy(r) && r->ran > 0)
        ready += unseen * r->was_ready / r->ran;
    free(r->threads);
    *r = (struct ready_time){.threads = NULL};
    return ready < left ? ready : left;
}
