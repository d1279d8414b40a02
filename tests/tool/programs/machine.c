/* Says all that programs ask of the machine, and works a little with texts and memory: what it says
 * and what it costs is the same wherever it runs on a fixed machine. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char **environ;

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Sorts, copies and fills as libc chooses by the processor. */
static long work(void)
{
    static int v[500];
    char *a = malloc(1 << 17), *b = malloc(1 << 17), host[70];
    long sum = 0;

    for (int i = 0; i < 500; i++)
        v[i] = i * 7919 % 501;
    qsort(v, 500, sizeof *v, compare);
    for (int i = 1; i < 600; i *= 2) {
        memset(a, i, (size_t)i * 200);
        memcpy(b, a, (size_t)i * 200);
        sum += memcmp(a, b, (size_t)i * 200) + v[i % 500];
    }
    gethostname(host, sizeof host);
    return sum + (host[0] == 0);
}

/* The first line of a file, and how many it has. */
static void say_file(const char *path)
{
    char line[256] = "not there\n", more[256];
    FILE *in = fopen(path, "r");
    int n = 0;

    if (in && fgets(line, sizeof line, in))
        for (n = 1; fgets(more, sizeof more, in); n++)
            ;
    if (in)
        fclose(in);
    printf("%s: %d %s", path, n, line);
}

static void *in_thread(void *first)
{
    cpu_set_t set;

    sched_getaffinity(0, sizeof set, &set);
    printf("thread: %d processors\n", CPU_COUNT(&set));
    CPU_ZERO(&set);
    CPU_SET(3, &set);
    pthread_setaffinity_np(*(pthread_t *)first, sizeof set, &set);
    pthread_getaffinity_np(*(pthread_t *)first, sizeof set, &set);
    printf("first thread: %d %d\n", CPU_COUNT(&set), CPU_ISSET(3, &set));
    return NULL;
}

static void say_processors(int threads)
{
    cpu_set_t set;
    unsigned processor = 99, node = 99;
    pthread_t first = pthread_self(), thread;

    sched_getaffinity(0, sizeof set, &set);
    printf("processors: %d %ld %ld\n", CPU_COUNT(&set), sysconf(_SC_NPROCESSORS_ONLN),
           sysconf(_SC_NPROCESSORS_CONF));
    CPU_ZERO(&set);
    CPU_SET(2, &set);
    printf("chosen: %d ", sched_setaffinity(0, sizeof set, &set));
    syscall(SYS_getcpu, &processor, &node, NULL);
    CPU_ZERO(&set);
    CPU_SET(60, &set);
    printf("%u %u, %d ", processor, node, sched_setaffinity(0, sizeof set, &set));
    printf("%d\n", errno == EINVAL);
    if (!threads)
        return;
    pthread_create(&thread, NULL, in_thread, &first);
    pthread_join(thread, NULL);
}

static void say_limits(void)
{
    struct rlimit limit;

    getrlimit(RLIMIT_STACK, &limit);
    printf("stack: %ld %d\n", (long)limit.rlim_cur, limit.rlim_max == RLIM_INFINITY);
    limit.rlim_cur = 1 << 20;
    setrlimit(RLIMIT_STACK, &limit);
    getrlimit(RLIMIT_STACK, &limit);
    printf("stack, set: %ld\n", (long)limit.rlim_cur);
}

/* Texts lie on 64 bytes, and the stack at one place. */
static void say_stack(char **argv)
{
    int aligned = 1, n = 0;

    for (; environ[n]; n++)
        aligned &= (unsigned long)environ[n] % 64 == 0;
    aligned &= (unsigned long)argv[0] % 64 == 0;
    printf("stack: %d %lx, %d variables, preloaded '%s', tunables '%s', tool '%s'\n", aligned,
           (unsigned long)argv, n, getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "",
           getenv("GLIBC_TUNABLES") ? getenv("GLIBC_TUNABLES") : "",
           getenv("VALGRIND_LIB") ? getenv("VALGRIND_LIB") : "");
    printf("argv[0]: %s, execfn %s\n", argv[0], (const char *)getauxval(AT_EXECFN));
}

int main(int argc, char **argv)
{
    struct utsname name;
    struct sysinfo memory;

    printf("worked: %ld\n", work());
    if (argc > 1 && !strcmp(argv[1], "work"))
        return 0;
    uname(&name);
    sysinfo(&memory);
    printf("name: %s %s %s %s %s\n", name.sysname, name.nodename, name.release, name.version,
           name.domainname);
    printf("memory: %lu of %lu KB\n", memory.freeram * memory.mem_unit >> 10,
           memory.totalram * memory.mem_unit >> 10);
    say_processors(argc > 1);
    if (argc > 1)
        say_limits();
    say_stack(argv);
    say_file("/proc/cpuinfo");
    say_file("/proc/meminfo");
    say_file("/proc/self/cgroup");
    say_file("/sys/devices/system/cpu/online");
    say_file("/sys/devices/system/cpu/cpu0/topology/core_id");
    say_file("/sys/kernel/mm/transparent_hugepage/enabled");
    say_file("/proc/sys/kernel/hostname");
    printf("limited memory: %d\n", access("/sys/fs/cgroup/memory.max", F_OK));
    return 0;
}
