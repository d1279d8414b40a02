/* Lines with costs: of functions, files, and of what was inlined. */
#include <config.h>

#include "../tap.h"
#include "annotate/annotation.h"
#include "cprof_internal.h"

#include <stdlib.h>

static struct cprof_error error;

static void put(struct builder *b, uint32_t context, uint32_t function, const char *file,
                uint32_t line, uint64_t address, int64_t ir)
{
    struct cprof_cost cost = {function, file ? builder_file(b, file) : CPROF_NONE, line, address};

    if (context == CPROF_NONE)
        builder_cost(b, &cost, &ir);
    else
        builder_context_cost(b, context, &cost, &ir);
}

static uint32_t function_in(struct builder *b, const char *name, const char *file, uint32_t line)
{
    return builder_function(b, name, NULL, builder_object(b, "/bin/p", NULL), builder_file(b, file),
                            line);
}

static struct builder *begin(enum cprof_format format)
{
    struct builder *b = builder_new(&error);

    builder_header(b)->format = format;
    builder_event(b, "Ir");
    return b;
}

/* "FILE: LINE=COST LINE=COST; FILE: ..." of the subject's own blocks. */
static const char *blocks_of(const struct annotation *a, uint32_t first, uint32_t n)
{
    static char text[1024];
    size_t used = 0;

    text[0] = '\0';
    for (uint32_t b = first; b < first + n; b++) {
        const struct annotation_block *block = &a->blocks[b];

        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s:", b > first ? "; " : "",
                                 block->file == CPROF_NONE ? "?" : a->profile->files[block->file]);
        for (uint32_t i = block->first; i < block->first + block->n; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, " %u=%lld", a->lines[i].line,
                                     (long long)a->lines[i].counts[0]);
    }
    return text;
}

static const char *regions_of(const struct annotation *a, const struct column *measure,
                              double threshold, unsigned context, size_t limit)
{
    static char text[1024];
    struct annotation_view view = {
        .measure = measure, .threshold = threshold, .context = context, .limit = limit};
    struct annotation_region *regions;
    size_t n_all, n = annotation_regions(a, &view, &regions, &n_all), used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < n; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%u:%u-%u=%lld ", regions[i].block,
                             regions[i].first, regions[i].last, (long long)regions[i].value);
    snprintf(text + used, sizeof text - used, "of %zu", n_all);
    free(regions);
    return text;
}

