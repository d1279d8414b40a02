#include <config.h>

#include "render/export/firefox_tables.h"

#include "base/memory.h"
#include "names/object_name.h"
#include "names/origin.h"
#include "render/json/json_value.h"
#include "render/text/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static void put_text(struct firefox_tables *t, const char *text)
{
    char *quoted = json_quote(text, t->flags);

    fputs(quoted, t->out);
    free(quoted);
}

static void put_subcategories(struct firefox_tables *t, enum category category)
{
    for (size_t i = 0; i < t->crates->n; i++) {
        const struct crate *crate = &t->crates->items[i];

        if (category_of(crate->owner) == category) {
            char *label = crate_label(crate);

            fputs(", ", t->out);
            put_text(t, label);
            free(label);
        }
    }
}

void firefox_tables_put_categories(struct firefox_tables *t)
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

void firefox_tables_put_libs(struct firefox_tables *t)
{
    fputc('[', t->out);
    for (uint32_t i = 0; i < t->objects.n; i++) {
        const struct cprof_object *o = &t->profile->objects[t->objects.items[i]];

        fprintf(t->out, "%s\n    {\"arch\": \"\", \"name\": ", i ? "," : "");
        put_text(t, object_name(o->path));
        fputs(", \"path\": ", t->out);
        put_text(t, o->path);
        fputs(", \"debugName\": ", t->out);
        put_text(t, object_name(o->path));
        fputs(", \"debugPath\": ", t->out);
        put_text(t, o->path);
        fputs(", \"breakpadId\": ", t->out);
        put_debug_id(t, o->build_id);
        fputs(", \"codeId\": ", t->out);
        put_text(t, o->build_id);
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

uint32_t firefox_tables_push(struct firefox_tables *t, uint32_t prefix,
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

/*--- Tables: a name and a value for each column ---*/

/* null and false; no other value of a table is negative but -1 */
#define NOTHING INT64_MIN
#define FALSE   (INT64_MIN + 1)

struct table_column {
    const char *name;
    int64_t (*value)(struct firefox_tables *tables, uint32_t row);
};

static void put_table(struct firefox_tables *t, const char *name, const struct table_column *column,
                      uint32_t rows)
{
    fprintf(t->out, "    \"%s\": {\"length\": %" PRIu32, name, rows);
    for (; column->name; column++) {
        fprintf(t->out, ",\n      \"%s\": [", column->name);
        for (uint32_t i = 0; i < rows; i++) {
            int64_t value = column->value ? column->value(t, i) : NOTHING;

            fputs(i ? "," : "", t->out);
            if (value == NOTHING || value == FALSE)
                fputs(value == NOTHING ? "null" : "false", t->out);
            else
                fprintf(t->out, "%" PRId64, value);
        }
        fputc(']', t->out);
    }
    fputs("}", t->out);
}

static int64_t zero(struct firefox_tables *t, uint32_t row)
{
    (void)t;
    (void)row;
    return 0;
}

static int64_t one(struct firefox_tables *t, uint32_t row)
{
    (void)t;
    (void)row;
    return 1;
}

static int64_t no(struct firefox_tables *t, uint32_t row)
{
    (void)t;
    (void)row;
    return FALSE;
}

static struct firefox_frame frame_at(const struct firefox_tables *t, uint32_t row)
{
    struct firefox_frame frame;

    memcpy(&frame, pool_at(&t->frames, row), sizeof frame);
    return frame;
}

static int64_t frame_address(struct firefox_tables *t, uint32_t row)
{
    uint64_t address = frame_at(t, row).address;

    return address && address <= INT64_MAX ? (int64_t)address : -1;
}

static int64_t frame_lib(struct firefox_tables *t, uint32_t row)
{
    uint32_t object = frame_at(t, row).object;

    return object == CPROF_NONE ? -1 : (int64_t)t->objects.numbers[object];
}

static int64_t frame_depth(struct firefox_tables *t, uint32_t row)
{
    return frame_at(t, row).depth;
}

static int64_t frame_category(struct firefox_tables *t, uint32_t row)
{
    return category_of_function(t, frame_at(t, row).function);
}

static int64_t frame_subcategory(struct firefox_tables *t, uint32_t row)
{
    uint32_t function = frame_at(t, row).function, crate = t->crates->of_function[function];
    const struct crate *c = &t->crates->items[crate];

    return category_of_function(t, function) == category_of(c->owner)
               ? (int64_t)t->subcategories[crate]
               : 0;
}

static int64_t frame_function(struct firefox_tables *t, uint32_t row)
{
    return t->functions.numbers[frame_at(t, row).function];
}

static int64_t frame_line(struct firefox_tables *t, uint32_t row)
{
    struct firefox_frame frame = frame_at(t, row);

    return frame.line && !is_elsewhere(t, &frame) ? (int64_t)frame.line : NOTHING;
}

static int64_t frame_location(struct firefox_tables *t, uint32_t row)
{
    struct firefox_frame frame = frame_at(t, row);
    struct location location = {frame.file, frame.line};

    return is_elsewhere(t, &frame) ? (int64_t)pool_add(&t->locations, &location, sizeof location)
                                   : NOTHING;
}

static const struct cprof_function *function_at(const struct firefox_tables *t, uint32_t row)
{
    return &t->profile->functions[t->functions.items[row]];
}

static int64_t function_name(struct firefox_tables *t, uint32_t row)
{
    const char *label = t->labels.items[t->functions.items[row]];

    return string(t, *label ? label : "???");
}

/* A resource is a library, of the same number. */
static int64_t function_resource(struct firefox_tables *t, uint32_t row)
{
    uint32_t object = function_at(t, row)->object;

    return object == CPROF_NONE ? -1 : (int64_t)t->objects.numbers[object];
}

static int64_t function_source(struct firefox_tables *t, uint32_t row)
{
    uint32_t file = function_at(t, row)->file;

    return file == CPROF_NONE ? NOTHING : (int64_t)t->files.numbers[file];
}

static int64_t function_line(struct firefox_tables *t, uint32_t row)
{
    const struct cprof_function *f = function_at(t, row);

    return f->line && f->file != CPROF_NONE ? (int64_t)f->line : NOTHING;
}

static int64_t resource_name(struct firefox_tables *t, uint32_t row)
{
    return string(t, object_name(t->profile->objects[t->objects.items[row]].path));
}

static int64_t source_name(struct firefox_tables *t, uint32_t row)
{
    return string(t, t->profile->files[t->files.items[row]]);
}

static struct location location_at(const struct firefox_tables *t, uint32_t row)
{
    struct location location;

    memcpy(&location, pool_at(&t->locations, row), sizeof location);
    return location;
}

static int64_t location_source(struct firefox_tables *t, uint32_t row)
{
    return t->files.numbers[location_at(t, row).file];
}

static int64_t location_line(struct firefox_tables *t, uint32_t row)
{
    return location_at(t, row).line;
}

static struct stack stack_at(const struct firefox_tables *t, uint32_t row)
{
    struct stack stack;

    memcpy(&stack, pool_at(&t->stacks, row), sizeof stack);
    return stack;
}

static int64_t stack_frame(struct firefox_tables *t, uint32_t row)
{
    return stack_at(t, row).frame;
}

/* How far the stack below this one is before it; 0: there is none. */
static int64_t stack_prefix(struct firefox_tables *t, uint32_t row)
{
    uint32_t prefix = stack_at(t, row).prefix;

    return prefix == CPROF_NONE ? 0 : (int64_t)row - prefix;
}

/* Columns without a function are null throughout. */
static const struct table_column stack_columns[] = {
    {"prefixOffset", stack_prefix}, {"frame", stack_frame}, {NULL, NULL}};
static const struct table_column frame_columns[] = {{"address", frame_address},
                                                    {"lib", frame_lib},
                                                    {"inlineDepth", frame_depth},
                                                    {"category", frame_category},
                                                    {"subcategory", frame_subcategory},
                                                    {"func", frame_function},
                                                    {"nativeSymbol", NULL},
                                                    {"innerWindowID", zero},
                                                    {"line", frame_line},
                                                    {"column", NULL},
                                                    {"originalLocation", frame_location},
                                                    {NULL, NULL}};
static const struct table_column function_columns[] = {{"name", function_name},
                                                       {"isJS", no},
                                                       {"relevantForJS", no},
                                                       {"resource", function_resource},
                                                       {"source", function_source},
                                                       {"lineNumber", function_line},
                                                       {"columnNumber", NULL},
                                                       {"originalLocation", NULL},
                                                       {NULL, NULL}};
static const struct table_column resource_columns[] = {
    {"name", resource_name}, {"host", NULL}, {"type", one}, {NULL, NULL}}; /* 1: a library */
static const struct table_column symbol_columns[] = {
    {"libIndex", NULL}, {"address", NULL}, {"name", NULL}, {"functionSize", NULL}, {NULL, NULL}};
static const struct table_column source_columns[] = {
    {"id", NULL},           {"filename", source_name}, {"startLine", one}, {"startColumn", one},
    {"sourceMapURL", NULL}, {"content", NULL},         {NULL, NULL}};
static const struct table_column location_columns[] = {
    {"source", location_source}, {"line", location_line}, {"column", one}, {NULL, NULL}};

static void put_strings(struct firefox_tables *t)
{
    fputs("    \"stringArray\": [", t->out);
    for (size_t i = 0; i < t->strings.n; i++) {
        fputs(i ? "," : "", t->out);
        put_text(t, pool_at(&t->strings, i));
    }
    fputc(']', t->out);
}

void firefox_tables_put_shared(struct firefox_tables *t)
{
    const struct {
        const char *name;
        const struct table_column *columns;
        size_t rows;
    } tables[] = {{"stackTable", stack_columns, t->stacks.n},
                  {"frameTable", frame_columns, t->frames.n},
                  {"funcTable", function_columns, t->functions.n},
                  {"resourceTable", resource_columns, t->objects.n},
                  {"nativeSymbols", symbol_columns, 0},
                  {"sources", source_columns, t->files.n},
                  {"sourceLocationTable", location_columns, t->locations.n}};

    fputs("{\n", t->out);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        put_table(t, tables[i].name, tables[i].columns, (uint32_t)tables[i].rows);
        fputs(",\n", t->out);
    }
    put_strings(t); /* which the tables have gathered */
    fputs("\n  }", t->out);
}

void firefox_tables_load(struct firefox_tables *t, const struct export *e, FILE *out)
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

void firefox_tables_free(struct firefox_tables *t)
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
