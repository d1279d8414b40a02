#include <config.h>

/*
 * Call paths for Firefox Profiler. A sample is one cost record of a context, with its cost as
 * weight; a track of it is a thread. The format wants times. There is none where all is counted:
 * so samples stand in the order of a left-heavy flame graph, and the axis is the cost itself, one
 * nanosecond for each count.
 */
#include "base/array.h"
#include "base/sort.h"
#include "render/export/firefox_tables.h"
#include "render/export/tracks.h"
#include "render/export/valgrind_format.h"
#include "render/json/json_value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The versions of the processed format, and of the one that Firefox itself writes. */
enum { PROCESSED_VERSION = 70, GECKO_VERSION = 36 };

enum { NANOSECONDS = 1000000 }; /* of the format's milliseconds */

struct sample {
    uint32_t track, rank; /* samples are sorted by these */
    uint32_t stack;
    int64_t cost;
};

struct writer {
    const struct export *export;
    const struct cprof_profile *profile;
    FILE *out;
    struct firefox_tables tables;
    struct tracks tracks;
    uint32_t *sites; /* of each called context: the stack of its call; CPROF_NONE: none */
    uint32_t *ranks; /* of each context: the place of its node in a walk through the tree */
    size_t n, room;
    struct sample *samples;
};

/*--- Stacks ---*/

/* A node of the tree, as contexts find it; no padding. */
struct node_key {
    uint32_t parent, function, inlined;
};

/* Finds the node of each context: the tree numbers them as they come. */
static void rank_contexts(struct writer *w)
{
    const struct cprof_profile *p = w->profile;
    uint32_t *order = xreallocarray(NULL, w->export->tree->n, sizeof *order), rank = 0;
    struct pool nodes = {.n = 0};

    w->ranks = xreallocarray(NULL, p->n_contexts, sizeof *w->ranks);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        struct node_key key = {c->parent == CPROF_NONE ? 0 : w->ranks[c->parent], c->function,
                               c->inlined};

        w->ranks[i] = pool_add(&nodes, &key, sizeof key) + 1;
    }
    pool_free(&nodes);
    for (uint32_t node = 0; node != CPROF_NONE; node = tree_next(w->export->tree, node))
        order[node] = rank++;
    for (uint32_t i = 0; i < p->n_contexts; i++)
        w->ranks[i] = order[w->ranks[i]];
    free(order);
}

/* The number of contexts from `c` up to the one whose code it was inlined into. */
static uint32_t inlined_depth(const struct cprof_profile *p, uint32_t c)
{
    uint32_t depth = 0;

    for (; p->contexts[c].inlined && p->contexts[c].parent != CPROF_NONE; c = p->contexts[c].parent)
        depth++;
    return depth;
}

static uint32_t ancestor(const struct cprof_profile *p, uint32_t c, uint32_t steps)
{
    while (steps-- > 0)
        c = p->contexts[c].parent;
    return c;
}

/* The stack of a place in context `c`: that of the call of its code, and a frame for each function
 * that is inlined there. */
static uint32_t stack_of(struct writer *w, uint32_t c, const struct cprof_cost *place)
{
    const struct cprof_profile *p = w->profile;
    uint32_t depth = inlined_depth(p, c), physical = ancestor(p, c, depth);
    uint32_t stack = w->sites[physical];
    struct firefox_frame frame = {
        .address = place->address,
        .object = p->functions[p->contexts[physical].function].object,
    };

    for (uint32_t up = depth; up != CPROF_NONE; up--) {
        const struct cprof_context *inner = up ? &p->contexts[ancestor(p, c, up - 1)] : NULL;

        frame.function = p->contexts[ancestor(p, c, up)].function;
        frame.file = inner ? inner->site_file : place->file;
        frame.line = inner ? inner->site_line : place->line;
        frame.depth = depth - up;
        stack = firefox_tables_push(&w->tables, stack, &frame);
    }
    return stack;
}

/* The stack of a cost of context `c`. It may be of other code than its function: of what that
 * jumped to. */
static uint32_t stack_of_cost(struct writer *w, uint32_t c, const struct cprof_cost *cost)
{
    static const struct cprof_cost nowhere = {.file = CPROF_NONE};
    struct firefox_frame frame = {.address = cost->address,
                                  .function = cost->function,
                                  .object = w->profile->functions[cost->function].object,
                                  .file = cost->file,
                                  .line = cost->line};

    if (cost->function == w->profile->contexts[c].function)
        return stack_of(w, c, cost);
    return firefox_tables_push(
        &w->tables, tracks_is_root(&w->tracks, c) ? CPROF_NONE : stack_of(w, c, &nowhere), &frame);
}

