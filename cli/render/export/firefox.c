#include <config.h>

/*
 * Call paths for Firefox Profiler. A sample is one cost record of a context, with its cost as
 * weight; a track of it is a thread. The format wants times. There is none where all is counted:
 * so samples stand in the order of a left-heavy flame graph, and the axis is the cost itself, one
 * nanosecond for each count.
 */
#include "base/array.h"
#include "base/memory.h"
#include "base/sort.h"
#include "names/object_name.h"
#include "names/ownership.h"
#include "render/export/export.h"
#include "render/export/pool.h"
#include "render/export/tracks.h"
#include "render/json/json_value.h"
#include "render/text/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*--- Tables ---*/

/*
 * The tables of a profile that samples refer to: strings, libraries, sources, functions, frames and
 * stacks, each thing once. A frame is a function at a place of its code. Code that was inlined is a
 * frame of its own, with the address of the function that it was compiled into, and a depth from 1
 * on.
 */

/* Numbers, from 0, of things that are used; they have other numbers in the profile. */
struct firefox_numbers {
    uint32_t n;
    uint32_t *numbers; /* by the profile's number; CPROF_NONE: not used */
    uint32_t *items;   /* the profile's number of each */
};

/* Kept in a pool: no padding. */
struct firefox_frame {
    uint64_t address;          /* in the object; 0: not known */
    uint32_t function, object; /* the profile's; the object may be CPROF_NONE */
    uint32_t file, line;       /* CPROF_NONE, 0: not known */
    uint32_t depth;            /* of inlining */
    uint32_t unused;           /* 0 */
};

struct firefox_tables {
    const struct cprof_profile *profile;
    const struct crates *crates;
    FILE *out;
    size_t flags; /* of its JSON (json_value.h) */
    struct labels labels;
    struct pool strings, frames, stacks, locations;
    struct firefox_numbers functions, files, objects;
    uint32_t *subcategories; /* by crate: its number in its category, from 1 */
};

/* Kept in pools: no padding. */
struct stack {
    uint32_t prefix, frame;
};
struct location {
    uint32_t file, line; /* the file of the profile */
};

/* The kinds of code; their colours are those that the format knows. */
enum category {
    CATEGORY_OTHER, /* the format's default, which has to be grey */
    CATEGORY_OWN,
    CATEGORY_DEPENDENCY,
    CATEGORY_STD,
    CATEGORY_LIBC,
    N_CATEGORIES
};

static const struct {
    const char *name, *colour;
} categories[N_CATEGORIES] = {[CATEGORY_OTHER] = {"Other", "grey"},
                              [CATEGORY_OWN] = {"Your code", "orange"},
                              [CATEGORY_DEPENDENCY] = {"Dependencies", "blue"},
                              [CATEGORY_STD] = {"Standard library", "green"},
                              [CATEGORY_LIBC] = {"libc", "brown"}};

/*--- Numbers ---*/

static void numbers_load(struct firefox_numbers *numbers, uint32_t n)
{
    numbers->numbers = xreallocarray(NULL, n, sizeof *numbers->numbers);
    numbers->items = xreallocarray(NULL, n, sizeof *numbers->items);
    memset(numbers->numbers, 0xff, n * sizeof *numbers->numbers);
}

static void numbers_free(struct firefox_numbers *numbers)
{
    free(numbers->numbers);
    free(numbers->items);
}

/* The number of a thing, which is used from now on. */
static uint32_t use(struct firefox_numbers *numbers, uint32_t item)
{
    uint32_t *number = &numbers->numbers[item];

    if (*number == CPROF_NONE) {
        numbers->items[numbers->n] = item;
        *number = numbers->n++;
    }
    return *number;
}

/*--- Categories ---*/

static enum category category_of(enum owner owner)
{
    static const enum category of_owner[] = {[OWNER_OWN] = CATEGORY_OWN,
                                             [OWNER_DERIVED] = CATEGORY_OWN,
                                             [OWNER_DEPENDENCY] = CATEGORY_DEPENDENCY,
                                             [OWNER_STD] = CATEGORY_STD,
                                             [OWNER_LIBC] = CATEGORY_LIBC,
                                             [OWNER_OBJECT] = CATEGORY_OTHER,
                                             [OWNER_STARTUP] = CATEGORY_OTHER};

    return of_owner[owner];
}

