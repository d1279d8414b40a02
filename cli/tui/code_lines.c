#include <config.h>

#include "tui/code_lines.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "cprof.h"
#include "names/object_name.h"
#include "render/text/annotation.h"
#include "render/text/text.h"
#include "source/source_file.h"
#include "source/tokens.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Adds a line that belongs to nothing, has no mark and no counts. Takes over `text`. The line stays
 * where it is until the next one is added. */
static struct code_line *code_list_add(struct code_list *list, enum code_kind kind, char *text)
{
    GROW(list->items, list->n, list->room);
    list->items[list->n] =
        (struct code_line){.kind = kind, .file = CPROF_NONE, .function = CPROF_NONE, .text = text};
    return &list->items[list->n++];
}

static void code_list_free(struct code_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->items[i].mark);
        free(list->items[i].text);
        free(list->items[i].tokens);
    }
    free(list->items);
    *list = (struct code_list){.n = 0};
}

/*--- Source ---*/

enum { CONTEXT = 3 /* shown lines around those with costs */ };

struct source_writer {
    struct browsed *browsed;
    const struct annotation *annotation;
    struct code_list *list;
    /* The block's file: its next line whose tokens have not been read. */
    enum language language;
    uint32_t next;
    struct token_state state;
};

/* The advice where there is no source. */
static const char *source_lack(const struct source *source)
{
    if (!source)
        return "";
    switch (source->state) {
    case SOURCE_FOUND:
        return "";
    case SOURCE_MISSING:
        return " (not found; --source-map OLD=NEW says where it is)";
    case SOURCE_MISSING_STD:
        return " (not there; 'rustup component add rust-src' installs it)";
    case SOURCE_OTHER_STD:
        return " (of another rustc than this machine's)";
    case SOURCE_UNREADABLE:
        return " (cannot be read)";
    case SOURCE_TOO_LARGE:
        return " (too large to be shown)";
    }
    return "";
}

static void add_calls(struct source_writer *w, uint32_t line)
{
    const struct annotation *a = w->annotation;
    const struct browsed *d = w->browsed;

    for (uint32_t i = a->lines[line].first_call; i != CPROF_NONE; i = a->calls[i].next) {
        uint32_t function = a->calls[i].function;
        char *name = browsed_function_name(d, function);
        struct code_line *l =
            code_list_add(w->list, CODE_CALL, xasprintf("    %s %s", text_sign("╰", "`"), name));

        l->function = function;
        l->counts = a->calls[i].counts;
        free(name);
    }
}

/* Reads the tokens of lines before `number`. */
static void read_up_to(struct source_writer *w, const struct source *source, uint32_t number)
{
    const char *bytes;
    size_t size;

    for (; w->next < number && source_line(source, w->next, &bytes, &size); w->next++)
        tokens_read(w->language, bytes, size, &w->state, NULL);
}

/* The tokens of a line as it is shown. The caller frees them. */
static unsigned char *tokens_of(struct source_writer *w, const struct source *source,
                                uint32_t number, const char *text)
{
    size_t size = strlen(text);
    unsigned char *tokens;
    struct token_state state;

    if (w->language == LANGUAGE_NONE || !size)
        return NULL;
    read_up_to(w, source, number);
    state = w->state;
    tokens = xmalloc(size);
    tokens_read(w->language, text, size, &state, tokens);
    return tokens;
}

/* Adds a line of a file; `i` is its index where it has costs. */
static void add_line(struct source_writer *w, uint32_t file, const struct source *source,
                     uint32_t number, uint32_t i)
{
    char *text = number ? code_line(source, number, text_clean) : xstrdup("line not known");
    struct code_line *l;

    l = code_list_add(w->list, CODE_SOURCE, text);
    l->file = file;
    l->line = number;
    l->tokens = number && text ? tokens_of(w, source, number, text) : NULL;
    l->mark = number ? xasprintf("%" PRIu32, number) : xstrdup("?");
    if (i == CPROF_NONE)
        return;
    l->counts = w->annotation->lines[i].counts;
    add_calls(w, i);
}

static void add_block_head(struct source_writer *w, uint32_t block, const struct source *source)
{
    const struct browsed *d = w->browsed;
    const struct annotation_block *b = &w->annotation->blocks[block];
    char *path = source ? browsed_path(d, d->profile->files[b->file]) : NULL;

    code_list_add(w->list, CODE_HEAD,
                  path ? xasprintf("%s%s", path, source_lack(source))
                       : xstrdup("file not known: no debug information for this code"))
        ->counts = b->counts;
    free(path);
}

