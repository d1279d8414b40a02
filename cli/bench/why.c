#include <config.h>

#include "bench/why.h"

#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/sort.h"
#include "base/words.h"
#include "bench/gates.h"
#include "derive/sections.h"
#include "diff/diff.h"
#include "diff/why.h"
#include "profiles/compared.h"
#include "profiles/load.h"
#include "render/json/json.h"
#include "render/text/why_table.h"
#include "run/saved_profile.h"
#include "run/tempdir.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*--- Profiles ---*/

/* "baselines/main.benches": below the folder of kept runs. */
static char *folder_of(const struct bench_runs *runs)
{
    return xasprintf("baselines/%s%s", runs->baseline,
                     runs->tests ? BASELINE_TEST_RUNS : BASELINE_BENCH_RUNS);
}

/* The path of a profile of a side, for the caller to free; NULL: there is none. */
static char *path_of(const struct bench_runs *runs, const struct bench_row *row,
                     enum diff_side side)
{
    const char *run = side == DIFF_NEW ? row->run : row->old->run;
    char *folder = side == DIFF_OLD ? folder_of(runs) : NULL, *name, *path;

    name = xasprintf("%s%s%s.cprof", folder ? folder : "", folder ? "/" : "", run ? run : "");
    path = run && !strchr(run, '/') ? saved_find(runs->target, name) : NULL;
    free(folder);
    free(name);
    return path;
}

/* Keeps one run in the folder. */
static int keep(const char *run, const char *folder, const struct bench_runs *runs)
{
    char *name = xasprintf("%s.cprof", run), *from = saved_find(runs->target, name);
    char *to = xasprintf("%s/%s", folder, name);
    struct diff_input input = {.told = true};
    int status = from ? diff_input_load(&input, from, &load_raw_names) : 0;

    if (!status && from)
        status = save_packed(input.profile, &input.packages, to);
    diff_input_free(&input);
    free(name);
    free(from);
    free(to);
    return status;
}

static int keep_all(const json_t *document, const char *folder, const struct bench_runs *runs)
{
    const json_t *rows = json_object_get(document, "rows"), *row;
    const char *before = NULL;
    int status = 0;
    size_t i;

    /* Rows of one run stand together. */
    json_array_foreach(rows, i, row)
    {
        const char *run = json_string_value(json_object_get(row, "run"));

        if (run && !status && (!before || strcmp(run, before) != 0))
            status = keep(run, folder, runs);
        before = run;
    }
    return status;
}

int bench_runs_keep(const json_t *document, const struct bench_runs *runs)
{
    char *name = folder_of(runs), *folder = saved_folder_make(runs->target, name);
    struct kept_removed removed = {0};
    int status = 0;

    if (folder)
        status = kept_folder_remove(folder, &removed);
    free(folder);
    folder = status ? NULL : saved_folder_make(runs->target, name);
    if (!status && !folder)
        status = message_error("cannot keep the profiles of the baseline '%s': %s; %s",
                               runs->baseline, strerror(errno), file_advice(errno));
    if (!status)
        status = keep_all(document, folder, runs);
    free(name);
    free(folder);
    return status;
}

/*--- One row ---*/

struct bench_why {
    const struct bench_row *row;
    const char *event;
    int64_t size; /* of the change */
    struct diff_input inputs[DIFF_SIDES];
    struct cprof_profile *parts[DIFF_SIDES]; /* the row's own of these */
    struct crates crates[DIFF_SIDES];        /* of the parts */
    struct diff diff;
    struct columns columns;
    struct why why;
    bool is_known;
};

static const struct bench_run *run_of(const struct bench_runs *runs, const struct bench_row *row)
{
    for (size_t i = 0; i < runs->n; i++) {
        const struct bench_run *run = &runs->items[i];
        size_t size = strlen(run->kept);

        /* Each doc test has a profile, and a name behind that of the run. */
        if (row->run && !strncmp(row->run, run->kept, size) && row->run[size] == '.' &&
            (run->doc || !strcmp(row->run + size + 1, run->command)))
            return run;
    }
    return NULL;
}

/* Loads the part of one side. Returns NULL, or why there is none, for the caller to free. */
static char *load_part(struct bench_why *w, enum diff_side side, const struct bench_run *run,
                       const char *path)
{
    struct diff_input *input = &w->inputs[side];
    struct cprof_error error;
    struct crates crates;
    bool *contexts;

    input->told = true;
    if (diff_input_load(input, path, &load_compared_names))
        return xasprintf("its profile '%s' cannot be read", path);
    crates_load(&crates, input->profile, &input->packages, NULL);
    contexts = bench_row_contexts(run, input->profile, &crates, w->row->name);
    crates_free(&crates);
    if (contexts)
        w->parts[side] = part_profile(input->profile, contexts, &error);
    free(contexts);
    if (!w->parts[side])
        return xasprintf("'%s' does not tell what of it is the row's", path);
    crates_load(&w->crates[side], w->parts[side], &input->packages, NULL);
    return NULL;
}

/* Returns true where the parts cost what the table says. */
static bool are_whole(const struct bench_why *w, const struct bench_rows *rows)
{
    int64_t old, new;

    return bench_change(rows, w->row, w->event, &old, &new) &&
           bench_each(w->why.total[DIFF_OLD], w->row->iterations) == old &&
           bench_each(w->why.total[DIFF_NEW], w->row->iterations) == new;
}

