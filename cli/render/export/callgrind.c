#include <config.h>

/* The formats of callgrind's and of cachegrind's output. */
#include "base/array.h"
#include "base/clean.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "calls/graph.h"
#include "render/export/export.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*--- Lines of both formats ---*/

/* The name of a file; "???" for none. */
static const char *valgrind_file_name(const struct cprof_profile *profile, uint32_t file)
{
    return file == CPROF_NONE || !profile->files[file][0] ? "???" : profile->files[file];
}

/* Writes a clean name, "???" for an empty one: a control character would end the line. */
static void valgrind_put_name(FILE *out, const char *name)
{
    char *shown = text_shown(*name ? name : "???");

    fputs(shown, out);
    free(shown);
}

/* Writes the line "events: NAME...". */
static void valgrind_put_events(FILE *out, const struct cprof_profile *profile)
{
    fputs("events:", out);
    for (uint32_t i = 0; i < profile->n_events; i++) {
        fputc(' ', out);
        valgrind_put_name(out, profile->events[i].name);
    }
    fputc('\n', out);
}

/* Writes all counts, a blank before each: " 1 2 3". */
static void valgrind_put_counts(FILE *out, const int64_t *counts, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, " %lld", (long long)counts[i]);
}

char *export_command(const struct cprof_profile *profile)
{
    struct strbuf text = {.text = NULL};

    if (!profile->n_arguments)
        return xstrdup(profile->command   ? profile->command
                       : profile->program ? profile->program
                                          : "???");
    for (uint32_t i = 0; i < profile->n_arguments; i++) {
        if (i)
            strbuf_add_char(&text, ' ');
        strbuf_add(&text, *profile->arguments[i] ? profile->arguments[i] : "''");
    }
    return strbuf_take(&text);
}

/* Writes the command line within a line; "???" where it is not known. */
static void valgrind_put_command(FILE *out, const struct cprof_profile *profile)
{
    char *text = export_command(profile);

    valgrind_put_name(out, text);
    free(text);
}

/* Writes a line for each cache: "desc: I1 cache: 32768 B, 64 B, 8-way associative". */
static void valgrind_put_caches(FILE *out, const struct cprof_profile *profile, const char *blanks)
{
    for (uint32_t i = 0; i < profile->n_caches; i++) {
        const struct cprof_cache *c = &profile->caches[i];

        fputs("desc: ", out);
        valgrind_put_name(out, c->name);
        fprintf(out, " cache:%s", blanks);
        if (!c->size)
            valgrind_put_name(out, c->text ? c->text : "???");
        else
            fprintf(out, "%llu B, %llu B, ", (unsigned long long)c->size,
                    (unsigned long long)c->line_size);
        if (c->size && c->ways == 1)
            fputs("direct-mapped", out);
        else if (c->size)
            fprintf(out, "%llu-way associative", (unsigned long long)c->ways);
        fputc('\n', out);
    }
}

/*--- Costs by line: records without addresses, in the order of a file ---*/

/* A cost record of the profile, and the keys of its group; `counts` are n_events, in an array of
 * the list. */
struct record_line {
    uint32_t function; /* index in the profile */
    uint32_t file;     /* the line's file; CPROF_NONE: not known */
    uint32_t line;
    const int64_t *counts;
};

struct record_lines {
    size_t n;
    struct record_line *items;
    int64_t *counts;
};

static int compare_number(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int by_function(const void *a, const void *b, void *profile)
{
    const struct record_line *x = a, *y = b;
    int order = compare_number(x->function, y->function);

    (void)profile;
    if (!order)
        order = compare_number(x->file, y->file);
    return order ? order : compare_number(x->line, y->line);
}

/* As cachegrind sorts lines; functions of one name and file are one. */
static int by_file(const void *a, const void *b, void *profile)
{
    const struct cprof_profile *p = profile;
    const struct record_line *x = a, *y = b;
    int order = strcmp(valgrind_file_name(p, x->file), valgrind_file_name(p, y->file));

    if (!order)
        order = strcmp(p->functions[x->function].name, p->functions[y->function].name);
    return order ? order : compare_number(x->line, y->line);
}

/* Sums up the costs that are equal by `compare`: records may differ in their address. */
static void record_lines_load(struct record_lines *lines, const struct cprof_profile *p,
                              int (*compare)(const void *, const void *, void *))
{
    size_t kept = 0;

    lines->n = p->n_costs;
    lines->items = xreallocarray(NULL, lines->n, sizeof *lines->items);
    lines->counts = xcalloc(lines->n * p->n_events, sizeof *lines->counts);
    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];

        lines->items[i] =
            (struct record_line){c->function, c->file, c->line, cprof_cost_values(p, i)};
    }
    if (lines->n)
        qsort_r(lines->items, lines->n, sizeof *lines->items, compare, (void *)p);
    for (size_t i = 0; i < lines->n; i++) {
        bool same = kept && compare(&lines->items[kept - 1], &lines->items[i], (void *)p) == 0;
        int64_t *sums = lines->counts + (same ? kept - 1 : kept) * p->n_events;

        counts_add(sums, lines->items[i].counts, p->n_events);
        if (!same) {
            lines->items[kept] = lines->items[i];
            lines->items[kept++].counts = sums;
        }
    }
    lines->n = kept;
}