static void find_sites(struct writer *w)
{
    const struct cprof_profile *p = w->profile;

    w->sites = xreallocarray(NULL, p->n_contexts, sizeof *w->sites);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        struct cprof_cost site = {.file = c->site_file, .line = c->site_line, .address = c->site};

        w->sites[i] = CPROF_NONE;
        if (c->parent != CPROF_NONE && !c->inlined && !tracks_is_root(&w->tracks, c->parent))
            w->sites[i] = stack_of(w, c->parent, &site);
    }
}

/*--- Samples ---*/

static void add_sample(struct writer *w, struct sample sample)
{
    if (!sample.cost)
        return;
    GROW(w->samples, w->n, w->room);
    w->samples[w->n++] = sample;
}

static void gather_paths(struct writer *w)
{
    const struct cprof_profile *p = w->profile;

    rank_contexts(w);
    find_sites(w);
    for (uint32_t i = 0; i < p->n_contexts; i++)
        for (uint32_t k = 0; k < p->contexts[i].n_costs; k++) {
            uint32_t cost = p->contexts[i].first_cost + k;
            int64_t value = column_value(w->export->measure, cprof_context_values(p, cost));

            if (value)
                add_sample(w, (struct sample){w->tracks.of_context[i], w->ranks[i],
                                              stack_of_cost(w, i, &p->context_costs[cost]), value});
        }
}

/* Without call paths, every function stands alone. */
static void gather_costs(struct writer *w)
{
    const struct cprof_profile *p = w->profile;
    uint32_t *rows = rows_of_functions(w->export->rows);

    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];
        struct firefox_frame frame = {.address = c->address,
                                      .function = c->function,
                                      .object = p->functions[c->function].object,
                                      .file = c->file,
                                      .line = c->line};
        int64_t value = column_value(w->export->measure, cprof_cost_values(p, i));

        if (value)
            add_sample(w,
                       (struct sample){0, rows[c->function],
                                       firefox_tables_push(&w->tables, CPROF_NONE, &frame), value});
    }
    free(rows);
}

static int by_place(const void *a, const void *b)
{
    const struct sample *x = a, *y = b;

    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->stack < y->stack ? -1 : x->stack > y->stack;
}

/*--- The document ---*/

/* The kinds of weights that the format has. */
static const char *const weights[] = {
    [UNIT_COUNT] = "samples", [UNIT_NANOSECONDS] = "tracing-ms", [UNIT_BYTES] = "bytes"};

/* Nanoseconds as the milliseconds of the format. */
static void put_time(FILE *out, int64_t value)
{
    char digits[8];
    size_t n;

    fprintf(out, "%" PRId64, value / NANOSECONDS);
    if (value % NANOSECONDS) {
        snprintf(digits, sizeof digits, "%06d", (int)(value % NANOSECONDS));
        for (n = strlen(digits); digits[n - 1] == '0'; n--)
            ;
        fprintf(out, ".%.*s", (int)n, digits);
    }
}

static void put_extra(const struct writer *w, const char *label, const char *text)
{
    char *quoted = json_quote(text, w->tables.flags);

    fprintf(w->out, "{\"label\": \"%s\", \"format\": \"string\", \"value\": %s}", label, quoted);
    free(quoted);
}