static enum category category_of_function(const struct firefox_tables *t, uint32_t function)
{
    return category_of(crates_owner(t->crates, function));
}

/* Numbers the crates of each category. A crate has one there, by its own kind; functions whose
 * crate is not called anybody's own have none. */
static void number_crates(struct firefox_tables *t)
{
    uint32_t n[N_CATEGORIES] = {0};

    t->subcategories = xcalloc(t->crates->n, sizeof *t->subcategories);
    for (size_t i = 0; i < t->crates->n; i++) {
        t->subcategories[i] = ++n[category_of(t->crates->items[i].owner)];
    }
}

static void put_subcategories(struct firefox_tables *t, enum category category)
{
    for (size_t i = 0; i < t->crates->n; i++) {
        const struct crate *crate = &t->crates->items[i];

        if (category_of(crate->owner) == category) {
            char *label = crate_label(crate);

            fputs(", ", t->out);
            json_put(t->out, label, t->flags);
            free(label);
        }
    }
}

/* Writes values of the document, without an end of line. All stacks have to be there. */
static void firefox_tables_put_categories(struct firefox_tables *t)
{
    for (int i = 0; i < N_CATEGORIES; i++) {
        fprintf(t->out, "%s{\"name\": \"%s\", \"color\": \"%s\", \"subcategories\": [\"Other\"",
                i ? ",\n      " : "[", categories[i].name, categories[i].colour);
        put_subcategories(t, (enum category)i);
        fputs("]}", t->out);
    }
    fputc(']', t->out);
}

/*--- Libraries ---*/

/* The identifier that symbols are looked up by: the first 16 bytes of the build-id as a GUID of a
 * little-endian machine, and its age, 0. */
static void put_debug_id(struct firefox_tables *t, const char *build_id)
{
    static const unsigned char order[] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};

    fputc('"', t->out);
    if (build_id && strlen(build_id) >= 2 * sizeof order) {
        for (size_t i = 0; i < 2 * sizeof order; i++)
            fputc(toupper((unsigned char)build_id[2 * order[i / 2] + i % 2]), t->out);
        fputc('0', t->out);
    }
    fputc('"', t->out);
}

static void put_member(struct firefox_tables *t, const char *key, const char *text)
{
    fprintf(t->out, ", \"%s\": ", key);
    json_put(t->out, text, t->flags);
}

static void firefox_tables_put_libs(struct firefox_tables *t)
{
    fputc('[', t->out);
    for (uint32_t i = 0; i < t->objects.n; i++) {
        const struct cprof_object *o = &t->profile->objects[t->objects.items[i]];

        fprintf(t->out, "%s\n    {\"arch\": \"\"", i ? "," : "");
        put_member(t, "name", object_name(o->path));
        put_member(t, "path", o->path);
        put_member(t, "debugName", object_name(o->path));
        put_member(t, "debugPath", o->path);
        fputs(", \"breakpadId\": ", t->out);
        put_debug_id(t, o->build_id);
        put_member(t, "codeId", o->build_id);
        fputc('}', t->out);
    }
    fputc(']', t->out);
}

/*--- Frames and stacks ---*/

static uint32_t string(struct firefox_tables *t, const char *text)
{
    char *data = text_utf8(text);
    uint32_t number = pool_add(&t->strings, data, strlen(data) + 1);

    free(data);
    return number;
}

/* A function has one source; a frame in another file has a location of its own. */
static bool is_elsewhere(const struct firefox_tables *t, const struct firefox_frame *frame)
{
    return frame->line && frame->file != CPROF_NONE &&
           frame->file != t->profile->functions[frame->function].file;
}

static void use_function(struct firefox_tables *t, uint32_t function)
{
    const struct cprof_function *f = &t->profile->functions[function];

    if (t->functions.numbers[function] != CPROF_NONE)
        return;
    use(&t->functions, function);
    if (f->object != CPROF_NONE)
        use(&t->objects, f->object);
    if (f->file != CPROF_NONE)
        use(&t->files, f->file);
}

