#include <config.h>

#include "run/progress.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    TICK = 250,   /* milliseconds between two looks at the file */
    MIN_ROWS = 4, /* a terminal of fewer rows has none to spare */
    NAME_ROOM = 160
};
static const double delay = 1.0;     /* seconds: shorter runs show nothing */
static const double patience = 30.0; /* seconds after which it is told what else can be done */

static struct winsize window(void)
{
    struct winsize size = {0};

    (void)ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
    return size;
}

/* A terminal that moves its cursor, and of which we are in the foreground. */
static bool has_cursor(void)
{
    const char *term = getenv("TERM");

    return term && *term && strcmp(term, "dumb") != 0 && tcgetpgrp(STDERR_FILENO) == getpgrp();
}

void progress_begin(struct progress *p, const char *folder, bool quiet)
{
    int fd;

    *p = (struct progress){.start = clock_seconds(), .patient = quiet || !isatty(STDERR_FILENO)};
    p->before = p->start;
    if (p->patient || !has_cursor())
        return;
    p->path = xasprintf("%s/" PROGRESS_NAME, folder);
    fd = open(p->path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (fd >= 0) {
        close(fd);
        return;
    }
    free(p->path);
    p->path = NULL;
}

/*--- The row ---*/

/* By the sequences of ECMA-48 and DECSTBM, which every terminal of today has: the rows above scroll
 * by themselves. */
static void take_row(struct progress *p, int rows)
{
    fprintf(stderr, "\n\0337\033[1;%dr\0338\033[A", rows - 1);
    p->rows = rows;
    p->shown = true;
}

static void release_row(struct progress *p)
{
    if (!p->shown)
        return;
    fprintf(stderr, "\0337\033[r\033[%d;1H\033[2K\0338", p->rows);
    fflush(stderr);
    p->shown = false;
}

/* "1.24 G": three digits and a unit. */
static void put_scaled(char text[16], double value)
{
    static const char units[] = " kMGTP";
    size_t unit = 0;

    while (value >= 999.5 && units[unit + 1]) {
        value /= 1000;
        unit++;
    }
    snprintf(text, 16, "%.*f %c", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[unit]);
    if (unit == 0)
        text[strlen(text) - 1] = '\0';
}

/* Reads what the tool wrote last; false where that is nothing yet. The name is cleaned of what a
 * terminal would act upon. */
static bool read_line(const struct progress *p, unsigned long long *ir, char name[NAME_ROOM])
{
    int pid = 0;
    bool found = file_scan(p->path, "%d %llu %159[^\n]", &pid, ir, name) == 3 && pid == p->pid;

    for (char *c = name; found && *c; c++)
        if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
            *c = '?';
    return found;
}

static void update_rate(struct progress *p, unsigned long long ir, double time)
{
    double rate;

    if (ir == p->ir || time <= p->before)
        return;
    rate = ir > p->ir ? (double)(ir - p->ir) / (time - p->before) : 0;
    p->rate = p->rate > 0 ? 0.7 * p->rate + 0.3 * rate : rate;
    p->ir = ir;
    p->before = time;
}

static void draw(struct progress *p, int columns, double time, const char *name)
{
    bool color = terminal_color(STDERR_FILENO), known = strcmp(name, "?") != 0;
    char count[16], rate[16], text[256];
    int length;

    put_scaled(count, (double)p->ir);
    put_scaled(rate, p->rate);
    length = snprintf(text, sizeof text, "    Counting %.0f s, %s instructions, %s per second%s%s",
                      time - p->start, count, rate, known ? ", in " : "", known ? name : "");
    if (length >= (int)sizeof text)
        length = sizeof text - 1;
    if (length > columns - 1) {
        length = columns - 1;
        text[length] = '\0';
    }
    fprintf(stderr, "\0337\033[%d;1H\033[2K%s%s%s\0338", p->rows, color ? "\033[2m" : "", text,
            color ? "\033[0m" : "");
    fflush(stderr);
}

/* Once, among what the program prints. */
static void tell_more(struct progress *p, double time)
{
    if (p->patient || time - p->start < patience)
        return;
    message_note("the run counts each instruction: Ctrl-C ends the program and shows what there "
                 "is, and 'cargo cprof sample' takes about as long as the program alone");
    p->patient = true;
}

static void tick(struct progress *p)
{
    struct winsize size = window();
    double time = clock_seconds();
    char name[NAME_ROOM];
    unsigned long long ir;

    tell_more(p, time);
    if (!p->path || time - p->start < delay || size.ws_row < MIN_ROWS || !read_line(p, &ir, name))
        return;
    if (p->shown && p->rows != size.ws_row)
        release_row(p);
    if (!p->shown)
        take_row(p, size.ws_row);
    update_rate(p, ir, time);
    draw(p, size.ws_col, time, name);
}

/*--- Waiting ---*/

int progress_wait(struct progress *p, pid_t pid, struct child_times *times)
{
    int fd = p->path || !p->patient ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
    struct pollfd ended = {.fd = fd, .events = POLLIN};

    p->pid = pid;
    if (fd >= 0) {
        /* A signal that is passed on interrupts this, too: then the line comes a little early. */
        while (poll(&ended, 1, TICK) <= 0) {
            tick(p);
            if (times)
                (void)child_times_look(times, pid);
        }
        close(fd);
    }
    release_row(p);
    return child_wait_end(pid, times);
}

void progress_end(struct progress *p)
{
    if (p->path)
        unlink(p->path);
    free(p->path);
    p->path = NULL;
}
