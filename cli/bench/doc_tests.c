#include <config.h>

#include "bench/doc_tests.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/sort.h"
#include "bench/document.h"
#include "bench/harness.h"
#include "profiles/compared.h"
#include "profiles/load.h"
#include "render/json/json_value.h"
#include "run/rawset.h"
#include "run/saved_profile.h"
#include "run/valgrind.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

bool doc_tests_can_run(void)
{
    struct tempdir dir = {NULL, -1};
    bool can = false;

    if (!tempdir_make(&dir)) {
        char *path = xasprintf("%s/empty.rs", dir.path);
        FILE *empty = fopen(path, "we");

        can = empty && fclose(empty) == 0 && cargo_knows_runtool(path);
        free(path);
    }
    tempdir_remove(&dir);
    return can;
}

static int is_profile(const struct dirent *entry)
{
    return !strncmp(entry->d_name, RAWSET_NAME, strlen(RAWSET_NAME));
}

/*--- Names ---*/

struct output {
    FILE *to;
    struct string_list names; /* of the tests that ran, as the harness prints them */
    struct harness_output printed;
};

/* "test src/lib.rs - parse (line 3) ... ok" */
static void pass_line(void *data, char *line)
{
    struct output *o = data;
    const char *end = strstr(line, " ... ");

    fprintf(o->to, "%s\n", line);
    fflush(o->to);
    harness_output_line(&o->printed, line);
    if (!strncmp(line, "test ", 5) && end)
        string_list_add(&o->names, xstrndup(line + 5, (size_t)(end - line) - 5));
}

/* True where rustdoc's function for the test `name` is called `function` behind its mark: the file
 * with "_" for all that is no letter or digit, the line, and a number. */
static bool is_called(const char *name, const char *function)
{
    const char *dash = strstr(name, " - "), *line = strstr(name, "(line ");
    char *text, *digits;
    bool same;

    if (!dash || !line)
        return false;
    text = xasprintf("%.*s_%lu_", (int)(dash - name), name,
                     strtoul(line + strlen("(line "), &digits, 10));
    for (char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    same = !strncmp(text, function, strlen(text)) && !strchr(function + strlen(text), '_');
    free(text);
    return same;
}

/* Gives the rows the harness's names, as far as it printed them. */
static void name_rows(json_t *all, const struct output *o)
{
    json_t *row;
    size_t i;

    json_array_foreach(json_object_get(all, "rows"), i, row)
    {
        const char *function = json_string_value(json_object_get(row, "name"));

        for (size_t k = 0; function && k < o->names.n; k++)
            if (is_called(o->names.items[k], function)) {
                json_object_set_new(row, "name", json_text(o->names.items[k]));
                break;
            }
    }
}

/*--- Results ---*/

/* Adds what one doc test came to. */
static void add_result(json_t *all, json_t *one)
{
    json_t *threads = json_object_get(one, "threads");

    json_object_set(all, "events", json_object_get(one, "events"));
    json_object_set(all, "environment", json_object_get(one, "environment"));
    document_add_counts(json_object_get(all, "totals"), json_object_get(one, "totals"), 1);
    if (threads)
        document_add_counts(json_object_get(all, "threads"), threads, 1);
    json_array_extend(json_object_get(all, "rows"), json_object_get(one, "rows"));
    json_decref(one);
}

static int compare_rows(const void *a, const void *b)
{
    const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;

    return strverscmp(json_string_value(json_object_get(x, "name")),
                      json_string_value(json_object_get(y, "name")));
}

/* Doc tests run side by side, in no certain order: their rows are sorted by name. */
static void sort_rows(json_t *all)
{
    json_t *rows = json_object_get(all, "rows"), *sorted = json_array();
    size_t n = json_array_size(rows);
    json_t **items = xcalloc(n + 1, sizeof(json_t *));

    for (size_t i = 0; i < n; i++)
        items[i] = json_array_get(rows, i);
    sort_items(items, n, sizeof *items, compare_rows);
    for (size_t i = 0; i < n; i++)
        json_array_append(sorted, items[i]);
    free(items);
    json_object_set_new(all, "rows", sorted);
}

/* Keeps the profile of one doc test under a name of its own, with its names, since its program is
 * gone; the row has that name. */
static void keep(const struct bench_run *run, const struct tempdir *dir, const char *path,
                 json_t *result)
{
    json_t *row = json_array_get(json_object_get(result, "rows"), 0);
    const char *name = json_string_value(json_object_get(row, "name"));
    struct cprof_profile *profile = load_named_profile(path, &load_raw_names, NULL);
    char *named = xasprintf("%s/named", dir->path), *kept, *place = NULL;

    /* Tests that were merged into one program have no such name. */
    kept = xasprintf("%s.%s", run->kept, name && !strchr(name, ' ') ? name : "merged");
    if (profile && !save_profile(profile, named))
        place = saved_profile_keep(named, run->built->target, kept, run->command,
                                   &run->built->packages);
    if (place)
        json_object_set_new(row, "run", json_sprintf("%s.%s", kept, run->command));
    cprof_free(profile);
    free(named);
    free(kept);
    free(place);
}

static json_t *read_profiles(const struct bench_run *run, const struct tempdir *dir, int status)
{
    static const struct resolve_settings settings = {.brief_contexts = true};
    struct dirent **entries = NULL;
    int n = scandir(dir->path, &entries, is_profile, versionsort);
    json_t *all = json_pack("{s:n, s:i, s:[], s:{}, s:{}, s:[]}", "run", "status", status, "events",
                            "totals", "threads", "rows");

    for (int i = 0; i < n; i++) {
        char *path = xasprintf("%s/%s", dir->path, entries[i]->d_name);
        struct cprof_profile *profile = load_named_profile(path, &settings, NULL);

        if (profile) {
            json_t *one = bench_result(run, profile, 0);

            keep(run, dir, path, one);
            add_result(all, one);
        }
        cprof_free(profile);
        free(entries[i]);
        free(path);
    }
    free(entries);
    return all;
}

static json_t *run_in(const struct bench_run *run, const struct tempdir *dir)
{
    struct output output = {.to = run->measure->output_to_errors ? stderr : stdout,
                            .printed = HARNESS_OUTPUT_INIT};
    char *tool = valgrind_script(&run->executable->program, run->measure, dir);
    json_t *result = NULL;
    int status = 0;

    if (tool && !cargo_doc_tests(run->doc, run->executable->program.folder, tool, run->arguments,
                                 pass_line, &output, &status))
        result = read_profiles(
            run, dir, WIFSIGNALED(status) ? STATUS_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status));
    if (result)
        name_rows(result, &output);
    if (result)
        sort_rows(result);
    if (result)
        json_object_set_new(result, "failed", harness_output_failed(&output.printed));
    harness_output_free(&output.printed);
    string_list_free_texts(&output.names);
    free(tool);
    return result;
}

json_t *doc_tests_run(const struct bench_run *run)
{
    struct tempdir dir = {NULL, -1};
    json_t *result = tempdir_make(&dir) ? NULL : run_in(run, &dir);

    tempdir_remove(&dir);
    return result;
}