/* The stack with this frame on top of the stack `prefix`, which may be CPROF_NONE. */
static uint32_t firefox_tables_push(struct firefox_tables *t, uint32_t prefix,
                                    const struct firefox_frame *frame)
{
    struct stack stack = {prefix, pool_add(&t->frames, frame, sizeof *frame)};

    if (stack.frame == t->frames.n - 1) { /* mostly a new one */
        use_function(t, frame->function);
        if (frame->object != CPROF_NONE)
            use(&t->objects, frame->object);
        if (is_elsewhere(t, frame)) {
            struct location location = {frame->file, frame->line};

            use(&t->files, frame->file);
            pool_add(&t->locations, &location, sizeof location);
        }
    }
    return pool_add(&t->stacks, &stack, sizeof stack);
}

/*--- Tables: names of columns, and a function for their values ---*/

/* null and false; no other value of a table is negative but -1 */
#define NOTHING INT64_MIN
#define FALSE   (INT64_MIN + 1)

struct firefox_table {
    const char *name;
    const char *const *columns; /* up to NULL */
    /* The value of a row in a column, by its number. */
    int64_t (*value)(struct firefox_tables *tables, uint32_t row, int column);
};

static void put_table(struct firefox_tables *t, const struct firefox_table *table, size_t rows)
{
    fprintf(t->out, "    \"%s\": {\"length\": %zu", table->name, rows);
    for (int c = 0; table->columns[c]; c++) {
        fprintf(t->out, ",\n      \"%s\": [", table->columns[c]);
        for (uint32_t i = 0; i < rows; i++) {
            int64_t value = table->value(t, i, c);

            fputs(i ? "," : "", t->out);
            if (value == NOTHING || value == FALSE)
                fputs(value == NOTHING ? "null" : "false", t->out);
            else
                fprintf(t->out, "%" PRId64, value);
        }
        fputc(']', t->out);
    }
    fputs("},\n", t->out);
}

/* The number of an object, which is that of its library and of its resource; -1: there is none. */
static int64_t object_number(const struct firefox_tables *t, uint32_t object)
{
    return object == CPROF_NONE ? -1 : (int64_t)t->objects.numbers[object];
}

enum { FRAME_ADDRESS, FRAME_LIB, FRAME_DEPTH, FRAME_CATEGORY, FRAME_SUBCATEGORY, FRAME_FUNCTION };
enum { FRAME_WINDOW = FRAME_FUNCTION + 2, FRAME_LINE, FRAME_LOCATION = FRAME_LINE + 2 };
static const char *const frame_columns[] = {
    "address",      "lib",           "inlineDepth", "category", "subcategory",      "func",
    "nativeSymbol", "innerWindowID", "line",        "column",   "originalLocation", NULL};

static int64_t subcategory_of(const struct firefox_tables *t, uint32_t function)
{
    uint32_t crate = t->crates->of_function[function];

    return category_of_function(t, function) == category_of(t->crates->items[crate].owner)
               ? (int64_t)t->subcategories[crate]
               : 0;
}

static int64_t frame_value(struct firefox_tables *t, uint32_t row, int column)
{
    struct firefox_frame frame;
    struct location location;

    memcpy(&frame, pool_at(&t->frames, row), sizeof frame);
    switch (column) {
    case FRAME_ADDRESS:
        return frame.address && frame.address <= INT64_MAX ? (int64_t)frame.address : -1;
    case FRAME_LIB:
        return object_number(t, frame.object);
    case FRAME_DEPTH:
        return frame.depth;
    case FRAME_CATEGORY:
        return category_of_function(t, frame.function);
    case FRAME_SUBCATEGORY:
        return subcategory_of(t, frame.function);
    case FRAME_FUNCTION:
        return t->functions.numbers[frame.function];
    case FRAME_WINDOW:
        return 0;
    case FRAME_LINE:
        return frame.line && !is_elsewhere(t, &frame) ? (int64_t)frame.line : NOTHING;
    case FRAME_LOCATION:
        location = (struct location){frame.file, frame.line};
        return is_elsewhere(t, &frame)
                   ? (int64_t)pool_add(&t->locations, &location, sizeof location)
                   : NOTHING;
    default:
        return NOTHING;
    }
}

enum { FUNCTION_NAME, FUNCTION_JS, FUNCTION_FOR_JS, FUNCTION_RESOURCE, FUNCTION_SOURCE };
enum { FUNCTION_LINE = FUNCTION_SOURCE + 1 };
static const char *const function_columns[] = {
    "name",       "isJS",         "relevantForJS",    "resource", "source",
    "lineNumber", "columnNumber", "originalLocation", NULL};