static void record_lines_free(struct record_lines *lines)
{
    free(lines->items);
    free(lines->counts);
    *lines = (struct record_lines){.n = 0};
}

/*--- The format of cachegrind ---*/

/* cg_annotate reads desc lines, then exactly one cmd line, then the events, and nothing between
 * them. */
static void put_header(const struct cprof_profile *p, FILE *out)
{
    valgrind_put_caches(out, p, "         ");
    fputs("cmd: ", out);
    valgrind_put_command(out, p);
    fputc('\n', out);
    valgrind_put_events(out, p);
}

int export_cachegrind(const struct cprof_profile *p, FILE *out)
{
    struct record_lines lines;
    const char *file = NULL, *name = NULL;

    record_lines_load(&lines, p, by_file);
    put_header(p, out);
    for (size_t i = 0; i < lines.n; i++) {
        const struct record_line *l = &lines.items[i];
        const char *its_file = valgrind_file_name(p, l->file),
                   *its_name = p->functions[l->function].name;
        bool new_file = !file || strcmp(file, its_file) != 0;

        if (new_file) {
            fputs("fl=", out);
            valgrind_put_name(out, its_file);
            fputc('\n', out);
        }
        if (new_file || strcmp(name, its_name) != 0) {
            fputs("fn=", out);
            valgrind_put_name(out, its_name);
            fputc('\n', out);
        }
        file = its_file;
        name = its_name;
        fprintf(out, "%u", (unsigned)l->line);
        valgrind_put_counts(out, l->counts, p->n_events);
        fputc('\n', out);
    }
    fputs("summary:", out);
    valgrind_put_counts(out, p->totals, p->n_events);
    fputc('\n', out);
    record_lines_free(&lines);
    return ferror(out) ? -1 : 0;
}

/*--- The format of callgrind ---*/

/*
 * A space of numbered names: the format knows three (objects, files, functions). A name's number is
 * its index in the profile plus one; it is spelled out where it is first used. Index n stands for
 * the name that is not known.
 */
struct space {
    uint32_t n;
    bool *written;
};

struct writer {
    const struct cprof_profile *profile;
    FILE *out;
    struct space objects, files, functions;
    uint32_t *own;         /* the own file of each function: readers tell functions apart by it */
    uint32_t object, file; /* the current ones of a reader */
};

static struct space new_space(uint32_t n)
{
    return (struct space){n, xcalloc((size_t)n + 1, sizeof(bool))};
}

/* Writes "KEY(NUMBER) NAME", the name at its first use only. */
static void put_ref(struct writer *w, struct space *space, const char *key, uint32_t index,
                    const char *name)
{
    if (index > space->n)
        index = space->n;
    fprintf(w->out, "%s(%u)", key, (unsigned)index + 1);
    if (!space->written[index]) {
        fputc(' ', w->out);
        valgrind_put_name(w->out, name);
        space->written[index] = true;
    }
    fputc('\n', w->out);
}

static void put_object(struct writer *w, const char *key, uint32_t object)
{
    put_ref(w, &w->objects, key, object,
            object == CPROF_NONE ? "???" : w->profile->objects[object].path);
}

static void put_file(struct writer *w, const char *key, uint32_t file)
{
    put_ref(w, &w->files, key, file, valgrind_file_name(w->profile, file));
}

static void put_function(struct writer *w, const char *key, uint32_t function)
{
    put_ref(w, &w->functions, key, function, w->profile->functions[function].name);
}