/* Compares the parts. Returns as load_part(). */
static char *compare_parts(struct bench_why *w, const struct bench_rows *rows)
{
    const struct crates *const crates[] = {&w->crates[DIFF_OLD], &w->crates[DIFF_NEW]};
    const struct noise *const noise[DIFF_SIDES] = {NULL};
    const struct column *column;
    char *problem;

    diff_load(&w->diff, w->parts[DIFF_OLD], w->parts[DIFF_NEW], noise);
    problem = why_problem(&w->diff);
    if (problem)
        return problem;
    columns_load(&w->columns, w->diff.common);
    column = columns_find(&w->columns, w->event);
    if (!column || !column_adds_up(column))
        return xasprintf("%s is no sum of what functions cost", w->event);
    diff_set_labels(&w->diff, NAME_SHORT);
    why_load(&w->why, &w->diff, crates, &w->columns.items[column->self]);
    w->is_known = are_whole(w, rows);
    return w->is_known ? NULL : xstrdup("its part of the profiles is not all that it cost");
}

static char *load(struct bench_why *w, const struct bench_rows *rows, const struct bench_runs *runs)
{
    const struct bench_run *run = run_of(runs, w->row);
    char *problem = NULL;

    if (!run)
        return xstrdup("its run has left no profile");
    if (w->row->iterations != w->row->old->iterations)
        return xstrdup("it ran another number of times");
    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES && !problem; side++) {
        char *path = path_of(runs, w->row, side);

        problem = path ? load_part(w, side, run, path)
                       : xstrdup("the baseline has no profile of it; save it again");
        free(path);
    }
    return problem ? problem : compare_parts(w, rows);
}

static void unload(struct bench_why *w)
{
    why_free(&w->why);
    columns_free(&w->columns);
    diff_free(&w->diff);
    for (int side = 0; side < DIFF_SIDES; side++) {
        crates_free(&w->crates[side]);
        cprof_free(w->parts[side]);
        diff_input_free(&w->inputs[side]);
    }
}

/*--- All rows ---*/

enum { EXPLAINED_MOST = 3 /* rows */, GROUPS_MOST = 5 /* functions of each */ };

static int by_size(const void *a, const void *b)
{
    const struct bench_why *x = a, *y = b;

    COMPARE(y->size, x->size);
    COMPARE(x->row, y->row);
    return 0;
}

/* Finds the rows that fail a gate, the greatest change first. */
static size_t find_failing(struct bench_why *found, const struct bench_rows *rows,
                           const struct gates *gates)
{
    struct bench_offence *offences = bench_gates_failed(gates, rows);
    size_t n = 0;

    for (size_t i = 0; i < rows->n; i++)
        if (offences[i].gate)
            found[n++] = (struct bench_why){.row = &rows->items[i],
                                            .event = offences[i].gate->column,
                                            .size = (int64_t)count_size(offences[i].change)};
    free(offences);
    sort_items(found, n, sizeof *found, by_size);
    return n;
}

/* "cargo cprof diff --why OLD NEW", for the caller to free; NULL: one of the two is not there. */
static char *command_of(const struct bench_runs *runs, const struct bench_row *row)
{
    char *path = path_of(runs, row, DIFF_OLD), *old, *new, *command;

    if (!path || !row->run) {
        free(path);
        return NULL;
    }
    old = shell_word(path);
    new = shell_word(row->run);
    command = xasprintf("cargo cprof diff --why %s %s", old, new);
    free(path);
    free(old);
    free(new);
    return command;
}

void bench_whys_load(struct bench_whys *whys, const struct bench_rows *rows,
                     const struct gates *gates, const struct bench_runs *runs)
{
    struct bench_why *found = xcalloc(rows->n + 1, sizeof *found);
    size_t n = find_failing(found, rows, gates), i;
    bool noted = false;

    *whys = (struct bench_whys){.items = found};
    for (i = 0; i < n && whys->n < EXPLAINED_MOST; i++) {
        struct bench_why *w = &found[whys->n];
        char *problem;

        *w = found[i];
        problem = load(w, rows, runs);
        if (!problem) {
            whys->n++;
            continue;
        }
        if (!noted)
            message_note("why '%s' changed is not known: %s", w->row->name, problem);
        noted = true;
        free(problem);
        unload(w);
    }
    whys->n_left = n - i;
    if (whys->n_left)
        whys->next = command_of(runs, found[i].row);
}

void bench_whys_write(const struct bench_whys *whys, const struct text_screen *screen, FILE *out)
{
    for (size_t i = 0; i < whys->n; i++) {
        const struct bench_why *w = &whys->items[i];

        if (screen || !i)
            fputc('\n', out);
        why_write(&w->why, w->row->name, GROUPS_MOST, screen, out);
    }
    if (whys->n_left && whys->next && screen)
        fprintf(out, "\n%s more row%s changed, too; the next: %s\n", TEXT_COUNT(whys->n_left),
                whys->n_left == 1 ? "" : "s", whys->next);
}

void bench_whys_add(const struct bench_whys *whys, const struct bench_rows *rows, json_t *document)
{
    json_t *list = json_object_get(document, "rows");

    for (size_t i = 0; i < whys->n; i++)
        json_object_set_new(json_array_get(list, (size_t)(whys->items[i].row - rows->items)), "why",
                            json_why(&whys->items[i].why));
}

void bench_whys_free(struct bench_whys *whys)
{
    for (size_t i = 0; i < whys->n; i++)
        unload(&whys->items[i]);
    free(whys->items);
    free(whys->next);
    *whys = (struct bench_whys){.n = 0};
}
