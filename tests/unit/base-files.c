/* Files that are read and written, or removed at the end, terminals, programs that wait before they
 * begin, and the time for which a process waits for a processor. */
#define _GNU_SOURCE
#include <config.h>

#include "../tap.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/held_process.h"
#include "base/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A terminal may be read and written at once: it is no regular file. */
static void test_inputs(void)
{
    char read[] = "/tmp/cprof-read-XXXXXX", link_name[sizeof read + 5],
         other[] = "/tmp/cprof-other-XXXXXX";
    int fd = mkstemp(read), other_fd = mkstemp(other);

    snprintf(link_name, sizeof link_name, "%s.link", read);
    ok(fd >= 0 && other_fd >= 0 && !link(read, link_name), "files to look at");
    ok(!file_is_input(read), "nothing was read yet");
    file_note_input(read);
    file_note_input("/dev/null");
    file_note_input("/no/such/file");
    ok(file_is_input(read) && file_is_input(link_name),
       "a file that was read, by each of its names");
    ok(!file_is_input(other), "another one was not");
    ok(!file_is_input("/dev/null"), "a device is no file to replace");
    ok(!file_is_input("/no/such/file"), "a file that is not there is none to replace");
    unlink(read);
    unlink(link_name);
    unlink(other);
    close(fd);
    close(other_fd);
}

static bool is_second(void *n, char *line)
{
    ++*(int *)n;
    return !strcmp(line, "two");
}

static void test_lines(void)
{
    char path[] = "/tmp/cprof-lines-XXXXXX";
    int fd = mkstemp(path), n = 0;

    ok(fd >= 0 && write(fd, "one\ntwo\nthree\n", 14) == 14, "a file of lines");
    ok(file_lines(strdup(path), is_second, &n) && n == 2,
       "lines are read up to what is looked for");
    unlink(path);
    close(fd);
}

static void count_bytes(void *data, const struct stat *facts)
{
    *(long *)data += facts->st_size;
}

static void put_below(const char *folder, const char *name, const char *text)
{
    char path[100];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    if (file) {
        fputs(text, file);
        fclose(file);
    }
}

/* Links lead to what others own. */
static void test_folders(void)
{
    char folder[] = "/tmp/cprof-folder-XXXXXX", kept[] = "/tmp/cprof-kept-XXXXXX", below[100],
         link_name[100];
    long bytes = 0;
    bool is_folder = mkdtemp(folder) && mkdtemp(kept);

    snprintf(below, sizeof below, "%s/a/b", folder);
    snprintf(link_name, sizeof link_name, "%s/a/link", folder);
    ok(is_folder && folder_make(below, 0777) == 0 && !symlink(kept, link_name),
       "folders to remove");
    put_below(below, "one", "12345");
    put_below(folder, "two", "678");
    put_below(kept, "three", "9");
    ok(folder_remove(folder, count_bytes, &bytes) == 0, "a folder is removed");
    ok(access(folder, F_OK) < 0, "nothing of a removed folder is left");
    is_number(bytes, 8, "each file that is removed is told");
    ok(folder_remove(folder, NULL, NULL) == 0, "a folder that is not there needs no removing");
    snprintf(below, sizeof below, "%s/three", kept);
    ok(access(below, F_OK) == 0, "what a link leads to stays");
    ok(folder_remove(below, NULL, NULL) == 0 && folder_remove(kept, NULL, NULL) == 0 &&
           access(kept, F_OK) < 0,
       "a file is removed, and a folder without files");
}

static int woken[2];

static void wake(int sig)
{
    (void)sig;
    (void)!write(woken[1], "", 1);
}

/* In a process that was forked: interrupts the writer of a pipe when that is full, reads it once
 * the writer knows, and ends with 0 where the bytes are those of `want`. */