static int64_t function_value(struct firefox_tables *t, uint32_t row, int column)
{
    uint32_t function = t->functions.items[row];
    const struct cprof_function *f = &t->profile->functions[function];
    const char *label = t->labels.items[function];

    switch (column) {
    case FUNCTION_NAME:
        return string(t, *label ? label : "???");
    case FUNCTION_JS:
    case FUNCTION_FOR_JS:
        return FALSE;
    case FUNCTION_RESOURCE:
        return object_number(t, f->object);
    case FUNCTION_SOURCE:
        return f->file == CPROF_NONE ? NOTHING : (int64_t)t->files.numbers[f->file];
    case FUNCTION_LINE:
        return f->line && f->file != CPROF_NONE ? (int64_t)f->line : NOTHING;
    default:
        return NOTHING;
    }
}

static const char *const resource_columns[] = {"name", "host", "type", NULL};

static int64_t resource_value(struct firefox_tables *t, uint32_t row, int column)
{
    enum { NAME, TYPE = 2, LIBRARY = 1 };

    return column == NAME ? string(t, object_name(t->profile->objects[t->objects.items[row]].path))
           : column == TYPE ? LIBRARY
                            : NOTHING;
}

static const char *const source_columns[] = {"id",           "filename", "startLine", "startColumn",
                                             "sourceMapURL", "content",  NULL};

static int64_t source_value(struct firefox_tables *t, uint32_t row, int column)
{
    enum { NAME = 1, LINE, COLUMN };

    return column == NAME                       ? string(t, t->profile->files[t->files.items[row]])
           : column == LINE || column == COLUMN ? 1
                                                : NOTHING;
}

static const char *const location_columns[] = {"source", "line", "column", NULL};

static int64_t location_value(struct firefox_tables *t, uint32_t row, int column)
{
    enum { SOURCE, LINE };
    struct location location;

    memcpy(&location, pool_at(&t->locations, row), sizeof location);
    return column == SOURCE ? t->files.numbers[location.file] : column == LINE ? location.line : 1;
}

static const char *const stack_columns[] = {"prefixOffset", "frame", NULL};

/* The prefix is how far the stack below this one is before it; 0: there is none. */
static int64_t stack_value(struct firefox_tables *t, uint32_t row, int column)
{
    enum { PREFIX };
    struct stack stack;

    memcpy(&stack, pool_at(&t->stacks, row), sizeof stack);
    if (column != PREFIX)
        return stack.frame;
    return stack.prefix == CPROF_NONE ? 0 : (int64_t)row - stack.prefix;
}

static const char *const symbol_columns[] = {"libIndex", "address", "name", "functionSize", NULL};

static void put_strings(struct firefox_tables *t)
{
    fputs("    \"stringArray\": [", t->out);
    for (size_t i = 0; i < t->strings.n; i++) {
        fputs(i ? "," : "", t->out);
        json_put(t->out, pool_at(&t->strings, i), t->flags);
    }
    fputc(']', t->out);
}

static void firefox_tables_put_shared(struct firefox_tables *t)
{
    fputs("{\n", t->out);
    put_table(t, &(struct firefox_table){"stackTable", stack_columns, stack_value}, t->stacks.n);
    put_table(t, &(struct firefox_table){"frameTable", frame_columns, frame_value}, t->frames.n);
    put_table(t, &(struct firefox_table){"funcTable", function_columns, function_value},
              t->functions.n);
    put_table(t, &(struct firefox_table){"resourceTable", resource_columns, resource_value},
              t->objects.n);
    put_table(t, &(struct firefox_table){"nativeSymbols", symbol_columns, NULL}, 0);
    put_table(t, &(struct firefox_table){"sources", source_columns, source_value}, t->files.n);
    put_table(t, &(struct firefox_table){"sourceLocationTable", location_columns, location_value},
              t->locations.n);
    put_strings(t); /* which the tables have gathered */
    fputs("\n  }", t->out);
}

static void firefox_tables_load(struct firefox_tables *t, const struct export *e, FILE *out)
{
    const struct cprof_profile *p = e->rows->profile;

    *t = (struct firefox_tables){
        .profile = p, .crates = e->crates, .out = out, .flags = json_flags(out)};
    labels_load(&t->labels, e->rows, text_utf8);
    numbers_load(&t->functions, p->n_functions);
    numbers_load(&t->files, p->n_files);
    numbers_load(&t->objects, p->n_objects);
    number_crates(t);
}

