#include <config.h>

/*
 * Firefox Profiler's processed format, which samply writes, too. Its tables have a column per
 * array; they belong to a thread, or in newer versions to all threads ("shared").
 */
#include "error.h"
#include "json_file.h"

#include <stdlib.h>

/* A stack of the file, as a node of the tree. */
struct stack_of {
    uint32_t node;
    uint32_t thread; /* that `node` was made for, from 1; 0: none yet */
};

struct firefox {
    struct json_file *j;
    const json_t *thread, *shared;
    const json_t *strings, *libs;
    const json_t *prefix, *offset, *stack_frame; /* columns */
    struct stack_frame *frames;                  /* of the frame table */
    size_t n_frames;
    struct stack_of *stacks;
    size_t n_stacks;
    size_t *path;    /* room for all stacks */
    uint32_t number; /* of the thread, from 1 */
    int tables_are_shared;
    int has_cpu;
    struct sampled_unit cpu;
    struct json_sum weights, times;
    uint64_t without_stack;
};

/* A column of a table of the thread, or of all. */
static const json_t *column(const struct firefox *f, const char *table, const char *name)
{
    const json_t *own = json_object_get(f->thread, table);

    return json_object_get(own ? own : json_object_get(f->shared, table), name);
}

/* The text of a string's number; NULL where it is none. */
static const char *string_at(const struct firefox *f, const json_t *number)
{
    size_t i;

    return json_file_index(number, json_array_size(f->strings), &i)
               ? NULL
               : json_string_value(json_array_get(f->strings, i));
}

static const json_t *cell(const struct firefox *f, const char *table, const char *name, size_t i)
{
    return json_array_get(column(f, table, name), i);
}

/* The path of the library that a frame, or its function's resource, is of. */
static const char *library_of(const struct firefox *f, size_t frame, size_t function)
{
    const json_t *lib = cell(f, "frameTable", "lib", frame);
    const char *path;
    size_t i;

    if (!lib && !json_file_index(cell(f, "funcTable", "resource", function), SIZE_MAX, &i))
        lib = cell(f, "resourceTable", "lib", i);
    if (json_file_index(lib, json_array_size(f->libs), &i))
        return NULL;
    lib = json_array_get(f->libs, i);
    path = json_string_value(json_object_get(lib, "path"));
    if (!path || !*path)
        path = json_string_value(json_object_get(lib, "name"));
    return path && *path ? path : NULL;
}

static const json_t *shared_cell(const struct firefox *f, const char *table, const char *name,
                                 size_t i)
{
    return json_array_get(json_object_get(json_object_get(f->shared, table), name), i);
}

/* The file of a source; NULL: none. */
static const char *source_at(const struct firefox *f, const json_t *number)
{
    const char *file;
    size_t i;

    if (json_file_index(number, SIZE_MAX, &i))
        return NULL;
    file = string_at(f, shared_cell(f, "sources", "filename", i));
    return file && *file ? file : NULL;
}

/* The file of a function: a text of its own, or a source's. */
static const char *file_of(const struct firefox *f, size_t function)
{
    const char *file = string_at(f, cell(f, "funcTable", "fileName", function));

    return file && *file ? file : source_at(f, cell(f, "funcTable", "source", function));
}

/* Gives a frame its file and line: in the file of its function, or where it has a location of its
 * own. 0 or -1. */
static int read_place(struct firefox *f, size_t i, const char *file, struct stack_frame *frame)
{
    const char *source = NULL;
    size_t location;

    if (!json_file_index(cell(f, "frameTable", "originalLocation", i), SIZE_MAX, &location))
        source = source_at(f, shared_cell(f, "sourceLocationTable", "source", location));
    frame->file = json_file_source(f->j, source ? source : file);
    if (source)
        frame->line = json_file_line(shared_cell(f, "sourceLocationTable", "line", location));
    else if (file)
        frame->line = json_file_line(cell(f, "frameTable", "line", i));
    return (source || file) && frame->file == CPROF_NONE ? -1 : 0;
}

