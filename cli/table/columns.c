#include <config.h>

#include "table/columns.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "calls/graph.h"
#include "cprof_internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct events events_of(const struct cprof_profile *p)
{
    return (struct events){.n = p->n_events,
                           .items = p->events,
                           .subject = p->subject,
                           .inclusive = graph_is_known(p),
                           .paths = p->n_contexts > 0,
                           .sampled = p->sampled,
                           .perf = p->format == CPROF_FORMAT_RAW || p->format == CPROF_FORMAT_PERF};
}

bool events_are_samples(struct events events, const char *first)
{
    return events.sampled && events.n && !strcmp(events.items[0].name, first);
}

struct term_def {
    const char *event;
    int64_t weight;
};

/* To add a column, add a row here. An event's row has no terms; a computed column is the sum of its
 * terms. */
static const struct column_def {
    const char *name;
    const char *header; /* NULL: the name */
    const char *help;
    enum column_kind kind;
    struct term_def terms[COLUMN_TERMS];
    const char *per; /* of a ratio: an event, or "Calls" */
} defs[] = {
    {.name = "Ir", .help = "instructions executed"},
    {.name = "I1mr", .help = "misses of the first-level instruction cache"},
    {.name = "ILmr", .help = "instruction reads that missed the last-level cache"},
    {.name = "Dr", .help = "data reads"},
    {.name = "D1mr", .help = "data reads that missed the first-level cache"},
    {.name = "DLmr", .help = "data reads that missed the last-level cache"},
    {.name = "Dw", .help = "data writes"},
    {.name = "D1mw", .help = "data writes that missed the first-level cache"},
    {.name = "DLmw", .help = "data writes that missed the last-level cache"},
    {.name = "Bc", .help = "conditional branches"},
    {.name = "Bcm", .help = "conditional branches mispredicted"},
    {.name = "Bi", .help = "indirect branches"},
    {.name = "Bim", .help = "indirect branches mispredicted"},
    {.name = "Rep", .help = "repetitions of rep movs and the like, which Ir has as usual"},
    {.name = "Allocs", .help = "blocks allocated on the heap"},
    {.name = "Reallocs", .help = "blocks that got another size (realloc)"},
    {.name = "Bytes", .help = "bytes asked for by allocations and by reallocations"},
    {.name = "Freed", .help = "blocks freed, counted where they were allocated"},
    {.name = "Frees", .help = "blocks freed here, whoever allocated them"},
    {.name = "Temporary", .help = "blocks freed with no other allocation in between"},
    {.name = "Life",
     .help = "instructions from the birth of each block to the end of it, added up"},
    {.name = "PeakBytes", .help = "bytes of blocks that lived when the program had most bytes"},
    {.name = "PeakBlocks", .help = "blocks that lived when the program had most bytes"},
    {.name = "EndBytes", .help = "bytes of blocks that were never freed"},
    {.name = "EndBlocks", .help = "blocks that were never freed"},
    {.name = "Maps", .help = "how often the system gave memory: mmap, brk"},
    {.name = "MapBytes", .help = "bytes that the system gave"},
    {.name = "UnmapBytes", .help = "bytes that the system got back"},
    {.name = "Blocks", .terms = {{"Allocs", 1}, {"Reallocs", 1}}, .help = "Allocs + Reallocs"},
    {.name = "D1m", .terms = {{"D1mr", 1}, {"D1mw", 1}}, .help = "D1mr + D1mw"},
    {.name = "DLm", .terms = {{"DLmr", 1}, {"DLmw", 1}}, .help = "DLmr + DLmw"},
    {.name = "LLm",
     .terms = {{"ILmr", 1}, {"DLmr", 1}, {"DLmw", 1}},
     .help = "ILmr + DLmr + DLmw, what went to memory"},
    {.name = "Bm", .terms = {{"Bcm", 1}, {"Bim", 1}}, .help = "Bcm + Bim"},
    /* KCachegrind's estimate, from the counts of a plain cache simulation. */
    {.name = "CEst",
     .terms = {{"Ir", 1},
               {"I1mr", 10},
               {"D1mr", 10},
               {"D1mw", 10},
               {"ILmr", 100},
               {"DLmr", 100},
               {"DLmw", 100}},
     .help = "estimated cycles: Ir + 10 first-level misses + 100 last-level misses"},
    {.name = "Samples", .help = "samples that a profiler took"},
    {.name = "Incl",
     .header = "Inclusive",
     .kind = COLUMN_INCLUSIVE,
     .help = "cost of the function and of all that it called; of another event: Dr.incl"},
    {.name = "cpu-clock", .help = "nanoseconds of processor time, by samples"},
    {.name = "task-clock", .help = "nanoseconds of processor time, by samples"},
    {.name = "blocked", .help = "nanoseconds off the processor, waiting"},
    {.name = "preempted", .help = "nanoseconds off the processor, which others had"},
    {.name = "Calls",
     .kind = COLUMN_CALLS,
     .help = "how often the function was called, and the first instruction of inlined copies "
             "ran; 300+ where a copy was entered more often, or may have been"},
    {.name = "Ir/Call",
     .help = "own instructions for each call; - where the number of calls is not known exactly",
     .kind = COLUMN_RATIO,
     .terms = {{"Ir", 1}},
     .per = "Calls"},
    {.name = "%",
     .kind = COLUMN_PERCENT,
     .help = "percentage of the column before it, or else of what rows are sorted by"},
    {.name = "CI",
     .header = "95 %",
     .kind = COLUMN_INTERVAL,
     .help = "of samples: where the percentage before it lies, in 95 % of cases, by chance"},
    {.name = "Function", .kind = COLUMN_FUNCTION, .help = "the function's name"},
    {.name = "Location",
     .kind = COLUMN_LOCATION,
     .help = "file and line of the definition, or the object"},
    {.name = "Object", .kind = COLUMN_OBJECT, .help = "executable or library"},
    {.name = "Crate",
     .kind = COLUMN_CRATE,
     .help = "the crate with the version; of other code the library"},
};

