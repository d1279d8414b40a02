#include <config.h>

#include "named.h"

#include <stdlib.h>

#include "error.h"

#define MAGIC         "cprof-named"
#define NAMED_VERSION 1

/*--- Records ---*/

/* BUILDID PATH */
static int object_record(struct named *w, const char *at)
{
    const char *id, *path;

    if (named_maybe_word(w, &at, &id) || !(path = named_text(w, at, w->r.end)))
        return -1;
    return named_add_index(w, &w->objects, builder_object(w->r.builder, path, id));
}

static int file_record(struct named *w, const char *at)
{
    const char *path = named_text(w, at, w->r.end);

    return path ? named_add_index(w, &w->files, builder_file(w->r.builder, path)) : -1;
}

/* What else is known of a function: FLAGS are "i" (inlined) and "l" (inclusive_least), or "-". */
static int add_traits(struct named *w, const char *flags, uint32_t instances, const char *arguments)
{
    uint32_t function = w->functions.items[w->functions.n - 1];

    if (strspn(flags, "il-") != strlen(flags))
        return named_bad(w, NULL, "a function's flags are 'i', 'l', or '-'");
    if ((strchr(flags, 'i') && builder_function_inlined(w->r.builder, function)) ||
        (strchr(flags, 'l') && builder_function_least(w->r.builder, function)) ||
        (instances && builder_function_instances(w->r.builder, function, instances)))
        return -1;
    return arguments ? builder_function_arguments(w->r.builder, function, arguments) : 0;
}

/* OBJECT FILE LINE ADDRESS INSTANCES FLAGS MANGLED ARGUMENTS NAME */
static int function_record(struct named *w, const char *at)
{
    uint32_t object, file, line = 0, instances = 0;
    uint64_t address;
    const char *flags, *mangled, *arguments, *name;

    if (named_maybe(w, &at, &w->objects, "object", &object) ||
        named_maybe(w, &at, &w->files, "file", &file) || named_line_number(w, &at, &line) ||
        named_address(w, &at, &address) || named_line_number(w, &at, &instances) ||
        !(flags = named_word(w, &at)) || named_maybe_word(w, &at, &mangled) ||
        named_maybe_word(w, &at, &arguments) || !(name = named_text(w, at, w->r.end)))
        return -1;
    if (named_add_index(
            w, &w->functions,
            builder_function_at(w->r.builder, name, mangled, object, file, line, address)))
        return -1;
    return add_traits(w, flags, instances, arguments);
}

/* FUNCTION FILE LINE ADDRESS N... */
static int cost_record(struct named *w, const char *at)
{
    struct cprof_cost cost;

    if (named_index(w, &at, &w->functions, "function", &cost.function) ||
        named_maybe(w, &at, &w->files, "file", &cost.file) ||
        named_line_number(w, &at, &cost.line) || named_address(w, &at, &cost.address) ||
        reader_counts(&w->r, at))
        return -1;
    w->have_costs = 1;
    return w->context == CPROF_NONE
               ? builder_cost(w->r.builder, &cost, w->r.row)
               : builder_context_cost(w->r.builder, w->context, &cost, w->r.row);
}

/* PARENT FUNCTION SITEFILE SITELINE SITE CALLS INLINED */
static int context_record(struct named *w, const char *at)
{
    struct cprof_context context = {0};
    uint64_t inlined;

    if (w->context == CPROF_NONE && w->have_costs)
        return named_bad(w, NULL, "a context after costs that stand under none");
    if (named_maybe(w, &at, &w->contexts, "context", &context.parent) ||
        named_index(w, &at, &w->functions, "function", &context.function) ||
        named_maybe(w, &at, &w->files, "file", &context.site_file) ||
        named_line_number(w, &at, &context.site_line) || named_address(w, &at, &context.site) ||
        named_calls(w, &at, &context.calls) || named_number(w, &at, &inlined))
        return -1;
    context.inlined = inlined != 0;
    w->context = builder_context(w->r.builder, &context);
    return named_add_index(w, &w->contexts, w->context);
}

/* CALLER CALLEE FILE LINE ADDRESS CALLS INLINED N... */
static int edge_record(struct named *w, const char *at)
{
    struct cprof_call call = {0};
    uint64_t inlined;

    if (named_index(w, &at, &w->functions, "function", &call.caller) ||
        named_index(w, &at, &w->functions, "function", &call.callee) ||
        named_maybe(w, &at, &w->files, "file", &call.file) ||
        named_line_number(w, &at, &call.line) || named_address(w, &at, &call.address) ||
        named_calls(w, &at, &call.count) || named_number(w, &at, &inlined) ||
        reader_counts(&w->r, at))
        return -1;
    call.inlined = inlined != 0;
    return builder_call(w->r.builder, &call, w->r.row);
}