static void test_function(void)
{
    struct builder *b = begin(CPROF_FORMAT_CALLGRIND);
    uint32_t f = function_in(b, "f", "/a.c", 3), g = function_in(b, "g", "/a.c", 90);
    struct cprof_profile *p;
    struct columns columns;
    struct annotation a;
    bool functions[2] = {false}, *files;

    put(b, CPROF_NONE, f, "/a.c", 10, 0x10, 40);
    put(b, CPROF_NONE, f, "/a.c", 10, 0x14, 2);
    put(b, CPROF_NONE, f, "/a.c", 0, 0x18, 3);
    put(b, CPROF_NONE, f, "/a.c", 17, 0x1c, 5);
    put(b, CPROF_NONE, f, "/a.c", 18, 0x1d, 1);
    put(b, CPROF_NONE, f, "/h.h", 2, 0x20, 60);
    put(b, CPROF_NONE, f, NULL, 7, 0x24, 4);
    put(b, CPROF_NONE, g, "/a.c", 91, 0x90, 100);
    p = builder_finish(b);
    columns_load(&columns, events_of(p));
    functions[f] = true;
    annotation_load(&a, p, &(struct annotation_subject){.functions = functions, .inlined = true},
                    columns.items);
    is_text(blocks_of(&a, 0, a.n_blocks), "/h.h: 2=60; /a.c: 0=3 10=42 17=5 18=1; ?: 0=4",
            "a function's lines, file by file, the costliest first");
    is_number(a.own[0], 115, "their sum is the function's cost");
    is_text(regions_of(&a, columns.items, 1, 2, 0), "0:1-4=60 1:8-12=42 1:15-19=6 of 3",
            "regions with context");
    is_text(regions_of(&a, columns.items, 1, 3, 0), "0:1-5=60 1:7-20=48 of 2",
            "regions that touch are one");
    is_text(regions_of(&a, columns.items, 5, 0, 0), "0:2-2=60 1:10-10=42 of 2", "a threshold");
    is_text(regions_of(&a, columns.items, 0, 0, 0), "0:2-2=60 1:10-10=42 1:17-18=6 of 3",
            "without one");
    is_text(regions_of(&a, columns.items, 0, 0, 2), "0:2-2=60 1:10-10=42 of 3", "the costliest");
    is_text(regions_of(&a, columns.items, 0, UINT32_MAX, 0),
            "0:1-4294967295=60 1:1-4294967295=48 of 2", "a region has as much context as there is");
    annotation_free(&a);
    is_number((long long)annotation_files(p, "a.c", NULL, &files), 1, "a file by its path's end");
    annotation_load(&a, p, &(struct annotation_subject){.files = files}, columns.items);
    is_text(blocks_of(&a, 0, a.n_blocks), "/a.c: 0=3 10=42 17=5 18=1 91=100",
            "a file's lines, of all functions");
    annotation_free(&a);
    free(files);
    is_number((long long)annotation_files(p, ".c", NULL, &files), 0,
              "a part of a file's name finds no file");
    free(files);
    annotation_load(&a, p, &(struct annotation_subject){.functions = NULL}, columns.items);
    is_number(a.own[0], 215, "the program's lines are all there is");
    annotation_free(&a);
    functions[f] = false;
    annotation_load(&a, p, &(struct annotation_subject){.functions = functions, .inlined = true},
                    columns.items);
    ok(a.n_blocks == 0 && a.own[0] == 0, "a subject without costs");
    is_text(regions_of(&a, columns.items, 0, 3, 0), "of 0",
            "a subject without costs has no regions");
    annotation_free(&a);
    columns_free(&columns);
    cprof_free(p);
}

/* Costs that are spread out: something is shown all the same. */
static void test_spread(void)
{
    struct builder *b = begin(CPROF_FORMAT_CALLGRIND);
    uint32_t f = function_in(b, "f", "/a.c", 3);
    struct cprof_profile *p;
    struct columns columns;
    struct annotation a;
    struct annotation_view view;

    for (uint32_t i = 1; i <= 300; i++)
        put(b, CPROF_NONE, f, "/a.c", 10 * i, 0x10 * i, 1000 + i);
    p = builder_finish(b);
    columns_load(&columns, events_of(p));
    annotation_load(&a, p, &(struct annotation_subject){.functions = NULL}, columns.items);
    view = (struct annotation_view){.measure = columns.items, .threshold = 1};
    is_text(regions_of(&a, columns.items, 1, 0, 0), "of 0", "no line has one percent");
    ok(annotation_lower_threshold(&a, &view), "the threshold is lowered");
    is_text(regions_of(&a, columns.items, view.threshold, 0, 2),
            "0:2990-2990=1299 0:3000-3000=1300 of 10", "to the ten costliest");
    view.threshold = 0.1;
    ok(!annotation_lower_threshold(&a, &view) && view.threshold == 0.1,
       "where lines reach it, it stays");
    annotation_free(&a);
    columns_free(&columns);
    cprof_free(p);
}

/* cachegrind books inlined code to a "function" of its own per file. */
static void test_cachegrind(void)
{
    struct builder *b = begin(CPROF_FORMAT_CACHEGRIND);
    uint32_t f = builder_function(b, "f", NULL, CPROF_NONE, builder_file(b, "/a.c"), 0);
    uint32_t h = builder_function(b, "f", NULL, CPROF_NONE, builder_file(b, "/h.h"), 0);
    uint32_t g = builder_function(b, "g", NULL, CPROF_NONE, builder_file(b, "/a.c"), 0);
    struct cprof_profile *p;
    struct columns columns;
    struct annotation a;
    struct row row = {.function = f};
    bool *functions;

    put(b, CPROF_NONE, f, "/a.c", 10, 0, 40);
    put(b, CPROF_NONE, h, "/h.h", 2, 0, 60);
    put(b, CPROF_NONE, g, "/a.c", 20, 0, 7);
    p = builder_finish(b);
    columns_load(&columns, events_of(p));
    functions = annotation_functions(p, &row);
    annotation_load(&a, p, &(struct annotation_subject){.functions = functions}, columns.items);
    is_text(blocks_of(&a, 0, a.n_blocks), "/h.h: 2=60; /a.c: 10=40", "all parts of a function");
    annotation_free(&a);
    free(functions);
    columns_free(&columns);
    cprof_free(p);
}

