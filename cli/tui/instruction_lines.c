#include <config.h>

#include "tui/instruction_lines.h"

#include "base/counts.h"
#include "base/memory.h"
#include "names/location.h"
#include "names/object_name.h"
#include "render/text/text.h"
#include "source/source_file.h"
#include "tui/screen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RANGES_MAX = 16 /* ranges that are decoded: each takes a run of objdump */ };

struct writer {
    struct data *data;
    const struct disassembly *disassembly;
    int64_t *sums;
    struct code_list *list;
};

static const char *decode_lack(enum decode_state state)
{
    switch (state) {
    case DECODE_LIMIT:
        return " (not decoded: others cost more)";
    case DECODE_NO_TOOL:
        return " (not decoded: no objdump; install binutils)";
    case DECODE_GONE:
        return " (not decoded: gone or changed since the run)";
    case DECODE_FAILED:
        return " (objdump cannot decode it)";
    default:
        return "";
    }
}

/* Adds the place of the instructions that follow: "src/matrix.rs:45 code". */
static void add_place(struct writer *w, const struct cprof_cost *cost)
{
    struct data *d = w->data;
    const char *file = cost->file == CPROF_NONE ? NULL : d->profile->files[cost->file], *bytes;
    const struct source *source =
        file && strcmp(file, "???") != 0 ? source_find(&d->finder, file) : NULL;
    char *path = source ? data_path(d, file) : xstrdup("file not known"), *code = NULL;
    size_t size;
    struct code_line *l;

    if (source && cost->line && source_line(source, cost->line, &bytes, &size))
        code = code_text(bytes, size, screen_utf8());
    l = code_list_add(
        w->list, CODE_PLACE,
        xasprintf("%s:%" PRIu32 "  %s", path, cost->line, code ? code + strspn(code, " ") : ""));
    l->file = cost->file;
    l->line = cost->line;
    free(path);
    free(code);
}

/* The cost of an instruction, the subject's and others'. */
static const int64_t *instruction_sum(struct writer *w, size_t i)
{
    uint32_t n = w->data->profile->n_events;
    const struct instruction *in = &w->disassembly->items[i];
    int64_t *sum = w->sums + i * n;

    memset(sum, 0, n * sizeof *sum);
    if (in->own)
        counts_add(sum, in->own, n);
    if (in->others)
        counts_add(sum, in->others, n);
    return sum;
}

static void add_instruction(struct writer *w, size_t i, const struct cprof_cost **place)
{
    const struct instruction *in = &w->disassembly->items[i];
    const struct cprof_cost *cost =
        in->cost == CPROF_NONE ? NULL : &w->data->profile->costs[in->cost];
    struct code_line *l;

    if (cost && (!*place || cost->file != (*place)->file || cost->line != (*place)->line)) {
        add_place(w, cost);
        *place = cost;
    }
    l = code_list_add(w->list, CODE_INSTRUCTION,
                      in->text ? text_clean(in->text, screen_utf8()) : xstrdup("(not decoded)"));
    l->mark = xasprintf("%" PRIx64, in->address);
    l->counts = cost ? instruction_sum(w, i) : NULL;
    if (*place) {
        l->file = (*place)->file;
        l->line = (*place)->line;
    }
}

static void add_range(struct writer *w, const struct instruction_range *r)
{
    const struct cprof_object *o = &w->data->profile->objects[r->object];
    const struct cprof_cost *place = NULL;
    char *object = text_clean(object_name(o->path), screen_utf8());

    code_list_add(w->list, CODE_HEAD, xasprintf("%s%s", object, decode_lack(r->state)))->counts =
        r->own;
    free(object);
    for (size_t i = r->first; i < r->first + r->n; i++)
        add_instruction(w, i, &place);
}

void instruction_lines_load(struct instruction_lines *lines, struct data *d, const bool *functions)
{
    const struct annotation_subject subject = {.functions = functions};
    struct disassembly *dis = &lines->disassembly;
    struct writer w = {.data = d, .disassembly = dis, .list = &lines->list};

    disassembly_load(dis, d->profile, &subject, data_self(d), ASM_INTEL, RANGES_MAX);
    lines->loaded = true;
    w.sums = lines->sums = xcalloc(dis->n ? dis->n : 1, d->profile->n_events * sizeof *lines->sums);
    for (size_t i = 0; i < dis->n_ranges; i++)
        add_range(&w, &dis->ranges[i]);
}

void instruction_lines_free(struct instruction_lines *lines)
{
    code_list_free(&lines->list);
    if (lines->loaded)
        disassembly_free(&lines->disassembly);
    free(lines->sums);
    *lines = (struct instruction_lines){.loaded = false};
}
