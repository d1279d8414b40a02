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
 * Ours runs cold, without kept translations; then as the first run that keeps them, in an empty
 * folder; then warm, as the next one, which finds them. Runs are interleaved (each tool once, then
 * each again), so that what else the machine does meets all of them. Both the minimum and the
 * median are shown, and the ratios of either.
 */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CACHE_SIZES "--I1=32768,8,64", "--D1=49152,12,64", "--LL=8388608,16,64"
#define OUR_FILE    "--cprof-out-file=cprof.out"
#define KEPT        "kept" /* the folder of kept translations */
#define MEGABYTE    (1024 * 1024.0)

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
enum { COLD, FIRST, WARM, STATES };

/* A tool, with or without kept translations. */
struct kind {
    int tool, state;
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
 * slow for minutes. A warm run follows the first, whose file it finds. */
static const struct kind all_kinds[] = {
    {NATIVE, COLD},    {PLAIN, COLD},      {NONE, COLD},
    {CONTEXTS, COLD},  {CONTEXTS, FIRST},  {CONTEXTS, WARM},
    {CALLGRIND, COLD}, {CACHES, COLD},     {CACHES, FIRST},
    {CACHES, WARM},    {CACHEGRIND, COLD}, {BOTH, COLD},
    {BOTH, FIRST},     {BOTH, WARM},       {CALLGRIND_CACHES, COLD}};
static const struct kind native_kinds[] = {
    {NATIVE, COLD}, {CONTEXTS, COLD}, {CALLGRIND, COLD}, {CACHES, COLD}, {BOTH, COLD}};

struct order {
    const struct kind *kinds;
    int n;
};
#define ORDER(kinds) ((struct order){kinds, sizeof(kinds) / sizeof *(kinds)})

struct workload {
    char *name;
    char *arguments[MAX_ARGUMENTS];
    double seconds[TOOLS][STATES][MAX_RUNS];
    double peak[TOOLS][STATES]; /* MB, the most of all runs */
    double kept[TOOLS];         /* MB of the file, the most of all first runs */
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

/*--- Kept translations ---*/

static double kept_bytes(void)
{
    DIR *folder = opendir(KEPT);
    double bytes = 0;
    struct stat st;
    for (struct dirent *e; folder && (e = readdir(folder));)
        if (fstatat(dirfd(folder), e->d_name, &st, 0) == 0 && S_ISREG(st.st_mode))
            bytes += (double)st.st_size;
    if (folder)
        closedir(folder);
    return bytes;
}

/* Makes the folder, or leaves nothing in it. */
static void empty_kept(void)
{
    DIR *folder;
    if (mkdir(KEPT, 0700) < 0 && errno != EEXIST)
        perror(KEPT);
    folder = opendir(KEPT);
    for (struct dirent *e; folder && (e = readdir(folder));)
        if (*e->d_name != '.')
            unlinkat(dirfd(folder), e->d_name, 0);
    if (folder)
        closedir(folder);
}

/*--- Runs ---*/

/*
 * The child's side: the workload in an environment that is always the same, its output thrown away,
 * what is said on standard error kept in case it fails.
 */
static _Noreturn void run(const char *valgrind, const char *library, struct kind kind,
                          const struct workload *w)
{
    char variable[4096], kept[4096], locale[] = "LC_ALL=C", python[] = "PYTHONHASHSEED=0",
                                     perl[] = "PERL_HASH_SEED=0";
    char *environment[] = {variable, locale, python, perl, NULL}, *here = getcwd(NULL, 0);
    const char *arguments[MAX_ARGUMENTS + 16] = {valgrind, "-q", "--command-line-only=yes",
                                                 "--vgdb=no"};
    int count = 4, null = open("/dev/null", O_RDWR);
    int errors = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    snprintf(variable, sizeof variable, "VALGRIND_LIB=%s", library);
    snprintf(kept, sizeof kept, "--translations=%s/" KEPT, here);
    if (kind.tool == NATIVE)
        count = 0;
    for (int i = 0; kind.tool != NATIVE && options[kind.tool][i]; i++)
        arguments[count++] = options[kind.tool][i];
    if (kind.state != COLD)
        arguments[count++] = kept;
    for (int i = 0; w->arguments[i]; i++)
        arguments[count++] = w->arguments[i];
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    execve(kind.tool == NATIVE ? arguments[0] : valgrind, (char **)arguments, environment);
    perror(valgrind);
    _exit(127);
}

static double seconds(const struct timeval *t)
{
    return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static void raise_to(double *most, double value)
{
    if (value > *most)
        *most = value;
}

/* User and system time of one run; negative where the workload fails, since its time would mean
 * nothing. */
static double measure(const char *valgrind, const char *library, struct kind kind,
                      struct workload *w)
{
    struct rusage usage;
    int status;
    if (kind.state == FIRST)
        empty_kept();
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        run(valgrind, library, kind, w);
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status != 0) {
        fprintf(stderr, "bench: '%s' fails with %s: see bench/work/stderr\n", w->name,
                options[kind.tool][0]);
        return -1;
    }
    raise_to(&w->peak[kind.tool][kind.state], (double)usage.ru_maxrss / 1024);
    if (kind.state == FIRST)
        raise_to(&w->kept[kind.tool], kept_bytes() / MEGABYTE);
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
    int keeps = 0;

    fprintf(stderr, "bench: %s\n", w->name);
    for (int i = 0; i < runs; i++)
        for (const struct kind *k = order.kinds; k < order.kinds + order.n; k++) {
            double time = measure(valgrind, library, *k, w);
            if (time < 0)
                return 0;
            w->seconds[k->tool][k->state][i] = time;
            keeps |= k->state == FIRST;
        }
    for (const struct kind *k = order.kinds; k < order.kinds + order.n; k++)
        qsort(w->seconds[k->tool][k->state], (size_t)runs, sizeof(double), by_size);
    if (keeps && w->kept[CONTEXTS] == 0)
        fprintf(stderr, "bench: '%s' keeps no translations: warm means nothing\n", w->name);
    return 1;
}

/*--- Tables ---*/

enum measure { SECONDS, QUOTIENTS, PEAK, KEPT_FILE };

/* A column for each state, of one tool, or of one divided by another. Where both are the same one,
 * it is divided by the cold one. */
struct topic {
    const char *title;
    int of, by;
};

struct table {
    const char *title;
    enum measure measure;
    int states[STATES], n_states;
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
     .states = {COLD},
     .n_states = 1,
     .topics = stock},
    {.title = "The same of ours: cold without kept translations, first with none yet, warm with"
              " those of the first run.",
     .measure = SECONDS,
     .states = {COLD, FIRST, WARM},
     .n_states = 3,
     .topics = ours},
    {.title = "Times divided, stock tools by ours.",
     .measure = QUOTIENTS,
     .states = {COLD, WARM},
     .n_states = 2,
     .topics = stock_by_ours},
    {.title = "Times divided, ours by none.",
     .measure = QUOTIENTS,
     .states = {COLD, WARM},
     .n_states = 2,
     .topics = ours_by_none},
    {.title = "Times divided, first by cold: what writing the file costs.",
     .measure = QUOTIENTS,
     .states = {FIRST},
     .n_states = 1,
     .topics = ours},
    {.title = "MB of the files of kept translations.",
     .measure = KEPT_FILE,
     .states = {FIRST},
     .n_states = 1,
     .topics = ours},
    {.title = "Peak memory, MB, of Valgrind's tools and plain.",
     .measure = PEAK,
     .states = {COLD},
     .n_states = 1,
     .topics = stock},
    {.title = "Peak memory, MB, of ours.",
     .measure = PEAK,
     .states = {COLD, FIRST, WARM},
     .n_states = 3,
     .topics = ours},
};
enum { TABLES = sizeof tables / sizeof *tables };

static int keeps_translations(int tool)
{
    return tool == CONTEXTS || tool == CACHES || tool == BOTH;
}

/* Minimum (0) and median (1). */
static double statistic(const struct workload *w, struct kind kind, int runs, int which)
{
    const double *sorted = w->seconds[kind.tool][kind.state];
    if (which == 0)
        return sorted[0];
    return (sorted[(runs - 1) / 2] + sorted[runs / 2]) / 2;
}

static double time_of(const struct workload *w, int tool, int state, int runs, int which)
{
    return statistic(w, (struct kind){tool, keeps_translations(tool) ? state : COLD}, runs, which);
}

static double time_ratio(const struct workload *w, const struct topic *t, int state, int runs,
                         int which)
{
    return time_of(w, t->of, state, runs, which) /
           time_of(w, t->by, t->by == t->of ? COLD : state, runs, which);
}

static void print_times(double minimum, double median)
{
    printf("%*.2f%7.2f", WIDTH - 7, minimum, median);
}

static void print_cell(const struct workload *w, const struct table *table, const struct topic *t,
                       int state, int runs)
{
    switch (table->measure) {
    case SECONDS:
        print_times(time_of(w, t->of, state, runs, 0), time_of(w, t->of, state, runs, 1));
        break;
    case QUOTIENTS:
        print_times(time_ratio(w, t, state, runs, 0), time_ratio(w, t, state, runs, 1));
        break;
    case PEAK:
        printf("%*.0f", WIDTH, w->peak[t->of][state]);
        break;
    case KEPT_FILE:
        printf("%*.1f", WIDTH, w->kept[t->of]);
        break;
    }
}

static void print_row(const struct workload *w, const struct table *table, int runs)
{
    printf("%-*s", NAME_WIDTH, w->name);
    for (const struct topic *t = table->topics; t->title; t++)
        for (int i = 0; i < table->n_states; i++)
            print_cell(w, table, t, table->states[i], runs);
    putchar('\n');
}

/* Titles stand above all columns of a topic. */
static void print_titles(const struct table *table)
{
    int gap = NAME_WIDTH;
    for (const struct topic *t = table->topics; t->title; t++) {
        int length = (int)strlen(t->title), width = WIDTH * table->n_states;
        int before = table->n_states > 1 ? 4 : width - length;
        printf("%*s%s", gap + before, "", t->title);
        gap = width - before - length;
    }
    putchar('\n');
}

static void print_head(const struct table *table)
{
    static const char *const states[] = {[COLD] = "cold", [FIRST] = "first", [WARM] = "warm"};
    printf("\n%s\n\n", table->title);
    print_titles(table);
    if (table->n_states == 1)
        return;
    printf("%*s", NAME_WIDTH, "");
    for (const struct topic *t = table->topics; t->title; t++)
        for (int i = 0; i < table->n_states; i++)
            printf("%*s", WIDTH, states[table->states[i]]);
    putchar('\n');
}

static double mean(const struct workload *workloads, int count, char group, const struct topic *t,
                   int state, int runs, int which)
{
    double sum = 0;
    int members = 0;
    for (const struct workload *w = workloads; w < workloads + count; w++)
        if (group_of(w) == group) {
            sum += log(time_ratio(w, t, state, runs, which));
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
        for (int s = 0; s < table->n_states; s++)
            print_times(mean(workloads, count, group, t, table->states[s], runs, 0),
                        mean(workloads, count, group, t, table->states[s], runs, 1));
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
    double native = time_of(w, NATIVE, COLD, runs, 0);

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
                sum += log(time_ratio(w, t, COLD, runs, 0));
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
    printf("Seconds, user and system, least of %d runs in turns, and times divided. Without kept "
           "translations.\n\n| | native, s | ours, s |",
           runs);
    for (const struct topic *t = by_native; t->title; t++)
        printf(" %s |", t->title);
    printf("\n|---|---|---|---|---|---|---|\n");
    for (const struct workload *w = workloads; w < workloads + count; w++) {
        const char *name = w->name + (group_of(w) != ' ');

        if (!is_in_mean(w, runs, 0))
            continue;
        printf("| %s | %.2f | %.2f |", name, time_of(w, NATIVE, COLD, runs, 0),
               time_of(w, CONTEXTS, COLD, runs, 0));
        for (const struct topic *t = by_native; t->title; t++)
            printf(" %.2f |", time_ratio(w, t, COLD, runs, 0));
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
    struct order order = only_native ? ORDER(native_kinds) : ORDER(all_kinds);
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