static uint32_t context_of(struct builder *b, uint32_t parent, uint32_t function, const char *file,
                           uint32_t line, bool inlined)
{
    struct cprof_context c = {.parent = parent,
                              .function = function,
                              .site_file = file ? builder_file(b, file) : CPROF_NONE,
                              .site_line = line,
                              .site = inlined ? 0 : 1,
                              .calls = !inlined,
                              .inlined = inlined};

    return builder_context(b, &c);
}

/* f, called from two places, has next() inlined at line 12, and in that add() at line 5; add() also
 * at line 14. g() is called. */
static void test_inlined(void)
{
    struct builder *b = begin(CPROF_FORMAT_RAW);
    uint32_t main_ = function_in(b, "main", "/a.c", 1), f = function_in(b, "f", "/a.c", 10);
    uint32_t next = function_in(b, "next", "/i.h", 4), add = function_in(b, "add", "/m.h", 1);
    uint32_t g = function_in(b, "g", "/a.c", 30),
             root = context_of(b, CPROF_NONE, main_, NULL, 0, false);
    struct cprof_profile *p;
    struct columns columns;
    struct annotation a;
    const struct annotation_call *call;
    bool functions[5] = {false};
    int64_t sum;

    for (uint32_t i = 0; i < 2; i++) {
        uint32_t inside = context_of(b, root, f, "/a.c", 3 + i, false), deeper;

        put(b, inside, f, "/a.c", 11, 0x10, 10);
        put(b, context_of(b, inside, g, "/a.c", 13, false), g, "/a.c", 31, 0x80, 1000);
        deeper = context_of(b, inside, next, "/a.c", 12, true);
        put(b, deeper, next, "/i.h", 5, 0x14, 20);
        put(b, context_of(b, deeper, add, "/i.h", 5, true), add, "/m.h", 2, 0x18, 4);
        put(b, context_of(b, inside, add, "/a.c", 14, true), add, "/m.h", 2, 0x1c, 7);
        /* A function that is inlined in itself: its cost is its own. */
        put(b, context_of(b, deeper, f, "/i.h", 6, true), f, "/a.c", 11, 0x20, 1);
    }
    p = builder_finish(b);
    columns_load(&columns, events_of(p));
    functions[f] = true;
    annotation_load(&a, p, &(struct annotation_subject){.functions = functions}, columns.items);
    is_text(blocks_of(&a, 0, a.n_blocks), "/a.c: 11=22", "own code only");
    ok(a.inlined[0] == 62 && a.n_calls == 0, "own code only: how much is inlined is known");
    annotation_free(&a);
    annotation_load(&a, p, &(struct annotation_subject){.functions = functions, .inlined = true},
                    columns.items);
    is_text(blocks_of(&a, 0, a.n_blocks), "/a.c: 11=22 12=0 14=0", "lines that call inlined code");
    ok(a.own[0] == 22 && a.inlined[0] == 62, "own and inlined cost are apart");
    is_number(a.n_calls, 3, "one call for each site, whoever called the function");
    call = &a.calls[a.lines[a.blocks[0].first + 1].first_call];
    ok(call->function == next && call->counts[0] == 48 && call->next == CPROF_NONE,
       "a call has what is inlined in it");
    is_text(blocks_of(&a, call->first_block, call->n_blocks), "/i.h: 5=40",
            "a call has the own lines of what it leads to");
    call = &a.calls[a.lines[a.blocks[call->first_block].first].first_call];
    ok(call->function == add && call->counts[0] == 8, "inlined code has calls below it");
    call = &a.calls[a.lines[a.blocks[0].first + 2].first_call];
    ok(call->function == add && call->counts[0] == 14, "a call of one function at another line");
    annotation_line_sum(&a, a.blocks[0].first + 1, &sum);
    is_number(sum, 48, "what a line stands for");
    is_text(regions_of(&a, columns.items, 50, 0, 0), "0:12-12=48 of 1",
            "a line is shown for what was inlined there");
    annotation_free(&a);
    columns_free(&columns);
    cprof_free(p);
}

