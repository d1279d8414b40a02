#include <config.h>

/* The lines of a function with their costs above, its instructions below. */
#include "tui/view.h"

#include "base/memory.h"
#include "annotate/annotation.h"
#include "annotate/disassembly.h"
#include "base/counts.h"
#include "names/location.h"
#include "source/source_file.h"
#include "names/unnamed.h"
#include "render/text/annotation.h"
#include "render/text/code.h"
#include "render/text/text.h"
#include "tui/browser.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    SOURCE,
    INSTRUCTIONS,
    CONTEXT = 3,    /* lines around those with costs */
    RANGES_MAX = 16 /* of instructions, that are decoded: each takes a run of objdump */
};

enum kind {
    LINE_HEAD, /* a file or an object */
    LINE_CODE,
    LINE_CALL, /* what was inlined at the line above */
    LINE_GAP,
    LINE_PLACE, /* where the instructions below come from */
    LINE_INSTRUCTION
};

struct code_line {
    enum kind kind;
    uint32_t file, line;   /* that it belongs to; CPROF_NONE, 0: none */
    uint32_t function;     /* of a call; CPROF_NONE: the view's */
    char *mark, *text;     /* clean; NULL: none */
    const int64_t *counts; /* n_events; NULL: no cost */
};

struct code_list {
    size_t n, room;
    struct code_line *items;
};

struct source_view {
    struct view view;
    size_t row;
    bool *functions; /* those that the row stands for */
    struct annotation annotation;
    struct disassembly disassembly;
    bool decoded;                  /* `disassembly` is loaded */
    int64_t *sums;                 /* of instructions, own and of others: rows of n_events */
    const struct column *measured; /* that the lines were made for */
    struct code_list lists[2];
};

/*--- Lists ---*/

static struct code_line *add(struct code_list *list, enum kind kind, char *text)
{
    if (list->n == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->items = xreallocarray(list->items, list->room, sizeof *list->items);
    }
    list->items[list->n] =
        (struct code_line){.kind = kind, .file = CPROF_NONE, .function = CPROF_NONE, .text = text};
    return &list->items[list->n++];
}

static void free_list(struct code_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->items[i].mark);
        free(list->items[i].text);
    }
    free(list->items);
    *list = (struct code_list){.n = 0};
}

static const char *ellipsis(void)
{
    return screen_utf8() ? "…" : "...";
}

/* Where a path is shown, clean; the caller frees it. */
static char *shown_path(const struct data *d, const char *path)
{
    char *shown = location_path(path, d->root), *clean = text_clean(shown, screen_utf8());

    free(shown);
    return clean;
}

/*--- Source ---*/

/* What is to be done where there is no source. */
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

static void add_calls(struct source_view *c, uint32_t line)
{
    const struct annotation *a = &c->annotation;
    const struct data *d = c->view.data;

    for (uint32_t i = a->lines[line].first_call; i != CPROF_NONE; i = a->calls[i].next) {
        uint32_t function = a->calls[i].function, row = d->row_of[function];
        char *name = row == CPROF_NONE
                         ? text_clean(d->profile->functions[function].name, screen_utf8())
                         : data_name(d, row);
        struct code_line *l =
            add(&c->lists[SOURCE], LINE_CALL,
                xasprintf("    %s %s (inlined)", screen_utf8() ? "╰" : "`", name));

        l->function = function;
        l->counts = a->calls[i].counts;
        free(name);
    }
}

/* A line of a file, `i` its index where it has costs. */
static void add_line(struct source_view *c, uint32_t file, const struct source *source,
                     uint32_t number, uint32_t i)
{
    const char *bytes;
    size_t size;
    char *text = NULL;
    struct code_line *l;

    if (!number)
        text = xstrdup("line not known");
    else if (source && source_line(source, number, &bytes, &size))
        text = code_text(bytes, size, screen_utf8());
    l = add(&c->lists[SOURCE], LINE_CODE, text);
    l->file = file;
    l->line = number;
    l->mark = number ? xasprintf("%" PRIu32, number) : xstrdup("?");
    if (i == CPROF_NONE)
        return;
    l->counts = c->annotation.lines[i].counts;
    add_calls(c, i);
}

/* The lines of a region: all of them where the source is there, else those with costs; `*at` is the
 * next line with costs, and goes past them. */
