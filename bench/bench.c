/*
 * bench RUNS VALGRIND LIBRARY FILE [native]: processor time and memory of workloads as they are,
 * under Valgrind's do-nothing tool, stock cachegrind and callgrind, and ours in each mode, as
 * tables. LIBRARY is the folder with all these tools. FILE has the workloads: a name, the command,
 * one argument a line, and an empty line. A name in parentheses stays out of the means; those that
 * begin with + have means of their own.
 *
 * The first table is of all workloads, in Markdown, for doc/performance.md: ours and stock
 * callgrind beside native runs. With "native" it is the only one, and only what it needs is run.
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

enum { MAX_ARGUMENTS = 64, MAX_RUNS = 99, MAX_WORKLOADS = 32, NAME_WIDTH = 12, WIDTH = 15 };
enum {
    NATIVE,
    NONE,
    CACHEGRIND,
    CALLGRIND,
    CALLGRIND_CACHES,
    PLAIN,
    CACHES,
    CONTEXTS,
    BOTH,
    TOOLS
};

/* The arguments of each tool; ends with NULL. */
static const char *const options[TOOLS][9] = {
    [NATIVE] = {"native"},
    [NONE] = {"--tool=none"},
    [CACHEGRIND] = {"--tool=cachegrind", "--cache-sim=yes", "--vex-guest-chase=no",
                    "--cachegrind-out-file=/dev/null", CACHE_SIZES},
    [CALLGRIND] = {"--tool=callgrind", "--callgrind-out-file=/dev/null"},
    [CALLGRIND_CACHES] = {"--tool=callgrind", "--cache-sim=yes", "--callgrind-out-file=/dev/null",
                          CACHE_SIZES},
    [PLAIN] = {"--tool=cprof", OUR_FILE, "--cache-sim=no"},
    [CACHES] = {"--tool=cprof", OUR_FILE, "--cache-sim=yes", CACHE_SIZES},
    [CONTEXTS] = {"--tool=cprof", OUR_FILE, "--cache-sim=no", "--contexts=yes"},
    [BOTH] = {"--tool=cprof", OUR_FILE, "--cache-sim=yes", "--contexts=yes", CACHE_SIZES},
};

/* The order of a round: what is divided by each other stands side by side, since a machine may be
 * slow for minutes. */
static const int all_tools[] = {NATIVE, PLAIN,      NONE, CONTEXTS,        CALLGRIND,
                                CACHES, CACHEGRIND, BOTH, CALLGRIND_CACHES};
static const int native_tools[] = {NATIVE, CONTEXTS, CALLGRIND, CACHES, BOTH};

struct order {
    const int *tools;
    int n;
};
#define ORDER(tools) ((struct order){tools, sizeof(tools) / sizeof *(tools)})

struct workload {
    char *name;
    char *arguments[MAX_ARGUMENTS];
    double seconds[TOOLS][MAX_RUNS];
    double peak[TOOLS]; /* MB, the most of all runs */
};

/*--- The workloads ---*/

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

static void free_workload(struct workload *w)
{
    for (int i = 0; w->arguments[i]; i++)
        free(w->arguments[i]);
    free(w->name);
}

/* The group that a workload's means are of: ' ', '+', or '(' for none. */
static char group_of(const struct workload *w)
{
    return *w->name == '(' || *w->name == '+' ? *w->name : ' ';
}

/*--- Runs ---*/

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
    if (tool == NATIVE)
        count = 0;
    for (int i = 0; tool != NATIVE && options[tool][i]; i++)
        arguments[count++] = options[tool][i];
    for (int i = 0; w->arguments[i]; i++)
        arguments[count++] = w->arguments[i];
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    execve(tool == NATIVE ? arguments[0] : valgrind, (char **)arguments, environment);
    perror(valgrind);
    _exit(127);
}