/* "FILE: LINE=OWN/WITH ...; FILE: ... = OWN/WITH" of the subject's own blocks, lines and the
 * subject with callees. */
static const char *callees_of(const struct annotation *a)
{
    static char text[1024];
    size_t used = 0;

    text[0] = '\0';
    for (uint32_t b = 0; b < a->n_blocks; b++) {
        const struct annotation_block *block = &a->blocks[b];

        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %lld/%lld:", b ? "; " : "",
                                 block->file == CPROF_NONE ? "?" : a->profile->files[block->file],
                                 (long long)block->counts[0], (long long)block->counts[1]);
        for (uint32_t i = block->first; i < block->first + block->n; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, " %u=%lld/%lld",
                                     a->lines[i].line, (long long)a->lines[i].counts[0],
                                     (long long)a->lines[i].counts[1]);
    }
    snprintf(text + used, sizeof text - used, "; all %lld/%lld", (long long)a->own[0],
             (long long)a->own[1]);
    return text;
}

/* "LINE=CHARGED ..." of the lines that are charged most. */
static const char *costliest_of(const struct annotation *a, size_t max)
{
    static char text[256];
    uint32_t lines[8];
    size_t n = annotation_costliest(a, lines, max), used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u=%lld", i ? " " : "",
                                 a->lines[lines[i]].line, (long long)a->charged[lines[i]]);
    return text;
}

static void load_callees(struct annotation *a, const struct cprof_profile *p, const bool *functions,
                         const bool *files, const bool *focus, bool inlined)
{
    struct columns columns;

    columns_load(&columns, events_of(p));
    annotation_load(a, p,
                    &(struct annotation_subject){.functions = functions,
                                                 .files = files,
                                                 .inlined = inlined,
                                                 .callees = true,
                                                 .focus = focus},
                    columns.items);
    columns_free(&columns);
}

static void call(struct builder *b, uint32_t caller, uint32_t callee, uint32_t line, bool inlined,
                 int64_t ir)
{
    struct cprof_call c = {.caller = caller,
                           .callee = callee,
                           .file = builder_file(b, "/a.c"),
                           .line = line,
                           .inlined = inlined,
                           .count = !inlined};

    builder_call(b, &c, &ir);
}