enum { N_DEFS = sizeof defs / sizeof *defs };

/* The ending that makes a count's name that of its inclusive column. */
#define INCLUSIVE_SUFFIX ".incl"

static const char *header_of(const struct column_def *def)
{
    return def->header ? def->header : def->name;
}

static const struct column_def *find_def(const char *name)
{
    for (size_t i = 0; i < N_DEFS; i++)
        if (!strcasecmp(defs[i].name, name) || !strcasecmp(header_of(&defs[i]), name))
            return &defs[i];
    return NULL;
}

static struct column *append(struct columns *columns, const char *name)
{
    struct column *c;

    c = &APPEND(columns->items, columns->n, columns->room);
    *c = (struct column){.name = name, .header = name, .self = columns->n - 1};
    return c;
}

static const char *own(struct columns *columns, char *name)
{
    return APPEND(columns->owned, columns->n_owned, columns->owned_room) = name;
}

enum count_unit count_unit(const char *description)
{
    static const char *const words[] = {[UNIT_NANOSECONDS] = "nanoseconds", [UNIT_BYTES] = "bytes"};

    for (int i = UNIT_NANOSECONDS; description && i <= UNIT_BYTES; i++)
        if (!strncmp(description, words[i], strlen(words[i])))
            return (enum count_unit)i;
    return UNIT_COUNT;
}

static void append_event(struct columns *columns, const struct events *events, uint32_t event)
{
    const struct cprof_event *e = &events->items[event];
    const struct column_def *def = find_def(e->name);
    struct column *c = append(columns, e->name);

    c->help = e->long_name ? e->long_name : def ? def->help : NULL;
    c->is_duration =
        count_unit(c->help) == UNIT_NANOSECONDS && events_are_samples(*events, "blocked");
    if (count_unit(c->help) == UNIT_NANOSECONDS && !c->is_duration)
        c->header = own(columns, xasprintf("%s ns", e->name));
    c->n_terms = 1;
    c->terms[0] = (struct column_term){event, 1};
}