static int read_frame(struct firefox *f, size_t i)
{
    const json_t *address = cell(f, "frameTable", "address", i);
    struct stack_frame *frame = &f->frames[i];
    const char *name, *file;
    size_t function;

    if (json_file_index(cell(f, "frameTable", "func", i),
                        json_array_size(column(f, "funcTable", "name")), &function))
        return json_file_fail(f->j, "frameTable.func[%zu] of thread %u is not in the file", i,
                              (unsigned)f->number - 1);
    name = string_at(f, cell(f, "funcTable", "name", function));
    if (!name)
        return json_file_fail(f->j, "funcTable.name[%zu] of thread %u is no text", function,
                              (unsigned)f->number - 1);
    file = file_of(f, function);
    *frame = (struct stack_frame){.line = 0};
    if (read_place(f, i, file, frame))
        return -1;
    frame->inlined = json_integer_value(cell(f, "frameTable", "inlineDepth", i)) > 0;
    if (json_integer_value(address) > 0)
        frame->address = (uint64_t)json_integer_value(address);
    frame->function = json_file_function(
        f->j, *name ? name : "???", file,
        json_file_line(cell(f, "funcTable", "lineNumber", function)), library_of(f, i, function));
    return frame->function == CPROF_NONE ? -1 : 0;
}

/* Finds the tables that the samples of the thread at hand refer to; shared ones once. */
static int find_tables(struct firefox *f)
{
    if (f->tables_are_shared && f->frames)
        return 0;
    free(f->frames);
    free(f->stacks);
    free(f->path);
    f->prefix = column(f, "stackTable", "prefix");
    f->offset = column(f, "stackTable", "prefixOffset");
    f->stack_frame = column(f, "stackTable", "frame");
    f->n_stacks = json_array_size(f->stack_frame);
    f->n_frames = json_array_size(column(f, "frameTable", "func"));
    f->frames = json_file_frames(f->j, f->n_frames);
    f->stacks = calloc(f->n_stacks + 1, sizeof *f->stacks);
    f->path = calloc(f->n_stacks + 1, sizeof *f->path);
    return f->frames && f->stacks && f->path ? 0 : error_memory(f->j->s.r.error);
}

static int fail_stack(struct firefox *f, size_t stack)
{
    return json_file_fail(f->j,
                          "stack %zu of thread %u has a prefix or a frame that is not in the file",
                          stack, (unsigned)f->number - 1);
}

/* The stack below this one. 1; 0: there is none; -1. */
static int prefix_of(struct firefox *f, size_t stack, size_t *prefix)
{
    const json_t *value = json_array_get(f->offset ? f->offset : f->prefix, stack);

    if (!f->offset && (json_is_null(value) || json_integer_value(value) == -1))
        return 0;
    if (json_file_index(value, stack + 1, prefix))
        return fail_stack(f, stack);
    if (f->offset && !*prefix)
        return 0;
    *prefix = f->offset ? stack - *prefix : *prefix;
    return *prefix < stack ? 1 : fail_stack(f, stack);
}

/* The node of a stack, and of all below it, for the thread at hand. */
static uint32_t node_of(struct firefox *f, size_t stack, uint32_t root)
{
    size_t depth = 0, frame;
    uint32_t node = root;
    int more = 1;

    while (more > 0 && f->stacks[stack].thread != f->number) {
        f->path[depth++] = stack;
        more = prefix_of(f, stack, &stack);
    }
    if (more < 0)
        return CPROF_NONE;
    if (more)
        node = f->stacks[stack].node;
    while (depth-- > 0) {
        size_t at = f->path[depth];

        if (json_file_index(json_array_get(f->stack_frame, at), f->n_frames, &frame)) {
            fail_stack(f, at);
            return CPROF_NONE;
        }
        if (f->frames[frame].function == CPROF_NONE && read_frame(f, frame))
            return CPROF_NONE;
        node = sampled_push(&f->j->s, node, &f->frames[frame]);
        if (node == CPROF_NONE)
            return node;
        f->stacks[at] = (struct stack_of){node, f->number};
    }
    return node;
}

