#include <config.h>

/*
 * Call paths as a trace of the format that Chrome writes, for Perfetto. Counts have no time: the
 * axis is the cost itself, a nanosecond for each count, and a slice is all that its call path cost,
 * wherever in the run. Children stand from the beginning of their parent on, in the tree's order;
 * its own cost is behind them.
 */
#include "base/memory.h"
#include "render/export/export.h"
#include "render/export/tracks.h"
#include "render/json/json_value.h"
#include "render/text/text.h"

#include <inttypes.h>
#include <stdlib.h>

struct writer {
    const struct export *export;
    FILE *out;
    size_t flags; /* of its JSON (json_value.h) */
    struct labels labels;
    struct tracks tracks;
    int64_t *ends;       /* of each track: where its last slice ends */
    int64_t *begins;     /* of each node of the tree: where its slice begins */
    uint32_t *tracks_of; /* of each node of the tree */
};

/* The format's times are microseconds. */
static void put_time(const struct writer *w, const char *key, int64_t value)
{
    fprintf(w->out, "\"%s\":%" PRId64 ".%03d,", key, value / 1000, (int)(value % 1000));
}

/* Names the process, or with `track` a thread. */
static void put_name(const struct writer *w, const char *kind, uint32_t track, const char *name)
{
    fprintf(w->out,
            "{\"ph\":\"M\",\"pid\":1,\"tid\":%" PRIu32 ",\"name\":\"%s\",\"args\":{\"name\":",
            track + 1, kind);
    json_put(w->out, name, w->flags);
    fputs("}}", w->out);
}

static void put_names(const struct writer *w)
{
    char *command = export_command(w->export->rows->profile);

    put_name(w, "process_name", 0, command);
    free(command);
    for (uint32_t i = 0; i < w->tracks.n; i++) {
        char *name = tracks_name(&w->tracks, i, w->labels.items);

        fputs(",\n", w->out);
        put_name(w, "thread_name", i, name);
        free(name);
    }
}

static void put_slice(const struct writer *w, uint32_t node, int64_t cost)
{
    const struct tree *t = w->export->tree;
    const struct tree_node *n = &t->nodes[node];

    fputs(",\n{\"ph\":\"X\",\"pid\":1,", w->out);
    fprintf(w->out, "\"tid\":%" PRIu32 ",", w->tracks_of[node] + 1);
    put_time(w, "ts", w->begins[node]);
    put_time(w, "dur", cost);
    fprintf(w->out, "\"cat\":\"%s\",\"name\":", n->inlined ? "inlined" : "called");
    json_put(w->out, w->labels.items[n->function], w->flags);
    fprintf(w->out, ",\"args\":{\"self\":%" PRId64 ",\"inclusive\":%" PRId64,
            column_value(w->export->measure, tree_self(t, node)), cost);
    if (!n->inlined && !t->profile->sampled)
        fprintf(w->out, ",\"calls\":%" PRIu64, n->calls);
    fputs("}}", w->out);
}

/* Places a node, and writes it where it is code. Its parent has been placed, and so have those that
 * stand before it there. */
static void put_node(struct writer *w, uint32_t node)
{
    const struct tree_node *n = &w->export->tree->nodes[node];
    int64_t cost = column_value(w->export->measure, tree_inclusive(w->export->tree, node));
    int64_t *end = &w->begins[n->parent]; /* which moves with each child */
    bool is_root = false;

    if (!n->parent) {
        w->tracks_of[node] = tracks_of(&w->tracks, n->function);
        is_root = w->tracks.functions[w->tracks_of[node]] == n->function;
        end = &w->ends[w->tracks_of[node]];
    } else {
        w->tracks_of[node] = w->tracks_of[n->parent];
    }
    w->begins[node] = *end;
    *end += cost;
    if (cost && !is_root)
        put_slice(w, node, cost);
}

int export_chrome_trace(const struct export *e, FILE *out)
{
    const struct cprof_profile *p = e->rows->profile;
    struct writer w = {.export = e, .out = out, .flags = json_flags(out)};

    labels_load(&w.labels, e->rows, text_utf8);
    tracks_load(&w.tracks, p);
    w.ends = xcalloc(w.tracks.n, sizeof *w.ends);
    w.begins = xcalloc(e->tree->n, sizeof *w.begins);
    w.tracks_of = xcalloc(e->tree->n, sizeof *w.tracks_of);
    fputs("{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"creator\":\"" PACKAGE_NAME
          " " PACKAGE_VERSION "\",\"event\":",
          out);
    json_put(w.out, e->measure->name, w.flags);
    fputs(",\"axis\":\"no time: 1 ns stands for each count of the event; a slice is all that its "
          "call path cost, whenever that was\"},\n\"traceEvents\":[\n",
          out);
    put_names(&w);
    for (uint32_t i = tree_next(e->tree, 0); i != CPROF_NONE; i = tree_next(e->tree, i))
        put_node(&w, i);
    fputs("\n]}\n", out);
    labels_free(&w.labels);
    tracks_free(&w.tracks);
    free(w.ends);
    free(w.begins);
    free(w.tracks_of);
    return ferror(out) ? -1 : 0;
}