static void callgrind_put_header(struct writer *w)
{
    const struct cprof_profile *p = w->profile;

    fputs("# callgrind format\nversion: 1\ncreator: ", w->out);
    valgrind_put_name(w->out, PACKAGE_NAME "-" PACKAGE_VERSION);
    fputc('\n', w->out);
    if (p->pid >= 0)
        fprintf(w->out, "pid: %ld\n", p->pid);
    fputs("cmd: ", w->out);
    valgrind_put_command(w->out, p);
    fputs("\npart: 1\n\n", w->out);
    valgrind_put_caches(w->out, p, " ");
    if (p->sampled) /* readers take calls=0 for other things */
        fputs("desc: Calls: not known of samples; 1 stands for any number of them\n", w->out);
    fputs("\npositions: line\n", w->out);
    valgrind_put_events(w->out, p);
    fputs("summary:", w->out);
    valgrind_put_counts(w->out, p->totals, p->n_events);
    fputs("\n\n", w->out);
}

/* A function's own file is where it is defined, or where its first line is. */
static uint32_t *own_files(const struct cprof_profile *p, const struct record_lines *lines)
{
    uint32_t *own = xreallocarray(NULL, p->n_functions, sizeof *own);

    for (uint32_t i = 0; i < p->n_functions; i++)
        own[i] = p->functions[i].file;
    for (size_t i = lines->n; i-- > 0;) {
        uint32_t function = lines->items[i].function;

        if (p->functions[function].file == CPROF_NONE)
            own[function] = lines->items[i].file;
    }
    return own;
}

/* Moves to a line of the current function: fi= where code of another file was inlined, fe= back in
 * its own. */
static void move_to_file(struct writer *w, uint32_t file, uint32_t own)
{
    if (file == w->file)
        return;
    put_file(w, file == own ? "fe=" : "fi=", file);
    w->file = file;
}

static void begin_function(struct writer *w, uint32_t function)
{
    uint32_t object = w->profile->functions[function].object;

    fputc('\n', w->out);
    if (object != w->object)
        put_object(w, "ob=", object);
    put_file(w, "fl=", w->own[function]);
    put_function(w, "fn=", function);
    w->object = object;
    w->file = w->own[function];
}

/* Writes a call with its costs. Code that runs on into another function, and calls that began
 * before the counting did, are no calls and have costs. callgrind_annotate takes the costs of 0
 * calls for the function's own, so they are written as one call. */
static void put_call(struct writer *w, const struct cprof_call *c, const int64_t *costs)
{
    const struct cprof_profile *p = w->profile;
    const struct cprof_function *callee = &p->functions[c->callee];

    if (!c->count && !counts_any(costs, p->n_events))
        return;
    move_to_file(w, c->file, w->own[c->caller]);
    if (callee->object != w->object)
        put_object(w, "cob=", callee->object);
    put_file(w, "cfi=", w->own[c->callee]);
    put_function(w, "cfn=", c->callee);
    fprintf(w->out, "calls=%llu %u\n%u", (unsigned long long)(c->count ? c->count : 1),
            (unsigned)callee->line, (unsigned)c->line);
    valgrind_put_counts(w->out, costs, p->n_events);
    fputc('\n', w->out);
}

/* Writes all functions with costs or calls, in the order of the profile; both lists are sorted by
 * function. */
static void put_functions(struct writer *w, const struct record_lines *lines)
{
    const struct cprof_profile *p = w->profile;
    size_t line = 0;
    uint32_t call = 0;

    for (uint32_t f = 0; f < p->n_functions; f++) {
        bool has_lines = line < lines->n && lines->items[line].function == f;
        bool has_calls = call < p->n_calls && p->calls[call].caller == f;

        if (!has_lines && !has_calls)
            continue;
        begin_function(w, f);
        for (; line < lines->n && lines->items[line].function == f; line++) {
            move_to_file(w, lines->items[line].file, w->own[f]);
            fprintf(w->out, "%u", (unsigned)lines->items[line].line);
            valgrind_put_counts(w->out, lines->items[line].counts, p->n_events);
            fputc('\n', w->out);
        }
        for (; call < p->n_calls && p->calls[call].caller == f; call++)
            put_call(w, &p->calls[call], cprof_call_values(p, call));
    }
}

/* A context that a thread or a signal handler begins with, to which no call led, and its inclusive
 * costs. */
struct entry {
    uint32_t context;
    uint32_t above; /* the entry above it; CPROF_NONE: none */
    int64_t *costs;
};

