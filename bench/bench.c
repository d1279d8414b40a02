/*
 * bench RUNS VALGRIND LIBRARY FILE: user time and peak memory of workloads under Valgrind's
 * do-nothing tool, stock cachegrind and callgrind, and ours in each mode, as tables. LIBRARY is the
 * folder with all these tools. FILE has the workloads: a name, the command, one argument a line,
 * and an empty line. A name in parentheses stays out of the means.
 *
 * Runs are interleaved (each tool once, then each again), so that what else the machine does meets
 * all of them. Both the minimum and the median are shown, and the ratios of either.
 */
#include <config.h>

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CACHE_SIZES "--I1=32768,8,64", "--D1=49152,12,64", "--LL=8388608,16,64"
#define OUR_FILE    "--cprof-out-file=cprof.out"

enum { MAX_ARGUMENTS = 64, MAX_RUNS = 99, MAX_WORKLOADS = 32 };
enum { NONE, CACHEGRIND, CALLGRIND, CALLGRIND_CACHES, PLAIN, CACHES, CONTEXTS, BOTH, TOOLS };

/* The arguments of each tool; ends with NULL. The titles are as narrow as a column. */
static const struct {
    const char *title;
    const char *options[9];
} tools[TOOLS] = {
    [NONE] = {"none", {"--tool=none"}},
    [CACHEGRIND] = {"cachegrind",
                    {"--tool=cachegrind", "--cache-sim=yes", "--vex-guest-chase=no",
                     "--cachegrind-out-file=/dev/null", CACHE_SIZES}},
    [CALLGRIND] = {"callgrind", {"--tool=callgrind", "--callgrind-out-file=/dev/null"}},
    [CALLGRIND_CACHES] = {"callgrind+ca.",
                          {"--tool=callgrind", "--cache-sim=yes", "--callgrind-out-file=/dev/null",
                           CACHE_SIZES}},
    [PLAIN] = {"plain", {"--tool=cprof", OUR_FILE, "--cache-sim=no"}},
    [CACHES] = {"caches", {"--tool=cprof", OUR_FILE, "--cache-sim=yes", CACHE_SIZES}},
    [CONTEXTS] = {"contexts", {"--tool=cprof", OUR_FILE, "--cache-sim=no", "--contexts=yes"}},
    [BOTH] = {"contexts+ca.",
              {"--tool=cprof", OUR_FILE, "--cache-sim=yes", "--contexts=yes", CACHE_SIZES}},
};

/* The order of a round: what is divided by each other stands side by side, since a machine may be
 * slow for minutes. */
static const int order[TOOLS] = {PLAIN,  NONE,       CONTEXTS, CALLGRIND,
                                 CACHES, CACHEGRIND, BOTH,     CALLGRIND_CACHES};

/* Which tools' times are divided by which others'. */
static const struct {
    int over, under;
    const char *title;
} ratios[] = {{CALLGRIND, CONTEXTS, "callgrind/contexts"},
              {CALLGRIND_CACHES, BOTH, "callgr.+ca/cont.+ca"},
              {CACHEGRIND, CACHES, "cachegrind/caches"},
              {CONTEXTS, NONE, "contexts/none"},
              {BOTH, NONE, "contexts+ca./none"},
              {CACHES, NONE, "caches/none"},
              {PLAIN, NONE, "plain/none"}};
enum { RATIOS = sizeof ratios / sizeof *ratios };

struct workload {
    char *name;
    char *arguments[MAX_ARGUMENTS];
    double seconds[TOOLS][MAX_RUNS];
    double megabytes[TOOLS]; /* the most of all runs */
};