/* FUNCTION N... */
static int inclusive_record(struct named *w, const char *at)
{
    uint32_t function;

    if (named_index(w, &at, &w->functions, "function", &function) || reader_counts(&w->r, at))
        return -1;
    return builder_inclusive(w->r.builder, function, w->r.row);
}

static int end_record(struct named *w)
{
    const char *at = w->r.line + sizeof "end";
    unsigned long before = input_line_number(w->r.in) - 1;
    uint64_t lines;

    if (named_number(w, &at, &lines))
        return -1;
    if (lines != before)
        return reader_fail(&w->r, CPROF_ERROR_TRUNCATED, NULL,
                           "file has lost lines: %lu stand before 'end', %llu were written", before,
                           (unsigned long long)lines);
    w->have_end = 1;
    return 0;
}

static int record(struct named *w)
{
    const char *at = w->r.line + 2;

    if (!w->r.have_events)
        return named_bad(w, NULL, "records before 'events:'");
    w->in_body = 1;
    switch (*w->r.line) {
    case 'o':
        return object_record(w, at);
    case 'l':
        return file_record(w, at);
    case 'f':
        return function_record(w, at);
    case 'c':
        return cost_record(w, at);
    case 'n':
        return context_record(w, at);
    case 'e':
        return edge_record(w, at);
    case 'i':
        return inclusive_record(w, at);
    default:
        return named_bad(w, NULL, "unknown record");
    }
}

static int any_line(struct named *w)
{
    if (!input_line_is_whole(w->r.in))
        return reader_fail(&w->r, CPROF_ERROR_TRUNCATED, NULL,
                           "file is cut short: its last line is not whole");
    if (w->have_end)
        return named_bad(w, NULL, "lines after 'end'");
    if (LEX_STARTS(w->r.line, w->r.end, "end "))
        return end_record(w);
    if (w->r.end - w->r.line >= 2 && w->r.line[1] == ' ')
        return record(w);
    return w->in_body ? named_bad(w, NULL, "unknown record") : named_header_line(w);
}

/* The first line: the magic word and the version. */
static int first_line(struct named *w)
{
    const char *at = w->r.line + sizeof MAGIC;
    uint64_t version;

    if (!input_line_is_whole(w->r.in))
        return reader_fail(&w->r, CPROF_ERROR_TRUNCATED, NULL,
                           "file is cut short: its last line is not whole");
    if (!LEX_STARTS(w->r.line, w->r.end, MAGIC " "))
        return named_bad(w, NULL, "first line is not '" MAGIC "' and a version");
    if (named_number(w, &at, &version))
        return -1;
    if (version != NAMED_VERSION)
        return reader_fail(&w->r, CPROF_ERROR_VERSION, NULL,
                           "version %llu of profiles with names is not supported, only %d",
                           (unsigned long long)version, NAMED_VERSION);
    return 0;
}

static int read_all(struct named *w)
{
    int more = reader_next(&w->r);

    if (more > 0 && first_line(w))
        return -1;
    while (more > 0 && (more = reader_next(&w->r)) > 0)
        if (any_line(w))
            return -1;
    if (more < 0)
        return -1;
    if (!w->have_end)
        return error_set(w->r.error, CPROF_ERROR_TRUNCATED,
                         "file is cut short: its 'end' line is missing");
    if (!w->r.have_events)
        return error_set(w->r.error, CPROF_ERROR_SYNTAX,
                         "no events: the 'events:' line is missing");
    return 0;
}

struct cprof_profile *named_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    struct named *w = calloc(1, sizeof *w);
    struct cprof_profile *profile = NULL;

    if (!w) {
        error_set(error, CPROF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    w->context = CPROF_NONE;
    if (!reader_start(&w->r, in, flags, error)) {
        builder_header(w->r.builder)->format = CPROF_FORMAT_NAMED;
        if (!read_all(w))
            profile = builder_finish(w->r.builder);
        else
            builder_free(w->r.builder);
    }
    free(w->objects.items);
    free(w->files.items);
    free(w->functions.items);
    free(w->contexts.items);
    free(w);
    return profile;
}
