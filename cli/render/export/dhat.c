#include <config.h>

/* Paths that allocate, as DHAT writes them, version 2: valgrind/dhat/dh_main.c of Valgrind. */
#include "base/array.h"
#include "base/counts.h"
#include "cprof_internal.h"
#include "names/object_name.h"
#include "render/export/export.h"
#include "render/json/json_value.h"
#include "render/text/text.h"
#include "table/heap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A function, and the line in it that the path goes through. */
struct frame {
    uint32_t function, file, line;
    uint64_t address; /* of the call; of the innermost function, where it begins */
};

struct writer {
    const struct export *export;
    FILE *out;
    size_t flags; /* of its JSON (json_value.h) */
    struct labels labels;
    struct frame *frames; /* by their number less 1: frame 0 is the root */
    size_t n, room;
    struct map map;
};

static int same_frame(const void *owner, uint32_t index, const void *key)
{
    const struct frame *x = (const struct frame *)owner + index, *y = key;

    return x->function == y->function && x->file == y->file && x->line == y->line &&
           x->address == y->address;
}

static size_t number_of(struct writer *w, struct frame frame)
{
    uint32_t hash = map_hash(
        map_mix(map_mix((uint64_t)frame.function << 32 | frame.file, frame.line), frame.address));
    uint32_t found = map_find(&w->map, hash, same_frame, w->frames, &frame);

    if (found != MAP_NONE)
        return (size_t)found + 1;
    GROW(w->frames, w->n, w->room);
    w->frames[w->n] = frame;
    memory_check(map_add(&w->map, hash, (uint32_t)w->n));
    return ++w->n;
}

/* The frames of a path, the innermost first. */
static void put_path(struct writer *w, uint32_t context)
{
    const struct cprof_profile *p = w->export->tree->profile;
    const struct cprof_context *c = &p->contexts[context];
    struct frame frame = {c->function, CPROF_NONE, 0, p->functions[c->function].address};

    fprintf(w->out, "\"fs\": [%zu", number_of(w, frame));
    for (; c->parent != CPROF_NONE; c = &p->contexts[c->parent]) {
        frame =
            (struct frame){p->contexts[c->parent].function, c->site_file, c->site_line, c->site};
        fprintf(w->out, ",%zu", number_of(w, frame));
    }
    fputc(']', w->out);
}

static int64_t more_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* DHAT knows each path's own maximum; what is known here is what it had at the program's peak, and
 * at the end, and that it had one block of the mean size at least once. */
static void put_point(struct writer *w, uint32_t context, const struct heap_sums *s,
                      const char *comma)
{
    int64_t most = more_of(s->peak_bytes, s->end_bytes);
    int64_t mean = s->blocks > 0 ? (s->bytes + s->blocks - 1) / s->blocks : 0;

    fprintf(w->out,
            "%s\n  {\"tb\": %lld, \"tbk\": %lld, \"tl\": %lld, \"mb\": %lld, \"mbk\": %lld, "
            "\"gb\": %lld, \"gbk\": %lld, \"eb\": %lld, \"ebk\": %lld, ",
            comma, (long long)s->bytes, (long long)s->blocks, (long long)s->life,
            (long long)more_of(most, mean),
            (long long)more_of(more_of(s->peak_blocks, s->end_blocks), s->blocks > 0),
            (long long)s->peak_bytes, (long long)s->peak_blocks, (long long)s->end_bytes,
            (long long)s->end_blocks);
    put_path(w, context);
    fputc('}', w->out);
}

static void put_points(struct writer *w)
{
    const struct cprof_profile *p = w->export->tree->profile;
    int64_t *counts = xcalloc(p->n_events, sizeof *counts);
    const char *comma = "";

    fputs("\"pps\": [", w->out);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        struct heap_sums sums;

        memset(counts, 0, p->n_events * sizeof *counts);
        for (uint32_t k = 0; k < c->n_costs; k++)
            counts_add(counts, cprof_context_values(p, c->first_cost + k), p->n_events);
        sums = heap_sums_of(p, counts);
        if (!sums.blocks)
            continue;
        put_point(w, i, &sums, comma);
        comma = ",";
    }
    fputs("\n ],\n", w->out);
    free(counts);
}

/* For example "0x1234: main (main.rs:12)", or "... (in libc.so.6)" where no line is known. */
static void put_frame(const struct writer *w, const struct frame *frame)
{
    const struct cprof_profile *p = w->export->tree->profile;
    uint32_t object = p->functions[frame->function].object;
    const char *label = w->labels.items[frame->function];
    char *place, *text;

    if (frame->file != CPROF_NONE)
        place = xasprintf(" (%s:%u)", p->files[frame->file], (unsigned)frame->line);
    else if (object != CPROF_NONE)
        place = xasprintf(" (in %s)", object_name(p->objects[object].path));
    else
        place = xstrdup("");
    text = xasprintf("0x%" PRIX64 ": %s%s", frame->address, *label ? label : "???", place);
    fputs(",\n  ", w->out);
    json_put(w->out, text, w->flags);
    free(text);
    free(place);
}

static void put_head(struct writer *w)
{
    const struct cprof_profile *p = w->export->tree->profile;
    uint32_t ir = cprof_find_event(p, "Ir");
    const char *name = p->command ? p->command : p->program ? p->program : "";
    char *command = json_quote(name, w->flags);

    fprintf(w->out,
            "{\"dhatFileVersion\": 2, \"mode\": \"heap\", \"verb\": \"Allocated\",\n"
            " \"bklt\": true, \"bkacc\": false, \"tu\": \"instrs\", \"Mtu\": \"Minstr\", \"tuth\": "
            "500,\n"
            " \"cmd\": %s, \"pid\": %ld, \"te\": %lld, \"tg\": %llu,\n ",
            command, p->pid, ir == CPROF_NONE ? 0 : (long long)p->totals[ir],
            (unsigned long long)p->heap.peak_ir);
    free(command);
}

int export_dhat(const struct export *e, FILE *out)
{
    struct writer w = {.export = e, .out = out, .flags = json_flags(out)};

    labels_load(&w.labels, e->rows, text_utf8);
    put_head(&w);
    put_points(&w);
    fputs(" \"ftbl\": [\n  \"[root]\"", out);
    for (size_t i = 0; i < w.n; i++)
        put_frame(&w, &w.frames[i]);
    fputs("\n ]\n}\n", out);
    map_release(&w.map);
    labels_free(&w.labels);
    free(w.frames);
    return ferror(out) ? -1 : 0;
}
