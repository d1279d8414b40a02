#include <config.h>

/* Call paths for speedscope. */
#include "base/memory.h"
#include "render/export/export.h"
#include "render/json/json_value.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

struct writer {
    const struct export *export;
    FILE *out;
    size_t flags;     /* of its JSON (json_value.h) */
    uint32_t *frames; /* by function as called, then as inlined: the number of its frame;
                         CPROF_NONE: none */
    struct labels labels;
};

static size_t frame_key(const struct writer *w, const struct tree_node *node)
{
    return node->function + (node->inlined ? (size_t)w->labels.n : 0);
}

static void put_frame(struct writer *w, const struct tree_node *node, const char *comma)
{
    const struct cprof_profile *p = w->export->rows->profile;
    const struct cprof_function *f = &p->functions[node->function];
    char *name =
        xasprintf("%s%s", w->labels.items[node->function], node->inlined ? " (inlined)" : "");

    fprintf(w->out, "%s\n    {\"name\": ", comma);
    json_put(w->out, name, w->flags);
    free(name);
    if (f->file != CPROF_NONE) {
        fputs(", \"file\": ", w->out);
        json_put(w->out, p->files[f->file], w->flags);
    }
    if (f->line)
        fprintf(w->out, ", \"line\": %u", (unsigned)f->line);
    fputc('}', w->out);
}

/* Writes the frames, in the order of the nodes' numbers. */
static void put_frames(struct writer *w)
{
    const struct tree *t = w->export->tree;
    uint32_t n = 0;

    fputs("  \"shared\": {\"frames\": [", w->out);
    for (uint32_t i = 1; i < t->n; i++) {
        uint32_t *frame = &w->frames[frame_key(w, &t->nodes[i])];

        if (*frame != CPROF_NONE)
            continue;
        put_frame(w, &t->nodes[i], n ? "," : "");
        *frame = n++;
    }
    fputs("\n  ]},\n", w->out);
}

/* Writes the frames from the root to `node`, which `path` gathers from its end. */
static void put_sample(const struct writer *w, uint32_t node, uint32_t *path, const char *comma)
{
    const struct tree_node *nodes = w->export->tree->nodes;
    size_t n = 0;

    for (; node; node = nodes[node].parent)
        path[n++] = w->frames[frame_key(w, &nodes[node])];
    fprintf(w->out, "%s\n      [", comma);
    while (n-- > 0)
        fprintf(w->out, "%u%s", (unsigned)path[n], n ? "," : "");
    fputc(']', w->out);
}

/* Writes the profile of one event: every path with an own cost is a sample of that weight. */
static void put_profile(const struct writer *w, uint32_t event, uint32_t *path)
{
    const struct tree *t = w->export->tree;
    const struct cprof_profile *p = t->profile;
    const char *comma = "";
    char *name = json_quote(p->events[event].name, w->flags);

    fprintf(w->out,
            "%s\n    {\"type\": \"sampled\", \"name\": %s, \"unit\": \"none\", \"startValue\": 0, "
            "\"endValue\": %lld,\n     \"samples\": [",
            event ? "," : "", name, (long long)p->totals[event]);
    free(name);
    for (uint32_t i = 0; i != CPROF_NONE; i = tree_next(t, i))
        if (tree_self(t, i)[event]) {
            put_sample(w, i, path, comma);
            comma = ",";
        }
    fputs("],\n     \"weights\": [", w->out);
    comma = "";
    for (uint32_t i = 0; i != CPROF_NONE; i = tree_next(t, i))
        if (tree_self(t, i)[event]) {
            fprintf(w->out, "%s%lld", comma, (long long)tree_self(t, i)[event]);
            comma = ",";
        }
    fputs("]}", w->out);
}

/* The event that is shown first: the measure, where that is an event. */
static uint32_t first_event(const struct export *e)
{
    uint32_t event = e->measure->terms[0].value;

    return e->measure->n_terms == 1 && event < e->tree->profile->n_events ? event : 0;
}

static uint32_t *new_frames(uint32_t n_functions)
{
    size_t n = (size_t)n_functions * 2;
    uint32_t *frames = xreallocarray(NULL, n, sizeof *frames);

    memset(frames, 0xff, n * sizeof *frames);
    return frames;
}

int export_speedscope(const struct export *e, FILE *out)
{
    const struct cprof_profile *p = e->rows->profile;
    struct writer w = {
        .export = e, .out = out, .flags = json_flags(out), .frames = new_frames(p->n_functions)};
    uint32_t *path = xreallocarray(NULL, e->tree->n, sizeof *path);
    char *name = json_quote(p->program ? p->program : p->source ? p->source : "", w.flags);

    labels_load(&w.labels, e->rows, text_utf8);
    fprintf(out,
            "{\n  \"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
            "  \"exporter\": \"%s@%s\",\n  \"name\": %s,\n  \"activeProfileIndex\": %u,\n",
            PACKAGE_NAME, PACKAGE_VERSION, name, (unsigned)first_event(e));
    put_frames(&w);
    fputs("  \"profiles\": [", out);
    for (uint32_t i = 0; i < p->n_events; i++)
        put_profile(&w, i, path);
    fputs("\n  ]\n}\n", out);
    labels_free(&w.labels);
    free(w.frames);
    free(path);
    free(name);
    return ferror(out) ? -1 : 0;
}