static bool find_divisor(struct column *c, const char *per, const struct events *events)
{
    c->self = c->terms[0].value; /* events are the first columns */
    c->per_calls = !strcmp(per, "Calls") && events_have_calls(events);
    c->per = c->per_calls ? 2 * events->n : profile_find_event(events->items, events->n, per);
    return c->per != CPROF_NONE;
}

/* Fills in the terms of a computed column. Returns false where the profile lacks one of its
 * events. */
static bool find_terms(struct column *c, const struct column_def *def, const struct events *events)
{
    for (c->n_terms = 0; c->n_terms < COLUMN_TERMS && def->terms[c->n_terms].event; c->n_terms++) {
        uint32_t event = profile_find_event(events->items, events->n, def->terms[c->n_terms].event);

        if (event == CPROF_NONE)
            return false;
        c->terms[c->n_terms] = (struct column_term){event, def->terms[c->n_terms].weight};
    }
    if (def->per && !find_divisor(c, def->per, events))
        return false;
    return c->kind != COLUMN_COUNT || c->n_terms > 0;
}

/* Adds the inclusive column of each count, and the column of calls where they were counted. */
static void append_calls(struct columns *columns, const struct events *events)
{
    size_t n_counts = columns->n;
    struct column *c;

    for (size_t i = 0; i < n_counts; i++) {
        const struct column_def *def = find_def("Incl");
        bool first = i == 0;
        char *name = first ? NULL : xasprintf("%s" INCLUSIVE_SUFFIX, columns->items[i].name);

        c = append(columns, first ? def->name : own(columns, name));
        c->header = first ? header_of(def) : c->name;
        c->help = def->help;
        c->kind = def->kind;
        c->is_duration = columns->items[i].is_duration;
        c->self = i;
        c->n_terms = columns->items[i].n_terms;
        memcpy(c->terms, columns->items[i].terms, sizeof c->terms);
        for (unsigned t = 0; t < c->n_terms; t++)
            c->terms[t].value += events->n;
    }
    if (!events_have_calls(events))
        return;
    c = append(columns, "Calls");
    c->help = find_def("Calls")->help;
    c->kind = COLUMN_CALLS;
    c->self = 0;
    c->n_terms = 1;
    c->terms[0] = (struct column_term){2 * events->n, 1};
}

static void append_def(struct columns *columns, const struct column_def *def,
                       const struct events *events)
{
    struct column *c;

    if (def->kind == COLUMN_INTERVAL && !events_are_samples(*events, "Samples"))
        return;
    c = append(columns, def->name);
    c->header = header_of(def);
    c->help = def->help;
    c->kind = def->kind;
    if (!find_terms(c, def, events))
        columns->n--;
}

void columns_load(struct columns *columns, struct events events)
{
    *columns = (struct columns){.n = 0};
    for (uint32_t i = 0; i < events.n; i++)
        append_event(columns, &events, i);
    for (size_t i = 0; i < N_DEFS; i++)
        if (defs[i].kind == COLUMN_COUNT && !columns_find(columns, defs[i].name))
            append_def(columns, &defs[i], &events);
    if (columns->n && events.inclusive)
        append_calls(columns, &events);
    for (size_t i = 0; i < N_DEFS; i++)
        if (defs[i].kind >= COLUMN_RATIO)
            append_def(columns, &defs[i], &events);
}

static void remove_kind(struct columns *columns, enum column_kind kind)
{
    size_t kept = 0;

    /* Counts and inclusive columns, which refer to each other by index, stand before all that is
     * removed. */
    for (size_t i = 0; i < columns->n; i++)
        if (columns->items[i].kind != kind)
            columns->items[kept++] = columns->items[i];
    columns->n = kept;
}

void columns_remove_calls(struct columns *columns)
{
    remove_kind(columns, COLUMN_CALLS);
}