static void put_meta(struct writer *w)
{
    const struct cprof_profile *p = w->profile;
    const struct column *measure = w->export->measure;
    char *command = valgrind_command_text(p);
    char *quoted = json_quote(command, w->tables.flags);
    char *weight = xasprintf("%s%s%s", measure->name, measure->help ? ": " : "",
                             measure->help ? measure->help : "");
    char *program = tracks_program(p), *product = json_quote(program, w->tables.flags);

    fprintf(w->out,
            "{\n  \"meta\": {\"interval\": 1, \"startTime\": %" PRId64
            ", \"processType\": 0, \"stackwalk\": 1,\n    \"product\": %s, \"importedFrom\": "
            "\"%s %s\", \"arguments\": %s,\n    \"version\": %d, "
            "\"preprocessedProfileVersion\": %d, \"symbolicated\": true,\n"
            "    \"usesOnlyOneStackType\": true, \"sourceCodeIsNotOnSearchfox\": true, "
            "\"keepProfileThreadOrder\": true,\n    \"markerSchema\": [],\n    \"sampleUnits\": "
            "{\"time\": \"ms\", \"eventDelay\": \"ms\", \"threadCPUDelta\": \"ns\"},\n"
            "    \"categories\": ",
            w->export->time * 1000, product, PACKAGE_NAME, PACKAGE_VERSION, quoted, GECKO_VERSION,
            PROCESSED_VERSION);
    firefox_tables_put_categories(&w->tables);
    fputs(",\n    \"extra\": [{\"label\": \"" PACKAGE_NAME "\", \"entries\": [\n      ", w->out);
    put_extra(w, "Weight", weight);
    fputs(",\n      ", w->out);
    put_extra(w, "Time axis",
              "the weight of the samples before, highest call path first; 1 ns for each count");
    fputs("]}]},\n", w->out);
    free(command);
    free(quoted);
    free(weight);
    free(product);
    free(program);
}

/* The samples of one track, which are `n`. */
static void put_samples(struct writer *w, const struct sample *samples, size_t n)
{
    enum count_unit unit = count_unit(w->export->measure->help);
    int64_t time = 0;

    fprintf(w->out, "\"samples\": {\"length\": %zu, \"weightType\": \"%s\",\n      \"stack\": [", n,
            weights[unit]);
    for (size_t i = 0; i < n; i++)
        fprintf(w->out, "%s%" PRIu32, i ? "," : "", samples[i].stack);
    fputs("],\n      \"time\": [", w->out);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? "," : "", w->out);
        put_time(w->out, time);
        time += samples[i].cost;
    }
    fputs("],\n      \"weight\": [", w->out);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? "," : "", w->out);
        if (unit == UNIT_NANOSECONDS)
            put_time(w->out, samples[i].cost);
        else
            fprintf(w->out, "%" PRId64, samples[i].cost);
    }
    fputs("]}", w->out);
}

static void put_thread(struct writer *w, uint32_t track, const struct sample *samples, size_t n)
{
    char *name = tracks_name(&w->tracks, track, w->tables.labels.items);
    char *quoted = json_quote(name, w->tables.flags);
    long pid = w->profile->pid;

    fprintf(w->out,
            "%s\n    {\"name\": %s, \"processType\": \"default\", \"isMainThread\": %s,\n"
            "     \"pid\": \"%ld\", \"tid\": %" PRIu32 ", \"processStartupTime\": 0, "
            "\"processShutdownTime\": null,\n     \"registerTime\": 0, \"unregisterTime\": null, "
            "\"pausedRanges\": [],\n     \"markers\": {\"length\": 0, \"data\": [], \"name\": [], "
            "\"startTime\": [], \"endTime\": [], \"phase\": [], \"category\": []},\n     ",
            track ? "," : "", quoted, track ? "false" : "true", pid < 0 ? 0 : pid, track + 1);
    put_samples(w, samples, n);
    fputc('}', w->out);
    free(name);
    free(quoted);
}

static void put_threads(struct writer *w)
{
    size_t first = 0;

    fputs("  \"threads\": [", w->out);
    for (uint32_t track = 0; track < w->tracks.n; track++) {
        size_t end = first;

        while (end < w->n && w->samples[end].track == track)
            end++;
        put_thread(w, track, w->samples + first, end - first);
        first = end;
    }
    fputs("]\n}\n", w->out);
}

int export_firefox(const struct export *e, FILE *out)
{
    struct writer w = {.export = e, .profile = e->rows->profile, .out = out};

    firefox_tables_load(&w.tables, e, out);
    tracks_load(&w.tracks, w.profile);
    if (w.profile->n_contexts)
        gather_paths(&w);
    else
        gather_costs(&w);
    sort_items(w.samples, w.n, sizeof *w.samples, by_place);
    put_meta(&w);
    fputs("  \"libs\": ", out);
    firefox_tables_put_libs(&w.tables);
    fputs(",\n  \"shared\": ", out);
    firefox_tables_put_shared(&w.tables);
    fputs(",\n", out);
    put_threads(&w);
    firefox_tables_free(&w.tables);
    tracks_free(&w.tracks);
    free(w.sites);
    free(w.ranks);
    free(w.samples);
    return ferror(out) ? -1 : 0;
}
