/*
 * bench RUNS VALGRIND LIBRARY FILE: user time of workloads under Valgrind's do-nothing tool, stock
 * cachegrind and ours with and without caches, as a table. LIBRARY is the folder with all these
 * tools. FILE has the workloads: a name, the command, one argument a line, and an empty line.
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

#define CACHES "--I1=32768,8,64", "--D1=49152,12,64", "--LL=8388608,16,64"

enum { MAX_ARGUMENTS = 64, MAX_RUNS = 99 };
enum { NONE, STOCK, OURS, PLAIN, TOOLS };

/* What each tool is told; ends with NULL. */
static const struct {
    const char *title;
    const char *options[8];
} tools[TOOLS] = {
    [NONE] = {"none", {"--tool=none"}},
    [STOCK] = {"cachegrind",
               {"--tool=cachegrind", "--cache-sim=yes", "--vex-guest-chase=no",
                "--cachegrind-out-file=/dev/null", CACHES}},
    [OURS] = {"cprof caches", {"--tool=cprof", "--cache-sim=yes", CACHES}},
    [PLAIN] = {"cprof", {"--tool=cprof", "--cache-sim=no"}},
};

/* Which tools' times are divided by which others'. */
static const struct {
    int over, under;
    const char *title;
} ratios[] = {
    {OURS, STOCK, "caches/cachegrind"}, {OURS, NONE, "caches/none"}, {PLAIN, NONE, "cprof/none"}};
enum { RATIOS = sizeof ratios / sizeof *ratios };

struct workload {
    char *name;
    char *arguments[MAX_ARGUMENTS];
    double seconds[TOOLS][MAX_RUNS];
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
    char variable[4096], *environment[] = {variable, "LC_ALL=C", "PYTHONHASHSEED=0", NULL};
    const char *arguments[MAX_ARGUMENTS + 16] = {valgrind, "-q", "--command-line-only=yes",
                                                 "--vgdb=no"};
    int count = 4, null = open("/dev/null", O_RDWR);
    int errors = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    snprintf(variable, sizeof variable, "VALGRIND_LIB=%s", library);
    for (int i = 0; tools[tool].options[i]; i++)
        arguments[count++] = tools[tool].options[i];
    if (tool == OURS || tool == PLAIN)
        arguments[count++] = "--cprof-out-file=cprof.out";
    for (int i = 0; w->arguments[i]; i++)
        arguments[count++] = w->arguments[i];
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    execve(valgrind, (char **)arguments, environment);
    perror(valgrind);
    _exit(127);
}

/* User time of one run; the program ends where the workload fails, since its time would mean
 * nothing. */
static double measure(const char *valgrind, const char *library, int tool, const struct workload *w)
{
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

static void print_heading(int runs)
{
    printf(
        "User seconds: minimum, median of %d interleaved runs. Ratios: of minima, of medians.\n\n",
        runs);
    printf("%-10s", "");
    for (int t = 0; t < TOOLS; t++)
        printf("  %13s", tools[t].title);
    for (int r = 0; r < RATIOS; r++)
        printf("  %17s", ratios[r].title);
    putchar('\n');
}

/* One row, and its ratios' logarithms added to `sums`. */
static void print_row(struct workload *w, int runs, double sums[RATIOS][2])
{
    printf("%-10s", w->name);
    for (int t = 0; t < TOOLS; t++) {
        qsort(w->seconds[t], (size_t)runs, sizeof(double), by_size);
        printf("  %6.2f %6.2f", statistic(w->seconds[t], runs, 0),
               statistic(w->seconds[t], runs, 1));
    }
    for (int r = 0; r < RATIOS; r++) {
        double ratio[2];
        for (int which = 0; which < 2; which++) {
            ratio[which] = statistic(w->seconds[ratios[r].over], runs, which) /
                           statistic(w->seconds[ratios[r].under], runs, which);
            sums[r][which] += log(ratio[which]);
        }
        printf("  %8.2f %8.2f", ratio[0], ratio[1]);
    }
    putchar('\n');
}

static void print_means(int workloads, double sums[RATIOS][2])
{
    printf("%-10s%*s", "geom. mean", TOOLS * 15, "");
    for (int r = 0; r < RATIOS; r++)
        printf("  %8.2f %8.2f", exp(sums[r][0] / workloads), exp(sums[r][1] / workloads));
    putchar('\n');
}

int main(int argc, char **argv)
{
    static struct workload workload;
    double sums[RATIOS][2] = {{0}};
    int runs = argc == 5 ? atoi(argv[1]) : 0, count = 0;
    FILE *file = runs > 0 && runs <= MAX_RUNS ? fopen(argv[4], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: bench RUNS VALGRIND LIBRARY FILE (1 to %d runs)\n", MAX_RUNS);
        return 2;
    }
    print_heading(runs);
    for (; read_workload(file, &workload); count++) {
        for (int i = 0; i < runs; i++)
            for (int t = 0; t < TOOLS; t++)
                workload.seconds[t][i] = measure(argv[2], argv[3], t, &workload);
        print_row(&workload, runs, sums);
    }
    fclose(file);
    if (!count) {
        fprintf(stderr, "bench: no workloads\n");
        return 1;
    }
    print_means(count, sums);
    return 0;
}
