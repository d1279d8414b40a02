#include <config.h>

/*
 * Primary data structure: points, one for each cost record with an address, sorted by object and
 * address. Ranges are found among the subject's points, and those of code that was inlined into it.
 * All points in a range are then merged by address with objdump's instructions.
 */
#include "annotate/disassembly.h"
#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/sort.h"
#include "cprof_internal.h"
#include "symbols/elf_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    NEAR = 256,    /* most bytes between two instructions of one range */
    LONGEST = 15,  /* most bytes of an instruction */
    TEXT_MAX = 512 /* most bytes of its text */
};

struct point {
    uint32_t object;
    uint32_t cost; /* CPROF_NONE: of code that was inlined into the subject */
    uint64_t address;
};

struct decoder {
    struct disassembly *d;
    const struct annotation_subject *subject;
    size_t n, n_own;
    struct point *all; /* sorted */
    struct point *own; /* the subject's, and of what is inlined there, sorted */
    size_t room;       /* for instructions */
    int64_t *free;     /* the next free row of counts */
    /* The range that is decoded. */
    struct instruction_range *range;
    size_t at; /* the next of `all` */
};

static int compare_places(const void *a, const void *b)
{
    const struct point *x = a, *y = b;

    COMPARE(x->object, y->object);
    return (x->address > y->address) - (x->address < y->address);
}

static int compare_points(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    int order = compare_places(a, b);

    return order ? order : (x->cost > y->cost) - (x->cost < y->cost);
}

/* Where functions that ran begin, sorted; `cost` is the function. The caller frees it. */
static struct point *find_starts(const struct cprof_profile *p, size_t *n)
{
    struct point *starts = xreallocarray(NULL, p->n_functions, sizeof *starts);

    *n = 0;
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (p->functions[i].address && p->functions[i].object != CPROF_NONE)
            starts[(*n)++] = (struct point){p->functions[i].object, i, p->functions[i].address};
    sort_items(starts, *n, sizeof *starts, compare_places);
    return starts;
}

/* Finds code that was inlined into the subject's functions: it lies between where one of them
 * begins and where the next function does. */
static void find_inside(struct decoder *d)
{
    const struct cprof_profile *p = d->d->profile;
    size_t n, next, at = 0;
    struct point *starts;

    if (!d->subject->functions || d->subject->files)
        return;
    starts = find_starts(p, &n);
    for (size_t i = 0; i < n; i++) {
        const struct point *start = &starts[i];

        if (!d->subject->functions[start->cost])
            continue;
        for (next = i + 1; next < n && !compare_places(&starts[next], start);)
            next++; /* another name of the same function */
        while (at < d->n && compare_places(&d->all[at], start) < 0)
            at++;
        for (; at < d->n && d->all[at].object == start->object &&
               (next == n || compare_places(&d->all[at], &starts[next]) < 0);
             at++) {
            const struct cprof_cost *cost = &p->costs[d->all[at].cost];

            if (p->functions[cost->function].inlined && !annotation_has(d->subject, cost))
                d->own[d->n_own++] = (struct point){start->object, CPROF_NONE, d->all[at].address};
        }
    }
    free(starts);
}

static void find_points(struct decoder *d)
{
    const struct cprof_profile *p = d->d->profile;

    d->all = xreallocarray(NULL, p->n_costs, sizeof *d->all);
    d->own = xreallocarray(NULL, 2 * (size_t)p->n_costs, sizeof *d->own);
    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];
        struct point point = {p->functions[c->function].object, i, c->address};
        bool own = annotation_has(d->subject, c);

        if (c->address && point.object != CPROF_NONE) {
            d->all[d->n++] = point;
            if (own)
                d->own[d->n_own++] = point;
        } else if (own) {
            counts_add(d->d->nowhere, cprof_cost_values(p, i), p->n_events);
        }
    }
    sort_items(d->all, d->n, sizeof *d->all, compare_points);
    find_inside(d);
    sort_items(d->own, d->n_own, sizeof *d->own, compare_points);
}

