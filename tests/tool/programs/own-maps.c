/*
 * own-maps.c - reads its own maps by several names, from the beginning and again, in pieces, and
 * says what it finds: the same natively and under Valgrind. With an argument it only parses them.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[1 << 20];

/* By less than a line at a time. */
static size_t read_on(int fd)
{
    size_t n = 0;
    ssize_t size;

    while ((size = read(fd, text + n, 61)) > 0)
        n += (size_t)size;
    text[n] = '\0';
    return n;
}

static int has(const char *part)
{
    return strstr(text, part) != NULL;
}

/* The line of an address: its name, or "-". */
static const char *line_of(const void *address)
{
    static char name[256];
    char *line = text;

    for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        unsigned long start, end;

        strcpy(name, "-");
        if (sscanf(line, "%lx-%lx %*s %*s %*s %*s%*[ ]%255[^\n]", &start, &end, name) >= 2 &&
            start <= (unsigned long)address && (unsigned long)address < end)
            return name;
    }
    return "none";
}

static void look(const char *what, const char *path, int flags)
{
    char *const place = (char *)0x7f0000000;
    /* First a file of a longer name, which may be left in memory behind the shorter one. */
    int longer = open("/proc/self/exe", O_RDONLY), fd = open(path, O_RDONLY | flags), local, closed;
    struct iovec vector = {text, sizeof text - 1};
    ssize_t n;
    off_t at;

    close(longer);
    if (fd < 0)
        return;
    read_on(fd);
    printf("%s: foreign %d, stack '%s'", what,
           has("cprof-amd64") || has("cprof-arm64") || has("cachegrind-"), line_of(&local));
    printf(", code %d, close on exec %d, flags %d",
           strstr(line_of((void *)look), "own-maps") != NULL, fcntl(fd, F_GETFD),
           fcntl(fd, F_GETFL) & O_ACCMODE);
    printf(", written %zd", write(fd, "x", 1));
    mmap(place, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    lseek(fd, 0, SEEK_SET);
    read_on(fd);
    printf(", new %s", line_of(place));
    munmap(place, 8192);
    n = pread(fd, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    printf(", gone %s", line_of(place));
    lseek(fd, 0, SEEK_SET);
    n = readv(fd, &vector, 1);
    at = lseek(fd, 0, SEEK_CUR);
    closed = close(fd);
    printf(", readv %d, at its end %d, closed %d %d\n", n > 0, at == n, closed, close(fd));
}

/* Another process's are its own affair: the child's, which has looked at them and waits. */
static void look_at_other(void)
{
    char path[64] = "";
    int done[2], go_on[2], fd;
    pid_t child;

    if (pipe(done) < 0 || pipe(go_on) < 0 || (child = fork()) < 0)
        return;
    if (child == 0) {
        look("a child", "/proc/self/maps", 0);
        fflush(stdout);
        close(go_on[1]);
        _exit(write(done[1], "", 1) != 1 || read(go_on[0], path, 1) != 0);
    }
    if (read(done[0], path, 1) != 1)
        return;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)child);
    fd = open(path, O_RDONLY);
    printf("other %d\n", fd >= 0 && read_on(fd) > 0);
    fflush(stdout);
    close(go_on[1]);
    waitpid(child, NULL, 0);
}

static void parse(void)
{
    FILE *in = fopen("/proc/self/maps", "r");
    char line[1024];
    unsigned long start, end, n = 0;

    while (in && fgets(line, sizeof line, in))
        n += sscanf(line, "%lx-%lx", &start, &end) == 2;
    printf("%lu\n", n);
}

int main(int argc, char **argv)
{
    char path[64];

    (void)argv;
    if (argc > 1) {
        parse();
        return 0;
    }
    look("self", "/proc/self/maps", O_CLOEXEC);
    look("thread", "/proc/thread-self/maps", 0);
    snprintf(path, sizeof path, "/proc/%d/maps", (int)getpid());
    look("number", path, 0);
    snprintf(path, sizeof path, "/proc/self/task/%d/maps", (int)getpid());
    look("task", path, O_CLOEXEC);
    fflush(stdout);
    look_at_other();
    return 0;
}
