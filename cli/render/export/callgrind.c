#include <config.h>

/* The format of callgrind's output. */
#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "calls/graph.h"
#include "render/export/export.h"
#include "render/export/record_lines.h"
#include "render/export/valgrind_format.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

static void put_header(struct writer *w)
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
    uint32_t *of; /* of each context: its entry, or the one above it */
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

        e->of[i] = parent == CPROF_NONE ? CPROF_NONE : e->of[parent];
        if (!is_entry(p, i))
            continue;
        GROW(e->items, e->n, e->room);
        e->items[e->n] = (struct entry){i, e->of[i], xcalloc(p->n_events, sizeof(int64_t))};
        e->of[i] = e->n++;
    }
}

static void add_costs(struct entries *e, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        for (uint32_t k = c->first_cost; e->of[i] != CPROF_NONE && k < c->first_cost + c->n_costs;
             k++)
            counts_add(e->items[e->of[i]].costs, cprof_context_values(p, k), p->n_events);
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
    struct entries e = {.of = xreallocarray(NULL, p->n_contexts, sizeof *e.of)};
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
    free(e.of);
    free(calls);
}

int export_callgrind(const struct cprof_profile *profile, FILE *out)
{
    struct writer w = {.profile = profile, .out = out, .object = CPROF_NONE - 1};
    struct record_lines lines;

    w.objects = new_space(profile->n_objects);
    w.files = new_space(profile->n_files);
    w.functions = new_space(profile->n_functions);
    record_lines_by_function(&lines, profile);
    w.own = own_files(profile, &lines);
    put_header(&w);
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