static int64_t *new_counts(struct decoder *d)
{
    int64_t *counts = d->free;

    d->free += d->d->profile->n_events;
    return counts;
}

/* Makes ranges of the subject's points that are near each other, and adds up their costs. */
static void find_ranges(struct decoder *d)
{
    const struct cprof_profile *p = d->d->profile;
    struct instruction_range *r = NULL;
    size_t room = 0;

    for (size_t i = 0; i < d->n_own; i++) {
        const struct point *point = &d->own[i];

        if (!r || r->object != point->object || point->address - r->last > NEAR) {
            r = &APPEND(d->d->ranges, d->d->n_ranges, room);
            *r = (struct instruction_range){.object = point->object,
                                            .start = point->address,
                                            .state = DECODE_LIMIT,
                                            .own = new_counts(d),
                                            .others = new_counts(d)};
        }
        r->last = point->address;
        if (point->cost == CPROF_NONE)
            continue;
        counts_add((int64_t *)r->own, cprof_cost_values(p, point->cost), p->n_events);
        counts_add(d->d->own, cprof_cost_values(p, point->cost), p->n_events);
    }
}

static int compare_ranges(const void *a, const void *b, void *measure)
{
    const struct instruction_range *x = a, *y = b;
    int64_t left = column_value(measure, x->own), right = column_value(measure, y->own);

    COMPARE(right, left);
    COMPARE(x->object, y->object);
    return (x->start > y->start) - (x->start < y->start);
}

/*--- Decoding ---*/

static struct instruction *add_instruction(struct decoder *d, uint64_t address, const char *text)
{
    struct disassembly *all = d->d;

    GROW(all->items, all->n, d->room);
    all->items[all->n] = (struct instruction){
        .address = address, .text = text ? xstrndup(text, TEXT_MAX) : NULL, .cost = CPROF_NONE};
    d->range->n++;
    return &all->items[all->n++];
}

/* Adds the costs of all points at the instruction's address, which come next. */
static void take_costs(struct decoder *d, struct instruction *in)
{
    const struct cprof_profile *p = d->d->profile;
    const struct instruction_range *r = d->range;

    for (;
         d->at < d->n && d->all[d->at].object == r->object && d->all[d->at].address == in->address;
         d->at++) {
        uint32_t cost = d->all[d->at].cost;
        bool own = annotation_has(d->subject, &p->costs[cost]);
        const int64_t **sum = own ? &in->own : &in->others;

        if (in->cost == CPROF_NONE || (own && !in->own))
            in->cost = cost;
        if (!*sum)
            *sum = new_counts(d);
        counts_add((int64_t *)*sum, cprof_cost_values(p, cost), p->n_events);
        if (own)
            continue;
        counts_add((int64_t *)r->others, cprof_cost_values(p, cost), p->n_events);
        counts_add(d->d->others, cprof_cost_values(p, cost), p->n_events);
    }
}

/* Adds instructions before `address` that ran and that objdump did not decode. */
static void take_undecoded(struct decoder *d, uint64_t address)
{
    while (d->at < d->n && d->all[d->at].object == d->range->object &&
           d->all[d->at].address < address)
        take_costs(d, add_instruction(d, d->all[d->at].address, NULL));
}

/* Takes an instruction, " 4015a0:\tmov %rsp,%rbp", from a line of objdump's, and ignores other
 * lines. */
static void take_line(void *data, char *line)
{
    struct decoder *d = data;
    char *end, *text;
    uint64_t address;

    line += strspn(line, " ");
    if (!isxdigit((unsigned char)*line))
        return;
    address = strtoull(line, &end, 16);
    if (end[0] != ':' || end[1] != '\t')
        return;
    if (address < d->range->start || address > d->range->last)
        return;
    if (d->range->n && address <= d->d->items[d->d->n - 1].address)
        return;
    text = end + 2;
    for (char *c = text + strlen(text); c > text && c[-1] == ' ';)
        *--c = '\0';
    /* Texts of arm64 have tabs. */
    while ((end = strchr(text, '\t')) != NULL)
        *end = ' ';
    take_undecoded(d, address);
    take_costs(d, add_instruction(d, address, text));
}

