#include <config.h>

#include "tui/source_lines.h"

#include "base/memory.h"
#include "render/text/annotation.h"
#include "render/text/text.h"
#include "source/source_file.h"
#include "source/tokens.h"
#include "tui/screen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 3 /* shown lines around those with costs */ };

struct writer {
    struct data *data;
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

static void add_calls(struct writer *w, uint32_t line)
{
    const struct annotation *a = w->annotation;
    const struct data *d = w->data;

    for (uint32_t i = a->lines[line].first_call; i != CPROF_NONE; i = a->calls[i].next) {
        uint32_t function = a->calls[i].function;
        char *name = data_function_name(d, function);
        struct code_line *l = code_list_add(
            w->list, CODE_CALL, xasprintf("    %s %s", screen_utf8() ? "╰" : "`", name));

        l->function = function;
        l->counts = a->calls[i].counts;
        free(name);
    }
}

/* Reads the tokens of lines before `number`. */
static void read_up_to(struct writer *w, const struct source *source, uint32_t number)
{
    const char *bytes;
    size_t size;

    for (; w->next < number && source_line(source, w->next, &bytes, &size); w->next++)
        tokens_read(w->language, bytes, size, &w->state, NULL);
}

/* The tokens of a line as it is shown. The caller frees them. */
static unsigned char *tokens_of(struct writer *w, const struct source *source, uint32_t number,
                                const char *text)
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
static void add_line(struct writer *w, uint32_t file, const struct source *source, uint32_t number,
                     uint32_t i)
{
    const char *bytes;
    size_t size;
    char *text = NULL;
    struct code_line *l;

    if (!number)
        text = xstrdup("line not known");
    else if (source && source_line(source, number, &bytes, &size))
        text = code_text(bytes, size, screen_utf8());
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

/* Adds the lines of a region: all of them where there is source, else those with costs. `*at` is
 * the next line with costs, and goes past them. */
static void add_region(struct writer *w, const struct annotation_region *r,
                       const struct source *source, uint32_t *at)
{
    const struct annotation *a = w->annotation;
    const struct annotation_block *b = &a->blocks[r->block];
    uint32_t last = r->last;
    bool found = source && source->state == SOURCE_FOUND;

    if (found && last > source->n_lines)
        last = source->n_lines;
    for (uint32_t number = r->first; found && number <= last; number++) {
        bool has = *at < b->first + b->n && a->lines[*at].line == number;

        add_line(w, b->file, source, number, has ? *at : CPROF_NONE);
        *at += has;
    }
    /* Lines without source, or beyond its end. */
    for (; *at < b->first + b->n && a->lines[*at].line <= r->last; ++*at)
        add_line(w, b->file, NULL, a->lines[*at].line, *at);
}

static void add_block_head(struct writer *w, uint32_t block, const struct source *source)
{
    const struct data *d = w->data;
    const struct annotation_block *b = &w->annotation->blocks[block];
    char *path = source ? data_path(d, d->profile->files[b->file]) : NULL;

    code_list_add(w->list, CODE_HEAD,
                  path ? xasprintf("%s%s", path, source_lack(source))
                       : xstrdup("file not known: no debug information for this code"))
        ->counts = b->counts;
    free(path);
}

/* Adds a block; `*next` is its first region, and goes past them. */
static void add_block(struct writer *w, uint32_t block, const struct annotation_region *regions,
                      size_t n, size_t *next)
{
    const struct annotation *a = w->annotation;
    const struct annotation_block *b = &a->blocks[block];
    const struct source *source = annotation_source(a, block, &w->data->finder);
    uint32_t at = b->first;

    w->language =
        source && source->state == SOURCE_FOUND ? tokens_language(source->recorded) : LANGUAGE_NONE;
    w->next = 1;
    w->state = (struct token_state){.comment = 0};
    add_block_head(w, block, source);
    if (b->n && a->lines[at].line == 0)
        add_line(w, source ? b->file : CPROF_NONE, NULL, 0, at++);
    for (bool first = true; *next < n && regions[*next].block == block; ++*next, first = false) {
        if (!first)
            code_list_add(w->list, CODE_GAP, xstrdup(screen_utf8() ? "…" : "..."));
        add_region(w, &regions[*next], source, &at);
    }
}

void source_lines_load(struct source_lines *lines, struct data *d, const bool *functions)
{
    const struct annotation_view view = {.measure = data_self(d), .context = CONTEXT};
    const struct annotation_subject subject = {
        .functions = functions, .inlined = d->profile->n_contexts > 0, .callees = true};
    struct writer w = {.data = d, .annotation = &lines->annotation, .list = &lines->list};
    struct annotation_region *regions;
    size_t n_all, n, next = 0;

    source_lines_free(lines);
    annotation_load(&lines->annotation, d->profile, &subject, data_self(d));
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