void columns_remove_ratios(struct columns *columns)
{
    remove_kind(columns, COLUMN_RATIO);
}

void columns_free(struct columns *columns)
{
    for (size_t i = 0; i < columns->n_owned; i++)
        free(columns->owned[i]);
    free(columns->owned);
    free(columns->items);
    *columns = (struct columns){.n = 0};
}

/* The length of `name` without ".incl"; 0: it has no such ending. */
static size_t count_length(const char *name)
{
    size_t size = strlen(name), suffix = strlen(INCLUSIVE_SUFFIX);

    return size > suffix && !strcasecmp(name + size - suffix, INCLUSIVE_SUFFIX) ? size - suffix : 0;
}

const char *columns_subject_event(enum cprof_subject subject)
{
    static const char *const names[] = {
        [CPROF_SUBJECT_CODE] = NULL, [CPROF_SUBJECT_HEAP] = "Bytes", [CPROF_SUBJECT_DATA] = "D1m"};

    return names[subject];
}

const struct column *columns_subject(const struct columns *columns, enum cprof_subject subject)
{
    const char *name = columns_subject_event(subject);
    const struct column *column = name ? columns_find(columns, name) : NULL;

    return column ? column : columns->items;
}

/* Names that tables of memory have for events: "At peak", and short. */
static const char *event_of_heading(const char *heading)
{
    static const char *const headings[][2] = {{"at peak", "PeakBytes"}, {"peak", "PeakBytes"},
                                              {"at end", "EndBytes"},   {"end", "EndBytes"},
                                              {"temp. %", "Temporary"}, {"temp", "Temporary"},
                                              {"mean life", "Life"}};

    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (!strcasecmp(headings[i][0], heading))
            return headings[i][1];
    return NULL;
}

const struct column *columns_find(const struct columns *columns, const char *name)
{
    const char *event = event_of_heading(name);
    size_t size = count_length(name);

    for (size_t i = 0; i < columns->n; i++) {
        const struct column *c = &columns->items[i];

        if (!strcasecmp(c->name, name))
            return c;
        if (size && c->kind == COLUMN_COUNT && !strncasecmp(c->name, name, size) && !c->name[size])
            return columns_inclusive(columns, c);
    }
    /* Names have precedence: an event may be called as another column is headed. */
    for (size_t i = 0; i < columns->n; i++)
        if (!strcasecmp(columns->items[i].header, name))
            return &columns->items[i];
    return event ? columns_find(columns, event) : NULL;
}

const struct column *columns_inclusive(const struct columns *columns, const struct column *count)
{
    for (size_t i = 0; i < columns->n; i++)
        if (columns->items[i].kind == COLUMN_INCLUSIVE &&
            &columns->items[columns->items[i].self] == count)
            return &columns->items[i];
    return NULL;
}

char *columns_names(const struct columns *columns, bool numbers)
{
    struct strbuf list = {.text = NULL};

    for (size_t i = 0; i < columns->n; i++) {
        const struct column *c = &columns->items[i];

        if (numbers && !column_is_number(c) && !column_is_ratio(c))
            continue;
        if (c->kind != COLUMN_INCLUSIVE || c->self == 0)
            strbuf_add_item(&list, ", ", c->name);
    }
    return list.size ? strbuf_take(&list) : xstrdup("none");
}

void column_help(FILE *out, unsigned width)
{
    for (size_t i = 0; i < N_DEFS; i++) {
        fprintf(out, "  %-9s ", defs[i].name);
        wrap_put(out, defs[i].help, 12, width);
        fputc('\n', out);
    }
}

int64_t column_value(const struct column *column, const int64_t *counts)
{
    int64_t sum = 0;

    for (unsigned i = 0; i < column->n_terms; i++) {
        int64_t term;

        if (__builtin_mul_overflow(counts[column->terms[i].value], column->terms[i].weight,
                                   &term) ||
            __builtin_add_overflow(sum, term, &sum))
            return INT64_MAX;
    }
    return sum;
}