static void add_region(struct source_view *c, const struct annotation_region *r,
                       const struct source *source, uint32_t *at)
{
    const struct annotation *a = &c->annotation;
    const struct annotation_block *b = &a->blocks[r->block];
    uint32_t last = r->last;
    bool found = source && source->state == SOURCE_FOUND;

    if (found && last > source->n_lines)
        last = source->n_lines;
    for (uint32_t number = r->first; found && number <= last; number++) {
        bool has = *at < b->first + b->n && a->lines[*at].line == number;

        add_line(c, b->file, source, number, has ? *at : CPROF_NONE);
        *at += has;
    }
    /* Without source, or beyond its end. */
    for (; *at < b->first + b->n && a->lines[*at].line <= r->last; ++*at)
        add_line(c, b->file, NULL, a->lines[*at].line, *at);
}

static void add_block_head(struct source_view *c, uint32_t block, const struct source *source)
{
    const struct data *d = c->view.data;
    const struct annotation_block *b = &c->annotation.blocks[block];
    char *path = source ? shown_path(d, d->profile->files[b->file]) : NULL;

    add(&c->lists[SOURCE], LINE_HEAD,
        path ? xasprintf("%s%s", path, source_lack(source))
             : xstrdup("file not known: no debug information for this code"))
        ->counts = b->counts;
    free(path);
}

/* A block, of which the regions from `*next` on are. */
static void add_block(struct source_view *c, uint32_t block,
                      const struct annotation_region *regions, size_t n, size_t *next)
{
    const struct annotation *a = &c->annotation;
    const struct annotation_block *b = &a->blocks[block];
    const struct source *source = annotation_source(a, block, &c->view.data->finder);
    uint32_t at = b->first;

    add_block_head(c, block, source);
    if (b->n && a->lines[at].line == 0)
        add_line(c, source ? b->file : CPROF_NONE, NULL, 0, at++);
    for (bool first = true; *next < n && regions[*next].block == block; ++*next, first = false) {
        if (!first)
            add(&c->lists[SOURCE], LINE_GAP, xstrdup(ellipsis()));
        add_region(c, &regions[*next], source, &at);
    }
}

static void load_source(struct source_view *c)
{
    const struct data *d = c->view.data;
    const struct annotation_view lines = {.measure = data_self(d), .context = CONTEXT};
    const struct annotation_subject subject = {.functions = c->functions,
                                               .inlined = d->profile->n_contexts > 0};
    struct annotation_region *regions;
    size_t n_all, n, next = 0;

    annotation_free(&c->annotation);
    annotation_load(&c->annotation, d->profile, &subject, data_self(d));
    n = annotation_regions(&c->annotation, &lines, &regions, &n_all);
    free_list(&c->lists[SOURCE]);
    for (uint32_t b = 0; b < c->annotation.n_blocks; b++)
        add_block(c, b, regions, n, &next);
    free(regions);
}

/*--- Instructions ---*/

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

/* "src/matrix.rs:45  code" */
static void add_place(struct source_view *c, const struct cprof_cost *cost)
{
    struct data *d = c->view.data;
    const char *file = cost->file == CPROF_NONE ? NULL : d->profile->files[cost->file], *bytes;
    const struct source *source =
        file && strcmp(file, "???") != 0 ? source_find(&d->finder, file) : NULL;
    char *path = source ? shown_path(d, file) : xstrdup("file not known"), *code = NULL;
    size_t size;
    struct code_line *l;

    if (source && cost->line && source_line(source, cost->line, &bytes, &size))
        code = code_text(bytes, size, screen_utf8());
    l = add(
        &c->lists[INSTRUCTIONS], LINE_PLACE,
        xasprintf("%s:%" PRIu32 "  %s", path, cost->line, code ? code + strspn(code, " ") : ""));
    l->file = cost->file;
    l->line = cost->line;
    free(path);
    free(code);
}

/* What an instruction cost, whoever's it is. */
static const int64_t *instruction_sum(struct source_view *c, size_t i)
{
    uint32_t n = c->view.data->profile->n_events;
    const struct instruction *in = &c->disassembly.items[i];
    int64_t *sum = c->sums + i * n;

    memset(sum, 0, n * sizeof *sum);
    if (in->own)
        counts_add(sum, in->own, n);
    if (in->others)
        counts_add(sum, in->others, n);
    return sum;
}

