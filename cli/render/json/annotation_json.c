#include <config.h>

/* The document cprof-annotate/1. */

#include "annotate/disassembly.h"
#include "cprof_internal.h"
#include "render/json/json.h"
#include "render/json/json_value.h"
#include "render/text/annotation.h"
#include "render/text/text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/*--- Instructions ---*/

static json_t *instruction_of(const struct disassembly *d, const struct annotation_listing *s,
                              const struct instruction_range *r, const struct instruction *in)
{
    const struct cprof_profile *p = d->profile;
    const struct cprof_cost *c = in->cost == CPROF_NONE ? NULL : &p->costs[in->cost];
    const char *file = c && c->file != CPROF_NONE ? p->files[c->file] : NULL;
    json_t *own = in->own ? json_counts(&s->columns, in->own) : json_null();
    json_t *others = in->others ? json_counts(&s->columns, in->others) : json_null();

    return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "object",
                     json_text(p->objects[r->object].path), "address", (json_int_t)in->address,
                     "text", json_text(in->text), "function",
                     json_text(c ? s->labels[c->function] : NULL), "file", json_text(file), "line",
                     json_number(c ? c->line : 0), "self", own, "others", others);
}

/*
 * For "cprof-annotate/1" with --asm, its "instructions": [{"object", "address", "text", "function",
 * "file", "line", "self", "others"}, ...], range by range. Addresses are numbers. "self" is the
 * subject's cost, "others" that of functions among it; "text" is null in ranges that were not
 * decoded; "function", "file" and "line" are null where the instruction did not run.
 */
static json_t *disassembly_json(const struct disassembly *d, const struct annotation_listing *s)
{
    json_t *list = json_array();

    for (size_t i = 0; i < d->n_ranges; i++) {
        const struct instruction_range *r = &d->ranges[i];

        for (size_t k = r->first; k < r->first + r->n; k++)
            json_array_append_new(list, instruction_of(d, s, r, &d->items[k]));
    }
    return list;
}

/*--- Lines ---*/

enum { DEPTH_MAX = 256 }; /* of functions inlined into each other; compilers stop long before */

/* The lines of `n` blocks from `first` on, by file. */
static json_t *files_of(const struct annotation_listing *s, uint32_t first, uint32_t n,
                        unsigned depth);

/* Adds "inclusive", the cost with callees, where it is known. */
static void set_inclusive(json_t *object, const struct annotation_listing *s, const int64_t *counts)
{
    const struct annotation *a = s->annotation;

    if (a->callees != CALLEES_NONE)
        json_object_set_new(object, "inclusive",
                            json_counts(&s->columns, counts + a->profile->n_events));
}

static json_t *calls_of(const struct annotation_listing *s, uint32_t line, unsigned depth)
{
    const struct annotation *a = s->annotation;
    json_t *list = json_array();

    for (uint32_t c = a->lines[line].first_call; c != CPROF_NONE; c = a->calls[c].next) {
        const struct annotation_call *call = &a->calls[c];

        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o}", "name", json_text(s->labels[call->function]),
                            "inclusive", json_counts(&s->columns, call->counts), "files",
                            files_of(s, call->first_block, call->n_blocks, depth + 1)));
    }
    return list;
}

static json_t *line_of(const struct annotation_listing *s, const struct source *source,
                       uint32_t line, unsigned depth)
{
    const struct annotation_line *l = &s->annotation->lines[line];
    json_t *object;
    const char *bytes;
    char *text = NULL;
    size_t size;

    if (source && source_line(source, l->line, &bytes, &size))
        text = code_json(bytes, size);
    object = json_pack("{s:o, s:o, s:o}", "line", json_number(l->line), "text", json_text(text),
                       "self", json_counts(&s->columns, l->counts));
    free(text);
    if (l->runs)
        json_object_set_new(object, "runs", json_integer((json_int_t)l->runs));
    set_inclusive(object, s, l->counts);
    if (l->first_call != CPROF_NONE && depth < DEPTH_MAX)
        json_object_set_new(object, "inlined", calls_of(s, line, depth));
    return object;
}

static json_t *files_of(const struct annotation_listing *s, uint32_t first, uint32_t n,
                        unsigned depth)
{
    const struct annotation *a = s->annotation;
    json_t *list = json_array();

    for (uint32_t b = first; b < first + n; b++) {
        const struct annotation_block *block = &a->blocks[b];
        const struct source *source = annotation_source(a, b, s->finder);
        bool found = source && source->state == SOURCE_FOUND;
        json_t *lines = json_array(), *file;

        for (uint32_t i = block->first; i < block->first + block->n; i++)
            json_array_append_new(lines, line_of(s, source, i, depth));
        file = json_pack("{s:o, s:o, s:o, s:o}", "file",
                         source ? json_text(a->profile->files[block->file]) : json_null(), "source",
                         found ? json_text(source->path) : json_null(), "self",
                         json_counts(&s->columns, block->counts), "lines", lines);
        set_inclusive(file, s, block->counts);
        json_array_append_new(list, file);
    }
    return list;
}

static json_t *subject_of(const struct annotation_listing *s, const char *kind)
{
    json_t *subject = json_pack("{s:s}", "kind", kind);

    if (strcmp(kind, "program") != 0)
        json_object_set_new(subject, "name", json_text(s->name));
    return subject;
}

int json_write_annotation(const struct annotation_listing *s, const char *kind,
                          const struct disassembly *disassembly, FILE *out)
{
    const struct annotation *a = s->annotation;
    const struct cprof_profile *p = a->profile;
    json_t *document = json_begin(p, "cprof-annotate/1", NULL, &s->columns);

    json_object_set_new(document, "subject", subject_of(s, kind));
    json_object_set_new(document, "self", json_counts(&s->columns, a->own));
    set_inclusive(document, s, a->own);
    if (!strcmp(kind, "function") && profile_paths(p).n)
        json_object_set_new(document, "inlined", json_counts(&s->columns, a->inlined));
    json_object_set_new(document, "files", files_of(s, 0, a->n_blocks, 0));
    if (disassembly)
        json_object_set_new(document, "instructions", disassembly_json(disassembly, s));
    return json_finish(document, out);
}