/* Reads one workload into `w`; 0 at the end of the file. */
static int read_workload(FILE *file, struct workload *w)
{
    char *line = NULL;
    size_t size = 0;
    int count = 0;
    memset(w, 0, sizeof *w);
    while (getline(&line, &size, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (!*line)
            break;
        if (!w->name)
            w->name = strdup(line);
        else if (count < MAX_ARGUMENTS - 1)
            w->arguments[count++] = strdup(line);
    }
    free(line);
    return count > 0;
}

/*
 * The child's side: the workload in an environment that is always the same, its output thrown away,
 * what is said on standard error kept in case it fails.
 */
static _Noreturn void run(const char *valgrind, const char *library, int tool,
                          const struct workload *w)
{
    char variable[4096], locale[] = "LC_ALL=C", python[] = "PYTHONHASHSEED=0",
                         perl[] = "PERL_HASH_SEED=0";
    char *environment[] = {variable, locale, python, perl, NULL};
    const char *arguments[MAX_ARGUMENTS + 16] = {valgrind, "-q", "--command-line-only=yes",
                                                 "--vgdb=no"};
    int count = 4, null = open("/dev/null", O_RDWR);
    int errors = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    snprintf(variable, sizeof variable, "VALGRIND_LIB=%s", library);
    for (int i = 0; tools[tool].options[i]; i++)
        arguments[count++] = tools[tool].options[i];
    for (int i = 0; w->arguments[i]; i++)
        arguments[count++] = w->arguments[i];
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    execve(valgrind, (char **)arguments, environment);
    perror(valgrind);
    _exit(127);
}

/* User time and memory of one run; the program ends where the workload fails, since its time would
 * mean nothing. */
static double measure(const char *valgrind, const char *library, int tool, struct workload *w)
{
    double megabytes;
    struct rusage usage;
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        run(valgrind, library, tool, w);
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status != 0) {
        fprintf(stderr, "bench: '%s' fails under %s: see bench/work/stderr\n", w->name,
                tools[tool].title);
        exit(1);
    }
    megabytes = (double)usage.ru_maxrss / 1024;
    if (megabytes > w->megabytes[tool])
        w->megabytes[tool] = megabytes;
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Minimum (0) and median (1) of sorted times. */
static double statistic(const double *sorted, int runs, int which)
{
    if (which == 0)
        return sorted[0];
    return (sorted[(runs - 1) / 2] + sorted[runs / 2]) / 2;
}

static void print_tools(const char *title)
{
    printf("%-10s", title);
    for (int t = 0; t < TOOLS; t++)
        printf("  %13s", tools[t].title);
    putchar('\n');
}

static void print_times(struct workload *w, int runs)
{
    printf("%-10s", w->name);
    for (int t = 0; t < TOOLS; t++) {
        qsort(w->seconds[t], (size_t)runs, sizeof(double), by_size);
        printf("  %6.2f %6.2f", statistic(w->seconds[t], runs, 0),
               statistic(w->seconds[t], runs, 1));
    }
    putchar('\n');
}

static int is_in_means(const struct workload *w)
{
    return w->name[0] != '(';
}

static double time_ratio(const struct workload *w, int ratio, int runs, int which)
{
    return statistic(w->seconds[ratios[ratio].over], runs, which) /
           statistic(w->seconds[ratios[ratio].under], runs, which);
}

static void print_ratios(const struct workload *workloads, int count, int runs)
{
    double sums[RATIOS][2] = {{0}};
    int in_means = 0;
    printf("\nTimes divided: of minima, of medians.\n\n%-10s", "");
    for (int r = 0; r < RATIOS; r++)
        printf("  %19s", ratios[r].title);
    putchar('\n');
    for (const struct workload *w = workloads; w < workloads + count; w++) {
        printf("%-10s", w->name);
        in_means += is_in_means(w);
        for (int r = 0; r < RATIOS; r++)
            for (int which = 0; which < 2; which++) {
                double ratio = time_ratio(w, r, runs, which);
                printf("%*.2f", which ? 8 : 13, ratio);
                if (is_in_means(w))
                    sums[r][which] += log(ratio);
            }
        putchar('\n');
    }
    if (!in_means)
        return;
    printf("%-10s", "geom. mean");
    for (int r = 0; r < RATIOS; r++)
        printf("%13.2f%8.2f", exp(sums[r][0] / in_means), exp(sums[r][1] / in_means));
    putchar('\n');
}

static void print_memory(const struct workload *workloads, int count)
{
    printf("\nPeak memory, MB.\n\n");
    print_tools("");
    for (const struct workload *w = workloads; w < workloads + count; w++) {
        printf("%-10s", w->name);
        for (int t = 0; t < TOOLS; t++)
            printf("  %13.0f", w->megabytes[t]);
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    static struct workload workloads[MAX_WORKLOADS];
    int runs = argc == 5 ? atoi(argv[1]) : 0, count = 0;
    FILE *file = runs > 0 && runs <= MAX_RUNS ? fopen(argv[4], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: bench RUNS VALGRIND LIBRARY FILE (1 to %d runs)\n", MAX_RUNS);
        return 2;
    }
    printf("User seconds: minimum, median of %d interleaved runs.\n\n", runs);
    print_tools("");
    for (; count < MAX_WORKLOADS && read_workload(file, &workloads[count]); count++) {
        struct workload *w = &workloads[count];
        for (int i = 0; i < runs; i++)
            for (int t = 0; t < TOOLS; t++)
                w->seconds[order[t]][i] = measure(argv[2], argv[3], order[t], w);
        print_times(w, runs);
    }
    fclose(file);
    if (!count) {
        fprintf(stderr, "bench: no workloads\n");
        return 1;
    }
    print_ratios(workloads, count, runs);
    print_memory(workloads, count);
    return 0;
}