static void add_instruction(struct source_view *c, size_t i, const struct cprof_cost **place)
{
    const struct instruction *in = &c->disassembly.items[i];
    const struct cprof_cost *cost =
        in->cost == CPROF_NONE ? NULL : &c->view.data->profile->costs[in->cost];
    struct code_line *l;

    if (cost && (!*place || cost->file != (*place)->file || cost->line != (*place)->line)) {
        add_place(c, cost);
        *place = cost;
    }
    l = add(&c->lists[INSTRUCTIONS], LINE_INSTRUCTION,
            in->text ? text_clean(in->text, screen_utf8()) : xstrdup("(not decoded)"));
    l->mark = xasprintf("%" PRIx64, in->address);
    l->counts = cost ? instruction_sum(c, i) : NULL;
    if (*place) {
        l->file = (*place)->file;
        l->line = (*place)->line;
    }
}

static void load_instructions(struct source_view *c)
{
    const struct data *d = c->view.data;
    const struct annotation_subject subject = {.functions = c->functions};
    const struct disassembly *dis = &c->disassembly;

    disassembly_load(&c->disassembly, d->profile, &subject, data_self(d), ASM_INTEL, RANGES_MAX);
    c->decoded = true;
    c->sums = xcalloc(dis->n ? dis->n : 1, d->profile->n_events * sizeof *c->sums);
    for (size_t i = 0; i < dis->n_ranges; i++) {
        const struct instruction_range *r = &dis->ranges[i];
        const struct cprof_cost *place = NULL;
        char *object = text_clean(object_name(d->profile->objects[r->object].path), screen_utf8());

        add(&c->lists[INSTRUCTIONS], LINE_HEAD, xasprintf("%s%s", object, decode_lack(r->state)))
            ->counts = r->own;
        free(object);
        for (size_t k = r->first; k < r->first + r->n; k++)
            add_instruction(c, k, &place);
    }
}

/*--- The view ---*/

static const struct code_line *selected_line(const struct view *view, int pane)
{
    const struct source_view *c = (const void *)view;
    const struct code_list *list = &c->lists[pane];

    return view->panes[pane].selected < list->n ? &list->items[view->panes[pane].selected] : NULL;
}

static enum look look_of(const struct data *d, const struct code_line *l)
{
    if (l->kind == LINE_HEAD)
        return LOOK_BOLD;
    if (l->kind == LINE_CALL)
        return LOOK_INLINED;
    if (l->kind == LINE_PLACE || !l->counts)
        return LOOK_DIM;
    return data_heat(d, column_value(data_self(d), l->counts)) == LOOK_HOT ? LOOK_BOLD : LOOK_TEXT;
}

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct source_view *c = pane->view;
    const struct data *d = c->view.data;
    const struct code_line *l = &c->lists[pane - c->view.panes].items[i];
    int at = 0;

    if (l->counts)
        data_cells(d, cells, &at, column_value(data_self(d), l->counts), false);
    at = pane->n_columns - 2;
    cells->text[at] = l->mark ? xstrdup(l->mark) : NULL;
    cells->look[at++] = LOOK_DIM;
    cells->text[at] = l->text ? xstrdup(l->text) : NULL;
    cells->look[at] = look_of(d, l);
}

static void make_columns(struct source_view *c)
{
    for (int i = 0; i < 2; i++) {
        struct pane *p = &c->view.panes[i];
        const struct code_list *list = &c->lists[i];
        int width = 5;

        p->n = list->n;
        for (size_t k = 0; k < list->n; k++)
            if (list->items[k].mark && (int)strlen(list->items[k].mark) > width)
                width = (int)strlen(list->items[k].mark);
        p->n_columns = 0;
        data_head(c->view.data, p, data_self(c->view.data)->header, 0);
        p->columns[p->n_columns++] = (struct pane_column){
            .head = i == SOURCE ? "Line" : "At", .width = width, .right = true};
        p->columns[p->n_columns++] =
            (struct pane_column){.head = i == SOURCE ? "Source" : "Instruction",
                                 .width = 20,
                                 .share = 1,
                                 .cut = TEXT_CUT_END};
    }
}

static void update(struct view *view)
{
    struct source_view *c = (void *)view;

    if (c->measured != data_self(view->data)) {
        c->measured = data_self(view->data);
        load_source(c);
    }
    make_columns(c);
}