/*--- Samples ---*/

/* The text of an entry of meta.extra; NULL: there is none. */
static const char *extra_text(const struct firefox *f, const char *group, const char *label)
{
    const json_t *extra = json_object_get(json_object_get(f->j->root, "meta"), "extra");

    for (size_t i = 0; i < json_array_size(extra); i++) {
        const json_t *one = json_array_get(extra, i), *entries = json_object_get(one, "entries");
        const char *name = json_string_value(json_object_get(one, "label"));

        for (size_t k = 0; name && !strcmp(name, group) && k < json_array_size(entries); k++) {
            const json_t *entry = json_array_get(entries, k);
            const char *label_text = json_string_value(json_object_get(entry, "label"));

            if (label_text && !strcmp(label_text, label))
                return json_string_value(json_object_get(entry, "value"));
        }
    }
    return NULL;
}

/* Weights that we wrote may be of any event: "Ir: instructions executed". The event's name, in the
 * builder's memory; NULL: none, or memory is short. */
static const char *own_event(const struct firefox *f)
{
    const char *text = extra_text(f, PACKAGE_NAME, "Weight"),
               *end = text ? strstr(text, ": ") : NULL;

    return text && *text
               ? builder_text(f->j->s.r.builder, text, end ? (size_t)(end - text) : strlen(text))
               : NULL;
}

/* The column of the weights, by their type. */
static int find_weights(struct firefox *f, const json_t *samples, uint32_t *number,
                        struct sampled_unit *unit)
{
    const char *type = json_string_value(json_object_get(samples, "weightType"));
    const char *own = own_event(f), *name = "Samples";
    const struct sampled_column *columns = f->j->s.columns.data;

    *unit = sampled_unit("");
    if (type && !strcmp(type, "tracing-ms")) {
        *unit = sampled_unit("ms");
        name = "time";
    } else if (type && !strcmp(type, "bytes")) {
        *unit = sampled_unit("bytes");
        name = "bytes";
    }
    name = own ? own : name;
    for (*number = 0; *number < f->j->s.columns.count; ++*number)
        if (!strcmp(columns[*number].name, name))
            return 0;
    *number = sampled_column(&f->j->s, name, "", unit->meaning);
    return *number == CPROF_NONE ? -1 : 0;
}

/* Adds the processor time since the sample before; the first one has none. */
static int add_cpu(struct firefox *f, const json_t *deltas, size_t i, uint32_t node)
{
    const json_t *delta = json_array_get(deltas, i);
    struct fraction time;

    if (!i || !delta || json_is_null(delta))
        return 0;
    if (json_file_add(f->j, &f->times, delta, &f->cpu, &time))
        return json_file_fail(f->j,
                              "samples.threadCPUDelta[%zu] of thread %u is no number from 0 on", i,
                              (unsigned)f->number - 1);
    return sampled_add_fraction(&f->j->s, node, 0, &time);
}

static int add_sample(struct firefox *f, const json_t *samples, size_t i, uint32_t root,
                      uint32_t weights, struct sampled_unit unit)
{
    const json_t *stack = json_array_get(json_object_get(samples, "stack"), i);
    const json_t *weight = json_array_get(json_object_get(samples, "weight"), i);
    struct fraction count = {.digits = 1};
    uint32_t node;
    size_t at;

    if (weight && !json_is_null(weight) && json_file_add(f->j, &f->weights, weight, &unit, &count))
        return json_file_fail(f->j,
                              "samples.weight[%zu] of thread %u is no number from 0 to 2^63-1", i,
                              (unsigned)f->number - 1);
    if (json_is_null(stack)) {
        f->without_stack++;
        return 0;
    }
    if (json_file_index(stack, f->n_stacks, &at))
        return json_file_fail(f->j, "samples.stack[%zu] of thread %u is not in the file", i,
                              (unsigned)f->number - 1);
    node = node_of(f, at, root);
    return node == CPROF_NONE || sampled_add_fraction(&f->j->s, node, weights, &count) ||
                   (f->has_cpu && add_cpu(f, json_object_get(samples, "threadCPUDelta"), i, node))
               ? -1
               : 0;
}