static void firefox_tables_free(struct firefox_tables *t)
{
    labels_free(&t->labels);
    numbers_free(&t->functions);
    numbers_free(&t->files);
    numbers_free(&t->objects);
    pool_free(&t->strings);
    pool_free(&t->frames);
    pool_free(&t->stacks);
    pool_free(&t->locations);
    free(t->subcategories);
}

/*--- The profile ---*/

/* The versions of the processed format, and of the one that Firefox itself writes. */
enum { PROCESSED_VERSION = 70, GECKO_VERSION = 36 };

enum { NANOSECONDS = 1000000 }; /* of the format's milliseconds */

struct sample {
    uint32_t track, rank; /* samples are sorted by these */
    uint32_t stack;
    int64_t cost;
};

struct writer {
    const struct export *export;
    const struct cprof_profile *profile;
    FILE *out;
    struct firefox_tables tables;
    struct tracks tracks;
    uint32_t *sites; /* of each called context: the stack of its call; CPROF_NONE: none */
    uint32_t *ranks; /* of each context: the place of its node in a walk through the tree */
    size_t n, room;
    struct sample *samples;
};

/*--- Stacks ---*/

/* A node of the tree, as contexts find it; no padding. */
struct node_key {
    uint32_t parent, function, inlined;
};

/* Finds the node of each context: the tree numbers them as they come. */
static void rank_contexts(struct writer *w)
{
    const struct cprof_profile *p = w->profile;
    uint32_t *order = xreallocarray(NULL, w->export->tree->n, sizeof *order), rank = 0;
    struct pool nodes = {.n = 0};

    w->ranks = xreallocarray(NULL, p->n_contexts, sizeof *w->ranks);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        struct node_key key = {c->parent == CPROF_NONE ? 0 : w->ranks[c->parent], c->function,
                               c->inlined};

        w->ranks[i] = pool_add(&nodes, &key, sizeof key) + 1;
    }
    pool_free(&nodes);
    for (uint32_t node = 0; node != CPROF_NONE; node = tree_next(w->export->tree, node))
        order[node] = rank++;
    for (uint32_t i = 0; i < p->n_contexts; i++)
        w->ranks[i] = order[w->ranks[i]];
    free(order);
}

/* The number of contexts from `c` up to the one whose code it was inlined into. */
static uint32_t inlined_depth(const struct cprof_profile *p, uint32_t c)
{
    uint32_t depth = 0;

    for (; p->contexts[c].inlined && p->contexts[c].parent != CPROF_NONE; c = p->contexts[c].parent)
        depth++;
    return depth;
}

static uint32_t ancestor(const struct cprof_profile *p, uint32_t c, uint32_t steps)
{
    while (steps-- > 0)
        c = p->contexts[c].parent;
    return c;
}

/* The stack of a place in context `c`: that of the call of its code, and a frame for each function
 * that is inlined there. */
static uint32_t stack_of(struct writer *w, uint32_t c, const struct cprof_cost *place)
{
    const struct cprof_profile *p = w->profile;
    uint32_t depth = inlined_depth(p, c), physical = ancestor(p, c, depth);
    uint32_t stack = w->sites[physical];
    struct firefox_frame frame = {
        .address = place->address,
        .object = p->functions[p->contexts[physical].function].object,
    };

    for (uint32_t up = depth; up != CPROF_NONE; up--) {
        const struct cprof_context *inner = up ? &p->contexts[ancestor(p, c, up - 1)] : NULL;

        frame.function = p->contexts[ancestor(p, c, up)].function;
        frame.file = inner ? inner->site_file : place->file;
        frame.line = inner ? inner->site_line : place->line;
        frame.depth = depth - up;
        stack = firefox_tables_push(&w->tables, stack, &frame);
    }
    return stack;
}

/* The stack of a cost of context `c`. It may be of other code than its function: of what that
 * jumped to. */
static uint32_t stack_of_cost(struct writer *w, uint32_t c, const struct cprof_cost *cost)
{
    static const struct cprof_cost nowhere = {.file = CPROF_NONE};
    struct firefox_frame frame = {.address = cost->address,
                                  .function = cost->function,
                                  .object = w->profile->functions[cost->function].object,
                                  .file = cost->file,
                                  .line = cost->line};

    if (cost->function == w->profile->contexts[c].function)
        return stack_of(w, c, cost);
    return firefox_tables_push(
        &w->tables, tracks_is_root(&w->tracks, c) ? CPROF_NONE : stack_of(w, c, &nowhere), &frame);
}