static char *title(const struct view *view)
{
    const struct source_view *c = (const void *)view;
    const struct data *d = view->data;
    char percent[TEXT_NUMBER], *name = data_name(d, c->row), *text;

    text_percent(percent, column_value(data_self(d), d->rows.items[c->row].counts), data_total(d),
                 1);
    text = xasprintf("source of %s: %s %% own", name, percent);
    free(name);
    return text;
}

/* The function that was inlined at the selected line, or the view's. */
static size_t selected_row(const struct view *view)
{
    const struct source_view *c = (const void *)view;
    const struct code_line *l = selected_line(view, view->focus);
    uint32_t row =
        l && l->function != CPROF_NONE ? view->data->row_of[l->function] : (uint32_t)c->row;

    return row == CPROF_NONE ? c->row : row;
}

/* The costliest line at first. */
static void select_costliest(struct source_view *c, int pane)
{
    int64_t most = 0;

    for (size_t i = 0; i < c->lists[pane].n; i++) {
        const struct code_line *l = &c->lists[pane].items[i];
        int64_t value = l->counts && l->kind != LINE_HEAD && l->kind != LINE_CALL
                            ? column_value(data_self(c->view.data), l->counts)
                            : 0;

        if (value > most) {
            most = value;
            c->view.panes[pane].selected = i;
        }
    }
}

/* The other pane follows the one that has the selection: to the costliest line of the same place.
 */
static void follow(struct view *view)
{
    struct source_view *c = (void *)view;
    const struct code_line *l = selected_line(view, view->focus);
    struct pane *other = &view->panes[!view->focus];
    int64_t most = -1;

    if (view->n_panes < 2 || !l || l->file == CPROF_NONE)
        return;
    for (size_t i = 0; i < c->lists[!view->focus].n; i++) {
        const struct code_line *o = &c->lists[!view->focus].items[i];
        int64_t value = o->counts ? column_value(data_self(view->data), o->counts) : 0;

        if (o->file == l->file && o->line == l->line && value > most) {
            most = value;
            other->selected = i;
        }
    }
}

static void show_instructions(struct source_view *c, bool show)
{
    if (show && !c->decoded) {
        load_instructions(c);
        make_columns(c);
    }
    c->view.n_panes = show ? 2 : 1;
    c->view.focus = SOURCE;
}

static bool act(struct view *view, enum action action)
{
    struct source_view *c = (void *)view;
    size_t row = selected_row(view);

    switch (action) {
    case ACTION_SOURCE:
        if (row != c->row)
            return false;
        show_instructions(c, false);
        return true;
    case ACTION_ASM:
        if (row != c->row)
            return false;
        show_instructions(c, view->n_panes == 1);
        return true;
    case ACTION_OPEN:
        if (row != c->row)
            browser_open(view->browser,
                         view_source(view->browser, view->data, row, view->n_panes == 2));
        return true;
    default:
        return false;
    }
}

static void free_view(struct view *view)
{
    struct source_view *c = (void *)view;

    for (int i = 0; i < 2; i++)
        free_list(&c->lists[i]);
    annotation_free(&c->annotation);
    if (c->decoded)
        disassembly_free(&c->disassembly);
    free(c->sums);
    free(c->functions);
    free(view->filter);
    free(c);
}

static const struct view_class class = {.title = title,
                                        .update = update,
                                        .act = act,
                                        .follow = follow,
                                        .row = selected_row,
                                        .free = free_view};

struct view *view_source(struct browser *browser, struct data *data, size_t row, bool instructions)
{
    struct source_view *c = xcalloc(1, sizeof *c);

    c->view = (struct view){.class = &class, .browser = browser, .data = data, .n_panes = 1};
    c->row = row;
    c->functions = annotation_functions(data->profile, &data->rows.items[row]);
    for (int i = 0; i < 2; i++)
        c->view.panes[i] = (struct pane){.line = line, .view = c, .linked = true};
    c->view.panes[SOURCE].empty = "it has no cost of its own, so no line has; c shows its calls";
    c->view.panes[INSTRUCTIONS].empty =
        data->profile->has_addresses
            ? "no instructions: it has no cost of its own"
            : "no addresses in this profile; those of cargo cprof callgrind have them";
    update(&c->view);
    select_costliest(c, SOURCE);
    if (instructions)
        show_instructions(c, true);
    return &c->view;
}