static bool is_intact(const struct cprof_profile *p, uint32_t object)
{
    const struct cprof_object *o = &p->objects[object];
    struct elf_file binary;
    struct stat file_state, run;

    if (o->path[0] != '/' || !elf_file_open(&binary, o->path, o->build_id))
        return false;
    elf_file_close(&binary);
    /* an object without a build-id is known by its age */
    return o->build_id || !p->source || stat(p->source, &run) != 0 ||
           stat(o->path, &file_state) != 0 || file_state.st_mtim.tv_sec <= run.st_mtim.tv_sec;
}

static enum decode_state run_objdump(struct decoder *d, const char *path, enum asm_syntax syntax)
{
    const struct instruction_range *r = d->range;
    char *start = xasprintf("--start-address=0x%llx", (unsigned long long)r->start);
    char *stop = xasprintf("--stop-address=0x%llx", (unsigned long long)(r->last + LONGEST));
    const char *const argv[] = {"objdump",
                                "-d",
                                "-w",
                                "-C",
                                "--no-show-raw-insn",
                                syntax == ASM_ATT ? "-Matt" : "-Mintel",
                                start,
                                stop,
                                "--",
                                path,
                                NULL};
    const char *changes[] = {"LC_ALL=C", "DEBUGINFOD_URLS"};
    struct string_list environment = {2, changes};
    const struct process_spec spec = {
        .argv = argv, .environment = &environment, .no_input = true, .no_errors = true};
    int status = 0, error = process_capture(&spec, take_line, d, &status);

    free(start);
    free(stop);
    if (error)
        return error == ENOENT ? DECODE_NO_TOOL : DECODE_FAILED;
    return r->n ? DECODED : DECODE_FAILED;
}

static bool is_before(const void *point, const void *key)
{
    return compare_points(point, key) < 0;
}

/* The first point of an object at `address` or behind it. */
static size_t first_from(const struct decoder *d, uint32_t object, uint64_t address)
{
    struct point key = {object, 0, address};

    return lower_bound(d->all, d->n, sizeof *d->all, is_before, &key);
}

static void decode(struct decoder *d, struct instruction_range *r, enum asm_syntax syntax)
{
    const struct cprof_profile *p = d->d->profile;

    d->range = r;
    d->at = first_from(d, r->object, r->start);
    r->first = d->d->n;
    r->state = DECODE_GONE;
    if (is_intact(p, r->object))
        r->state = run_objdump(d, p->objects[r->object].path, syntax);
    take_undecoded(d, r->last + 1);
}

void disassembly_load(struct disassembly *d, const struct cprof_profile *p,
                      const struct annotation_subject *subject, const struct column *measure,
                      enum asm_syntax syntax, size_t limit)
{
    struct decoder decoder = {.d = d, .subject = subject};

    *d = (struct disassembly){.profile = p};
    d->own = xcalloc(p->n_events, sizeof *d->own);
    d->others = xcalloc(p->n_events, sizeof *d->others);
    d->nowhere = xcalloc(p->n_events, sizeof *d->nowhere);
    find_points(&decoder);
    /* at most three rows for each point: two of its range, one of its instruction */
    d->counts = xcalloc((decoder.n + 2 * decoder.n_own) * p->n_events, sizeof *d->counts);
    decoder.free = d->counts;
    find_ranges(&decoder);
    if (d->n_ranges)
        qsort_r(d->ranges, d->n_ranges, sizeof *d->ranges, compare_ranges, (void *)measure);
    for (size_t i = 0; i < d->n_ranges && (limit == 0 || i < limit); i++)
        decode(&decoder, &d->ranges[i], syntax);
    free(decoder.all);
    free(decoder.own);
}

void disassembly_free(struct disassembly *d)
{
    for (size_t i = 0; i < d->n; i++)
        free(d->items[i].text);
    free(d->items);
    free(d->ranges);
    free(d->own);
    free(d->others);
    free(d->nowhere);
    free(d->counts);
    *d = (struct disassembly){.n = 0};
}
