#include <config.h>

/* The command baselines: the baselines that there are. */
#include "base/count.h"
#include "base/memory.h"
#include "base/message.h"
#include "bench/document.h"
#include "cmd/commands.h"
#include "render/text/grid.h"
#include "report/save.h"
#include "report/show.h"
#include "run/baseline.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const struct option_def no_options[] = {{NULL, 0, OPTION_FLAG, NULL, NULL, 0, NULL}};

/* The ending of the name of a file with counts of benches or tests; NULL: it is another. */
static const char *ending_of(const char *name)
{
    static const char *const endings[] = {BASELINE_BENCHES, BASELINE_TESTS};

    for (size_t i = 0; i < 2; i++) {
        size_t size = strlen(name), its = strlen(endings[i]);

        if (size > its && !strcmp(name + size - its, endings[i]))
            return endings[i];
    }
    return NULL;
}

/* "main.cprof", "main.benches.json" */
static int is_baseline(const struct dirent *entry)
{
    char *noise = baseline_noise_path(entry->d_name);
    bool is = (noise || ending_of(entry->d_name)) && entry->d_name[0] != '.';

    free(noise);
    return is;
}

static void put_date(struct grid *grid, const char *path)
{
    char text[32] = "";
    struct stat facts;
    struct tm local;

    if (stat(path, &facts) == 0 && localtime_r(&facts.st_mtim.tv_sec, &local))
        strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local);
    grid_cell(grid, text, GRID_PLAIN);
}

static void put_runs(struct grid *grid, const char *path)
{
    char count[TEXT_NUMBER] = "1";
    struct noise noise;
    bool has;

    if (load_noise(&noise, path, &has) == 0 && has) {
        text_count(count, noise.runs);
        noise_free(&noise);
    }
    grid_cell(grid, count, GRID_PLAIN);
}

/* Name, when it was saved, runs, its first event and program; or that it cannot be read. */
static void put_baseline(struct grid *grid, const char *folder, const char *name)
{
    char *path = xasprintf("%s/%s", folder, name), *stem = xstrdup(name);
    struct cprof_error error;
    struct cprof_profile *p = cprof_load(path, 0, &error);
    const char *slash = p && p->program ? strrchr(p->program, '/') : NULL;
    char count[TEXT_NUMBER], *total = NULL;

    if (!p)
        message_library_error(&error);
    stem[strlen(stem) - strlen(".cprof")] = '\0';
    if (p && p->n_events)
        total = xasprintf("%s %s", p->events[0].name, text_count(count, p->totals[0]));
    grid_cell(grid, stem, GRID_PLAIN);
    put_date(grid, path);
    put_runs(grid, path);
    grid_cell(grid, total ? total : "-", GRID_PLAIN);
    grid_cell(grid, slash ? slash + 1 : "-", GRID_PLAIN);
    cprof_free(p);
    free(total);
    free(stem);
    free(path);
}

/* The same of benches or tests: their sum, and how many there are. */
static void put_benches(struct grid *grid, const char *folder, const char *name)
{
    const char *ending = ending_of(name), *kind = strcmp(ending, BASELINE_TESTS) ? "bench" : "test";
    char *path = xasprintf("%s/%s", folder, name), *text;
    char *stem = xstrndup(name, strlen(name) - strlen(ending));
    json_t *document = json_load_file(path, 0, NULL);
    struct bench_rows rows;

    grid_cell(grid, stem, GRID_PLAIN);
    put_date(grid, path);
    grid_cell(grid, "1", GRID_PLAIN);
    if (bench_rows_read(&rows, document)) {
        text = rows.events.n_events
                   ? xasprintf("%s %s", rows.events.events[0].name, TEXT_COUNT(rows.measured[0]))
                   : xstrdup("-");
        grid_cell(grid, text, GRID_PLAIN);
        free(text);
        text = xasprintf("%s %s%s", TEXT_COUNT(rows.n), kind,
                         rows.n == 1              ? ""
                         : !strcmp(kind, "bench") ? "es"
                                                  : "s");
        grid_cell(grid, text, GRID_PLAIN);
        free(text);
        bench_rows_free(&rows);
    } else {
        message_error("cannot read the baseline '%s': it is no " DOCUMENT_SCHEMA, path);
        grid_cell(grid, "-", GRID_PLAIN);
        grid_cell(grid, "-", GRID_PLAIN);
    }
    json_decref(document);
    free(stem);
    free(path);
}

static size_t list_folder(const char *folder, const struct grid_screen *screen)
{
    static const struct grid_column columns[] = {{"Baseline", GRID_NAME, 0},
                                                 {"Saved", GRID_NAME, 0},
                                                 {"Runs", GRID_NUMBER, 0},
                                                 {"Total", GRID_NUMBER, 0},
                                                 {"Program", GRID_NAME, 0}};
    struct dirent **entries;
    int n = folder ? scandir(folder, &entries, is_baseline, alphasort) : -1;
    struct grid grid;

    if (n < 0)
        return 0;
    grid_init(&grid, columns, sizeof columns / sizeof *columns);
    for (int i = 0; i < n; i++) {
        if (ending_of(entries[i]->d_name))
            put_benches(&grid, folder, entries[i]->d_name);
        else
            put_baseline(&grid, folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    if (n) {
        char *clean = text_clean(folder, screen->utf8);

        printf("%s\n", clean);
        free(clean);
        grid_write(&grid, screen, stdout);
    }
    grid_free(&grid);
    return (size_t)n;
}

static int list(void)
{
    struct show_settings settings = SHOW_SETTINGS_INIT;
    struct show_screen is = show_screen(&settings, false);
    struct grid_screen screen = show_grid(&is);
    char *folders[2];
    size_t n = 0;

    baseline_folders(folders);
    for (int i = 0; i < 2; i++) {
        n += list_folder(folders[i], &screen);
        free(folders[i]);
    }
    if (!n)
        message_note("no baselines here; 'cargo cprof callgrind --save-baseline main' keeps one");
    return STATUS_OK;
}

static int work(void *settings, struct option_result *result)
{
    (void)settings;
    if (result->operands.n)
        return message_usage("unexpected '%s'; baselines are listed all",
                             result->operands.items[0]);
    return list();
}

static int run(const struct command *self, int argc, char **argv)
{
    const struct option_group groups[] = {{"Options", no_options, NULL}, {NULL, NULL, NULL}};

    return command_run(self, groups, argc, argv, work, NULL);
}

const struct command command_baselines = {
    .name = "baselines",
    .summary = "list the profiles that are kept for comparisons",
    .usage = "",
    .examples = "  cargo cprof baselines                                    what there is\n"
                "  cargo cprof callgrind --release --save-baseline main     keeps one\n"
                "  cargo cprof callgrind --release --baseline main          compares with it\n",
    .run = run,
};
