/*
 * Exports the profile in a file as KIND ("callgrind", "cachegrind", "folded", "speedscope",
 * "pprof", "dot", "firefox") for shell tests: render-export KIND IN OUT. IN may be "newline", a
 * made-up profile whose function has a newline in its name, or "inlined", one with inlined frames.
 */
#include <config.h>

#include "cprof_internal.h"
#include "render/export/export.h"
#include "resolve/resolve.h"

#include <stdio.h>
#include <string.h>

static struct cprof_profile *make_newline(struct cprof_error *error)
{
    struct builder *b = builder_new(error);
    int64_t one = 1;
    struct cprof_cost cost = {0, CPROF_NONE, 1, 0};

    builder_event(b, "Ir");
    cost.function = builder_function(b, "one\ntwo", NULL, CPROF_NONE, CPROF_NONE, 0);
    builder_cost(b, &cost, &one);
    return builder_finish(b);
}

/* A function that is called, or inlined, at line `site` of its parent, and costs `ir` at `line`. */
static uint32_t put(struct builder *b, uint32_t parent, const char *name, bool inlined,
                    uint32_t site, uint32_t line, int64_t ir)
{
    uint32_t object = builder_object(b, "/bin/prog", "0123abcd"), file = builder_file(b, "/s/a.rs");
    uint32_t function = builder_function(b, name, NULL, object, file, 1);
    struct cprof_context context = {.parent = parent,
                                    .function = function,
                                    .site_file = site ? file : CPROF_NONE,
                                    .site_line = site,
                                    .site = inlined ? 0 : 0x1000 + site,
                                    .calls = !inlined,
                                    .inlined = inlined};
    uint32_t index = builder_context(b, &context);
    struct cprof_cost cost = {function, file, line, 0x1000 + line};

    builder_context_cost(b, index, &cost, &ir);
    return index;
}

/* The cost that `caller` spent in `callee`, which it called once, or which was inlined. */
static void put_call(struct builder *b, uint32_t caller, uint32_t callee, bool inlined, int64_t ir)
{
    struct cprof_call call = {.caller = caller,
                              .callee = callee,
                              .file = CPROF_NONE,
                              .count = !inlined,
                              .inlined = inlined};

    builder_call(b, &call, &ir);
}

/* main calls work, into which each is inlined, and into that step; step calls leaf. */
static struct cprof_profile *make_inlined(struct cprof_error *error)
{
    struct builder *b = builder_new(error);
    static const char *const names[] = {"main", "work", "each", "step", "leaf"};
    uint32_t frame, functions[5];

    builder_header(b)->format = CPROF_FORMAT_RAW;
    builder_header(b)->program = "/bin/prog";
    for (int i = 0; i < 5; i++)
        functions[i] =
            builder_function(b, names[i], NULL, builder_object(b, "/bin/prog", "0123abcd"),
                             builder_file(b, "/s/a.rs"), 1);
    builder_event(b, "Ir");
    frame = put(b, CPROF_NONE, "main", false, 0, 10, 1);
    frame = put(b, frame, "work", false, 11, 20, 2);
    frame = put(b, frame, "each", true, 21, 30, 4);
    frame = put(b, frame, "step", true, 31, 40, 8);
    put(b, frame, "leaf", false, 41, 50, 16);
    put_call(b, functions[0], functions[1], false, 30);
    put_call(b, functions[1], functions[2], true, 28);
    put_call(b, functions[2], functions[3], true, 24);
    put_call(b, functions[3], functions[4], false, 16);
    return builder_finish(b);
}

static const struct kind {
    const char *name;
    int (*of_profile)(const struct cprof_profile *profile, FILE *out);
    int (*of_export)(const struct export *export, FILE *out);
} kinds[] = {
    {"callgrind", export_callgrind, NULL}, {"cachegrind", export_cachegrind, NULL},
    {"folded", NULL, export_folded},       {"speedscope", NULL, export_speedscope},
    {"pprof", NULL, export_pprof},         {"dot", NULL, export_dot},
    {"firefox", NULL, export_firefox},
};

static int export_tree(const struct kind *kind, const struct cprof_profile *p, FILE *out)
{
    struct columns columns;
    struct rows rows;
    struct tree tree;
    struct crates crates;
    struct export export = {.rows = &rows, .tree = &tree, .crates = &crates};
    int status;

    columns_load(&columns, events_of(p));
    rows_load(&rows, p);
    tree_load(&tree, p);
    export.measure = columns.items;
    tree_sort(&tree, export.measure);
    crates_load(&crates, p, NULL, NULL);
    status = kind->of_export(&export, out);
    crates_free(&crates);
    tree_free(&tree);
    rows_free(&rows);
    columns_free(&columns);
    return status;
}

static int export_as(const char *name, const struct cprof_profile *p, FILE *out)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, name))
            return kinds[i].of_profile ? kinds[i].of_profile(p, out)
                                       : export_tree(&kinds[i], p, out);
    return -1;
}

int main(int argc, char **argv)
{
    struct cprof_error error = {.code = CPROF_OK};
    struct cprof_profile *read, *p = NULL;
    FILE *out;
    int status;

    if (argc != 4)
        return 2;
    read = !strcmp(argv[2], "newline")   ? make_newline(&error)
           : !strcmp(argv[2], "inlined") ? make_inlined(&error)
                                         : cprof_load(argv[2], 0, &error);
    if (read)
        p = resolve_profile(read, NULL, NULL, &error);
    cprof_free(read);
    if (!p) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    out = fopen(argv[3], "w");
    status = !out || export_as(argv[1], p, out);
    cprof_free(p);
    return (out && fclose(out) != 0) || status;
}