/* Adds a block; `*next` is its first region, and goes past them. */
static void add_block(struct source_writer *w, uint32_t block,
                      const struct annotation_region *regions, size_t n, size_t *next)
{
    const struct annotation *a = w->annotation;
    const struct annotation_block *b = &a->blocks[block];
    const struct source *source = annotation_source(a, block, &w->browsed->finder);
    uint32_t at = b->first;
    uint32_t n_lines = source && source->state == SOURCE_FOUND ? source->n_lines : 0;

    w->language =
        source && source->state == SOURCE_FOUND ? tokens_language(source->recorded) : LANGUAGE_NONE;
    w->next = 1;
    w->state = (struct token_state){.comment = 0};
    add_block_head(w, block, source);
    if (b->n && a->lines[at].line == 0)
        add_line(w, source ? b->file : CPROF_NONE, NULL, 0, at++);
    for (bool first = true; *next < n && regions[*next].block == block; ++*next, first = false) {
        if (!first)
            code_list_add(w->list, CODE_GAP, xstrdup(text_ellipsis()));
        for (uint32_t number = regions[*next].first, line;
             annotation_next_line(a, &regions[*next], n_lines, &number, &at, &line); number++)
            add_line(w, b->file, number <= n_lines ? source : NULL, number, line);
    }
}

void source_lines_load(struct source_lines *lines, struct browsed *d, const bool *functions)
{
    const struct annotation_view view = {.measure = browsed_self(d), .context = CONTEXT};
    const struct annotation_subject subject = {
        .functions = functions, .inlined = d->profile->n_contexts > 0, .callees = true};
    struct source_writer w = {.browsed = d, .annotation = &lines->annotation, .list = &lines->list};
    struct annotation_region *regions;
    size_t n_all, n, next = 0;

    source_lines_free(lines);
    annotation_load(&lines->annotation, d->profile, &subject, browsed_self(d));
    n = annotation_regions(&lines->annotation, &view, &regions, &n_all);
    for (uint32_t b = 0; b < lines->annotation.n_blocks; b++)
        add_block(&w, b, regions, n, &next);
    free(regions);
}

void source_lines_free(struct source_lines *lines)
{
    annotation_free(&lines->annotation);
    code_list_free(&lines->list);
}

/*--- Instructions ---*/

enum { RANGES_MAX = 16 /* ranges that are decoded: each takes a run of objdump */ };

struct instruction_writer {
    struct browsed *browsed;
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
static void add_place(struct instruction_writer *w, const struct cprof_cost *cost)
{
    struct browsed *d = w->browsed;
    const char *file = cost->file == CPROF_NONE ? NULL : d->profile->files[cost->file];
    const struct source *source =
        file && strcmp(file, "???") != 0 ? source_find(&d->finder, file) : NULL;
    char *path = source ? browsed_path(d, file) : xstrdup("file not known");
    char *code = code_line(source, cost->line, text_clean);
    struct code_line *l;

    l = code_list_add(
        w->list, CODE_PLACE,
        xasprintf("%s:%" PRIu32 "  %s", path, cost->line, code ? code + strspn(code, " ") : ""));
    l->file = cost->file;
    l->line = cost->line;
    free(path);
    free(code);
}

/* The cost of an instruction, the subject's and others'. */
static const int64_t *instruction_sum(struct instruction_writer *w, size_t i)
{
    uint32_t n = w->browsed->profile->n_events;
    const struct instruction *in = &w->disassembly->items[i];
    int64_t *sum = w->sums + i * n;

    memset(sum, 0, n * sizeof *sum);
    if (in->own)
        counts_add(sum, in->own, n);
    if (in->others)
        counts_add(sum, in->others, n);
    return sum;
}

static void add_instruction(struct instruction_writer *w, size_t i, const struct cprof_cost **place)
{
    const struct instruction *in = &w->disassembly->items[i];
    const struct cprof_cost *cost =
        in->cost == CPROF_NONE ? NULL : &w->browsed->profile->costs[in->cost];
    struct code_line *l;

    if (cost && (!*place || cost->file != (*place)->file || cost->line != (*place)->line)) {
        add_place(w, cost);
        *place = cost;
    }
    l = code_list_add(w->list, CODE_INSTRUCTION,
                      in->text ? text_clean(in->text) : xstrdup("(not decoded)"));
    l->mark = xasprintf("%" PRIx64, in->address);
    l->counts = cost ? instruction_sum(w, i) : NULL;
    if (*place) {
        l->file = (*place)->file;
        l->line = (*place)->line;
    }
}

static void add_range(struct instruction_writer *w, const struct instruction_range *r)
{
    const struct cprof_object *o = &w->browsed->profile->objects[r->object];
    const struct cprof_cost *place = NULL;
    char *object = text_clean(object_name(o->path));

    code_list_add(w->list, CODE_HEAD, xasprintf("%s%s", object, decode_lack(r->state)))->counts =
        r->own;
    free(object);
    for (size_t i = r->first; i < r->first + r->n; i++)
        add_instruction(w, i, &place);
}

void instruction_lines_load(struct instruction_lines *lines, struct browsed *d,
                            const bool *functions)
{
    const struct annotation_subject subject = {.functions = functions};
    struct disassembly *dis = &lines->disassembly;
    struct instruction_writer w = {.browsed = d, .disassembly = dis, .list = &lines->list};

    disassembly_load(dis, d->profile, &subject, browsed_self(d), ASM_INTEL, RANGES_MAX);
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
