#include <config.h>

#include "bench/harness_output.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "render/json/json_value.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*--- Lines ---*/

void harness_output_line(struct harness_output *o, const char *line)
{
    char *end;
    long n;

    if (o->in_list && !strncmp(line, "    ", 4) && line[4])
        string_list_add(&o->failed, xstrdup(line + 4));
    else
        o->in_list = !strcmp(line, "failures:");
    if (strstr(line, "test result: "))
        o->has_result = true;
    if (strncmp(line, "running ", 8) != 0)
        return;
    n = strtol(line + 8, &end, 10);
    if (end != line + 8 && n >= 0 && (!strcmp(end, " test") || !strcmp(end, " tests")))
        o->announced = n;
}

json_t *harness_output_failed(const struct harness_output *o)
{
    json_t *failed = json_array();

    for (size_t i = 0; i < o->failed.n; i++)
        json_array_append_new(failed, json_text(o->failed.items[i]));
    return failed;
}

void harness_output_free(struct harness_output *o)
{
    string_list_free_texts(&o->failed);
}

/*--- Passing on ---*/

struct passing {
    struct harness_output *output;
    int from, to;
    int stop[2]; /* a pipe: that its writing end is closed says that nothing more is expected */
    int before;  /* standard output as it was */
    struct strbuf line;
    pthread_t thread;
};

static void take_in(struct passing *p, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != '\n' && bytes[i] != '\0') {
            strbuf_add_char(&p->line, bytes[i]);
            continue;
        }
        harness_output_line(p->output, p->line.text ? p->line.text : "");
        strbuf_free(&p->line);
    }
}

static void write_all(int to, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write(to, bytes, size);

        if (n < 0 && errno != EINTR)
            return;
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
        }
    }
}

/* Passes on until all writers are gone, or nothing is left when `stop` is closed. */
static void *pass_on(void *data)
{
    struct passing *p = data;
    struct pollfd fds[2] = {{.fd = p->from, .events = POLLIN},
                            {.fd = p->stop[0], .events = POLLIN}};
    char bytes[4096];

    for (;;) {
        ssize_t n;

        if (poll(fds, 2, -1) < 0) {
            if (errno == EINTR)
                continue;
            break;
        }
        if (!fds[0].revents)
            break;
        n = read(p->from, bytes, sizeof bytes);
        if (n <= 0)
            break;
        write_all(p->to, bytes, (size_t)n);
        take_in(p, bytes, (size_t)n);
    }
    return NULL;
}

static void close_all(struct passing *p)
{
    const int fds[] = {p->from, p->to, p->stop[0], p->stop[1], p->before};

    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    strbuf_free(&p->line);
    free(p);
}

/* In a thread that takes no signals. */
static int start(struct passing *p)
{
    sigset_t all, old;
    int error;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    error = pthread_create(&p->thread, NULL, pass_on, p);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error;
}

struct passing *passing_begin(struct harness_output *output, bool to_errors)
{
    struct passing *p = xcalloc(1, sizeof *p);
    int ends[2];

    *p = (struct passing){.output = output, .from = -1, .stop = {-1, -1}};
    p->to = fcntl(to_errors ? STDERR_FILENO : STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    p->before = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (p->to < 0 || p->before < 0 || pipe2(p->stop, O_CLOEXEC) < 0 || pipe2(ends, O_CLOEXEC) < 0) {
        close_all(p);
        return NULL;
    }
    p->from = ends[0];
    if (start(p)) {
        close(ends[1]);
        close_all(p);
        return NULL;
    }
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
    return p;
}

void passing_end(struct passing *p)
{
    if (!p)
        return;
    dup2(p->before, STDOUT_FILENO);
    close(p->stop[1]);
    p->stop[1] = -1;
    pthread_join(p->thread, NULL);
    close_all(p);
}