_Noreturn static void read_interrupted(int in, const char *want, size_t size)
{
    int full = fcntl(in, F_GETPIPE_SZ), n = 0, c;
    FILE *file = fdopen(in, "r");
    bool same = true;
    size_t at = 0;
    char byte;

    while (ioctl(in, FIONREAD, &n) == 0 && n < full)
        sched_yield();
    kill(getppid(), SIGUSR1);
    if (read(woken[0], &byte, 1) != 1)
        _exit(1);
    while ((c = getc(file)) != EOF) {
        same = same && at < size && (char)c == want[at];
        at++;
    }
    _exit(!same || at != size);
}

static void test_interrupted_write(void)
{
    static char bytes[200000];
    struct sigaction action = {.sa_handler = wake};
    int ends[2], status = -1;
    pid_t pid;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i % 251);
    if (pipe(ends) < 0 || pipe(woken) < 0 || fcntl(ends[1], F_SETPIPE_SZ, 65536) < 0)
        return;
    sigaction(SIGUSR1, &action, NULL);
    pid = fork();
    if (pid == 0) {
        close(ends[1]);
        read_interrupted(ends[0], bytes, sizeof bytes);
    }
    close(ends[0]);
    is_number(file_write(ends[1], bytes, sizeof bytes), 0, "a write that a signal interrupts");
    close(ends[1]);
    ok(waitpid(pid, &status, 0) == pid && status == 0,
       "a write that was interrupted goes on behind what it wrote");
}

static void test_terminal(void)
{
    struct winsize size = {.ws_row = 33, .ws_col = 77};
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);

    unsetenv("COLUMNS");
    if (terminal < 0 || ioctl(terminal, TIOCSWINSZ, &size)) {
        skip("a terminal's size", "no terminals here");
        return;
    }
    ok(terminal_is(terminal), "a terminal is one");
    is_number(terminal_height(terminal), 33, "a terminal has a height");
    is_number(terminal_width(terminal), 77, "a terminal has a width");
    setenv("COLUMNS", "99", 1);
    is_number(terminal_width(terminal), 99, "the width that the user asks for");
    unsetenv("COLUMNS");
    close(terminal);
}

static void test_held(void)
{
    const char *const good[] = {"true", NULL}, *const bad[] = {"/no/such/program", NULL};
    struct process_spec spec = {.argv = good};
    struct held_process held;
    int status = -1;

    is_number(held_process_start(&spec, &held), 0, "a program is held");
    is_number(waitpid(held.pid, &status, WNOHANG), 0, "a program that is held waits");
    is_number(held_process_release(&held), 0, "a program that is let go begins");
    ok(waitpid(held.pid, &status, 0) == held.pid && status == 0, "a program that was let go ends");
    spec.argv = bad;
    is_number(held_process_start(&spec, &held), 0, "one that is not there is held");
    is_number(held_process_release(&held), ENOENT, "a program that is not there cannot begin");
    is_number(waitpid(held.pid, &status, 0), -1, "nobody is left");
    spec.argv = good;
    held_process_start(&spec, &held);
    held_process_drop(&held);
    is_number(waitpid(held.pid, &status, 0), -1, "nobody is left of a program that was given up");
}

/* Uses the last processor for so many seconds of the process's own time. */
static void spin(double seconds)
{
    cpu_set_t mine, last;
    struct timespec t;

    CPU_ZERO(&last);
    sched_getaffinity(0, sizeof mine, &mine);
    for (int i = CPU_SETSIZE - 1; i >= 0 && !CPU_COUNT(&last); i--)
        if (CPU_ISSET(i, &mine))
            CPU_SET(i, &last);
    sched_setaffinity(0, sizeof last, &last);
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    while ((double)t.tv_sec + (double)t.tv_nsec / 1e9 < seconds);
}

static pid_t start_spinning(double seconds)
{
    pid_t pid = fork();

    if (pid == 0) {
        spin(seconds);
        _exit(0);
    }
    return pid;
}