static void find_sites(struct writer *w)
{
    const struct cprof_profile *p = w->profile;

    w->sites = xreallocarray(NULL, p->n_contexts, sizeof *w->sites);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        struct cprof_cost site = {.file = c->site_file, .line = c->site_line, .address = c->site};

        w->sites[i] = CPROF_NONE;
        if (c->parent != CPROF_NONE && !c->inlined && !tracks_is_root(&w->tracks, c->parent))
            w->sites[i] = stack_of(w, c->parent, &site);
    }
}

/*--- Samples ---*/

static void add_sample(struct writer *w, struct sample sample)
{
    if (!sample.cost)
        return;
    APPEND(w->samples, w->n, w->room) = sample;
}

static void gather_paths(struct writer *w)
{
    const struct cprof_profile *p = w->profile;

    rank_contexts(w);
    find_sites(w);
    for (uint32_t i = 0; i < p->n_contexts; i++)
        for (uint32_t k = 0; k < p->contexts[i].n_costs; k++) {
            uint32_t cost = p->contexts[i].first_cost + k;
            int64_t value = column_value(w->export->measure, cprof_context_values(p, cost));

            if (value)
                add_sample(w, (struct sample){w->tracks.of_context[i], w->ranks[i],
                                              stack_of_cost(w, i, &p->context_costs[cost]), value});
        }
}

/* Without call paths, every function stands alone. */
static void gather_costs(struct writer *w)
{
    const struct cprof_profile *p = w->profile;
    uint32_t *rows = rows_of_functions(w->export->rows);

    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];
        struct firefox_frame frame = {.address = c->address,
                                      .function = c->function,
                                      .object = p->functions[c->function].object,
                                      .file = c->file,
                                      .line = c->line};
        int64_t value = column_value(w->export->measure, cprof_cost_values(p, i));

        if (value)
            add_sample(w,
                       (struct sample){0, rows[c->function],
                                       firefox_tables_push(&w->tables, CPROF_NONE, &frame), value});
    }
    free(rows);
}

static int by_place(const void *a, const void *b)
{
    const struct sample *x = a, *y = b;

    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->stack < y->stack ? -1 : x->stack > y->stack;
}

/*--- The document ---*/

/* The kinds of weights that the format has. */
static const char *const weights[] = {
    [UNIT_COUNT] = "samples", [UNIT_NANOSECONDS] = "tracing-ms", [UNIT_BYTES] = "bytes"};

/* Nanoseconds as the milliseconds of the format. */
static void put_time(FILE *out, int64_t value)
{
    char digits[8];
    size_t n;

    fprintf(out, "%" PRId64, value / NANOSECONDS);
    if (value % NANOSECONDS) {
        snprintf(digits, sizeof digits, "%06d", (int)(value % NANOSECONDS));
        for (n = strlen(digits); digits[n - 1] == '0'; n--)
            ;
        fprintf(out, ".%.*s", (int)n, digits);
    }
}

static void put_extra(const struct writer *w, const char *label, const char *text)
{
    fprintf(w->out, "{\"label\": \"%s\", \"format\": \"string\", \"value\": ", label);
    json_put(w->out, text, w->tables.flags);
    fputc('}', w->out);
}