/* f calls g, which is at no line of f's, and next() is inlined, which has f inlined again. */
static void test_callees(void)
{
    struct builder *b = begin(CPROF_FORMAT_RAW);
    uint32_t main_ = function_in(b, "main", "/a.c", 1), f = function_in(b, "f", "/a.c", 10);
    uint32_t next = function_in(b, "next", "/i.h", 4), g = function_in(b, "g", "/b.c", 30);
    uint32_t root = context_of(b, CPROF_NONE, main_, NULL, 0, false);
    struct cprof_profile *p;
    struct annotation a;
    bool functions[4] = {false}, *focus;
    const struct annotation_call *inlined;

    put(b, root, main_, "/a.c", 2, 0x1, 5);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t inside = context_of(b, root, f, "/a.c", 3, false), deeper, jumped;

        put(b, inside, f, "/a.c", 11, 0x10, 10);
        put(b, context_of(b, inside, g, "/a.c", 13, false), g, "/b.c", 31, 0x80, 1000);
        jumped = context_of(b, inside, g, NULL, 0, false);
        put(b, jumped, g, "/b.c", 31, 0x80, 300);
        deeper = context_of(b, inside, next, "/a.c", 12, true);
        put(b, deeper, next, "/i.h", 5, 0x14, 20);
        put(b, context_of(b, deeper, g, "/i.h", 6, false), g, "/b.c", 31, 0x80, 4);
        put(b, context_of(b, deeper, f, "/i.h", 7, true), f, "/a.c", 11, 0x20, 1);
    }
    p = builder_finish(b);
    functions[f] = true;
    load_callees(&a, p, functions, NULL, NULL, false);
    is_text(callees_of(&a),
            "/a.c 22/2070: 11=22/22 12=0/50 13=0/2000; ? 0/600: 0=0/600; all 22/2670",
            "lines with what they called; a jump is at no line");
    is_text(costliest_of(&a, 2), "13=2000 12=48",
            "what is charged to lines; the function's line within its line is not twice");
    ok(a.callees == CALLEES_ALL && !a.recursive && !a.least, "all is known");
    annotation_free(&a);
    load_callees(&a, p, functions, NULL, NULL, true);
    is_text(callees_of(&a),
            "/a.c 22/2070: 11=22/22 12=0/50 13=0/2000; ? 0/600: 0=0/600; all 22/2670",
            "what is charged to lines is known where inlined calls are found");
    inlined = &a.calls[a.lines[a.blocks[0].first + 1].first_call];
    ok(inlined->counts[0] == 40 && inlined->counts[1] == 50,
       "an inlined call has what was inlined, and what that called");
    is_number(a.lines[a.blocks[inlined->first_block].first + 1].counts[1], 8,
              "lines of an inlined call have what was inlined");
    annotation_free(&a);
    is_number((long long)annotation_files(p, "a.c", NULL, &focus), 1, "the own file");
    load_callees(&a, p, NULL, NULL, focus, false);
    is_text(
        callees_of(&a),
        "/a.c 27/2675: 2=5/5 3=0/2670 11=22/22 12=0/50 13=0/2000; /b.c 2608/2608: 31=2608/2608; "
        "/i.h 40/50: 5=40/40 6=0/8 7=0/2; all 2675/2675",
        "a program: own files first, the others by their own cost");
    is_text(costliest_of(&a, 3), "13=2000 3=600 12=48",
            "lines in focus are charged with what is out of it");
    annotation_free(&a);
    load_callees(&a, p, NULL, focus, NULL, false);
    is_text(callees_of(&a), "/a.c 27/2675: 2=5/5 3=0/2670 11=22/22 12=0/50 13=0/2000; all 27/2675",
            "a file");
    annotation_free(&a);
    free(focus);
    cprof_free(p);
}

/* f calls itself and, by g, f again; a closure is at the line that it is called from. */
static void test_recursion(void)
{
    struct builder *b = begin(CPROF_FORMAT_RAW);
    uint32_t main_ = function_in(b, "main", "/a.c", 1), f = function_in(b, "f", "/a.c", 10);
    uint32_t g = function_in(b, "g", "/a.c", 20), map = function_in(b, "map", "/m.h", 1);
    uint32_t closure = function_in(b, "closure", "/a.c", 12);
    uint32_t root = context_of(b, CPROF_NONE, main_, NULL, 0, false);
    uint32_t outer = context_of(b, root, f, "/a.c", 3, false);
    uint32_t between = context_of(b, outer, g, "/a.c", 13, false);
    uint32_t mapped = context_of(b, outer, map, "/a.c", 12, false);
    uint32_t inner = context_of(b, mapped, closure, "/m.h", 2, false);
    struct cprof_profile *p;
    struct annotation a;
    bool functions[5] = {false}, *files;

    put(b, outer, f, "/a.c", 11, 0x10, 100);
    put(b, outer, f, "/a.c", 13, 0x11, 7);
    put(b, between, g, "/a.c", 21, 0x20, 30);
    put(b, mapped, map, "/m.h", 2, 0x30, 9);
    put(b, inner, closure, "/a.c", 12, 0x40, 50);
    call(b, main_, f, 3, false, 196);
    call(b, f, f, 11, false, 90);
    call(b, f, g, 13, false, 120);
    call(b, g, f, 22, false, 90);
    p = builder_finish(b);
    functions[f] = true;
    load_callees(&a, p, functions, NULL, NULL, false);
    is_text(callees_of(&a), "/a.c 107/196: 11=100/100 12=0/59 13=7/37; all 107/196",
            "recursive calls are where their cost was spent: lines add up to the function");
    ok(a.recursive, "recursive calls are told");
    annotation_free(&a);
    is_number((long long)annotation_files(p, "a.c", NULL, &files), 1, "their file");
    load_callees(&a, p, NULL, files, NULL, false);
    is_text(callees_of(&a),
            "/a.c 187/196: 3=0/196 11=100/100 12=50/59 13=7/37 21=30/30; all 187/196",
            "a line that is active twice counts once");
    is_text(costliest_of(&a, 5), "11=100 12=59 21=30 13=7", "charged costs never overlap");
    annotation_free(&a);
    free(files);
    cprof_free(p);
}