static int read_thread(struct firefox *f, const json_t *thread)
{
    const json_t *samples = json_object_get(thread, "samples");
    const json_t *stacks = json_object_get(samples, "stack");
    const json_t *strings = json_object_get(thread, "stringArray");
    const json_t *libs = json_object_get(thread, "libs");
    const char *name = json_file_text(f->j, json_object_get(thread, "name"), "???");
    struct sampled_unit unit;
    uint32_t root, weights;

    f->thread = thread;
    f->strings = strings ? strings : json_object_get(f->shared, "stringArray");
    f->libs = libs ? libs : json_object_get(f->j->root, "libs");
    f->weights = f->times = (struct json_sum){0};
    if (!name || !json_array_size(stacks))
        return name ? 0 : -1;
    if (find_tables(f) || find_weights(f, samples, &weights, &unit) ||
        (root = sampled_thread(&f->j->s, name)) == CPROF_NONE)
        return -1;
    for (size_t i = 0; i < json_array_size(stacks); i++)
        if (add_sample(f, samples, i, root, weights, unit))
            return -1;
    return 0;
}

/*--- The file ---*/

/* Column 0 is the processor time, where a thread has it. */
static int add_cpu_column(struct firefox *f, const json_t *threads)
{
    const json_t *units = json_object_get(json_object_get(f->j->root, "meta"), "sampleUnits");
    const char *unit = json_string_value(json_object_get(units, "threadCPUDelta"));

    for (size_t i = 0; i < json_array_size(threads) && !f->has_cpu; i++)
        f->has_cpu = json_is_array(json_object_get(
            json_object_get(json_array_get(threads, i), "samples"), "threadCPUDelta"));
    if (!f->has_cpu)
        return 0;
    f->cpu = sampled_unit(unit ? unit : "\xc2\xb5s");
    return sampled_column(&f->j->s, f->cpu.meaning ? "cpu" : "cpu-cycles", "", f->cpu.meaning) ==
                   CPROF_NONE
               ? -1
               : 0;
}

static int read_threads(struct firefox *f)
{
    const json_t *threads = json_object_get(f->j->root, "threads");
    const json_t *meta = json_object_get(f->j->root, "meta");

    f->shared = json_object_get(f->j->root, "shared");
    f->tables_are_shared = json_object_get(f->shared, "stackTable") != NULL;
    if (!json_is_integer(json_object_get(meta, "preprocessedProfileVersion")))
        return error_set(f->j->s.r.error, CPROF_ERROR_VERSION,
                         "not the processed format of Firefox Profiler: open the file in it, and "
                         "save it from there");
    if (add_cpu_column(f, threads))
        return -1;
    for (size_t i = 0; i < json_array_size(threads); i++) {
        f->number = (uint32_t)i + 1;
        if (read_thread(f, json_array_get(threads, i)))
            return -1;
    }
    if (f->j->s.columns.count == (f->has_cpu ? 1 : 0))
        return json_file_fail(f->j, "no thread has samples");
    if (f->without_stack && reader_warn(&f->j->s.r, "samples without a stack are left out: %llu",
                                        (unsigned long long)f->without_stack))
        return -1;
    return sampled_finish(&f->j->s, f->has_cpu ? 1 : 0);
}

int json_read_firefox(struct json_file *j)
{
    struct firefox f = {.j = j};
    int result = read_threads(&f);

    free(f.frames);
    free(f.stacks);
    free(f.path);
    return result;
}