static double seconds(const struct timeval *t)
{
    return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

/* User and system time of one run; negative where the workload fails, since its time would mean
 * nothing. */
static double measure(const char *valgrind, const char *library, int tool, struct workload *w)
{
    struct rusage usage;
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        run(valgrind, library, tool, w);
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status != 0) {
        fprintf(stderr, "bench: '%s' fails with %s: see bench/work/stderr\n", w->name,
                options[tool][0]);
        return -1;
    }
    if ((double)usage.ru_maxrss / 1024 > w->peak[tool])
        w->peak[tool] = (double)usage.ru_maxrss / 1024;
    return seconds(&usage.ru_utime) + seconds(&usage.ru_stime);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* All runs of a workload, their times sorted. Returns 0 if one fails. */
static int measure_all(const char *valgrind, const char *library, struct workload *w, int runs,
                       struct order order)
{
    fprintf(stderr, "bench: %s\n", w->name);
    for (int i = 0; i < runs; i++)
        for (const int *tool = order.tools; tool < order.tools + order.n; tool++) {
            double time = measure(valgrind, library, *tool, w);
            if (time < 0)
                return 0;
            w->seconds[*tool][i] = time;
        }
    for (const int *tool = order.tools; tool < order.tools + order.n; tool++)
        qsort(w->seconds[*tool], (size_t)runs, sizeof(double), by_size);
    return 1;
}

/*--- Tables ---*/

enum measure { SECONDS, QUOTIENTS, PEAK };

/* A column: one tool, or one divided by another. */
struct topic {
    const char *title;
    int measured, compared;
};

struct table {
    const char *title;
    enum measure measure;
    const struct topic *topics; /* end with one without a title */
};

static const struct topic stock[] = {{"none", NONE, NONE},
                                     {"cachegrind", CACHEGRIND, CACHEGRIND},
                                     {"callgrind", CALLGRIND, CALLGRIND},
                                     {"callgrind+ca.", CALLGRIND_CACHES, CALLGRIND_CACHES},
                                     {"plain", PLAIN, PLAIN},
                                     {0}};
static const struct topic ours[] = {{"contexts", CONTEXTS, CONTEXTS},
                                    {"caches", CACHES, CACHES},
                                    {"contexts+ca.", BOTH, BOTH},
                                    {0}};
static const struct topic stock_by_ours[] = {{"callgrind/contexts", CALLGRIND, CONTEXTS},
                                             {"cachegrind/caches", CACHEGRIND, CACHES},
                                             {"callgrind+ca./contexts+ca.", CALLGRIND_CACHES, BOTH},
                                             {0}};
static const struct topic ours_by_none[] = {{"contexts/none", CONTEXTS, NONE},
                                            {"caches/none", CACHES, NONE},
                                            {"contexts+caches/none", BOTH, NONE},
                                            {0}};

static const struct table tables[] = {
    {.title = "Seconds, user and system, of Valgrind's tools, and plain, which counts instructions"
              " only.",
     .measure = SECONDS,
     .topics = stock},
    {.title = "The same of ours.", .measure = SECONDS, .topics = ours},
    {.title = "Times divided, stock tools by ours.", .measure = QUOTIENTS, .topics = stock_by_ours},
    {.title = "Times divided, ours by none.", .measure = QUOTIENTS, .topics = ours_by_none},
    {.title = "Peak memory, MB, of Valgrind's tools and plain.", .measure = PEAK, .topics = stock},
    {.title = "Peak memory, MB, of ours.", .measure = PEAK, .topics = ours},
};
enum { TABLES = sizeof tables / sizeof *tables };

/* Minimum (0) and median (1). */
static double time_of(const struct workload *w, int tool, int runs, int which)
{
    const double *sorted = w->seconds[tool];
    if (which == 0)
        return sorted[0];
    return (sorted[(runs - 1) / 2] + sorted[runs / 2]) / 2;
}

static double time_ratio(const struct workload *w, const struct topic *t, int runs, int which)
{
    return time_of(w, t->measured, runs, which) / time_of(w, t->compared, runs, which);
}

/* The width of a column: its title fits. */
static int width_of(const struct topic *t)
{
    int least = (int)strlen(t->title) + 2;

    return least > WIDTH ? least : WIDTH;
}

static void print_times(const struct topic *t, double minimum, double median)
{
    printf("%*.2f%7.2f", width_of(t) - 7, minimum, median);
}

static void print_cell(const struct workload *w, const struct table *table, const struct topic *t,
                       int runs)
{
    switch (table->measure) {
    case SECONDS:
        print_times(t, time_of(w, t->measured, runs, 0), time_of(w, t->measured, runs, 1));
        break;
    case QUOTIENTS:
        print_times(t, time_ratio(w, t, runs, 0), time_ratio(w, t, runs, 1));
        break;
    case PEAK:
        printf("%*.0f", width_of(t), w->peak[t->measured]);
        break;
    }
}

static void print_row(const struct workload *w, const struct table *table, int runs)
{
    printf("%-*s", NAME_WIDTH, w->name);
    for (const struct topic *t = table->topics; t->title; t++)
        print_cell(w, table, t, runs);
    putchar('\n');
}

static void print_head(const struct table *table)
{
    printf("\n%s\n\n%*s", table->title, NAME_WIDTH, "");
    for (const struct topic *t = table->topics; t->title; t++)
        printf("%*s", width_of(t), t->title);
    putchar('\n');
}

static double mean(const struct workload *workloads, int count, char group, const struct topic *t,
                   int runs, int which)
{
    double sum = 0;
    int members = 0;
    for (const struct workload *w = workloads; w < workloads + count; w++)
        if (group_of(w) == group) {
            sum += log(time_ratio(w, t, runs, which));
            members++;
        }
    return exp(sum / members);
}

/* The geometric means of a group, if it has workloads. */
static void print_means(const struct table *table, const struct workload *workloads, int count,
                        char group, const char *title, int runs)
{
    int i = 0;
    while (i < count && group_of(&workloads[i]) != group)
        i++;
    if (i == count)
        return;
    printf("%-*s", NAME_WIDTH, title);
    for (const struct topic *t = table->topics; t->title; t++)
        print_times(t, mean(workloads, count, group, t, runs, 0),
                    mean(workloads, count, group, t, runs, 1));
    putchar('\n');
}

static void print_table(const struct table *table, const struct workload *workloads, int count,
                        int runs)
{
    print_head(table);
    for (const struct workload *w = workloads; w < workloads + count; w++)
        print_row(w, table, runs);
    if (table->measure == QUOTIENTS) {
        print_means(table, workloads, count, ' ', "geom. mean", runs);
        print_means(table, workloads, count, '+', "mean of +", runs);
    }
}

/*--- The table beside native runs ---*/

enum { NATIVE_LEAST_MS = 500 };

static const struct topic by_native[] = {{"callgrind / native", CONTEXTS, NATIVE},
                                         {"cachegrind / native", CACHES, NATIVE},
                                         {"callgrind --cache-sim / native", BOTH, NATIVE},
                                         {"stock callgrind / ours", CALLGRIND, CONTEXTS},
                                         {0}};

static int is_in_mean(const struct workload *w, int runs, int long_ones)
{
    double native = time_of(w, NATIVE, runs, 0);

    return group_of(w) != '(' && native > 0 && (!long_ones || native >= NATIVE_LEAST_MS / 1e3);
}

/* A row of geometric means, of minima. */
static void print_native_mean(const struct workload *workloads, int count, int runs, int long_ones,
                              const char *title)
{
    printf("| %s | | |", title);
    for (const struct topic *t = by_native; t->title; t++) {
        double sum = 0;
        int members = 0;

        for (const struct workload *w = workloads; w < workloads + count; w++)
            if (is_in_mean(w, runs, long_ones)) {
                sum += log(time_ratio(w, t, runs, 0));
                members++;
            }
        if (members)
            printf(" %.2f |", exp(sum / members));
        else
            printf(" - |");
    }
    putchar('\n');
}

static void print_native(const struct workload *workloads, int count, int runs)
{
    printf("Seconds, user and system, least of %d runs in turns, and times divided.\n\n| | native, "
           "s | ours, s |",
           runs);
    for (const struct topic *t = by_native; t->title; t++)
        printf(" %s |", t->title);
    printf("\n|---|---|---|---|---|---|---|\n");
    for (const struct workload *w = workloads; w < workloads + count; w++) {
        const char *name = w->name + (group_of(w) != ' ');

        if (!is_in_mean(w, runs, 0))
            continue;
        printf("| %s | %.2f | %.2f |", name, time_of(w, NATIVE, runs, 0),
               time_of(w, CONTEXTS, runs, 0));
        for (const struct topic *t = by_native; t->title; t++)
            printf(" %.2f |", time_ratio(w, t, runs, 0));
        putchar('\n');
    }
    print_native_mean(workloads, count, runs, 1, "mean, of native runs of 0.5 s and more");
    print_native_mean(workloads, count, runs, 0, "mean of all");
}

int main(int argc, char **argv)
{
    static struct workload workloads[MAX_WORKLOADS];
    int only_native = argc == 6 && !strcmp(argv[5], "native");
    int runs = argc == 5 || only_native ? atoi(argv[1]) : 0, count = 0, failed = 0;
    struct order order = only_native ? ORDER(native_tools) : ORDER(all_tools);
    FILE *file = runs > 0 && runs <= MAX_RUNS ? fopen(argv[4], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: bench RUNS VALGRIND LIBRARY FILE [native] (1 to %d runs)\n",
                MAX_RUNS);
        return 2;
    }
    while (count < MAX_WORKLOADS && read_workload(file, &workloads[count])) {
        if (measure_all(argv[2], argv[3], &workloads[count], runs, order)) {
            count++;
        } else {
            free_workload(&workloads[count]);
            failed = 1;
        }
    }
    fclose(file);
    if (!count) {
        fprintf(stderr, "bench: no workloads\n");
        return 1;
    }
    print_native(workloads, count, runs);
    if (only_native)
        return failed;
    printf(
        "\nMinimum, median of %d interleaved runs. Workloads with + are held out: they have means"
        " of their own.\n",
        runs);
    for (int t = 0; t < TABLES; t++)
        print_table(&tables[t], workloads, count, runs);
    return failed;
}