static void put_meta(struct writer *w)
{
    const struct cprof_profile *p = w->profile;
    const struct column *measure = w->export->measure;
    char *command = export_command(p);
    char *quoted = json_quote(command, w->tables.flags);
    char *weight = xasprintf("%s%s%s", measure->name, measure->help ? ": " : "",
                             measure->help ? measure->help : "");
    char *program = tracks_program(p), *product = json_quote(program, w->tables.flags);

    fprintf(w->out,
            "{\n  \"meta\": {\"interval\": 1, \"startTime\": %" PRId64
            ", \"processType\": 0, \"stackwalk\": 1,\n    \"product\": %s, \"importedFrom\": "
            "\"%s %s\", \"arguments\": %s,\n    \"version\": %d, "
            "\"preprocessedProfileVersion\": %d, \"symbolicated\": true,\n"
            "    \"usesOnlyOneStackType\": true, \"sourceCodeIsNotOnSearchfox\": true, "
            "\"keepProfileThreadOrder\": true,\n    \"markerSchema\": [],\n    \"sampleUnits\": "
            "{\"time\": \"ms\", \"eventDelay\": \"ms\", \"threadCPUDelta\": \"ns\"},\n"
            "    \"categories\": ",
            w->export->time * 1000, product, PACKAGE_NAME, PACKAGE_VERSION, quoted, GECKO_VERSION,
            PROCESSED_VERSION);
    firefox_tables_put_categories(&w->tables);
    fputs(",\n    \"extra\": [{\"label\": \"" PACKAGE_NAME "\", \"entries\": [\n      ", w->out);
    put_extra(w, "Weight", weight);
    fputs(",\n      ", w->out);
    put_extra(w, "Time axis",
              "the weight of the samples before, highest call path first; 1 ns for each count");
    fputs("]}]},\n", w->out);
    free(command);
    free(quoted);
    free(weight);
    free(product);
    free(program);
}

/* The samples of one track, which are `n`. */
static void put_samples(struct writer *w, const struct sample *samples, size_t n)
{
    enum count_unit unit = count_unit(w->export->measure->help);
    int64_t time = 0;

    fprintf(w->out, "\"samples\": {\"length\": %zu, \"weightType\": \"%s\",\n      \"stack\": [", n,
            weights[unit]);
    for (size_t i = 0; i < n; i++)
        fprintf(w->out, "%s%" PRIu32, i ? "," : "", samples[i].stack);
    fputs("],\n      \"time\": [", w->out);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? "," : "", w->out);
        put_time(w->out, time);
        time += samples[i].cost;
    }
    fputs("],\n      \"weight\": [", w->out);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? "," : "", w->out);
        if (unit == UNIT_NANOSECONDS)
            put_time(w->out, samples[i].cost);
        else
            fprintf(w->out, "%" PRId64, samples[i].cost);
    }
    fputs("]}", w->out);
}

static void put_thread(struct writer *w, uint32_t track, const struct sample *samples, size_t n)
{
    char *name = tracks_name(&w->tracks, track, w->tables.labels.items);
    char *quoted = json_quote(name, w->tables.flags);
    long pid = w->profile->pid;

    fprintf(w->out,
            "%s\n    {\"name\": %s, \"processType\": \"default\", \"isMainThread\": %s,\n"
            "     \"pid\": \"%ld\", \"tid\": %" PRIu32 ", \"processStartupTime\": 0, "
            "\"processShutdownTime\": null,\n     \"registerTime\": 0, \"unregisterTime\": null, "
            "\"pausedRanges\": [],\n     \"markers\": {\"length\": 0, \"data\": [], \"name\": [], "
            "\"startTime\": [], \"endTime\": [], \"phase\": [], \"category\": []},\n     ",
            track ? "," : "", quoted, track ? "false" : "true", pid < 0 ? 0 : pid, track + 1);
    put_samples(w, samples, n);
    fputc('}', w->out);
    free(name);
    free(quoted);
}

static void put_threads(struct writer *w)
{
    size_t first = 0;

    fputs("  \"threads\": [", w->out);
    for (uint32_t track = 0; track < w->tracks.n; track++) {
        size_t end = first;

        while (end < w->n && w->samples[end].track == track)
            end++;
        put_thread(w, track, w->samples + first, end - first);
        first = end;
    }
    fputs("]\n}\n", w->out);
}

int export_firefox(const struct export *e, FILE *out)
{
    struct writer w = {.export = e, .profile = e->rows->profile, .out = out};

    firefox_tables_load(&w.tables, e, out);
    tracks_load(&w.tracks, w.profile);
    if (w.profile->n_contexts)
        gather_paths(&w);
    else
        gather_costs(&w);
    sort_items(w.samples, w.n, sizeof *w.samples, by_place);
    put_meta(&w);
    fputs("  \"libs\": ", out);
    firefox_tables_put_libs(&w.tables);
    fputs(",\n  \"shared\": ", out);
    firefox_tables_put_shared(&w.tables);
    fputs(",\n", out);
    put_threads(&w);
    firefox_tables_free(&w.tables);
    tracks_free(&w.tracks);
    free(w.sites);
    free(w.ranks);
    free(w.samples);
    return ferror(out) ? -1 : 0;
}