/* Profiles without paths: calls, or inlined code alone, or nothing. */
static void test_edges(void)
{
    struct builder *b = begin(CPROF_FORMAT_CALLGRIND);
    uint32_t f = function_in(b, "f", "/a.c", 10), g = function_in(b, "g", "/a.c", 20);
    uint32_t h = function_in(b, "h", "/a.c", 30);
    struct cprof_profile *p;
    struct annotation a;
    bool functions[3] = {false}, *files;

    put(b, CPROF_NONE, f, "/a.c", 11, 0x10, 100);
    put(b, CPROF_NONE, g, "/a.c", 11, 0x20, 50);
    put(b, CPROF_NONE, g, "/a.c", 21, 0x21, 5);
    put(b, CPROF_NONE, h, "/a.c", 31, 0x30, 400);
    call(b, f, f, 12, false, 80);
    call(b, f, g, 11, false, 455);
    call(b, g, h, 21, false, 400);
    p = builder_finish(b);
    functions[f] = true;
    load_callees(&a, p, functions, NULL, NULL, false);
    is_text(callees_of(&a), "/a.c 100/555: 11=100/555 12=0/0; all 100/555", "calls tell the rest");
    ok(a.recursive && !a.least, "calls tell the rest but for recursive ones");
    is_text(costliest_of(&a, 2), "11=555", "the line to look at");
    annotation_free(&a);
    is_number((long long)annotation_files(p, "a.c", NULL, &files), 1, "the file of all functions");
    load_callees(&a, p, NULL, files, NULL, false);
    is_text(callees_of(&a), "/a.c 555/555: 11=150/555 12=0/0 21=5/405 31=400/400; all 555/555",
            "of several functions the highest is certain");
    ok(a.least, "a cost of several functions is a lower bound");
    is_text(costliest_of(&a, 1), "31=400", "charged with their own costs");
    annotation_free(&a);
    free(files);
    cprof_free(p);

    b = begin(CPROF_FORMAT_RAW);
    f = function_in(b, "f", "/a.c", 10);
    g = function_in(b, "g", "/a.c", 20);
    put(b, CPROF_NONE, f, "/a.c", 11, 0x10, 100);
    put(b, CPROF_NONE, g, "/a.c", 21, 0x20, 50);
    call(b, f, g, 12, true, 50);
    p = builder_finish(b);
    load_callees(&a, p, functions, NULL, NULL, false);
    is_text(callees_of(&a), "/a.c 100/150: 11=100/100 12=0/50; all 100/150", "inlined code alone");
    ok(a.callees == CALLEES_INLINED, "inlined code alone is told");
    annotation_free(&a);
    cprof_free(p);

    b = begin(CPROF_FORMAT_CACHEGRIND);
    f = function_in(b, "f", "/a.c", 10);
    put(b, CPROF_NONE, f, "/a.c", 11, 0x10, 100);
    p = builder_finish(b);
    load_callees(&a, p, functions, NULL, NULL, false);
    ok(a.callees == CALLEES_NONE && a.own[1] == 0, "nothing is known of callees");
    is_text(costliest_of(&a, 3), "11=100", "a line is charged with its own cost");
    annotation_free(&a);
    cprof_free(p);
}

int main(void)
{
    test_function();
    test_spread();
    test_cachegrind();
    test_inlined();
    test_callees();
    test_recursion();
    test_edges();
    return tap_done();
}