struct entries {
    struct entry *items;
    uint32_t n, room;
    uint32_t *of_context; /* of each context: its entry, or the one above it */
};

static bool is_entry(const struct cprof_profile *p, uint32_t context)
{
    uint32_t parent = p->contexts[context].parent;

    return parent != CPROF_NONE &&
           p->functions[p->contexts[parent].function].object == CPROF_NONE &&
           p->functions[p->contexts[context].function].object != CPROF_NONE &&
           !graph_is_overflow(p, parent);
}

static void find_entries(struct entries *e, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        uint32_t parent = p->contexts[i].parent;

        e->of_context[i] = parent == CPROF_NONE ? CPROF_NONE : e->of_context[parent];
        if (!is_entry(p, i))
            continue;
        GROW(e->items, e->n, e->room);
        e->items[e->n] = (struct entry){i, e->of_context[i], xcalloc(p->n_events, sizeof(int64_t))};
        e->of_context[i] = e->n++;
    }
}

static void add_costs(struct entries *e, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        for (uint32_t k = c->first_cost;
             e->of_context[i] != CPROF_NONE && k < c->first_cost + c->n_costs; k++)
            counts_add(e->items[e->of_context[i]].costs, cprof_context_values(p, k), p->n_events);
    }
    for (uint32_t i = e->n; i-- > 0;)
        if (e->items[i].above != CPROF_NONE)
            counts_add(e->items[e->items[i].above].costs, e->items[i].costs, p->n_events);
}

/* The calls that led to each entry, in an array. A context that was called was entered once at
 * least; who entered a function more often is taken to be the first. */
static int64_t *entry_calls(const struct entries *e, const struct cprof_profile *p)
{
    int64_t *left = graph_entries(p), *calls = xcalloc(e->n, sizeof *calls);

    for (uint32_t i = 0; i < e->n; i++) {
        const struct cprof_context *c = &p->contexts[e->items[i].context];

        calls[i] = c->calls > 0 && left[c->function] > 0;
        left[c->function] -= calls[i];
    }
    for (uint32_t i = 0; i < e->n; i++) {
        const struct cprof_context *c = &p->contexts[e->items[i].context];
        int64_t more = calls_count(c->calls) - calls[i];

        more = more < left[c->function] ? more : left[c->function];
        left[c->function] -= more;
        calls[i] += more;
    }
    free(left);
    return calls;
}

/*
 * Writes threads and signals as callers. Readers take the costs of a function's calls for its
 * inclusive cost: a function that a thread begins with and that is called as well, such as clone,
 * would lack its cost there.
 */
static void put_entries(struct writer *w)
{
    const struct cprof_profile *p = w->profile;
    struct entries e = {.of_context = xreallocarray(NULL, p->n_contexts, sizeof *e.of_context)};
    uint32_t current = CPROF_NONE;
    int64_t *calls;

    find_entries(&e, p);
    add_costs(&e, p);
    calls = entry_calls(&e, p);
    for (uint32_t i = 0; i < e.n; i++) {
        const struct cprof_context *c = &p->contexts[e.items[i].context];
        struct cprof_call call = {.caller = p->contexts[c->parent].function,
                                  .callee = c->function,
                                  .file = CPROF_NONE,
                                  .count = (uint64_t)calls[i]};

        if (call.caller != current)
            begin_function(w, call.caller);
        current = call.caller;
        put_call(w, &call, e.items[i].costs);
        free(e.items[i].costs);
    }
    free(e.items);
    free(e.of_context);
    free(calls);
}

int export_callgrind(const struct cprof_profile *profile, FILE *out)
{
    struct writer w = {.profile = profile, .out = out, .object = CPROF_NONE - 1};
    struct record_lines lines;

    w.objects = new_space(profile->n_objects);
    w.files = new_space(profile->n_files);
    w.functions = new_space(profile->n_functions);
    record_lines_load(&lines, profile, by_function);
    w.own = own_files(profile, &lines);
    callgrind_put_header(&w);
    put_functions(&w, &lines);
    put_entries(&w);
    fputs("\ntotals:", out);
    valgrind_put_counts(out, profile->totals, profile->n_events);
    fputc('\n', out);
    record_lines_free(&lines);
    free(w.own);
    free(w.objects.written);
    free(w.files.written);
    free(w.functions.written);
    return ferror(out) ? -1 : 0;
}