/* In a process that was forked: it and three of its own share a processor with `other`, which ends
 * behind them; then it waits. What is known of it alone would make the wait ready time, too. */
_Noreturn static void share_processor(pid_t other, unsigned wait)
{
    for (int i = 0; i < 3; i++)
        start_spinning(.2);
    spin(.1);
    while (waitpid(-1, NULL, 0) > 0)
        ;
    kill(other, SIGKILL);
    usleep(wait);
    _exit(0);
}

static void test_ready(void)
{
    enum { WAIT = 1400000 }; /* microseconds */
    struct child_times times;
    unsigned long long none;
    pid_t other, pid;
    double idle;

    if (file_scan("/proc/self/schedstat", "%llu", &none) != 1) {
        skip("the time without a processor", "the kernel does not tell");
        return;
    }
    other = start_spinning(60);
    child_times_begin(&times);
    pid = fork();
    if (pid == 0)
        share_processor(other, WAIT);
    is_number(child_wait_end(pid, &times), 0, "a process that shares a processor ends");
    waitpid(other, NULL, 0);
    idle = times.whole - times.processor;
    ok(times.ready > .1, "processes that have ended were ready");
    ok(times.ready < idle - .5, "a wait of 1.4 seconds is not ready time");
    if (times.ready <= .1 || times.ready >= idle - .5)
        printf("# ready for %.2f of %.2f s\n", times.ready, idle);
}

static void put_file(const char *folder, const char *name)
{
    char path[100];
    int fd;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    fd = open(path, O_WRONLY | O_CREAT, 0600);
    close(fd);
}

/* In a process that was forked: makes a folder, the last bytes of whose path go to `out`, and ends
 * by the signal, or with 0 by exit(). */
static void end_with_folder(int sig, int files, int out)
{
    char mine[] = "/tmp/cprof-child-XXXXXX", name[20];

    if (!cleanup_make_folder(mine) || write(out, mine, sizeof mine) < 0)
        _exit(1);
    for (int i = 0; i < files; i++) {
        snprintf(name, sizeof name, "file %d", i);
        put_file(mine, name);
    }
    if (sig)
        raise(sig);
    exit(0);
}

static void end_child(int sig, int files, const char *how)
{
    char path[100] = "";
    int ends[2], status = -1;
    pid_t pid;

    if (pipe(ends) < 0)
        return;
    pid = fork();
    if (pid == 0)
        end_with_folder(sig, files, ends[1]);
    waitpid(pid, &status, 0);
    ok(read(ends[0], path, sizeof path) > 0 && access(path, F_OK) < 0,
       "its folder is removed with %d files: a process that ends by %s", files, how);
    ok(sig ? WIFSIGNALED(status) && WTERMSIG(status) == sig : status == 0,
       "its status is that: a process that ends by %s", how);
    close(ends[0]);
    close(ends[1]);
}

static void test_cleanup(void)
{
    char ours[] = "/tmp/cprof-ours-XXXXXX", file[sizeof ours + 5];

    ok(cleanup_make_folder(ours) != NULL, "a folder that is removed at the end");
    end_child(SIGTERM, 0, "SIGTERM");
    ok(access(ours, F_OK) == 0, "an empty folder of the process that forked it stays");
    put_file(ours, "file");
    end_child(SIGTERM, 1, "SIGTERM");
    end_child(SIGTERM, 300, "SIGTERM");
    end_child(0, 3, "exit()");
    snprintf(file, sizeof file, "%s/file", ours);
    ok(access(file, F_OK) == 0, "a file in the folder of the process that forked others stays");
    cleanup_forget(ours);
    unlink(file);
    ok(rmdir(ours) == 0, "a folder that is forgotten has nothing else in it");
}

int main(void)
{
    test_cleanup();
    test_inputs();
    test_lines();
    test_folders();
    test_interrupted_write();
    test_terminal();
    test_held();
    test_ready();
    return tap_done();
}
