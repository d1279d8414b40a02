#include <config.h>

/* The command baselines: the baselines that there are. */
#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/words.h"
#include "bench/document.h"
#include "cmd/commands.h"
#include "options/show_options.h"
#include "profiles/compared.h"
#include "render/text/style.h"
#include "render/text/table_text.h"
#include "run/saved_profile.h"
#include "views/screen.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* The ending of the name of a file with counts of benches or tests; NULL: it is another. */
static const char *ending_of(const char *name)
{
    static const char *const endings[] = {BASELINE_BENCHES, BASELINE_TESTS};

    for (size_t i = 0; i < 2; i++)
        if (text_ends_in(name, endings[i]))
            return endings[i];
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

/*--- Rows ---*/

/* A row of the table. All texts are its own. */
struct kept {
    char *name, *saved, *runs, *total, *program;
};

static char *date_text(const char *path)
{
    char text[32] = "";
    struct stat facts;
    struct tm local;

    if (stat(path, &facts) == 0 && localtime_r(&facts.st_mtim.tv_sec, &local))
        strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local);
    return xstrdup(text);
}

static char *runs_text(const char *path)
{
    char count[TEXT_NUMBER] = "1";
    struct noise noise;
    bool has;

    if (load_noise(&noise, path, &has) == 0 && has) {
        text_count(count, noise.runs);
        noise_free(&noise);
    }
    return xstrdup(count);
}

/* The first event and the program of a baseline; or that it cannot be read. */
static struct kept read_profile(const char *path, const char *name)
{
    struct cprof_error error;
    struct cprof_profile *p = cprof_load(path, 0, &error);
    const char *slash = p && p->program ? strrchr(p->program, '/') : NULL;
    struct kept kept = {.name = xstrndup(name, strlen(name) - strlen(".cprof")),
                        .saved = date_text(path),
                        .runs = runs_text(path),
                        .program = xstrdup(slash ? slash + 1 : "-")};

    if (!p)
        message_library_error(&error);
    kept.total = p && p->n_events ? xasprintf("%s %s", p->events[0].name, TEXT_COUNT(p->totals[0]))
                                  : xstrdup("-");
    cprof_free(p);
    return kept;
}

/* The sum of benches or tests, and how many there are. */
static struct kept read_benches(const char *path, const char *name)
{
    const char *ending = ending_of(name);
    bool tests = !strcmp(ending, BASELINE_TESTS);
    struct kept kept = {.name = xstrndup(name, strlen(name) - strlen(ending)),
                        .saved = date_text(path),
                        .runs = xstrdup("1")};
    json_t *document = json_load_file(path, 0, NULL);
    struct bench_rows rows;

    if (bench_rows_read(&rows, document)) {
        kept.total = rows.events.n ? xasprintf("%s %s", rows.events.items[0].name,
                                               TEXT_COUNT(rows.measured[0]))
                                   : xstrdup("-");
        kept.program = xasprintf("%s %s%s", TEXT_COUNT(rows.n), tests ? "test" : "bench",
                                 rows.n == 1 ? ""
                                 : tests     ? "s"
                                             : "es");
        bench_rows_free(&rows);
    } else {
        message_error("cannot read the baseline '%s': it is no " DOCUMENT_SCHEMA "; save it again",
                      path);
        kept.total = xstrdup("-");
        kept.program = xstrdup("-");
    }
    json_decref(document);
    return kept;
}

static void free_kept(struct kept *kept)
{
    free(kept->name);
    free(kept->saved);
    free(kept->runs);
    free(kept->total);
    free(kept->program);
}

/*--- The table ---*/

enum column_id { NAME, SAVED, RUNS, TOTAL, PROGRAM };

static struct cell cell_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct kept *k = row;

    (void)subject;
    return cell_text(c->id == NAME    ? k->name
                     : c->id == SAVED ? k->saved
                     : c->id == RUNS  ? k->runs
                     : c->id == TOTAL ? k->total
                                      : k->program);
}

static const struct table_column columns[] = {
    {"Baseline", TABLE_NAME, .cell = cell_of, .id = NAME},
    {"Saved", TABLE_NAME, .cell = cell_of, .id = SAVED},
    {"Runs", TABLE_VALUE, .cell = cell_of, .id = RUNS},
    {"Total", TABLE_VALUE, .cell = cell_of, .id = TOTAL},
    {"Program", TABLE_NAME, .cell = cell_of, .id = PROGRAM}};

static void add_baseline(struct table *table, const char *folder, const char *name)
{
    char *path = xasprintf("%s/%s", folder, name);
    struct kept kept = (ending_of(name) ? read_benches : read_profile)(path, name);

    table_put(table, &kept, CELL_PLAIN);
    free_kept(&kept);
    free(path);
}

static size_t list_folder(const char *folder, const struct text_screen *screen)
{
    struct dirent **entries;
    int n = folder ? scandir(folder, &entries, is_baseline, alphasort) : -1;
    struct table table;

    if (n < 0)
        return 0;
    table_begin(&table, NULL);
    table_columns(&table, columns, sizeof columns / sizeof *columns);
    for (int i = 0; i < n; i++) {
        add_baseline(&table, folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    if (n) {
        style_line(stdout, false, "", folder, 0);
        table_rows_write(&table, screen, stdout);
    }
    table_free(&table);
    return (size_t)n;
}

static int list(void)
{
    struct show_settings settings = SHOW_SETTINGS_INIT;
    struct text_screen screen = show_screen(&settings);
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
        return message_usage("unexpected '%s'; baselines takes no operand, and lists all",
                             result->operands.items[0]);
    return list();
}

static int run(const struct command *self, int argc, char **argv)
{
    return command_run_plain(self, NULL, argc, argv, work, NULL);
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
