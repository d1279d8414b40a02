/*
 * native MODE [ARGUMENT]: says what a program sees of its surroundings, to be compared with and
 * without the profiler. Each mode is a function; the table at the end names them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *what, long value)
{
    printf("%s: %ld%s%s\n", what, value, value < 0 ? " " : "", value < 0 ? strerror(errno) : "");
    fflush(stdout);
}

/*--- Descriptors and names ---*/

static void first_free(const char *argument)
{
    int ends[2];

    (void)argument;
    say("open", open("/dev/null", O_RDONLY));
    say("pipe", pipe(ends));
    say("its end", ends[1]);
    say("duplicate", dup(0));
}

/* A daemon closes what it was left, and shells and servers pass descriptors by fixed numbers. */
static void close_all(const char *argument)
{
    long closed = 0;

    for (int fd = 3; fd < atoi(argument); fd++)
        closed += close(fd) == 0;
    say("closed", closed);
    say("duplicate at 10", fcntl(0, F_DUPFD, 10));
    say("a child's first", fork() ? wait(&(int){0}) > 0 : open("/dev/null", O_RDONLY));
}

static void say_name(const char *whose)
{
    char name[17] = "", file[32] = "";
    FILE *in = fopen("/proc/thread-self/comm", "r");

    prctl(PR_GET_NAME, name);
    printf("%s: %s %s", whose, name, in && fgets(file, sizeof file, in) ? file : "?\n");
    if (in)
        fclose(in);
    fflush(stdout);
}

static void *thread(void *argument)
{
    say_name("a thread");
    return argument;
}

static void names(const char *argument)
{
    pthread_t t;

    (void)argument;
    say_name("first");
    if (pthread_create(&t, NULL, thread, NULL) == 0)
        pthread_join(t, NULL);
    prctl(PR_SET_NAME, "renamed");
    say_name("later");
    if (fork() == 0) {
        say_name("a child");
        _exit(0);
    }
    wait(NULL);
}

/*--- Memory ---*/

static __attribute__((noinline)) long descend(long n)
{
    volatile char frame[1000];

    frame[n % 1000] = 1;
    return n ? descend(n - 1) + frame[n % 1000] : 0;
}

static void deep(const char *argument)
{
    say("depth", descend(atol(argument)));
}

/*--- Limits, roots and users ---*/

static __attribute__((noinline)) long work(void)
{
    volatile long sum = 0;

    for (long i = 0; i < 1000; i++)
        sum += i;
    return sum;
}

static void limit_size(const char *argument)
{
    const struct rlimit limit = {(rlim_t)atol(argument), (rlim_t)atol(argument)};

    say("limit", setrlimit(RLIMIT_FSIZE, &limit));
    say("sum", work());
}

/* The limit holds for descriptors that are made from now on; those that are open stay. */
static void limit_descriptors(const char *argument)
{
    struct rlimit limit;
    int before = open("/dev/null", O_RDONLY), high = dup2(before, 60), n = 0;
    char c;

    getrlimit(RLIMIT_NOFILE, &limit);
    say("soft limit", (long)limit.rlim_cur);
    say("hard limit", (long)limit.rlim_max);
    limit = (struct rlimit){(rlim_t)atol(argument), (rlim_t)atol(argument)};
    say("limit", setrlimit(RLIMIT_NOFILE, &limit));
    say("a descriptor from before", read(high, &c, 1));
    while (n < 100 && open("/dev/null", O_RDONLY) >= 0)
        n++;
    say("last", errno);
    say("opened", n);
    say("duplicate", dup(0));
    say("duplicate at 99", fcntl(0, F_DUPFD, 99));
    say("sum", work());
}

static void change_root(const char *argument)
{
    say("chroot", chroot(argument));
    say("chdir", chdir("/"));
    say("sum", work());
}

/* As servers do it that leave all rights: a root of their own, then a user of their own. */
static void change_both(const char *argument)
{
    change_root(argument);
    say("setgid", setgid(65534));
    say("setuid", setuid(65534));
    say("sum", work());
}

static void change_user(const char *argument)
{
    say("setgid", setgid((gid_t)atol(argument)));
    say("setuid", setuid((uid_t)atol(argument)));
    if (fork() == 0) {
        say("a child's sum", work());
        _exit(0);
    }
    wait(NULL);
}

/*--- Processes that go on when the program has ended: until their standard input does ---*/

static void go_on(void)
{
    char c;

    while (read(0, &c, 1) == 1)
        ;
    _exit((int)(work() & 1));
}

static void leave_child(void)
{
    if (fork() == 0) {
        setsid();
        go_on();
    }
}

/* The program `path` is none that can be traced. */
static void leave_program(const char *path)
{
    if (fork() == 0) {
        execl(path, path, NULL);
        _exit(1);
    }
}

static void leave_grandchild(void)
{
    if (fork() == 0) {
        leave_child();
        _exit(0);
    }
    wait(NULL);
}

static void leave(const char *argument)
{
    say("sum", work());
    if (!strcmp(argument, "daemon")) {
        if (daemon(1, 1) == 0)
            go_on();
    } else if (!strcmp(argument, "grandchild")) {
        leave_grandchild();
    } else if (strchr(argument, '/')) {
        leave_program(argument);
    } else {
        leave_child();
    }
}

/*--- Its own maps ---*/

static void own_maps(const char *argument)
{
    struct stat named, opened;
    char path[64];
    int fd;

    snprintf(path, sizeof path, argument, (long)getpid());
    fd = open(path, O_RDONLY);
    say("status", stat(path, &named) + fstat(fd, &opened));
    say("kind", (long)named.st_mode == (long)opened.st_mode);
    say("size", (long)(named.st_size + opened.st_size));
    say("blocks", (long)(named.st_blocks + opened.st_blocks));
    say("size of a block", (long)opened.st_blksize);
    say("links", (long)opened.st_nlink);
    say("user", (long)opened.st_uid);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*work)(const char *argument);
    } modes[] = {
        {"first-free", first_free},
        {"close-all", close_all},
        {"names", names},
        {"deep", deep},
        {"limit-size", limit_size},
        {"limit-descriptors", limit_descriptors},
        {"change-root", change_root},
        {"change-both", change_both},
        {"change-user", change_user},
        {"leave", leave},
        {"own-maps", own_maps},
    };

    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(argv[1], modes[i].name)) {
            modes[i].work(argc > 2 ? argv[2] : "");
            return 0;
        }
    return 2;
}
